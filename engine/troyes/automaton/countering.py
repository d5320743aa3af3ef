"""Le Roy against black dice: his strongest die for the highest one, whatever both show (A61)."""

from __future__ import annotations

from engine.troyes.entries import Play
from engine.troyes.state import dice
from engine.troyes.state.state import LE_ROY


def counter(play: Play) -> None:
    """Spend his strongest die on the highest black die. He gains and loses nothing by it."""
    state = play.state
    strongest, highest = dice.ranked(state.dice[LE_ROY])[0], state.black[0]
    play.record("leaves", owner=LE_ROY, dice=[strongest], by=LE_ROY)
    play.record("black_gone", dice=[highest], seat=LE_ROY, beaten=True)
