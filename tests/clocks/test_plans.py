"""What was planned before a restart: nothing due is missed or done twice for it, and nothing that is not due is read."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.admin.actions import time_limits
from pbem.daemon import schedule_cache
from pbem.daemon.timekeeping import Timekeeper
from pbem.host.people import Holder
from pbem.store.commit_record import read_records
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.journal import Journal
from pbem.store.row_cache import CACHE_FILE, CachedRows
from tests.clocks.table import HOUR, Clocked
from tests.desk.room import opened_from_now
from tests.store.test_crashes import Crash, crash

SEEDS = 6


@contextmanager
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The repositories that are opened in the block; with «~», those of which a commit is looked into without that."""
    peek = GameStore.peek

    def peeked(self: GameStore, name: str, *more: str) -> object:
        names.append(f"~{name}")
        return peek(self, name, *more)

    with monkeypatch.context() as patch:
        names = opened_from_now(patch)
        patch.setattr(GameStore, "peek", peeked)
        yield names


def hall(folder: Path) -> Clocked:
    """Three tables with a pace, three without, one whose people are invited."""
    room = Clocked(folder)
    for pace in ("medium", "brisk", "slow"):
        room.seated(pace=pace)
        room.seated(pace="none")
    room.open(2, now=False)
    room.deliver()
    room.look()
    return room


def test_a_restart_opens_no_repository_of_which_nothing_is_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = hall(tmp_path)
    room.restart()
    with opened(monkeypatch) as names:
        room.look()
        assert [] == names
        assert room.keeper.complete
        # The brisk table is due first; the others are left alone.
        room.time += timedelta(seconds=room.keeper.soon(timedelta(days=9).total_seconds()))
        room.restart()
        room.well = room.time
        assert 1 == room.look()
        assert {"tally-3"} == {name.strip("~") for name in names}


def test_without_the_file_only_tables_with_a_clock_are_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = hall(tmp_path)
    (tmp_path / "mail" / CACHE_FILE).unlink()
    room.restart()
    with opened(monkeypatch) as names:
        room.look()
    assert {"tally-1", "tally-3", "tally-5", "tally-7"} == {name for name in names if name[0] != "~"}
    assert {"~tally-2", "~tally-4", "~tally-6"} <= set(names)


def planned(room: Clocked) -> int:
    """How many tables a new process reads; it does nothing else."""
    room.restart()
    with pytest.MonkeyPatch.context() as monkeypatch, opened(monkeypatch) as names:
        room.look()
    return len({name.strip("~") for name in names})


def commits(room: Clocked) -> None:
    room.desk.change("tally-1", "pace", time_limits.set_pace("slow", "we want to"))


def moves_away(room: Clocked) -> None:
    room.store.put_out("tally-1")


def comes_back(room: Clocked) -> None:
    """Another history under the same name, as a restore or a move brings it."""
    shutil.rmtree(room.folder / "games" / "tally-1")
    shutil.copytree(room.folder / "games" / "tally-5", room.folder / "games" / "tally-1")


def sleeps_longer(room: Clocked) -> None:
    person(room, lambda one: replace(one, quiet="20-9"))


def person(room: Clocked, change: Callable[[Holder], Holder]) -> None:
    room.people.change("tally-1", change(room.people.holder("tally-1", "anna")))


def loses_a_mail(room: Clocked) -> None:
    row = next(row for row in room.spool.rows(game="tally-1") if row.seat == "anna")
    with room.spool.change() as db:
        db.execute("UPDATE outbox SET state = 'failed' WHERE message_id = ?", (row.message_id,))


def edits(room: Clocked) -> None:
    file = room.folder / "games" / "tally-1" / "state.toml"
    file.write_bytes(file.read_bytes() + b"# by hand\n")


def edits_and_mends(room: Clocked) -> None:
    edits(room)
    room.store.open("tally-1").restore(["state.toml"])


def goes_elsewhere(room: Clocked) -> None:
    head = room.folder / "games" / "tally-1" / ".git" / "HEAD"
    head.write_text("ref: refs/heads/mine\n")


def is_set_back(room: Clocked) -> None:
    room.time -= timedelta(minutes=4)


@pytest.mark.parametrize(
    "action", [commits, comes_back, sleeps_longer, loses_a_mail, edits, edits_and_mends, goes_elsewhere]
)
def test_what_has_changed_behind_its_back_is_read_again(tmp_path: Path, action: Callable[[Clocked], None]) -> None:
    """One table of seven, and only that one."""
    room = hall(tmp_path)
    assert 0 == planned(room)
    action(room)
    room.deliver()
    assert 1 == planned(room)


def test_a_table_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    room = hall(tmp_path)
    moves_away(room)
    assert 0 == planned(room)
    rows = room.keeper._plans._rows.all()
    assert "tally-1" not in rows
    assert "tally-2" in rows


def test_a_plan_of_a_clock_that_ran_ahead_is_not_believed(tmp_path: Path) -> None:
    room = hall(tmp_path)
    is_set_back(room)
    room.well = room.time
    assert 4 == planned(room)


@pytest.mark.parametrize("beside", ["program_digest", "_zones"])
def test_another_version_or_other_zones_believe_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str
) -> None:
    room = hall(tmp_path)
    monkeypatch.setattr(schedule_cache, beside, lambda: "another")
    assert 7 == planned(room)
    assert 0 == planned(room)


def test_while_it_runs_what_others_have_changed_is_found_by_the_next_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = hall(tmp_path)
    other = Clocked(tmp_path)
    commits(other)
    sleeps_longer(other)
    with opened(monkeypatch) as names:
        room.time += schedule_cache.WALK
        room.look()
        assert {"tally-1"} == {name.strip("~") for name in names}
        del names[:]
        room.time += schedule_cache.WALK
        room.look()
        assert [] == names


def test_a_table_that_this_process_has_moved_is_looked_at_at_once(tmp_path: Path) -> None:
    """Without a walk: thousands are not asked after every letter."""
    room = hall(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        # Half a minute is over before the letter is written.
        patch.setattr(schedule_cache, "WALK", HOUR)
        patch.setattr(GameStore, "names", lambda self: pytest.fail("a walk"))
        room.send("anna", "add 1", to=next(got for got in room.mails("anna") if got.message["X-PBEM-Game"] == "tally-3"))
        room.deliver()
        before = room.keeper._plans._plans["tally-3"]
        room.look()
        assert room.keeper._plans._plans["tally-3"].head == room.store.head("tally-3") != before.head


# Whatever becomes of the file, all that people are sent and all that is recorded is the same.


def kept(file: Path, dice: random.Random) -> None:
    """It is there."""


def lost(file: Path, dice: random.Random) -> None:
    """Somebody has removed it."""
    for one in file.parent.glob(f"{CACHE_FILE}*"):
        one.unlink()


def torn(file: Path, dice: random.Random) -> None:
    """A damaged disk."""
    if file.exists():
        raw = bytearray(file.read_bytes())
        for _ in range(40):
            raw[dice.randrange(len(raw))] = dice.randrange(256)
        file.write_bytes(raw[: dice.choice((len(raw), dice.randrange(len(raw))))])


def old(file: Path, dice: random.Random) -> None:
    """One of some time ago has come back."""
    aside = file.with_name("an older one")
    if file.exists():
        if not aside.exists() or dice.random() < 0.3:
            shutil.copy(file, aside)
        shutil.copy(aside, file)


Fate = Callable[[Path, random.Random], None]


def story(folder: Path, seed: int, fate: Fate) -> list[object]:
    """Days of some tables with restarts, kills, letters, edits, time without post; all that came of it."""
    room, dice, fates = Clocked(folder), random.Random(seed), random.Random(seed)
    for pace in ("brisk", "medium", "none"):
        room.seated(pace=pace)
    room.seated(3, "brisk", "troyes-dice", late="wait")
    for _ in range(25):
        match dice.randrange(9):
            case 0 | 1 | 2:
                room.wait(dice.choice((1, 5, 11, 30)))
            case 3:
                seat = room.state().turn
                if seat:
                    room.says(seat, dice.choice(("add 1", "status", "away 2 days", "quiet 20-9")))
            case 4:
                person(room, lambda one: replace(one, quiet=dice.choice(("", "20-9", "off"))))
            case 5:
                room.mails_go = not room.mails_go
            case 6:
                other = Clocked(folder)
                if other.stored().table.status == "running":
                    pace = "slow" if other.stored().table.pace.name == "brisk" else "brisk"
                    other.desk.change("tally-1", "pace", time_limits.set_pace(pace, "we want to"))
            case 7:
                edits_and_mends(room)
            case 8:
                room.time += dice.choice((20, 200)) * HOUR / 10
        dies(room, dice)
        room.spool.close()
        fate(folder / "mail" / CACHE_FILE, fates)
        room.restart()
    room.mails_go = True
    room.wait(200)
    told: list[object] = [(got.seat, got.kind, got.raw) for got in room.mails()]
    for name in room.store.names():
        told += [(name, one.number, one.what, one.at) for one in read_records(room.store.open(name))]
    return [*told, *room.reports, room.time]


def dies(room: Clocked, dice: random.Random) -> None:
    """Kill -9 at some step of the next look."""
    room_, step = dice.choice(((GameRepo, "finish"), (CachedRows, "keep"), (Timekeeper, "_work_on"), (Journal, "begin")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room_, step, crash)
        with suppress(Crash):
            room.look()


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("fate", [kept, torn, old])
def test_nothing_depends_on_the_file(tmp_path: Path, seed: int, fate: Fate) -> None:
    assert story(tmp_path / "without", seed, lost) == story(tmp_path / "with", seed, fate)


def test_letters_are_answered_while_thousands_of_tables_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice at a time; until the last nobody may say that all that was due is done. What is due comes once."""
    room = hall(tmp_path)
    room.time += 12.5 * HOUR
    room.well = room.time
    before = len(room.mails())
    lost(tmp_path / "mail" / CACHE_FILE, random.Random())
    monkeypatch.setattr(schedule_cache, "SLICE", 1)
    room.restart()
    left = 0
    room.look()
    while not room.keeper.complete:
        left += 1
        assert room.keeper.soon(60) < 1
        if left == 2:
            mail = next(got for got in room.mails("anna") if got.message["X-PBEM-Game"] == "tally-2")
            assert ["turn"] == [got.kind for got in room.sent_by("anna", "add 1", to=mail) if got.seat == "bob"]
            room.time -= timedelta(minutes=1)
        room.look()
    assert 6 == left
    assert room.keeper.soon(60) >= 1
    kinds = [(got.message["X-PBEM-Game"], got.kind) for got in room.mails()[before:] if got.kind == "reminder"]
    assert [("tally-3", "reminder")] == kinds
