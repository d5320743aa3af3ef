"""How much of what people write is read: the letters of tests/letters, and the wordings of tests/wordings.

`Tried` is one of them: what was meant, and what was made of it. Whether it is *right* is told by the rule of
`Tried.right`; the rates that a host would feel (played at the first try, mended by one number, played though not meant)
are counted from these by `rates`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from .bench import MAIL, OWN, TOKEN, Bench, Read, laid_out

FOLDER = Path(__file__).parent.parent
LETTERS = FOLDER / "letters"
WORDINGS = FOLDER / "wordings"
LANGUAGES = ("en", "fr")
_LANGUAGE = re.compile(r"-(en|fr|de|es|it|nl|pt|pl|sv|da)(?:-|$)")
UNPLAYED = frozenset({"ask", "refuse"})
"""Outcomes of which one is as good as the other, where nothing but «not played» was to be."""


@dataclass(frozen=True)
class Tried:
    """One letter or wording. `wanted` are its rows of the corpus: outcome, orders, talk, choice, meant; `among` are
    the orders of which it must be asked which is meant."""

    part: str
    """letters, courtesy, later, traps, troyes wordings, dice wordings."""
    name: str
    language: str
    wanted: dict[str, Any]
    read: Read

    @property
    def orders(self) -> tuple[str, ...]:
        """What was meant."""
        return tuple(self.wanted.get("orders", ()))

    @property
    def meant(self) -> bool:
        """Whether its writer gave an order."""
        return bool(self.wanted.get("meant", self.orders or self.among))

    @property
    def among(self) -> tuple[str, ...]:
        """What it may mean, where that cannot be told."""
        return tuple(self.wanted.get("among", ()))

    @property
    def played(self) -> bool:
        """At the first try, as it was meant; where that cannot be told: asked, between all that it may mean."""
        if self.among:
            return set(self.among) <= set(self.read.choices)
        return self.meant and bool(self.orders) and self.read.outcome == "play" and self.read.orders == self.orders

    @property
    def mended(self) -> bool:
        """Not at the first try, but one number plays it."""
        whole = "\n".join(self.orders) or self.wanted.get("choice", "")
        return self.meant and not self.played and bool({whole, *self.among} & set(self.read.choices))

    @property
    def wrong(self) -> bool:
        """Whether orders were played that were not meant."""
        return bool(self.read.orders) and self.read.orders != self.orders

    @property
    def right(self) -> bool:
        """Whether it was read as the contract has it."""
        wanted, read = self.wanted["outcome"], self.read
        if wanted != read.outcome and not {wanted, read.outcome} <= UNPLAYED:
            return False
        choice = self.wanted.get("choice")
        if choice is not None and (not read.choices or read.choices[0] != choice):
            return False
        if not set(self.among) <= set(read.choices):
            return False
        return read.orders == self.orders and read.talk == tuple(self.wanted.get("talk", read.talk))


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


def letters_and_traps(folder: Path) -> list[Tried]:
    """Every letter and whole wording, read at tables made in `folder`."""
    tables = {kind: laid_out(folder, kind) for kind in ("troyes", "dice")}
    found = list(letters(tables))
    for name in ("courtesy", "later", "traps", "traps-later"):
        found += wordings(tables, name)
    for table in tables.values():
        table.close()
    return found


def letters(tables: dict[str, Bench]) -> Iterator[Tried]:
    """The letters of programs of which it is said what becomes of them."""
    expected = tomllib.loads((LETTERS / "expected.toml").read_text(encoding="utf-8"))
    for name, wanted in expected.items():
        if "outcome" in wanted:
            language = _LANGUAGE.search(name)
            read = _read(tables[wanted.get("game", "troyes")], (LETTERS / f"{name}.eml").read_bytes())
            yield Tried("letters", name, language[1] if language else "", wanted, read)


def wordings(tables: dict[str, Bench], name: str) -> Iterator[Tried]:
    """Whole letters without a program's habits: `courtesy` and `later`, which order, and traps, which do not."""
    part = name.partition("-")[0]
    rows = tomllib.loads((WORDINGS / f"letters-{name}.toml").read_text(encoding="utf-8"))
    for kind, languages in rows.items():
        for language, texts in languages.items():
            for nth, row in enumerate(texts, 1):
                text, orders = (row, ()) if isinstance(row, str) else (row[0], row[1:])
                wanted = {"outcome": "play" if orders else "refuse", "orders": list(orders)}
                yield Tried(part, f"{kind} {nth}: {text}", language, wanted, send(tables[kind], text))


def turned() -> Iterator[tuple[str, str]]:
    """Letters made of an order and of words that turn it into none, each with its table."""
    rows = tomllib.loads((WORDINGS / "letters-turned.toml").read_text(encoding="utf-8"))
    for words in rows.values():
        for kind in ("troyes", "dice"):
            for order in words[kind]:
                yield from ((kind, before + order) for before in words["before"])
                yield from ((kind, order + after) for after in words["after"])


def send(table: Bench, text: str) -> Read:
    """What becomes of an answer that holds a text and nothing else."""
    return _read(table, _plain(text))


def _read(table: Bench, raw: bytes) -> Read:
    # A day later each time: budgets of a day and of an hour are no matter of reading.
    table.time += timedelta(days=1)
    return table.read(raw)


def _plain(text: str) -> bytes:
    message = EmailMessage()
    message["From"] = "Anna <anna@home.test>"
    message["To"] = f"{OWN.replace('@', f'+{TOKEN}@')}"
    message["Subject"] = "Re: [troyes-12] Your turn, round 3 of 6"
    message["Date"] = "Fri, 20 Nov 2026 19:00:07 +0100"
    message["In-Reply-To"] = f"<{MAIL}>"
    message.set_content(text)
    return message.as_bytes()


def rates(tried: Sequence[Tried]) -> dict[str, Rate]:
    """The figures, by name."""
    found: dict[str, Rate] = {}
    for part in ("letters", "courtesy", "later", "troyes wordings", "dice wordings"):
        meant = [one for one in tried if one.part == part and one.meant]
        groups = {language: [one for one in meant if one.language == language] for language in LANGUAGES}
        groups["other"] = [one for one in meant if one.language not in LANGUAGES]
        for language, some in groups.items():
            if some:
                found[f"{part}, {language}, first try"] = Rate(sum(one.played for one in some), len(some))
                ways = sum(one.played or one.mended for one in some)
                found[f"{part}, {language}, first try or one number"] = Rate(ways, len(some))
    ours = [one for one in tried if one.part == "letters"]
    found["letters, read as the contract has it"] = Rate(sum(one.right for one in ours), len(ours))
    found["orders played that were not meant"] = Rate(sum(one.wrong for one in tried), len(tried))
    traps = [one for one in tried if one.part == "traps"]
    found["traps played"] = Rate(sum(bool(one.read.orders) for one in traps), len(traps))
    return found
