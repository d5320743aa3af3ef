"""Levels by their names."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import T
from engine.errors import NotAllowed
from engine.levels.simple import First, Novice, Player, Random
from engine.levels.steady import Steady

SEATED: Mapping[str, Player] = {"novice": Novice(), "steady": Steady()}
"""Levels that sit at tables, the weakest first."""
NAMES: Mapping[str, Player] = {"first": First(), "random": Random(), **SEATED}
"""These, and the yardsticks of the arena."""


def level(text: str, known: Mapping[str, Player] = NAMES) -> Player:
    """The level of a name. Raises NotAllowed naming those there are."""
    found = known.get(text.strip().lower())
    if found is None:
        raise NotAllowed(T("No level is called «{level}»; there are: {levels}.", level=text, levels=tuple(known)))
    return found
