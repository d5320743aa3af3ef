"""The shipped tables as they stand in the files of this package: what is printed, and how sure we are of it."""

from __future__ import annotations

from functools import cache

from engine.event_log import Data
from engine.kit.card_data import read_tables

FILES = ("wheel", "sheet", "banquets", "achievements", "words")

DESCRIBES = frozenset(("words", "confidence", "source"))
"""Keys of a table that are neither facts nor texts of the game."""


@cache
def shipped_tables() -> dict[str, dict[str, Data]]:
    """Return group to id to table, in the order of the files."""
    found: dict[str, dict[str, Data]] = {}
    for name in FILES:
        found |= read_tables(__package__, name)
    return found


@cache
def facts_of(group: str, id_: str) -> Data:
    """Return the facts of one table, without its words."""
    return {
        name: value
        for name, value in shipped_tables()[group][id_].items()
        if name not in DESCRIBES and name.rpartition("_")[2] not in ("en", "fr")
    }


def fact_groups() -> tuple[str, ...]:
    """Return the groups that hold facts."""
    return tuple(group for group in shipped_tables() if group != "rule")
