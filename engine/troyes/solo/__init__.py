"""Le Roy, the automaton of the solo game (rulebook, The King's Challenge; D6, D7, D25, A55 to A64).

He sits in the circle like a seat, and is asked like one; `answers` answers for him with `orders.LeRoy`, which says only
that his dice decide. `obey` then does what they say. Nobody is ever asked to wait for him, and outside the engine no
one knows him.
"""

from __future__ import annotations

from engine.troyes.events import Play
from engine.troyes.solo.solo_counter import le_roy_counters
from engine.troyes.solo.solo_placement import le_roy_settles, solo_settler
from engine.troyes.solo.solo_result import difference, verdict
from engine.troyes.solo.solo_turn import le_roy_acts
from engine.troyes.state.troyes_state import LE_ROY, Frame

__all__ = ["act_for_le_roy", "difference", "solo_settler", "verdict"]


def act_for_le_roy(play: Play, frame: Frame, kind: str) -> None:
    """Do what his dice say, as an answer to a decision of this kind."""
    if kind == "settle":
        le_roy_settles(play)
        frame["turn"] += 1
        return
    frame["seat"] = play.state.after(LE_ROY)
    if kind == "counter":
        le_roy_counters(play)
    else:
        le_roy_acts(play)
