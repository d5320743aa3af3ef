"""Contract, «Never silent to a person»: a letter that is put aside is told to its writer, once, and to nobody else."""

from __future__ import annotations

import asyncio

import pytest

from pbem.inbound.incoming_letter import open_head, open_letter
from pbem.inbound.intake import Intake
from pbem.inbound.mailbox import Arrived
from pbem.router import Router
from pbem.store.inbound_queue import MAX_ATTEMPTS
from tests.desk.room import OWN, Got, Room


def aside(room: Room, raw: bytes, unread: bool = False) -> list[Got]:
    """The mails that a letter leads to which is put aside, of which only the header is read."""
    before = len(room.mails())
    Router(room.desk).put_aside(open_head(raw, frozenset({OWN})), unread)
    return room.mails()[before:]


@pytest.mark.parametrize(("unread", "words"), [(False, "met a fault in this program"), (True, "does not give your letter")])
def test_a_letter_that_is_put_aside_is_told_to_its_writer_once_with_a_key_that_plays(
    room: Room, unread: bool, words: str
) -> None:
    raw = room.write("anna", "crash")
    (told,) = aside(room, raw, unread)
    assert "anna@people.test" in str(told.message["To"])
    assert words in told.text.replace("\n", " ")
    assert "[tally-1]" in str(told.message["Subject"])
    assert aside(room, raw, unread) == []
    room.send("anna", "add 1", to=told)
    assert room.state().counter == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"From": "eve@elsewhere.test"},
        {"To": OWN, "In-Reply-To": ""},
        {"Auto-Submitted": "auto-replied"},
        {"From": "MAILER-DAEMON@people.test"},
    ],
    ids=["not from their address", "no key", "a program's", "a report"],
)
def test_nobody_else_is_told(room: Room, fields: dict[str, str]) -> None:
    assert aside(room, room.write("anna", "crash", fields=fields)) == []


def test_a_header_is_read_without_the_text_that_may_be_at_fault(room: Room) -> None:
    raw = room.write("anna", "add 1")
    head, whole = open_head(raw), open_letter(raw)
    assert (head.sender, head.recipients, head.references) == (whole.sender, whole.recipients, whole.references)
    assert (whole.lines, head.lines) == (("add 1",), ())
    assert open_head(b"").sender == ""
    assert open_head(b"\xff" * 100_000).sender == ""


class Box:
    """A mailbox with one letter, which somebody moves."""

    def __init__(self, raw: bytes) -> None:
        self.inbox, self.aside, self.next, self.validity = {1: raw}, dict[int, bytes](), 2, 7

    async def arrived(self) -> list[Arrived]:
        return [Arrived(self.validity, uid, len(raw)) for uid, raw in self.inbox.items()]

    async def fetch(self, letters: list[Arrived]) -> dict[Arrived, bytes]:
        return {one: self.inbox[one.uid] for one in letters}

    async def head(self, letter: Arrived) -> bytes:
        return b""

    async def file(self, letters: list[Arrived], folder: str) -> dict[Arrived, tuple[int, int]]:
        if folder == "Quarantine":
            self.aside |= {one.uid: self.inbox[one.uid] for one in letters}
        for one in letters:
            del self.inbox[one.uid]
        return {}


@pytest.mark.parametrize("dies", ["of it", "of its header, too"])
def test_what_we_died_of_is_told_and_read_again_when_it_is_moved_back(
    room: Room, monkeypatch: pytest.MonkeyPatch, dies: str
) -> None:
    """A death is a BaseException here, which no handler catches."""
    box, reports = Box(room.write("anna", "add 1")), list[str]()
    before = len(room.mails())

    def look() -> None:
        intake = Intake(
            room.spool, Router(room.desk), lambda: room.time, own=frozenset({OWN}),
            report=lambda says, game: reports.append(str(says)),
        )  # fmt: skip

        async def once() -> None:
            await intake.collect(box, None, asyncio.Event())
            await intake.answer(None, asyncio.Event())

        asyncio.run(once())

    class Death(BaseException):
        pass

    def die(*_: object) -> None:
        raise Death

    with monkeypatch.context() as patch:
        patch.setattr(Router, "handle", die)
        if dies != "of it":
            patch.setattr(Router, "put_aside", die)
        for _ in range(MAX_ATTEMPTS + (dies != "of it")):
            with pytest.raises(Death):
                look()
        look()
    assert len(reports) == 1 and "never finished" in reports[0]
    assert len(room.mails()[before:]) == (dies == "of it")
    look()
    assert list(box.inbox) == []
    assert room.state().counter == 0
    # By hand, back to where letters come in: another number.
    box.inbox[9] = box.aside.popitem()[1]
    look()
    assert room.state().counter == 1
    assert box.inbox == {} and box.aside == {}


def test_what_lies_aside_and_is_numbered_anew_is_not_read_again(room: Room) -> None:
    """RFC 3501, section 2.3.1.1: where it could not be moved it still lies where letters come in."""
    raw = room.write("anna", "add 1")
    letter = open_letter(raw)
    room.spool.take(raw, letter.digest, 7, 1, room.time)
    room.spool.quarantine(letter.digest, "a defect")
    assert not room.spool.take(raw, letter.digest, 8, 1, room.time)
    assert room.spool.waiting() == []
    room.spool.filed({(7, 1): (0, 0), (8, 1): (0, 0)})
    assert room.spool.take(raw, letter.digest, 8, 2, room.time)
    assert [one.digest for one in room.spool.waiting()] == [letter.digest]
    assert room.spool.waiting()[0].attempts == 0
