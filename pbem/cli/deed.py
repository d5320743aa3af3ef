"""What every command that repairs a game has in common: the reason, the deed, what is told and what is next."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli.kit import paper
from pbem.cli.kit.call import USAGE, Call, CommandEnd, print_json, wants_json
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import game_of

if TYPE_CHECKING:
    from engine.catalog import Msg
    from pbem.daemon.service import Service
    from pbem.moderation.deeds import Deed

F = TypeVar("F", bound=Callable[..., Any])


def why_option(command: F) -> F:
    """`--why`: the reason that every player reads."""
    return click.option("--why", "-m", default="", metavar="TEXT", help="The reason; every player reads it.")(command)


def yes_option(command: F) -> F:
    """`--yes`: do not ask."""
    return click.option("--yes", "-y", is_flag=True, help="Do it without asking.")(command)


def reason(why: str) -> str:
    """The reason given, or asked for on a terminal. Ends the command when there is none."""
    if not why.strip() and sys.stdin.isatty() and not wants_json():
        why = click.prompt("Why (every player reads it)", err=True)
    if not why.strip():
        raise CommandEnd("a reason is needed, since every player reads it: --why '…'", USAGE)
    return str(why)


def sure(question: str, yes: bool) -> None:
    """Go on only if somebody has said yes."""
    if yes:
        return
    if wants_json() or not sys.stdin.isatty():
        raise CommandEnd(f"{question} Nothing was done; say --yes to do it.", USAGE)
    if not click.confirm(question, err=True):
        raise CommandEnd("nothing was done", 1)


def carry_out(call: Call, game: str, deed: Callable[[Service], Deed], what: str) -> dict[str, Any]:
    """Do a deed and tell what it did: the sentences, the step, the mails. `deed` makes it for the service."""
    game_of(call, game)
    with opened(call) as service:
        committed = service.desk.change(game, what, deed(service))
    record = committed.record
    found = {
        "game": game,
        "step": record.number,
        "commit": committed.stored.commit,
        "status": str(committed.stored.table.status),
        "says": [str(one) for one in committed.told],
        "mails": len(record.intents),
    }
    if wants_json():
        print_json(found)
    else:
        say(committed.told)
        paper.warn(f"step {record.number} of {game}; {_mails(len(record.intents))}")
    return found


def say(told: Sequence[Msg]) -> None:
    """Sentences, one a line."""
    for one in told:
        click.echo(str(one))


def _mails(count: int) -> str:
    return paper.waiting(count) if count else "everybody reads it in their next mail"
