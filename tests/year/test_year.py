"""What of a host is bounded stays so, and each bound can be seen broken."""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.year import __main__ as command
from tests.year.__main__ import checked, lived, looked_through, picture, report
from tests.year.sim import DAY, Year

Lived = tuple[Year, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    """Four weeks of two tables, in which old bytes stay for six days."""
    logging.disable(logging.CRITICAL)
    found = lived(tmp_path_factory.mktemp("year"), seed=3, tables=2, months=2, keep=6, small=True)
    yield found, looked_through(found)
    found.service.close()
    logging.disable(logging.NOTSET)


def test_what_is_bounded_stays_so(year: Lived) -> None:
    """And every game that has ended can be read."""
    promises = checked(*year)
    assert {} == {name: one.broken for name, one in promises.items() if one.broken}
    told = report(year[0], year[1], promises)
    json.dumps(told)
    assert 2 == len(told["months"])
    assert {"troyes-dice": 2} == told["ended"]
    first, last = told["months"]
    assert last["letters"] > 20
    # Something was there to be forgotten, removed, and packed.
    assert last["mailbox"]["Handled"]["letters"] < last["letters"]
    assert last["spool"]["kept"] < last["letters"]
    assert last["packing"]["packs"] > last["packing"]["times"] >= 2
    assert last["packing"]["after"]["files"] < last["packing"]["before"]["files"]
    assert last["seconds"] >= first["seconds"]


def test_the_months_are_drawn(year: Lived, tmp_path: Path) -> None:
    told = report(*year, checked(*year))
    told["months"] = [{**told["months"][0], "memory": n * 10_000_000} for n in range(1, 13)]
    sheet = picture(told)
    sheet.savefig(tmp_path / "year.svg")
    drawn = {axes.get_title(): axes.lines for axes in sheet.axes}
    assert len(command.PANELS) == len(drawn)
    assert [10.0 * n for n in range(1, 13)] == list(drawn["Memory of the daemon, MB"][0].get_ydata())


def _unsound(year: Year, told: Any) -> None:
    told["fsck"]["rows"]["troyes-dice-1"] |= {"sound": False, "findings": ["a hole"]}


def _public(year: Year, told: Any) -> None:
    told["export"]["rows"]["troyes-dice-1"]["view"] = "public"


def _gone(year: Year, told: Any) -> None:
    del told["export"]["rows"]["troyes-dice-2"]


def _unpacked(year: Year, told: Any) -> None:
    year.config = SimpleNamespace(store=Path("/nowhere"))  # type: ignore[assignment]


def _of_month(*path: str, more: int) -> Callable[[Year, Any], None]:
    def grow(year: Year, told: Any) -> None:
        place = year.months_end[-1]
        for word in path[:-1]:
            place = place[word]
        place[path[-1]] += more

    return grow


PLANTED: tuple[tuple[str, Callable[[Year, Any], None], str], ...] = (
    ("fsck_finds_nothing", _unsound, "a hole"),
    ("every_ended_game_is_there", _public, "public"),
    ("every_ended_game_is_there", _gone, "troyes-dice-2: {}"),
    ("ended_games_are_packed", _unpacked, "0 packs"),
    ("old_bytes_are_forgotten", _of_month("spool", "oldest", more=20), "days ago"),
    ("little_stays_of_a_mail", _of_month("spool", "octets", more=2_000_000), "octets"),
    ("handled_letters_are_removed", _of_month("mailbox", "Handled", "letters", more=1000), "came since"),
    ("no_letter_lies_about", _of_month("mailbox", "INBOX", "letters", more=1), "2027-"),
    ("files_are_few", _of_month("store", "files", more=1000), "at most"),
    ("memory_does_not_grow", _of_month("memory", more=100_000_000), "at the end"),
)
"""Promises, a fault planted in what was measured, and what is told of it."""


@pytest.mark.parametrize(("name", "fault", "says"), PLANTED)
def test_every_bound_can_be_broken(year: Lived, name: str, fault: Callable[[Year, Any], None], says: str) -> None:
    one, told = copy.copy(year[0]), copy.deepcopy(year[1])
    one.months_end = copy.deepcopy(one.months_end)
    fault(one, told)
    assert any(says in broken for broken in checked(one, told)[name].broken)


def test_every_bound_is_seen_broken(year: Lived) -> None:
    assert checked(*year).keys() == {name for name, _, _ in PLANTED}


@pytest.mark.soak
def test_a_year_of_a_host_is_bounded(tmp_path: Path) -> None:
    found = lived(tmp_path, seed=2, tables=200, months=12, keep=60)
    promises = checked(found, looked_through(found))
    found.service.close()
    assert {} == {name: one.broken for name, one in promises.items() if one.broken}
    assert len(found.ended) > 190
    assert max(found.ended.values()) - min(found.ended.values()) > 200 * DAY
