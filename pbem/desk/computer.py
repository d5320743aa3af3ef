"""Seats that a computer holds: whatever they are asked is answered at once, with the first thing on offer.

The answers belong to the record of the letter that led to them, so that people are mailed once, when one of them is
asked again. Nothing is written here; a crash leaves nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.errors import OrderRefused
from engine.game import Decision, Game, Step
from pbem.desk.context import STOPPED
from pbem.desk.result import Result
from pbem.desk.start import chance_of
from pbem.store.table import Status

MOST = 1000
"""Answers in one go. A table of computers alone plays to its end in fewer."""

COMPUTER = "computer"
"""Who a seat is played by, in its row, when it is no person."""


def play_on(game: Game, result: Result) -> Result:
    """What was decided, with the answers of computers that follow on it."""
    stored = result.stored
    computers = {row.seat for row in stored.table.seats if row.by == COMPUTER}
    status = result.status or (Status.RUNNING if result.began else stored.table.status)
    if result.state is None or not computers or status in (STOPPED | {Status.GATHERING}):
        return result
    chance, since = chance_of(stored), stored.table.entries + len(result.entries)
    answered = 0
    while answered < MOST and (asked := _asked(game, result.state, computers)) is not None:
        step = _answer(game, result.state, asked, chance)
        if step is None:
            break
        answered += 1
        result = replace(
            result,
            state=step.state,
            entries=(*result.entries, *step.entries),
            reveals=result.reveals or step.reveals,
            marks=() if step.reveals else result.marks,
        )
    if answered and result.answer is not None and not result.answer.since:
        result = replace(result, answer=replace(result.answer, since=since))
    return result


def _asked(game: Game, state: Any, computers: set[str]) -> Decision | None:
    return next((one for one in game.waiting(state) if one.seat in computers and not one.answered), None)


def _answer(game: Game, state: Any, asked: Decision, chance: Any) -> Step | None:
    """The first thing on offer, or else the first thing possible; None when neither can be played."""
    texts = [offer.text for offer in game.offers(state, asked.seat)[:1]]
    texts += [text for text, _ in zip(game.every(state, asked.seat), range(1), strict=False)]
    for text in texts:
        try:
            return game.apply(state, asked.seat, game.read(state, asked.seat, text).order, chance)
        except OrderRefused:
            continue
    return None
