"""`steady` looks one own turn ahead, on positions that the seat may be in, with the answers of the others.

Each of the best options is played on a few positions in which hidden cards are dealt anew. The others answer with what
promises them most, and what the seat could do next counts with what it then has. All options meet the same cards and
dice, so that their difference is no luck. This is determinization (Ginsberg, GIB, 2001) on a search of one turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean as mean
from typing import Any

from engine.chance import Chance, SubStream
from engine.errors import OrderRefused
from engine.game import AnyGame
from engine.levels.baselines import RankedOrder, ranked_options

WIDTH, SAMPLES = 6, 2
"""Options that are looked at, and positions for each."""
LONGEST = 24
"""Most answers, of others and to smaller questions of its own, in one look ahead."""
PREPARED = 2
"""Most times that the seat is asked again: alone at a table it never becomes somebody else's turn."""
RIVALS = 0.3
"""The share of the others' mean points that counts against the seat's; a single rival's count whole."""


@dataclass(frozen=True, slots=True)
class Steady:
    """Looks one own turn ahead."""

    name: str = "steady"
    width: int = WIDTH
    samples: int = SAMPLES

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[RankedOrder]:
        """Return the best of the list by what they lead to, then the others."""
        options = ranked_options(game, state, seat)
        if len(options) < 2:
            return options
        streams = [SubStream(chance, f"world-{n}") for n in range(self.samples)]
        worlds = [(game.thinking.imagined(state, seat, stream), stream) for stream in streams]
        # The others' characters are dealt there: what the real ones would expect is nothing to look at.
        before = mean(prospect(game, world, seat) for world, _ in worlds)
        found = [
            (order, mean(look_ahead(game, world, seat, order, stream) for world, stream in worlds) - before)
            for order, _ in options[: self.width]
        ]
        found.sort(key=lambda thought: -thought[1])
        return [*found, *options[self.width :]]


def prospect(game: AnyGame, state: Any, seat: str) -> float:
    """Return the seat's expected points, less a share of the others'."""
    return prospects(game, state, (seat, *game.thinking.rivals(state, seat)))[seat]


def prospects(game: AnyGame, state: Any, seats: Sequence[str]) -> Mapping[str, float]:
    """The same for each of the seats, which are all that count."""
    points = {seat: game.estimate(state, seat) for seat in seats}
    share = RIVALS / (len(seats) - 1) if len(seats) > 2 else 1.0
    every = sum(points.values())
    return {seat: mine - share * (every - mine) for seat, mine in points.items()}


def look_ahead(game: AnyGame, state: Any, seat: str, order: Any, chance: Chance) -> float:
    """Return the worth of an order on a position without secrets, with the others' answers and one's own next turn."""
    thinking, others, again = game.thinking, False, 0
    kind = next(one.kind for one in game.waiting(state) if one.seat == seat)
    try:
        state = thinking.after(state, seat, order, chance)
    except OrderRefused:
        return float("-inf")
    for _ in range(LONGEST):
        asked = thinking.asked(state)
        if asked is None:
            return prospect(game, state, seat)
        options = ranked_options(game, state, asked[0])
        if asked == (seat, kind):
            # Asked again before anybody else was, the seat is still at it: it has only prepared what it does now.
            again += 1
            if others or again == PREPARED:
                return prospect(game, state, seat) + max(0.0, options[0][1])
        others |= asked[0] != seat
        state = thinking.after(state, asked[0], options[0][0], chance)
    return prospect(game, state, seat)
