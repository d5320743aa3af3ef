"""Repairs of the position itself: single values by their path, or many at once after an edit of the whole."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine import editing
from engine.catalog import Msg, T
from engine.chance import Blind, Unknown
from engine.chronicle import Entry
from engine.errors import NotAllowed, NotUnderstood, OrderRefused
from engine.game import Game, Seat
from pbem.desk.answering import Case
from pbem.desk.changes import Changes
from pbem.desk.undo import NUMBERED
from pbem.inbound.speech import relayed
from pbem.moderation.deeds import Deed, Drawn, everyone, reason, told_of
from pbem.moderation.seats import called


def put(path: str, text: str, why: str) -> Deed:
    """One value is put right: `anna.deniers` and `12`, or `+3`. Raises OrderRefused with what would work."""

    def deed(case: Case) -> Drawn:
        _check(case)
        found = reason(why)
        values = case.game.settable(case.state)
        if path not in values:
            near = difflib.get_close_matches(path, list(values), 3, 0.5)
            raise NotUnderstood(
                T("Nothing that can be set is called «{path}».", path=relayed(path, 60)),
                possible=tuple(T("set {path} …", path=one) for one in near),
            )
        value = editing.read(text, values[path])
        if value == values[path]:
            raise NotAllowed(T("{path} is that already; nothing was changed.", path=path))
        entry = case.game.change(case.state, path, value, found)
        return corrected(case, (entry,), found)

    return deed


def edited(changes: Iterable[tuple[str, Any]], why: str) -> Deed:
    """Many values at once, by their paths in the tables of the position."""
    wanted = tuple(changes)

    def deed(case: Case) -> Drawn:
        _check(case)
        found = reason(why)
        state, entries = case.state, []
        for path, value in wanted:
            entry = case.game.change(state, path, value, found)
            state = case.game.fold(state, (entry,))
            entries.append(entry)
        if not entries:
            raise NotAllowed(T("Nothing differs; nothing was changed."))
        return corrected(case, entries, found)

    return deed


def _check_names(case: Case, state: Any) -> None:
    """Who sits where is the table's to say, in mails and on the board alike."""
    names = {row.seat: row.name for row in case.stored.table.seats}
    if called(case.game, case.state, names):
        return  # They differ already; whatever is changed makes it no worse.
    for entry in called(case.game, state, names):
        fresh = str(entry.data["before"])
        seat = next((seat for seat, name in names.items() if name == entry.data["after"]), "")
        raise NotAllowed(
            T("What a player is called stands in mails and on the board; «set» would change the board alone."),
            possible=(T("rename {seat} {name}", seat=seat, name=relayed(fresh, 40)),),
        )


UNFIT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, StopIteration)
"""What a game runs into in a position that is none. No list of its laws names every nonsense that can be typed."""


def corrected(case: Case, entries: Sequence[Entry], why: str, over: tuple[str, ...] = ()) -> Drawn:
    """The change of some corrections.

    Raises NotAllowed when the position would break a law that it keeps now, or when nobody could play on from it;
    PositionError when it is none.
    """
    state = case.game.fold(case.state, entries)
    if broken := newly_broken(case.game, case.state, state):
        raise NotAllowed(T("The position would not be sound, so nothing was changed: {laws}.", laws=broken))
    _check_names(case, state)
    told = told_of(case, state, entries)
    number = case.stored.table.decisions
    bare = [replace(one, data={**one.data, "reason": ""}) for one in entries]
    change = Changes(
        "edit",
        # The reasons lie outside the repository.
        " ".join(str(one) for one in told_of(case, state, bare)) or "the moderator has corrected the position",
        case.game.renumber(state, number) if case.game.waiting(state) else state,
        entries=tuple(entries),
        concerned=everyone(case),
        shows=True,
        marks=(),
        note=why,
        also={NUMBERED: number} if case.game.waiting(state) else {},
        over=over,
    )
    return Drawn(case.stored, change, told)


def _check(case: Case) -> None:
    if case.state is None:
        raise NotAllowed(T("The game has not begun; there is no position to change."))


def newly_broken(game: Game, before: Any, after: Any) -> tuple[Msg, ...]:
    """The laws that a position breaks and the one before it did not, as whoever may see no secret can be told."""
    kept = set(laws(game, before))
    broken = [law for law in laws(game, after) if law not in kept]
    return shown(game, after, broken)


def laws(game: Game, state: Any) -> tuple[str, ...]:
    """The laws that a position breaks; of one that breaks none, whether it can be looked at and played on from."""
    try:
        return game.broken(state) or _stuck(game, state)
    except UNFIT:
        return ("the values do not fit each other",)


def _stuck(game: Game, state: Any) -> tuple[str, ...]:
    """Whether everybody who is asked has an order to give, tried without dice; every decision has one (contract)."""
    for look in (game.heading, game.stage, game.result):
        look(state)
    game.view(state, None)
    waiting = game.waiting(state)
    for asked in waiting:
        game.view(state, asked.seat)
    stuck = (asked.seat for asked in waiting if not asked.answered and not _can_play(game, state, asked.seat))
    return tuple(f"{seat} is asked and could order nothing" for seat in stuck)


def _can_play(game: Game, state: Any, seat: Seat) -> bool:
    offers = game.offers(state, seat)
    if not offers:
        return False
    try:
        game.apply(state, seat, game.read(state, seat, offers[0].text).order, Blind())
    except OrderRefused:
        return False
    except Unknown:
        return True
    return True


def shown(game: Game, state: Any, broken: Sequence[str]) -> tuple[Msg, ...]:
    """Broken laws in words; of those that name hidden things, only that there are such."""
    open_ = set(laws(game, game.redacted(state)))
    found = tuple(Msg(law) for law in broken if law in open_)
    if len(found) < len(broken):
        found += (T("something hidden would not be sound (it is not shown)"),)
    return found
