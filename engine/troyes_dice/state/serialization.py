"""A table as plain data, in two parts: what everybody can see, and the sealed answers. And back, from any schema."""

from __future__ import annotations

from typing import Any

from engine.chronicle import Data, copied
from engine.errors import PositionError
from engine.kit import plain
from engine.troyes_dice.box import load_box
from engine.troyes_dice.box.sheet import Sheet
from engine.troyes_dice.state.orders import unsealed
from engine.troyes_dice.state.state import DiceState, Plaza

SCHEMA = 1

MIGRATIONS: plain.Migrations = {}

PUBLIC = plain.Form(DiceState, "phase day half number crier first_number numbering options asked dice scores")
SHEET = plain.Form(Sheet)
PLAZA = plain.Form(Plaza)


def dump(state: DiceState) -> tuple[Data, Data]:
    """The public and the secret tables. Who has answered is secret too, as an answer may lack a choice."""
    public: Data = {"schema": SCHEMA, **PUBLIC.write(state)}
    public["plazas"] = [PLAZA.write(plaza) for plaza in state.notches]
    public["seats"] = plain.write_seats(state.names, state.sheets, SHEET)
    public["box"] = state.box.to_data()
    return public, {"sealed": copied(state.sealed)}


def load(public: Data, secret: Data) -> DiceState:
    """The table that `dump` wrote; without secrets, what everybody sees of it.

    Raises PositionError naming the path of what is missing or of the wrong kind.
    """
    public, secret = dict(public), dict(secret)
    plain.migrate(public, secret, SCHEMA, MIGRATIONS)
    del public["schema"]
    box = load_box(plain.take(dict, public, "box"))
    notches = plain.take(tuple[Plaza, ...], public, "plazas")
    names, sheets = plain.take_seats(public, SHEET)
    state = DiceState(box=box, names=names, sheets=sheets, notches=notches, **PUBLIC.values(public))
    plain.need(state.asked, "asked", seat=str, kind=str)
    for seat, sheet in sheets.items():
        _check_sheet(sheet, f"seats.{seat}")
    state.sealed = plain.take(dict[str, dict[str, Any]], secret, "sealed") if secret else _blanks(state)
    for seat, answer in state.sealed.items():
        plain.read(bool, answer.get("open"), f"sealed.{seat}.open")
        unsealed(answer, f"sealed.{seat}")
    return state


def _check_sheet(sheet: Sheet, path: str) -> None:
    """Every row, colour and resource has to be there."""
    whole = SHEET.write(Sheet())
    for part, rows in SHEET.write(sheet).items():
        if odd := rows.keys() ^ whole[part].keys():
            raise PositionError(f"must have {', '.join(whole[part])}", f"{path}.{part}.{min(odd)}")


def redacted(state: DiceState, seat: str | None = None) -> DiceState:
    """The position without sealed answers but that of `seat`; even whether there is one cannot be seen.

    Everybody who is asked has the same blank, so that a half day never closes in a trial because others are ready.
    """
    blank = state.copy()
    blank.sealed = _blanks(state)
    blank.sealed.pop(str(seat), None)
    if seat in state.sealed:
        blank.sealed[str(seat)] = copied(state.sealed[str(seat)])
    return blank


def _blanks(state: DiceState) -> dict[str, Data]:
    """The same blank for everybody who is asked in a half day."""
    asked = state.asked if state.phase == "half day" else []
    return {row["seat"]: {"bonus": [], "open": False, "unknown": True} for row in asked}
