"""The shipped tables as they stand in the files beside this module: what is printed, and how sure we are of it."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

Table = dict[str, Any]
"""One card, place or board number as read; never changed after reading."""

FILES = {
    "activity": (
        ("base_yellow", "base"),
        ("base_white", "base"),
        ("base_red", "base"),
        ("bonus", "bonus"),
        ("ladies_yellow", "ladies"),
        ("ladies_white", "ladies"),
        ("ladies_red", "ladies"),
    ),
    "event": (("events", "base"), ("bonus", "bonus"), ("ladies_events", "ladies")),
    "character": (("characters", "base"), ("ladies_characters", "ladies")),
    "outdoor": (("ladies_outdoor", "ladies"),),
    "place": (("places", "base"),),
    "rule": (("places", "base"), ("solo", "solo")),
}
"""By kind of entry, the files that hold some, and the set they belong to."""

COLORS = ("yellow", "white", "red")


@cache
def _file(name: str) -> Table:
    text = resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def shipped(kind: str) -> dict[str, Table]:
    """Every entry of a kind (a key of FILES) by id, in the order of the files."""
    return {entry["id"]: {"set": box, **entry} for name, box in FILES[kind] for entry in _file(name).get(kind, ())}


@cache
def shipped_board() -> dict[str, Table]:
    """The board's numbers by name, each a table with `value`, `confidence` and its words."""
    board: dict[str, Table] = _file("board")["board"]
    return board


@cache
def shipped_solo() -> dict[str, Table]:
    """The numbers of the solo game by name, written as those of the board."""
    solo: dict[str, Table] = _file("solo")["solo"]
    return solo


@cache
def solo_texts() -> dict[str, Table]:
    """The texts that cards have in a solo game, by card id."""
    texts: dict[str, Table] = _file("solo")["changed"]
    return texts
