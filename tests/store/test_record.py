"""What a commit holds: positions and records, there and back."""

from __future__ import annotations

import string
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from engine.errors import PositionError
from engine.event_log import LogEntry
from pbem.store.commit_record import AnsweredLetter, Intent, Record, record_paths
from pbem.store.data_codec import upgrade_schema
from pbem.store.game_table import (
    DecisionAnswers,
    DelayedAnswer,
    MailedLists,
    ModeratorKey,
    SeatRow,
    ThreadMark,
    UndoPoint,
)
from pbem.store.state_file import SECRET_FILE, STATE_FILE, StoredGame
from tests.store.play import NOON, following, opening

words = some.text(string.ascii_lowercase + string.digits + "-é «»\n", max_size=20)
names = some.text(string.ascii_lowercase, min_size=1, max_size=8).filter(lambda name: name != "kind")
values = some.recursive(
    some.one_of(words, some.integers(-100, 10**12), some.booleans()),
    lambda inner: some.one_of(some.lists(inner, max_size=4), some.dictionaries(names, inner, max_size=4)),
    max_leaves=5,
)
data = some.dictionaries(names, values, max_size=4)
entries = some.builds(LogEntry, names, data, some.dictionaries(names, data, max_size=2), data)
counts = some.integers(0, 10**9)
intents = some.builds(Intent, names, names, names, counts, counts, counts)
moments = some.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=some.just(UTC))
recorded = some.builds(
    Record,
    number=some.integers(1, 10**6 - 1),
    at=moments,
    what=names,
    engine=words,
    seat=words,
    orders=some.lists(words, max_size=3).map(tuple),
    first=counts,
    entries=some.lists(entries, max_size=5).map(tuple),
    reveals=some.booleans(),
    letter=some.one_of(some.none(), some.builds(AnsweredLetter, names, counts, counts)),
    intents=some.lists(intents, max_size=3).map(tuple),
    note=words,
    also=data,
    private=data,
)


@settings(max_examples=25)
@given(recorded)
def test_a_record_reads_back_exactly(record: Record) -> None:
    """A sample; the soak reads many back."""
    reads_back(record)


@pytest.mark.soak
@settings(max_examples=2000)
@given(recorded)
def test_many_records_read_back_exactly(record: Record) -> None:
    reads_back(record)


def reads_back(record: Record) -> None:
    files = record.files()
    public, secret = record_paths(record.number)
    back = Record.from_toml(record.number, files[public], files.get(secret, b""))
    assert record == back
    assert record.fingerprint() == back.fingerprint()


@settings(max_examples=16)
@given(recorded)
def test_nothing_secret_stands_in_the_public_file(record: Record) -> None:
    """Two records that differ only in what the table may not see have the same public file and message.

    A sample; the soak compares many.
    """
    tells_no_secret(record)


@pytest.mark.soak
@settings(max_examples=1000)
@given(recorded)
def test_nothing_secret_stands_in_many_public_files(record: Record) -> None:
    tells_no_secret(record)


def tells_no_secret(record: Record) -> None:
    bare = replace(record, private={}, entries=tuple(LogEntry(e.kind, e.data) for e in record.entries))
    assert bare.to_toml()[0] == record.to_toml()[0]
    assert bare.message("anna plays") == record.message("anna plays")


@settings(max_examples=40)
@given(recorded, some.tuples(names, names), words)
def test_whose_an_unnamed_record_is_stands_in_its_secret_file_alone(
    record: Record, seats: tuple[str, str], said: str
) -> None:
    """Nor what they said and did beside; and it reads back."""
    named = {"says": [said], "deed": {"text": said}, **record.also}
    one, other = (replace(record, unnamed=True, seat=seat) for seat in seats)
    one, other = replace(one, also=named), replace(other, intents=())
    assert other.to_toml()[0] == one.to_toml()[0]
    reads_back(one)


def test_a_record_without_secrets_has_one_file() -> None:
    assert list(Record(100, NOON, "start", "0.1.0").files()) == ["chronicle/0001/000100.toml"]


def test_a_record_reads_as_a_log() -> None:
    record = following(opening(), b"letter")[1]
    public, secret = (raw.decode() for raw in record.to_toml())
    assert '    {kind = "ground", sack = 0, turn = 1, who = "anna"},\n' in public
    assert "miller" not in public
    assert '\n    {number = 6, only = {anna = {card = "miller"}}, hidden = {deck = [3, 1, 2]}},\n' in secret


def test_the_message_carries_what_happened_and_its_trailers() -> None:
    record = Record(17, NOON, "letter", "0.3.1", letter=AnsweredLetter("ab12"))
    expected = "anna passes\n\nLetter: ab12\nRecord: 17\nEngine: 0.3.1\nSchema: 2\n"
    assert expected == record.message("anna\npasses")


def test_a_position_reads_back_exactly() -> None:
    stored = opening()
    table = replace(stored.table, reason="vote", commitment="ff", decisions=9, joined=("anna",), facts={"box": {"n": 1}})
    row = SeatRow("eve", "Ève «1»", "computer", 12, 7, 3, 2, "2026-11-21", ThreadMark("round 1", "mill-1.1.1", "mill-1.2.1"))
    table = replace(table, seats=(*table.seats, row), undo=(UndoPoint("anna", "ab" * 20, 3, 12),))
    secrets = replace(
        stored.secrets,
        epoch=2,
        gm=ModeratorKey(4, 9),
        lists={"anna": MailedLists(3, ((2, "ab"), (3, "", "pass")))},
        said={"anna": (DecisionAnswers(3, "2026-11-21T12:00:00+00:00", 2, (("ab", "cd"), ("ef",))),)},
        later={"bob": (DelayedAnswer(0, {"seat": "bob", "kind": "answer"}),)},
    )
    stored = replace(stored, table=table, secrets=secrets)
    files = stored.files()
    assert stored == StoredGame.from_toml(files[STATE_FILE], files[SECRET_FILE])


def test_the_public_reading_holds_no_secret() -> None:
    stored = opening()
    public = StoredGame.from_toml(stored.files()[STATE_FILE], None)
    assert (stored.table, stored.game, {}, "") == (public.table, public.game, public.hidden, public.secrets.seed)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('status = "running"', 'status = "runing"', "state.toml: table.status: is 'runing'; one of gathering, running"),
        ("game_schema = 1", "game_schema = -1", "state.toml: table.game_schema: is -1; a whole number, 0 or more, is needed"),
        ("game_schema = 1", 'game_schema = "0"', "state.toml: table.game_schema: is '0'; a whole number, 0 or more, is needed"),
        ("game_schema = 1", "game_schema = true", "state.toml: table.game_schema: is True; a whole number, 0 or more, is needed"),
        ('name = "Bob"', "name = 3", "state.toml: table.seats[1].name: is 3; text is needed"),
        (', name = "Bob"', "", "state.toml: table.seats[1].name: is missing; text is needed"),
        ('name = "Bob"', 'name = "Bob", tolld = 0', "state.toml: table.seats[1].tolld: is not known here; a misspelt name?"),
        ("opened = 2026-11-20T12:00:00Z", "opened = 2026-11-20T12:00:00", "state.toml: table.opened: is 2026-11-20 12:00:00; a date and time with"),
        ("[table]", "[tabel]", "state.toml: table: is missing; a table is needed"),
        ("schema = 2", "schema = 99", "state.toml: schema: is 99, of a newer version; this one reads up to 2"),
        ("schema = 2", "", "state.toml: schema: is nothing; a whole number from 1 to 2 is needed"),
        ('options = {players = "2"}', "options = 2", "state.toml: table.options: is 2; a table is needed"),
        ('options = {players = "2"}', "options = {players = 2}", "state.toml: table.options.players: is 2; text is"),
    ],
)
def test_a_wrong_value_is_named_by_its_path(old: str, new: str, says: str) -> None:
    text = opening().files()[STATE_FILE].decode()
    assert old in text
    with pytest.raises(PositionError) as wrong:
        StoredGame.from_toml(text.replace(old, new, 1).encode(), None)
    assert str(wrong.value).startswith(says)


def test_a_wrong_value_in_a_record_is_named_by_its_path() -> None:
    record = following(opening(), b"letter")[1]
    public, secret = record.to_toml()
    with pytest.raises(PositionError, match=r"^chronicle/0000/000001\.toml: intents\[0\]\.decision: is 'x'"):
        Record.from_toml(1, public.replace(b"decision = 1", b'decision = "x"', 1), secret)
    with pytest.raises(PositionError, match=r"^chronicle/0000/000001\.toml: entries\[0\]\.kind: is missing"):
        Record.from_toml(1, public.replace(b'kind = "ground", ', b"", 1), secret)
    with pytest.raises(PositionError, match=r"000001\.secret\.toml: entries: names entry 99, which"):
        Record.from_toml(1, public, secret.replace(b"number = 6", b"number = 99"))
    with pytest.raises(PositionError, match=r"^chronicle/0000/000002\.toml: number: is 1; 2 is needed"):
        Record.from_toml(2, public, secret)


def test_older_files_are_brought_up_to_date_step_by_step() -> None:
    def renamed(data: dict[str, Any]) -> dict[str, Any]:
        return {"n": data["n"], "name": data["title"]}

    def doubled(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "n": data["n"] * 2}

    steps = {1: renamed, 2: doubled}
    assert upgrade_schema({"schema": 1, "title": "x", "n": 4}, 3, steps, "f") == {"n": 8, "name": "x"}
    assert upgrade_schema({"schema": 3, "n": 8}, 3, steps, "f") == {"n": 8}
