"""One call of `pbem`: its global options, its answer as text or JSON, and a sentence for an expected exception."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.store.errors import HandEdited
from pbem.store.permissions import owner_problem

F = TypeVar("F", bound=Callable[..., Any])
V = TypeVar("V")

DIFFERS = 1
USAGE = 2
TROUBLE = 3


@dataclass
class Call:
    """The global options, and whether JSON was asked for. `kit.stored` and `kit.host_access` open what they name."""

    config_file: Path | None = None
    store_folder: Path | None = None
    as_json: bool = False


class CommandEnd(click.ClickException):
    """The end of a command that failed, with a sentence and an exit code."""

    as_json = False

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        setattr(self, "exit_code", exit_code)  # noqa: B010 - click declares it for the class only

    def show(self, file: Any = None) -> None:
        """The sentence on stderr, or one JSON object on stdout."""
        if self.as_json:
            # Where stdout fails (a full disk), stderr may work.
            with suppress(OSError):
                click.echo(json.dumps({"error": self.message, "exit": self.exit_code}, ensure_ascii=False))
                return
        with suppress(OSError):
            click.echo(f"pbem: {self.message}", err=True)


_EXPECTED = (
    ("engine.errors", "OrderRefused", DIFFERS),
    ("engine.errors", "PositionError", TROUBLE),
    ("pbem.export.audience", "NoAudience", USAGE),
    ("pbem.export.score_sheet", "NoScores", DIFFERS),
    ("pbem.export.verify_export", "NoSeed", DIFFERS),
    ("pbem.export.verify_export", "NotOver", DIFFERS),
    ("pbem.export.plots", "NoPlots", TROUBLE),
    ("pbem.demo.postoffice", "DemoError", TROUBLE),
    ("pbem.tournament", "NoCluster", TROUBLE),
    ("concurrent.futures.process", "BrokenProcessPool", TROUBLE),
    ("distributed.scheduler", "KilledWorker", TROUBLE),
    ("pbem.host.settings_file", "ConfigError", USAGE),
    ("pbem.host.passwords", "SecretError", TROUBLE),
    ("pbem.host.people", "PeopleError", TROUBLE),
    ("pbem.store.errors", "NoSuchGame", USAGE),
    ("pbem.store.errors", "StoreError", TROUBLE),
    ("pbem.inbound.mailbox", "MailboxError", TROUBLE),
    ("pbem.outbound.sender", "SendError", TROUBLE),
    ("sqlite3", "Error", TROUBLE),
    ("builtins", "OSError", TROUBLE),
)
"""Expected exceptions: module, class, exit code. The first that fits counts."""


def command_end(odd: Exception, call: object) -> CommandEnd | None:
    """The end for an exception; None for a defect, or one that click handles."""
    # Click ends quietly where a reader went away (`pbem log | head`).
    if isinstance(odd, click.exceptions.Exit | click.Abort | BrokenPipeError):
        return None
    end = odd if isinstance(odd, CommandEnd) else None
    # A module that was never imported cannot have raised anything.
    loaded = ((getattr(sys.modules[module], name), code) for module, name, code in _EXPECTED if module in sys.modules)
    code = next((code for kind, code in loaded if isinstance(odd, kind)), 0)
    if code and not isinstance(odd, click.ClickException):
        end = CommandEnd(error_text(odd), code)
    if end is not None:
        end.as_json = isinstance(call, Call) and call.as_json
    return end


def error_text(odd: Exception) -> str:
    """An exception in one sentence, with the way out where we know one."""
    reason = getattr(odd, "reason", None)
    if reason is not None and hasattr(odd, "possible"):
        return "\n".join([str(reason), *(f"  possible: {way}" for way in odd.possible)])
    if isinstance(odd, HandEdited) and odd.files not in ((), ("HEAD",)):
        return f"{odd}; `pbem mend {odd.game}` keeps the change (--adopt --why '…') or takes it back (--restore)"
    if isinstance(odd, PermissionError) and odd.filename:
        whose = owner_problem(Path(odd.filename)) or owner_problem(Path(odd.filename).parent)
        return f"{odd}; {whose}" if whose else str(odd)
    return str(odd) or type(odd).__name__


def json_option(command: F) -> F:
    """`--json`: the command prints one JSON value, also of an error."""

    def note(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and isinstance(ctx.obj, Call):
            ctx.obj.as_json = True

    says = "One JSON value on stdout, nothing else."
    return click.option("--json", is_flag=True, is_eager=True, expose_value=False, callback=note, help=says)(command)


def wants_json() -> bool:
    """Whether the command at hand was asked for JSON."""
    call = click.get_current_context().find_object(Call)
    return call is not None and call.as_json


def _plain(value: Any) -> Any:
    return value.to_data() if hasattr(value, "to_data") else asdict(value)


def print_answer(value: V, show: Callable[[V], object], code: int = 0) -> None:
    """Print a command's result, as JSON if that was asked for, else by `show`; then exit with `code` if it is not 0.

    A dataclass is printed as its fields, or as its `to_data` says.
    """
    if wants_json():
        click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))
    else:
        show(value)
    if code:
        click.get_current_context().exit(code)
