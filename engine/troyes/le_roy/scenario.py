"""What rule positions say of the solo game: words for what nobody orders; his turn, if asked for."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping

from engine.agenda import Step
from engine.chronicle import Data
from engine.troyes.le_roy.countering import counter
from engine.troyes.le_roy.opening import settle
from engine.troyes.le_roy.turn import act
from engine.troyes.le_roy.verdict import difference
from engine.troyes.le_roy.verdict import verdict
from engine.troyes.state import LE_ROY
from engine.troyes.state import Frame
from engine.troyes.verbs import Play

SYSTEM = {"le_roy places": settle, "le_roy acts": act, "le_roy counters": counter}
"""Words after `system>` to what he does."""


def held_back(steps: Mapping[str, Step[Play]], scripted: Data) -> dict[str, Step[Play]]:
    """The steps, but le Roy's turn is not played unless its rolls are `scripted`: a position is about one thing."""

    def turns(play: Play, frame: Frame) -> bool:
        if frame["seat"] == LE_ROY and "le_roy_action" not in scripted:
            play.town.asked = []
            return True
        return steps["turns"](play, frame)

    return {**steps, "turns": turns}


def compare(scores: Mapping[str, Mapping[str, int]], expected: Data) -> Iterator[str]:
    """How the verdict differs from the one expected."""
    found, points = verdict(difference(scores))[0], difference(scores)
    if found != expected.get("verdict", found):
        yield f"verdict: {expected['verdict']} expected, {found} found ({points} VP)"
