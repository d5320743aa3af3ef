"""The daemon's loop and the clocks: after the letters, never while mail cannot go out; and what lasts between starts."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.admin.actions import lifecycle, time_limits
from pbem.daemon import timekeeping
from pbem.daemon.heartbeat import HeartbeatWriter, read_heartbeat
from pbem.daemon.main_loop import Daemon
from pbem.daemon.moderator_digest import ModeratorDigest
from pbem.host.scheduler import Scheduler
from pbem.outbound.sender import SendDelayed
from pbem.store.commit_record import read_records
from pbem.store.errors import StoreError
from tests.clocks.table import HOUR, Clocked
from tests.daemon.fakes import Host


class Clocks:
    """Notes what was answered when it was asked."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.looks: list[tuple[datetime | None, list[str]]] = []
        self.complete = True

    def look(self, well: datetime | None, *, waiting: bool = False, once: bool = False) -> int:
        self.looks.append((well, list(self.host.desk.handled)))
        return 0

    def soon(self, longest: float) -> float:
        return min(longest, 0.05)


def kept(folder: Path) -> tuple[Host, Clocks]:
    host = Host(folder)
    clocks = Clocks(host)
    host.daemon = Daemon(replace(host.parts, clocks=clocks))
    return host, clocks


async def test_letters_that_wait_are_read_before_anything_is_due(tmp_path: Path) -> None:
    host, clocks = kept(tmp_path)
    host.box.deliver("one", "two")
    await host.until(lambda: clocks.looks)
    assert ["one", "two"] == clocks.looks[0][1]


async def test_that_all_is_well_is_said_once_every_table_was_looked_at(tmp_path: Path) -> None:
    """Until then what was due may not be done: the next start goes by when it last was."""
    host, clocks = kept(tmp_path)
    clocks.complete = False
    before = host.pulse.well

    await host.until(lambda: len(clocks.looks) > 2)
    assert host.pulse.well == before
    host, clocks = kept(tmp_path)
    await host.until(lambda: clocks.looks)
    assert host.pulse.well != before


async def test_no_clock_runs_while_mail_cannot_go_out(tmp_path: Path) -> None:
    host, clocks = kept(tmp_path)
    host.server.trouble = SendDelayed("no server", 0)
    host.box.deliver("one")
    await host.until(lambda: host.box.waited.is_set() and host.outbox.trouble)
    assert [] == clocks.looks
    assert host.pulse.well is None


async def test_the_heartbeat_says_when_the_post_last_went(tmp_path: Path) -> None:
    """Over starts, too: that is how a daemon that comes back knows for how long there was none."""
    host, clocks = kept(tmp_path)
    await host.until(lambda: len(clocks.looks) > 1)
    first = host.pulse.well
    assert first is not None
    beat = read_heartbeat(tmp_path / "heartbeat.toml")
    assert beat is not None
    assert beat.well == first
    assert HeartbeatWriter(tmp_path / "heartbeat.toml", lambda: datetime.now(UTC), {}).well == first


def test_an_outage_is_counted_from_the_last_sign_where_nothing_else_tells(tmp_path: Path) -> None:
    """A heartbeat that was lost: nobody is played for because of it."""
    room = Clocked(tmp_path)
    room.seated()
    room.wait(20)
    room.well = None
    room.time += 24 * 30 * HOUR
    room.restart()
    assert 0 == room.look()
    assert 1 == len(room.reports)
    begun = room.time
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert room.time >= begun + 12 * HOUR


def test_a_letter_that_cannot_be_answered_holds_the_clocks_for_an_hour(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated()
    room.wait(23)
    room.time += 2 * HOUR
    assert 0 == room.keeper.look(room.time, waiting=True)
    room.time += HOUR
    assert 1 == room.keeper.look(room.time, waiting=True)


async def needs(room: Clocked) -> list[str]:
    told: list[str] = []
    clock = Scheduler(None, lambda: room.time)
    needed = ModeratorDigest(room.desk.services, clock, (room.folder,), lambda says, game: told.append(f"{game}: {says}"))
    for due in clock.dues():
        await needed.tell(due, room.time)
    return told


def test_the_moderator_hears_nothing_where_nobody_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.daemon.moderator_digest.DISK_FREE_LEAST", 0.0)
    room = Clocked(tmp_path)
    room.seated()
    room.wait(48)
    assert [] == asyncio.run(needs(room))


def test_the_moderator_hears_who_needs_him(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is late, who bounces, what is held, a full disk."""
    monkeypatch.setattr("pbem.daemon.moderator_digest.DISK_FREE_LEAST", 2.0)
    room = Clocked(tmp_path)
    room.seated(late="wait")
    room.wait(72)
    told = asyncio.run(needs(room))
    assert any("is nearly full" in line for line in told)
    assert "tally-1: Anna is late, and nothing is played for who is late." in told
    room.desk.change("tally-1", "hold", lifecycle.hold("holidays"))
    room.time += timedelta(days=20)
    assert "tally-1: It has been held for 20 days." in asyncio.run(needs(room))


def test_a_moderator_who_plays_hears_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What he may know of a sealed answer is what the table may."""
    room = Clocked(tmp_path)
    room.people.moderator = room.people.moderator.__class__(room.people.moderator.seat, "", ("bob@people.test",))
    room.seated(3, kind="troyes-dice", late="wait")
    room.wait(24 * 4)
    told = [got.text.replace("\n", " ") for got in room.mails("gm")]
    assert told
    assert all("Somebody has not answered in time" in text for text in told)
    assert not any(name in text for text in told for name in ("Anna", "Cleo"))
    assert [] == [line for line in asyncio.run(needs(room)) if "late" in line]


@pytest.mark.parametrize("stopped", [False, True])
def test_a_table_that_cannot_be_worked_on_is_moved_when_it_can(tmp_path: Path, stopped: bool) -> None:
    """A game edited by hand is parked, and so are its letters: its clocks stand, too, whether the daemon is stopped
    meanwhile or not."""
    room = Clocked(tmp_path)
    room.seated()
    room.wait(59)
    file = room.folder / "games" / "tally-1" / "state.toml"
    before = file.read_bytes()
    file.write_bytes(before + b"# by hand\n")
    assert [] == room.kinds(room.wait(24))
    if stopped:
        room.restart()
    file.write_bytes(before)
    begun = room.time
    assert [True] == [one.startswith("The clocks of this table stand, since it cannot be worked on: ") for one in room.reports]
    room.look()
    assert room.state().turn == "anna"
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert begun + HOUR <= room.time
    told = f" to {begun:%Y-%m-%d %H:%M} (UTC): its clocks were moved by that time."
    assert [True] == [one.startswith("This table could not be worked on from ") and one.endswith(told) for one in room.reports[1:]]


def test_a_table_at_which_the_program_fails_stands_until_that_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moderator is told once that it does, and once that it does no more; nothing is written in between."""
    room = Clocked(tmp_path)
    room.seated()

    def fails(*given: Any) -> None:
        raise KeyError("odd")

    with monkeypatch.context() as patch:
        patch.setattr(timekeeping, "due_result", fails)
        assert [] == room.kinds(room.wait(100))
    assert ["The clocks of this table stand, since it cannot be worked on: KeyError: 'odd'"] == room.reports
    assert "outage" not in [record.what for record in read_records(room.store.open("tally-1"))]
    begun = room.time
    room.look()
    assert 2 == len(room.reports)
    room.wait(100, until=lambda: room.state().turn == "bob")
    assert begun + 30 * HOUR <= room.time


def test_what_stood_where_no_clock_ran_gives_no_time_to_a_pace_that_comes_long_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> str:
        raise StoreError(f"{name} is damaged")

    room = Clocked(tmp_path)
    room.seated(2, "none")
    with monkeypatch.context() as patch:
        patch.setattr(room.store, "head", broken)
        patch.setattr(room.store, "open", broken)
        room.look()
    assert 1 == len(room.reports)
    room.wait(24 * 30)
    room.desk.change("tally-1", "pace", time_limits.set_pace("brisk", "we want to go on"))
    room.deliver()
    room.look()
    assert "outage" not in [record.what for record in read_records(room.store.open("tally-1"))]


def test_a_table_that_is_gone_stands_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is opened later may have its name, and is given no time that it did not lose."""
    room = Clocked(tmp_path)
    room.seated()
    file = room.folder / "games" / "tally-1" / "state.toml"
    file.write_bytes(file.read_bytes() + b"# by hand\n")
    room.wait(59)
    marks = room.folder / "mail" / "stood.toml"
    assert "tally-1" in marks.read_text()
    shutil.rmtree(room.folder / "games" / "tally-1")
    room.restart()
    room.look()
    assert "tally-1" not in marks.read_text()


def test_a_clock_that_starts_late_is_not_forgotten_for_anothers(tmp_path: Path) -> None:
    """Cleo's mail is taken after the others', who are reminded late: her reminder comes in its own time."""
    room = Clocked(tmp_path)
    room.mails_go = False
    room.seated(3, "slow", "troyes-dice")
    for holder in room.people.holders("troyes-dice-1")[:2]:
        room.people.change("troyes-dice-1", replace(holder, remind=3))
    ready = room.spool.rows(state="ready")
    room.spool.sent([row.message_id for row in ready if row.seat != "cleo"], room.time)
    room.keeper.look(room.time)
    room.time += HOUR
    room.spool.sent([row.message_id for row in ready], room.time)
    room.mails_go = True
    (got,) = room.wait(48)
    assert ("cleo", "reminder", 7.0) == (got.seat, got.kind, room.hour(got))
