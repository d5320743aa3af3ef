"""Le Roy against black dice: his strongest die for the highest one, whatever both show (A61)."""

from __future__ import annotations

from engine.troyes.events import Play
from engine.troyes.events.dice_events import BlackGone, DiceLeave
from engine.troyes.state import dice
from engine.troyes.state.troyes_state import LE_ROY


def le_roy_counters(play: Play) -> None:
    """Spend his strongest die on the highest black die. He gains and loses nothing by it."""
    state = play.state
    strongest, highest = dice.dice_by_rank(state.dice[LE_ROY])[0], state.black[0]
    play.record(DiceLeave(LE_ROY, (strongest,), LE_ROY))
    play.record(BlackGone(LE_ROY, (highest,), beaten=True))
