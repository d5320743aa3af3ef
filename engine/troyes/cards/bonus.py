"""The bonus cards with an immediate effect: Baker and Banquet."""

from __future__ import annotations

from engine.troyes.board import purse
from engine.troyes.board.card_declaration import Activation, card
from engine.troyes.events.play import Play
from engine.troyes.state import dice
from engine.troyes.state.troyes_state import LE_ROY


@card()
def baker(play: Play, act: Activation) -> None:
    """A denier for each yellow die left on the whole square."""
    count = sum(dice.die_colour(word) == dice.YELLOW for district in play.state.dice.values() for word in district)
    purse.earn_deniers(play, act.seat, count * act.number("deniers"))


@card()
def banquet(play: Play, act: Activation) -> None:
    """A victory point for each red die in the district with most of them, whosever it is, the neutral one included.

    Le Roy's dice do not count (rulebook, Card Modifications).
    """
    districts = [words for owner, words in play.state.dice.items() if owner != LE_ROY]
    most = max(sum(dice.die_colour(word) == dice.RED for word in district) for district in districts)
    purse.change_points(play, act.seat, most * act.number("points"))
