"""The religious cards of the Ladies (appendix; A35, A37, A73)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board import buildings, purse
from engine.troyes.board.card_declaration import Activation, card
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.events.play import Play
from engine.troyes.state import dice


def fewer_earn_more(cubes: Mapping[str, int], numbers: Mapping[str, int]) -> dict[str, int]:
    """Each cube is worth less the more there are, whosever they are (A37)."""
    each = max(numbers["least"], numbers["worth"] - sum(cubes.values()))
    return {seat: each * count for seat, count in cubes.items()}


@card(end=fewer_earn_more)
def hermit(play: Play, act: Activation) -> None:
    """Only cubes, which count at the end."""


@card()
def bishop(play: Play, act: Activation) -> None:
    """Deniers for own cubes on the cathedral."""
    purse.earn_deniers(play, act.seat, play.state.cubes_on_cathedral(act.seat) * act.number("deniers"))


@card(chooses="column")
def master_builder(play: Play, act: Activation) -> None:
    """Cubes in columns of one's choice, the fourth level included (A35)."""
    for word in act.targets:
        column = int(word)
        level = buildings.lowest_free_level(play.state, column, len(play.state.cathedral))
        if not level:
            raise NotAllowed(T("Column {column} of the cathedral is full.", column=column), rule="A35")
        buildings.raise_cube(play, act.seat, level, column)


@card()
def scribe(play: Play, act: Activation) -> None:
    """Victory points for cards won by fighting, or for all won where the table plays it so (A73)."""
    house = play.state.houses[act.seat]
    won = house.won if read_rules(play.state.options).scribe_counts == "all" else house.fought
    purse.change_points(play, act.seat, len(won) * act.number("points"))


@card()
def nun(play: Play, act: Activation) -> None:
    """Victory points for white dice left in one's district."""
    white = sum(dice.die_colour(word) == dice.WHITE for word in play.state.dice[act.seat])
    purse.change_points(play, act.seat, white * act.number("points"))
