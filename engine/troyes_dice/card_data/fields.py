"""What each fact may be: bounds of numbers, words to choose from, and lists of either."""

from __future__ import annotations

from engine.kit.card_data import Field
from engine.troyes_dice.card_data.sheet import COLOURS, PRESTIGE, RESOURCES, ROWS
from engine.troyes_dice.card_data.tables import facts_of

_FIELDS: dict[str, Field] = {
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
    "resources.length": Field(least=6, most=36),
    "resources.citizens": Field(least=1, most=36, shortest=3, longest=3, order="rising"),
    "citizens.length": Field(least=11, most=40),
    "column_bonus.resources.at": Field(least=1, most=20, shortest=1, longest=1, order="rising"),
    "column_bonus.work.at": Field(least=1, most=20, shortest=2, longest=2, order="rising"),
    "achievement.citizens": Field(most=120),
}
"""What a fact may be, by its name; in some groups and tables by these too. Any other is a number up to 6."""

FIXED = frozenset((("wheel", "days"),))
"""Facts that cannot be corrected: the days on the wheel's window."""


def fields(group: str, id_: str) -> dict[str, Field]:
    """Return the facts of a table that a host may correct."""

    def field_of(name: str) -> Field:
        places = (f"{group}.{id_}.{name}", f"{group}.{name}", name)
        return next((_FIELDS[place] for place in places if place in _FIELDS), Field(most=6))

    return {name: field_of(name) for name in facts_of(group, id_) if (group, name) not in FIXED}
