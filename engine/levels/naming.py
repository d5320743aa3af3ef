"""Levels by their names."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import T
from engine.errors import NotAllowed
from engine.levels.simple import First, Novice, Player, Random
from engine.levels.steady import Steady
from engine.levels.strong import BUDGET, MOST, Strong

SEATED: Mapping[str, Player] = {"novice": Novice(), "steady": Steady(), "strong": Strong()}
"""Levels that sit at tables, the weakest first."""
NAMES: Mapping[str, Player] = {"first": First(), "random": Random(), **SEATED}
"""These, and the yardsticks of the arena."""


def level(text: str, known: Mapping[str, Player] = NAMES) -> Player:
    """The level of a name. One that searches may say its budget: `strong:400` makes 400 simulations a decision.

    Raises NotAllowed naming the levels there are, or the budgets.
    """
    name, colon, budget = text.strip().lower().partition(":")
    found = known.get(name)
    if found is None or (colon and not isinstance(found, Strong)):
        raise NotAllowed(T("No level is called «{level}»; there are: {levels}.", level=text, levels=tuple(known)))
    return Strong(_simulations(budget)) if colon else found


def _simulations(budget: str) -> int:
    plain = budget.isascii() and budget.isdecimal() and len(budget) <= len(str(MOST))
    if not plain or not 1 <= int(budget) <= MOST:
        raise NotAllowed(
            T(
                "A level searches with 1 to {most} simulations a decision, such as strong:{usual}; «{budget}» is no "
                "such number.",
                most=MOST,
                usual=BUDGET,
                budget=budget,
            )
        )
    return int(budget)
