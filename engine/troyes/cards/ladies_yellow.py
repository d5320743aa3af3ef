"""The civil cards of the Ladies (appendix; D19)."""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes.board import influence, purse
from engine.troyes.board.choices import INFLUENCE
from engine.troyes.cards.act import Activation, spend_cubes
from engine.troyes.entries import Play
from engine.troyes.state import places


def lumberjack(play: Play, act: Activation) -> None:
    """Cubes turned into deniers."""
    spend_cubes(play, act)
    purse.earn(play, act.seat, act.number("deniers"))


def clog_maker(play: Play, act: Activation) -> None:
    """Deniers for own citizens standing in City Hall."""
    standing = play.state.standing(places.CITY_HALL).count(act.seat)
    purse.earn(play, act.seat, standing * act.number("deniers"))


def weaver(play: Play, act: Activation) -> None:
    """Deniers for own tradesmen on Activity cards."""
    purse.earn(play, act.seat, play.state.tradesmen(act.seat) * act.number("deniers"))


def landlady(play: Play, act: Activation) -> None:
    """Influence or victory points, chosen each time."""
    numbers, first = act.card.numbers, act.targets.count(INFLUENCE)
    influence.gain(play, act.seat, first * numbers["influence"])
    purse.points(play, act.seat, (act.times - first) * numbers["points"])


def banker(play: Play, act: Activation) -> None:
    """Victory points for a full purse, which stays full (D19: more than thirty)."""
    if play.state.houses[act.seat].deniers > act.card.numbers["above"]:
        purse.points(play, act.seat, act.number("points"))


def breeder(play: Play, act: Activation) -> None:
    """Cubes turned into victory points."""
    spend_cubes(play, act)
    purse.points(play, act.seat, act.number("points"))


def master_tradesman(play: Play, act: Activation) -> None:
    """Victory points for every full pair of own tradesmen."""
    pairs = play.state.tradesmen(act.seat) // act.card.numbers["men"]
    purse.points(play, act.seat, pairs * act.number("points"))


EFFECTS: dict[str, Callable[[Play, Activation], None]] = {
    function.__name__: function
    for function in (lumberjack, clog_maker, weaver, landlady, banker, breeder, master_tradesman)
}
