"""Le Roy against black dice: his strongest die for the highest one, whatever both show (A61)."""

from __future__ import annotations

from engine.troyes import dice
from engine.troyes.state import LE_ROY
from engine.troyes.verbs import Play


def counter(play: Play) -> None:
    """Spend his strongest die on the highest black die. He gains and loses nothing by it."""
    town = play.town
    strongest, highest = dice.ranked(town.dice[LE_ROY])[0], town.black[0]
    play.record("leaves", owner=LE_ROY, dice=[strongest], by=LE_ROY)
    play.record("black_gone", dice=[highest], seat=LE_ROY, beaten=True)
