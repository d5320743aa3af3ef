"""Words of whoever is asked nothing are offered as a line to the table, for one number (`pbem.desk.orders.chat`)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.catalog import T
from engine.errors import Unclear
from engine.game import Reading
from pbem.admin.actions import seat_holders
from pbem.desk.orders.session import Session
from pbem.store.game_table import Status
from tests.desk.room import Room
from tests.fakegame import GAME
from tests.whole.room import Hall


@pytest.mark.parametrize(
    ("written", "offered", "says"),
    [
        ("Haha, nice move!", ["say Haha, nice move!"], "Haha, nice move!"),
        ("Hello all,\nwhat a week!\n\nAnna", ["say Hello all, what a week!"], "Hello all, what a week!"),
        ("Bob, well done!", ["tell bob: well done!", "say all: Bob, well done!"], "only to you: «well done!»"),
    ],
)
def test_talk_of_somebody_who_is_asked_nothing_goes_on_by_a_number(
    trio: Room, written: str, offered: list[str], says: str
) -> None:
    """Nobody finds out first that there is `say`: what was written is offered as that, and nothing goes by itself."""
    trio.send("anna", "add 1")
    before = len(trio.mails("bob"))
    trio.send("anna", written)
    got = trio.last("anna")
    assert got.kind == "refusal"
    # Behind what it may mean besides.
    rows = [line.partition(" · ")[0] for line in got.text.splitlines() if line[:1] == "["][-len(offered) :]
    assert [row.partition("] ")[2] for row in rows] == offered
    assert len(trio.mails("bob")) == before
    trio.send("anna", rows[0][1], to=got)
    assert "Sent." in trio.last("anna").text
    assert says in trio.last("bob").text


def test_words_of_whoever_is_asked_are_not_offered_as_talk(trio: Room) -> None:
    """A number under such a mail plays."""
    trio.send("anna", "Haha, nice move!")
    assert "say Haha" not in trio.last("anna").text


def test_nobody_talks_to_computers_or_at_length(trio: Room) -> None:
    trio.send("anna", "add 1")
    trio.send("anna", "word " * 100)
    assert "say word" not in trio.last("anna").text
    for seat in ("bob", "cleo"):
        trio.desk.change(trio.store.names()[0], "a repair", seat_holders.computer(seat, "on holiday"))
    trio.send("anna", "Haha, nice move!")
    assert "say Haha" not in trio.last("anna").text


@pytest.mark.parametrize("written", ["Thanks for the game!", "Well played all", "no thank you"])
def test_thanks_after_the_end_go_on_by_a_number(empty: Room, written: str) -> None:
    """What is most often written then is no vote and no order that was not played."""
    empty.open()
    while empty.stored().table.status is not Status.ENDED:
        asked = next(iter(GAME.waiting(empty.state())))
        empty.send(str(asked.seat), "1")
    empty.send("anna", written)
    got = empty.last("anna")
    assert f"[1] say {written} · to everybody at the table" in got.text
    assert "[2]" not in got.text and "NOT PLAYED" not in got.text
    assert "undo" not in got.text and "try" not in got.text, "the foot of a mail names what there is"
    empty.send("anna", "1", to=got)
    assert written in empty.last("bob").text


@pytest.mark.parametrize(
    ("written", "passed_on"),
    [
        ("Pas de souci, bonne semaine !", True), ("Pas mal !", True), ("Haha, I will fight you next time", True),
        ("pass", False), ("I build with Y3, please", False), ("flip Y3 then pass", False),
    ],
)  # fmt: skip
def test_talk_that_looks_like_an_order_is_talk_where_none_is_awaited(hall: Hall, written: str, passed_on: bool) -> None:
    """«It is not your turn» answers an order; and what somebody is about to do is not offered to be told."""
    waits = next(seat for seat in ("anna", "faye") if seat != hall.asked())
    hall.send(waits, written)
    text = hall.last(waits).text
    assert passed_on is (f"] say {written} · to everybody at the table" in text)
    assert passed_on is not ("Not played: It is not your turn." in text)


def test_who_agrees_to_another_game_need_not_know_the_word(empty: Room) -> None:
    empty.open()
    while empty.stored().table.status is not Status.ENDED:
        asked = next(iter(GAME.waiting(empty.state())))
        empty.send(str(asked.seat), "1")
    empty.send("anna", "That was fun, a rematch?")
    got = empty.last("anna")
    assert "[1] again · " in got.text
    empty.send("bob", "Yes, with pleasure!")
    assert "] again" not in empty.last("bob").text, "nobody has asked for another"
    empty.send("anna", "1", to=got)
    empty.send("bob", "Yes, sure!")
    got = empty.last("bob")
    assert "[1] again · " in got.text and "[2] say Yes, sure!" in got.text
    empty.send("bob", "1", to=got)
    assert "All would play another game" in empty.last("bob").text


def test_a_number_that_passes_talk_on_is_no_order_that_comes_again(trio: Room) -> None:
    """Who has played with «1» passes talk on with «1»: it counts in the newer mail."""
    asked = trio.last("anna")
    trio.send("anna", "1")
    receipt = trio.last("anna")
    trio.send("anna", "See you all at the lake!")
    trio.send("anna", "1")
    assert "Sent." in trio.last("anna").text
    trio.send("anna", "1", to=asked)
    assert "Already played" in trio.last("anna").text
    trio.send("anna", "1", to=receipt)
    assert "say 1" not in trio.last("anna").text, "a number is no talk"


def test_an_order_with_a_fault_is_an_order_and_no_defect(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong with it: it tells what its writer is about to do, and is not passed on."""

    class Faulty(Session):
        def understand(self, line: str) -> Reading[Any]:
            raise Unclear(T("Two dice may be meant."))

    asked = hall.asked()
    other = next(row.seat for row in hall.stored(hall.table).table.seats if row.seat != asked)
    monkeypatch.setattr("pbem.desk.orders.chat.Session", Faulty)
    assert hall.send(other, "pas mal").outcome == "refused"
    assert "say pas mal" not in hall.last(other).text
