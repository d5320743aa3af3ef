"""A full export comes back as a game of this host: finished or running, position by position (issue, «Export»)."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine.chance import Purpose
from engine.errors import NotAllowed, PositionError
from pbem.desk.core.game_start import chance_of
from pbem.export import verify_alone
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.document_reader import read_document
from pbem.export.formats import json_text
from pbem.export.game_source import GameSource, read_source
from pbem.export.import_game import import_document
from pbem.export.verify_export import verify_document
from pbem.host.people import People
from pbem.store.audit import check_repository
from pbem.store.data_codec import to_data
from pbem.store.errors import GameExists
from pbem.store.game_store import GameStore
from pbem.store.game_table import Pace, Status
from pbem.store.state_file import StoredGame
from tests.export.tables import KINDS, positions, sample, table

LATER = datetime(2027, 2, 3, 12, tzinfo=UTC)


def full(source: GameSource, *, valued: bool = False) -> dict[str, Any]:
    """The full document as it comes out of a file; `valued` with what its positions promised."""
    found: dict[str, Any] = json.loads(json_text(export_document(source, Audience(full=True), valued=valued)))
    return found


def returned(found: dict[str, Any], folder: Path) -> GameSource:
    """The game of a document in a new store."""
    store = GameStore(folder / "games")
    import_document(found, store, People(folder / "mail"), LATER)
    return read_source(store.open(found["game"]["name"]))


def round_trip(source: GameSource, folder: Path) -> None:
    """Out, in, and out again: every position, every record and every die is the same; one record tells of the trip."""
    sent = full(source, valued=True)
    back = returned(sent, folder)
    again = full(back, valued=True)
    assert list(positions(sent)) == list(positions(again))[:-1]
    assert sent["records"] == again["records"][:-1]
    assert "import" == again["records"][-1]["what"]
    for part in ("chance", "cards", "result", "kept"):
        assert sent.get(part) == again.get(part), part
    assert verify_document(again).holds
    assert () == check_repository(GameStore(folder / "games").open(source.stored.table.game))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", range(2))
def test_a_finished_game_goes_out_and_comes_back_the_same(kind: str, number: int, tmp_path: Path) -> None:
    """Two here, through a real store; 100 of each kind in `make soak`."""
    round_trip(sample(kind, 3 * number), tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_goes_on_comes_back_to_the_same_decision(kind: str, tmp_path: Path) -> None:
    """In the middle of a round, with sealed answers and hidden decks."""
    source = table(kind, 3, 9, stop=19)
    round_trip(source, tmp_path)
    store = GameStore(tmp_path / "games")
    stored = StoredGame.read(store.open(source.stored.table.game))
    state = source.game.load(stored.game, stored.hidden)
    assert Status.RUNNING == stored.table.status
    assert source.game.waiting(source.state()) == source.game.waiting(state)
    assert source.stored.table.commitment == stored.table.commitment
    assert source.stored.secrets.seed == stored.secrets.seed


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_comes_back_under_another_name_with_the_same_dice(kind: str, tmp_path: Path) -> None:
    """Its draws keep the name they were made with: what was drawn is checked, and what comes is what would have come."""
    source = table(kind, 2, 4, stop=12)
    store = GameStore(tmp_path / "games")
    import_document(full(source), store, People(tmp_path / "mail"), LATER)
    import_document(full(source), store, People(tmp_path / "mail"), LATER, name="second-table")
    assert {f"{kind}-1", "second-table"} == set(store.names())
    one, other = read_source(store.open(f"{kind}-1")), read_source(store.open("second-table"))
    assert "second-table" == other.stored.table.game
    assert verify_document(full(other)).holds
    later = Purpose(5, "rolled", "anna")
    assert chance_of(one.stored).roll(later, 20) == chance_of(other.stored).roll(later, 20)
    # Back under the first name, on a third host.
    third = GameStore(tmp_path / "third")
    import_document(full(other), third, People(tmp_path / "mail3"), LATER, name=f"{kind}-1")
    again = read_source(third.open(f"{kind}-1")).stored.table
    assert (one.stored.table.joined, one.stored.table.facts, "") == (again.joined, again.facts, again.origin)


def test_the_ways_of_a_table_come_back(tmp_path: Path) -> None:
    """Its pace, what it tells of who has answered, its hints, and how well its computers play."""
    found = full(table("troyes", 2, 4, stop=12))
    pace = Pace("medium", 48, "12345", "20:00", "wait")
    found["game"]["seats"][1] |= {"by": "computer", "level": "steady"}
    found["kept"]["table"] |= {"hints": True, "answers": "names", "pace": to_data(pace)}
    back = returned(found, tmp_path)
    ways = back.stored.table
    assert (pace, "names", True) == (ways.pace, ways.answers, ways.hints)
    assert [("person", ""), ("computer", "steady")] == [(row.by, row.level) for row in ways.seats]
    again = full(back)
    assert (found["game"]["seats"], found["kept"]) == (again["game"]["seats"], again["kept"])
    found["game"]["seats"][1]["level"] = "clever"
    with pytest.raises(NotAllowed, match="No level is called"):
        returned(found, tmp_path / "other")


@pytest.mark.parametrize("name", ["gm", "new", "help", "pass", "activate", "all", "rollback", "../x", "UPPER", "-x"])
def test_a_name_that_no_game_may_have_is_refused(name: str, tmp_path: Path) -> None:
    source = table("troyes", 2, 4, stop=5)
    store = GameStore(tmp_path / "games")
    with pytest.raises(NotAllowed, match="No game can be called"):
        import_document(full(source), store, People(tmp_path / "mail"), LATER, name=name)
    found = full(source)
    found["game"]["name"] = found["chance"]["game"] = name
    with pytest.raises(NotAllowed, match="No game can be called"):
        import_document(found, store, People(tmp_path / "mail"), LATER)
    assert () == store.names()


def test_an_export_whose_words_or_dice_differ_is_not_imported(tmp_path: Path) -> None:
    """What `verify` refuses comes in nowhere else as if it were sound."""
    store, honest = GameStore(tmp_path / "games"), full(table("troyes", 2, 4, stop=15))
    word, roll = copy.deepcopy(honest), copy.deepcopy(honest)
    word["chance"]["words"]["host"] = "h217"
    for draw in verify_alone.draws(roll["records"]):
        if "shown" in draw:
            draw["shown"][0] = draw["shown"][0] % 6 + 1
    for odd in (word, roll):
        with pytest.raises(PositionError, match="does not pass `pbem verify`"):
            import_document(odd, store, People(tmp_path / "mail"), LATER)
    assert () == store.names()


@pytest.mark.parametrize("gone", ["kept", "chance", "game"])
def test_what_is_missing_is_told_in_words(gone: str, tmp_path: Path) -> None:
    """No name of a Python error reaches a person."""
    found = full(table("troyes", 2, 4, stop=5))
    del found[gone]
    with pytest.raises(PositionError, match=f"`{gone}` is missing"):
        import_document(found, GameStore(tmp_path / "games"), People(tmp_path / "mail"), LATER)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", range(100))
def test_a_hundred_games_of_each_kind_go_out_and_come_back(kind: str, number: int, tmp_path: Path) -> None:
    """The full number of the issue."""
    round_trip(sample(kind, number), tmp_path)


def test_addresses_travel_only_when_they_are_sent(tmp_path: Path) -> None:
    source = table("troyes", 2, 3, stop=8)
    found = full(source) | {"addresses": {"anna": ["anna@people.test"], "faye": []}}
    store, people = GameStore(tmp_path / "games"), People(tmp_path / "mail")
    revived = import_document(found, store, people, LATER)
    assert ("Faye",) == revived.strangers
    assert ("anna@people.test",) == people.holder("troyes-1", "anna").addresses


def spoilt(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """A document with something wrong in it."""
    found = copy.deepcopy(full(table("troyes", 2, 3, stop=8)))
    change(found)
    return found


WRONG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another view": lambda found: found.update(view="public"),
    "no seats": lambda found: found["game"].pop("seats"),
    "a seat that would leave the folder": lambda found: found["game"]["seats"][0].update(seat="../anna"),
    "an address that is none": lambda found: found.update(addresses={"anna": ["anna"]}),
    "a lost record": lambda found: found["records"].pop(3),
    "a changed position": lambda found: found["records"][-1]["steps"][-1]["change"]["table"].update(neutrals=99),
    "an entry that does not fit": lambda found: found["records"][2]["steps"][0]["entries"][0].update(kind="begins"),
    "a hidden deck gone": lambda found: found["records"][0]["steps"][0]["entries"][0].pop("hidden"),
    "no records": lambda found: found.update(records=[]),
    "talk without its text": lambda found: found["records"][2].update(talk=[{"to": "faye"}]),
    "no last day": lambda found: found["game"].update(changed=0),
    "a text for a table": lambda found: found["records"][1].update(steps="x"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_hold_together_changes_nothing(what: str, tmp_path: Path) -> None:
    """One sentence, and no folder, no people, no half game."""
    store, people = GameStore(tmp_path / "games"), People(tmp_path / "mail")
    with pytest.raises(PositionError):
        import_document(spoilt(WRONG[what]), store, people, LATER)
    assert () == store.names()
    assert () == people.games()
    assert not (tmp_path / "words.sqlite").exists()
    assert [] == [path for path in (tmp_path / "games").iterdir() if not path.name.startswith(".pbem")]


def test_a_game_that_is_here_already_is_not_touched(tmp_path: Path) -> None:
    found = full(table("troyes", 2, 3, stop=8))
    store, people = GameStore(tmp_path / "games"), People(tmp_path / "mail")
    import_document(found, store, people, LATER)
    head = store.head("troyes-1")
    with pytest.raises(GameExists, match="nothing was changed"):
        import_document(found, store, people, LATER)
    assert head == store.head("troyes-1")


@pytest.mark.parametrize("path", [("game", "options", "ladies"), ("chance", "words", "anna"), ("records", 0, "says")])
def test_what_a_terminal_may_obey_is_not_read(path: tuple[str | int, ...], tmp_path: Path) -> None:
    """Names, options and words of an export are printed, and stand in errors."""
    found = json.loads(json_text(full(table("troyes", 2, 4, stop=5))))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(found), "utf-8")
    assert read_document(file)["records"]
    part: Any = found
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = "\x1b]0;title\x07"
    file.write_text(json.dumps(found), "utf-8")
    with pytest.raises(PositionError, match="holds a control character"):
        read_document(file)
