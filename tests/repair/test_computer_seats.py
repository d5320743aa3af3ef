"""Seats that computers hold: told from the invitation on, refused where they may not be, taken back at once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.errors import NotAllowed
from engine.game import Seat
from engine.levels import Strong
from pbem.admin.actions import seat_holders
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.store.state_file import StoredGame
from tests.repair.bench import Bench
from tests.whole.room import Hall


@pytest.mark.parametrize("level", ["novice", "strong:3"])
def test_the_table_is_told_of_computers_from_the_invitation_on(bench: Bench, level: str) -> None:
    """Which seats, and of which level; and the person is asked at once, whoever begins."""
    people = (Invited("Cleo", ("cleo@people.test",)), Invited("Deck", level=level))
    table = open_table(bench.desk, Opening("troyes", people, seed=b"1" * 32)).table
    assert "invitation" == bench.last("cleo").kind
    assert f"Computers play here: Deck (level {level})." in bench.last("cleo").text
    assert "gathering" == table.status


def test_every_mail_tells_which_seats_are_computers(bench: Bench) -> None:
    """What answers a letter as well as what asks."""
    bench.repair(seat_holders.computer("anna", "on holiday", level="novice"))
    while bench.asked() != "faye":
        bench.play(1)
    kinds = set()
    for letter in ("status", "help", "history", "try 1", "fly to the moon with 7", "say hello", "1"):
        bench.send("faye", letter)
        mail = bench.last("faye")
        kinds.add(mail.kind)
        assert "Computers play here: Anna (level novice)." in mail.text, letter
    assert {"answer", "trial", "refusal", "receipt"} <= kinds


@pytest.mark.parametrize(
    ("level", "why"),
    [
        *((level, "No level") for level in ("grandmaster", "steady:0", "random")),
        ("strong:0", "simulations a decision"),
    ],
)
def test_an_unknown_level_leaves_nothing(bench: Bench, level: str, why: str) -> None:
    before = set(bench.store.names())
    people = (Invited("Cleo", ("cleo@people.test",)), Invited("Deck", level=level))
    with pytest.raises(NotAllowed, match=why):
        open_table(bench.desk, Opening("troyes", people))
    with pytest.raises(NotAllowed, match=why):
        bench.repair(seat_holders.computer("faye", "on holiday", level=level))
    assert before == set(bench.store.names())
    assert "person" == bench.stored(bench.table).table.seat("faye").by


@pytest.mark.parametrize("level", ["steady", "strong:2"])
def test_a_persons_seat_is_no_computers(bench: Bench, level: str) -> None:
    """A level beside an address would play for somebody who has not been asked."""
    before = set(bench.store.names())
    people = (Invited("Cleo", ("cleo@people.test",), level=level), Invited("Deck"))
    with pytest.raises(NotAllowed, match="has an address"):
        open_table(bench.desk, Opening("troyes", people))
    assert before == set(bench.store.names())


def test_a_person_takes_the_seat_back_at_once(bench: Bench) -> None:
    """By a word in a letter; everybody is told, in the next mail and in the history."""
    assert "refused" == bench.send("anna", "back").outcome
    bench.repair(seat_holders.computer("anna", "on holiday", level="novice"))
    assert "Computers play here: Anna (level novice)." in bench.last("faye").text
    assert "played" == bench.send("anna", "back").outcome
    assert "Computers play here" not in bench.last("faye").text
    assert "Anna plays again" in bench.last("faye").text
    row = bench.stored(bench.table).table.seat("anna")
    assert ("person", "") == (row.by, row.level)
    bench.send("faye", "history")
    assert "Anna plays again" in bench.last("faye").text
    while bench.asked() != "anna":
        bench.play(1)
    assert "turn" == bench.last("anna").kind


@pytest.mark.parametrize(("level", "other"), [("novice", "steady"), ("strong:4", "strong:5")])
def test_a_level_can_be_changed_and_stays(bench: Bench, level: str, other: str) -> None:
    """With its budget, which makes it another one."""
    bench.repair(seat_holders.computer("anna", "on holiday", level=level.title()))
    assert level == bench.stored(bench.table).table.seat("anna").level
    with pytest.raises(NotAllowed, match="already"):
        bench.repair(seat_holders.computer("anna", "x", level=level))
    bench.repair(seat_holders.computer("anna", "x", level=other))
    assert other == bench.stored(bench.table).table.seat("anna").level


def test_all_answers_of_one_go_share_what_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long computers play on, no letter takes so long that it is taken for one that hangs."""
    spent: list[int] = []
    consider = Strong.consider

    def counted(self: Strong, *given: Any) -> Any:
        found = consider(self, *given)
        spent.append(self.simulations if len(found) > 1 else 0)
        return found

    monkeypatch.setattr(Strong, "consider", counted)
    monkeypatch.setattr("pbem.desk.transaction.computer_turns.SEARCHED", 30)
    people = tuple(Invited(name, level="strong:8") for name in ("Anna", "Bob"))
    stored = open_table(Hall(tmp_path, "troyes-dice").desk, Opening("troyes-dice", people, seed=b"7" * 32))
    assert "ended" == stored.table.status
    searched = [one for one in spent if one]
    assert [8, 8, 8, 6] == searched[:4]
    assert {1} == {*searched[4:]}


@pytest.mark.parametrize("level", ["novice", "strong:1"])
def test_the_same_seed_gives_the_same_game(tmp_path: Path, level: str) -> None:
    """A table of computers alone plays to its end within its first commit, twice alike."""
    ends = []
    for place in ("one", "two"):
        hall = Hall(tmp_path / place, "troyes-dice")
        people = tuple(Invited(name, level=level) for name in ("Anna", "Bob"))
        stored = open_table(hall.desk, Opening("troyes-dice", people, seed=b"7" * 32))
        ends.append((StoredGame.read(hall.store.open(stored.table.game)).game, stored.table.status))
    assert ends[0] == ends[1]
    assert "ended" == ends[0][1]


def test_hints_are_an_option_of_the_table_once_a_decision_and_told(tmp_path: Path, bench: Bench) -> None:
    """Three orders that are legal now, from the asker's own view; the others read that there was one."""
    assert "refused" == bench.send(str(bench.asked()), "hint").outcome
    hall = Hall(tmp_path / "hints")
    hall.seat_all(2, hints=True)
    seat = str(hall.asked())
    hall.send(seat, "hint")
    text = hall.last(seat).text
    hints = [line.split("«")[1].split("»")[0] for line in text.splitlines() if "», about " in line]
    assert 3 == len(hints)
    for line in hints:
        assert hall.rules.read(hall.position(), Seat(seat), line).text == line
    assert "refused" == hall.send(seat, "hint").outcome
    assert "refused" == hall.send(_other(seat), "hint").outcome
    assert _is_told(hall, seat)
    hall.send(seat, hints[0])
    while hall.asked() != seat:
        hall.send(str(hall.asked()), "1")
    assert "answered" == hall.send(seat, "hint").outcome


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A table of two that plays with hints."""
    hall = Hall(tmp_path)
    hall.seat_all(2, hints=True)
    return hall


def _other(seat: str) -> str:
    return "anna" if seat == "faye" else "faye"


def _is_told(hall: Hall, seat: str) -> bool:
    hall.send(_other(seat), "history")
    return f"{seat.title()} has asked for a hint." in hall.last(_other(seat)).text


def test_a_hint_beside_a_trial_is_told_and_the_only_one(hall: Hall) -> None:
    seat = str(hall.asked())
    hall.send(seat, "hint\ntry settle palace 6")
    assert "HINT:" in hall.last(seat).text and "Nothing was played." in hall.last(seat).text
    assert _is_told(hall, seat)
    hall.send(seat, "history")
    assert "You have asked for a hint." in hall.last(seat).text and "has asked for a hint" not in hall.last(seat).text
    assert "refused" == hall.send(seat, "hint").outcome


def test_a_hint_of_a_letter_that_is_refused_is_still_to_be_had(hall: Hall) -> None:
    """Also where what was shown before the refused line stands."""
    while hall.rules.waiting(hall.position())[0].kind != "turn":
        hall.send(str(hall.asked()), "1")
    seat = str(hall.asked())
    while not (rolls := _rerolls(hall, seat)):
        hall.send(seat, "pass")
        seat = str(hall.asked())
    hall.send(seat, f"hint\n{rolls}\nsettle palace 6")
    assert "because it showed something" in hall.last(seat).text
    assert "HINT:" not in hall.last(seat).text and not _is_told(hall, seat)
    assert "answered" == hall.send(seat, "hint").outcome
    assert "HINT:" in hall.last(seat).text and _is_told(hall, seat)


def _rerolls(hall: Hall, seat: str) -> str:
    every = hall.rules.reference.every(hall.position(), Seat(seat))
    return next((text for text in every if text.startswith("reroll")), "")


def test_a_hint_is_given_in_full_however_much_was_asked(hall: Hall) -> None:
    """What is told to the table is no mere question: it is never cut short, nor put off."""
    seat = str(hall.asked())
    for n in range(42):
        hall.time += timedelta(hours=0 if n else 1)
        hall.time -= timedelta(seconds=50)
        hall.send(seat, f"history {n + 1}")
    before = len(hall.mails(seat))
    hall.send(seat, "hint")
    assert ["HINT:" in got.text for got in hall.mails(seat)[before:]] == [True]
    assert _is_told(hall, seat)


def test_a_hint_in_a_turn_file_is_told(hall: Hall) -> None:
    seat = str(hall.asked())
    assert "answered" == hall.desk.play_file(hall.table, seat, ["hint"]).handled.outcome
    assert _is_told(hall, seat)
    assert "refused" == hall.desk.play_file(hall.table, seat, ["hint"]).handled.outcome


def test_there_is_no_hint_before_the_game(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    people = tuple(Invited(name, (f"{name.lower()}@people.test",)) for name in ("Anna", "Faye"))
    open_table(hall.desk, Opening("troyes", people, seed=b"1" * 32, hints=True))
    hall.send("anna", "hint")
    assert "there is nothing to advise" in hall.last("anna").text


def test_whoever_is_told_to_be_back_is_back(bench: Bench) -> None:
    """Beside a trial as well; and not where the trial is refused."""
    bench.repair(seat_holders.computer("anna", "on holiday", level="novice"))
    assert "answered" == bench.send("anna", "back\ntry nonsense").outcome
    assert "You play again" not in bench.last("anna").text
    assert "computer" == bench.stored(bench.table).table.seat("anna").by
    assert "played" == bench.send("anna", "back\ntry").outcome
    assert "You play again" in bench.last("anna").text
    assert "person" == bench.stored(bench.table).table.seat("anna").by
