"""All facts of one game, in the form that the rules use.

A game keeps its facts. `to_data` writes all of them, not only corrections, so that a later change of the shipped tables
cannot reach a running game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from dataclasses import fields as dataclass_fields
from functools import lru_cache
from typing import Any

from engine.errors import PositionError
from engine.event_log import Data, plain_copy
from engine.kit.card_data import Corrections, WrongValue, frozen
from engine.troyes_dice.card_data.corrections import check_corrections
from engine.troyes_dice.card_data.fields import fields
from engine.troyes_dice.card_data.tables import fact_groups, facts_of, shipped_tables
from engine.values import fixed

VERSION = 1


@fixed
class Link:
    """A bonus between two buildings of a row. `gain` is a resource, or a colour of citizens."""

    id: str
    row: str
    columns: tuple[int, int]
    gain: str
    amount: int


def _at(place: str) -> Any:
    """Facts by their place in the tables: `group.id.name`. The id `*` gives a tuple over the tables, `by` a mapping by
    id; several names give a tuple."""
    return field(metadata={"at": place})


@fixed(eq=False, kw_only=True)
class DiceBox:
    """All facts of one game. Boxes with the same facts are one object, so they compare and hash by identity."""

    facts: Mapping[str, Mapping[str, Mapping[str, Any]]]
    days: int = _at("wheel.days.days")
    attacks_from: int = _at("wheel.days.attacks_from")
    slots: tuple[tuple[str, int], ...] = _at("slot.*.kind,amount")
    """Kind (free, any, or a resource) and amount, by place of a half day."""
    plazas: tuple[tuple[str, str], ...] = _at("plaza.*.front,back")
    work: int = _at("work.all.citizens")
    fortress: tuple[tuple[str, int], ...] = _at("fortress.*.citizen,citizens")
    """By column: colour and number of citizens."""
    great_hall: tuple[tuple[str, str, int], ...] = _at("great_hall.*.counts,gain,each")
    """By column: colour counted, gain, how many for each die."""
    cathedral: tuple[str, ...] = _at("cathedral.*.scores")
    """By column: the row it counts."""
    multipliers: tuple[int, ...] = _at("multiplier.all.by_order")
    links: tuple[Link, ...]
    linked: Mapping[tuple[str, int], tuple[Link, ...]]
    """Row and column of a building to the links that it is part of."""
    track: int = _at("resources.all.length")
    """Length of a resource track."""
    start: int = _at("resources.all.start")
    citizen_places: tuple[int, ...] = _at("resources.all.citizens")
    fallback: int = _at("fallback.all.each")
    steps: int = _at("influence.all.steps")
    colour_price: int = _at("knowledge.all.price")
    crowd: int = _at("citizens.all.length")
    """Length of a citizen track."""
    resources_at: tuple[int, ...] = _at("column_bonus.resources.at")
    resources_each: int = _at("column_bonus.resources.each")
    work_at: tuple[int, ...] = _at("column_bonus.work.at")
    prestige_at: Mapping[str, int] = _at("track_bonus.by.prestige_at")
    prestige: Mapping[str, tuple[str, ...]] = _at("track_bonus.by.prestige")
    full_at: Mapping[str, int] = _at("track_bonus.by.full_at")
    full_each: Mapping[str, int] = _at("track_bonus.by.each")
    per_point: int = _at("score.all.resources_per_point")
    citizen_points: int = _at("score.all.citizen_points")
    banquets: Mapping[str, Mapping[str, int]]

    def to_data(self) -> Data:
        """Return every fact as plain data; `load_box` restores exactly this box from it."""
        return {"version": VERSION, **plain_copy(self.facts)}

    def __deepcopy__(self, memo: object) -> DiceBox:
        return self

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return load_box, (self.to_data(),)


def load_box(corrections: Mapping[str, Any] | None = None) -> DiceBox:
    """Return the box with the shipped facts, with a host's corrections, or as a game has stored it (`to_data`).

    Raises CorrectionsRefused if a correction does not fit, PositionError if stored data is damaged.
    """
    stored = corrections is not None and "version" in corrections
    return _read(json.dumps(corrections or {}, sort_keys=True, default=str), stored)


@lru_cache(maxsize=64)
def _read(key: str, stored: bool) -> DiceBox:
    data: dict[str, Any] = json.loads(key)
    changes = _stored(data) if stored else check_corrections(data)
    facts = {
        group: {id_: facts_of(group, id_) | changes.get(group, {}).get(id_, {}) for id_ in shipped_tables()[group]}
        for group in fact_groups()
    }
    return _made(json.dumps(facts))


def _stored(data: dict[str, Any]) -> Corrections:
    """Return what a game has stored, each field checked alone; one that older data lacks takes the shipped value."""
    if (version := data.pop("version")) not in range(1, VERSION + 1):
        raise PositionError(f"the box has version {version!r}; 1 to {VERSION} can be read", "box.version")
    changes: Corrections = {}
    for group, tables in data.items():
        _check_known("facts", tables, group in fact_groups(), f"box.{group}")
        for id_, table in tables.items():
            _check_known("facts", table, id_ in shipped_tables()[group], f"box.{group}.{id_}")
            taken = changes.setdefault(group, {}).setdefault(id_, {})
            for name, value in table.items():
                where = f"box.{group}.{id_}.{name}"
                _check_known("fact", {}, name in facts_of(group, id_), where)
                try:
                    taken |= {name: known.read(value)} if (known := fields(group, id_).get(name)) else {}
                except WrongValue as wrong:
                    raise PositionError(f"it is {value!r} and must be {wrong.right}", where) from None
    return changes


def _check_known(what: str, table: object, known: bool, where: str) -> None:
    if not known or not isinstance(table, dict):
        raise PositionError(f"the box has no such {what}", where)


@lru_cache(maxsize=64)
def _made(key: str) -> DiceBox:
    facts: dict[str, dict[str, dict[str, Any]]] = json.loads(key)
    links = tuple(Link(id_, **{**link, "columns": tuple(link["columns"])}) for id_, link in facts["link"].items())
    places = {(link.row, column) for link in links for column in link.columns}
    return DiceBox(
        facts=facts,
        links=links,
        linked={at: tuple(link for link in links if link.row == at[0] and at[1] in link.columns) for at in places},
        banquets=facts["banquet"],
        **{
            one.name: _found(facts, *one.metadata["at"].split(".")) for one in dataclass_fields(DiceBox) if one.metadata
        },
    )


def _found(facts: dict[str, dict[str, Data]], group: str, id_: str, names: str) -> Any:
    """Return what stands at a place (`_at`), lists as tuples."""
    tables = facts[group] if id_ in ("*", "by") else {id_: facts[group][id_]}
    rows = {at: tuple(frozen(table[name]) for name in names.split(",")) for at, table in tables.items()}
    found = {at: row if "," in names else row[0] for at, row in rows.items()}
    return tuple(found.values()) if id_ == "*" else found if id_ == "by" else found[id_]
