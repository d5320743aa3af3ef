"""The rates of `make understood` have floors, and nothing is played that was not meant."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from .bench import laid_out
from .measure import LANGUAGES, Tried, letters_and_traps, rates, send, turned

FLOORS = {
    "letters, en, first try": 126 / 133,
    "letters, en, first try or one number": 1.0,
    "letters, fr, first try": 122 / 127,
    "letters, fr, first try or one number": 1.0,
    "letters, other, first try": 1.0,
    "courtesy, en, first try": 47 / 50,
    "courtesy, en, first try or one number": 1.0,
    "courtesy, fr, first try": 48 / 50,
    "courtesy, fr, first try or one number": 1.0,
    "later, en, first try": 33 / 40,
    "later, en, first try or one number": 1.0,
    "later, fr, first try": 33 / 40,
    "later, fr, first try or one number": 1.0,
    "letters, read as the contract has it": 1.0,
}
"""Rates that must not fall."""


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> list[Tried]:
    """Every letter and wording, read once."""
    return letters_and_traps(tmp_path_factory.mktemp("understood"))


@pytest.mark.parametrize("name", FLOORS)
def test_rate_does_not_fall(tried: list[Tried], name: str) -> None:
    """The floors are what is reached: whatever is above one becomes the floor."""
    found = rates(tried)[name]
    assert found.share >= FLOORS[name], f"{name}: {found}"


def test_nothing_is_played_that_was_not_meant(tried: list[Tried]) -> None:
    """Another order than the writer's is worse than any number of refusals."""
    assert [(one.name, one.read.orders) for one in tried if one.wrong] == []


def test_no_trap_is_played(tried: list[Tried]) -> None:
    """Nor is an order, where none was given at all."""
    traps = [one for one in tried if one.part == "traps"]
    assert len(traps) >= 100
    assert [one.name for one in traps if one.read.orders] == []


def test_what_turns_an_order_into_none_is_never_played_over(tmp_path: Path) -> None:
    """Negations, conditions, second thoughts, somebody else: a sample of all that is made of them."""
    assert _played(tmp_path, random.Random(11).sample(list(turned()), 40)) == []


@pytest.mark.soak
def test_nothing_that_turns_an_order_into_none_is_played_over(tmp_path: Path) -> None:
    """All of them, some 1,700 letters."""
    letters = list(turned())
    assert len(letters) >= 1500
    assert _played(tmp_path, letters) == []


def _played(folder: Path, letters: Sequence[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    tables = {kind: laid_out(folder, kind) for kind in ("troyes", "dice")}
    found = [(text, read.orders) for kind, text in letters if (read := send(tables[kind], text)).orders]
    for table in tables.values():
        table.close()
    return found


def test_corpus_is_as_large_as_it_should_be(tried: list[Tried]) -> None:
    """300 letters, orders in both languages, and 100 polite ones."""
    letters = [one for one in tried if one.part == "letters"]
    assert len(letters) >= 300
    for language in LANGUAGES:
        assert sum(one.meant and one.language == language for one in letters) >= 100
    assert sum(one.part == "courtesy" for one in tried) >= 100


def test_a_letter_that_is_read_otherwise_is_told_from_one_that_is_not(tried: list[Tried]) -> None:
    """The judge itself: what was played for somebody is wrong for who meant something else."""
    played = next(one for one in tried if one.played)
    other = Tried(played.part, played.name, played.language, {"outcome": "play", "orders": ["flip W2"]}, played.read)
    nothing = Tried(played.part, played.name, played.language, {"outcome": "refuse"}, played.read)
    assert (played.right, played.wrong) == (True, False)
    assert [(one.right, one.wrong, one.played) for one in (other, nothing)] == [(False, True, False)] * 2
