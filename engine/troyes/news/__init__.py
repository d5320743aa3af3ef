"""Facts as sentences: one for each thing that happened, in order, for one reader.

`tell` never looks at where things lie now: news are told long after, when the position has moved on. It uses names,
printed facts and what the entries themselves hold. The same words say what an option would do (`orders.effects`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.catalog import Msg
from engine.chronicle import Entry
from engine.game import Line
from engine.troyes.events import read_entries
from engine.troyes.events.card_events import ActivityRevealed, EventResolves, EventRevealed
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.dice_events import BlackGone, BlackRolled, LeRoyActs
from engine.troyes.events.edit_events import TroyesEdited
from engine.troyes.events.money_events import SeatPasses
from engine.troyes.events.order_events import AnswerSealed, AnswersShown, Ordered, PlansKept, StandingOrder
from engine.troyes.events.round_events import (
    MattersPending,
    PhaseBegins,
    RoundBegins,
    SeatScored,
    StartPlayerMoves,
    TroyesBegins,
    TroyesEnds,
)
from engine.troyes.news import event_text, order_text, round_text, solo_text, standing_order_text
from engine.troyes.news.event_groups import EventGroup, group_events
from engine.troyes.news.round_text import part_name
from engine.troyes.news.sentence_parts import Sentence, Voice
from engine.troyes.news.story import score_explanations, story
from engine.troyes.state.troyes_state import LE_ROY, TroyesState

__all__ = ["SENTENCES", "best_turns", "part_name", "score_explanations", "tell_news"]


def _order(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    if group.head.seat != LE_ROY:
        yield order_text.order_text(voice, group)
    elif bool(group.of(LeRoyActs)) or bool(group.of(BlackGone)):  # A trial ends before his roll.
        yield solo_text.le_roy_text(voice, group)


SENTENCES: dict[type, Callable[[Voice, EventGroup], Iterable[Sentence]]] = {
    TroyesBegins: round_text.beginning_text,
    Ordered: _order,
    EventResolves: event_text.event_text,
    RoundBegins: round_text.round_text,
    PhaseBegins: round_text.phase_text,
    ActivityRevealed: round_text.new_card_text,
    EventRevealed: round_text.new_event_text,
    BlackRolled: round_text.black_dice_text,
    StartPlayerMoves: round_text.start_player_text,
    SeatScored: round_text.score_text,
    TroyesEnds: round_text.ending_text,
    TroyesEdited: round_text.edit_text,
    CitizenMoves: round_text.neutrals_text,
    SeatPasses: round_text.passed_again_text,
    AnswerSealed: round_text.sealed_text,
    AnswersShown: round_text.unsealed_text,
    StandingOrder: round_text.standing_reaction_text,
    PlansKept: standing_order_text.kept_text,
}
"""Kind of fact that heads a matter to what tells it; all other kinds are told in the matter they stand under."""

FINAL = (SeatScored, TroyesEnds)
"""Facts that the final mail tells in its table."""


def tell_news(state: TroyesState, entries: Sequence[Entry], reader: str | None, first: int = 0) -> tuple[Line, ...]:
    """The entries as sentences for `reader` (None: a spectator); `first` is the number of the first entry.

    `state` is any later position of the same game.
    """
    voice = Voice(state, reader)
    lines: list[Line] = []
    sending: list[EventGroup] = []
    for group in group_events(read_entries(entries), SENTENCES, first):
        if event_text.only_sends_dice(group):
            sending.append(group)
            continue
        _send(sending, lines)
        seat = getattr(group.head, "seat", "")
        countered = (order_text.countered_text(voice, counter, seat) for counter in group.counters)
        pending = (
            told for fact in group.of(MattersPending) for told in standing_order_text.cancelled_text(voice, fact)
        )
        found = (*SENTENCES[type(group.head)](voice, group), *countered, *pending)
        # Le Roy is no player of the post room: what he does is the game's own doing there.
        final = isinstance(group.head, FINAL)
        lines.extend(
            Line(told.says, told.mine, group.last, told.seat.replace(LE_ROY, ""), final, told.at_once) for told in found
        )
    _send(sending, lines)
    return tuple(lines)


def best_turns(state: TroyesState, entries: Sequence[Entry]) -> dict[str, Msg]:
    """For each row of the scores the turn that brought most VP."""
    return story(state, entries, SENTENCES)


def _send(sending: list[EventGroup], lines: list[Line]) -> None:
    """Tell the events that have sent black dice, once the run of them ends."""
    if sending:
        lines.append(Line(event_text.sent_text(sending), end=sending[-1].last))
        sending.clear()
