"""`steady`: one own turn ahead, on positions that the seat may be in, with the answers of the others considered.

Each of the best options of the list is played on a few imagined positions (what is hidden is dealt anew, so that
nothing is peeked at), the others answer with what promises them most, and what the seat could then do next counts with
what it then has. Options meet the same imagined cards and dice, so that their difference is no luck. That is the
sampling of hidden cards of Monte-Carlo players («determinization»; Ginsberg, GIB, 2001) on a search of one turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean as mean
from typing import Any

from engine.chance import Apart, Chance
from engine.errors import OrderRefused
from engine.game import AnyGame, Seat
from engine.levels.simple import Thought, ranked

WIDTH, SAMPLES = 6, 2
"""Options that are looked at, and positions each is looked at on."""
LONGEST = 24
"""Answers of others, and one's own to smaller questions, before the look ahead ends."""
RIVALS = 0.3
"""The share of the others' mean points that counts against the seat's."""


@dataclass(frozen=True, slots=True)
class Steady:
    """Looks one own turn ahead."""

    name: str = "steady"
    width: int = WIDTH
    samples: int = SAMPLES

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[Thought]:
        """The best of the list in the order of what they lead to, then the others."""
        options = ranked(game, state, seat)
        if len(options) < 2:
            return options
        streams = [Apart(chance, f"world-{n}") for n in range(self.samples)]
        worlds = [(game.thinking.imagined(state, seat, stream), stream) for stream in streams]
        # The others' characters are dealt there: what the real ones would expect is nothing to look at.
        before = mean(prospect(game, world, seat) for world, _ in worlds)
        found = [
            (order, mean(ahead(game, world, seat, order, stream) for world, stream in worlds) - before)
            for order, _ in options[: self.width]
        ]
        found.sort(key=lambda thought: -thought[1])
        return [*found, *options[self.width :]]


def prospect(game: AnyGame, state: Any, seat: str) -> float:
    """The seat's expected points, less a share of the others'."""
    rivals = game.thinking.rivals(state, seat)
    against = sum(game.estimate(state, rival) for rival in rivals) / len(rivals) if rivals else 0.0
    return game.estimate(state, seat) - RIVALS * against


def ahead(game: AnyGame, state: Any, seat: str, order: Any, chance: Chance) -> float:
    """What an order is worth on a position without secrets: with the others' answers, and one's own next turn."""
    kind = next(one.kind for one in game.waiting(state) if one.seat == seat)
    try:
        state = game.apply(state, Seat(seat), order, chance).state
    except OrderRefused:
        return float("-inf")
    for _ in range(LONGEST):
        asked = next((one for one in game.waiting(state) if not one.answered), None)
        if asked is None:
            return prospect(game, state, seat)
        options = ranked(game, state, asked.seat)
        if asked.seat == seat and asked.kind == kind:
            return prospect(game, state, seat) + max(0.0, options[0][1])
        state = game.apply(state, asked.seat, options[0][0], chance).state
    return prospect(game, state, seat)
