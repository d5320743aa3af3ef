from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.daemon.housekeeping import LOOSE, NEXT_PACK, PACK, PACKED_AT_ONCE, Housekeeping, is_loose
from pbem.host.clock import Clock, Due
from pbem.outbound.notices import Notices
from pbem.outbound.render import Host, Renderer
from pbem.store.games import GameStore
from pbem.store.spool import Spool


class House:
    def __init__(self, folder: Path, games: int) -> None:
        self.at = datetime(2026, 11, 20, tzinfo=UTC)
        self.store = GameStore(folder / "games")
        for number in range(games):
            self.store.create(f"tale-{number}", {"state.toml": b"x = 1\n", "secret.toml": b"y = 1\n"}, "begin")
        self.clock = Clock(None, lambda: self.at)
        spool = Spool(folder / "mail")
        notices = Notices(folder / "notices.txt", spool, Renderer(Host("games@host.test")), (), self.clock)
        self.removed: list[tuple[int, list[int]]] = []
        self.spool = spool

        async def remove(uidvalidity: int, uids: list[int]) -> bool:
            self.removed.append((uidvalidity, uids))
            return True

        Housekeeping(self.clock, spool, self.store, notices, 60, 60, remove)

    def loosen(self) -> None:
        for name in self.store.names():
            sample = self.store.root / name / ".git" / "objects" / "17"
            sample.mkdir(parents=True, exist_ok=True)
            for number in range(LOOSE):
                (sample / f"{number:038x}").write_bytes(b"")

    def loose(self) -> int:
        return sum(is_loose(self.store.root / name) for name in self.store.names())


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


async def test_games_with_few_loose_files_are_left_alone(tmp_path: Path) -> None:
    house = House(tmp_path, 1)
    assert house.loose() == 0
    house.loosen()
    assert house.loose() == 1


async def test_packs_that_fail_are_left_for_another_day_and_hold_up_no_other(tmp_path: Path) -> None:
    """The loose files of this test are empty, so git complains of them."""
    house = House(tmp_path, PACKED_AT_ONCE + 2)
    house.loosen()
    house.at += timedelta(hours=3)
    await house.clock.ring()
    pack = next(due for due in house.clock.dues() if due.what == PACK)
    assert pack.due == house.at + NEXT_PACK
    house.at += NEXT_PACK
    await house.clock.ring()
    pack = next(due for due in house.clock.dues() if due.what == PACK)
    assert pack.due == house.at + timedelta(days=1)


async def test_counts_are_kept_for_as_long_as_it_is_asked_whom_a_player_had_invited(tmp_path: Path) -> None:
    house = House(tmp_path, 0)
    keeping = Housekeeping(house.clock, house.spool, house.store, None, 7)  # type: ignore[arg-type]
    then = house.at
    house.spool.spend("invites one other", "letter", then)
    for days, left in ((30, 1), (32, 0)):
        now = then + timedelta(days=days)
        await keeping.prune(Due(now, "prune-spool"), now)
        assert left == house.spool.spent("invites one other", then, now)
