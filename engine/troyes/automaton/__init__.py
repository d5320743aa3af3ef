"""Le Roy, the automaton of the solo game (rulebook, The King's Challenge; D6, D7, D25, A55 to A64).

He sits in the circle like a seat, and is asked like one; `answers` answers for him with `orders.LeRoy`, which says only
that his dice decide. `obey` then does what they say. Nobody is ever asked to wait for him, and outside the engine no
one knows him.
"""

from __future__ import annotations

from engine.troyes.automaton.countering import counter
from engine.troyes.automaton.opening import settle, settler
from engine.troyes.automaton.turn import act
from engine.troyes.automaton.verdict import difference, verdict
from engine.troyes.entries import Play
from engine.troyes.state.state import LE_ROY, Frame

__all__ = ["difference", "obey", "settler", "verdict"]


def obey(play: Play, frame: Frame, kind: str) -> None:
    """Do what his dice say, as an answer to a decision of this kind."""
    if kind == "settle":
        settle(play)
        frame["turn"] += 1
        return
    frame["seat"] = play.state.after(LE_ROY)
    if kind == "counter":
        counter(play)
    else:
        act(play)
