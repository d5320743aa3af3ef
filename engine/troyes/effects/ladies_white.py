"""The religious cards of the Ladies (appendix; A35, A37, A73)."""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes import cards
from engine.troyes import cathedral
from engine.troyes import dice
from engine.troyes import purse
from engine.troyes.effects.act import Act
from engine.troyes.effects.act import take_cubes
from engine.troyes.verbs import Play


def bishop(play: Play, act: Act) -> None:
    """Deniers for own cubes on the cathedral."""
    purse.earn(play, act.seat, play.town.cubes_on_cathedral(act.seat) * act.number("deniers"))


def master_builder(play: Play, act: Act) -> None:
    """Cubes in columns of one's choice, the fourth level included (A35)."""
    for word in act.targets:
        column = int(word)
        level = cathedral.lowest(play.town, column, len(play.town.cathedral))
        if not level:
            raise NotAllowed(T("Column {column} of the cathedral is full.", column=column), rule="A35")
        cathedral.raise_cube(play, act.seat, level, column)


def scribe(play: Play, act: Act) -> None:
    """Victory points for cards won by fighting, or for all won where the table plays it so (A73)."""
    house = play.town.houses[act.seat]
    won = house.won if cards.read_rules(play.town.options).scribe_counts == "all" else house.fought
    purse.points(play, act.seat, len(won) * act.number("points"))


def nun(play: Play, act: Act) -> None:
    """Victory points for white dice left in one's district."""
    white = sum(dice.colour(word) == dice.WHITE for word in play.town.dice[act.seat])
    purse.points(play, act.seat, white * act.number("points"))


EFFECTS: dict[str, Callable[[Play, Act], None]] = {
    "hermit": take_cubes,
    **{function.__name__: function for function in (bishop, master_builder, scribe, nun)},
}
