"""Who has answered while answers are sealed: what public files, reminders and mails tell of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.admin.actions import rollback
from pbem.store.commit_record import read_records, record_paths
from pbem.store.game_repo import GameRepo
from tests.clocks.table import HOUR, Clocked, received


@pytest.mark.parametrize("answers", ["count", "names"])
def test_public_files_tell_of_no_reminder_whose_it_is(tmp_path: Path, answers: str) -> None:
    """What the repository's public files gain by reminders and defaults names nobody, unless the table does."""
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice", answers=answers)
    # Nothing is due for her before the others have been played for.
    room.says("anna", "quiet 20-10")
    rows = [room.row(seat) for seat in ("anna", "bob", "cleo")]
    sent = room.wait(100, until=lambda: room.defaults("cleo"))
    assert {"anna", "bob", "cleo"} == {got.seat for got in sent if got.kind == "reminder"}
    repo = room.store.open(name)
    clocked = [record for record in read_records(repo) if record.what in ("reminder", "default")]
    assert all(record.intents for record in clocked)
    assert 2 == [record.what for record in clocked].count("default")
    files = [repo.read(record_paths(record.number)[0]).decode() for record in clocked]
    named = any(seat in text.casefold() for text in files for seat in ("anna", "bob", "cleo"))
    assert named == (answers == "names")
    assert (rows == [room.row(seat) for seat in ("anna", "bob", "cleo")]) == (answers == "count")
    assert [] == spooled(repo, room)


def public(room: Clocked, name: str) -> tuple[str, object]:
    """What everybody may read of the newest commit: its first line and its record; and the seats' rows."""
    repo = room.store.open(name)
    number = room.stored(name).table.records
    rows = [room.row(seat) for seat in ("anna", "bob", "cleo")]
    return f"{repo.read(record_paths(number)[0]).decode()} {room.subjects(name)[0]}".casefold(), rows


@pytest.mark.parametrize("answers", ["count", "hidden", "names"])
def test_public_files_tell_of_no_sealed_answer_whose_it_is(tmp_path: Path, answers: str) -> None:
    """Neither given nor taken back; and what its mail has told its writer is not told again."""
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice", answers=answers)
    room.says("anna", "say Good morning")
    _, before = public(room, name)
    for text in ("1", "undo"):
        room.says("bob", text)
        record = list(read_records(room.store.open(name)))[-1]
        assert "bob" == record.seat
        assert ["bob"] == [intent.seat for intent in record.intents]
        files, rows = public(room, name)
        assert ("bob" in files) == (answers == "names")
        assert (before == rows) == (answers != "names")
    # Nor does an answer that tells of nothing bring it to light.
    key = room.last("bob")
    room.says("bob", "board")
    assert (before == public(room, name)[1]) == (answers != "names")
    room.send("bob", "status", to=key)
    assert "Good morning" not in room.last("bob").text
    assert {} == room.stored(name).secrets.mailed
    assert [] == spooled(room.store.open(name), room)


@pytest.mark.parametrize("beside", ["say Good morning", "tell cleo: psst"])
def test_what_stands_beside_a_sealed_answer_names_its_writer_nowhere_in_public(tmp_path: Path, beside: str) -> None:
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice", answers="count")
    _, before = public(room, name)
    room.says("bob", f"1\n{beside}")
    record = room.record(game=name)
    assert record.seat == "bob"
    files, rows = public(room, name)
    assert "bob" not in files
    assert "says" not in files
    assert before == rows
    if beside.startswith("say"):
        assert "Bob says: «Good morning»" in room.last("cleo").text
        assert ["Good morning"] == record.also["says"]
    assert [] == spooled(room.store.open(name), room)


@pytest.mark.parametrize("first", ["", "cleo"])
@pytest.mark.parametrize("answers", ["count", "hidden"])
@pytest.mark.parametrize("said", ["say Good morning", "tell anna: psst"])
@pytest.mark.parametrize("beside", ["1", "1\nlater: resources", "later: resources"])
def test_what_is_said_beside_a_sealed_answer_is_heard_as_if_it_were_said_alone(
    tmp_path: Path, beside: str, said: str, answers: str, first: str
) -> None:
    """The mails that bring it are the same, byte for byte, and the next one counts the answer as anybody's."""
    heard = []
    for n, text in enumerate((said, f"{beside}\n{said}")):
        room = Clocked(tmp_path / str(n))
        room.seated(3, kind="troyes-dice", answers=answers)
        if first:
            room.says(first, "1")
        before = len(room.mails())
        room.says("bob", text)
        heard.append({got.seat: bytes(got.message) for got in room.mails()[before:] if got.seat != "bob"})
    assert heard[0]
    assert heard[0] == heard[1]
    if answers == "count" and beside.startswith("1"):
        assert f"{2 if first else 1} of 3 ha" in room.says("anna", "status")


@pytest.mark.parametrize("answers", ["count", "hidden", "names"])
@pytest.mark.parametrize("beside", ["away 24 dec to 6 jan", "hint", "vote hold", "resign"])
def test_what_all_see_of_a_seat_is_not_set_beside_an_answer_that_names_nobody(
    tmp_path: Path, answers: str, beside: str
) -> None:
    """Its public row would tell whose the answer is. Each in a letter of its own is done."""
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice", answers=answers, hints="yes")
    before, others = room.stored(name), len(room.mails("cleo"))
    told = room.says("bob", f"1\n{beside}")
    after = room.stored(name)
    if answers == "names":
        assert after.table.seat("bob") != before.table.seat("bob") or after.table.votes
        assert after.hidden != before.hidden
        return
    assert "Nothing was done" in told
    assert "in a letter of its own" in told
    assert (before.game, before.hidden, before.table.votes) == (after.game, after.hidden, after.table.votes)
    assert others == len(room.mails("cleo"))
    room.says("bob", "1")
    assert room.stored(name).hidden != before.hidden
    if beside != "hint":
        assert "Nothing was done" not in room.says("bob", beside)


def test_public_files_do_not_tell_to_whom_a_mail_of_the_day_went_while_answers_are_sealed(tmp_path: Path) -> None:
    """Whether it asks or only tells would say who has answered."""
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice", pace="none", answers="hidden")
    room.says("bob", "mail daily")
    room.says("anna", "say Good morning")
    _, before = public(room, name)
    room.wait(30)
    record = room.record(game=name)
    assert ("daily", ["bob"]) == (record.what, [intent.seat for intent in record.intents])
    files, rows = public(room, name)
    assert "bob" not in files
    assert before == rows


@pytest.mark.parametrize("how", ["in time", "undo"])
def test_what_was_sealed_by_the_clock_is_taken_back_as_somebodys(tmp_path: Path, how: str) -> None:
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice")
    room.says("bob", "1")
    room.says("cleo", "1")
    room.wait(100, until=lambda: room.defaults("anna"))
    before = len(room.mails())
    if how == "undo":
        room.desk.change(name, "undo", rollback.undo("x", default=True))
    else:
        asked = next(got for got in room.mails("anna") if got.kind == "reminder")
        room.send("anna", "2", to=asked, fields=received(room.time - HOUR))
        assert "undo" == list(read_records(room.store.open(name)))[-1].what
        assert "anna" not in public(room, name)[0].partition("[[entries]]")[0]
    sent = {got.seat: got.text.replace("\n", " ") for got in room.mails()[before:]}
    told = {"undo": "What the clock has played for somebody is taken back.",
            "in time": "An answer had come in time: what the clock had sealed for somebody is taken back."}  # fmt: skip
    for seat in ("bob", "cleo"):
        assert told[how] in sent[seat]
        assert "took back" not in sent[seat]


@pytest.mark.parametrize("beside", ["away 24 dec to 6 jan", "vote hold", "resign", "hint"])
def test_an_answer_in_time_counts_though_something_that_all_see_is_set_beside_it(tmp_path: Path, beside: str) -> None:
    """Another letter would come too late: what may not stand beside it is left out, and said to be."""
    room = Clocked(tmp_path)
    name = room.seated(3, kind="troyes-dice", hints="yes")
    room.says("bob", "1")
    room.says("cleo", "1")
    room.wait(100, until=lambda: room.defaults("anna"))
    before = room.stored(name)
    asked = next(got for got in room.mails("anna") if got.kind == "reminder")
    room.send("anna", f"2\nmail full\n{beside}", to=asked, fields=received(room.time - HOUR))
    told = " ".join(room.last("anna").text.split())
    after = room.stored(name)
    assert "undo" == room.record(game=name).what
    assert before.game != after.game
    assert after.table.seat("anna").by == "person"
    assert ((), (), 0) == (after.table.votes, after.table.seat("anna").away, after.table.seat("anna").hinted)
    assert "Nothing was done" not in told
    assert "had come in time" in told
    assert f"> {beside} Not played: Left out" in told
    assert "Send this line again in a letter of its own" in told
    assert room.desk.services.people.holder(name, "anna").full


def spooled(repo: GameRepo, room: Clocked) -> list[str]:
    """The mails that a spool made anew would not know of."""
    return [intent.message_id for record in read_records(repo) for intent in room.spool.missing(record)]


@pytest.mark.parametrize("answers", ["count", "hidden"])
def test_a_count_tells_nobodys_name(tmp_path: Path, answers: str) -> None:
    """Two tables at which another has answered: what the third is sent is the same, reminders and defaults too."""
    found = []
    for name, who in (("one", "bob"), ("two", "cleo")):
        room = Clocked(tmp_path / name)
        room.seated(3, kind="troyes-dice", answers=answers)
        room.says(who, "1")
        room.says("anna", "status")
        room.wait(40)
        found.append([got.raw for got in room.mails("anna")])
        told = room.last("anna").text
        assert (answers == "count") == ("1 of 3 has answered" in told)
    assert found[0] == found[1]


def test_names_are_told_where_the_table_says_so(tmp_path: Path) -> None:
    room = Clocked(tmp_path)
    room.seated(3, kind="troyes-dice", answers="names")
    room.says("bob", "1")
    assert "Answered, since Tuesday 24 November: Bob." in room.says("anna", "status")
