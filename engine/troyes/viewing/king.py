"""Le Roy's side of a solo game, all of it open: his ranked dice, what he has won, and the pile of characters."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.troyes import dice
from engine.troyes import scoring
from engine.troyes.state import LE_ROY
from engine.troyes.state import Town
from engine.troyes.viewing.parts import Judge
from engine.troyes.viewing.parts import Judged
from engine.troyes.viewing.parts import King
from engine.troyes.viewing.parts import Owner
from engine.troyes.words import named


def king(town: Town, owner: Callable[[str], Owner]) -> King:
    """His side; `owner` makes the reader's word for a seat."""
    return King(
        owner=owner(LE_ROY),
        dice=tuple(dice.ranked(town.dice[LE_ROY])),
        vp=town.houses[LE_ROY].vp,
        citizens=town.neutrals,
        won=tuple(named(event) for event in town.houses[LE_ROY].won),
        pile=tuple(_judge(town, id, owner) for id in town.pile if id in town.box.characters),
    )


def _judge(town: Town, id: str, owner: Callable[[str], Owner]) -> Judge:
    face = town.box.characters[id]
    return Judge(
        named(id),
        T(face.text_en),
        face.two_player_thresholds,
        face.points,
        tuple(
            Judged(owner(seat), scoring.COUNTED[id](town, seat), scoring.character(town, seat, id))
            for seat in town.circle
            if seat != LE_ROY or id not in scoring.BLIND
        ),
    )
