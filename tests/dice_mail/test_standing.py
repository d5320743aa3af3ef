"""Standing orders of Troyes Dice by letter: found in a mail, echoed, listed, explained, surprised, cancelled; and seen by
nobody before the half day closes in which they fire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from engine.troyes_dice import TroyesDice
from pbem.desk.orders.session import Session
from tests.dice.games import GAME
from tests.dice_mail.table import finish, missing, offered, seated
from tests.dice_mail.test_private import HIDDEN, leaky_tell, public, seen, terminal
from tests.whole.room import Hall

GOLDEN = Path(__file__).parents[1] / "golden" / "dice_standing_orders.txt"
LETTERS = ("status", "history", "options", "try 1", "try 2", "undo", "board", "")
PLANS = ("later: resources", "auto: deniers | resources, every day")


def words(hall: Hall, seat: str) -> str:
    return " ".join(hall.last(seat).text.split())


def same(one: Hall, two: Hall, seats: tuple[str, ...]) -> None:
    """All mails of these seats, byte by byte; public files, commits, and what the terminal shows."""
    for seat in seats:
        assert seen(one, seat) == seen(two, seat), seat
    assert public(one) == public(two)


def alike(folder: Path, plan: str, **options: Any) -> tuple[Hall, Hall]:
    """Anna has answered at both hosts; at one she says something for later, at the other the same answer again."""
    one = seated(folder / "one", **options)
    first = offered(one, "anna")[0]
    one.send("anna", first)
    two = one.twin(folder / "two")
    one.send("anna", plan)
    two.send("anna", first)
    for text in LETTERS:
        for host in (one, two):
            host.send("faye", text)
        same(one, two, ("faye", "geoffrey"))
    for host in (one, two):
        finish(host)
    same(one, two, ("faye", "geoffrey"))
    assert "anna" not in missing(one) and "anna" in missing(two)
    for text in LETTERS:
        for host in (one, two):
            host.send("faye", text)
        same(one, two, ("faye", "geoffrey"))
    assert terminal(one, "faye") == terminal(two, "faye")
    return one, two


@pytest.mark.parametrize("plan", PLANS)
def test_what_is_said_and_what_fires_shows_to_nobody(tmp_path: Path, plan: str) -> None:
    """Before the half day in which it fires has closed: no mail, no file, no commit, no view tells."""
    one, two = alike(tmp_path, plan, options=HIDDEN)
    for host in (one, two):
        host.send("faye", "2")
    same(one, two, ("faye", "geoffrey"))
    given = str(GAME.view(one.position(), Seat("anna")).answer)
    two.send("anna", given)
    for host in (one, two):
        host.send("geoffrey", "1")
    assert GAME.dump(one.position())[0] == GAME.dump(two.position())[0], "and the dice that come are the same"


def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """News that tell everybody what one seat alone may know."""
    monkeypatch.setattr(TroyesDice, "tell", staticmethod(leaky_tell))
    with pytest.raises(AssertionError):
        alike(tmp_path, PLANS[0], options=HIDDEN)


def count(folder: Path) -> Hall:
    """Anna's answer to the second half day is given by what she has said; nobody has written."""
    hall = seated(folder)
    hall.send("anna", f"{offered(hall, 'anna')[0]}\nlater: resources")
    finish(hall)
    assert missing(hall) == ["faye", "geoffrey"]
    return hall


def test_what_fires_is_counted_with_the_first_answer_by_letter(tmp_path: Path) -> None:
    """Not when the half day opens, nor when somebody else says something for later."""
    hall = count(tmp_path)
    hall.send("faye", "auto: bonus yellow, every day")
    assert "Where a bonus lets you choose" in words(hall, "faye")
    assert "answered, since" not in words(hall, "faye")
    hall.send("geoffrey", "status")
    assert "answered, since" not in words(hall, "geoffrey")
    hall.send("faye", "1")
    assert "2 of 3 have answered" in words(hall, "faye")


def test_a_count_that_begins_too_early_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "quiet", False)
    hall = count(tmp_path)
    hall.send("faye", "auto: bonus yellow, every day")
    assert "1 of 3 has answered" in words(hall, "faye")


def test_one_letter_answers_and_says_what_comes_next(tmp_path: Path) -> None:
    """`undo` takes both back, and `later:` alone proposes lines by number."""
    hall = seated(tmp_path)
    hall.send("anna", f"{offered(hall, 'anna')[0]}\nlater: cathedral max 2 | resources")
    assert "Cathedral in any open column, with any die, for at most 2 resources in all" in words(hall, "anna")
    hall.send("anna", "undo")
    assert "anna" in missing(hall) and {} == hall.position().plans
    hall.send("anna", "1")
    hall.send("anna", "later:")
    assert "[1] later: " in hall.last("anna").text
    hall.send("anna", "1")
    assert ["later"] == [one.kind for one in hall.position().plans["anna"]]
    hall.send("anna", "help later")
    assert "What you want of dice that are not rolled yet" in words(hall, "anna")


def journey(hall: Hall) -> str:
    """What Anna writes and is written."""
    parts: list[str] = []

    def mailed() -> None:
        parts.append(f"##### Anna is mailed: {hall.last('anna').message['Subject']}\n{hall.last('anna').text}")

    def anna(text: str) -> None:
        parts.append(f"##### Anna writes\n{text}\n")
        hall.send("anna", text)
        mailed()

    anna("help later")
    anna("later:")
    anna("1")
    anna(offered(hall, "anna")[0])
    finish(hall)
    mailed()
    anna("later: white 6: cathedral max 0 | yellow 6: great-hall max 0")
    finish(hall)
    mailed()
    anna("auto: knowledge | resources, every day")
    anna("status")
    anna("cancel")
    return "\n".join(parts)


def test_a_players_journey_by_mail_alone(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Word for word: what is found in a mail, kept, explained when it fires, surprised, and taken back."""
    found = journey(seated(tmp_path))
    for said in (
        "[1] later: ",
        "As you said for later, goal ",
        "«later» no longer holds: these dice reach none of its goals.",
        "You have said «auto: knowledge | resources, every day».",
        "What you had said for later is taken back; an answer that is already sealed stays.",
    ):
        assert said in " ".join(found.split()), said
    if pytestconfig.getoption("--golden"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == found
