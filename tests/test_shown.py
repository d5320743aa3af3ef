"""What was drawn and what was said of it, in every game there is under `engine`."""

from __future__ import annotations

import random

import pytest

from engine.chance import SeededChance
from engine.event_log import LogEntry
from engine.game import AnyGame, Seat, games
from tests.shown import Kept, misdrawn

NAMES = ("Anna", "Faye", "Geoffrey", "Emily")


def play(game: AnyGame, players: int, seed: int) -> tuple[Kept, list[LogEntry], SeededChance]:
    """A whole random game: its entries, kept as they were, and its chance."""
    rng, chance = random.Random(seed), SeededChance(seed.to_bytes(8, "big"), [], "any-1")
    seats = {Seat(name.lower()): name for name in NAMES[:players]}
    step = game.start(seats, game.settle_options(players, {}), chance)
    kept, entries = Kept(), list(step.entries)
    kept.add(step.entries)
    while waiting := [asked for asked in game.waiting(step.state) if not asked.answered]:
        seat = rng.choice(waiting).seat
        text = next(iter(game.reference.every(step.state, seat, [rng.randrange(1 << 30) for _ in range(64)])))
        step = game.apply(step.state, seat, game.read(step.state, seat, text).order, chance)
        kept.add(step.entries)
        entries += step.entries
    return kept, entries, chance


@pytest.mark.parametrize("kind", games())
def test_a_record_says_what_was_drawn_and_never_anything_else(kind: str) -> None:
    """Each draw is drawn again from its purpose; an entry that was recorded is never changed by what comes after."""
    game = games()[kind]
    for players in range(max(1, game.seats.start), min(4, game.seats.stop - 1) + 1):
        kept, entries, chance = play(game, players, players)
        assert [] == kept.changed()
        assert [] == list(misdrawn(entries, chance))
        game.fold(None, entries)
        assert [] == kept.changed(), "nor by folding it"


def test_an_entry_keeps_a_copy_of_what_it_is_made_of() -> None:
    """The list that le Roy took dice from once stood in his entry, and emptied it."""
    words, deck = ["R5", "W3"], ["herbalist"]
    made = LogEntry("acts", {"dice": words}, {"anna": {"held": deck}}, {"decks": {"red": deck}})
    words.clear()
    deck.clear()
    assert {"dice": ["R5", "W3"]} == made.data
    assert ["herbalist"] == made.only["anna"]["held"] == made.hidden["decks"]["red"]
