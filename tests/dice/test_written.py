"""What is written reads as what was meant, in both languages: every order and its title, half days as people may.

A seeded sample in a normal run, more of it in `make soak`.
"""

from __future__ import annotations

import random

import pytest

from engine.errors import OrderRefused
from engine.troyes_dice.options import legal_orders
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import HalfDay, Order
from tests.dice.dressed import dressed
from tests.dice.games import GAME, begin, options_of, steps

LANGUAGES = ("en", "fr")


def orders_of(state: DiceState, seat: str, rng: random.Random, most: int) -> list[Order]:
    """Legal orders of whatever is asked: all of them, or so many."""
    found = list(legal_orders.every_order(state, seat))
    return found if len(found) <= most else rng.sample(found, most)


def check(seed: int, share: float, most: int) -> set[str]:
    """One random game; gives the kinds of decisions that were looked at."""
    players, options = options_of(seed)
    facts = {"track_bonus": {"white": {"prestige_at": 3}}} if seed % 4 == 3 else None
    run = begin(players, seed, facts, **options)
    rng, kinds = random.Random(seed), set()
    for seat, _ in steps(run, seed):
        (decision,) = (one for one in GAME.waiting(run.state) if one.seat == seat)
        if decision.kind == "half-day" and rng.random() > share:
            continue
        kinds.add(decision.kind)
        for language in LANGUAGES:
            for order in orders_of(run.state, seat, rng, most):
                written = GAME.write(run.state, seat, order, language)
                assert (written, order) == (written, GAME.read(run.state, seat, written).order)
                title = GAME.title_of(run.state, seat, order, language)
                assert (title, order) == (title, GAME.read(run.state, seat, title).order)
                if isinstance(order, HalfDay):
                    check_dressed(run.state, seat, order, dressed(run.state, order, rng, language))
            for offer in GAME.offers(run.state, seat, language):
                said = {GAME.read(run.state, seat, text).text for text in (offer.text, offer.title)}
                assert len(said) == 1, offer
    return kinds


def check_dressed(state: DiceState, seat: str, order: HalfDay, line: str) -> None:
    """The line is read as the order, or asked back with it first; never is another one read."""
    try:
        found = GAME.write(state, seat, GAME.read(state, seat, line).order, "en")
    except OrderRefused as refused:
        found = next(iter((*refused.orders, *GAME.reference.repairs(state, seat, line))), "nothing")
    assert (line, GAME.write(state, seat, order, "en")) == (line, found)


def test_every_order_is_read_as_it_is_written_and_as_people_may_write_it() -> None:
    """`read(write(order))` and `read(title(order))` are the order in every language, whatever is played."""
    kinds = set().union(*(check(seed, 0.1, 12) for seed in range(12)))
    assert {"numbering", "half-day", "bonus"} == kinds


@pytest.mark.soak
def test_every_order_of_many_games_is_read_as_it_is_written() -> None:
    kinds = set().union(*(check(seed, 0.3, 150) for seed in range(500, 560)))
    assert {"numbering", "half-day", "bonus"} == kinds
