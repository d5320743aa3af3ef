"""People's words lie outside the games' repositories, can be taken back, and may be lost without harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import Seat
from pbem.admin.actions import lifecycle, seat_orders
from pbem.admin.actions.position_values import set_value
from pbem.export import import_game
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.game_source import read_source
from pbem.export.import_game import import_document
from pbem.host.people import MODERATOR, People
from pbem.store.errors import GameExists
from pbem.store.game_store import GameStore
from pbem.store.private_text import WORDS_LOST, WORDS_TAKEN_BACK, PrivateText, author_id, open_private_text
from tests.repair.bench import Bench
from tests.store.play import git

ALOUD, PRIVATE, NONSENSE = "I saw a heron", "meet me at the quay", "my aunt grows quinces"
HELD, REMARK, MENDED = "the ferry is late", "bring an umbrella", "the till was wrong"
GIVEN = "the line is dead"


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A table at which all kinds of words were written."""
    bench = Bench(tmp_path_factory.mktemp("talked") / "host")
    bench.seat_all(2)
    bench.play(2)
    bench.send("anna", f"say {ALOUD}\ntell faye: {PRIVATE}")
    bench.send("anna", NONSENSE)
    bench.send("anna", f"say faye {NONSENSE}")
    bench.repair(lifecycle.remark(REMARK, now=True))
    bench.repair(set_value("anna.deniers", "+3", MENDED))
    bench.repair(lifecycle.hold(HELD))
    return bench


@pytest.fixture
def bench(talked: Bench, tmp_path: Path) -> Iterator[Bench]:
    talked.spool.close()
    yield talked.copy(tmp_path / "copy")
    talked.restart()


def committed(bench: Bench) -> str:
    """Everything that the repository holds: every file of every commit, and every message."""
    return git(bench.folder / "games" / bench.table, "log", "--patch", "--format=%B", "--text")


def talk(bench: Bench) -> list[str]:
    found = export_document(read_source(bench.store.open(bench.table), words=bench.spool.words), Audience(full=True))
    return [one["text"] for row in found["records"] for one in row.get("talk", ())]


def send_all(bench: Bench) -> None:
    bench.spool.sent([row.message_id for row in bench.spool.rows()], bench.time)


def forget(bench: Bench) -> list[int]:
    found = bench.spool.words.forget(bench.table, author_id("anna", 1))
    bench.spool.forget(bench.table, found)
    return found


def left(bench: Bench) -> list[Path]:
    """The files of the mail folder in which words of Anna's stand, logs of the databases among them."""
    files = [path for path in (bench.folder / "mail").rglob("*") if path.is_file()]
    return [path for path in files if any(words.encode() in path.read_bytes() for words in (ALOUD, PRIVATE, NONSENSE))]


def lose(bench: Bench, *names: str) -> None:
    bench.spool.close()
    for name in names:
        for path in (bench.folder / "mail").glob(f"{name}*"):
            path.unlink()
    bench.restart()


def test_no_word_of_anybodys_is_in_the_repository(bench: Bench) -> None:
    everything = committed(bench)
    for words in (ALOUD, PRIVATE, NONSENSE, HELD, REMARK, MENDED, "@people.test", "<letter"):
        assert words not in everything, words
    assert f"{bench.table}." in everything


def test_everybody_who_may_know_them_still_reads_them(bench: Bench) -> None:
    assert [ALOUD, PRIVATE] == talk(bench)
    source = read_source(bench.store.open(bench.table), words=bench.spool.words)
    assert {HELD, REMARK, MENDED} <= {record.note for record in source.records}
    assert HELD == source.stored.table.reason
    refused = bench.sent_by("faye", "pass")
    assert HELD in refused[0].text
    assert MENDED in bench.sent_by("faye", "history 30")[0].text


def test_the_same_mails_are_written_again_when_the_spool_alone_was_lost(bench: Bench) -> None:
    newest = {seat: bench.last(seat).raw for seat in ("anna", "faye")}
    lose(bench, "spool.sqlite")
    assert 2 == bench.desk.rebuild(bench.table)
    assert newest == {seat: bench.last(seat).raw for seat in ("anna", "faye")}


def test_lost_words_are_told_to_be_lost_and_nothing_else_is(bench: Bench) -> None:
    lose(bench, "spool.sqlite", "words.sqlite")
    assert 2 == bench.desk.rebuild(bench.table)
    assert [WORDS_LOST, WORDS_LOST] == talk(bench)
    bench.repair(lifecycle.resume("here we are"))
    seat = bench.asked()
    assert seat is not None
    entries = bench.stored(bench.table).table.entries
    bench.send(str(seat), "1")
    assert bench.stored(bench.table).table.entries > entries


def test_an_export_without_the_mail_folder_says_that_the_words_are_lost(bench: Bench, tmp_path: Path) -> None:
    found = export_document(read_source(bench.store.open(bench.table), words=open_private_text(tmp_path)), Audience(full=True))
    assert {WORDS_LOST} == {one["text"] for row in found["records"] for one in row.get("talk", ())}
    assert not (tmp_path / "words.sqlite").exists()


def test_an_import_keeps_the_words_outside_the_repository_as_well(bench: Bench, tmp_path: Path) -> None:
    source = read_source(bench.store.open(bench.table), words=bench.spool.words)
    store, folder = GameStore(tmp_path / "other"), tmp_path / "mail"
    import_document(export_document(source, Audience(full=True)), store, People(folder), bench.time)
    everything = git(store.root / bench.table, "log", "--patch", "--format=%B", "--text")
    assert not [words for words in (ALOUD, PRIVATE, NONSENSE, HELD, REMARK, MENDED) if words in everything]
    again = read_source(store.open(bench.table), words=open_private_text(folder))
    assert (HELD, [one.note for one in source.records]) == (
        again.stored.table.reason, [one.note for one in again.records][: len(source.records)]
    )  # fmt: skip


def test_a_table_that_was_opened_while_an_import_was_read_keeps_its_people_and_words(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its mails would go to the people of the other one."""
    found = export_document(read_source(bench.store.open(bench.table), words=bench.spool.words), Audience(full=True))
    for row in found["records"]:
        row.pop("talk", None)
    people = bench.people.holders(bench.table)
    monkeypatch.setattr(import_game, "_check_name", lambda *what: None)
    with pytest.raises(GameExists):
        import_document(found, bench.store, bench.people, bench.time)
    assert people == bench.people.holders(bench.table)
    assert [ALOUD, PRIVATE] == talk(bench)


def test_who_takes_the_words_back_leaves_none_of_them_in_the_mail_folder(bench: Bench) -> None:
    send_all(bench)
    found = forget(bench)
    assert [WORDS_TAKEN_BACK, WORDS_TAKEN_BACK] == talk(bench)
    source = read_source(bench.store.open(bench.table), words=bench.spool.words)
    assert HELD in {record.note for record in source.records}, "the moderator's are the moderator's"
    assert not left(bench)
    assert found == forget(bench), "again is the same"
    assert not left(bench)


def test_what_was_still_to_go_or_was_not_reached_is_emptied_by_the_next_call(bench: Bench) -> None:
    bench.spool.words.forget(bench.table, author_id("anna", 1))
    assert left(bench), "killed before the spool"
    assert forget(bench)
    assert left(bench), "mails that are still to go go whole"
    send_all(bench)
    assert forget(bench)
    assert not left(bench)


def test_orders_given_for_a_seat_are_the_words_of_whoever_gave_them(bench: Bench) -> None:
    bench.repair(lifecycle.resume())
    seat = str(bench.asked())
    bench.repair(seat_orders.give_orders(seat, ["1"], GIVEN))
    bench.spool.words.forget(bench.table, author_id(seat, 1))
    notes = [record.note for record in read_source(bench.store.open(bench.table), words=bench.spool.words).records]
    assert GIVEN == notes[-1]
    bench.spool.words.forget(bench.table, author_id(MODERATOR, 0))
    notes = [record.note for record in read_source(bench.store.open(bench.table), words=bench.spool.words).records]
    assert WORDS_TAKEN_BACK == notes[-1]


def test_a_later_holder_of_the_seat_keeps_their_words(bench: Bench) -> None:
    assert [] == bench.spool.words.forget(bench.table, author_id("anna", 2))
    assert [ALOUD, PRIVATE] == talk(bench)
    assert bench.spool.words.forget(bench.table, author_id(MODERATOR, 0))
    source = read_source(bench.store.open(bench.table), words=bench.spool.words)
    assert WORDS_TAKEN_BACK == source.stored.table.reason


def test_words_of_a_commit_that_was_never_made_are_thrown_away(tmp_path: Path) -> None:
    """A crash after the words and before the commit; another letter gets the record's number."""
    words = PrivateText(tmp_path)
    words.keep("tally-1", 3, "anna.1", {"tally-1.3.say1": "a", "tally-1.3.say2": "b"})
    words.keep("tally-1", 3, "bob.1", {"tally-1.3.say1": "c"})
    assert ("c", WORDS_LOST) == (words.text("tally-1.3.say1"), words.text("tally-1.3.say2"))


def test_only_its_owner_reads_the_file(bench: Bench) -> None:
    assert 0o600 == (bench.folder / "mail" / "words.sqlite").stat().st_mode & 0o777
    assert People(bench.folder / "mail").holder(bench.table, Seat("anna")).generation == 1
