"""The only code that changes a table: one function for each kind of entry.

An entry holds exact numbers (what was lost at the end of a track, where each die lay), so folding needs no rule
(engine.kit.folding). Kinds are never renamed once released.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import replace

from engine.chronicle import Data
from engine.chronicle import Entry
from engine.chronicle import copied
from engine.errors import PositionError
from engine.kit.folding import Fold
from engine.kit.folding import Run
from engine.kit.folding import heading
from engine.troyes_dice import repairs
from engine.troyes_dice.box import Box
from engine.troyes_dice.box import load_box
from engine.troyes_dice.sheet import COLOUR
from engine.troyes_dice.sheet import RESOURCES
from engine.troyes_dice.sheet import Sheet
from engine.troyes_dice.state import Die
from engine.troyes_dice.state import Plaza
from engine.troyes_dice.state import Table


def begun(entry: Entry, box: Box | None = None) -> Table:
    """The table before anything happened, as `begins` tells it. `box`: the one it tells of, if that is at hand."""
    data = entry.data
    box = box or load_box(data["box"])
    table = Table(box=box, options=dict(data["options"]), names=dict(data["seats"]), crier=data["crier"])
    table.first_number = data.get("first_number", 0)
    table.notches = tuple(
        Plaza(row["up"], row["down"], row.get("tile", ""), row.get("side", "")) for row in data["plazas"]
    )
    for seat in table.names:
        table.sheets[seat] = Sheet(circled=dict.fromkeys(RESOURCES, box.start))
    return table


# The wheel.


def _numbered(table: Table, data: Data, entry: Entry) -> None:
    table.numbering = tuple(data["numbers"])


def _half_day(table: Table, data: Data, entry: Entry) -> None:
    table.phase, table.day, table.half = "half day", data["day"], data["half"]
    table.dice = ()


def _rolled(table: Table, data: Data, entry: Entry) -> None:
    table.dice = tuple(Die(value, slot == data["black"]) for slot, value in enumerate(data["values"]))


def _destroyed(table: Table, data: Data, entry: Entry) -> None:
    slot = data["slot"]
    table.dice = tuple(replace(die, gone=True) if at == slot else die for at, die in enumerate(table.dice))


def _attack(table: Table, data: Data, entry: Entry) -> None:
    for seat in data["crossed"]:
        crossed = table.sheets[seat].crossed
        crossed[data["colour"]] = (*crossed[data["colour"]], data["column"])


def _flips(table: Table, data: Data, entry: Entry) -> None:
    notches = list(table.notches)
    for notch in data["notches"]:
        plaza = notches[notch]
        notches[notch] = replace(plaza, up=plaza.down, down=plaza.up)
    for notch in data["raids"]:
        notches[notch] = replace(notches[notch], side="raid")
    table.notches = tuple(notches)


# Who is asked, and answers.


def _asks(table: Table, data: Data, entry: Entry) -> None:
    table.asked = [dict(row) for row in data["asked"]]
    table.number = data["number"]


def _sealed(table: Table, data: Data, entry: Entry) -> None:
    for seat, answer in entry.only.items():
        if answer.get("withdrawn"):
            table.sealed.pop(seat, None)
            continue
        table.sealed[seat] = copied({name: value for name, value in answer.items() if name != "does"})


def _shown(table: Table, data: Data, entry: Entry) -> None:
    table.sealed = {}
    table.asked = []


# Sheets. These also run on a copy of a sheet, when an order is only looked at.


def _spends(sheet: Sheet, data: Data) -> None:
    for resource in RESOURCES:
        if resource in data:
            sheet.spent[resource] += data[resource]


def _circles(sheet: Sheet, data: Data) -> None:
    sheet.circled[data["resource"]] += data["by"]


def _citizens(sheet: Sheet, data: Data) -> None:
    sheet.citizens[data["colour"]] += data["by"]


def _builds(sheet: Sheet, data: Data) -> None:
    row, column = data["row"], data["column"]
    if not sheet.is_open(row, column):
        raise PositionError("cannot be drawn", f"{row} {column}")
    sheet.built[row] = (*sheet.built[row], column)


def _nothing(sheet: Sheet, data: Data) -> None:
    """Nothing changes: the entry says what the following ones belong to."""


SHEET_FOLDS: dict[str, Callable[[Sheet, Data], None]] = {
    "acts": _nothing,
    "bonus": _nothing,
    "spends": _spends,
    "circles": _circles,
    "citizens": _citizens,
    "builds": _builds,
}
"""Kinds of entries that touch one sheet, that of their `seat`."""


def _on_sheet(change: Callable[[Sheet, Data], None]) -> Fold[Table]:
    def folded(table: Table, data: Data, entry: Entry) -> None:
        change(table.sheets[data["seat"]], data)

    return folded


# The end, and repairs.


def _scored(table: Table, data: Data, entry: Entry) -> None:
    table.scores[data["seat"]] = dict(data["parts"])


def _over(table: Table, data: Data, entry: Entry) -> None:
    table.phase = "over"
    table.asked = []


def _edited(table: Table, data: Data, entry: Entry) -> None:
    """A moderator's repair: `path` is `anna.citizens.red` and the like, `before` and `after` its values."""
    repairs.fold(table, entry)


def _forgets(table: Table, data: Data, entry: Entry) -> None:
    """Everybody has to answer anew."""
    table.sealed = {}


FOLDS: dict[str, Fold[Table]] = {
    "numbered": _numbered,
    "half_day": _half_day,
    "rolled": _rolled,
    "banquet": heading,
    "destroyed": _destroyed,
    "attack": _attack,
    "flips": _flips,
    "asks": _asks,
    "sealed": _sealed,
    "shown": _shown,
    "forgets": _forgets,
    **{kind: _on_sheet(change) for kind, change in SHEET_FOLDS.items()},
    "scored": _scored,
    "over": _over,
    "edited": _edited,
}
"""Kind of entry to what it does."""


class Course(Run[Table]):
    """A run of the rules on one table."""

    __slots__ = ()
    folds = FOLDS

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.state


def fold(table: Table | None, entries: Sequence[Entry]) -> Table:
    """The table after `entries`. Raises PositionError where one does not fit."""
    return Course.fold(table, entries, begun)


def lost_rows(sheet: Sheet, colour: str, column: int) -> list[str]:
    """The buildings of a die box that would be lost with it: those not drawn."""
    return [row for row, of in COLOUR.items() if of == colour and column not in sheet.built[row]]
