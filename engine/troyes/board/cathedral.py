"""The cathedral: where the next cube of a column goes, and what it brings."""

from __future__ import annotations

from engine.troyes.board import influence, purse
from engine.troyes.events import Play
from engine.troyes.events.card_events import CubeBuilt
from engine.troyes.state.troyes_state import TroyesState


def lowest_free_level(state: TroyesState, column: int, levels: int) -> int:
    """The lowest free one of so many levels of a column, from 1; 0 when they are full."""
    return next((n for n in range(1, levels + 1) if not state.cathedral[n - 1][column - 1]), 0)


def raise_cube(play: Play, seat: str, level: int, column: int) -> None:
    """A cube of a player, with its points and influence (rulebook, Build the cathedral)."""
    board = play.state.box.board
    play.record(CubeBuilt(seat, level, column))
    purse.change_points(play, seat, board.cathedral_points)
    influence.gain_influence(play, seat, board.cathedral_influence[column - 1])
