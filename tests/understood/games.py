"""The wordings of both games (tests/wordings/troyes-*.toml and dice-*.toml), each sent as a letter of one line.

Which lines and positions there are, is told by the games' own tests of them, which read the lines without a letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import OrderRefused
from engine.game import AnyGame, Seat, find
from tests.dice import test_wordings as dice
from tests.troyes import test_wordings as troyes

from .bench import KINDS, Bench, Read
from .measure import Tried, send

ANNA = Seat("anna")


def wordings(folder: Path) -> Iterator[Tried]:
    """Every line that is meant, and every trap, read at its own position."""
    tables = Tables(folder)
    for one in troyes.wordings():
        read = sent(tables, one.file, one.asked, one.line)
        yield _meant("troyes", read, one.language, one.line, one.meant, one.asks)
    for file, asked, line in troyes.traps():
        yield _trap("troyes", sent(tables, file, asked, line), line)
    for place, rows in dice.lines("traps").items():
        for line in rows["plays_nothing"]:
            yield _trap("dice", tables.send("dice", place, dice.position(place), line), line)
    tables.close()


class Tables:
    """A bench for each position."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Bench] = {}

    def send(self, kind: str, name: str, state: Any, line: str, playable: bool = True) -> Read:
        """What becomes of a line; by the game alone, where a position is fit for nothing but reading."""
        if not playable:
            return _by_game(find(KINDS[kind]), state, line)
        place = f"{kind}-at-{name}"
        if place not in self._made:
            self._made[place] = Bench(self._folder / place, kind, state)
        return send(self._made[place], line)

    def close(self) -> None:
        for table in self._made.values():
            table.close()


def sent(tables: Tables, file: str, asked: str, line: str) -> Read:
    """A line of Troyes at one of its moments."""
    name = f"{file}-{asked}".replace(" ", "-")
    return tables.send("troyes", name, troyes.position(file, asked), line, troyes.is_playable(file, asked))


def _by_game(game: AnyGame, state: Any, line: str) -> Read:
    try:
        return Read("play", (game.read(state, ANNA, line).text,))
    except OrderRefused as refused:
        return Read("ask" if refused.orders else "refuse", choices=refused.orders, says=str(refused.reason))


def _meant(kind: str, read: Read, language: str, line: str, meant: Any, asks: bool) -> Tried:
    wanted = {"outcome": "ask", "among": list(meant)} if asks else {"outcome": "play", "orders": list(meant)}
    return Tried(f"{kind} wordings", line, language, wanted, read)


def _trap(kind: str, read: Read, line: str) -> Tried:
    return Tried("traps", f"{kind}: {line}", "", {"outcome": "refuse"}, read)
