"""Clocks that stand still, jump, or begin anew with a lost spool: nobody is played for by them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.clocks.table import HOUR, Clocked


@pytest.mark.parametrize("years", [10, -10])
@pytest.mark.parametrize("hours", [30, 47, 57])
def test_a_lost_spool_takes_nobodys_time(tmp_path: Path, hours: int, years: int) -> None:
    """When a mail was taken is lost with it: it counts from when that was found, by the clock that all goes by."""
    room = Clocked(tmp_path)
    room.time += timedelta(days=365 * years)
    room.well = room.time
    room.seated()
    room.wait(hours)
    assert room.state().turn == "anna"
    room.lose_spool()
    lost = room.time
    room.wait(24 * 7, until=lambda: room.state().turn == "bob")
    assert lost + 60 * HOUR <= room.time <= lost + 84 * HOUR


def test_no_clock_runs_for_who_cannot_be_reached(room: Clocked) -> None:
    """A hard bounce stops it, and the others are told in one neutral line."""
    holder = room.people.holder("tally-1", "anna")
    room.people.change("tally-1", replace(holder, unreachable="mail came back on 2026-11-24"))
    assert [] == room.wait(24 * 14)
    assert "Mail does not reach Anna at present; the moderator has been told." in room.says("bob", "status")


def test_time_without_post_does_not_count(room: Clocked) -> None:
    """Everything is moved by it, and at least to the next waking hour; the moderator is told once."""
    begun = room.time
    room.wait(40)
    room.time += 24 * HOUR
    assert 0 == room.look()
    assert ["There was no post from 2026-11-26 01:00 to 2026-11-27 01:00 (UTC): the clocks of 1 table were moved by that time."] == room.reports
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= begun + (60 + 24) * HOUR
    assert "because for a time there was no post" in room.last("bob").text.replace("\n", " ")
    assert 1 == len(room.reports)


@pytest.mark.parametrize("years", [10, -10])
def test_a_clock_that_jumps_defaults_nobody(room: Clocked, years: int) -> None:
    """Ten years ahead, or back, and then right again: nobody is played for sooner than they would have been."""
    room.wait(40)
    jump = timedelta(days=365 * years)
    room.time += jump
    assert 0 == room.look()
    assert [] == room.kinds(room.wait(1))
    room.time -= jump
    assert 0 == room.look()
    right = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert right + 18 * HOUR <= room.time <= right + 60 * HOUR


@pytest.mark.parametrize("days", [10, 365])
def test_who_is_asked_once_a_clock_is_right_again_has_all_the_time(room: Clocked, days: int) -> None:
    """It had run ahead; the letter that comes first then is read before clocks are moved back."""
    room.time += timedelta(days=days)
    assert 0 == room.look()
    room.time -= timedelta(days=days) - HOUR
    room.send("anna", "add 2")
    assert "bob" == room.state().turn
    assert 0 == room.look()
    right = room.time
    room.wait(100, until=lambda: room.defaults("bob"))
    assert right + 60 * HOUR <= room.time


def test_a_crash_while_clocks_are_moved_moves_none_twice(room: Clocked, monkeypatch: pytest.MonkeyPatch) -> None:
    room.seated()
    begun = room.time
    room.wait(40)
    room.time += 24 * HOUR
    moved, real = [], room.keeper._move

    def dies(name: str, *given: datetime) -> bool:
        if moved:
            raise KeyboardInterrupt
        moved.append(name)
        return real(name, *given)

    monkeypatch.setattr(room.keeper, "_move", dies)
    with pytest.raises(KeyboardInterrupt):
        room.look()
    room.restart()
    room.look()
    found = [room.stored(name).table.seat("anna").clock for name in ("tally-1", "tally-2")]
    assert [24] * 2 == [one.more // 3600 for one in found if one is not None]
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= begun + (60 + 24) * HOUR


def test_a_clock_that_was_set_back_is_told_as_that(room: Clocked) -> None:
    """Not as a time without post that ends before it begins."""
    room.time = room.well = room.time + 2 * HOUR
    room.time -= 88 * HOUR / 60
    room.look()
    (told,) = room.reports
    assert "The clock of this host was set back from 2026-11-24 11:00 to 2026-11-24 09:32" in told
    assert "no post" not in told
    assert "was set right" in room.says("bob", "history").replace("\n", " ") + room.last("bob").text
