"""What rule positions say of the solo game: words for what nobody orders; his turn, if asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.agenda import Step
from engine.chronicle import Data
from engine.troyes.automaton.countering import counter
from engine.troyes.automaton.opening import settle
from engine.troyes.automaton.turn import act
from engine.troyes.automaton.verdict import difference, verdict
from engine.troyes.entries import Play
from engine.troyes.state.state import LE_ROY, Frame

SYSTEM = {"le_roy places": settle, "le_roy acts": act, "le_roy counters": counter}
"""Words after `system>` to what he does."""


def held_back(steps: Mapping[str, Step[Play]], scripted: Data) -> dict[str, Step[Play]]:
    """The steps, but le Roy's turn is not played unless its rolls are `scripted`: a position is about one thing."""

    def turns(play: Play, frame: Frame) -> bool:
        if frame["seat"] == LE_ROY and "le_roy_action" not in scripted:
            play.state.asked = []
            return True
        return steps["turns"](play, frame)

    return {**steps, "turns": turns}


def compare(scores: Mapping[str, Mapping[str, int]], expected: Data) -> Iterator[str]:
    """How the verdict differs from the one expected."""
    found, points = verdict(difference(scores))[0], difference(scores)
    if found != expected.get("verdict", found):
        yield f"verdict: {expected['verdict']} expected, {found} found ({points} VP)"
