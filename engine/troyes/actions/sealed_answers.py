"""Decisions that all seats answer at once: Possession and Harsh Winter (A24, A25).

No answer is shown before the last one is in, nor who has answered. Then the answers take effect in the order of play
from the start player (`engine.troyes.phases.event_phase`).
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import possession
from engine.troyes.board.phrases import typed_place
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.order_events import AnswerSealed
from engine.troyes.events.play import Play
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import TroyesState

SEALED = {"possession": "give", "harsh_winter": "discard"}
"""Event to the kind of decision it opens."""


def possible_answers(state: TroyesState, kind: str, seat: str) -> list[str]:
    """The seat's possible answers: places to take a citizen from, or cards and tiles with its cubes."""
    if kind == "give":
        return possession.citizen_sources(state, seat)
    return [card.id for card in state.cards if card.cubes.get(seat)] + [
        tile.id for tile in state.tiles if tile.cubes.get(seat)
    ]


def sealed_answer(play: Play, seat: str, order: orders.Give | orders.Discard) -> None:
    """Seal one answer. Raises NotAllowed when it cannot be carried out."""
    state = play.state
    if isinstance(order, orders.Give):
        possession.check_citizen(state, seat, order.source)
        answered = order.source
    else:
        answered = order.on
        if answered not in possible_answers(state, "discard", seat):
            raise NotAllowed(
                T("You have no cube on {card}.", card=item_name(answered)),
                possible=tuple(
                    T("discard {card}", card=typed_place(id)) for id in possible_answers(state, "discard", seat)
                ),
            )
    play.record(AnswerSealed({seat: answered}))


def is_complete(state: TroyesState) -> bool:
    """Whether everybody who was asked at once has answered. Until then each may still change its answer."""
    return bool(state.asked) and all(asked.seat in state.sealed for asked in state.asked)
