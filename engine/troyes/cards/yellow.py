"""The civil cards of the base game (rulebook, appendix)."""

from __future__ import annotations

from engine.troyes.board import purse
from engine.troyes.board.card_declaration import Activation, card
from engine.troyes.events.play import Play


@card()
def merchant(play: Play, act: Activation) -> None:
    """Deniers."""
    purse.earn_deniers(play, act.seat, act.number("deniers"))


@card(chooses="building")
def miller(play: Play, act: Activation) -> None:
    """Deniers for each own citizen standing in the Palace or the Bishopric, chosen each time."""
    citizens = sum(play.state.standing(building).count(act.seat) for building in act.targets)
    purse.earn_deniers(play, act.seat, citizens * act.card.numbers["deniers"])


@card(priced="influence")
def artisan(play: Play, act: Activation) -> None:
    """Influence turned into deniers."""
    purse.earn_deniers(play, act.seat, act.number("deniers"))


@card(priced="cost")
def innkeeper(play: Play, act: Activation) -> None:
    """Deniers turned into influence."""
    purse.gain_influence(play, act.seat, act.number("influence"))


@card()
def sculptor(play: Play, act: Activation) -> None:
    """Victory points."""
    purse.change_points(play, act.seat, act.number("points"))


@card(priced="cost")
def journeyman(play: Play, act: Activation) -> None:
    """Deniers turned into victory points."""
    purse.change_points(play, act.seat, act.number("points"))


@card()
def goldsmith(play: Play, act: Activation) -> None:
    """Victory points and deniers."""
    purse.change_points(play, act.seat, act.number("points"))
    purse.earn_deniers(play, act.seat, act.number("deniers"))
