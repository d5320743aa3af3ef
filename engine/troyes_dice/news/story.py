"""Sentences after the end: the half day that brought each sheet most, and what each component counts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.catalog import Msg, T
from engine.event_log import LogEntry
from engine.troyes_dice import events as did
from engine.troyes_dice.actions.scoring import total_score
from engine.troyes_dice.card_data import DiceBox
from engine.troyes_dice.notation.writing import answer_message
from engine.troyes_dice.state.dice_state import MORNING, DiceState
from engine.troyes_dice.state.orders import Fallback


def best_half_days(state: DiceState, entries: Sequence[LogEntry]) -> dict[str, Msg]:
    """Return for each seat the answer that raised the worth of its sheet most."""
    best: dict[str, tuple[int, int, str, did.Acts]] = {}
    now: DiceState | None = None
    acts, before = None, 0
    for entry in entries:
        fact = did.DicePlay.kinds.fact(entry)
        if isinstance(fact, did.Acts) and now is not None:
            acts, before = fact, total_score(now.box, now.sheets[fact.seat])
        now = did.fold(now, [entry])
        if acts is not None and isinstance(fact, did.SheetChange):
            gained = total_score(now.box, now.sheets[acts.seat]) - before
            if gained > best.get(acts.seat, (0,))[0]:
                best[acts.seat] = gained, now.day, now.half, acts
        elif not isinstance(fact, did.Acts):
            acts = None
    return {seat: _told(*best[seat]) if seat in best else T("No half day brought VP.") for seat in state.scores}


def _told(gained: int, day: int, half: str, acts: did.Acts) -> Msg:
    morning = half == MORNING
    if isinstance(acts.order, Fallback):
        if morning:
            return T("The biggest half day, morning of day {day}, +{n} VP, without a die.", day=day, n=gained)
        return T("The biggest half day, afternoon of day {day}, +{n} VP, without a die.", day=day, n=gained)
    order = answer_message(acts.order, acts.die)
    if morning:
        return T("The biggest half day, morning of day {day}, +{n} VP: «{order}».", day=day, n=gained, order=order)
    return T("The biggest half day, afternoon of day {day}, +{n} VP: «{order}».", day=day, n=gained, order=order)


def score_explanations(box: DiceBox) -> dict[str, Msg]:
    """Return what each component of the scores counts, with the numbers of this game."""
    return {
        "characters": T("Each Cathedral brings its number for every building of its row."),
        "resources": T("1 VP for every {n} left of one resource.", n=box.per_point),
        "citizens": T("{n} VP for each citizen.", n=box.citizen_points),
    }
