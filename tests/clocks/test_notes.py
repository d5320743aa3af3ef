"""What players note for themselves is read by nobody else until the game is over, then by the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from engine.game import Seat
from pbem.admin.actions.seat_holders import replace_holder
from pbem.admin.persons import parse_person
from pbem.desk.commands import diary
from pbem.desk.core.context import Context
from pbem.desk.transaction.compose import compose
from pbem.export.audience import Audience
from pbem.export.game_source import GameSource
from pbem.export.replay_steps import table_talk
from pbem.outbound.mail import MailKind, Message
from pbem.store.commit_record import Record, read_records
from pbem.store.private_text import author_id, fill_text
from tests.clocks.table import Clocked
from tests.desk.room import Got
from tests.parts import page_of


@pytest.fixture
def host(tmp_path: Path) -> Clocked:
    made = Clocked(tmp_path)
    made.seated(3, "none")
    return made


def test_a_note_is_kept_and_told_at_the_end(host: Clocked) -> None:
    before = len(host.mails())
    told = host.says("bob", "note: Anna looks like the priest")
    assert "Kept for you alone («notes»); when the game is over the whole table reads it." in told
    assert "Done." in told
    assert len(host.mails()) == before + 1
    host.send("cleo", "noter L'été sera long")
    assert "Anna looks like the priest" in host.says("bob", "notes")
    assert "été" not in host.says("bob", "notes")
    assert "There are none here." in host.says("anna", "notes")
    host.finish()
    for seat in ("anna", "bob", "cleo"):
        final = next(got for got in host.mails(seat) if got.kind == "final")
        assert "NOTES OF BOB" in final.text
        assert "«Anna looks like the priest»" in final.text
        assert "«L'été sera long»" in final.text
    assert "Anna looks like the priest" in host.says("anna", "notes")


def test_a_note_beside_an_order_plays_it_and_one_in_a_refused_letter_is_not_kept(host: Clocked) -> None:
    host.says("anna", "note never kept\nadd 9")
    assert "There are none here." in host.says("anna", "notes")
    told = host.says("anna", "add 2\nnote kept")
    assert "Played." in told
    assert "«kept»" in host.says("anna", "notes")


def test_a_sentence_that_begins_with_the_word_is_none(host: Clocked) -> None:
    assert host.says("anna", "Note that I am late.\n\nadd 2")
    assert host.says("anna", "1")
    assert host.state().counter == 2
    assert "There are none here." in host.says("anna", "notes")


def test_a_long_diary_is_cut_in_the_final_mail_and_whole_for_the_asking(host: Clocked) -> None:
    for n in range(diary.SHOWN + 3):
        host.says("anna", f"note number {n}")
    host.finish()
    final = next(got for got in host.mails("bob") if got.kind == "final").text
    assert "3 earlier notes; «notes» shows all." in final
    assert "number 2»" not in final
    assert "«number 2»" in host.says("bob", "notes")


def test_who_takes_the_seat_over_reads_it_at_the_end_alone(host: Clocked) -> None:
    host.says("bob", "note mine alone")
    action = replace_holder(host.desk.services, "bob", parse_person("Zoe <zoe@people.test>"), "Bob has left")
    host.desk.change("tally-1", "replace", action)
    host.post(host.write("bob", "notes", sender="zoe@people.test"))
    assert "There are none here." in host.last("bob").text


def test_what_was_forgotten_is_told_to_nobody(host: Clocked) -> None:
    host.says("bob", "note forget this")
    host.spool.words.forget("tally-1", author_id("bob", 1))
    host.finish()
    final = next(got for got in host.mails("anna") if got.kind == "final").text
    assert "forget this" not in final
    assert "(words taken back)" in final


def test_an_export_tells_it_as_the_final_mail_does(host: Clocked) -> None:
    host.says("bob", "note for later")
    record = host.record()
    kept = [{"to": "bob.1", "text": "for later"}]
    source = sourced(host)
    assert table_talk(source, record, Audience("anna")) == []
    assert table_talk(source, record, Audience("bob")) == kept
    assert table_talk(source, record, Audience(full=True)) == kept
    host.finish()
    ended = sourced(host)
    assert table_talk(ended, record, Audience("anna")) == kept
    assert table_talk(ended, record, Audience()) == []


def test_an_export_for_a_seat_tells_nothing_that_was_said_to_who_sat_there_before(host: Clocked) -> None:
    host.says("bob", "note mine alone\ntell anna: by Bob")
    host.says("anna", "tell bob: to Bob")
    action = replace_holder(host.desk.services, "bob", parse_person("Zoe <zoe@people.test>"), "Bob has left")
    host.desk.change("tally-1", "replace", action)
    host.says("anna", "tell bob: to Zoe")
    source = sourced(host)
    told = {seat: [one["text"] for row in source.records for one in table_talk(source, row, Audience(seat))] for seat in source.seats}
    assert told == {"anna": ["by Bob", "to Bob", "to Zoe"], "bob": ["to Zoe"], "cleo": []}


def test_days_of_notes_are_those_of_who_reads_them(host: Clocked) -> None:
    host.says("bob", "zone Pacific/Auckland")
    host.on("2026-11-24T20:00")
    host.says("bob", "note late")
    assert "Wednesday 25 November: «late»" in host.says("bob", "notes")


def test_the_history_is_read_once_for_what_tells_all_of_it_and_not_where_nothing_is_noted(
    host: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    read = Context.past

    def counted(context: Context, after: int) -> Sequence[Record]:
        seen.append(after)
        return read(context, after)

    host.finish()
    stored = host.stored()
    monkeypatch.setattr(Context, "past", counted)
    host.says("anna", "notes")
    assert 0 not in seen
    with host.store.open("tally-1").lock("a test") as repo:
        message = Message(kind=MailKind.FINAL, seat=Seat("anna"), heard=stored.table.records, told=stored.table.entries)
        compose(host.desk.context(repo), message, "")
    assert seen.count(0) == 1


def sourced(host: Clocked) -> GameSource:
    """The game as it is exported."""
    found = (fill_text(host.spool.words, "tally-1", one) for one in read_records(host.store.open("tally-1")))
    return GameSource(host.rules, host.stored(), tuple(found))


def heard(folder: Path, note: str) -> tuple[list[tuple[str, ...]], list[str]]:
    """All that Anna and Cleo are mailed while Bob notes something, and the public history."""
    host = Clocked(folder)
    host.tick = timedelta()
    host.seated(3, "none")
    host.says("cleo", "mail daily")
    host.says("anna", "mail every-turn")
    asked: Got = host.last("bob")
    host.send("bob", f"status\n{note}" if note else "status", to=asked)
    host.wait(30)
    for text in ("status", "history", "notes", "say Good morning"):
        host.says("anna", text)
    host.wait(30)
    mails = [got for got in host.mails() if got.seat in ("anna", "cleo")]
    repo = host.store.open("tally-1")
    public = [repo.read("state.toml").decode(), *(commit.message for commit in repo.log())]
    told = [(got.seat, got.text, page_of(got.message), str(got.message["Date"])) for got in mails]
    return told, [*public, "\n".join(host.subjects())]


def test_nobody_else_is_told_that_anything_is_noted(tmp_path: Path) -> None:
    """The law of privacy, over every mail and over the public half of the repository."""
    one, public = heard(tmp_path / "one", "note psst")
    other, without = heard(tmp_path / "other", "")
    assert one == other
    assert [text for text in public if "psst" in text or "note" in text] == []
    assert public[-1] == without[-1]


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes that are told as talk is, to whoever waits for the mail of a day: the law is broken."""
    monkeypatch.setattr(diary, "author_id", lambda seat, generation: "bob.1")
    with pytest.raises(AssertionError):
        test_nobody_else_is_told_that_anything_is_noted(tmp_path)
