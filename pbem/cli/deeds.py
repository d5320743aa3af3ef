"""The commands of a moderator's deeds, made from their declarations: `pbem hold`, `rollback`, `set` and so on.

All go the same way: what a missing argument could be is listed; what would be undone is shown; the reason is asked
for, then whether to do it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import click

from pbem.cli.kit import paper
from pbem.cli.kit.call import DIFFERS, USAGE, Call, CommandEnd, answer, wants_json
from pbem.cli.kit.deed import carry_out, command_of, reason, sure
from pbem.cli.kit.given import rules_of
from pbem.cli.kit.services import opened
from pbem.cli.kit.stored import game_of
from pbem.desk.context import Context
from pbem.moderation.deed import Deed, Takes, Why
from pbem.moderation.deeds import undone
from pbem.moderation.travel import Point, points, where
from pbem.moderation.words import AT_TERMINAL
from pbem.store.stored import Stored

SHOWN = 20
"""Steps that are listed when none is named."""


def made(deed: Deed[...]) -> click.Command:
    """The command of a deed that needs no more than its declaration."""

    def run(call: Call, game: str, given: Mapping[str, Any]) -> None:
        typed = {one.name: _typed(given[one.name]) for one in deed.takes}
        for one in deed.takes:
            if one.takes in _LISTED and not typed[one.name]:
                _LISTED[one.takes](call, game, typed)
                return
        values = {one.name: one.value(typed[one.name]) for one in deed.takes}
        step = _preview(deed, call, game, values, given["preview"]) if deed.shows else 0
        if given.get("preview"):
            return
        why = reason(given["why"]) if deed.why is Why.NEEDED else given.get("why", "")
        if deed.sure is not None:
            sure(deed.sure({**values, "game": game, "step": step}), given["yes"])
        if deed.asks is not None:
            with opened(call) as service:
                question = service.desk.look(game_of(call, game).name, lambda context: deed.asks(context, values))  # type: ignore[misc]
            if question:
                sure(question, given["yes"])
        carry_out(call, game, lambda service: deed.of(service.desk.services, values, why), deed.word)

    return command_of(deed, run)


def _typed(value: Any) -> Any:
    return " ".join(value) if isinstance(value, tuple) else value


def _preview(deed: Deed[...], call: Call, game: str, values: Mapping[str, Any], only: bool) -> int:
    """Show what would be undone; the step that the game would stand at."""
    game_of(call, game)

    def see(context: Context) -> tuple[Point, str, str, tuple[str, ...]]:
        target = where(context, deed, values)
        # What is played is taken back; whether somebody holds the game is nothing that was played.
        heading = context.game.heading(context.game.load(Stored.read_public(context.repo, target.commit).game, {}))
        lost = tuple(str(one) for one in undone(context, target.record))
        return target, str(heading), str(context.stored.table.status), lost

    with opened(call) as service:
        target, heading, status, lost = service.desk.look(game, see)
    told = {"game": game, "step": target.record, "commit": target.commit, "at": target.at.strftime(paper.MINUTES)}
    if only or not wants_json():
        answer(told | {"where": heading, "status": status, "undoes": list(lost)}, _print_preview)
    return target.record


def _print_preview(told: Mapping[str, Any]) -> None:
    goes_on = "go on from there" if told["status"] == "running" else f"stay {told['status']}"
    stands = f"{told['game']} would stand at step {told['step']} again, {told['where']}, {told['at']} UTC"
    paper.title(f"{stands}, and {goes_on}. Undone would be:")
    for line in told["undoes"]:
        click.echo(f"- {line}")


def _steps(call: Call, game: str, typed: Mapping[str, str]) -> None:
    if not wants_json():
        rows = [
            (str(one.record), one.at.strftime(paper.MINUTES), one.commit[:10], one.says)
            for one in islice(points(game_of(call, game)), SHOWN)
        ]
        paper.print_table(("step", "time (UTC)", "commit", "what"), rows)
    raise CommandEnd("name the step to go back to: --to STEP", USAGE)


def _paths(call: Call, game: str, typed: Mapping[str, str]) -> None:
    """The paths there are. Values of victory points are nobody's business, so that values are not shown."""
    path = typed["path"]
    stored = Stored.read_public(game_of(call, game))
    if not stored.game:
        raise CommandEnd(f"{game} has not begun; there is no position to change", DIFFERS)
    rules = rules_of(stored.table.kind)
    found = [one for one in rules.moderation.settable(rules.load(stored.game, {})) if one.startswith(path)]
    answer(found, lambda found: _print_paths(game, path, found))


def _print_paths(game: str, path: str, found: Sequence[str]) -> None:
    for one in found:
        click.echo(one)
    if not found:
        raise CommandEnd(f"nothing that can be set begins with {path!r}; `pbem set {game}` lists all", DIFFERS)
    paper.warn(f"{len(found)} values; to change one: pbem set {game} {found[0]} VALUE --why '…'")


_LISTED: Mapping[Takes, Callable[[Call, str, Mapping[str, str]], None]] = {
    Takes.STEP: _steps,
    Takes.VALUE: _paths,
}

COMMANDS = {word: made(deed) for word, deed in AT_TERMINAL.items() if deed.by_mail}
