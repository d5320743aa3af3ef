"""`my data`: its writer alone is told what the host keeps about them."""

from __future__ import annotations

from datetime import timedelta

from tests.desk.open_tables import answer, fresh, to
from tests.desk.room import Got, Room


def words_of(mails: list[Got]) -> str:
    (mail,) = mails
    return " ".join(mail.text.split())


def lived(room: Room) -> None:
    room.send("anna", "tell bob: quinces at noon")
    room.send("bob", "say to all of you a heron")
    room.send("bob", "tell anna: marmalade")
    room.send("anna", "zone Asia/Kathmandu")
    room.send("anna", "add 1")


def test_with_a_key_it_is_answered_at_once_with_all_that_is_ones_own(room: Room) -> None:
    lived(room)
    (mail,) = room.sent_by("anna", "my data")
    assert "anna@people.test" == to(mail)
    text = words_of([mail])
    for part in (
        "tally-1, seat anna: your name Anna, addresses anna@people.test, language en.",
        "zone Asia/Kathmandu",
        "you wrote: «quinces at noon»",
        "4 letters of yours lie in the spool.",
        "«history»",
        "mails to you lie there, too.",
    ):
        assert part in text, part
    assert 1 == text.count("you wrote"), "a packed mail, which her letter led to, tells more than her words"
    for part in ("heron", "marmalade", "bob@people.test", room.stored().secrets.seed):
        assert part not in mail.raw.decode(), part
    assert 1 == room.state().counter


def test_without_a_key_its_writer_is_asked_first(room: Room) -> None:
    lived(room)
    (question,) = fresh(room, "anna@people.test", "my data")
    assert "anna@people.test" == to(question)
    assert "quinces" not in question.text
    assert [] == [got for got in answer(room, "bob@people.test", "yes", question) if "quinces" in got.text]
    assert [] == fresh(room, "anna@people.test", "mes données"), "that question waits already"
    room.time += timedelta(days=1)
    (again,) = fresh(room, "anna@people.test", "mes données")
    assert "vous avez écrit : « quinces at noon »" in words_of(answer(room, "anna@people.test", "oui", again))


def test_a_stranger_learns_nothing(room: Room) -> None:
    assert [] == fresh(room, "zoe@elsewhere.test", "my data")


def test_another_persons_key_does_not_open_ones_data_at_once(room: Room) -> None:
    lived(room)
    before = len(room.mails())
    room.post(room.write("bob", "my data", to=room.last("anna")))
    assert not any("marmalade" in got.text for got in room.mails()[before:])
