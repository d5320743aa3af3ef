"""Decisions that all seats answer at once: Possession and Harsh Winter (A24, A25).

Nothing of an answer is shown before the last one is in, not even who has answered; then they are applied in the order
of play from the start player (`engine.troyes.phases.sealed`).
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import possession
from engine.troyes.board.words import named, spelled
from engine.troyes.entries import Play
from engine.troyes.entries.ordering import AnswerSealed
from engine.troyes.state import orders
from engine.troyes.state.state import TroyesState

SEALED = {"possession": "give", "harsh_winter": "discard"}
"""Event to the kind of decision it opens."""


def ways(state: TroyesState, kind: str, seat: str) -> list[str]:
    """What the seat may answer: sources of a citizen, or cards and tiles with its cubes."""
    if kind == "give":
        return possession.sources(state, seat)
    return [card.id for card in state.cards if card.cubes.get(seat)] + [
        tile.id for tile in state.tiles if tile.cubes.get(seat)
    ]


def answer(play: Play, seat: str, order: orders.Give | orders.Discard) -> None:
    """Seal one answer. Raises NotAllowed when it cannot be carried out."""
    state = play.state
    if isinstance(order, orders.Give):
        possession.check(state, seat, order.source)
        answered = order.source
    else:
        answered = order.on
        if answered not in ways(state, "discard", seat):
            raise NotAllowed(
                T("You have no cube on {card}.", card=named(answered)),
                possible=tuple(T("discard {card}", card=spelled(id)) for id in ways(state, "discard", seat)),
            )
    play.record(AnswerSealed({seat: answered}))


def complete(state: TroyesState) -> bool:
    """Whether everybody who was asked at once has answered; until then each may still answer anew."""
    return bool(state.asked) and all(asked["seat"] in state.sealed for asked in state.asked)
