"""Who plays a seat: a person, or a computer of some level; and what a computer picks with. In the seat's row."""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import Msg, T
from engine.chance import Apart, Chance, Derived
from engine.game import Decision
from engine.levels import SEATED, Player, level
from pbem.desk.start import drawn_as
from pbem.store.stored import Stored
from pbem.store.table import SeatRow

PERSON, COMPUTER = "person", "computer"
"""Who a seat is played by, in its row."""


def seated(text: str) -> str:
    """The name of a level that may sit at a table. Raises NotAllowed naming those there are."""
    return level(text, SEATED).name


def level_of(row: SeatRow) -> Player:
    """How a computer plays a seat. Seats from before there were levels are played by the first of them."""
    return level(row.level or next(iter(SEATED)), SEATED)


def told(row: SeatRow) -> Msg:
    """A computer's seat in words."""
    return T("{name} (level {level})", name=row.name, level=level_of(row).name)


def by_person(row: SeatRow) -> SeatRow:
    """The row of a seat that its person plays again."""
    return replace(row, by=PERSON, level="")


def returns(name: str) -> Msg:
    """That somebody plays again."""
    return T("{name} plays again; the computer has left the seat.", name=name)


def with_row(stored: Stored, fresh: SeatRow) -> Stored:
    """The table with one row changed."""
    rows = tuple(fresh if row.seat == fresh.seat else row for row in stored.table.seats)
    return replace(stored, table=replace(stored.table, seats=rows))


def stream(stored: Stored, asked: Decision) -> Chance:
    """What a computer picks with at one decision. The name in front keeps it apart from every draw of the game."""
    secrets = stored.secrets
    own = Derived(bytes.fromhex(secrets.seed), (), f"computer {drawn_as(stored.table)}", secrets.epoch)
    return Apart(own, f"{asked.seat}-{asked.number}")
