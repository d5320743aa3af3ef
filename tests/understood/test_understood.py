"""What people write is read or one number away (`floors.toml`), and nothing is played that was not meant."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from .bench import Bench, Read
from .measure import LANGUAGES, LETTERS, TRAP, Tried, lines, rates, run, send, sheets, turned, without_cover

FLOORS: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))
SAMPLED = 0.8
"""The share of a sample's lines that is read, or one number away."""


def below(tried: Sequence[Tried], sheet: str, floors: dict[str, dict[str, Any]] = FLOORS) -> list[str]:
    """The figures of a sheet that do not reach their floors, and what was played otherwise than meant beyond what may be."""
    rows, found = dict(floors.get(sheet, {})), rates(tried)
    played = [f"{one.written}: {one.read.orders}" for one in tried if one.sheet == sheet and one.wrong]
    fallen = [] if len(played) <= rows.pop("wrong", 0) else played
    for group, figures in rows.items():
        rate = found[f"{sheet}, {group}"]
        fallen += [f"{group}: {name} {rate[name]}, not {floor:.1%}" for name, floor in figures.items() if rate[name].share < floor]
    return fallen


@pytest.fixture(scope="module")
def letters() -> list[Tried]:
    """Every letter, read once."""
    return run(LETTERS)


@pytest.mark.parametrize("sheet", ["letters", "courtesy", "later", "traps"])
def test_no_figure_of_letters_falls(letters: list[Tried], sheet: str) -> None:
    assert below(letters, sheet) == []


def test_letters_are_read_as_expected(letters: list[Tried]) -> None:
    assert [one.row() for one in letters if one.sheet == "letters" and not one.kept] == []


def test_there_are_letters_enough(letters: list[Tried]) -> None:
    """300 of programs, orders in both languages, 100 polite ones, and traps; a floor of no sheet would hold nothing."""
    assert sum(one.sheet == "letters" for one in letters) >= 300
    for language in LANGUAGES:
        assert sum(one.sheet == "letters" and one.group == language for one in letters) >= 100
    assert sum(one.sheet == "courtesy" for one in letters) >= 100
    assert sum(one.sheet == "traps" for one in letters) >= 100
    assert FLOORS.keys() <= {*sheets(), *(one.sheet for one in letters)}


@pytest.mark.parametrize("sheet", sheets())
def test_a_sample_of_lines_is_read_or_one_number_away(sheet: str) -> None:
    """Each third line of two mails: a table for each mail is what costs."""
    some = random.Random(sheet).sample(range(8), 2)
    found = [one for at in some for one in lines(sheet, mails=slice(at, at + 1), every=3)]
    assert [(one.written, one.read.orders) for one in found if one.wrong] == []
    meant = [one for one in found if one.group != TRAP]
    assert len(found) >= 10
    assert sum(one.right or one.place > 0 for one in meant) >= SAMPLED * len(meant)


@pytest.mark.soak
@pytest.mark.parametrize("sheet", sheets())
def test_no_figure_of_a_sheet_falls(sheet: str) -> None:
    """Each game and language by itself; no trap and nothing else than what was meant is played."""
    assert below(list(lines(sheet)), sheet) == []


def test_what_turns_an_order_into_none_is_never_played_over(tables: dict[str, Bench]) -> None:
    """Negations, conditions, second thoughts, somebody else: a sample of all that is made of them."""
    assert _played(tables, random.Random(11).sample(list(turned()), 40)) == []


@pytest.mark.soak
def test_nothing_that_turns_an_order_into_none_is_played_over(tables: dict[str, Bench]) -> None:
    """All of them, some 1,700 letters."""
    made = list(turned())
    assert len(made) >= 1500
    assert _played(tables, made) == []


def _played(tables: dict[str, Bench], made: Sequence[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    return [(text, read.orders) for kind, text in made if (read := send(tables[kind], text)).orders]


def test_the_judge_can_tell() -> None:
    """Played, asked back with it as number 2, something else, nothing; and a floor that is not reached is told."""
    played = Tried("letters", "en", "build with W2", ("build with W2",), Read("play", ("build with W2",)))
    asked = replace(played, read=Read("ask", choices=("pass", "build with W2")))
    other = replace(played, meant=("flip W2",))
    trap = replace(played, group=TRAP, meant=())
    assert [(one.right, one.wrong, one.place) for one in (played, asked, other, trap)] == [
        (True, False, 0), (False, False, 2), (False, True, 0), (False, True, 0)
    ]  # fmt: skip
    floors = {"letters": {"en": {"first": 0.5, "one": 1.0}}}
    assert below([asked, asked, trap], "letters", floors) == ["build with W2: ('build with W2',)", "en: first 0 of 2 (0.0%), not 50.0%"]
    assert below([asked, played], "letters", floors) == []


def test_the_exact_cover_can_be_switched_off() -> None:
    """What `make understood` says that it brings is the difference."""
    cover = pytest.importorskip("engine.kit.cover")
    assert cover.coverable_text("farm Y5")
    with without_cover():
        assert not cover.coverable_text("farm Y5")
    assert cover.coverable_text("farm Y5")
