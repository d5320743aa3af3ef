"""How games are thought about, without words: what search and estimate ask of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.chance import SeededChance
from engine.errors import OrderRefused
from engine.game_search import GameSearch
from engine.troyes_dice.options.offers import likely_order, order_groups
from engine.troyes_dice.state.dice import laid_dice
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay
from tests.levels.test_levels import EVERY, TABLES, positions


@pytest.mark.parametrize("name", TABLES)
def test_thinking_plays_on_as_the_game_does(name: str) -> None:
    """The position after an order, and who is asked: the same with words and without; what is likely is allowed."""
    shown = set()
    for n, (game, state, seat) in enumerate(positions(name, 4, 2 * EVERY.get(name, 4))):
        shown.add(game.thinking.shown(state))
        thinking, waiting = game.thinking, [one for one in game.waiting(state) if not one.answered]
        assert (waiting[0].seat, waiting[0].kind) == thinking.asked(state)
        order, before = thinking.likely(state, seat), game.dump(state)
        step = game.apply(state, seat, order, SeededChance(b"on", (), str(n)))
        assert game.dump(step.state) == game.dump(thinking.after(state, seat, order, SeededChance(b"on", (), str(n))))
        assert game.dump(state) == before
        assert game.dump(step.state) == game.dump(game.fold(state, step.entries))
        kinds = thinking.groups(state, seat)
        assert all(kinds)
        assert [kind[0][1] for kind in kinds] == sorted((kind[0][1] for kind in kinds), reverse=True)
        for kind in kinds:
            assert [worth for _, worth in kind] == sorted((worth for _, worth in kind), reverse=True)
    assert len(shown) > 1


def test_most_of_what_is_guessed_is_allowed() -> None:
    """A guess is cheaper than a walk, and no worse than now and then wrong."""
    allowed = refused = 0
    for game, state, seat in positions("base", 6, 9):
        for kind in game.thinking.groups(state, seat):
            for order, _ in kind:
                try:
                    game.thinking.after(state, seat, order, SeededChance(b"guess", (), "x"))
                    allowed += 1
                except OrderRefused:
                    refused += 1
    assert allowed > 100
    assert refused < allowed / 20


def test_simulations_go_on_with_a_die_as_it_lies_where_it_brings_resources() -> None:
    """Else with the best of what is thought of."""
    taken = best = 0
    for _, state, seat in (found for seed in range(4) for found in positions("dice", seed, 2)):
        order = likely_order(state, seat)
        if isinstance(order, HalfDay) and order.use == RESOURCES_USE:
            die = laid_dice(state)[order.slot]
            assert (die.colour, die.value) == (order.colour, order.value)
            taken += 1
        first = order_groups(state, seat)[0][0][0]
        if not isinstance(first, HalfDay) or first.use != RESOURCES_USE:
            assert first == order
            best += 1
    assert taken
    assert best


def test_a_game_that_says_nothing_of_itself_asks_the_first_who_has_not_answered() -> None:
    """And shows all that a position holds."""
    waiting = [SimpleNamespace(seat=seat, kind="turn", answered=answered) for seat, answered in (("a", True), ("b", False))]
    game = SimpleNamespace(waiting=lambda state: waiting, dump=lambda state: {"done": state})
    thinking: GameSearch[Any, Any] = GameSearch(game)
    assert ("b", "turn") == thinking.asked(None)
    assert thinking.shown(1) == thinking.shown(1) != thinking.shown(2)
    waiting.pop()
    assert thinking.asked(None) is None
