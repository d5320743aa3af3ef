"""What rule positions say of the solo game: words for what nobody orders; his turn, if asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.agenda import Step
from engine.chronicle import Data
from engine.troyes.events import Play
from engine.troyes.solo.solo_counter import le_roy_counters
from engine.troyes.solo.solo_placement import le_roy_settles
from engine.troyes.solo.solo_result import difference, verdict
from engine.troyes.solo.solo_turn import le_roy_acts
from engine.troyes.state.troyes_state import LE_ROY, Frame

SYSTEM = {"le_roy places": le_roy_settles, "le_roy acts": le_roy_acts, "le_roy counters": le_roy_counters}
"""Words after `system>` to what he does."""


def without_le_roy_turn(steps: Mapping[str, Step[Play]], scripted: Data) -> dict[str, Step[Play]]:
    """The steps, but le Roy's turn is not played unless its rolls are `scripted`: a position is about one thing."""

    def turns(play: Play, frame: Frame) -> bool:
        if frame["seat"] == LE_ROY and "le_roy_action" not in scripted:
            play.state.asked = []
            return True
        return steps["turns"](play, frame)

    return {**steps, "turns": turns}


def compare_result(scores: Mapping[str, Mapping[str, int]], expected: Data) -> Iterator[str]:
    """How the verdict differs from the one expected."""
    found, points = verdict(difference(scores))[0], difference(scores)
    if found != expected.get("verdict", found):
        yield f"verdict: {expected['verdict']} expected, {found} found ({points} VP)"
