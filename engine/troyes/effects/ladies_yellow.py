"""The civil cards of the Ladies (appendix; D19)."""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes import influence
from engine.troyes import places
from engine.troyes import purse
from engine.troyes.choices import INFLUENCE
from engine.troyes.effects.act import Act
from engine.troyes.effects.act import spend_cubes
from engine.troyes.verbs import Play


def lumberjack(play: Play, act: Act) -> None:
    """Cubes turned into deniers."""
    spend_cubes(play, act)
    purse.earn(play, act.seat, act.number("deniers"))


def clog_maker(play: Play, act: Act) -> None:
    """Deniers for own citizens standing in City Hall."""
    standing = play.town.standing(places.CITY_HALL).count(act.seat)
    purse.earn(play, act.seat, standing * act.number("deniers"))


def weaver(play: Play, act: Act) -> None:
    """Deniers for own tradesmen on Activity cards."""
    purse.earn(play, act.seat, play.town.tradesmen(act.seat) * act.number("deniers"))


def landlady(play: Play, act: Act) -> None:
    """Influence or victory points, chosen each time."""
    numbers, first = act.card.numbers, act.targets.count(INFLUENCE)
    influence.gain(play, act.seat, first * numbers["influence"])
    purse.points(play, act.seat, (act.times - first) * numbers["points"])


def banker(play: Play, act: Act) -> None:
    """Victory points for a full purse, which stays full (D19: more than thirty)."""
    if play.town.houses[act.seat].deniers > act.card.numbers["above"]:
        purse.points(play, act.seat, act.number("points"))


def breeder(play: Play, act: Act) -> None:
    """Cubes turned into victory points."""
    spend_cubes(play, act)
    purse.points(play, act.seat, act.number("points"))


def master_tradesman(play: Play, act: Act) -> None:
    """Victory points for every full pair of own tradesmen."""
    pairs = play.town.tradesmen(act.seat) // act.card.numbers["men"]
    purse.points(play, act.seat, pairs * act.number("points"))


EFFECTS: dict[str, Callable[[Play, Act], None]] = {
    function.__name__: function
    for function in (lumberjack, clog_maker, weaver, landlady, banker, breeder, master_tradesman)
}
