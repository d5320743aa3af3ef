"""Achievements: counted per person over all games of a host, mailed when earned, listed when asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.game import find_game
from pbem.admin import personal_data
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.cli import main
from pbem.desk.transaction import commit as sealing
from pbem.desk.transaction.rebuild import rewritten_mails
from pbem.host.people import Holder
from pbem.store.errors import StoreError
from pbem.store.game_table import Status
from tests.dice.games import GAME
from tests.dice_mail.table import seat_computer
from tests.whole.room import Hall

SOLO = "solo-games"


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A host without games."""
    return Hall(tmp_path / "host", GAME.kind)


def open_for(hall: Hall, *people: tuple[str, str], seed: int = 1, kind: str = GAME.kind, **options: str) -> str:
    invited = tuple(Invited(name, tuple(addresses.split())) for name, addresses in people)
    opening = Opening(kind, invited, options, now=True, seed=bytes([seed]) * 32)
    return open_table(hall.desk, opening).table.game


def play_out(hall: Hall, name: str) -> None:
    """Everybody takes the first option until the game is over."""
    while True:
        stored = hall.stored(name)
        state = find_game(stored.table.kind).load(stored.game, stored.hidden)
        asked = [one.seat for one in find_game(stored.table.kind).waiting(state) if not one.answered]
        if not asked:
            return
        mail = next(got for got in reversed(hall.mails(asked[0])) if f"[{name}]" in str(got.message["Subject"]))
        holder = hall.people.holder(name, asked[0])
        hall.send(asked[0], "1", to=mail, sender=holder.addresses[0])


def solo(hall: Hall, seed: int = 1, who: tuple[str, str] = ("Anna", "anna@people.test")) -> str:
    name = open_for(hall, who, seed=seed)
    play_out(hall, name)
    return name


def games_of(hall: Hall, *addresses: str) -> dict[str, int]:
    """Id to games, of everything reached at all."""
    book = hall.desk.services.achievements
    return {row.of.id: row.games for row in book.reached(GAME, addresses) if row.games}


@pytest.fixture(scope="module")
def once_played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Hall, str]:
    """A host on which Anna has played one game alone, and the game; not to be changed."""
    hall = Hall(tmp_path_factory.mktemp("once") / "host", GAME.kind)
    return hall, solo(hall)


@pytest.fixture
def after_one(once_played: tuple[Hall, str], tmp_path: Path) -> tuple[Hall, str]:
    """The same, to go on from."""
    hall, name = once_played
    return hall.twin(tmp_path / "twin"), name


def last(hall: Hall, seat: str) -> str:
    return hall.last(seat).text


def test_the_final_mail_tells_what_is_earned_and_what_has_come_nearer(after_one: tuple[Hall, str]) -> None:
    hall, _ = after_one
    text = last(hall, "anna").partition("YOUR ACHIEVEMENTS")[2]
    assert "- Alone at the wheel: 1 of 3 games." in text
    assert "«achievements» lists them all." in text


def test_who_is_forgotten_stands_on_no_page(after_one: tuple[Hall, str]) -> None:
    hall, _ = after_one
    assert games_of(hall, "anna@people.test")
    personal_data.forget_person(hall.desk, "anna@people.test")
    assert {} == games_of(hall, "anna@people.test")


def test_three_games_earn_what_needs_three(hall: Hall) -> None:
    for seed in (1, 2, 3, 4):
        solo(hall, seed)
        text = last(hall, "anna")
        assert (seed == 3) == ("Earned: Alone at the wheel. Play 3 games alone." in text), seed
        assert (seed < 3) == ("- Alone at the wheel: " in text), seed
    assert 4 == games_of(hall, "anna@people.test")[SOLO]


def test_what_was_earned_before_is_not_told_again(after_one: tuple[Hall, str]) -> None:
    hall, _ = after_one
    first = [line for line in last(hall, "anna").splitlines() if line.startswith("- Earned")]
    assert first
    solo(hall, 1)
    assert not [line for line in last(hall, "anna").splitlines() if line in first]


def test_each_seat_of_a_table_has_its_own(hall: Hall) -> None:
    name = open_for(hall, ("Anna", "anna@people.test"), ("Faye", "faye@people.test"), expansion="yes")
    play_out(hall, name)
    for seat in ("anna", "faye"):
        assert {"table-games": 1, "expansion-games": 1}.items() <= games_of(hall, f"{seat}@people.test").items()
        assert "- In company: 1 of 3 games." in last(hall, seat)
    assert SOLO not in games_of(hall, "anna@people.test")


def test_a_person_is_known_by_the_address_and_not_by_the_name(hall: Hall) -> None:
    """Two who are called the same are two; one under another name is the same."""
    solo(hall, 1, ("Anna", "anna@people.test"))
    solo(hall, 2, ("Anna", "other@people.test"))
    solo(hall, 3, ("Annabel", "anna@people.test"))
    assert 2 == games_of(hall, "anna@people.test")[SOLO]
    assert 1 == games_of(hall, "other@people.test")[SOLO]


def test_any_registered_address_of_a_person_will_do(hall: Hall) -> None:
    solo(hall, 1, ("Anna", "anna@people.test anna@work.test"))
    solo(hall, 2, ("Anna", "anna@work.test"))
    assert 2 == games_of(hall, "anna@work.test")[SOLO]
    assert 1 == games_of(hall, "anna@people.test")[SOLO]
    assert 2 == games_of(hall, "anna@people.test", "anna@work.test")[SOLO], "no game counts twice"


def test_the_book_has_a_history_and_no_address(after_one: tuple[Hall, str]) -> None:
    """A file a person in a repository beside the games, whose name tells nobody who that is."""
    hall, name = after_one
    repo = hall.store.book("achievements")
    assert repo is not None
    (page,) = repo.folder.glob("*.toml")
    assert "anna" not in page.name
    everything = page.read_text() + "".join(commit.subject + commit.message for commit in repo.log())
    assert name in everything
    assert "@" not in everything
    assert "anna" not in everything.lower()
    assert [f"{name} is over"] == [commit.subject for commit in repo.log()]
    assert (name,) == hall.store.names(), "the book is no game"


@pytest.mark.parametrize("word", ["achievements", "achievement", "succès", "Exploits"])
def test_the_list_is_asked_for_by_mail(after_one: tuple[Hall, str], word: str) -> None:
    hall, _ = after_one
    hall.send("anna", word)
    text = last(hall, "anna")
    assert "ACHIEVEMENTS IN TROYES DICE" in text
    assert "of 21 earned." in text
    assert "Alone at the wheel: 1 of 3. Play 3 games alone." in text
    assert "Crowd: not yet. End a game with at least 40 citizens." in text


def test_the_list_holds_games_of_other_kinds_too(after_one: tuple[Hall, str]) -> None:
    """At a table of a game that has none, what was reached elsewhere is listed all the same."""
    hall, _ = after_one
    other = open_for(hall, ("Anna", "anna@people.test"), ("Bob", "bob@people.test"), kind="troyes")
    mail = next(got for got in reversed(hall.mails("anna")) if f"[{other}]" in str(got.message["Subject"]))
    hall.send("anna", "achievements", to=mail)
    assert "This game has none." in last(hall, "anna")
    assert "ACHIEVEMENTS IN TROYES DICE" in last(hall, "anna")


def test_nobody_reads_those_of_others(after_one: tuple[Hall, str]) -> None:
    hall, _ = after_one
    name = open_for(hall, ("Anna", "anna@people.test"), ("Faye", "faye@people.test"), seed=5)
    mail = next(got for got in reversed(hall.mails("faye")) if f"[{name}]" in str(got.message["Subject"]))
    hall.send("faye", "achievements", to=mail)
    assert "0 of 21 earned." in last(hall, "faye")


def test_a_computer_earns_nothing_for_the_seat(hall: Hall) -> None:
    name = open_for(hall, ("Anna", "anna@people.test"), ("Faye", "faye@people.test"))
    seat_computer(hall, name, "faye")
    play_out(hall, name)
    assert {} == games_of(hall, "faye@people.test")
    assert 1 == games_of(hall, "anna@people.test")["table-games"]
    assert "YOUR ACHIEVEMENTS" not in last(hall, "faye")


def test_a_kill_between_the_game_and_the_book_loses_nothing(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game's commit stands, the book does not have it yet: the next letter to anybody settles it."""
    name = open_for(hall, ("Anna", "anna@people.test"))
    book = type(hall.desk.services.achievements)
    monkeypatch.setattr(book, "settle", lambda *args: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        play_out(hall, name)
    monkeypatch.undo()
    assert Status.ENDED is hall.stored(name).table.status
    assert {} == games_of(hall, "anna@people.test")
    hall.spool.close()
    hall.restart()
    hall.send("anna", "status")
    assert 1 == games_of(hall, "anna@people.test")[SOLO]
    assert () == hall.desk.services.achievements.expected()


def test_a_damaged_page_keeps_no_game_from_ending(after_one: tuple[Hall, str], caplog: pytest.LogCaptureFixture) -> None:
    hall, _ = after_one
    repo = hall.store.book("achievements")
    assert repo is not None
    (page,) = repo.folder.glob("*.toml")
    before = page.read_text()
    page.write_text("games = 3")
    name = solo(hall, 2)
    assert Status.ENDED is hall.stored(name).table.status
    assert "is no page of achievements" in caplog.text
    with pytest.raises(StoreError):
        games_of(hall, "anna@people.test")
    page.write_text(before)
    hall.send("anna", "status")
    assert 2 == games_of(hall, "anna@people.test")[SOLO], "the game was noted and is written now"


def test_a_game_that_is_not_over_any_more_does_not_count(after_one: tuple[Hall, str]) -> None:
    """A moderator goes back behind the end; when it ends again it counts again, once."""
    hall, name = after_one
    book, stored = hall.desk.services.achievements, hall.stored(name)
    book.settle(replace(stored, table=replace(stored.table, status=Status.RUNNING)), None)
    assert {} == games_of(hall, "anna@people.test")
    book.settle(stored, GAME.result(GAME.load(stored.game, stored.hidden)))
    book.settle(stored, GAME.result(GAME.load(stored.game, stored.hidden)))
    assert 1 == games_of(hall, "anna@people.test")[SOLO]


def test_the_book_can_be_counted_again_from_the_games(after_one: tuple[Hall, str]) -> None:
    """After an import, a lost secret, or a changed address."""
    hall, name = after_one
    hall.people.register(name, (Holder(hall.people.holder(name, "anna").seat, "Anna", ("new@people.test",)),))
    assert {} == games_of(hall, "new@people.test")
    assert 1 == hall.desk.services.achievements.recount()
    assert 1 == games_of(hall, "new@people.test")[SOLO]
    assert {} == games_of(hall, "anna@people.test")


def test_the_final_mail_can_be_written_again_word_for_word(after_one: tuple[Hall, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What was earned stands with the record: a lost spool brings the same bytes, whatever the book says by then."""
    hall, name = after_one
    bytes_before = hall.last("anna").raw
    serial = hall.last("anna").name
    solo(hall, 2)
    hall.spool.close()
    (hall.folder / "mail" / "spool.sqlite").unlink()
    for left in (hall.folder / "mail").glob("spool.sqlite-*"):
        left.unlink()
    hall.restart()
    office, repo = hall.desk.services, hall.store.open(name)
    (again,) = rewritten_mails(office, repo, {serial})
    assert bytes_before == again.raw
    assert hall.desk.rebuild(name) == 0, "the game is over, so nothing of it goes again"


def test_the_terminal_lists_people_without_addresses(after_one: tuple[Hall, str]) -> None:
    hall, _ = after_one
    hall.spool.close()
    secret = hall.folder / "mail" / "host.secret"
    secret.write_text(bytes(range(32)).hex())
    secret.chmod(0o600)
    store = str(hall.folder / "games")
    result = CliRunner().invoke(main, ["--store", store, "achievements", "--json"])
    assert 0 == result.exit_code, result.output
    (row,) = json.loads(result.stdout)
    assert ("Anna", "troyes-dice", 21) == (row["name"], row["kind"], len(row["achievements"]))
    assert {"id": SOLO, "title": "Alone at the wheel", "games": 1, "times": 3, "earned": False} in row["achievements"]
    assert "@" not in result.stdout
    plain = CliRunner().invoke(main, ["--store", store, "achievements", "--recount"])
    assert 0 == plain.exit_code
    assert "Alone at the wheel" in plain.stdout


def test_sealing_notes_the_end_before_its_commit(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the note written after the commit, a kill between both would leave the book behind for ever."""
    name = open_for(hall, ("Anna", "anna@people.test"))
    noted: list[tuple[str, ...]] = []
    true_keep = sealing.commit_game

    def keep(*args):  # type: ignore[no-untyped-def]
        noted.append(hall.desk.services.achievements.expected())
        return true_keep(*args)

    monkeypatch.setattr(sealing, "commit_game", keep)
    play_out(hall, name)
    assert (name,) == noted[-1]
    assert {()} == set(noted[:-1])
