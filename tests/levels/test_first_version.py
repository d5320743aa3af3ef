"""The first version's ranking as a yardstick: it is asked itself, and understood."""

from __future__ import annotations

import pytest

from engine.chance import SeededChance
from engine.game import Seat, find_game
from tests.tools import first_version


@pytest.mark.skipif(not first_version.there(), reason="the history here does not reach back to the first version")
def test_what_it_would_have_chosen_is_played_today() -> None:
    """A round and more: nothing that it says is refused, and it does not choose what is chosen today."""
    game, seats, others = find_game("troyes"), [Seat("a"), Seat("b")], 0
    chance = SeededChance(b"first version", (), "x")
    state = game.start({seat: seat for seat in seats}, game.settle_options(2, {}), chance).state
    with first_version.first_version() as yardstick:
        for _ in range(30):
            seat = game.waiting(state)[0].seat
            order = yardstick.consider(game, state, seat, chance)[0][0]
            others += order != game.thinking.ranked(state, seat)[0][0]
            state = game.thinking.after(state, seat, order, chance)
        assert [] == yardstick.refused
    assert others
