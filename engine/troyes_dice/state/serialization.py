"""A table as plain data, in two parts: the public tables, and sealed answers with plans. And back."""

from __future__ import annotations

from engine.errors import PositionError
from engine.event_log import Data
from engine.kit import codec
from engine.troyes_dice.card_data import load_box
from engine.troyes_dice.card_data.sheet import Sheet
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import Fallback, SealedAnswer

SCHEMA = 1

MIGRATIONS: codec.Migrations = {}

PUBLIC = codec.Codec(DiceState, "phase day half number crier first_number numbering options asked dice scores plazas")
SECRET = codec.Codec(DiceState, "sealed")
PLANS = codec.Codec(DiceState, "plans", sparse=True)
"""Goals have many fields that are seldom said."""
SHEET = codec.Codec(Sheet)


def dump(state: DiceState) -> tuple[Data, Data]:
    """Return the public and the secret tables. Who has answered is secret too, as an answer may lack a choice."""
    public: Data = {"schema": SCHEMA, **PUBLIC.write(state)}
    public["seats"] = codec.write_seats(state.names, state.sheets, SHEET)
    public["box"] = state.box.to_data()
    return public, SECRET.write(state) | PLANS.write(state)


def load(public: Data, secret: Data) -> DiceState:
    """Read the table that `dump` wrote; without secrets, the public part of it.

    Raises PositionError with the path of what is missing or of the wrong kind.
    """
    public, secret = dict(public), dict(secret)
    codec.migrate(public, secret, SCHEMA, MIGRATIONS)
    del public["schema"]
    box = load_box(codec.take_value(dict, public, "box"))
    names, sheets = codec.take_seats(public, SHEET)
    plans = PLANS.values({name: secret.pop(name) for name in ("plans",) if name in secret})
    state = DiceState(box=box, names=names, sheets=sheets, **PUBLIC.values(public), **plans)
    for seat, sheet in sheets.items():
        _check_sheet(sheet, f"seats.{seat}")
    state.sealed = SECRET.values(secret)["sealed"] if secret else _blanks(state)
    return state


def _check_sheet(sheet: Sheet, path: str) -> None:
    """Check that every row, colour and resource is there."""
    whole = SHEET.write(Sheet())
    for part, rows in SHEET.write(sheet).items():
        if odd := rows.keys() ^ whole[part].keys():
            raise PositionError(f"must have {', '.join(whole[part])}", f"{path}.{part}.{min(odd)}")


def redacted(state: DiceState, seat: str | None = None) -> DiceState:
    """Return the position without plans, and no sealed answers but that of `seat`; nobody can see whether there were
    any.

    Everybody who is asked has the same blank, so that a half day never closes in a trial because others are ready.
    """
    blank = state.copy()
    blank.plans = {}
    blank.sealed = {other: answer for other, answer in _blanks(state).items() if other != seat}
    if seat in state.sealed:
        blank.sealed[str(seat)] = state.sealed[str(seat)]
    return blank


def _blanks(state: DiceState) -> dict[str, SealedAnswer]:
    """The same blank for everybody who is asked in a half day."""
    return dict.fromkeys(state.asked if state.phase == "half day" else (), SealedAnswer(Fallback(), unknown=True))
