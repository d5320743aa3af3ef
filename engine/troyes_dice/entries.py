"""The only code that changes a table: one function for each kind of entry.

An entry holds exact numbers (what was lost at the end of a track, where each die lay), so folding needs no rule
(engine.kit.folding). Kinds are never renamed once released.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.chronicle import Data, Entry, copied
from engine.errors import PositionError
from engine.kit.folding import Fold, Run, heading
from engine.troyes_dice.box import DiceBox, load_box
from engine.troyes_dice.box.sheet import COLOUR, RESOURCES, Sheet
from engine.troyes_dice.state import edits
from engine.troyes_dice.state.state import DiceState, Die, Plaza


def begun(entry: Entry, box: DiceBox | None = None) -> DiceState:
    """The table before anything happened, as `begins` tells it. `box`: the one it tells of, if that is at hand."""
    data = entry.data
    box = box or load_box(data["box"])
    state = DiceState(box=box, options=dict(data["options"]), names=dict(data["seats"]), crier=data["crier"])
    state.first_number = data.get("first_number", 0)
    state.notches = tuple(
        Plaza(row["up"], row["down"], row.get("tile", ""), row.get("side", "")) for row in data["plazas"]
    )
    for seat in state.names:
        state.sheets[seat] = Sheet(circled=dict.fromkeys(RESOURCES, box.start))
    return state


# The wheel.


def _numbered(state: DiceState, data: Data, entry: Entry) -> None:
    state.numbering = tuple(data["numbers"])


def _half_day(state: DiceState, data: Data, entry: Entry) -> None:
    state.phase, state.day, state.half = "half day", data["day"], data["half"]
    state.dice = ()


def _rolled(state: DiceState, data: Data, entry: Entry) -> None:
    state.dice = tuple(Die(value, slot == data["black"]) for slot, value in enumerate(data["values"]))


def _destroyed(state: DiceState, data: Data, entry: Entry) -> None:
    slot = data["slot"]
    state.dice = tuple(replace(die, gone=True) if at == slot else die for at, die in enumerate(state.dice))


def _attack(state: DiceState, data: Data, entry: Entry) -> None:
    for seat in data["crossed"]:
        crossed = state.sheets[seat].crossed
        crossed[data["colour"]] = (*crossed[data["colour"]], data["column"])


def _flips(state: DiceState, data: Data, entry: Entry) -> None:
    notches = list(state.notches)
    for notch in data["notches"]:
        plaza = notches[notch]
        notches[notch] = replace(plaza, up=plaza.down, down=plaza.up)
    for notch in data["raids"]:
        notches[notch] = replace(notches[notch], side="raid")
    state.notches = tuple(notches)


# Who is asked, and answers.


def _asks(state: DiceState, data: Data, entry: Entry) -> None:
    state.asked = [dict(row) for row in data["asked"]]
    state.number = data["number"]


def _sealed(state: DiceState, data: Data, entry: Entry) -> None:
    for seat, answer in entry.only.items():
        if answer.get("withdrawn"):
            state.sealed.pop(seat, None)
            continue
        state.sealed[seat] = copied({name: value for name, value in answer.items() if name != "does"})


def _shown(state: DiceState, data: Data, entry: Entry) -> None:
    state.sealed = {}
    state.asked = []


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


def _on_sheet(change: Callable[[Sheet, Data], None]) -> Fold[DiceState]:
    def folded(state: DiceState, data: Data, entry: Entry) -> None:
        change(state.sheets[data["seat"]], data)

    return folded


# The end, and edits.


def _scored(state: DiceState, data: Data, entry: Entry) -> None:
    state.scores[data["seat"]] = dict(data["parts"])


def _over(state: DiceState, data: Data, entry: Entry) -> None:
    state.phase = "over"
    state.asked = []


def _edited(state: DiceState, data: Data, entry: Entry) -> None:
    """A moderator's repair: `path` is `anna.citizens.red` and the like, `before` and `after` its values."""
    edits.fold(state, entry)


def _forgets(state: DiceState, data: Data, entry: Entry) -> None:
    """Everybody has to answer anew."""
    state.sealed = {}


FOLDS: dict[str, Fold[DiceState]] = {
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


class Course(Run[DiceState]):
    """A run of the rules on one table."""

    __slots__ = ()
    folds = FOLDS


def fold(state: DiceState | None, entries: Sequence[Entry]) -> DiceState:
    """The table after `entries`; `state` is left as it was. Raises PositionError where one does not fit."""
    return Course.fold(state and state.copy(), entries, begun)


def lost_rows(sheet: Sheet, colour: str, column: int) -> list[str]:
    """The buildings of a die box that would be lost with it: those not drawn."""
    return [row for row, of in COLOUR.items() if of == colour and column not in sheet.built[row]]
