"""How a command ends: its exit code, and one honest sentence instead of a traceback."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from engine.game import AnyGame
    from pbem.daemon.service import Service
    from pbem.host.config import Config
    from pbem.store.games import GameStore
    from pbem.store.repo import GameRepo

F = TypeVar("F", bound=Callable[..., Any])

DIFFERS = 1
USAGE = 2
TROUBLE = 3


class CommandEnd(click.ClickException):
    """The end of a command that did not do what was asked, with its exit code; as JSON where that was asked for."""

    def __init__(self, message: str, exit_code: int, as_json: bool = False) -> None:
        super().__init__(message)
        setattr(self, "exit_code", exit_code)  # noqa: B010 - click declares it for the class only
        self._as_json = as_json

    def show(self, file: Any = None) -> None:
        """The sentence on stderr, or one JSON object on stdout."""
        if self._as_json:
            click.echo(json.dumps({"error": self.message, "exit": self.exit_code}, ensure_ascii=False))
        else:
            click.echo(f"pbem: {self.message}", err=True)


_EXPECTED = (
    ("engine.errors", "OrderRefused", DIFFERS),
    ("engine.errors", "PositionError", TROUBLE),
    ("pbem.host.checked", "ConfigError", USAGE),
    ("pbem.host.passwords", "SecretError", TROUBLE),
    ("pbem.host.people", "PeopleError", TROUBLE),
    ("pbem.store.trouble", "NoSuchGame", USAGE),
    ("pbem.store.trouble", "StoreError", TROUBLE),
    ("pbem.inbound.mailbox", "MailboxError", TROUBLE),
    ("pbem.outbound.sender", "SendError", TROUBLE),
    ("sqlite3", "Error", TROUBLE),
    ("builtins", "OSError", TROUBLE),
)
"""Whatever may go wrong though the program is sound: module, class, exit code; the first that fits counts."""


def told(odd: Exception, host: object = None) -> CommandEnd | None:
    """The end that an exception means; None when it is a defect (or click's own)."""
    # A reader that went away (`pbem log | head`) is click's to end quietly.
    if isinstance(odd, click.ClickException | click.exceptions.Exit | click.Abort | BrokenPipeError):
        return None
    as_json = isinstance(host, Call) and host.as_json
    for module, name, code in _EXPECTED:
        # An exception of a module that was never imported cannot have been raised: nothing is imported to find out.
        loaded = sys.modules.get(module)
        if loaded is not None and isinstance(odd, getattr(loaded, name)):
            return CommandEnd(sentence(odd), code, as_json)
    return None


def sentence(odd: Exception) -> str:
    """What went wrong, in one sentence, with the way out where we know one."""
    reason = getattr(odd, "reason", None)
    if reason is not None and hasattr(odd, "possible"):
        return "\n".join([str(reason), *(f"  possible: {way}" for way in odd.possible)])
    if isinstance(odd, PermissionError) and odd.filename:
        from pbem.store.owner import not_ours

        whose = not_ours(Path(odd.filename)) or not_ours(Path(odd.filename).parent)
        return f"{odd}; {whose}" if whose else str(odd)
    return str(odd) or type(odd).__name__


@dataclass
class Call:
    """What the global options name, and whether JSON was asked for; opens what a command needs."""

    config_file: Path | None = None
    store_folder: Path | None = None
    as_json: bool = False

    def config(self) -> Config:
        """The settings. Raises ConfigError."""
        from pbem.host.config import find

        return find(self.config_file, self.store_folder)

    def store(self) -> GameStore:
        """The games, which must lie there: looking makes no folder."""
        from pbem.store.games import GameStore

        config = self.config()
        if not config.store.is_dir():
            raise CommandEnd(
                f"there is no store at {config.store}; `pbem new` makes one, or name another with --store DIR",
                TROUBLE,
                self.as_json,
            )
        return GameStore(config.store)

    def game(self, name: str) -> GameRepo:
        """One stored game. Ends the command when there is none of that name, telling those there are."""
        store = self.store()
        if not store.has(name):
            names = ", ".join(store.names()[:20]) or "none"
            raise CommandEnd(f"there is no game {name} in {store.root}; there are: {names}", USAGE, self.as_json)
        return store.open(name)

    @contextmanager
    def service(self) -> Iterator[Service]:
        """Store, spool, people and desk."""
        from pbem.daemon.service import open_service

        service = open_service(self.config())
        try:
            yield service
        finally:
            service.close()

    def rules(self, kind: str) -> AnyGame:
        """The game called `kind`."""
        from engine.game import find

        try:
            return find(kind)
        except LookupError as odd:
            raise CommandEnd(str(odd.args[0]), USAGE, self.as_json) from None


def json_option(command: F) -> F:
    """`--json` for a command that takes `as_json`; from then on trouble is told as JSON, too."""

    def note(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
        if value and isinstance(ctx.obj, Call):
            ctx.obj.as_json = True
        return value

    return click.option(
        "--json", "as_json", is_flag=True, is_eager=True, callback=note, help="One JSON value on stdout, nothing else."
    )(command)


def waiting(mails: int) -> str:
    """How many mails wait: `1 mail waits for the daemon`."""
    return f"{mails} mail{'s' if mails != 1 else ''} wait{'' if mails != 1 else 's'} for the daemon"


def print_json(value: object) -> None:
    """The one JSON value of a command."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
