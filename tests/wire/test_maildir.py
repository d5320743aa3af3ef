"""A Maildir on this machine as the games' mailbox: what the daemon asks of a mailbox holds for it as for IMAP."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from pbem.inbound.mailbox import MailboxError
from pbem.inbound.maildir import VALIDITY, Maildir, uid_of
from tests.patience import AGES, PATIENCE


def deliver(path: Path, name: str, raw: bytes, at: int = 0, part: str = "new") -> Path:
    """A letter, as a mail server lays it down: written beside, then renamed."""
    for each in ("tmp", "new", "cur"):
        (path / each).mkdir(parents=True, exist_ok=True)
    (path / "tmp" / name).write_bytes(raw)
    os.utime(path / "tmp" / name, (at, at))
    return (path / "tmp" / name).rename(path / part / name)


async def opened(path: Path) -> Maildir:
    box = Maildir(path, poll=0.01)
    await box.connect()
    return box


async def test_letters_come_in_the_order_of_arrival_wherever_a_mail_program_has_put_them(tmp_path: Path) -> None:
    path = tmp_path / "Maildir"
    deliver(path, "2.b.host", b"Subject: b\n\nsecond\n", at=200)
    deliver(path, "1.a.host:2,S", b"Subject: a\n\nfirst\n", at=100, part="cur")
    box = await opened(path)
    there = await box.arrived()
    bodies = await box.fetch(there)
    assert [b"Subject: a\r\n\r\nfirst\r\n", b"Subject: b\r\n\r\nsecond\r\n"] == [bodies[one] for one in there]
    assert {VALIDITY} == {one.uidvalidity for one in there}


async def test_a_letter_keeps_its_number_when_somebody_reads_it_and_when_it_is_filed(tmp_path: Path) -> None:
    """Else a crash between answering and filing would have it answered twice."""
    path = tmp_path / "Maildir"
    letter = deliver(path, "1.a.host", b"x\n")
    box = await opened(path)
    (before,) = await box.arrived()
    letter.rename(path / "cur" / "1.a.host:2,S")
    assert [before] == await box.arrived()
    assert {before: (VALIDITY, before.uid)} == await box.file([before], "Handled")
    assert [] == await box.arrived()
    assert ["1.a.host:2,S"] == [one.name for one in (path / ".Handled" / "cur").iterdir()]
    assert {} == await box.file([before], "Handled"), "what is gone is passed over"
    beside = box.beside("Handled")
    assert [before.uid] == [one.uid for one in await beside.arrived()]
    assert not await beside.expunge(7, [before.uid]), "counted in another mailbox"
    assert await beside.expunge(VALIDITY, [before.uid, 12345])
    assert [] == await beside.arrived()


async def test_of_a_large_letter_the_beginning_is_read(tmp_path: Path) -> None:
    path = tmp_path / "Maildir"
    deliver(path, "1.a.host", b"Subject: x\n\n" + b"y" * 5000)
    box = await opened(path)
    (one,) = await box.arrived()
    fetched = (await box.fetch([one], limit=100))[one]
    assert 100 == len(fetched)


async def test_a_wait_ends_with_a_letter_and_with_none_that_was_listed(tmp_path: Path) -> None:
    path = tmp_path / "Maildir"
    deliver(path, "1.a.host", b"x\n")
    box = await opened(path)
    await box.arrived()
    await box.wait(0.05)
    waiting = asyncio.create_task(box.wait(AGES))
    await asyncio.sleep(0)
    assert not waiting.done()
    deliver(path, "2.b.host", b"y\n")
    await asyncio.wait_for(waiting, PATIENCE)


async def test_a_letter_that_vanishes_is_trouble_of_the_moment(tmp_path: Path) -> None:
    """The daemon looks again; nothing is lost by it, and the others come."""
    path = tmp_path / "Maildir"
    letter = deliver(path, "1.a.host", b"x\n")
    box = await opened(path)
    there = await box.arrived()
    letter.unlink()
    deliver(path, "2.b.host", b"y\n")
    assert {b"y\r\n"} == set((await box.fetch([*there, *await box.arrived()])).values())


async def test_a_place_that_nobody_delivers_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(MailboxError, match=f"there is no folder {tmp_path}/nobody"):
        await Maildir(tmp_path / "nobody" / "Maildir").connect()
    (tmp_path / "file").write_text("")
    with pytest.raises(MailboxError, match="Not a directory"):
        await Maildir(tmp_path / "file").connect()


async def test_what_is_no_letter_is_left_alone(tmp_path: Path) -> None:
    """Links, folders and hidden files: a letter is a file of its own."""
    path = tmp_path / "Maildir"
    deliver(path, "1.a.host", b"x\n")
    (path / "new" / "folder").mkdir()
    (path / "new" / ".hidden").write_text("x")
    (path / "new" / "2.link").symlink_to("/etc/hostname")
    box = await opened(path)
    assert [uid_of(Path("1.a.host"))] == [one.uid for one in await box.arrived()]


@pytest.mark.parametrize("length", [250, 251, 252, 255])
async def test_a_name_that_leaves_no_room_for_the_mark_is_filed_and_stays_the_same_letter(
    tmp_path: Path, length: int
) -> None:
    """It would stop every letter behind it: what is done with is filed before anything is fetched."""
    path = tmp_path / "Maildir"
    name = os.fsdecode(b"1.\n\xff" + b"a" * (length - 4))
    deliver(path, name, b"x\n")
    box = await opened(path)
    (letter,) = await box.arrived()
    assert {letter: (VALIDITY, letter.uid)} == await box.file([letter], "Handled")
    assert [letter] == await box.beside("Handled").arrived()
    assert [] == await box.arrived()


async def test_a_letter_that_stops_all_others_is_named(tmp_path: Path) -> None:
    path = tmp_path / "Maildir"
    name = os.fsdecode(b"1.\xff.host")
    deliver(path, name, b"x\n")
    (path / ".Handled" / "cur" / f"{name}:2,S").mkdir(parents=True)
    box = await opened(path)
    with pytest.raises(MailboxError, match=r"moving letters to Handled failed: .*1\.\ufffd\.host"):
        await box.file(await box.arrived(), "Handled")
