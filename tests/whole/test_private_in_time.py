"""The law of private mail at tables whose mails wait: for other letters (cooling-off), for the mail of the day, for a turn.

Two hosts that differ only in what a seat may not know, or in that somebody else has said something for later, send it
byte-identical mail at the same moments, whatever it waits for.
"""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.game import Seat
from engine.troyes import GAME, Troyes
from engine.troyes.view.position_view import view as true_view
from pbem.desk.orders.session import Session
from tests.clocks.table import Clocked
from tests.whole.room import copied
from tests.whole.test_private import DRAWS, entries_of_last, tamper
from tests.whole.test_standing_by_mail import PLANS

VOLUMES = {"anna": "mail every-turn", "bob": "mail daily", "cleo": "mail my-turn"}
QUESTIONS = ("status", "history", "try 1", "undo", "farm Y6; pass", "later:", "tell anna: truce?", "options")


class Waiting(Clocked):
    """One table of Troyes with ten minutes of cooling-off, whose people wish their mails each in another way."""

    table = "troyes-1"
    rules = GAME
    tick = timedelta()
    """Bytes are compared, and a letter in which more is done would be dated later."""

    def begin(self, seed: bytes) -> None:
        self.seated(3, "none", kind="troyes", cooling="10")
        for seat, wish in VOLUMES.items():
            self.says(seat, wish)
        self.wait(24)

    def position(self) -> Any:
        stored = self.stored(self.table)
        return GAME.load(stored.game, stored.hidden)

    def asked(self) -> Seat | None:
        waiting = GAME.waiting(self.position())
        return waiting[0].seat if waiting else None

    def twin(self, folder: Path) -> Waiting:
        """An independent copy of the whole host, clock and all."""
        other = Waiting(copied(self, folder))
        other.time, other.well = self.time, self.well
        return other

    def fired(self, records: int) -> bool:
        """Whether something that its seat had said before was played in the newest records."""
        newest = self.stored(self.table).table.records
        found = (self.record(number, self.table) for number in range(newest - records + 1, newest + 1))
        return any("why" in only for record in found for entry in record.entries for only in entry.only.values())

    def goes_on(self, raw: bytes) -> None:
        """A letter is answered, and whoever is asked next is mailed."""
        self.post(raw)
        self.look()
        self.wait(24 if self.asked() == "bob" else 1)

    def hears(self, seat: str, *letters: bytes) -> list[bytes]:
        """The mails to a seat that letters lead to within a day."""
        before = len(self.mails())
        for raw in letters:
            self.post(raw)
            self.deliver()
            self.look()
        self.wait(24)
        return [got.raw for got in self.mails()[before:] if got.seat == seat]


def walk(
    folder: Path, seed: int, steps: range, every: int, questions: tuple[str, ...] = QUESTIONS
) -> tuple[int, int]:
    """A game letter by letter; how often a seat's mails were compared where others' secrets were changed, and where
    somebody had said something for later."""
    rng, host = random.Random(seed), Waiting(folder / "one")
    host.begin(bytes([seed]) * 32)
    secrets = said = 0
    for step in steps:
        seat = host.asked()
        if seat is None:
            break
        offers = GAME.offers(host.position(), seat)
        raw = host.write(seat, offers[0 if rng.random() < 0.85 else min(1, len(offers) - 1)].text)
        if step % every:
            host.goes_on(raw)
            continue
        blind, question = rng.choice([seat, *VOLUMES]), rng.choice(questions)
        twin = host.twin(folder / "two")
        owner = next((one for one in VOLUMES if one not in (blind, seat)), "")
        if rng.random() < 0.5 and host.position().round:
            # Who has just acted, and may take that back or write anew, is to see as little as whoever acts next.
            asks = host.write(blind, question)
            plan, nothing = (host.write(owner, words) for words in (rng.choice(PLANS), "status"))
            one, other = host.hears(blind, raw, plan, asks), twin.hears(blind, raw, nothing, asks)
            if not host.fired(3):
                assert one == other, (step, blind, question)
                said += 1
            continue
        letters = raw, host.write(blind, question)
        one = host.hears(blind, *letters)
        tamper(twin, blind, entries_of_last(host, 3) & DRAWS)
        assert one == twin.hears(blind, *letters), (step, blind, question)
        secrets += bool(one)
    return secrets, said


def test_no_mail_that_waits_tells_what_its_reader_may_not_know(tmp_path: Path) -> None:
    """A mail a day, a mail a turn, and mails that may still be replaced: every byte, and when."""
    secrets, said = walk(tmp_path, 1, range(28), 4)
    assert secrets > 1
    assert said > 1


@pytest.mark.soak
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_no_mail_that_waits_tells_it_all_game_long(tmp_path: Path, seed: int) -> None:
    """The full number."""
    secrets, said = walk(tmp_path, seed, range(400), 3)
    assert secrets > 8
    assert said > 8


def leaky(state: Any, seat: str | None) -> Any:
    """What a reader may know, with the character of a rival in the place of their own."""
    shown = state.copy()
    if seat:
        shown.characters = {**state.characters, seat: state.characters[state.after(seat)]}
    return true_view(shown, seat)


def test_a_leak_planted_in_what_is_shown_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view with a rival's character."""
    monkeypatch.setattr(Troyes, "view", staticmethod(leaky))
    with pytest.raises(AssertionError):
        walk(tmp_path, 1, range(28), 4)


def test_a_leak_planted_in_what_waits_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter that only says something for later must not end the time in which another may be replaced."""
    monkeypatch.setattr(Session, "quiet", False)
    with pytest.raises(AssertionError):
        walk(tmp_path, 1, range(28), 3, ("undo",))
