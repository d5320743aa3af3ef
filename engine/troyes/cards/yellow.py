"""The civil cards of the base game (rulebook, appendix)."""

from __future__ import annotations

from collections.abc import Callable

from engine.troyes.board import influence, purse
from engine.troyes.cards.act import Activation, pay_deniers, pay_influence
from engine.troyes.entries import Play


def merchant(play: Play, act: Activation) -> None:
    """Deniers."""
    purse.earn(play, act.seat, act.number("deniers"))


def miller(play: Play, act: Activation) -> None:
    """Deniers for each own citizen standing in the Palace or the Bishopric, chosen each time."""
    citizens = sum(play.state.standing(building).count(act.seat) for building in act.targets)
    purse.earn(play, act.seat, citizens * act.card.numbers["deniers"])


def artisan(play: Play, act: Activation) -> None:
    """Influence turned into deniers."""
    pay_influence(play, act)
    purse.earn(play, act.seat, act.number("deniers"))


def innkeeper(play: Play, act: Activation) -> None:
    """Deniers turned into influence."""
    pay_deniers(play, act)
    influence.gain(play, act.seat, act.number("influence"))


def sculptor(play: Play, act: Activation) -> None:
    """Victory points."""
    purse.points(play, act.seat, act.number("points"))


def journeyman(play: Play, act: Activation) -> None:
    """Deniers turned into victory points."""
    pay_deniers(play, act)
    purse.points(play, act.seat, act.number("points"))


def goldsmith(play: Play, act: Activation) -> None:
    """Victory points and deniers."""
    purse.points(play, act.seat, act.number("points"))
    purse.earn(play, act.seat, act.number("deniers"))


EFFECTS: dict[str, Callable[[Play, Activation], None]] = {
    function.__name__: function for function in (merchant, miller, artisan, innkeeper, sculptor, journeyman, goldsmith)
}
