"""How much of what people write is read, sheet by sheet.

Letters of tests/letters and of `letters.toml` are read at the two tables of `tables.toml`. A line of a sheet `natural-*`
or `talk*` is read at the position of the mail that it answers. A sheet is found by its name: no list of them is kept.
"""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

from .bench import MAIL, OWN, TOKEN, Bench, Read, laid_out
from .mailed import SHEETS, Reader, alike, positions, table

LETTERS = "letters"
"""What `run` takes for all letters, and where those of programs lie."""
PROGRAMS = SHEETS.parent / LETTERS
LANGUAGES = ("en", "fr")
TRAP = "trap"
"""The group of what orders nothing."""
_LANGUAGE = re.compile(r"-(en|fr|de|es|it|nl|pt|pl|sv|da)(?:-|$)")
UNPLAYED = frozenset({"ask", "refuse"})
"""Outcomes of which one is as good as the other, where nothing but «not played» was to be."""


@dataclass(frozen=True)
class Tried:
    """One letter or line, and what was made of it. `meant` are its orders, none for a trap; `wanted` is all that is said
    of a letter of tests/letters."""

    sheet: str
    group: str
    """The game and the language of a line, the language of a letter, or `trap`."""
    written: str
    meant: tuple[str, ...]
    read: Read
    wanted: dict[str, Any] | None = None

    @property
    def right(self) -> bool:
        """Played as meant."""
        return bool(self.meant) and self.read.outcome == "play" and alike(self.read.orders) == alike(self.meant)

    @property
    def wrong(self) -> bool:
        """Something was played that was not meant."""
        return bool(self.read.orders) and not self.right

    @property
    def place(self) -> int:
        """The number that plays what was meant, from 1; 0 for none."""
        among = [alike(tuple(one.split("\n"))) for one in self.read.choices]
        return among.index(alike(self.meant)) + 1 if self.meant and alike(self.meant) in among else 0

    @property
    def kept(self) -> bool:
        """Whether a letter of tests/letters was read as `expected.toml` has it."""
        wanted, read = self.wanted or {}, self.read
        orders, outcome = tuple(wanted.get("orders", ())), wanted.get("outcome", read.outcome)
        if outcome != read.outcome and not {outcome, read.outcome} <= UNPLAYED:
            return False
        if "choice" in wanted and read.choices[:1] != (wanted["choice"],):
            return False
        return read.orders == orders and read.talk == tuple(wanted.get("talk", read.talk))

    def row(self) -> dict[str, object]:
        """For `--red`."""
        read = {"outcome": self.read.outcome, "orders": self.read.orders, "choices": self.read.choices, "says": self.read.says}
        return {"sheet": self.sheet, "group": self.group, "written": self.written, "meant": self.meant, **read}


@dataclass(frozen=True)
class Rate:
    """So many of all."""

    some: int
    all: int

    @property
    def share(self) -> float:
        return self.some / self.all if self.all else 1.0

    def __str__(self) -> str:
        return f"{self.some} of {self.all} ({self.share:.1%})"


def rates(tried: Iterable[Tried]) -> dict[str, dict[str, Rate]]:
    """By sheet and group: what is read at the first try (`first`), that or by one number (`one`), by number 1 of what is asked back
    (`place1`), otherwise than meant (`wrong`); and the share of every outcome."""
    groups: dict[str, list[Tried]] = {}
    for one in tried:
        groups.setdefault(f"{one.sheet}, {one.group}", []).append(one)
    return {group: _rates(some) for group, some in groups.items()}


def _rates(tried: list[Tried]) -> dict[str, Rate]:
    every, asked = len(tried), [one for one in tried if not one.right and one.read.outcome != "play"]
    found = {"wrong": Rate(sum(one.wrong for one in tried), every)}
    if tried[0].meant:
        found["first"] = Rate(sum(one.right for one in tried), every)
        found["one"] = Rate(sum(one.right or one.place > 0 for one in tried), every)
        found["place1"] = Rate(sum(one.place == 1 for one in asked), len(asked))
    outcomes = Counter(one.read.outcome for one in tried)
    return found | {outcome: Rate(count, every) for outcome, count in outcomes.most_common()}


def sheets() -> list[str]:
    """The sheets of lines, by name."""
    return sorted(path.stem for form in ("natural-*", "talk*") for path in SHEETS.glob(f"{form}.toml"))


def lines(sheet: str, *, mails: slice = slice(None), every: int = 1) -> Iterator[Tried]:
    """A sheet's lines, read; of some of its mails, and each so-manieth line alone. `sheet` is a name or a file."""
    path = Path(sheet) if sheet.endswith(".toml") else SHEETS / f"{sheet}.toml"
    for mail in tomllib.loads(path.read_text(encoding="utf-8"))["mail"][mails]:
        at = mail.get("at") or mail["name"]
        game = positions()[at]["kind"]
        with tempfile.TemporaryDirectory() as folder:
            reader = Reader(table(Path(folder), at))
            for language in LANGUAGES:
                for written, text in mail.get(language, ())[::every]:
                    meant = reader.read(text.replace(" / ", "\n"))
                    assert meant.outcome == "play", (at, text, meant)
                    yield Tried(sheet, f"{game} {language}", written, meant.orders, reader.read(written))
            for written in mail.get("traps", ())[::every]:
                yield Tried(sheet, TRAP, written, (), reader.read(written))
            reader.hall.spool.close()


def run(sheet: str, more: Path | None = None, cover: bool = True) -> list[Tried]:
    """A sheet's lines, or all letters, read with the exact cover or without it; `more` are positions besides ours."""
    if more:
        positions().update(json.loads(more.read_text(encoding="utf-8")))
    with nullcontext() if cover else without_cover(), tempfile.TemporaryDirectory() as folder:
        return list(letters(Path(folder)) if sheet == LETTERS else lines(sheet))


def without_cover() -> AbstractContextManager[object]:
    """The exact cover of both games off: every line is too long for it."""
    return patch("engine.kit.cover.LONGEST", -1) if find_spec("engine.kit.cover") else nullcontext()


def letters(folder: Path) -> Iterator[Tried]:
    """Every letter of tests/letters of which it is said what becomes of it, and every one of `letters.toml`."""
    tables = {kind: laid_out(folder, kind) for kind in ("troyes", "dice")}
    for name, wanted in tomllib.loads((PROGRAMS / "expected.toml").read_text(encoding="utf-8")).items():
        if "outcome" in wanted:
            meant = wanted.get("orders", [wanted["choice"]] if wanted.get("meant") else [])
            language = _LANGUAGE.search(name)
            group = language[1] if language and language[1] in LANGUAGES else "other"
            read = _read(tables[wanted.get("game", "troyes")], (PROGRAMS / f"{name}.eml").read_bytes())
            yield Tried("letters", group if meant else TRAP, name, tuple(meant), read, wanted)
    sheet = whole_letters()
    for part in ("courtesy", "later", "traps"):
        for kind, languages in sheet[part].items():
            for language, texts in languages.items():
                for row in texts:
                    text, *meant = [row] if part == "traps" else row
                    yield Tried(part, language if meant else TRAP, text, tuple(meant), send(tables[kind], text))
    for each in tables.values():
        each.close()


def whole_letters() -> dict[str, Any]:
    """`letters.toml`."""
    return tomllib.loads((SHEETS / "letters.toml").read_text(encoding="utf-8"))


def turned() -> Iterator[tuple[str, str]]:
    """Letters made of an order and of words that turn it into none, each with its table."""
    for words in whole_letters()["turned"].values():
        for kind in ("troyes", "dice"):
            for order in words[kind]:
                yield from ((kind, before + order) for before in words["before"])
                yield from ((kind, order + after) for after in words["after"])


def send(bench: Bench, text: str) -> Read:
    """What becomes of an answer that holds a text and nothing else."""
    message = EmailMessage()
    message["From"] = "Anna <anna@home.test>"
    message["To"] = f"{OWN.replace('@', f'+{TOKEN}@')}"
    message["Subject"] = "Re: [troyes-12] Your turn, round 3 of 6"
    message["Date"] = "Fri, 20 Nov 2026 19:00:07 +0100"
    message["In-Reply-To"] = f"<{MAIL}>"
    message.set_content(text)
    return _read(bench, message.as_bytes())


def _read(bench: Bench, raw: bytes) -> Read:
    # A day later each time: budgets of a day and of an hour are no matter of reading.
    bench.time += timedelta(days=1)
    return bench.read(raw)
