"""Which facts of a card are numbers that a host may correct, and what each may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from engine.event_log import Data
from engine.kit.card_data import Field, Value, frozen
from engine.troyes.card_data.tables import COLORS, shipped_numbers, shipped_tables

Numbers = dict[str, Value]
"""The correctable facts of one card by field."""

_OWN = {
    "as": Field(1, 3),
    "hits": Field(1, 6),
    "value": Field(1, 6),
    "cubes": Field(1, 12),
    "men": Field(1, 12),
    "adds": Field(1, 6),
    "above": Field(0, 99),
}
"""Bounds of effect numbers that are narrower than 0 to 30."""

_ACTIVITY = {
    "level": Field(1, 3),
    "hire": Field(),
    "spaces": Field(0, 12, shortest=1, longest=4, order="falling"),
    "divisor": Field(1, 18),
}
_EVENT = {
    "divisor": Field(1, 36),
    "dice": Field(words=COLORS, shortest=1, longest=len(COLORS), order="once"),
    "banners": Field(1, 12),
    "first": Field(0, 12),
    "second": Field(0, 12),
    "black_dice": Field(0, 6),
}
_CALLS = {"calls": Field(words=("yellow", "white"))}
_OUTDOOR = {"level": Field(1, 4)}
_THREE = Field(0, 60, shortest=3, longest=3, order="rising")
_CHARACTER = {"thresholds": _THREE, "two_player_thresholds": _THREE, "points": replace(_THREE, most=30)}


def _own(table: Data) -> dict[str, Field]:
    return {name: _OWN.get(name, Field()) for name in table.get("numbers", {})}


@cache
def card_fields(kind: str, card: str) -> Mapping[str, Field]:
    """The correctable fields of one shipped card, in the order of a proof sheet."""
    table = shipped_tables(kind)[card]
    if kind == "activity":
        # Without a number under the bar there is nothing to correct.
        return {name: field for name, field in _ACTIVITY.items() if table["divisor"] or name != "divisor"} | _own(table)
    if kind == "outdoor":
        size = len(table.get("prizes", ()))
        prizes = {"prizes": Field(shortest=size, longest=size, order="falling")} if size else {}
        return _OUTDOOR | prizes | _own(table)
    if kind == "character":
        return _CHARACTER
    return (_CALLS if table.get("calls") in ("yellow", "white") else {}) | _EVENT | _own(table)


@cache
def single_fields(name: str) -> Mapping[str, Field]:
    """The numbers of the board, or of the solo game, that a game keeps, by name."""
    found: dict[str, Field] = {}
    for number, table in shipped_numbers(name).items():
        if table.get("fixed"):
            continue
        value = table["value"]
        size = len(value) if isinstance(value, list) else 0
        found[number] = Field(
            table.get("least", 0),
            table.get("most", 30),
            shortest=table.get("shortest", size),
            longest=table.get("longest", size),
            order=table.get("order", ""),
            pairs=bool(size) and isinstance(value[0], list),
        )
    return found


@cache
def correctable_numbers(name: str) -> Mapping[str, Field]:
    """The numbers of the board or the solo game that a host may correct: those that a rule asks for."""
    return {
        number: field
        for number, field in single_fields(name).items()
        if not shipped_numbers(name)[number].get("unread")
    }


@cache
def card_defaults(kind: str, card: str) -> Numbers:
    """The shipped numbers of one card."""
    table = shipped_tables(kind)[card]
    found = {"calls": "", "black_dice": 0} | table | table.get("numbers", {})
    return {name: frozen(found[name]) for name in card_fields(kind, card)}


@cache
def single_defaults(name: str) -> Numbers:
    """The shipped numbers of the board, or of the solo game, that a game keeps."""
    return {number: frozen(shipped_numbers(name)[number]["value"]) for number in single_fields(name)}
