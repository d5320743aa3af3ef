"""What is told of a game once it is over: the turn that brought each family most, and what every component counts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.troyes.card_data.explain import explain
from engine.troyes.events import read_entries
from engine.troyes.events.order_events import Ordered
from engine.troyes.events.round_events import RoundBegins
from engine.troyes.news import order_text, solo_text
from engine.troyes.news.event_groups import EventGroup, group_events
from engine.troyes.news.sentence_parts import Voice
from engine.troyes.state.troyes_state import LE_ROY, TroyesState


def story(state: TroyesState, entries: Sequence[Entry], heads: Collection[type]) -> dict[str, Msg]:
    """For each family the turn with most VP, as everybody was told it; `heads` are the kinds that head a matter."""
    best: dict[str, tuple[int, int, EventGroup]] = {}
    round_ = 0
    for group in group_events(read_entries(entries), heads):
        if isinstance(group.head, RoundBegins):
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
    """A character with its steps and whose it was; any other card in its own words."""
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
