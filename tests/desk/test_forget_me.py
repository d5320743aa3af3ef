"""`forget me`: what can be taken away is, once its writer has answered; what remains is told, with why."""

from __future__ import annotations

import dataclasses

from pbem.admin import personal_data
from pbem.admin.actions import lifecycle, seat_holders
from pbem.admin.persons import Person
from tests.desk.open_tables import answer, fresh, to
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
    room.desk.change("tally-1", "the end", lifecycle.end("enough"))
    (question,) = fresh(room, "anna@people.test", "forget me")
    assert "It is forgotten; nothing was done." in words_of(answer(room, "anna@people.test", "no", question))
    assert room.people.seats_of("anna@people.test")
    (question,) = fresh(room, "anna@people.test", "oubliez-moi")
    assert "C'est fait." in words_of(answer(room, "anna@people.test", "yes", question))
    assert () == room.people.seats_of("anna@people.test")


def replaced(room: Room) -> None:
    """Bob has written something, and Eve has his seat."""
    lived(room)
    room.send("bob", "tell anna: a secret heron")
    person = Person("Eve", ("eve@people.test",))
    room.desk.change("tally-1", "replace", seat_holders.replace_holder(room.desk.services, "bob", person, "gone"))
    room.post(room.write("bob", "tell anna: eve's own heron", sender="eve@people.test"))
    room.spool.sent([row.message_id for row in room.spool.rows()], room.time)


def test_who_has_lost_the_seat_can_have_their_words_forgotten(room: Room) -> None:
    replaced(room)
    assert () == room.people.seats_of("bob@people.test")
    (question,) = fresh(room, "bob@people.test", "forget me")
    assert "bob@people.test" == to(question)
    assert room.spool.words.ask("SELECT 1 FROM words WHERE text LIKE '%secret heron%'"), "nothing before the answer"
    assert "Done." in words_of(answer(room, "bob@people.test", "yes", question))
    assert [] == files_with(room, b"a secret heron")
    assert [] == room.spool.ask("SELECT 1 FROM outbox WHERE rcpt = 'bob@people.test' AND state = 'sent'")
    texts = room.spool.words.ask("SELECT text FROM words WHERE author = 'bob.2' AND text IS NOT NULL")
    assert any("eve's own heron" in text for (text,) in texts), "of who came after nothing is emptied"
    assert room.people.seats_of("eve@people.test")


def test_who_has_lost_the_seat_may_ask_for_nothing_else_nor_for_another(room: Room) -> None:
    replaced(room)
    assert [] == fresh(room, "bob@people.test", "my data")
    assert [] == fresh(room, "carl@people.test", "forget me")
    assert [] == fresh(room, "carl@people.test", "forget me", **{"Reply-To": "bob@people.test"})
    (question,) = fresh(room, "bob@people.test", "forget me", **{"Reply-To": "carl@people.test"})
    assert "bob@people.test" == to(question)
    assert [] == answer(room, "carl@people.test", "yes", question)
    assert room.spool.words.ask("SELECT 1 FROM words WHERE text LIKE '%secret heron%'")


def test_who_writes_from_another_address_now_keeps_their_words(room: Room) -> None:
    """Whoever has the old one may be somebody else by now."""
    lived(room)
    holder = room.people.holder("tally-1", "bob")
    room.people.change("tally-1", dataclasses.replace(holder, addresses=("bob@new.test",)))
    assert [] == fresh(room, "bob@people.test", "forget me")
    assert [True] == [one.others for one in personal_data.held_seats(room.desk.services, "bob@people.test")]
