"""`forget me`: what can be taken away is, once its writer has answered; what remains is told, with why."""

from __future__ import annotations

from pbem.moderation import deeds
from tests.desk.open_tables import answer, fresh
from tests.desk.room import Room
from tests.desk.test_my_data import lived, words_of
from tests.store.play import git


def files_with(room: Room, text: bytes) -> list[str]:
    """Where something stands, in the mail folder and in work trees."""
    return [str(path) for path in room.folder.rglob("*") if path.is_file() and text in path.read_bytes()]


def test_who_still_plays_is_told_to_resign_first(room: Room) -> None:
    room.open(now=False)
    text = words_of(room.sent_by("anna", "forget me", to=room.mails("anna")[0]))
    assert "tally-1 («resign»), tally-2 («leave»)" in text
    assert room.people.seats_of("anna@people.test")


def test_it_is_asked_again_whatever_key_and_then_everything_goes_that_can(room: Room) -> None:
    lived(room)
    room.send("anna", "resign")
    bobs = room.last("bob")
    (question,) = room.sent_by("anna", "forget me")
    assert room.people.seats_of("anna@people.test"), "nothing is done before the answer"
    room.spool.sent([row.message_id for row in room.spool.rows() if row.message_id != question.name], room.time)
    (told,) = answer(room, "anna@people.test", "yes", question)
    text = words_of([told])
    assert "In the histories of tally-1 remain: your name, your orders" in text
    assert "They are git histories" in text
    assert "the host's backups and exports" in text
    assert () == room.people.seats_of("anna@people.test")
    assert "Anna" == room.people.holder("tally-1", "anna").name
    assert room.people.seats_of("bob@people.test"), "others stay"
    # What she wrote is nowhere any more, but in what is still to go or has just come.
    rows = room.spool.ask("SELECT rcpt FROM outbox WHERE rcpt LIKE 'anna%' AND state = 'sent'")
    assert [] == rows
    kept = room.spool.ask("SELECT raw FROM letters WHERE raw IS NOT NULL")
    assert not any(b"quinces" in raw for (raw,) in kept)
    assert [] == [one for one in files_with(room, b"quinces") if "words" in one or "people" in one]
    assert [] == [one for one in files_with(room, b"anna@people.test") if "people" in one or "wishes" in one]
    assert "quinces" not in git(room.folder / "games" / "tally-1", "log", "--patch", "--format=%B", "--text")
    # The game goes on without her, and her letters are a stranger's.
    assert "running" == room.stored().table.status
    assert "answered" == room.send("bob", "status", to=bobs).outcome
    assert [] == fresh(room, "anna@people.test", "my data")


def test_no_leaves_everything(room: Room) -> None:
    lived(room)
    room.desk.change("tally-1", "the end", deeds.end("enough"))
    (question,) = fresh(room, "anna@people.test", "forget me")
    assert "It is forgotten; nothing was done." in words_of(answer(room, "anna@people.test", "no", question))
    assert room.people.seats_of("anna@people.test")
    (question,) = fresh(room, "anna@people.test", "oubliez-moi")
    assert "C'est fait." in words_of(answer(room, "anna@people.test", "yes", question))
    assert () == room.people.seats_of("anna@people.test")
