"""A letter that the mailbox lists and does not give out stops nobody's mail: it is asked for by itself, counted, and put
aside; its writer and the moderator are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from pbem.daemon.main_loop import TROUBLE
from pbem.host.scheduler import ClockReading, utc_now
from pbem.inbound.fetch_queue import MAX_FETCHES
from pbem.inbound.intake import Intake
from pbem.inbound.mailbox import Mailbox, MailboxError
from pbem.inbound.maildir import Maildir
from tests.daemon.fakes import Host, letter
from tests.patience import PATIENCE
from tests.wire.keeper import FAULTS, Keeper
from tests.wire.odd import TIMEOUT, odd_server, settings


class Mail(Host):
    """A host whose mailbox is a server that holds letters back. `seconds` is its steady clock, which stands."""

    def __init__(self, folder: Path, keeper: Keeper, port: int) -> None:
        self.keeper, self.seconds = keeper, 0.0
        super().__init__(folder)
        self.mailbox = Mailbox(settings(port, password="a password that no answer holds", timeout=TIMEOUT if "silence" in keeper.faults.values() else PATIENCE))

    def restart(self) -> None:
        super().restart()
        self.intake = Intake(
            self.spool, self.desk, utc_now, report=lambda says, game: self.reports.append(str(says)),
            steady=lambda: ClockReading("", self.seconds),
        )  # fmt: skip

    async def look(self, times: int = 1) -> None:
        """As the daemon does, with a new connection where the old one is gone."""
        for _ in range(times):
            with suppress(MailboxError):
                if not self.mailbox.connected:
                    await self.mailbox.connect()
                await self.intake.collect(self.mailbox, None, asyncio.Event())


@asynccontextmanager
async def mail(folder: Path, keeper: Keeper) -> AsyncIterator[Mail]:
    async with odd_server(keeper.serve) as odd:
        host = Mail(folder, keeper, odd.port)
        yield host
        await host.mailbox.close()


def three(fault: str, **more: bool) -> Keeper:
    """Three letters, of which the first is held back."""
    return Keeper({n: letter(f"letter-{n}") for n in (1, 2, 3)}, {1: fault}, **more)


@pytest.mark.parametrize("fault", FAULTS)
async def test_other_letters_are_answered_at_once_and_nothing_is_taken_for_a_letter(
    tmp_path: Path, fault: str
) -> None:
    async with mail(tmp_path, three(fault)) as host:
        # Each connection that the letter ends costs one look; no time passes between them.
        await host.look(4)
        assert host.desk.handled == ["letter-2", "letter-3"]
        host.keeper.deliver(letter("letter-4"))
        await host.look()
        assert host.desk.handled == ["letter-2", "letter-3", "letter-4"]
        assert host.keeper.folders == {"Handled": [letter(f"letter-{n}") for n in (2, 3, 4)]}
        assert (host.intake.left, host.reports, host.desk.told) == (1, [], [])
        # By itself it is asked for once a minute, however often the mailbox is looked into.
        assert host.keeper.asked.count([1]) == 1


async def test_other_letters_are_answered_though_the_server_says_nothing_to_one(tmp_path: Path) -> None:
    async with mail(tmp_path, three("silence")) as host:
        async with asyncio.timeout(PATIENCE):
            while host.desk.handled != ["letter-2", "letter-3"]:
                # A slow machine's answer is met as silence, too.
                await host.look()
        assert 1 in host.keeper.inbox


@pytest.mark.parametrize("fault", FAULTS)
async def test_it_is_put_aside_in_the_end_though_each_attempt_ends_the_program(tmp_path: Path, fault: str) -> None:
    async with mail(tmp_path, three(fault)) as host:
        await host.look(4)
        for _ in range(MAX_FETCHES - 1):
            assert host.reports == []
            host.restart()
            await host.look(2)
        assert host.keeper.asked.count([1]) == MAX_FETCHES
        (says,) = host.reports
        assert "UID 1, from ?" in says
        assert host.intake.left == 0
        assert [why for _, why in host.spool.aside()] == ["UID 1, which the mailbox does not give out"]
        await host.look()
        assert host.keeper.folders["Quarantine"] == [letter("letter-1")]
        assert host.desk.handled == [], "the others were answered before, and once"


async def test_its_writer_is_told_and_it_is_asked_for_again_when_it_is_moved_back(tmp_path: Path) -> None:
    async with mail(tmp_path, three("nothing", heads=True)) as host:
        for minute in range(20):
            host.seconds = 60.0 * minute
            await host.look()
        assert host.keeper.asked.count([1]) == MAX_FETCHES
        assert host.desk.told == [("anna@players.test", True)]
        assert "UID 1, from anna@players.test" in host.reports[0]
        host.keeper.faults.clear()
        host.keeper.deliver(host.keeper.folders["Quarantine"].pop())
        await host.look()
        assert host.desk.handled[-1] == "letter-1"
        assert host.spool.unread() == {}


async def test_one_that_comes_late_is_answered_and_its_count_forgotten(tmp_path: Path) -> None:
    async with mail(tmp_path, three("nil")) as host:
        await host.look()
        assert host.spool.unread() == {(7, 1): 1}
        host.keeper.faults.clear()
        host.seconds = 61.0
        await host.look()
        assert host.desk.handled == ["letter-2", "letter-3", "letter-1"]
        assert (host.spool.unread(), host.intake.left) == ({}, 0)


async def test_one_that_somebody_takes_away_is_forgotten(tmp_path: Path) -> None:
    async with mail(tmp_path, three("no")) as host:
        await host.look()
        del host.keeper.inbox[1]
        await host.look()
        assert (host.spool.unread(), host.intake.left, host.reports) == ({}, 0, [])


async def test_letters_of_a_folder_that_was_made_anew_are_asked_for_and_counted_anew(tmp_path: Path) -> None:
    """RFC 3501, section 2.3.1.1: the same number is another letter's."""
    async with mail(tmp_path, three("nothing")) as host:
        await host.look()
        await host.mailbox.close()
        host.keeper.validity, host.keeper.faults = 8, {}
        host.keeper.inbox = {1: letter("another")}
        await host.look()
        assert host.desk.handled == ["letter-2", "letter-3", "another"]
        assert host.spool.unread() == {}


async def test_two_letters_that_hang_up_are_told_apart_from_the_others(tmp_path: Path) -> None:
    keeper = Keeper({n: letter(f"letter-{n}") for n in range(1, 7)}, {2: "bye", 5: "bye"})
    async with mail(tmp_path, keeper) as host:
        await host.look(6)
        assert host.desk.handled == ["letter-1", "letter-3", "letter-4", "letter-6"]


async def test_once_says_that_a_letter_is_left(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.box.deliver("one", "two")
    host.box.held = {1}
    assert await host.daemon.run(once=True) == TROUBLE
    assert host.server.taken == ["two"]


async def test_a_file_that_cannot_be_read_or_is_empty_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Maildir(tmp_path / "Maildir")
    await box.connect()
    for name, raw in (("1.a", b"a"), ("2.b", b""), ("3.c", b"c"), ("4.d", b"d")):
        (box.path / "new" / name).write_bytes(raw)
    real = Path.open

    def opened(path: Path, *given: object, **named: object) -> object:
        if path.name == "3.c":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *given, **named)  # type: ignore[arg-type,call-overload]

    monkeypatch.setattr(Path, "open", opened)
    found = await box.fetch(await box.arrived())
    assert sorted(found.values()) == [b"a", b"d"]
    assert await box.head(next(iter(found))) == b""
