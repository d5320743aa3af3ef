"""The wordings written from one mail of a game that was really played (tests/wordings/mailed-*.toml), and what is made
of each by the desk of that game at that position (mailed.json): nothing is kept, so that each line is read as the first
answer to its mail."""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.understood.bench import DryDesk, Read, laid, told
from tests.whole.room import Hall

SHEETS = Path(__file__).parents[1] / "wordings"


@dataclass(frozen=True)
class Line:
    """A line of a sheet; `meant` are the orders (empty for a trap) and `read` what was made of it."""

    mail: str
    language: str
    written: str
    meant: tuple[str, ...]
    read: Read
    mended: bool

    @property
    def right(self) -> bool:
        """Played as meant."""
        return bool(self.meant) and self.read.outcome == "play" and alike(self.read.orders) == alike(self.meant)

    @property
    def wrong(self) -> bool:
        """Something was played that was not meant."""
        return self.read.outcome == "play" and bool(self.read.orders) and not self.right


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


def lines(sheet: str, *, sample: int = -1) -> Iterator[Line]:
    """Every line of a sheet, read; for a sample each third one of one mail, whose place is told."""
    mails = tomllib.loads((SHEETS / f"{sheet}.toml").read_text(encoding="utf-8"))["mail"]
    every = 1 if sample < 0 else 3
    for mail in mails if sample < 0 else [mails[sample % len(mails)]]:
        with tempfile.TemporaryDirectory() as folder:
            hall = table(Path(folder), mail.get("at", mail["name"]))
            yield from _of(mail, Reader(hall), every)
            hall.spool.close()


def _of(mail: dict[str, Any], reader: Reader, every: int) -> Iterator[Line]:
    for language in ("en", "fr"):
        for written, text in mail.get(language, ())[::every]:
            meant = reader.read(text.replace(" / ", "\n"))
            assert meant.outcome == "play", (mail["name"], text, meant)
            read = reader.read(written)
            mended = any(alike(tuple(one.split("\n"))) == alike(meant.orders) for one in read.choices)
            yield Line(mail["name"], language, written, meant.orders, read, mended)
    for written in mail.get("traps", ())[::every]:
        yield Line(mail["name"], "trap", written, (), reader.read(written), False)


def rates(found: Iterable[Line]) -> dict[str, tuple[int, int, int]]:
    """For each game and language: how many lines, how many were read as meant, and these or mended by one number."""
    counts: dict[str, tuple[int, int, int]] = {}
    for one in found:
        if one.meant:
            name = f"{'dice' if one.mail.startswith('dice') else 'troyes'} {one.language}"
            all, right, mended = counts.get(name, (0, 0, 0))
            counts[name] = (all + 1, right + one.right, mended + (one.right or one.mended))
    return counts


if __name__ == "__main__":
    import sys

    for sheet in sys.argv[1:]:
        every = list(lines(sheet))
        for name, (all, right, mended) in rates(every).items():
            print(f"{sheet}, {name}: {right} of {all} read, {mended} read or mended by one number")
        print(f"{sheet}: {sum(one.wrong for one in every)} played that were not meant")
        for one in every:
            if one.wrong or (one.meant and not one.right):
                print(f"  {one.written}: {one.read.outcome} {one.read.orders or one.read.choices} {one.read.says}")
