"""A moderator's action at a terminal: the command made from its declaration, what it asks first, what it prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import click

from pbem.admin.admin_action import AdminAction, Argument, ArgumentKind, BoundAction
from pbem.cli.kit import console
from pbem.cli.kit.call import USAGE, Call, CommandEnd, json_option, print_answer, wants_json
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import GAME, PATH, SEAT, game_of
from pbem.daemon.service import Service

F = TypeVar("F", bound=Callable[..., Any])
Runs = Callable[[Call, str, Mapping[str, Any]], None]
"""What a command does with the game and its other parameters."""


def action_command(action: AdminAction[...], run: Runs, *options: Callable[[Any], Any]) -> click.Command:
    """The command of an action, with `options` of its own before the common ones."""

    @click.pass_obj
    def called(call: Call, /, game: str, **given: Any) -> None:
        run(call, game, given)

    # A value may be -2.
    settings = {"ignore_unknown_options": any(one.takes is ArgumentKind.VALUE for one in action.takes)}
    made = click.Command(action.word, settings, called, [click.Argument(["game"], type=GAME)], help=action.help)
    made.params += map(_param, action.takes)
    for add in (*options, *_common(action)):
        add(made)
    return made


def _common(action: AdminAction[...]) -> Iterator[Callable[[Any], Any]]:
    if action.shows is not None:
        yield click.option("--preview", is_flag=True, help="Only show what would be undone.")
    if action.takes_reason:
        yield why_option
    if action.sure:
        yield yes_option
    yield json_option


def _param(one: Argument) -> click.Parameter:
    """An argument as it is typed. One that can be listed may be left out, and the list is shown."""
    match one.takes:
        case ArgumentKind.FLAG:
            return click.Option([f"--{one.name}"], is_flag=True, help=one.help)
        case ArgumentKind.STEP:
            return click.Option([f"--{one.name}"], default="", metavar="STEP", help=one.help)
        case ArgumentKind.PATH | ArgumentKind.VALUE:
            kind = PATH if one.takes is ArgumentKind.PATH else None
            return click.Argument([one.name], type=kind, required=False, default="")
        case _ if one.option:
            return click.Option([f"--{one.name}"], default="", metavar=one.takes.name, help=one.help)
        case ArgumentKind.SEAT:
            default = "" if one.optional else None
            return click.Argument([one.name], type=SEAT, required=not one.optional, default=default)
        case ArgumentKind.PERSON:
            return click.Argument([one.name], metavar="'NAME <ADDRESS>'")
        case _ if one.default:
            return click.Option([f"--{one.name}"], default=one.default, show_default=True, help=one.help)
    return click.Argument([one.name], nargs=-1, required=True)


def why_option(command: F) -> F:
    """`--why`: the reason that every player reads."""
    return click.option("--why", "-m", default="", metavar="TEXT", help="The reason; every player reads it.")(command)


def yes_option(command: F) -> F:
    """`--yes`: do not ask."""
    return click.option("--yes", "-y", is_flag=True, help="Do it without asking.")(command)


def ask_reason(why: str) -> str:
    """The reason given, or asked for on a terminal. Ends the command when there is none."""
    if not why.strip() and sys.stdin.isatty() and not wants_json():
        why = click.prompt("Why (every player reads it)", err=True)
    if not why.strip():
        raise CommandEnd("a reason is needed, since every player reads it: --why '…'", USAGE)
    return str(why)


def ask_confirmation(question: str, yes: bool) -> None:
    """Ask, unless `yes` was given or the question is empty. Ends the command for any other answer than yes."""
    if yes or not question:
        return
    if wants_json() or not sys.stdin.isatty():
        raise CommandEnd(f"{question} Nothing was done; say --yes to do it.", USAGE)
    if not click.confirm(question, err=True):
        raise CommandEnd("nothing was done", 1)


def run_action(call: Call, game: str, make: Callable[[Service], BoundAction], what: str) -> None:
    """Do an action and print its sentences, the step and the number of mails. `make` gives it from the service."""
    game_of(call, game)
    with open_host(call) as service:
        done = service.desk.change(game, what, make(service))
    found = {
        "game": game, "step": done.record.number, "commit": done.stored.commit,
        "status": str(done.stored.table.status), "says": [str(one) for one in done.told],
        "mails": len(done.record.intents),
    }  # fmt: skip
    print_answer(found, _say)


def _say(found: dict[str, Any]) -> None:
    for one in found["says"]:
        click.echo(one)
    mails = console.mails_text(found["mails"]) if found["mails"] else "everybody reads it in their next mail"
    console.warn(f"step {found['step']} of {found['game']}; {mails}")
