"""Hostile and broken letters through the whole desk: no crash, no traceback to a player, no order taken."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.desk.outcome import Outcome
from pbem.store.stored import Stored
from tests.hostile import HAND_MADE, hostile
from tests.whole.room import Hall

WORDS = ("farm", "pass", "settle", "place", "build", "recruit", "flip", "fight", "activate", "counter", "reroll")


def harmless(raw: bytes) -> bool:
    """Whether a broken letter holds no word that orders something; a broken letter with an order is a letter."""
    lowered = raw.lower()
    return not any(word.encode() in lowered for word in WORDS) and b"\n1" not in raw and b"\n3" not in raw


def bombard(folder: Path, seed: int, count: int) -> None:
    """Each letter as it is, and once with a player's name and token before it."""
    hall = Hall(folder)
    hall.seat_all(3)
    reply = hall.last("anna").reply_to
    position = Stored.read(hall.store.open(hall.table)).game
    rng = random.Random(seed)
    for raw in hostile(seed, count):
        outcomes = [hall.post(raw)]
        disguised = f"From: Anna <anna@people.test>\r\nTo: <{reply}>\r\n".encode() + raw
        if harmless(raw):
            outcomes.append(hall.post(disguised))
        for handled in outcomes:
            assert handled.outcome not in (Outcome.PLAYED, Outcome.RETRY), handled
        if rng.random() < 0.02:
            hall.restart()
    assert position == Stored.read(hall.store.open(hall.table)).game, "an order was taken"
    for got in hall.mails():
        assert "Traceback" not in got.raw.decode(errors="replace")
    waiting = hall.spool.waiting()
    assert not waiting, "letters are left over"
    assert hall.asked() is not None
    hall.send(str(hall.asked()), "1")
    assert position != Stored.read(hall.store.open(hall.table)).game, "the game goes on"


def test_hostile_letters_cost_nothing(tmp_path: Path) -> None:
    """All hand-made ones and some mutations."""
    bombard(tmp_path, 1, HAND_MADE + 7)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 5))
def test_five_hundred_hostile_letters_cost_nothing(tmp_path: Path, seed: int) -> None:
    """The full number of the issue, three times."""
    bombard(tmp_path, seed, 500)
