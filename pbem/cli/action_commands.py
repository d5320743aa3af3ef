"""The commands of a moderator's actions, made from their declarations: `pbem hold`, `rollback`, `set` and so on.

Each one first lists what a missing argument could be and shows what would be undone. Then it asks for the reason, and
whether to do it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import click

from pbem.admin.actions.rollback import game_steps, rollback_target
from pbem.admin.admin_action import AdminAction, ArgumentKind, undone_lines
from pbem.admin.admin_words import AT_TERMINAL
from pbem.cli.kit import console
from pbem.cli.kit.action_command import action_command, ask_confirmation, ask_reason, run_action
from pbem.cli.kit.arguments import rules_of
from pbem.cli.kit.call import DIFFERS, USAGE, Call, CommandEnd, print_answer, wants_json
from pbem.cli.kit.host_access import open_host
from pbem.cli.kit.stored import game_of
from pbem.desk.core.context import Context
from pbem.store.state_file import StoredGame

SHOWN = 20
"""Steps that are listed when none is named."""


def made_command(action: AdminAction[...]) -> click.Command:
    """The command of an action that needs no more than its declaration."""

    def run(call: Call, game: str, given: Mapping[str, Any]) -> None:
        typed = {one.name: _typed(given[one.name]) for one in action.takes}
        for one in action.takes:
            if one.takes in _LISTED and not typed[one.name]:
                _LISTED[one.takes](call, game, typed)
                return
        values = {one.name: one.value(typed[one.name]) for one in action.takes}
        step = _preview(action, call, game, values, given["preview"]) if action.shows else 0
        if given.get("preview"):
            return
        why = ask_reason(given["why"]) if action.needs_reason else given.get("why", "")
        if (ask := action.sure) and not given["yes"]:
            game_of(call, game)
            if isinstance(ask, str):
                question = ask.format(game=game)
            else:
                make = ask
                with open_host(call) as service:
                    question = service.desk.look(game, lambda context: make(context, {**values, "step": step}))
            ask_confirmation(question, yes=False)
        run_action(call, game, lambda service: action.of(service.desk.services, values, why), action.word)

    return action_command(action, run)


def _typed(value: Any) -> Any:
    return " ".join(value) if isinstance(value, tuple) else value


def _preview(action: AdminAction[...], call: Call, game: str, values: Mapping[str, Any], only: bool) -> int:
    """Show what would be undone; the step that the game would stand at."""
    game_of(call, game)

    def see(context: Context) -> dict[str, Any]:
        target = rollback_target(context, action, values)
        past = StoredGame.read_public(context.repo, target.commit)
        return {
            "game": game, "step": target.record, "commit": target.commit, "at": target.at.strftime(console.MINUTES),
            "where": str(context.game.heading(context.game.load(past.game, {}))),
            "status": str(context.stored.table.status),
            "undoes": [str(one) for one in undone_lines(context, target.record)],
        }  # fmt: skip

    with open_host(call) as service:
        told = service.desk.look(game, see)
    if only or not wants_json():
        print_answer(told, _print_preview)
    return int(told["step"])


def _print_preview(told: Mapping[str, Any]) -> None:
    goes_on = "go on from there" if told["status"] == "running" else f"stay {told['status']}"
    stands = f"{told['game']} would stand at step {told['step']} again, {told['where']}, {told['at']} UTC"
    console.title(f"{stands}, and {goes_on}. Undone would be:")
    for line in told["undoes"]:
        click.echo(f"- {line}")


def _steps(call: Call, game: str, typed: Mapping[str, str]) -> None:
    if not wants_json():
        rows = [
            (str(one.record), one.at.strftime(console.MINUTES), one.commit[:10], one.says)
            for one in islice(game_steps(game_of(call, game)), SHOWN)
        ]
        console.print_table(("step", "time (UTC)", "commit", "what"), rows)
    raise CommandEnd("name the step to go back to: --to STEP", USAGE)


def _paths(call: Call, game: str, typed: Mapping[str, str]) -> None:
    """Print the paths that begin so. Their values are not shown, since victory points are secret."""
    path = typed["path"]
    stored = StoredGame.read_public(game_of(call, game))
    if not stored.game:
        raise CommandEnd(f"{game} has not begun; there is no position to change", DIFFERS)
    rules = rules_of(stored.table.kind)
    found = [one for one in rules.moderation.settable(rules.load(stored.game, {})) if one.startswith(path)]
    print_answer(found, lambda found: _print_paths(game, path, found))


def _print_paths(game: str, path: str, found: Sequence[str]) -> None:
    for one in found:
        click.echo(one)
    if not found:
        raise CommandEnd(f"nothing that can be set begins with {path!r}; `pbem set {game}` lists all", DIFFERS)
    console.warn(f"{len(found)} values; to change one: pbem set {game} {found[0]} VALUE --why '…'")


_LISTED: Mapping[ArgumentKind, Callable[[Call, str, Mapping[str, str]], None]] = {
    ArgumentKind.STEP: _steps,
    ArgumentKind.VALUE: _paths,
}

COMMANDS = {word: made_command(action) for word, action in AT_TERMINAL.items() if action.by_mail}
