"""Which letters get no answer: all of them, each with a reason in docs/security.md, and no person's order among them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.desk.core.identity import identify, unique_mark
from pbem.desk.core.outcome import PASSED_OVER, Handled, Outcome, Silence
from pbem.inbound.incoming_letter import open_letter
from pbem.inbound.triage import READ_KINDS, Kind
from pbem.router import PERSONAL_KINDS
from pbem.store.commit_record import AnsweredLetter
from tests.desk.open_tables import fresh, lets
from tests.desk.room import OWN, Got, Room
from tests.desk.test_moving import GAME, Labelled
from tests.desk.test_unproven import FAIL, strict

ROOT = Path(__file__).parents[2]
KEYLESS = {"To": OWN, "In-Reply-To": "", "Subject": "hello"}
REPORT = (
    "From: MAILER-DAEMON@mx.test\nReturn-Path: <>\nSubject: Undelivered Mail\n"
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n--b\nContent-Type: text/plain\n\nSorry.\n'
    "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; x@x.test\n"
    "Action: failed\nStatus: 5.1.1\n\n--b--\n"
)
REACTION = (
    'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n👍\n\nAnna reacted '
    "via Gmail\n--b\nContent-Type: text/vnd.google.email-reaction+json\n\n{}\n--b--\n"
)
CALENDAR = "Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\n"


def raw(room: Room, rest: str, sender: str = "anna@people.test") -> bytes:
    """A letter with Anna's key."""
    room.count += 1
    mail = room.last("anna")
    head = "" if rest.startswith("From:") else f"From: {sender}\n"
    return f"{head}To: {mail.reply_to}\nMessage-ID: <raw{room.count}@people.test>\n{rest}".encode()


def again(room: Room) -> Handled:
    letter = room.write("anna", "add 1")
    room.post(letter)
    return room.post(b"Received: by another way\r\n" + letter)


def same(room: Room) -> Handled:
    mine = room.last("anna")
    return [room.send("anna", "rubbish", to=mine) for _ in range(4)][-1]


def note(room: Room) -> Handled:
    return [room.send("anna", "I am on vacation.") for _ in range(2)][-1]


def dmarc(room: Room) -> Handled:
    strict(room)
    return room.send("anna", "add 1", fields={"Authentication-Results": FAIL})


def no_key(room: Room) -> Handled:
    mine = room.last("anna")
    return [room.send("anna", "add 1", to=mine, fields=KEYLESS) for _ in range(4)][-1]


def waits(room: Room) -> Handled:
    lets(room, "anyone")
    to = fresh(room, "zoe@elsewhere.test", "new tally 3 players")[0]
    return room.send("anna", "new tally 3 players", to=to, sender="zoe@elsewhere.test", fields=KEYLESS)


def question(room: Room) -> Handled:
    lets(room, "anyone")
    (asked,) = fresh(room, "zoe@elsewhere.test", "new tally 3 players")
    return [room.send("anna", f"hm {n}", to=asked, sender="zoe@elsewhere.test") for n in range(4)][-1]


def address(room: Room) -> Handled:
    room.send("anna", "address anna@new.test")
    (asked,) = [got for got in room.mails() if "anna@new.test" in str(got.message["To"])]
    return room.send("anna", "no", to=asked, sender="anna@new.test")


def no_table(room: Room) -> Handled:
    letter = room.write("anna", "add 1")
    shutil.rmtree(room.folder / "games" / "tally-1")
    return room.post(letter)


def no_seat(room: Room) -> Handled:
    """Somebody else has the seat by the time at which the table is locked."""
    services, letter = room.desk.services, open_letter(room.write("anna", "add 1"), frozenset({OWN}))
    who = identify(letter, room.people, services.keys, room.spool.mailed)
    room.people.change("tally-1", replace(room.people.holder("tally-1", "anna"), addresses=("zoe@elsewhere.test",)))
    mark = unique_mark(AnsweredLetter(letter.digest, 1, 1), letter, services.keys)
    return room.desk.answer(letter, who, mark, 1)


def elsewhere(room: Room) -> Handled:
    a, b = Labelled(room.folder / "a", "a"), Labelled(room.folder / "b", "b")
    a.open()
    letter = a.write("bob", "add 2")
    a.moves.move(GAME, b.door, patience=0)
    return a.post(letter)


LETTERS: dict[Silence, Callable[[Room], Handled]] = {
    Silence.ROBOT: lambda room: room.send("anna", "add 1", fields={"Auto-Submitted": "auto-replied"}),
    Silence.BULK: lambda room: room.send("anna", "News of our shop", fields={"List-Unsubscribe": "<mailto:u@shop.test>"}),
    Silence.CALENDAR: lambda room: room.post(raw(room, CALENDAR)),
    Silence.REACTION: lambda room: room.post(raw(room, REACTION)),
    Silence.OWN: lambda room: room.send("anna", "add 1", sender=OWN),
    Silence.REPORT: lambda room: room.post(raw(room, REPORT)),
    Silence.AGAIN: again,
    Silence.SAME: same,
    Silence.NOTE: note,
    Silence.NO_SENDER: lambda room: room.send("anna", "add 1", sender="Anna <anna@people.test>, Bob <bob@people.test>"),
    Silence.STRANGER: lambda room: room.send("anna", "hello", sender="zoe@elsewhere.test", fields=KEYLESS),
    Silence.STOLEN: lambda room: room.send("anna", "add 1", sender="thief@elsewhere.test"),
    Silence.DMARC: dmarc,
    Silence.NO_KEY: no_key,
    Silence.WAITS: waits,
    Silence.QUESTION: question,
    Silence.ADDRESS: address,
    Silence.NO_TABLE: no_table,
    Silence.NO_SEAT: no_seat,
    Silence.ELSEWHERE: elsewhere,
}
"""A letter of each kind, which is the last one where it takes several."""


def mailed(room: Room, before: int) -> list[str]:
    """Whom a letter led to mails to."""
    return [str(got.message["To"].addresses[0].addr_spec) for got in room.mails()[before:]]


@pytest.mark.parametrize("kind", Silence)
def test_a_letter_of_every_kind_gets_no_answer(kind: Silence, room: Room) -> None:
    handled = LETTERS[kind](room)
    assert (kind, True) == (handled.silence, handled.outcome in (Outcome.SILENT, Outcome.SEEN))


def test_the_table_of_security_has_every_kind_with_a_reason_and_no_other() -> None:
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    table = text.partition("## Letters that get no answer")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")]
    kinds = {cells[0]: cells[1:] for cells in rows[2:]}
    assert set(Silence) == set(kinds)
    assert all(len(cells) == 2 and all(len(cell) > 3 for cell in cells) for cells in kinds.values())


def test_nothing_but_the_desk_ends_in_silence_and_every_kind_of_letter_has_its_own() -> None:
    """Whoever adds an outcome without a kind, or a kind of letter that nobody answers, meets this."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "pbem").rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"Outcome\.(?:SILENT|SEEN)\b", line) and "silence=" not in line
    ]
    # A letter that was an automatic note before.
    assert ["pbem/desk/desk.py: return Outcome.SILENT"] == found
    assert {kind.name for kind in Kind if kind not in PERSONAL_KINDS and kind is not Kind.BOUNCE} <= set(Silence.__members__)


HEADERS = {
    "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply", "Precedence": "bulk", "List-Id": "<tracker.shop.test>",
    "List-Unsubscribe": "<mailto:u@shop.test>", "X-Loop": "anna@people.test", "Mailing-List": "players",
}  # fmt: skip


@pytest.mark.parametrize("field", HEADERS)
def test_a_header_of_lists_answers_or_priority_takes_no_order_away(room: Room, field: str) -> None:
    """Contract, «Never silent to a person»: what a header says makes no robot of a keyed letter with an order."""
    assert "played" == room.send("anna", "add 1", fields={field: HEADERS[field]}).outcome
    assert 1 == room.state().counter
    assert "answered" == room.send("anna", "status", fields={field: HEADERS[field]}).outcome


def test_an_invitation_is_answered_through_such_a_header_too(empty: Room) -> None:
    game = empty.open(now=False)
    empty.send("anna", "join", fields={"List-Unsubscribe": "<mailto:u@shop.test>"})
    assert ("anna",) == empty.stored(game).table.joined


def test_whoever_is_registered_as_postmaster_is_a_person(empty: Room) -> None:
    people = (Invited("Anna", ("postmaster@people.test",)), Invited("Bob", ("bob@people.test",)))
    open_table(empty.desk, Opening("tally", people, now=True, seed=b"s" * 32))
    assert "played" == empty.send("anna", "add 1", sender="postmaster@people.test").outcome


def test_a_moderators_line_comes_through_such_a_header(room: Room) -> None:
    room.people.moderator = replace(room.people.moderator, addresses=("mod@host.test",))
    fields = {"To": OWN, "In-Reply-To": "", "Subject": "[tally-1]", "Precedence": "bulk"}
    assert "answered" == room.send("anna", "gm status", sender="mod@host.test", fields=fields).outcome


WHAT_IT_IS: dict[str, Callable[[Room], bytes]] = {
    "auto-submitted": lambda room: room.write("anna", "add 1", fields={"Auto-Submitted": "auto-generated"}),
    "null sender": lambda room: room.write("anna", "add 1", fields={"Return-Path": "<>"}),
    "report": lambda room: raw(room, 'Content-Type: multipart/report; boundary="b"\n\n--b\n\nadd 1\n--b--\n'),
    "vacation": lambda room: room.write("anna", "add 1", fields={"Subject": "Out of office: away"}),
    "vacation's words": lambda room: room.write("anna", "Automatic reply\nadd 1", fields={"Precedence": "bulk"}),
    "autoreply": lambda room: room.write("anna", "add 1", fields={"X-Autoreply": "yes"}),
    "receipt": lambda room: raw(room, 'Content-Type: multipart/report; report-type=disposition-notification; boundary="b"\n'
                                      "\n--b\n\nadd 1\n--b--\n"),
    "passed on by a list": lambda room: room.write(
        "anna", "---------- Forwarded message ---------\nFrom: Bob <bob@people.test>\n\nadd 1",
        fields={"Subject": "Fwd: x", "List-Id": "<l.test>"}),
    "no order": lambda room: room.write("anna", "Our shop has news for you", fields={"Precedence": "bulk"}),
    "reaction": lambda room: raw(room, REACTION),
    "reaction (Outlook)": lambda room: room.write("anna", "Anna Dupré reacted to your message:"),
    "reaction (Outlook, fr)": lambda room: room.write("anna", "Anna Dupré a réagi à votre message :"),
    "two senders": lambda room: room.write("anna", "add 1", sender="Anna <anna@people.test>, Bob <bob@people.test>"),
}  # fmt: skip


@pytest.mark.parametrize("what", WHAT_IT_IS)
def test_a_keyed_letter_that_is_passed_over_is_noted_once_a_day_and_does_nothing(room: Room, what: str) -> None:
    """Nobody but the moderator hears of it, and he of the same kind once a day; no letter is quoted."""
    before, state = len(room.mails()), room.store.open("tally-1").head
    for _ in range(2):
        handled = room.post(WHAT_IT_IS[what](room))
        assert "silent" == handled.outcome
        assert handled.silence in PASSED_OVER
        assert "tally-1" == handled.game
    assert ["mod@host.test"] == mailed(room, before)
    told: Got = room.mails()[-1]
    assert "key of anna was passed over" in " ".join(told.text.split())
    assert "add 1" not in told.text and "shop" not in told.text
    assert state == room.store.open("tally-1").head


@pytest.mark.parametrize("sender", ["anna@people.test", "zoe@elsewhere.test"])
def test_what_may_be_a_lists_and_has_no_key_is_left_alone(room: Room, sender: str) -> None:
    lets(room, "anyone")
    before = len(room.mails())
    handled = room.send("anna", "new tally 3 players", sender=sender, fields={**KEYLESS, "List-Id": "<l.test>"})
    assert (Silence.BULK, []) == (handled.silence, mailed(room, before))


def test_letters_that_are_read_are_those_of_people_and_what_may_be_theirs() -> None:
    assert {Kind.ORDERS, Kind.BULK} == READ_KINDS
