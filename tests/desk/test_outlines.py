"""What is asked of all tables at once is read once, and again only of a table that has moved."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.admin.actions import lifecycle
from pbem.admin.tables import player_tables
from pbem.daemon.moderator_digest import ModeratorDigest
from pbem.desk.clock.table_summaries import table_summaries
from pbem.host.scheduler import Scheduler
from pbem.store.errors import Damaged
from pbem.store.game_table import Status
from pbem.store.row_cache import CACHE_FILE
from pbem.store.state_file import StoredGame
from tests.clocks.table import Clocked
from tests.desk.room import Room, opened_from_now


def opened(monkeypatch: pytest.MonkeyPatch, room: Room) -> list[str]:
    """The repositories that a new process opens from now on."""
    room.restart()
    return opened_from_now(monkeypatch)


def test_only_a_table_that_has_moved_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(tmp_path)
    for _ in range(4):
        room.open(2)
    first = dict(table_summaries(room.desk.services))
    names = opened(monkeypatch, room)
    assert first == dict(table_summaries(room.desk.services))
    assert [] == names
    room.desk.change("tally-2", "hold", lifecycle.hold("holidays"))
    room.restart()
    del names[:]
    again = dict(table_summaries(room.desk.services))
    assert ["tally-2"] == names
    assert "held" == again["tally-2"].status
    assert {name: one for name, one in again.items() if name != "tally-2"} == {
        name: one for name, one in first.items() if name != "tally-2"
    }


def test_what_is_kept_is_what_is_read(tmp_path: Path) -> None:
    """Tables that are late, held, invited to and given up, told by the file and without it."""
    room = Clocked(tmp_path)
    for late in ("wait", "default"):
        room.seated(late=late)
    room.open(2, now=False)
    room.seated(pace="none")
    room.wait(24 * 9)
    told = dict(table_summaries(room.desk.services))
    assert {True, False} == {one.late for one in told.values()}
    assert {True, False} == {one.paced for one in told.values()}
    assert told == dict(table_summaries(room.desk.services))
    (tmp_path / "mail" / CACHE_FILE).unlink()
    assert told == dict(table_summaries(room.desk.services))


def test_the_moderators_day_reads_nothing_that_has_not_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But the tables of which there is something to tell."""
    room = Clocked(tmp_path)
    room.seated(late="wait")
    room.seated()
    room.seated(pace="none")
    room.wait(24 * 20, until=lambda: room.stored("tally-1").secrets.reminded.get("anna", ()) and room.time.day == 20)

    def day() -> list[str]:
        told: list[str] = []
        needed = ModeratorDigest(room.desk.services, Scheduler(None, lambda: room.time), (), lambda says, game: told.append(f"{game}: {says}"))
        asyncio.run(needed.tell(None, room.time))  # type: ignore[arg-type]
        return told

    first = day()
    names = opened(monkeypatch, room)
    assert first == day()
    assert "tally-3" not in names
    assert any(line.startswith("tally-3: It has waited for ") for line in first)
    holder = room.people.holder("tally-3", "bob")
    room.people.change("tally-3", replace(holder, unreachable="no such mailbox"))
    assert "tally-3: Mail to Bob comes back: no such mailbox" in day()


def test_a_table_that_cannot_be_read_is_told_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> StoredGame:
        raise Damaged("its pack is gone")

    room = Room(tmp_path)
    room.open(2)
    with monkeypatch.context() as patch:
        patch.setattr(StoredGame, "read", damaged)
        seen = dict(table_summaries(room.desk.services))["tally-1"]
        assert ("its pack is gone", Status.RUNNING) == (seen.odd, seen.status)
        patch.setattr(StoredGame, "read_public", damaged)
        seen = dict(table_summaries(room.desk.services))["tally-1"]
        assert ("its pack is gone", None) == (seen.odd, seen.status)
        assert [] == list(player_tables.waiting_tables(room.desk.services))
    assert not dict(table_summaries(room.desk.services))["tally-1"].odd
