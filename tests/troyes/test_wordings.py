"""What people write who have read only their mails: how much of it is read as meant at the first try.

The wordings (tests/wordings/troyes-*.toml) were written from the mails and from a table of phrases, before the reader
was taught them; not all of them have to be read, but none may be read as something else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.chance import Derived
from engine.errors import OrderRefused, Unclear
from engine.game import Seat, find
from engine.troyes.cases import lay
from engine.troyes.state.state import TroyesState

GAME = find("troyes")
ANNA = Seat("anna")
FOLDER = Path(__file__).parents[1] / "wordings"
FILES = ("turn", "alike", "counter", "ladies", "answers")
STRANGERS = ("stranger", "stranger-later", "stranger-third", "stranger-fourth", "judge")
"""Sheets of several moments, each a position of its own."""
FRAMES: dict[str, dict[str, Any]] = {
    "turn": {"step": "turns", "seat": "anna"},
    "counter": {"step": "counter", "seat": "anna"},
    "target": {"step": "target", "seat": "anna", "card": "archer"},
    "react": {"step": "reactions", "tile": "gain_influence_when_bought", "left": ["anna"]},
}
"""What lies on the agenda while the seat is asked."""

HELD = 0.85
"""The share that has to be read; it is printed."""


class Wording(NamedTuple):
    """A line, what is asked when it is written, and what it means: an order, or some to choose from."""

    file: str
    asked: str
    language: str
    line: str
    meant: tuple[str, ...]
    asks: bool


@cache
def _sheet(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"troyes-{name}.toml").read_text(encoding="utf-8"))


def table(name: str) -> dict[str, Any]:
    """A file's words, or those of one of its moments: `stranger early`."""
    file, _, moment = name.partition(" ")
    sheet: dict[str, Any] = _sheet(file)
    return sheet[moment] if moment else sheet


def sheets() -> Iterator[str]:
    """Every position that has words of its own."""
    yield from FILES
    for file in STRANGERS:
        yield from (f"{file} {name}" for name, moment in _sheet(file).items() if isinstance(moment, dict))


@cache
def position(name: str, asked: str) -> TroyesState:
    """A file's position, with Anna asked."""
    state = lay({"position": table(name)["position"]}, {"action": [], **table(name)["facts"]})
    state.agenda = [{"step": "course", "next": "end of round"}, frame(name, asked)]
    state.black = list(table(name).get("black", ()))
    state.asked = [{"seat": "anna", "kind": asked, "number": 1}]
    return state


def frame(name: str, asked: str) -> dict[str, Any]:
    """What lies on the agenda while the seat is asked; a moment says it itself, so that a letter can be played."""
    return table(name).get("frame", FRAMES.get(asked, {"step": asked}))


def is_playable(name: str, asked: str) -> bool:
    """Whether a position is fit for more than reading."""
    return asked in ("turn", "counter") or "frame" in table(name)


def wordings() -> Iterator[Wording]:
    for file in sheets():
        for group, rows in table(file).items():
            if group not in ("meant", "settle", "target", "support", "react", "give", "discard", "release"):
                continue
            for key, lines in rows.items():
                asks, language = key.startswith("ask"), key[-2:]
                for line, *meant in lines:
                    yield Wording(file, table(file).get("asked", group), language, line, tuple(meant), asks)


def read_as(wording: Wording) -> str:
    """Empty when it is read as meant, else what became of it."""
    state = position(wording.file, wording.asked)
    try:
        reading = GAME.read(state, ANNA, wording.line)
    except Unclear as unclear:
        same = wording.asks and sorted(unclear.orders) == sorted(wording.meant)
        return "" if same else f"asked back {unclear.orders}: {unclear.reason}"
    except OrderRefused as refusal:
        return f"refused: {refusal.reason}"
    if not wording.asks and reading.order == GAME.read(state, ANNA, wording.meant[0]).order:
        return ""
    try:
        GAME.apply(state, ANNA, reading.order, Derived(b"", [], ""))
    except OrderRefused as refusal:
        return f"refused: {refusal.reason}"
    return f"read as «{reading.text}»"


def traps() -> Iterator[tuple[str, str, str]]:
    for file in sheets():
        yield from ((file, table(file)["asked"], line) for line in table(file).get("traps", {}).get("lines", ()))
    for asked, rows in table("traps").items():
        for line in rows["lines"]:
            yield rows["in"].removeprefix("troyes-"), rows.get("asked", asked), line


@pytest.mark.parametrize("language", ("en", "fr"))
def test_most_wordings_are_read_as_meant_at_the_first_try(language: str) -> None:
    """What is not read is shown, and nothing is read as something else."""
    rows = [wording for wording in wordings() if wording.language == language]
    missed = {row.line: said for row in rows if (said := read_as(row))}
    rate = 1 - len(missed) / len(rows)
    print(
        f"\n{language}: {len(rows) - len(missed)} of {len(rows)} wordings read as meant at the first try ({rate:.1%})"
    )
    for line, said in missed.items():
        print(f"   {line}   {said}")
    assert len(rows) >= 100
    assert {} == {line: said for line, said in missed.items() if said.startswith("read as")}


def test_what_is_meant_is_an_order_as_it_is_written() -> None:
    """The right answers themselves are read; else a rate would measure the sheet."""
    for row in wordings():
        for text in row.meant:
            assert text == GAME.read(position(row.file, row.asked), ANNA, text).text, row


@pytest.mark.parametrize(("file", "asked", "line"), list(traps()), ids=lambda word: str(word))
def test_no_trap_is_played(file: str, asked: str, line: str) -> None:
    """Negated, conditional, of two minds, somebody else's die unnamed: refused or asked back, never played."""
    state = position(file, asked)
    with pytest.raises(OrderRefused):
        GAME.apply(state, ANNA, GAME.read(state, ANNA, line).order, Derived(b"", [], ""))


def test_there_are_enough_traps() -> None:
    assert len(list(traps())) >= 50
