"""What each fact may be: bounds of numbers, words to choose from, and lists of either."""

from __future__ import annotations

from engine.kit.card_data import Field
from engine.troyes_dice.card_data.sheet import COLOURS, PRESTIGE, RESOURCES, ROWS
from engine.troyes_dice.card_data.tables import facts_of

_BY_NAME: dict[str, Field] = {
    "kind": Field(words=("free", "any", *RESOURCES)),
    "front": Field(words=COLOURS),
    "back": Field(words=COLOURS),
    "citizen": Field(words=COLOURS),
    "counts": Field(words=COLOURS),
    "gain": Field(words=(*RESOURCES, *COLOURS)),
    "scores": Field(words=ROWS),
    "row": Field(words=ROWS),
    "columns": Field(least=1, most=6, shortest=2, longest=2, order="rising"),
    "by_order": Field(least=0, most=9, shortest=6, longest=6),
    "prestige": Field(words=tuple(PRESTIGE.values()), shortest=2, longest=2),
    "days": Field(least=1, most=8),
    "attacks_from": Field(least=1, most=9),
    "amount": Field(most=6),
    "start": Field(most=18),
    "steps": Field(least=1, most=5),
    "prestige_at": Field(least=1, most=20),
    "full_at": Field(least=1, most=20),
    "resources_per_point": Field(least=1, most=18),
    "points": Field(most=200),
    "times": Field(least=1, most=99),
    "value": Field(most=6),
}

_BY_GROUP: dict[tuple[str, str], Field] = {
    ("resources", "length"): Field(least=6, most=36),
    ("resources", "citizens"): Field(least=1, most=36, shortest=3, longest=3, order="rising"),
    ("citizens", "length"): Field(least=11, most=40),
    ("column_bonus", "at"): Field(least=1, most=20, shortest=1, longest=1, order="rising"),
    ("achievement", "citizens"): Field(most=120),
}

FIXED = frozenset((("wheel", "days"),))
"""Facts that cannot be corrected: the days on the wheel's window."""


def field_of(group: str, id_: str, name: str) -> Field:
    """Return what a fact may be."""
    if (group, id_, name) == ("column_bonus", "work", "at"):
        return Field(least=1, most=20, shortest=2, longest=2, order="rising")
    return _BY_GROUP.get((group, name)) or _BY_NAME.get(name) or Field(most=6)


def fields(group: str, id_: str) -> dict[str, Field]:
    """Return the facts of a table that a host may correct."""
    return {name: field_of(group, id_, name) for name in facts_of(group, id_) if (group, name) not in FIXED}
