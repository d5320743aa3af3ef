"""Standing orders by letter: discovered in a mail, echoed, listed, explained, surprised, cancelled; and seen by nobody."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from engine.troyes.state.troyes_state import TroyesState
from pbem.desk.orders.session import Session
from pbem.store.commit_record import record_paths
from pbem.store.state_file import StoredGame
from tests.whole.room import Hall

GOLDEN = Path(__file__).parents[1] / "golden" / "standing_orders.txt"
PLANS = ("auto: pass", "auto: pass when I have no die", "auto: counter", "later: pass", "auto: counter keep 4 influence")


def until(hall: Hall, good: Any) -> tuple[Seat, TroyesState]:
    """Play first choices until a position is as it should be; who is asked in it, and the position."""
    for _ in range(400):
        seat, state = hall.asked(), hall.position()
        assert seat is not None, "the game never comes there"
        if good(state, seat):
            return seat, state
        hall.send(seat, "1")
    raise AssertionError("the game never comes there")


def fired(hall: Hall) -> bool:
    """Whether an order was played that its seat had said before, with the newest letter."""
    return any("why" in only for entry in hall.record(game=hall.table).entries for only in entry.only.values())


def alike(folder: Path, every: int, letters: int = 400) -> int:
    """At one host somebody says something for later, at the other only asks: whoever else writes is answered alike.

    Every so many letters of a game; how often what was said was still kept then.
    """
    hall, rng = Hall(folder / "one"), random.Random(2)
    hall.seat_all(3)
    kept = 0
    for step in range(letters):
        asked = hall.asked()
        if asked is None:
            break
        placing = hall.position().round == 0
        if step % (3 if placing else every):
            hall.send(asked, "1" if rng.random() < 0.8 else "2")
            continue
        # Who has just acted, and may take that back, is to see as little as whoever acts next.
        hall.send(asked, "1")
        owner = next((seat for seat in hall.position().seats if seat not in (asked, hall.asked())), asked)
        if owner == asked:
            continue
        twin = hall.twin(folder / "two")
        plan = "auto: place palace 5, palace 4, city-hall 3.1" if placing else rng.choice(PLANS)
        before, blind = rng.random() < 0.4, asked
        for host, words in ((hall, plan), (twin, "status")):
            host.send(owner, words)
            if before and (blind := host.asked() or asked):
                host.send(blind, "1")
        shown = fired(hall)
        kept += not shown and owner in {**hall.position().plans, **hall.position().wishes}
        for text in ("status\nhistory", "try 1", "farm Y6; pass", "undo"):
            for host in (hall, twin):
                host.send(blind, text)
            shown = shown or fired(hall)
        assert shown or [got.raw for got in hall.mails(blind)] == [got.raw for got in twin.mails(blind)], (step, plan)
    assert letters < 400 or hall.asked() is None
    return kept


def test_standing_orders_show_in_no_mail_before_they_fire(tmp_path: Path) -> None:
    """Which mails, and every byte of each. Half a game; the soak plays on."""
    assert alike(tmp_path, 12, 50) > 3


@pytest.mark.soak
def test_standing_orders_show_in_no_mail_before_they_fire_all_game_long(tmp_path: Path) -> None:
    """The same at every fourth letter."""
    assert alike(tmp_path, 4) > 8


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who takes back orders must not hear that somebody else has written meanwhile."""
    monkeypatch.setattr(Session, "quiet", False)
    with pytest.raises(AssertionError):
        alike(tmp_path, 4)


def test_whoever_says_something_for_later_is_answered_alone(tmp_path: Path) -> None:
    """The question of another seat keeps its number, its owner may still take back what came before, and public files
    hold nothing of it."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    seat, state = until(hall, lambda at, one: at.round == 1 and at.phase == "actions" and len(at.dice[at.after(one)]) > 1)
    owner = state.after(seat)
    hall.send(seat, "1")
    owner = next(one for one in state.seats if one not in (seat, hall.asked()))
    before = {one: len(hall.mails(one)) for one in state.seats}
    hall.send(owner, "auto: pass")
    assert {one: n + (one == owner) for one, n in before.items()} == {one: len(hall.mails(one)) for one in state.seats}
    text = " ".join(hall.last(owner).text.split())
    assert "When your turn comes, you pass and leave" in text
    assert "It holds until the end of round 1, or you write «cancel pass»." in text
    stored = StoredGame.read(hall.store.open(hall.table))
    assert "plans" not in stored.game and owner in stored.hidden["plans"]
    repo, record = hall.store.open(hall.table), hall.record(game=hall.table)
    assert owner == record.seat
    told = [repo.read(record_paths(record.number)[0]).decode(), next(iter(repo.log())).message]
    name = stored.table.seat(owner).name
    assert not [text for text in told if owner in text or name in text]
    rows = [row for row in stored.table.seats if row.heard == record.number]
    assert not rows
    hall.send(owner, "status")
    assert "You have said «auto: pass»." in hall.last(owner).text
    hall.send(seat, "undo")
    assert "Your last orders are taken back" in hall.last(seat).text
    assert "for later" not in hall.last(seat).text
    assert {} == hall.position().plans
    assert "Orders were taken back, and with them what you have said for later since then" in " ".join(hall.last(owner).text.split())


def test_a_line_for_later_stands_below_the_order_that_answers(tmp_path: Path) -> None:
    """One letter acts and says what comes next; nobody is written to for it, and it fires when its turn comes."""
    hall = Hall(tmp_path)
    hall.seat_all(2)
    seat, state = until(hall, lambda at, one: at.round == 1 and at.phase == "actions" and all(map(len, map(at.dice.get, at.seats))))
    other = state.after(seat)
    hall.send(seat, "pass")
    hall.send(other, f"{first_action(hall, other)}\nauto: pass")
    assert "When your turn comes, you pass" in hall.last(other).text or hall.position().round == 2


def first_action(hall: Hall, seat: str) -> str:
    """The best option that acts."""
    return next(offer.text for offer in hall.rules.offers(hall.position(), Seat(seat)) if offer.text != "pass")


def test_what_to_say_for_later_is_proposed_by_number(tmp_path: Path) -> None:
    """`later:` alone, off turn: choices made of the options that will likely be open; one number keeps one."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    seat, state = until(hall, lambda at, one: at.round == 1 and at.phase == "actions" and len(at.dice[at.after(one)]) > 1)
    owner = state.after(seat)
    hall.send(owner, "later:")
    text = hall.last(owner).text
    assert "Say what is to be played when you are asked next" in " ".join(text.split())
    assert "[1] Plan: " in text
    hall.send(owner, "1")
    assert "later" == hall.position().plans[owner][0].kind
    hall.send(owner, "later: reroll Y1")
    assert "cannot be said for later" in " ".join(hall.last(owner).text.split())
    assert hall.position().plans[owner], "a refused line changes nothing"


def test_what_to_say_for_later_is_proposed_and_taken_back_in_french(tmp_path: Path) -> None:
    """As above, in the words of a French player's own mails."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    seat, state = until(hall, lambda at, one: at.round == 1 and at.phase == "actions" and len(at.dice[at.after(one)]) > 1)
    owner = state.after(seat)
    hall.send(owner, "langue fr")
    hall.send(owner, "ensuite :")
    text = " ".join(hall.last(owner).text.split())
    assert "Dites ce qui sera joué à la prochaine question" in text and "[1] Plan : " in text and "later" not in text
    hall.send(owner, "1")
    assert "later" == hall.position().plans[owner][0].kind
    hall.send(owner, "statut")
    assert "ensuite: " in hall.last(owner).text
    hall.send(owner, "révoquer")
    assert not hall.position().plans.get(owner)


@pytest.mark.parametrize("closing", ["See you later!", "See you later, everybody.", "Talk to you later, bye"])
def test_whoever_says_later_in_closing_says_nothing_for_later(tmp_path: Path, closing: str) -> None:
    """Without its colon it is a word as any other, and the order above it is played."""
    hall = Hall(tmp_path)
    hall.seat_all(3)
    seat, _ = until(hall, lambda at, one: at.round == 1 and at.phase == "actions")
    hall.send(seat, f"pass\n\n{closing}")
    assert hall.position().houses[seat].passed and "receipt" == hall.last(seat).kind

def test_passing_that_was_not_asked_for_alone_is_asked_back_and_what_ends_a_round_is_mailed_at_once(tmp_path: Path) -> None:
    """`later: A | pass` offers both meanings; the second is kept, and once it has fired its owner is mailed, though
    nobody asks anything and whatever the mails that he wishes for."""
    hall = Hall(tmp_path)
    hall.seat_all(3)

    def buys(at: TroyesState, one: str) -> bool:
        own = at.dice[at.after(one)]
        there = [die for die in own if die[0] == "Y" and own.count(die) == 1]
        return at.phase == "actions" and len(own) > 1 and bool(there) and at.houses[one].deniers > 1 and not any(house.passed for house in at.houses.values())

    seat, state = until(hall, buys)
    owner = state.after(seat)
    die = next(die for die in state.dice[owner] if die[0] == "Y" and state.dice[owner].count(die) == 1)
    hall.send(owner, "mail daily")
    hall.send(owner, f"later: farm {die} | pass")
    text = " ".join(hall.last(owner).text.split())
    assert "Passing ends your round" in text and not hall.position().plans
    assert f"[1] Plan: farm with {die}, otherwise ask me" in text and f"[2] later: farm {die} | auto: pass" in text
    hall.send(owner, "2")
    (plan,) = hall.position().plans[owner]
    assert plan.order.passes
    before = len(hall.mails(owner))
    hall.send(seat, f"farm {owner}:{die}")
    assert hall.position().houses[owner].passed
    assert before + 1 == len(hall.mails(owner)), "told at once"
    assert "As you said for later: what was to be played before is gone." in " ".join(hall.last(owner).text.split())


def journey(hall: Hall) -> str:
    """What Anna writes and is written: she finds a standing order in a mail, uses it, is surprised, and cancels."""
    parts: list[str] = []

    def anna(text: str) -> None:
        parts.append(f"##### Anna writes\n{text}\n")
        mails = [got for got in hall.sent_by("anna", text) if got.seat == "anna"]
        parts.extend(f"##### Anna is mailed: {got.message['Subject']}\n{got.text}" for got in mails)

    hall.seat_all(3)
    until(hall, lambda at, one: one == "anna" and at.phase == "actions" and not at.dice["anna"] and not at.houses["anna"].passed)
    texts = [offer.title for offer in hall.rules.offers(hall.position(), Seat("anna"))]
    found = texts.index("Always pass for me when I have no dice") + 1
    parts.append(f"##### Anna is mailed: {hall.last('anna').message['Subject']}\n{hall.last('anna').text}")
    assert f"[{found}] Always pass for me when I have no dice" in hall.last("anna").text
    anna(str(found))
    again = hall.position().round
    until(hall, lambda at, one: at.round > again and at.houses["anna"].passed)
    anna("status")
    # The seat after hers acts between: she says what she would do next, and it buys the die she would do it with.
    seat, state = until(hall, lambda at, one: _buys(hall, at, one) is not None)
    order = _buys(hall, state, seat)
    assert order is not None
    anna(f"later: {order[0]}")
    hall.send(seat, order[1])
    until(hall, lambda at, one: one == "anna")
    parts.append(f"##### Anna is mailed: {hall.last('anna').message['Subject']}\n{hall.last('anna').text}")
    anna("cancel")
    return "\n".join(parts)


def _buys(hall: Hall, state: TroyesState, seat: str) -> tuple[str, str] | None:
    """What Anna may say for later, and what the seat before her may do to make that impossible."""
    if state.phase != "actions" or state.after(seat) != "anna" or state.houses["anna"].passed:
        return None
    for die in (word for word in state.dice["anna"] if word[0] == "Y" and state.dice["anna"].count(word) == 1):
        if state.houses[seat].deniers >= 2:
            return f"farm {die}", f"farm anna:{die}"
    return None


def test_a_players_journey_by_mail_alone(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Word for word: what is found in a mail, kept, explained when it fires, surprised, and taken back."""
    found = journey(Hall(tmp_path))
    for words in (
        "When your turn comes and your district is empty, you pass; dice are not bought.",
        "As you said: pass, no die left.",
        "You have said «auto: pass when I have no die, every round».",
        "«later» no longer holds: none of its orders can be played now.",
        "What you had said is taken back: whatever you are asked from now on, you answer yourself.",
    ):
        assert words in " ".join(found.split()), words
    if pytestconfig.getoption("--golden"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == found
