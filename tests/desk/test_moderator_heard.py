"""No letter that a moderator wrote meets silence: with his key it is read as if «gm» stood before it."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.desk.core.outcome import Outcome
from pbem.host.people import People
from tests.desk.room import OWN, Got, Room
from tests.repair.bench import MODERATOR

KEYED = {
    "status": ("answer", ""), "help": ("answer", "What the moderator can write"),
    "Hello,\n\nstatus\n\nThanks,\nMo": ("answer", ""), "hold because of the holidays": ("receipt", "holds the game"),
    "could you please tell me who is late?": ("refusal", "nothing that can be asked"), "": ("answer", "What the moderator"),
}  # fmt: skip


class Moderated(Room):
    def restart(self) -> None:
        self.people = People(self.folder / "mail", (MODERATOR,))
        super().restart()

    def letter(self, text: str, to: Got | None = None, subject: str = "hello") -> bytes:
        self.count += 1
        message = EmailMessage()
        message["From"], message["To"] = MODERATOR, to.reply_to if to else OWN
        message["Subject"] = f"Re: {to.message['Subject']}" if to else subject
        message["Message-ID"] = f"<gm{self.count}@host.test>"
        message.set_content(f"{text}\n")
        return message.as_bytes()


@pytest.fixture
def room(tmp_path: Path) -> Moderated:
    made = Moderated(tmp_path)
    made.open(2)
    made.post(made.letter("gm status", subject="[tally-1]"))
    return made


@pytest.mark.parametrize(("text", "kind", "says"), [(text, *told) for text, told in KEYED.items()])
def test_with_his_key_it_is_read_as_if_gm_stood_before(room: Moderated, text: str, kind: str, says: str) -> None:
    before = len(room.mails("gm"))
    room.post(room.letter(text, room.last("gm")))
    (got,) = room.mails("gm")[before:]
    assert (got.kind, says.lower() in got.text.replace("\n", " ").lower()) == (kind, True), got.text


def test_a_deed_needs_the_newest_key_without_gm_too(room: Moderated) -> None:
    first = room.last("gm")
    room.post(room.letter("gm status", room.last("gm")))
    room.post(room.letter("hold because of the holidays", room.last("gm")))
    assert room.stored().table.status == "held"
    room.post(room.letter("resume", first))
    assert room.stored().table.status == "held"
    assert room.last("gm").kind == "refusal"


def test_without_a_key_and_a_game_he_is_told_what_to_do_and_until_when(room: Moderated) -> None:
    room.open(2)
    told = []
    for text in ("help", "rollback 17 because misread", "gm status", "is anybody there?"):
        before = len(room.mails())
        handled = room.post(room.letter(text))
        told.append((handled.outcome, len(room.mails()) - before))
    # One without a key had been answered within the hour.
    assert told == [(Outcome.REFUSED, 1)] * 2 + [(Outcome.SILENT, 0)] * 2
    last = room.mails()[-1]
    assert "from 13:00 (UTC) on they are answered again" in last.text.replace("\n", " ")
    assert "[]" not in str(last.message["Subject"])
    room.time = room.time.replace(hour=13, minute=1)
    assert room.post(room.letter("is anybody there?")).outcome is Outcome.REFUSED


def test_what_a_program_writes_for_him_is_answered_by_nobody(room: Moderated) -> None:
    before = len(room.mails())
    raw = room.letter("I am out of the office until Monday.", room.last("gm"), "Automatic reply: hello")
    assert room.post(b"Auto-Submitted: auto-replied\r\n" + raw).outcome is Outcome.SILENT
    assert len(room.mails()) == before
