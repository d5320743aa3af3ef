"""One seat's letters do not make the others' mailboxes ring without end, whatever stands in them."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle, islice

import pytest

from pbem.clocks.deadlines import DueAction
from pbem.desk.clock import clock_actions
from pbem.desk.limits.rate_limits import RINGS
from tests.desk.room import Got, Room


def ring(room: Room) -> None:
    """The clock lets every mail go that was held back and is due."""
    game = "tally-1"
    while True:
        with room.store.open(game).lock("clock") as repo:
            context = room.desk.context(repo)
            found = clock_actions.next_due(context, room.desk.services, room.time)[0]
            if found is None or found.next.what is not DueAction.MAIL or found.next.at > room.time:
                return
            result = clock_actions.due_result(context, room.desk.services, room.time)
            assert result is not None
            room.desk.commit(context, result)


def got(room: Room, seat: str) -> list[Got]:
    """The mails of a seat that it has not asked for."""
    return [one for one in room.mails(seat) if one.kind in ("turn", "news")]


@pytest.fixture
def three(tmp_path_factory: pytest.TempPathFactory) -> Room:
    room = Room(tmp_path_factory.mktemp("three"))
    room.open(3)
    return room


@pytest.mark.parametrize(
    "texts",
    [
        ["say hello {n}"],
        ["tell bob: {n}"],
        ["vote hold", "vote resume"],
        ["resign", "back"],
        ["away tomorrow", "away off"],
        ["add 1", "undo"],
        ["say {n}", "vote hold", "resign", "back", "vote resume"],
    ],
)
def test_a_mailbox_rings_few_times_for_letters_of_one_writer(three: Room, texts: list[str]) -> None:
    """Forty letters in a day: at once a few mails of each kind, then one an hour; and in the end all is told."""
    before = {seat: len(got(three, seat)) for seat in ("bob", "cleo")}
    notices, outcomes = len(three.mails("gm")), []
    for n, text in enumerate(islice(cycle(texts), 40)):
        outcomes.append(three.send("anna", text.format(n=n)).outcome)
        three.time += timedelta(seconds=30)
        ring(three)
    assert "silent" not in outcomes
    three.time += timedelta(hours=2)
    ring(three)
    for seat, count in before.items():
        # Within an hour both kinds at most, and one that has waited.
        assert len(got(three, seat)) - count <= 2 * RINGS + 2
    assert len(three.mails("gm")) - notices <= RINGS
    if "hello" in texts[0]:
        told = " ".join(one.text for one in got(three, "cleo")[before["cleo"] :])
        assert [f"hello {n}" for n in range(40) if f"«hello {n}»" not in told] == []


def test_the_writer_cannot_tell_whether_somebody_has_written(three: Room, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Only a mailbox that is silent waits, and that is told to nobody: a sealed answer would be known by it."""
    other = Room(tmp_path_factory.mktemp("other"))
    other.open(3)
    for n in range(RINGS):
        three.send("anna", f"say {n}")
        other.send("anna", f"say {n}")
    three.send("bob", "status")
    three.send("cleo", "status")
    told = [next(got.text for got in room.sent_by("anna", "say more") if got.seat == "anna") for room in (three, other)]
    assert told[0] == told[1]


def test_whoever_writes_is_mailed_again(three: Room) -> None:
    for n in range(RINGS + 2):
        three.send("anna", f"say {n}")
    three.send("bob", "status")
    assert ["anna", "bob"] == [one.seat for one in three.sent_by("anna", "say you there?")]
    assert "«6»" in three.mails("bob")[-2].text, "it was told with the answer"
    three.time += timedelta(hours=1)
    ring(three)
    assert "«6»" in three.last("cleo").text and "you there?" in three.last("cleo").text


def test_an_evening_of_quick_turns_and_talk_waits_for_nobody(three: Room) -> None:
    """Whoever answers is mailed at once, however much is played and said."""
    for n in range(10):
        for seat in ("anna", "bob", "cleo"):
            mails = three.sent_by(seat, f"add 1\nsay {n} of mine" if n < 1 else f"say {n} of mine")
            assert ["anna", "bob", "cleo"] == sorted(one.seat for one in mails)


def test_an_order_after_much_talk_still_asks_the_next_one_at_once(three: Room) -> None:
    for n in range(RINGS + 3):
        three.send("anna", f"say {n}")
    (asked,) = [one for one in three.sent_by("anna", "add 1") if one.seat == "bob"]
    assert "turn" == asked.kind
    assert f"«{RINGS + 2}»" in asked.text, "what has waited is told with the next mail"
