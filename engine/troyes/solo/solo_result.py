"""How a solo game ends, and what rule positions say of it (rulebook, End of the Game; D7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.catalog import Msg, T
from engine.event_log import Data
from engine.pending_stack import Step
from engine.troyes.events.play import Play
from engine.troyes.solo.solo_turn import le_roy_acts, le_roy_counters, le_roy_settles
from engine.troyes.state.troyes_state import LE_ROY, Frame

RESULT_BANDS: tuple[tuple[int, str, Msg], ...] = (
    (0, "beaten", T("Le Roy has won his own challenge. The axe is sharp, and nobody asks for your last words.")),
    (5, "narrow", T("You are ahead, barely. Le Roy counts again, is not amused, and sends for the axe.")),
    (10, "middling", T("A fair day's work, no more. The court has seen better and forgets you by supper.")),
    (15, "promising", T("Well played. At court somebody asks what your name was.")),
    (20, "worrying", T("Le Roy has begun to watch you, and a watched head sits loosely. He has it off to be safe.")),
    (1000, "masterly", T("A masterpiece! Troyes will talk of it for longer than le Roy cares to hear.")),
)
"""The highest difference of each band, its word, and its sentence."""


def difference(scores: Mapping[str, Mapping[str, int]]) -> int:
    """The player's total less le Roy's."""
    return sum(sum(parts.values()) * (-1 if owner == LE_ROY else 1) for owner, parts in scores.items())


def verdict(points: int) -> tuple[str, Msg]:
    """The word and the sentence for a difference."""
    return next((word, says) for most, word, says in RESULT_BANDS if points <= most)


SYSTEM = {"le_roy places": le_roy_settles, "le_roy acts": le_roy_acts, "le_roy counters": le_roy_counters}
"""Words after `system>` to what he then does."""


def without_le_roy_turn(steps: Mapping[str, Step[Play]], scripted: Data) -> dict[str, Step[Play]]:
    """The steps, but le Roy's turn is played only if its rolls are `scripted`, since a position tests one thing."""

    def turns(play: Play, frame: Frame) -> bool:
        if frame["seat"] == LE_ROY and "le_roy_action" not in scripted:
            play.state.asked = []
            return True
        return steps["turns"](play, frame)

    return {**steps, "turns": turns}


def compare_result(scores: Mapping[str, Mapping[str, int]], expected: Data) -> Iterator[str]:
    """How the verdict differs from the expected one."""
    found, points = verdict(difference(scores))[0], difference(scores)
    if found != expected.get("verdict", found):
        yield f"verdict: {expected['verdict']} expected, {found} found ({points} VP)"
