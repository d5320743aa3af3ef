"""Which of several orders a line means, and how surely: a conditional logit over the orders that it may mean and «none
of these» (McFadden, Conditional logit analysis of qualitative choice behavior, 1974).

A game holds each order against the line and tells what speaks for and against it, in numbers that it names; what speaks
for «none» is told of the line. What each of them weighs is learnt from sheets of wordings (`tests/learn_gist.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from math import exp
from typing import NamedTuple


class Alternative(NamedTuple):
    """An order held against a line: how it is written, and what speaks for it and against it.

    `barred`: something of it is not told that must be; it may be meant, and is never played.
    """

    text: str
    says: Mapping[str, float]
    barred: bool = False


class Case(NamedTuple):
    """A line with the orders that it may mean, each once; `line` tells what speaks for none of them.

    `unread` are the words of the line that are passed over.
    """

    line: Mapping[str, float]
    alternatives: tuple[Alternative, ...]
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Logit:
    """What all that speaks for an order or for none weighs; and how likely an order must be to be sure, of one."""

    order: Mapping[str, float]
    line: Mapping[str, float]
    least: float

    @classmethod
    def load(cls, table: Traversable) -> Logit:
        """The weights of a JSON file: an object with `order`, `line`, `least`."""
        return cls(**json.loads(table.read_text(encoding="utf-8")))


def shares(case: Case, weights: Logit) -> list[float]:
    """How likely each order of a case is meant, of one; what is left is that none is."""
    none = _sum(case.line, weights.line)
    # No order is so much likelier than none that the number of it would overflow.
    scores = [min(_sum(held.says, weights.order) - none, 500.0) for held in case.alternatives]
    best = max(scores, default=0.0)
    parts = [exp(score - best) for score in scores]
    every = sum(parts) + exp(min(-best, 500.0))
    return [part / every for part in parts]


def sure(case: Case, weights: Logit) -> str | None:
    """The order that is meant; None where none is likely enough, or it is barred."""
    found = max(zip(shares(case, weights), case.alternatives, strict=True), key=lambda one: one[0], default=None)
    return found[1].text if found is not None and found[0] >= weights.least and not found[1].barred else None


def _sum(says: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(amount * weights.get(name, 0.0) for name, amount in says.items())
