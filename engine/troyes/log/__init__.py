"""Facts as sentences: one for each thing that happened, in order, for one reader.

`tell` never looks at where things lie now: news are told long after, when the position has moved on. It uses names,
printed facts and what the entries themselves hold. The same words say what an option would do (`orders.effects`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.catalog import Msg
from engine.chronicle import Entry
from engine.game import Line
from engine.troyes.entries import facts
from engine.troyes.entries.cards import ActivityRevealed, EventResolves, EventRevealed
from engine.troyes.entries.citizens import CitizenMoves
from engine.troyes.entries.course import (
    MattersPending,
    PhaseBegins,
    RoundBegins,
    SeatScored,
    StartPlayerMoves,
    TroyesBegins,
    TroyesEnds,
)
from engine.troyes.entries.dice import BlackGone, BlackRolled, KingActs
from engine.troyes.entries.edits import TroyesEdited
from engine.troyes.entries.money import SeatPasses
from engine.troyes.entries.ordering import AnswerSealed, AnswersShown, Ordered, PlansKept, StandingOrder
from engine.troyes.log import events, happenings, king, orders, plans
from engine.troyes.log import story as told_of
from engine.troyes.log.groups import Matter, grouped
from engine.troyes.log.happenings import part_name
from engine.troyes.log.story import explained
from engine.troyes.log.voice import Told, Voice
from engine.troyes.state.state import LE_ROY, TroyesState

__all__ = ["TOLD", "explained", "part_name", "story", "tell"]


def _order(voice: Voice, group: Matter) -> Iterator[Told]:
    if group.head.seat != LE_ROY:
        yield orders.tell(voice, group)
    elif bool(group.of(KingActs)) or bool(group.of(BlackGone)):  # A trial ends before his roll.
        yield king.tell(voice, group)


TOLD: dict[type, Callable[[Voice, Matter], Iterable[Told]]] = {
    TroyesBegins: happenings.begins,
    Ordered: _order,
    EventResolves: events.resolves,
    RoundBegins: happenings.round_,
    PhaseBegins: happenings.phase,
    ActivityRevealed: happenings.activity,
    EventRevealed: happenings.threat,
    BlackRolled: happenings.black,
    StartPlayerMoves: happenings.starts,
    SeatScored: happenings.scored,
    TroyesEnds: happenings.over,
    TroyesEdited: happenings.edited,
    CitizenMoves: happenings.neutrals,
    SeatPasses: happenings.waits,
    AnswerSealed: happenings.sealed,
    AnswersShown: happenings.unsealed,
    StandingOrder: happenings.standing,
    PlansKept: plans.kept,
}
"""Kind of fact that heads a matter to what tells it; all other kinds are told in the matter they stand under."""

FINAL = (SeatScored, TroyesEnds)
"""Facts that the final mail tells in its table."""


def tell(state: TroyesState, entries: Sequence[Entry], reader: str | None, first: int = 0) -> tuple[Line, ...]:
    """The entries as sentences for `reader` (None: a spectator); `first` is the number of the first entry.

    `state` is any later position of the same game.
    """
    voice = Voice(state, reader)
    lines: list[Line] = []
    sending: list[Matter] = []
    for group in grouped(facts(entries), TOLD, first):
        if events.sends_only(group):
            sending.append(group)
            continue
        _send(sending, lines)
        seat = getattr(group.head, "seat", "")
        countered = (orders.counter(voice, counter, seat) for counter in group.counters)
        pending = (told for fact in group.of(MattersPending) for told in plans.surprised(voice, fact))
        found = (*TOLD[type(group.head)](voice, group), *countered, *pending)
        # Le Roy is no player of the post room: what he does is the game's own doing there.
        final = isinstance(group.head, FINAL)
        lines.extend(
            Line(told.says, told.mine, group.last, told.seat.replace(LE_ROY, ""), final, told.at_once) for told in found
        )
    _send(sending, lines)
    return tuple(lines)


def story(state: TroyesState, entries: Sequence[Entry]) -> dict[str, Msg]:
    """For each row of the scores the turn that brought most VP."""
    return told_of.story(state, entries, TOLD)


def _send(sending: list[Matter], lines: list[Line]) -> None:
    """Tell the events that have sent black dice, once the run of them ends."""
    if sending:
        lines.append(Line(events.sent(sending), end=sending[-1].last))
        sending.clear()
