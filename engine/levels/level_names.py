"""Levels by their names."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.kit.words import fold_text
from engine.levels.baselines import First, Novice, Player, Random
from engine.levels.lookahead import Steady
from engine.levels.tree_search import BUDGET, MOST, Strong

SEATED_LEVELS: Mapping[str, Player] = {"novice": Novice(), "steady": Steady(), "strong": Strong()}
"""Levels that sit at tables, the weakest first."""
LEVELS: Mapping[str, Player] = {"first": First(), "random": Random(), **SEATED_LEVELS}
"""These, and the yardsticks of the arena."""
LEVEL_WORDS: Mapping[str, Mapping[str, str]] = {"fr": {"novice": "débutant", "steady": "moyen", "strong": "fort"}}
"""Names of the levels by language; read as well as the English ones."""


def level_text(name: str) -> Msg:
    """Return the name of a level, with its budget, in its reader's words."""
    word, colon, budget = name.partition(":")
    said = {language: f"{words.get(word, word)}{colon}{budget}" for language, words in LEVEL_WORDS.items()}
    return T.each(name, **said)


def find_level(text: str, known: Mapping[str, Player] = LEVELS) -> Player:
    """Return the level of a name. One that searches may have a budget: `strong:400` makes 400 simulations a decision.

    Raises NotAllowed that names the levels, or the budgets.
    """
    name, colon, budget = text.strip().lower().partition(":")
    meant = {fold_text(said): word for words in LEVEL_WORDS.values() for word, said in words.items()}
    found = known.get(meant.get(fold_text(name), name))
    if found is None or (colon and not isinstance(found, Strong)):
        there = tuple(map(level_text, known))
        raise NotAllowed(T("No level is called «{level}»; there are: {levels}.", level=text, levels=there))
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
