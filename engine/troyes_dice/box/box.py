"""The box: every fact of one game, in the form the rules use.

A game keeps its facts. `to_data` writes all of them, not only what a host changed, so that a later change of the
shipped tables cannot reach a running game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from engine.errors import PositionError
from engine.kit.box import WrongValue
from engine.troyes_dice.box.corrections import check_corrections
from engine.troyes_dice.box.fields import fields
from engine.troyes_dice.box.sheet import COLOURS
from engine.troyes_dice.box.tables import facts_of, groups, shipped

VERSION = 1


@dataclass(frozen=True, slots=True)
class Link:
    """A bonus between two buildings of a row. `gain` is a resource, or a colour of citizens."""

    id: str
    row: str
    columns: tuple[int, int]
    gain: str
    amount: int


@dataclass(frozen=True, slots=True, eq=False)
class DiceBox:
    """All facts of one game. Boxes with the same facts are one object, so they compare and hash by identity."""

    facts: Mapping[str, Mapping[str, Mapping[str, Any]]]
    days: int
    attacks_from: int
    slots: tuple[tuple[str, int], ...]
    """Kind (free, any, or a resource) and amount, by place of a half day."""
    plazas: tuple[tuple[str, str], ...]
    work: int
    fortress: tuple[tuple[str, int], ...]
    """By column: colour and number of citizens."""
    great_hall: tuple[tuple[str, str, int], ...]
    """By column: colour counted, gain, how many for each die."""
    cathedral: tuple[str, ...]
    """By column: the row it counts."""
    multipliers: tuple[int, ...]
    links: tuple[Link, ...]
    track: int
    """Length of a resource track."""
    start: int
    citizen_places: tuple[int, ...]
    fallback: int
    steps: int
    colour_price: int
    crowd: int
    """Length of a citizen track."""
    resources_at: tuple[int, ...]
    resources_each: int
    work_at: tuple[int, ...]
    prestige_at: Mapping[str, int]
    prestige: Mapping[str, tuple[str, ...]]
    full_at: Mapping[str, int]
    full_each: Mapping[str, int]
    per_point: int
    citizen_points: int
    banquets: Mapping[str, Mapping[str, int]]

    def to_data(self) -> dict[str, Any]:
        """Every fact as plain data; `load_box` restores exactly this box from it."""
        found: dict[str, Any] = {"version": VERSION}
        for group, tables in self.facts.items():
            found[group] = {
                id_: {name: value[:] if isinstance(value, list) else value for name, value in table.items()}
                for id_, table in tables.items()
            }
        return found

    def __deepcopy__(self, memo: object) -> DiceBox:
        return self

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return load_box, (self.to_data(),)


def load_box(corrections: Mapping[str, Any] | None = None) -> DiceBox:
    """The box with the shipped facts, with a host's corrections, or as a game has stored it (`to_data`).

    Raises CorrectionsRefused if a correction does not fit, PositionError if stored data is damaged.
    """
    if not corrections:
        return _shipped()
    if "version" in corrections:
        return _stored(json.dumps(corrections, sort_keys=True, default=str))
    return _made(json.dumps(_with(check_corrections(corrections)), sort_keys=True))


@cache
def _shipped() -> DiceBox:
    return _made(json.dumps(_with({}), sort_keys=True))


def _with(changes: Mapping[str, Any]) -> dict[str, Any]:
    return {
        group: {id_: facts_of(group, id_) | changes.get(group, {}).get(id_, {}) for id_ in shipped()[group]}
        for group in groups()
    }


@lru_cache(maxsize=64)
def _stored(key: str) -> DiceBox:
    """Check what a game has stored, field by field; a field that older data lacks takes the shipped value."""
    data: dict[str, Any] = json.loads(key)
    if data["version"] not in range(1, VERSION + 1):
        raise PositionError(f"the box has version {data['version']!r}; 1 to {VERSION} can be read", "box.version")
    changes: dict[str, dict[str, Any]] = {}
    for group, tables in data.items():
        if group == "version":
            continue
        if group not in groups() or not isinstance(tables, dict):
            raise PositionError("the box has no such facts", f"box.{group}")
        for id_, table in tables.items():
            if id_ not in shipped()[group] or not isinstance(table, dict):
                raise PositionError("the box has no such facts", f"box.{group}.{id_}")
            known, fixed = fields(group, id_), facts_of(group, id_)
            for name, value in table.items():
                where = f"box.{group}.{id_}.{name}"
                if name not in fixed:
                    raise PositionError("the box has no such fact", where)
                try:
                    taken = known[name].read(value) if name in known else fixed[name]
                except WrongValue as wrong:
                    raise PositionError(f"it is {value!r} and must be {wrong.right}", where) from None
                changes.setdefault(group, {}).setdefault(id_, {})[name] = taken
    return _made(json.dumps(_with(changes), sort_keys=True))


@lru_cache(maxsize=64)
def _made(key: str) -> DiceBox:
    facts: dict[str, dict[str, dict[str, Any]]] = json.loads(key)
    # Sorted keys made equal facts one object; the order of the tables is the one that people read.
    facts = {
        group: {id_: {name: facts[group][id_][name] for name in facts_of(group, id_)} for id_ in shipped()[group]}
        for group in groups()
    }

    def rows(group: str, *names: str) -> tuple[Any, ...]:
        found = (tuple(table[name] for name in names) for table in facts[group].values())
        return tuple(found) if len(names) > 1 else tuple(one for (one,) in found)

    track, tracks = facts["resources"]["all"], facts["track_bonus"]
    bonus = facts["column_bonus"]
    return DiceBox(
        facts=facts,
        days=facts["wheel"]["days"]["days"],
        attacks_from=facts["wheel"]["days"]["attacks_from"],
        slots=rows("slot", "kind", "amount"),
        plazas=rows("plaza", "front", "back"),
        work=facts["work"]["all"]["citizens"],
        fortress=rows("fortress", "citizen", "citizens"),
        great_hall=rows("great_hall", "counts", "gain", "each"),
        cathedral=rows("cathedral", "scores"),
        multipliers=tuple(facts["multiplier"]["all"]["by_order"]),
        links=tuple(
            Link(id_, link["row"], (link["columns"][0], link["columns"][1]), link["gain"], link["amount"])
            for id_, link in facts["link"].items()
        ),
        track=track["length"],
        start=track["start"],
        citizen_places=tuple(track["citizens"]),
        fallback=facts["fallback"]["all"]["each"],
        steps=facts["influence"]["all"]["steps"],
        colour_price=facts["knowledge"]["all"]["price"],
        crowd=facts["citizens"]["all"]["length"],
        resources_at=tuple(bonus["resources"]["at"]),
        resources_each=bonus["resources"]["each"],
        work_at=tuple(bonus["work"]["at"]),
        prestige_at={colour: tracks[colour]["prestige_at"] for colour in COLOURS},
        prestige={colour: tuple(tracks[colour]["prestige"]) for colour in COLOURS},
        full_at={colour: tracks[colour]["full_at"] for colour in COLOURS},
        full_each={colour: tracks[colour]["each"] for colour in COLOURS},
        per_point=facts["score"]["all"]["resources_per_point"],
        citizen_points=facts["score"]["all"]["citizen_points"],
        banquets=facts["banquet"],
    )
