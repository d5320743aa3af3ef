"""The desk of a game that was really played, at the position of one mail (tests/wordings/mailed.json): nothing is kept,
so that each line is read as the first answer to its mail."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.understood.bench import DryDesk, Read, laid, told
from tests.whole.room import Hall

SHEETS = Path(__file__).parents[1] / "wordings"


def alike(orders: tuple[str, ...]) -> list[list[str]]:
    """Orders without the order in which dice are named in them."""
    return [sorted(order.split()) for order in orders]


def table(folder: Path, mail: str, language: str = "") -> Hall:
    """The table at which a mail was written, at its very position: what is listed, and in what order, moves no game."""
    said = positions()[mail]
    hall = Hall(folder, said["kind"])
    hall.seat_all(said["players"], options=said["options"], languages=(language,) * 4)
    hall.desk.change(hall.table, "laid out", laid(hall.rules.load(said["game"], said["hidden"])))
    return hall


@cache
def positions() -> dict[str, Any]:
    """The name of each mail to its game: what it is, how many play, its options, and the two halves of its state."""
    return json.loads((SHEETS / "mailed.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def asked(hall: Hall) -> str:
    """The first seat whose answer is missing."""
    return next(one.seat for one in hall.rules.waiting(hall.position()) if not one.answered)


class Reader:
    """What the desk of a hall makes of answers to a mail that lists all options of the seat that is asked: which of them
    a turn's mail shows has changed since the lines were written."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.seat = hall, asked(hall)
        hall.send(self.seat, "options")
        self.desk = DryDesk(hall.desk.services)
        self.desk.dry = True
        hall.desk = self.desk

    def read(self, text: str) -> Read:
        """What would become of a letter with this text."""
        self.desk.result = None
        return told(self.hall.send(self.seat, text), self.desk.result)
