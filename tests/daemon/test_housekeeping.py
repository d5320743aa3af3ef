from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.daemon.housekeeping import NEXT_PACK, PACK, PACKED_AT_ONCE, Housekeeping, Keeping
from pbem.desk.core.context import OVER
from pbem.host.achievement_book import BOOK
from pbem.host.scheduler import DueTime, Scheduler
from pbem.outbound.moderator_notices import Notices
from pbem.outbound.render import Host, Renderer
from pbem.store.audit import check_repository
from pbem.store.errors import StoreError
from pbem.store.game_repo import MAX_PACKS
from pbem.store.game_store import GameStore
from pbem.store.game_table import Status
from pbem.store.repack import count_packs
from pbem.store.spool import Spool
from pbem.store.state_file import StoredGame
from tests.store.play import made, turns
from tests.ticking import Ticking


class House:
    def __init__(self, folder: Path, games: int) -> None:
        self.at = datetime(2026, 11, 20, tzinfo=UTC)
        self.store = GameStore(folder / "games")
        for number in range(games):
            made(self.store, f"mill-{number}")
        self.clock = Scheduler(None, Ticking(lambda: self.at))
        spool = Spool(folder / "mail")
        notices = Notices(folder / "notices.txt", spool, Renderer(Host("games@host.test")), (), self.clock)
        self.removed: list[tuple[int, list[int]]] = []
        self.spool = spool

        async def remove(uidvalidity: int, uids: list[int]) -> bool:
            self.removed.append((uidvalidity, uids))
            return True

        Housekeeping(self.clock, spool, self.store, self.ended, notices, Keeping(60, 60, remove))

    def ended(self) -> Iterator[tuple[str, bool]]:
        """As the outlines of a host tell it: of what cannot be read, that it goes on."""
        for name in self.store.names():
            over = False
            with suppress(StoreError):
                over = StoredGame.read_public(self.store.open(name)).table.status in OVER
            yield name, over

    def end(self, name: str, turns_before: int = 3) -> None:
        """Play on, and to the end."""
        repo = self.store.open(name)
        with repo.lock():
            stored = turns(repo, turns_before)
            table = replace(stored.table, status=Status.ENDED)
            repo.commit(replace(stored, table=table).files(), "it is over")

    def packs(self) -> list[int]:
        return [count_packs(self.store.root / name) for name in self.store.names()]

    def packs_again(self) -> datetime:
        """When games are packed the next time."""
        return next(due.due for due in self.clock.dues() if due.what == PACK)


async def test_handled_letters_are_removed_after_sixty_days_of_the_host(tmp_path: Path) -> None:
    """Not of the clock: one that jumps ten years ahead makes nothing old."""
    house = House(tmp_path, 0)
    house.spool.take(b"a letter", "digest", 7, 1, house.at)
    house.spool.done("digest")
    house.spool.filed({(7, 1): (70, 5)})
    for _ in range(58):
        house.at += timedelta(days=1, hours=1)
        await house.clock.ring()
    house.at += timedelta(days=3650)
    await house.clock.ring()
    house.at -= timedelta(days=3650)
    assert (house.removed, house.spool.letter("digest").raw) == ([], b"a letter")  # type: ignore[union-attr]
    for _ in range(3):
        house.at += timedelta(days=1, hours=1)
        await house.clock.ring()
    assert (house.removed, house.spool.letter("digest").raw) == ([(70, [5])], b"")  # type: ignore[union-attr]


async def test_all_jobs_are_done_every_day(tmp_path: Path) -> None:
    house = House(tmp_path, 1)
    for _ in range(3):
        house.at += timedelta(days=1, hours=1)
        assert await house.clock.ring() == 3


async def test_a_game_that_is_over_is_packed_once_and_again_when_more_has_come(tmp_path: Path) -> None:
    house = House(tmp_path, 2)
    house.end("mill-0")
    turns(house.store.open("mill-1"), 3)
    assert house.packs() == [5, 4]
    house.at += timedelta(hours=3)
    await house.clock.ring()
    assert house.packs() == [1, 4]
    assert house.packs_again() == house.at + timedelta(days=1, seconds=1)
    whole = sorted((tmp_path / "games" / "mill-0" / ".git" / "objects" / "pack").iterdir())
    house.at += timedelta(days=1)
    await house.clock.ring()
    assert whole == sorted((tmp_path / "games" / "mill-0" / ".git" / "objects" / "pack").iterdir())
    house.end("mill-0", 1)
    house.at += timedelta(days=1)
    await house.clock.ring()
    assert house.packs() == [1, 4]
    assert check_repository(house.store.open("mill-0")) == ()


async def test_a_game_that_goes_on_is_packed_when_its_commits_are_many(tmp_path: Path) -> None:
    """And so is the book of achievements, to which each game that ends adds one."""
    house = House(tmp_path, 1)
    book = house.store.create_book(BOOK, {"anna.toml": b"n = 0\n"}, "0")
    for number in range(1, MAX_PACKS):
        turns(house.store.open("mill-0"))
        with book.lock():
            book.commit({"anna.toml": f"n = {number}\n".encode()}, f"{number}")
    assert (house.packs(), count_packs(book.folder)) == ([MAX_PACKS], MAX_PACKS)
    house.at += timedelta(hours=3)
    await house.clock.ring()
    assert (house.packs(), count_packs(book.folder)) == ([1], 1)


async def test_games_that_go_on_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands the outlines tell whether they are over, and their folders how many packs they have."""
    house = House(tmp_path, 3)
    house.end("mill-0")
    opened, really = list[str](), house.store.open
    told = tuple(house.ended())
    keeping = Housekeeping(house.clock, house.spool, house.store, lambda: iter(told), None, Keeping(7))  # type: ignore[arg-type]
    monkeypatch.setattr(house.store, "open", lambda name: opened.append(name) or really(name))  # type: ignore[func-returns-value]
    await keeping.pack(DueTime(house.at, PACK), house.at)
    assert opened == ["mill-0"]


async def test_packs_that_fail_are_left_for_another_day_and_hold_up_no_other(tmp_path: Path) -> None:
    house = House(tmp_path, PACKED_AT_ONCE + 2)
    names = house.store.names()
    for name in names:
        house.end(name)
    for name in names[:-1]:
        packs = (house.store.root / name / ".git" / "objects" / "pack").glob("*.pack")
        first = min(packs, key=lambda one: one.stat().st_mtime_ns)  # which the newest position needs nothing of
        first.chmod(0o600)
        first.write_bytes(b"")
    house.at += timedelta(hours=3)
    await house.clock.ring()
    assert house.packs_again() == house.at + NEXT_PACK + timedelta(seconds=1)
    house.at += NEXT_PACK
    await house.clock.ring()
    assert house.packs_again() == house.at + timedelta(days=1, seconds=1)
    assert house.packs() == [*(5 for _ in names[:-1]), 1]


async def test_counts_are_kept_for_as_long_as_it_is_asked_whom_a_player_had_invited(tmp_path: Path) -> None:
    house = House(tmp_path, 0)
    keeping = Housekeeping(house.clock, house.spool, house.store, house.ended, None, Keeping(7))  # type: ignore[arg-type]
    then = house.at
    house.spool.spend("invites one other", "letter", then)
    for days, left in ((30, 1), (32, 0)):
        now = then + timedelta(days=days)
        await keeping.prune(DueTime(now, "prune-spool"), now)
        assert left == house.spool.spent("invites one other", then, now)
