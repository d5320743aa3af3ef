"""Le Roy's side of a solo game, all of it open: his ranked dice, what he has won, and the pile of characters."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.troyes.board import scoring
from engine.troyes.board.words import named
from engine.troyes.state import dice
from engine.troyes.state.state import LE_ROY, TroyesState
from engine.troyes.view.parts import Judge, Judged, King, Owner


def king(state: TroyesState, owner: Callable[[str], Owner]) -> King:
    """His side; `owner` makes the reader's word for a seat."""
    return King(
        owner=owner(LE_ROY),
        dice=tuple(dice.ranked(state.dice[LE_ROY])),
        vp=state.houses[LE_ROY].vp,
        citizens=state.neutrals,
        won=tuple(named(event) for event in state.houses[LE_ROY].won),
        pile=tuple(_judge(state, id, owner) for id in state.pile if id in state.box.characters),
    )


def _judge(state: TroyesState, id: str, owner: Callable[[str], Owner]) -> Judge:
    face = state.box.characters[id]
    return Judge(
        named(id),
        T(face.text_en),
        face.two_player_thresholds,
        face.points,
        tuple(
            Judged(owner(seat), scoring.counted(state, seat)[id], scoring.character(state, seat, id))
            for seat in state.circle
            if seat != LE_ROY or id not in scoring.BLIND
        ),
    )
