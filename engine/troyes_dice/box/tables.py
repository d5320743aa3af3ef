"""The shipped tables as they stand in the files beside this module: what is printed, and how sure we are of it."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

Table = dict[str, Any]
"""One fact sheet as read; never changed after reading."""

FILES = ("wheel", "sheet", "banquets", "achievements", "words")

DESCRIBES = frozenset(
    (
        "en",
        "fr",
        "words",
        "text_en",
        "text_fr",
        "banquet_en",
        "banquet_fr",
        "raid_en",
        "raid_fr",
        "confidence",
        "source",
    )
)
"""Keys of a table that are no facts of the game."""


@cache
def shipped() -> dict[str, dict[str, Table]]:
    """Group to id to table, in the order of the files."""
    found: dict[str, dict[str, Table]] = {}
    for name in FILES:
        text = resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
        found |= tomllib.loads(text)
    return found


@cache
def facts_of(group: str, id_: str) -> Table:
    """The facts of one table, without its words."""
    return {name: value for name, value in shipped()[group][id_].items() if name not in DESCRIBES}


def groups() -> tuple[str, ...]:
    """The groups that hold facts."""
    return tuple(group for group in shipped() if group != "rule")
