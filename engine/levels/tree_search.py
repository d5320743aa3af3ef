"""`strong`: information-set Monte-Carlo tree search.

Its parts, each with its source; the code is our own. Every simulation plays on a position dealt anew from the seat's
view; a node stands for what everybody has seen, not for a position (ISMCTS; Cowling, Powley and Whitehouse, 2012), and
keeps visits and sums of its player's returns, as OpenSpiel's `ismcts.py`. The orders of the decision itself are halved
again and again, looked at equally often (sequential halving; Karnin, Koren and Somekh, 2013; Danihelka and others,
2022). Further down an order is chosen by its upper confidence bound (UCT; Kocsis and Szepesvári, 2006), with its
promise as prior knowledge (Gelly and Silver, 2007). With visits more orders are looked at (progressive widening;
Coulom, 2007), the likeliest of each group of moves first (Childs and others, 2008). A simulation goes on with what
promises most, and an estimate cuts it after a few answers, at the end of the game's horizon at most (Lorentz, 2008).
Each player looks after itself (max^n; Luckhardt and Irani, 1986). The n-th looks at two orders meet the same cards and
dice (common random numbers).

The budget is a number of simulations, never a time: the same position, stream and budget give the same order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice, zip_longest
from math import ceil, isqrt, log, log2, sqrt
from typing import Any

from engine.chance import Chance, SubStream
from engine.errors import OrderRefused
from engine.game import AnyGame
from engine.levels.baselines import RankedOrder, ranked_options
from engine.levels.lookahead import prospects

BUDGET, MOST = 120, 4000
"""Simulations for a decision by default, and at most: what takes a minute in any game."""
TRUST = 2.0
"""Simulations that count as much as the promise of an order."""
CURIOUS = 0.7
"""The benefit of the doubt for an order seldom seen, in standard deviations of the results."""
LONGEST = 6
"""Most answers of a simulation beyond the tree: to the end of a round of three, which takes half as long again."""


@dataclass(slots=True, eq=False)
class Branch:
    """An order of a node: its promise, how often it was taken, what that brought in all, and what followed."""

    order: Any
    promise: float
    visits: int = 0
    total: float = 0.0
    then: dict[Hashable, Node] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Node:
    """What everybody has seen up to a decision of `seat`, and its orders in the turn in which they are looked at. They
    are `listed` when the second simulation comes to it, since most nodes never see one.

    `off` is what simulations brought beyond the promise, on average, and `squares` their squared distances from that.
    """

    seat: str
    branches: list[Branch] = field(default_factory=list)
    listed: bool = False
    visits: int = 0
    off: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, seat: str, thoughts: Iterable[RankedOrder]) -> Node:
        """Make a node with its orders, not visited yet."""
        return cls(seat, [Branch(order, promise) for order, promise in thoughts], listed=True)

    def choose(self) -> Branch | None:
        """Return the next order that was never taken, one more for every new root of the visits; else the one with the
        highest bound. None if no order is left."""
        looked = self.branches[: widened(self.visits)]
        fresh = next((one for one in looked if not one.visits), None)
        if fresh is not None or not looked:
            return fresh
        doubt = CURIOUS * self.spread * sqrt(log(self.visits + 1))
        return max(looked, key=lambda one: self.mean(one) + doubt / sqrt(one.visits))

    def mean(self, one: Branch) -> float:
        """Return the mean result of a branch, with its promise counted in, as far off as promises are here."""
        return (one.total + TRUST * (one.promise + self.off)) / (one.visits + TRUST)

    def learn(self, one: Branch, gain: float) -> None:
        """Count the result of a branch."""
        one.visits, one.total, self.visits = one.visits + 1, one.total + gain, self.visits + 1
        off = gain - one.promise
        before, self.off = self.off, self.off + (off - self.off) / self.visits
        self.squares += (off - before) * (off - self.off)

    @property
    def spread(self) -> float:
        """The standard deviation of the results from the promises (Welford, 1962)."""
        return sqrt(self.squares / self.visits) if self.visits else 0.0


def widened(visits: int) -> int:
    """Return how many orders are looked at in so many visits."""
    return 1 + isqrt(visits)


@dataclass(frozen=True, slots=True)
class Strong:
    """Searches with a number of simulations for each decision."""

    simulations: int = BUDGET

    @property
    def name(self) -> str:
        """With the budget, without which nobody could play the same game again."""
        return f"strong:{self.simulations}"

    def consider(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> Sequence[RankedOrder]:
        """Return the orders by how far they came in the search."""
        options = ranked_options(game, state, seat)
        if len(options) < 2:
            return options
        known = [order for order, _ in options]
        others = (thought for thought in interleave(game.thinking.groups(state, seat)) if thought[0] not in known)
        root = Node.of(seat, (*options, *others))
        Search(game, state, seat, chance).halve(root, self.simulations)
        return [(one.order, root.mean(one)) for one in root.branches]


def interleave(groups: Sequence[Sequence[RankedOrder]]) -> Iterator[RankedOrder]:
    """Yield the likeliest of each group, then the second of each, and so on."""
    return (thought for row in zip_longest(*groups) for thought in row if thought is not None)


class Search:
    """The simulations of one decision, and the positions that they begin with."""

    def __init__(self, game: AnyGame, state: Any, seat: str, chance: Chance) -> None:
        self.game, self.state, self.seat, self.chance = game, state, seat, chance
        self.seats = (seat, *game.thinking.rivals(state, seat))
        self.worlds: list[tuple[Any, Chance, Mapping[str, float]]] = []

    def halve(self, root: Node, simulations: int) -> None:
        """Run the simulations in rounds. In each round all that stay are taken equally often, in the same worlds, and
        the better half goes on; the last two share what is left. The orders of the root are then sorted by how good
        they were, those that went on first."""
        width = widened(simulations)
        stay, gone = root.branches[:width], root.branches[width:]
        while simulations > 0 and len(stay) > 1:
            rounds, refused = ceil(log2(len(stay))), set[Branch]()
            each = max(1, simulations // (rounds * len(stay)))
            looks = simulations if rounds == 1 else min(simulations, each * len(stay))
            simulations -= looks
            for one in islice(cycle(stay), looks):
                if one not in refused and not self.simulate(root, one):
                    refused.add(one)
            stay = sorted((one for one in stay if one not in refused), key=root.mean, reverse=True)
            half = max(2, -(-len(stay) // 2))
            stay, gone = stay[:half], [*stay[half:], *gone]
        root.branches = [*stay, *gone]

    def simulate(self, root: Node, branch: Branch) -> bool:
        """Play an order in the next of its worlds: down the tree to a new node, on to the horizon, and back with what
        that brought to each seat. Return whether the order was legal."""
        # The n-th look at an order is in the n-th world, whichever order it is.
        line = Simulation(self.game, *self.world(branch.visits))
        if not line.take(root.seat, branch.order):
            return False
        path = [(root, branch)]
        while not line.over and (node := line.node(branch)) is not None:
            while (found := node.choose()) is not None and not line.take(node.seat, found.order):
                node.branches.remove(found)
            if found is None:
                break
            branch = found
            path.append((node, branch))
        line.play_on()
        after = prospects(self.game, line.state, self.seats)
        for node, one in path:
            node.learn(one, after[node.seat] - line.before[node.seat])
        return True

    def world(self, number: int) -> tuple[Any, Chance, Mapping[str, float]]:
        """Return the n-th position that the seat may be in, its chance, and what it is worth to each seat."""
        while len(self.worlds) <= number:
            stream = SubStream(self.chance, f"world-{len(self.worlds)}")
            state = self.game.thinking.imagined(self.state, self.seat, stream)
            self.worlds.append((state, stream, prospects(self.game, state, self.seats)))
        return self.worlds[number]


class Simulation:
    """One simulation: its position, and how many stages are left to its horizon."""

    def __init__(self, game: AnyGame, state: Any, chance: Chance, before: Mapping[str, float]) -> None:
        self.before = before
        self.game, self.thinking, self.state, self.chance = game, game.thinking, state, chance
        self.stage, self.left = game.stage(state), self.thinking.horizon
        self.asked = self.thinking.asked(state)

    @property
    def over(self) -> bool:
        """True if the estimate says the rest."""
        return self.asked is None or self.left <= 0

    def take(self, seat: str, order: Any) -> bool:
        """Play an order; return whether it was legal."""
        try:
            self.state = self.thinking.after(self.state, seat, order, self.chance)
        except OrderRefused:
            return False
        before, self.stage = self.stage, self.game.stage(self.state)
        self.left -= self.stage != before
        self.asked = self.thinking.asked(self.state)
        return True

    def node(self, branch: Branch) -> Node | None:
        """Return the node after a branch, one for whatever everybody has seen since; None if it is new."""
        assert self.asked is not None
        key, seat = (self.asked, self.thinking.shown(self.state)), self.asked[0]
        found = branch.then.get(key)
        if found is None:
            branch.then[key] = Node(seat)
        elif not found.listed:
            found = branch.then[key] = Node.of(seat, interleave(self.thinking.groups(self.state, seat)))
        return found

    def play_on(self) -> None:
        """Go on with what promises most, to the horizon or for some answers."""
        for _ in range(LONGEST):
            if self.over:
                return
            assert self.asked is not None
            seat = self.asked[0]
            likely = self.thinking.likely(self.state, seat)
            if not (self.take(seat, likely) or self.take(seat, ranked_options(self.game, self.state, seat)[0][0])):
                self.asked = None  # The estimate says what neither of them could.
