"""The law of sealed answers, through the whole post room: two hosts get the same letters but for one sealed answer.

Until the half day closes everybody else gets the same bytes, whichever mail, and the public record is the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game import Seat
from pbem.store.commit_record import Record
from tests.dice.games import GAME
from tests.whole.room import Hall

QUESTIONS = ("status", "options", "history", "help", "card wheel", "board", "try 1", "try 2", "try bonus city-hall 3")
NONSENSE = ("red 9: influence", "bonus city-hall 3", "purple 3: gold", "99")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    """A table of three, some half days on; not to be changed."""
    one = Hall(tmp_path_factory.mktemp("begun") / "one", GAME.kind)
    one.seat_all(3)
    for _ in range(9):
        waiting = GAME.waiting(one.position())
        one.send(next(decision.seat for decision in waiting if not decision.answered), "1")
    return one


@pytest.fixture
def hosts(begun: Hall, tmp_path: Path) -> tuple[Hall, Hall]:
    """Twice the same table."""
    return begun.twin(tmp_path / "one"), begun.twin(tmp_path / "two")


def bytes_of(hall: Hall, seat: str) -> list[bytes]:
    return [got.raw for got in hall.mails(seat)]


def public_part(hall: Hall) -> list[object]:
    """What the table's files and log tell everybody."""
    repo = hall.store.open(hall.table)
    newest = Record.read(repo, hall.stored(hall.table).table.records)
    return [
        GAME.dump(hall.position())[0],
        [commit.subject for commit in repo.log()],
        [entry.public() for entry in newest.entries],
        newest.reveals,
    ]


def orders(hall: Hall) -> list[str]:
    return [offer.text for offer in GAME.offers(hall.position(), Seat("anna"))]


@pytest.mark.parametrize("reader", ["faye", "geoffrey"])
def test_mails_do_not_tell_a_sealed_answer(hosts: tuple[Hall, Hall], reader: str) -> None:
    """Answers, refusals, receipts, trials, the board: every byte; and a second answer tells no more."""
    one, two = hosts
    one.send("anna", orders(one)[0])
    two.send("anna", orders(two)[-1])
    assert public_part(one) == public_part(two)
    for text in (*QUESTIONS, *NONSENSE):
        for hall in hosts:
            hall.send(reader, text)
        assert bytes_of(one, reader) == bytes_of(two, reader), text
    for at, hall in enumerate(hosts):
        hall.send("anna", orders(hall)[1 + at])
        hall.send(reader, "1")
        hall.send(reader, "status")
    assert bytes_of(one, reader) == bytes_of(two, reader)
    assert public_part(one) == public_part(two)


def test_mails_do_not_tell_whether_a_choice_is_open(tmp_path: Path) -> None:
    """One host's answer is complete, the other's lacks the choice of its bonus; a trial, too, sees no difference.

    A host's correction brings the bonus early: the second citizen of a colour builds a prestige building.
    """
    early = {"track_bonus": {colour: {"prestige_at": 2} for colour in ("red", "yellow", "white")}}
    one = Hall(tmp_path / "one", GAME.kind)
    # Where answers are counted, the count tells who is still asked.
    one.seat_all(3, facts=early, options={"answers": "hidden"})
    two = one.twin(tmp_path / "two")
    whole = next(text for text in GAME.reference.every(one.position(), Seat("anna")) if "; bonus" in text)
    one.send("anna", whole)
    two.send("anna", whole.partition("; bonus")[0])
    asked = [next(d for d in GAME.waiting(hall.position()) if d.seat == "anna") for hall in (one, two)]
    assert [("half-day", True), ("bonus", False)] == [(decision.kind, decision.answered) for decision in asked]
    for text in ("1", "try 2", "status", "options", "board", "bonus city-hall 3"):
        for hall in (one, two):
            hall.send("faye", text)
        assert bytes_of(one, "faye") == bytes_of(two, "faye"), text
    assert bytes_of(one, "geoffrey") == bytes_of(two, "geoffrey")
    assert public_part(one) == public_part(two)


def test_a_missing_choice_is_asked_in_the_receipt(tmp_path: Path) -> None:
    """Asked in the private receipt, before the half day closes, so that nobody waits for it afterwards."""
    early = {"track_bonus": {colour: {"prestige_at": 2} for colour in ("red", "yellow", "white")}}
    hall = Hall(tmp_path / "one", GAME.kind)
    hall.seat_all(2, facts=early)
    whole = next(text for text in GAME.reference.every(hall.position(), Seat("anna")) if "; bonus" in text)
    order, _, choice = whole.partition("; ")
    hall.send("anna", order)
    receipt = hall.last("anna")
    assert "receipt" == receipt.kind
    assert "Choose the prestige building that your bonus brings" in receipt.text
    assert "[1] Choose " in receipt.text
    hall.send("faye", "1")
    assert 1 == hall.position().number, "the half day waits for the choice"
    hall.send("anna", choice)
    assert 2 == hall.position().number
    assert f"Anna: «{whole}»" in hall.last("faye").text


def test_the_last_answer_brings_everybody_one_mail(hosts: tuple[Hall, Hall]) -> None:
    """Mail volume: a half day is one mail for each, and one receipt for each letter before the last."""
    hall, _ = hosts
    before = len(hall.mails())
    hall.send("anna", "1")
    hall.send("faye", "1")
    assert ["anna", "faye"] == [got.seat for got in hall.mails()[before:]]
    hall.send("geoffrey", "1")
    assert ["anna", "faye", "geoffrey"] == sorted(got.seat for got in hall.mails()[before + 2 :])
    assert "your turn" in str(hall.last("anna").message["Subject"])


def test_an_answer_to_the_half_day_before_is_late(hosts: tuple[Hall, Hall]) -> None:
    """The token of an older mail fits no open question; the reply brings the position now."""
    hall, _ = hosts
    old = hall.last("anna")
    for seat in ("anna", "faye", "geoffrey"):
        hall.send(seat, "1")
    kept = GAME.dump(hall.position())
    hall.send("anna", "1", to=old)
    assert kept == GAME.dump(hall.position())
    assert "NOT PLAYED" in hall.last("anna").text


def test_the_same_letter_twice_and_another_answer(hosts: tuple[Hall, Hall]) -> None:
    """Twice is once; another answer takes the place of the first; the receipt shows only one's own."""
    hall, _ = hosts
    first, second = orders(hall)[:2]
    raw = hall.write("anna", first)
    hall.post(raw)
    kept = GAME.dump(hall.position())
    hall.post(raw)
    assert kept == GAME.dump(hall.position())
    hall.send("anna", second)
    assert second in hall.last("anna").text
    hall.send("faye", "1")
    assert second not in hall.last("faye").text.partition("THE DICE")[0].partition("[1]")[0]
    hall.send("geoffrey", "1")
    assert f"Anna: «{second}»" in hall.last("faye").text


@pytest.mark.parametrize(
    ("letter", "played"),
    [
        ("Bonjour,\nvoici mon coup :\n{order}\nMerci", True),
        ("Hi all\nSorry for the delay!\n{order}\nAnna", True),
        ("Hi all\nsorry, I was away\n{order}\nAnna", False),
        ("R9 is what I want\n{order}", False),
        ("{order}\nwell, that was easy", False),
        ("{order}\nor was it the other one?", False),
    ],
)
def test_a_letter_as_people_write_it(hosts: tuple[Hall, Hall], letter: str, played: bool) -> None:
    """Courtesy is passed over, and nothing else."""
    hall, _ = hosts
    hall.send("anna", letter.format(order=orders(hall)[0]))
    sealed = "Sealed until everybody has answered" in hall.last("anna").text
    assert played == sealed, hall.last("anna").text[:600]
