"""Corrections of the position: one value by its path (`set`), or several after an edit of the whole text."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine import data_paths
from engine.catalog import Msg, T
from engine.chance import BlindChance, UnknownDraw
from engine.errors import NotAllowed, NotUnderstood, OrderRefused
from engine.event_log import LogEntry
from engine.game import AnyGame, Seat
from pbem.admin.actions.seat_holders import name_corrections
from pbem.admin.admin_action import (
    Argument,
    ArgumentKind,
    admin_action,
    all_seats,
    checked_reason,
    public_lines,
    require_not_over,
)
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.desk.core.undo import NUMBERED
from pbem.inbound.sanitize import clean_text


@admin_action(
    T("puts one value right"),
    Argument(name="path", takes=ArgumentKind.PATH, shown="anna.deniers"),
    Argument(name="value", takes=ArgumentKind.VALUE, shown="12"),
    word="set",
)  # fmt: skip
def set_value(context: Context, path: str, value: str, why: str) -> Result:
    """Put one value of a position right.

    PATH is a seat and what it has, such as anna.deniers, or a place on the board, such as palace.6; without VALUE the
    paths that begin so are listed. VALUE is what shall stand there; +2 and -2 count on from what does. The position
    must keep the laws of the game. Everybody is mailed what was changed and why.
    """
    _check(context)
    found = checked_reason(why)
    values = context.game.moderation.settable(context.state)
    if path not in values:
        near = difflib.get_close_matches(path, list(values), 3, 0.5)
        raise NotUnderstood(
            T("Nothing that can be set is called «{path}».", path=clean_text(path, 60)),
            possible=tuple(T("set {path} …", path=one) for one in near),
        )
    fresh = data_paths.parse_value(value, values[path])
    if fresh == values[path]:
        raise NotAllowed(T("{path} is that already; nothing was changed.", path=path))
    return correct_position(context, (context.game.moderation.change(context.state, path, fresh, found),), found)


def set_values(context: Context, changes: Iterable[tuple[str, Any]], why: str) -> Result:
    """Change several values by their paths in the tables of the position."""
    _check(context)
    found = checked_reason(why)
    entries = corrections_of(context.game, context.state, changes, found)
    if not entries:
        raise NotAllowed(T("Nothing differs; nothing was changed."))
    return correct_position(context, entries, found)


def corrections_of(game: AnyGame, state: Any, changes: Iterable[tuple[str, Any]], why: str) -> list[LogEntry]:
    """The entries that change values of a position, by (path, value)."""
    entries: list[LogEntry] = []
    for path, value in changes:
        entries.append(game.moderation.change(state, path, value, why))
        state = game.fold(state, entries[-1:])
    return entries


def _check_names(context: Context, state: Any) -> None:
    """Raises NotAllowed where a player's name is changed: it stands in mails, too, which `rename` changes."""
    names = {row.seat: row.name for row in context.stored.table.seats}
    if name_corrections(context.game, context.state, names):
        return  # They differ already, so this change makes it no worse.
    for entry in name_corrections(context.game, state, names):
        fresh = str(entry.data["before"])
        seat = next((seat for seat, name in names.items() if name == entry.data["after"]), "")
        raise NotAllowed(
            T("What a player is called stands in mails and on the board; «set» would change the board alone."),
            possible=(T("rename {seat} {name}", seat=seat, name=clean_text(fresh, 40)),),
        )


POSITION_ERRORS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, StopIteration)
"""Exceptions of a game in a position that no list of laws describes as wrong."""


def correct_position(context: Context, entries: Sequence[LogEntry], why: str, over: tuple[str, ...] = ()) -> Result:
    """The result of corrections.

    Raises NotAllowed when the position would break a law that it keeps now, or when nobody could play on from it, and
    PositionError when it is no position.
    """
    state = context.game.fold(context.state, entries)
    if broken := newly_broken_laws(context.game, context.state, state):
        raise NotAllowed(T("The position would not be sound, so nothing was changed: {laws}.", laws=broken))
    _check_names(context, state)
    told = public_lines(context, state, entries)
    # People's words lie outside the repository.
    bare = public_lines(context, state, [replace(one, data={**one.data, "reason": ""}) for one in entries])
    return Result(
        what="edit", says=" ".join(str(one) for one in bare) or "the moderator has corrected the position",
        stored=context.stored, told=told, entries=tuple(entries), concerned=all_seats(context), shows=True, marks=(),
        note=why, over=over, **renumbered(context, state),
    )  # fmt: skip


def renumbered(context: Context, state: Any) -> dict[str, Any]:
    """Fields of a `Result` for a corrected position: decisions get new numbers, so that older keys are dead."""
    if not context.game.waiting(state):
        return {"state": state}
    number = context.stored.table.decisions
    return {"state": context.game.moderation.renumber(state, number), "also": {NUMBERED: number}}


def _check(context: Context) -> None:
    if context.state is None:
        raise NotAllowed(T("The game has not begun; there is no position to change."))
    require_not_over(context)


def newly_broken_laws(game: AnyGame, before: Any, after: Any) -> tuple[Msg, ...]:
    """The laws that only the later position breaks, in words that show no secret."""
    kept = set(broken_laws(game, before))
    broken = [law for law in broken_laws(game, after) if law not in kept]
    return public_laws(game, after, broken)


def broken_laws(game: AnyGame, state: Any) -> tuple[str, ...]:
    """The laws that a position breaks; also whether it can be shown and played on from."""
    try:
        return game.moderation.violations(state) or _stuck(game, state)
    except POSITION_ERRORS:
        return ("the values do not fit each other",)


def _stuck(game: AnyGame, state: Any) -> tuple[str, ...]:
    """Seats that are asked and have no legal order, in words; orders are tried without dice."""
    for look in (game.heading, game.stage, game.result):
        look(state)
    game.view(state, None)
    waiting = game.waiting(state)
    for asked in waiting:
        game.view(state, asked.seat)
    stuck = (asked.seat for asked in waiting if not asked.answered and not _can_play(game, state, asked.seat))
    return tuple(f"{seat} is asked and could order nothing" for seat in stuck)


def _can_play(game: AnyGame, state: Any, seat: Seat) -> bool:
    offers = game.offers(state, seat)
    if not offers:
        return False
    try:
        game.apply(state, seat, game.read(state, seat, offers[0].text).order, BlindChance())
    except UnknownDraw:
        pass
    except OrderRefused:
        return False
    return True


def public_laws(game: AnyGame, state: Any, broken: Sequence[str]) -> tuple[Msg, ...]:
    """Broken laws in words; of laws about hidden things only that one is broken."""
    open_ = set(broken_laws(game, game.moderation.redacted(state)))
    found = tuple(Msg(law) for law in broken if law in open_)
    if len(found) < len(broken):
        found += (T("something hidden would not be sound (it is not shown)"),)
    return found
