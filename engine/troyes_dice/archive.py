"""A table as plain data, in two parts: what everybody can see, and the sealed answers. And back, from any schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.chronicle import Data
from engine.chronicle import copied
from engine.errors import PositionError
from engine.shapes import checked
from engine.shapes import unfit
from engine.troyes_dice.box import load_box
from engine.troyes_dice.orders import unsealed
from engine.troyes_dice.sheet import COLOURS
from engine.troyes_dice.sheet import RESOURCES
from engine.troyes_dice.sheet import ROWS
from engine.troyes_dice.sheet import Sheet
from engine.troyes_dice.state import Die
from engine.troyes_dice.state import Plaza
from engine.troyes_dice.state import Table

SCHEMA = 1

MIGRATIONS: dict[int, Callable[[Data, Data], None]] = {}
"""Schema number to the step that brings tables of that number, in place, to the next one."""


def dump(table: Table) -> tuple[Data, Data]:
    """The public and the secret tables. Who has answered is secret too, as an answer may lack a choice."""
    public: Data = {
        "schema": SCHEMA,
        "phase": table.phase,
        "day": table.day,
        "half": table.half,
        "number": table.number,
        "crier": table.crier,
        "first_number": table.first_number,
        "numbering": list(table.numbering),
        "options": dict(table.options),
        "asked": [dict(row) for row in table.asked],
        "dice": [{"value": die.value, "black": die.black, "gone": die.gone} for die in table.dice],
        "plazas": [
            {"up": plaza.up, "down": plaza.down, **({"tile": plaza.tile, "side": plaza.side} if plaza.tile else {})}
            for plaza in table.notches
        ],
        "seats": [{"seat": seat, "name": name, **_sheet(table.sheets[seat])} for seat, name in table.names.items()],
        "box": table.box.to_data(),
    }
    if table.scores:
        public["scores"] = {seat: dict(parts) for seat, parts in table.scores.items()}
    return public, {"sealed": {seat: copied(found) for seat, found in table.sealed.items()}}


def _sheet(sheet: Sheet) -> Data:
    return {
        "built": {row: list(columns) for row, columns in sheet.built.items()},
        "crossed": {colour: list(columns) for colour, columns in sheet.crossed.items()},
        "circled": dict(sheet.circled),
        "spent": dict(sheet.spent),
        "citizens": dict(sheet.citizens),
    }


def load(public: Data, secret: Data) -> Table:
    """The table that `dump` wrote; without secrets, what everybody sees of it.

    Raises PositionError naming the path of what is missing or of the wrong kind.
    """
    path = "state"
    try:
        public, secret = dict(public), dict(secret)
        _migrate(public, secret)
        path = "seats"
        names = {checked(row["seat"], str, path): checked(row["name"], str, path) for row in public["seats"]}
        path = "box"
        table = Table(load_box(public["box"]), checked(public["options"], {str: str}, "options"), names)
        for path in ("phase", "half", "crier"):
            setattr(table, path, checked(public[path], str, path))
        for path in ("day", "number", "first_number"):
            setattr(table, path, checked(public[path], int, path))
        path = "numbering"
        table.numbering = _numbers(public["numbering"], path)
        path = "asked"
        table.asked = [
            {"seat": checked(row["seat"], str, path), "kind": checked(row["kind"], str, path)}
            for row in public["asked"]
        ]
        path = "dice"
        table.dice = tuple(
            Die(checked(row["value"], int, path), checked(row["black"], bool, path), checked(row["gone"], bool, path))
            for row in public["dice"]
        )
        path = "plazas"
        table.notches = tuple(
            Plaza(*(checked(row.get(name, ""), str, path) for name in ("up", "down", "tile", "side")))
            for row in public["plazas"]
        )
        for row in public["seats"]:
            path = f"seats.{row['seat']}"
            table.sheets[row["seat"]] = _read_sheet(row, path)
        path = "scores"
        table.scores = checked(public.get("scores", {}), {str: {str: int}}, path)
        path = "sealed"
        if not secret:
            table.sealed = _blanks(table)
            return table
        for seat, found in secret["sealed"].items():
            path = f"sealed.{seat}"
            unsealed(found)
            checked(found["open"], bool, path)
            table.sealed[seat] = copied(found)
    except PositionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise unfit(error, path) from error
    return table


def _read_sheet(row: Data, path: str) -> Sheet:
    def counts(part: str, names: tuple[str, ...]) -> dict[str, int]:
        return {name: checked(row[part][name], int, f"{path}.{part}.{name}") for name in names}

    def columns(part: str, names: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
        return {name: _numbers(row[part][name], f"{path}.{part}.{name}") for name in names}

    return Sheet(
        columns("built", ROWS),
        columns("crossed", COLOURS),
        counts("circled", RESOURCES),
        counts("spent", RESOURCES),
        counts("citizens", COLOURS),
    )


def _numbers(value: Any, path: str) -> tuple[int, ...]:
    return tuple(checked(value, [int], path))


def _migrate(public: Data, secret: Data) -> None:
    schema = checked(public.get("schema", 0), int, "schema")
    while schema != SCHEMA:
        step = MIGRATIONS.get(schema)
        if step is None:
            raise PositionError(f"schema {schema} is not known here; this engine reads up to {SCHEMA}", "schema")
        step(public, secret)
        schema = public["schema"] = schema + 1


def redacted(table: Table, seat: str | None = None) -> Table:
    """The position without sealed answers but that of `seat`; even whether there is one cannot be seen.

    Everybody who is asked has the same blank, so that a half day never closes in a trial because others are ready.
    """
    blank = table.copy()
    blank.sealed = _blanks(table)
    blank.sealed.pop(str(seat), None)
    if seat in table.sealed:
        blank.sealed[str(seat)] = copied(table.sealed[str(seat)])
    return blank


def _blanks(table: Table) -> dict[str, Data]:
    """The same blank for everybody who is asked in a half day."""
    asked = table.asked if table.phase == "half day" else []
    return {row["seat"]: {"bonus": [], "open": False, "unknown": True} for row in asked}
