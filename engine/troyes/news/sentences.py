"""Events as sentences, in order, for one reader.

`tell_news` never looks at where things lie now, because news are told after the position has moved on. It uses names,
printed facts and the entries. `order_text.effects_text` says in the same words what an option would do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.catalog import Msg, T
from engine.event_log import LogEntry
from engine.game import Line
from engine.troyes.card_data.explain import explain
from engine.troyes.events import round_events
from engine.troyes.events.card_events import ActivityRevealed, EventResolves, EventRevealed
from engine.troyes.events.citizen_events import CitizenMoves
from engine.troyes.events.dice_events import BlackGone, BlackRolled, LeRoyActs
from engine.troyes.events.money_events import SeatPasses
from engine.troyes.events.order_events import AnswerSealed, AnswersShown, Ordered, PlansKept, StandingOrder
from engine.troyes.events.play import read_entries
from engine.troyes.news import event_text, order_text, round_text, solo_text, standing_order_text
from engine.troyes.news.event_groups import EventGroup, group_events
from engine.troyes.news.sentence_parts import Sentence, Voice
from engine.troyes.state.troyes_state import LE_ROY, TroyesState


def _order(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    if group.head.seat != LE_ROY:
        yield order_text.order_text(voice, group)
    elif bool(group.of(LeRoyActs)) or bool(group.of(BlackGone)):  # a trial ends before his roll
        yield solo_text.le_roy_text(voice, group)


SENTENCES: dict[type, Callable[[Voice, EventGroup], Iterable[Sentence]]] = {
    round_events.TroyesBegins: round_text.beginning_text,
    Ordered: _order,
    EventResolves: event_text.event_text,
    round_events.RoundBegins: round_text.round_text,
    round_events.PhaseBegins: round_text.phase_text,
    ActivityRevealed: round_text.new_card_text,
    EventRevealed: round_text.new_event_text,
    BlackRolled: round_text.black_dice_text,
    round_events.StartPlayerMoves: round_text.start_player_text,
    round_events.SeatScored: round_text.score_text,
    round_events.TroyesEnds: round_text.ending_text,
    round_events.TroyesEdited: round_text.edit_text,
    CitizenMoves: round_text.neutrals_text,
    SeatPasses: round_text.passed_again_text,
    AnswerSealed: round_text.sealed_text,
    AnswersShown: round_text.unsealed_text,
    StandingOrder: round_text.standing_reaction_text,
    PlansKept: standing_order_text.kept_text,
}
"""Kind of heading event to what tells its group."""

FINAL = (round_events.SeatScored, round_events.TroyesEnds)
"""Events that the final mail tells in its table."""


def tell_news(state: TroyesState, entries: Sequence[LogEntry], reader: str | None, first: int = 0) -> tuple[Line, ...]:
    """The entries, from number `first`, as sentences for `reader` (None: a spectator), told in any later `state`."""
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
            told
            for fact in group.of(round_events.MattersPending)
            for told in standing_order_text.cancelled_text(voice, fact)
        )
        found = (*SENTENCES[type(group.head)](voice, group), *countered, *pending)
        # The post room does not know le Roy: his actions belong to the game itself.
        final = isinstance(group.head, FINAL)
        lines.extend(
            Line(told.says, told.mine, group.last, told.seat.replace(LE_ROY, ""), final, told.at_once) for told in found
        )
    _send(sending, lines)
    return tuple(lines)


def _send(sending: list[EventGroup], lines: list[Line]) -> None:
    """Tell the events that have sent black dice, once the run of them ends."""
    if sending:
        lines.append(Line(event_text.sent_text(sending), end=sending[-1].last))
        sending.clear()


def best_turns(state: TroyesState, entries: Sequence[LogEntry]) -> dict[str, Msg]:
    """For each row of the scores the turn that brought most VP, as everybody was told it."""
    best: dict[str, tuple[int, int, EventGroup]] = {}
    round_ = 0
    for group in group_events(read_entries(entries), SENTENCES):
        if isinstance(group.head, round_events.RoundBegins):
            round_ = group.head.round
        elif isinstance(group.head, Ordered):
            seat = group.head.seat
            gained = sum(one.sums.points[seat] for one in (group, *group.counters))
            if gained > best.get(seat, (0,))[0]:
                best[seat] = gained, round_, group
    return {seat: _told(state, *best[seat]) if seat in best else T("No turn brought VP.") for seat in state.scores}


def _told(state: TroyesState, gained: int, round_: int, group: EventGroup) -> Msg:
    tell = solo_text.le_roy_text if group.head.seat == LE_ROY else order_text.order_text
    deed = tell(Voice(state, None), group).says
    return T("The biggest turn, in round {round}, +{n} VP: {deed}", round=round_, n=gained, deed=deed)


def score_explanations(state: TroyesState) -> dict[str, Msg]:
    """What each component of the scores counts, with the numbers of this game."""
    board = state.box.board
    fixed = {
        "tokens": T("VP gained during the game."),
        "presence": T("{n} VP for each event left with a cube of the family.", n=board.presence_points),
        "tradesmen": T("The VP of the spaces on which the family's tradesmen stand."),
        "cathedral": T("-{n} VP for each level of the cathedral without a cube.", n=board.missing_level_loss),
    }
    others = dict.fromkeys(part for parts in state.scores.values() for part in parts if part not in fixed)
    return fixed | {id: _card(state, id) for id in others}


def _card(state: TroyesState, id: str) -> Msg:
    """A character with its steps and whose it was. Any other card in its own words."""
    if id not in state.box.characters:
        text = explain(id, state.box, solo=state.solo)
        return text.lines[-1] if text is not None else T("")
    card = state.box.characters[id]
    thresholds = card.two_player_thresholds if state.players == 2 else card.thresholds
    paid = zip(thresholds, card.points, strict=True)
    steps = tuple(T("{n} VP from {count} on", n=n, count=count) for count, n in paid)
    held = tuple(state.names.get(seat, seat) for seat, ids in state.characters.items() if id in ids)
    if held:
        return T("{counts} {steps}. It was dealt to {names}.", counts=T(card.text_en), steps=steps, names=held)
    return T("{counts} {steps}.", counts=T(card.text_en), steps=steps)
