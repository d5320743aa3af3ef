"""What cubes are worth at the end: those on cards that say so, and on the outdoor tiles of level IV (A37, A38, D2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.troyes.board.card_declaration import declaration_of
from engine.troyes.state.troyes_state import TroyesState


def cube_points(state: TroyesState, seat: str) -> dict[str, int]:
    """By card and tile in play what it gives the seat; nothing for those that only work during the game."""
    found: dict[str, int] = {}
    for card in state.cards:
        facts = state.activity(card.id)
        end = declaration_of(card.id).end
        if end is not None:
            found[card.id] = end(card.cubes, facts.numbers).get(seat, 0)
    return found | tile_points(state, seat)


def tile_points(state: TroyesState, seat: str) -> dict[str, int]:
    """The same for the outdoor tiles alone."""
    found: dict[str, int] = {}
    for tile in state.tiles:
        face = state.outdoor(tile.id)
        if tile.id == "majority":
            found[tile.id] = ranked_points(tile.cubes, face.prizes).get(seat, 0)
        elif face.when == "end":
            found[tile.id] = face.numbers["points"] * tile.cubes.get(seat, 0)
    return found


def ranked_points(cubes: Mapping[str, int], prizes: Sequence[int]) -> dict[str, int]:
    """Prizes by rank to those with most cubes. The tied add up the prizes of the ranks they cover, a rank beyond the
    last being worth nothing, and share them, rounded down; nobody without a cube gets any."""
    found: dict[str, int] = {}
    rank = 0
    for count in sorted({n for n in cubes.values() if n > 0}, reverse=True):
        tied = [seat for seat, n in cubes.items() if n == count]
        pot = sum(prizes[rank : rank + len(tied)])
        found |= {seat: pot // len(tied) for seat in tied}
        rank += len(tied)
    return found
