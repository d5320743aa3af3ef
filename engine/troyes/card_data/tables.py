"""The shipped tables as they stand in the files beside this module: what is printed, and how sure we are of it."""

from __future__ import annotations

from functools import cache

from engine.event_log import Data
from engine.kit.card_data import read_tables

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


def _file(name: str) -> Data:
    return read_tables(__package__, name)


@cache
def shipped_tables(kind: str) -> dict[str, Data]:
    """Every entry of a kind (a key of FILES) by id, in the order of the files."""
    return {entry["id"]: {"set": box, **entry} for name, box in FILES[kind] for entry in _file(name).get(kind, ())}


@cache
def shipped_numbers(name: str) -> dict[str, Data]:
    """The numbers of the `board` or of the `solo` game by name: tables with `value`, `confidence` and words."""
    found: dict[str, Data] = _file(name)[name]
    return found


@cache
def solo_texts() -> dict[str, Data]:
    """The texts that cards have in a solo game, by card id."""
    texts: dict[str, Data] = _file("solo")["changed"]
    return texts
