from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.host.scheduler import AFTER_TROUBLE, DueTime, Scheduler
from tests.patience import PATIENCE

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Hands:
    """A clock's hands, moved by the test; and what was rung."""

    def __init__(self) -> None:
        self.at = NOON
        self.rung: list[str] = []
        self.again: datetime | None = None

    def now(self) -> datetime:
        return self.at

    async def note(self, due: DueTime, now: datetime) -> datetime | None:
        self.rung.append(due.what)
        return self.again

    async def fail(self, due: DueTime, now: datetime) -> datetime | None:
        self.rung.append("failed")
        raise RuntimeError("no")


def clock_of(hands: Hands, path: Path | None = None) -> Scheduler:
    clock = Scheduler(path, hands.now)
    for what in ("note", "sooner", "later", "kept", "planned"):
        clock.on(what, hands.note)
    clock.on("fail", hands.fail)
    return clock


async def test_nothing_rings_before_it_is_due_and_the_earliest_rings_first() -> None:
    hands = Hands()
    clock = clock_of(hands)
    clock.plan(DueTime(NOON + 2 * MINUTE, "later"))
    clock.plan(DueTime(NOON + MINUTE, "sooner"))
    assert await clock.ring() == 0
    hands.at += 5 * MINUTE
    assert await clock.ring() == 2
    assert hands.rung == ["sooner", "later"]
    assert await clock.ring() == 0


async def test_what_a_handler_gives_is_when_it_rings_again() -> None:
    hands = Hands()
    clock = clock_of(hands)
    clock.plan(DueTime(NOON, "note"))
    hands.again = NOON + MINUTE
    await clock.ring()
    assert clock.next() == NOON + MINUTE


async def test_what_failed_is_done_again_later_and_holds_up_nothing_else() -> None:
    hands = Hands()
    clock = clock_of(hands)
    clock.plan(DueTime(NOON - MINUTE, "fail"))
    clock.plan(DueTime(NOON, "note"))
    await clock.ring()
    assert hands.rung == ["failed", "note"]
    assert clock.next() == NOON + AFTER_TROUBLE


async def test_a_due_time_further_off_than_it_can_be_is_brought_back(tmp_path: Path) -> None:
    """A clock that ran ahead has set it; it was kept, and the clock is right again."""
    hands, path = Hands(), tmp_path / "clock.toml"
    before = clock_of(hands, path)
    hands.at += timedelta(days=3650)
    before.keep(DueTime(hands.at + MINUTE, "note"))
    hands.at = NOON
    after = Scheduler(path, hands.now)
    after.on("note", hands.note, longest=timedelta(days=1))
    await after.ring()
    assert after.next() == NOON + timedelta(days=1)
    hands.at += timedelta(hours=25)
    assert await after.ring() == 1


async def test_kept_due_times_survive_a_restart_and_planned_ones_do_not(tmp_path: Path) -> None:
    path = tmp_path / "clock.toml"
    hands = Hands()
    before = clock_of(hands, path)
    before.keep(DueTime(NOON + MINUTE, "kept"))
    before.plan(DueTime(NOON + MINUTE, "planned"))
    after = clock_of(hands, path)
    assert (DueTime(NOON + MINUTE, "kept"),) == after.dues()
    hands.at += MINUTE
    await after.ring()
    assert clock_of(hands, path).dues() == ()


async def test_an_interrupted_handler_is_called_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "clock.toml"
    hands = Hands()
    clock_of(hands, path).keep(DueTime(NOON, "note"))
    killed = Scheduler(path, hands.now)

    async def die(due: DueTime, now: datetime) -> None:
        raise asyncio.CancelledError

    killed.on("note", die)
    with contextlib.suppress(asyncio.CancelledError):
        await killed.ring()
    assert await clock_of(hands, path).ring() == 1


def test_periodic_work_is_not_put_off_by_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "clock.toml"
    hands = Hands()
    clock_of(hands, path).keep_first(DueTime(NOON + MINUTE, "note"))
    again = clock_of(hands, path)
    again.keep_first(DueTime(NOON + 5 * MINUTE, "note"))
    assert again.next() == NOON + MINUTE


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    path = tmp_path / "clock.toml"
    path.write_text('due = [\n  { name = "", game = "", due = 2026-11-20T12:01:00Z, what = "note" },\n]\n')
    assert (DueTime(NOON + MINUTE, "note"),) == clock_of(Hands(), path).dues()


def test_a_broken_file_of_due_times_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "clock.toml"
    path.write_text("due = [[[")
    assert clock_of(Hands(), path).dues() == ()


async def test_the_timer_wakes_for_what_was_planned_while_it_slept() -> None:
    hands = Hands()
    clock = clock_of(hands)
    timer = asyncio.create_task(clock.run())
    await asyncio.sleep(0)
    clock.plan(DueTime(NOON, "note"))
    async with asyncio.timeout(PATIENCE):
        while not hands.rung:
            await asyncio.sleep(0.005)
    timer.cancel()
    assert hands.rung == ["note"]
