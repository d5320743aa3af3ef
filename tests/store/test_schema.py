"""A game that was stored by the first schema is read, played on, checked, and shown: the one tested migration.

`tests/saved/table_schema_1.export` is that game, as `git fast-export` told it when schema 1 was written: a table of
three before its game, one of whom has joined, has spoken, and has answers waiting to be sent together.
"""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import PositionError
from engine.game import Seat
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.game_source import read_source
from pbem.export.verify_export import verify_document
from pbem.host.people import Holder
from pbem.outbound.mail import Message
from pbem.store import toml_format
from pbem.store.audit import check_repository
from pbem.store.commit_record import read_records
from pbem.store.data_codec import from_data as plain
from pbem.store.game_table import DecisionAnswers, DelayedAnswer, Pace
from pbem.store.schema import SCHEMA
from pbem.store.state_file import StoredGame
from tests.repair.bench import ACTIONS, Bench
from tests.store.play import git

SAVED = Path(__file__).parent.parent / "saved" / "table_schema_1.export"


@pytest.fixture
def hall(tmp_path: Path) -> Bench:
    """A post room that has that game, whose spool was lost."""
    made = Bench(tmp_path)
    folder = tmp_path / "games" / "troyes-1"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    with SAVED.open("rb") as told:
        subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], stdin=told, check=True)
    git(folder, "reset", "--quiet", "--hard")
    made.count = 100
    made.people.register(
        "troyes-1",
        (Holder(Seat(name.lower()), name, (f"{name.lower()}@people.test",)) for name in ("Anna", "Faye", "Zoe")),
    )
    made.restart()
    return made


def test_what_stood_in_bags_has_fields_now(hall: Bench) -> None:
    stored = hall.stored("troyes-1")
    assert (("anna",), ()) == (stored.table.joined, stored.table.declined)
    # What came later: it has no pace, and no clock runs.
    assert (Pace(), None) == (stored.table.pace, stored.table.seat("anna").clock)
    row = stored.table.seat("anna")
    assert row.thread is not None
    assert (2, "troyes-1.1.1", "troyes-1.2.1") == (row.heard, row.thread.root, row.thread.last)
    assert "marmalade" == stored.secrets.words["anna"]
    assert (0, (1, "", "join", "decline")) == (stored.secrets.lists["zoe"].number, stored.secrets.lists["zoe"].shown[0])
    assert "card archer11" == plain(Message, stored.secrets.later["faye"][0].mail, "mail").said[0].written


def test_every_record_is_read_and_keeps_its_words(hall: Bench) -> None:
    found = list(read_records(hall.store.open("troyes-1")))
    assert hall.stored("troyes-1").table.records == len(found)
    mails = [plain(Message, row, "mail") for row in found[1].private["mails"]]
    assert [("Anna", "hello all", False), ("Anna", "be quick", True)] == [
        (one.who, one.text, one.alone) for one in mails[2].messages
    ]
    assert ["hello all"] == found[1].also["says"]


def test_it_is_sound_and_is_played_on_in_the_present_schema(hall: Bench) -> None:
    repo = hall.store.open("troyes-1")
    assert () == check_repository(repo)
    hall.desk.rebuild("troyes-1")
    for seat in ("faye", "zoe"):
        hall.send(seat, "join kettle", to=hall.last(seat))
    stored = hall.stored("troyes-1")
    assert "running" == stored.table.status
    assert f"schema = {SCHEMA}\n".encode() in repo.read("state.toml")
    assert () == check_repository(repo)
    assert {"1", str(SCHEMA)} == {commit.trailers["Schema"] for commit in repo.log()}
    asked = hall.asked()
    assert asked is not None
    hall.send(str(asked), "1")
    assert hall.stored("troyes-1").table.entries > stored.table.entries


def test_it_is_verified_and_exported(hall: Bench) -> None:
    hall.desk.rebuild("troyes-1")
    for seat in ("faye", "zoe"):
        hall.send(seat, "join kettle", to=hall.last(seat))
    hall.repair(ACTIONS["end"](hall))
    source = read_source(hall.store.open("troyes-1"))
    found = export_document(source, Audience(full=True))
    assert [{"to": "", "text": "hello all"}, {"to": "zoe", "text": "be quick"}] == found["records"][1]["talk"]
    assert verify_document(found).holds


@pytest.mark.parametrize(
    "text",
    [
        "schema = 1\n",
        "schema = 1\ntable = 3\n",
        "schema = 1\n[table]\nseats = [1]\n",
        "schema = 1\n[table]\nalso = 1\nseats = []\n",
        "schema = 0\n",
        "schema = 3\n",
        "",
    ],
)
def test_a_file_that_is_not_what_its_schema_says_is_told_with_its_name(text: str) -> None:
    with pytest.raises(PositionError, match=r"state\.toml: schema"):
        StoredGame.from_toml(text.encode(), None)


@pytest.mark.parametrize("name", ["said", "later"])
def test_a_misspelt_name_is_met_in_every_row_of_the_secrets(hall: Bench, name: str) -> None:
    stored = hall.stored("troyes-1")
    row = {"said": DecisionAnswers(1, "", 1), "later": DelayedAnswer(0, {})}[name]
    secrets = replace(stored.secrets, **{"said": {}, "later": {}, name: {"anna": (row,)}})
    state, secret = replace(stored, secrets=secrets).files().values()
    data = toml_format.parse_toml(secret, "secret.toml")
    assert secrets == StoredGame.from_toml(state, secret).secrets
    data["secrets"][name]["anna"][0]["numbr"] = 1
    with pytest.raises(PositionError, match=rf"secrets\.{name}\.anna\[0\]\.numbr"):
        StoredGame.from_toml(state, toml_format.toml_bytes(data))
