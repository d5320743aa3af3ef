"""The civil cards of the base game (rulebook, appendix)."""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes import influence
from engine.troyes import purse
from engine.troyes.effects.act import Act
from engine.troyes.effects.act import pay_deniers
from engine.troyes.effects.act import pay_influence
from engine.troyes.verbs import Play


def merchant(play: Play, act: Act) -> None:
    """Deniers."""
    purse.earn(play, act.seat, act.number("deniers"))


def miller(play: Play, act: Act) -> None:
    """Deniers for each own citizen standing in the Palace or the Bishopric, chosen each time."""
    citizens = sum(play.town.standing(building).count(act.seat) for building in act.targets)
    purse.earn(play, act.seat, citizens * act.card.numbers["deniers"])


def artisan(play: Play, act: Act) -> None:
    """Influence turned into deniers."""
    pay_influence(play, act)
    purse.earn(play, act.seat, act.number("deniers"))


def innkeeper(play: Play, act: Act) -> None:
    """Deniers turned into influence."""
    pay_deniers(play, act)
    influence.gain(play, act.seat, act.number("influence"))


def sculptor(play: Play, act: Act) -> None:
    """Victory points."""
    purse.points(play, act.seat, act.number("points"))


def journeyman(play: Play, act: Act) -> None:
    """Deniers turned into victory points."""
    pay_deniers(play, act)
    purse.points(play, act.seat, act.number("points"))


def goldsmith(play: Play, act: Act) -> None:
    """Victory points and deniers."""
    purse.points(play, act.seat, act.number("points"))
    purse.earn(play, act.seat, act.number("deniers"))


EFFECTS: dict[str, Callable[[Play, Act], None]] = {
    function.__name__: function for function in (merchant, miller, artisan, innkeeper, sculptor, journeyman, goldsmith)
}
