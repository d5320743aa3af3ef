"""The civil cards of the Ladies (appendix; D19)."""

from __future__ import annotations

from engine.troyes.board import purse
from engine.troyes.board.card_choices import INFLUENCE
from engine.troyes.board.card_declaration import Activation, card
from engine.troyes.events.play import Play
from engine.troyes.state import places


@card()
def lumberjack(play: Play, act: Activation) -> None:
    """Cubes turned into deniers."""
    purse.earn_deniers(play, act.seat, act.number("deniers"))


@card()
def clog_maker(play: Play, act: Activation) -> None:
    """Deniers for own citizens standing in City Hall."""
    standing = play.state.standing(places.CITY_HALL).count(act.seat)
    purse.earn_deniers(play, act.seat, standing * act.number("deniers"))


@card()
def weaver(play: Play, act: Activation) -> None:
    """Deniers for own tradesmen on Activity cards."""
    purse.earn_deniers(play, act.seat, play.state.tradesmen(act.seat) * act.number("deniers"))


@card(chooses="gain")
def landlady(play: Play, act: Activation) -> None:
    """Influence or victory points, chosen each time."""
    numbers, first = act.card.numbers, act.targets.count(INFLUENCE)
    purse.gain_influence(play, act.seat, first * numbers["influence"])
    purse.change_points(play, act.seat, (act.times - first) * numbers["points"])


@card()
def banker(play: Play, act: Activation) -> None:
    """Victory points for a full purse, which stays full (D19: more than thirty)."""
    if play.state.houses[act.seat].deniers > act.card.numbers["above"]:
        purse.change_points(play, act.seat, act.number("points"))


@card(priced="cost")
def breeder(play: Play, act: Activation) -> None:
    """Cubes turned into victory points."""
    purse.change_points(play, act.seat, act.number("points"))


@card()
def master_tradesman(play: Play, act: Activation) -> None:
    """Victory points for every full pair of own tradesmen."""
    pairs = play.state.tradesmen(act.seat) // act.card.numbers["men"]
    purse.change_points(play, act.seat, pairs * act.number("points"))
