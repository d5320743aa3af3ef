"""The religious cards of the Ladies (appendix; A35, A37, A73)."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes import box
from engine.troyes.board import cathedral, purse
from engine.troyes.cards.act import Activation, take_cubes
from engine.troyes.entries import Play
from engine.troyes.state import dice


def bishop(play: Play, act: Activation) -> None:
    """Deniers for own cubes on the cathedral."""
    purse.earn(play, act.seat, play.state.cubes_on_cathedral(act.seat) * act.number("deniers"))


def master_builder(play: Play, act: Activation) -> None:
    """Cubes in columns of one's choice, the fourth level included (A35)."""
    for word in act.targets:
        column = int(word)
        level = cathedral.lowest(play.state, column, len(play.state.cathedral))
        if not level:
            raise NotAllowed(T("Column {column} of the cathedral is full.", column=column), rule="A35")
        cathedral.raise_cube(play, act.seat, level, column)


def scribe(play: Play, act: Activation) -> None:
    """Victory points for cards won by fighting, or for all won where the table plays it so (A73)."""
    house = play.state.houses[act.seat]
    won = house.won if box.read_rules(play.state.options).scribe_counts == "all" else house.fought
    purse.points(play, act.seat, len(won) * act.number("points"))


def nun(play: Play, act: Activation) -> None:
    """Victory points for white dice left in one's district."""
    white = sum(dice.colour(word) == dice.WHITE for word in play.state.dice[act.seat])
    purse.points(play, act.seat, white * act.number("points"))


EFFECTS: dict[str, Callable[[Play, Activation], None]] = {
    "hermit": take_cubes,
    **{function.__name__: function for function in (bishop, master_builder, scribe, nun)},
}
