"""Le Roy's side of a solo game, all of it open: his ranked dice, what he has won, and the pile of characters."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.troyes.board import scoring
from engine.troyes.card_data.item_names import item_name
from engine.troyes.state import dice
from engine.troyes.state.troyes_state import LE_ROY, TroyesState
from engine.troyes.view.view_values import CharacterCount, LeRoyView, Owner, PileCharacter


def solo_view(state: TroyesState, owner: Callable[[str], Owner]) -> LeRoyView:
    """His side; `owner` makes the reader's word for a seat."""
    return LeRoyView(
        owner=owner(LE_ROY),
        dice=tuple(dice.dice_by_rank(state.dice[LE_ROY])),
        vp=state.houses[LE_ROY].vp,
        citizens=state.neutrals,
        won=tuple(item_name(event) for event in state.houses[LE_ROY].won),
        pile=tuple(_judge(state, id, owner) for id in state.pile if id in state.box.characters),
    )


def _judge(state: TroyesState, id: str, owner: Callable[[str], Owner]) -> PileCharacter:
    face = state.box.characters[id]
    return PileCharacter(
        item_name(id),
        T(face.text_en),
        face.two_player_thresholds,
        face.points,
        tuple(
            CharacterCount(
                owner(seat), scoring.character_counts(state, seat)[id], scoring.character_points(state, seat, id)
            )
            for seat in state.circle
            if seat != LE_ROY or id not in scoring.OTHERS_HIDDEN
        ),
    )
