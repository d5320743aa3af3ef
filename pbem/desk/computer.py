"""Seats that a computer holds: whatever they are asked is answered at once, with the first thing on offer.

The answers belong to the record of the letter that led to them, so that people are mailed once, when one of them is
asked again. Nothing is written here; a crash leaves nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.errors import OrderRefused
from engine.game import AnyGame, Decision, Step
from pbem.desk.changes import Changes
from pbem.desk.compose import STOPPED
from pbem.desk.start import chance_of
from pbem.store.stored import Stored
from pbem.store.table import Status

MOST = 1000
"""Answers in one go. A table of computers alone plays to its end in fewer."""

COMPUTER = "computer"
"""Who a seat is played by, in its row, when it is no person."""


def play_on(game: AnyGame, stored: Stored, change: Changes) -> Changes:
    """The change with the answers of computers that follow on it."""
    computers = {row.seat for row in stored.table.seats if row.by == COMPUTER}
    status = change.status or (Status.RUNNING if change.began else stored.table.status)
    if change.state is None or not computers or status in (STOPPED | {Status.GATHERING}):
        return change
    chance, since = chance_of(stored), stored.table.entries + len(change.entries)
    answered = 0
    while answered < MOST and (asked := _asked(game, change.state, computers)) is not None:
        step = _answer(game, change.state, asked, chance)
        if step is None:
            break
        answered += 1
        change = replace(
            change,
            state=step.state,
            entries=(*change.entries, *step.entries),
            reveals=change.reveals or step.reveals,
            marks=() if step.reveals else change.marks,
        )
    if answered and change.answer is not None and not change.answer.since:
        change = replace(change, answer=replace(change.answer, since=since))
    return change


def _asked(game: AnyGame, state: Any, computers: set[str]) -> Decision | None:
    return next((one for one in game.waiting(state) if one.seat in computers and not one.answered), None)


def _answer(game: AnyGame, state: Any, asked: Decision, chance: Any) -> Step[Any] | None:
    """The first thing on offer, or else the first thing possible; None when neither can be played."""
    texts = [offer.text for offer in game.offers(state, asked.seat)[:1]]
    texts += [text for text, _ in zip(game.reference.every(state, asked.seat), range(1), strict=False)]
    for text in texts:
        try:
            return game.apply(state, asked.seat, game.read(state, asked.seat, text).order, chance)
        except OrderRefused:
            continue
    return None
