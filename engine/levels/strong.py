"""`strong`: information-set Monte-Carlo search.

What was taken from where; the code is our own:

- One tree for all that the seat may not know: each simulation plays on a position dealt anew from its view, and a node
  stands for what everybody has seen since, not for a position (Cowling, Powley and Whitehouse, «Information Set Monte
  Carlo Tree Search», 2012). As in OpenSpiel (`ismcts.py`), a node keeps visits and sums of its own player's returns,
  a simulation ends with the node it adds, and the order most often taken is played.
- An order is chosen by its upper confidence bound (UCT; Kocsis and Szepesvári, 2006), in which what it promises counts
  as if it had been seen a few times (prior knowledge; Gelly and Silver, 2007).
- At first one order is looked at, and with visits more of them (progressive widening; Coulom, 2007): the likeliest of
  each group of moves (Saito and others, 2007; Childs and others, 2008), then the second of each.
- A simulation plays on from there with what promises most, and the estimate cuts it at the end of the game's horizon
  (Lorentz, 2008, for Amazons). All players look after themselves (max^n; Luckhardt and Irani, 1986).
- The n-th look at one order and the n-th at another meet the same cards and dice, so that their difference is no luck
  (common random numbers).

The budget is a number of simulations, never a time: the same position, stream and budget give the same order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import isqrt, log, sqrt
from typing import Any

from engine.chance import Apart, Chance
from engine.errors import OrderRefused
from engine.game import AnyGame
from engine.levels.simple import Thought, ranked
from engine.levels.steady import prospects

BUDGET, MOST = 120, 4000
"""Simulations for a decision where nothing else is said, and at most: what takes a minute at most in any game."""
TRUST = 2.0
"""So many simulations count as much as what an order promises."""
CURIOUS = 0.7
"""The benefit of the doubt for what was seen seldom, in standard deviations of what simulations bring."""
LONGEST = 100
"""Answers of a simulation that never reaches its horizon."""


@dataclass(slots=True, eq=False)
class Branch:
    """An order of a node: what it promises, how often it was taken, what that brought in all, and what followed."""

    order: Any
    promise: float
    visits: int = 0
    total: float = 0.0
    then: dict[Hashable, Node] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Node:
    """What everybody has seen up to a decision of `seat`, and its orders in the turn in which they are looked at.

    `off` is what simulations brought beyond what was promised, on average, and `squares` how far they were from that.
    """

    seat: str
    branches: list[Branch]
    visits: int = 0
    off: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, seat: str, thoughts: Iterable[Thought]) -> Node:
        """A node that nobody has come to."""
        return cls(seat, [Branch(order, promise) for order, promise in thoughts])

    def choose(self) -> Branch | None:
        """The next order that was never taken, if it is its turn: one more for every new root of the visits. Else the
        one with the highest bound. None where no order is left."""
        looked = self.branches[: 1 + isqrt(self.visits)]
        fresh = next((one for one in looked if not one.visits), None)
        if fresh is not None or not looked:
            return fresh
        doubt = CURIOUS * self.spread * sqrt(log(self.visits + 1))
        return max(looked, key=lambda one: self.mean(one) + doubt / sqrt(one.visits))

    def mean(self, one: Branch) -> float:
        """What a branch brings, its promise counted in, as far off as promises are here."""
        return (one.total + TRUST * (one.promise + self.off)) / (one.visits + TRUST)

    def learn(self, one: Branch, gain: float) -> None:
        """Count what a branch has brought."""
        one.visits, one.total, self.visits = one.visits + 1, one.total + gain, self.visits + 1
        off = gain - one.promise
        before, self.off = self.off, self.off + (off - self.off) / self.visits
        self.squares += (off - before) * (off - self.off)

    @property
    def spread(self) -> float:
        """The standard deviation of what simulations brought beside what was promised (Welford, 1962)."""
        return sqrt(self.squares / self.visits) if self.visits else 0.0


@dataclass(frozen=True, slots=True)
class Strong:
    """Searches, by so many simulations for each decision."""

    simulations: int = BUDGET

    @property
    def name(self) -> str:
        """With the budget, without which nobody could play the same game again."""
        return f"strong:{self.simulations}"

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[Thought]:
        """The orders by how often the search took them."""
        options = ranked(game, state, seat)
        if len(options) < 2:
            return options
        known = [order for order, _ in options]
        others = (thought for thought in in_turn(game.thinking.groups(state, seat)) if thought[0] not in known)
        root = Node.of(seat, (*options, *others))
        search = Search(game, state, seat, chance)
        for _ in range(self.simulations):
            search.simulate(root)
        found = sorted(root.branches, key=lambda one: (-one.visits, -root.mean(one)))
        return [(one.order, root.mean(one)) for one in found]


def in_turn(groups: Sequence[Sequence[Thought]]) -> Iterator[Thought]:
    """The likeliest of each group, then the second of each, and so on."""
    return (thought for row in zip_longest(*groups) for thought in row if thought is not None)


class Search:
    """The simulations of one decision, and the positions that they begin with."""

    def __init__(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> None:
        self.game, self.state, self.seat, self.chance = game, state, seat, chance
        self.seats = (seat, *game.thinking.rivals(state, seat))
        self.worlds: list[tuple[Any, Chance, Mapping[str, float]]] = []

    def simulate(self, root: Node) -> None:
        """Down the tree to a node that is new, on to the horizon, and back with what that brought to each."""
        node, fresh = root, False
        path: list[tuple[Node, Branch]] = []
        line: Simulation | None = None
        while (branch := node.choose()) is not None:
            # The n-th look at an order is in the n-th world, whichever order it is.
            line = line or Simulation(self.game, *self.world(branch.visits))
            if not line.take(node.seat, branch.order):
                node.branches.remove(branch)
                continue
            path.append((node, branch))
            if fresh or line.over:
                break
            node, fresh = line.next(branch)
        if line is None:
            return
        line.play_on()
        after = prospects(self.game, line.state, self.seats)
        for node, branch in path:
            node.learn(branch, after[node.seat] - line.before[node.seat])

    def world(self, number: int) -> tuple[Any, Chance, Mapping[str, float]]:
        """The n-th position that the seat may be in, the dice to come there, and what it is worth to each."""
        while len(self.worlds) <= number:
            stream = Apart(self.chance, f"world-{len(self.worlds)}")
            state = self.game.thinking.imagined(self.state, self.seat, stream)
            self.worlds.append((state, stream, prospects(self.game, state, self.seats)))
        return self.worlds[number]


class Simulation:
    """One simulation: where it stands, and how many stages are left to its horizon."""

    def __init__(self, game: AnyGame, state: Any, chance: Chance, before: Mapping[str, float]) -> None:
        self.before = before
        self.game, self.thinking, self.state, self.chance = game, game.thinking, state, chance
        self.stage, self.left, self.answers = game.stage(state), self.thinking.horizon, 0
        self.asked = self.thinking.asked(state)

    @property
    def over(self) -> bool:
        """Whether the estimate says the rest."""
        return self.asked is None or self.left <= 0 or self.answers >= LONGEST

    def take(self, seat: str, order: Any) -> bool:
        """Play an order; whether it was allowed."""
        try:
            self.state = self.thinking.after(self.state, seat, order, self.chance)
        except OrderRefused:
            return False
        before, self.stage = self.stage, self.game.stage(self.state)
        self.left -= self.stage != before
        self.answers += 1
        self.asked = self.thinking.asked(self.state)
        return True

    def next(self, branch: Branch) -> tuple[Node, bool]:
        """The node after a branch, and whether it is new: one for whatever everybody has seen since."""
        assert self.asked is not None
        key, seat = (self.asked, self.thinking.shown(self.state)), self.asked[0]
        fresh = key not in branch.then
        if fresh:
            branch.then[key] = Node.of(seat, in_turn(self.thinking.groups(self.state, seat)))
        return branch.then[key], fresh

    def play_on(self) -> None:
        """To the horizon, with what promises most."""
        while not self.over:
            assert self.asked is not None
            seat = self.asked[0]
            likely = self.thinking.likely(self.state, seat)
            if not (self.take(seat, likely) or self.take(seat, ranked(self.game, self.state, seat)[0][0])):
                self.asked = None  # The estimate says what neither of them could.
