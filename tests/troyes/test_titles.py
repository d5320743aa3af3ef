"""The title of a choice is a sentence that is read as exactly that choice, and as nothing else where it is none."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.chance import SeededChance
from engine.errors import NotAllowed, OrderRefused
from engine.game import Seat, find_game
from engine.kit.sampling import NumberStream
from engine.kit.words import kebab
from engine.troyes.actions.standing_orders import position_if_asked
from engine.troyes.options.random_orders import random_order
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState
from tests.troyes.test_language import CARDS, EVENTS, SQUARE, table

GAME = find_game("troyes")
ANNA = Seat("anna")
NAMES = ("Anna", "Faye", "Jean-Paul", "Émile Zola")
KINDS: tuple[tuple[int, dict[str, str]], ...] = ((2, {}), (4, {"bonus": "yes"}), (3, {"ladies": "all"}), (4, {"ladies": "all"}), (1, {"solo": "yes"}))


def places(seed: int) -> Iterator[tuple[TroyesState, Seat, list[Order]]]:
    """The positions of a random game of each kind in turn, who is asked, and some legal orders."""
    players, options = KINDS[seed % len(KINDS)]
    rng, chance = random.Random(seed), SeededChance(seed.to_bytes(8, "big"), [], "titles")
    seats = {Seat(kebab(name)): name for name in NAMES[:players]}
    state = GAME.start(seats, GAME.settle_options(players, options), chance).state
    while seat := next((one.seat for one in GAME.waiting(state) if not one.answered), None):
        found = list(random_order(state, seat, NumberStream([rng.getrandbits(30) for _ in range(64)])))
        yield state, seat, found
        state = GAME.apply(state, seat, found[0], chance).state


def essence(state: TroyesState, order: Order) -> Any:
    """What an order names, without what a position fills in: how often, how many cubes, which space, who is meant."""
    match order:
        case orders.Fight():
            return "fight", state.event(order.event).word, order.dice, order.using
        case orders.Activate():
            return "activate", order.card, order.dice, order.hiring, order.using
        case orders.Station():
            return "place", order.die, order.source.partition(" ")[0], order.using
        case orders.Use() | orders.React():
            return "use", order.tile
        case orders.Support():
            return "support", [state.event(id).word for id in order.events]
        case orders.Target():
            return "target", [state.event(id).word for id in (order.event, *order.then)]
    return order


@pytest.mark.parametrize("seed", range(10))
def test_a_title_is_read_as_its_order_and_as_no_other(seed: int) -> None:
    """Offers and legal orders, both languages; and titles of other positions are refused here or say the same."""
    rng, told, earlier = random.Random(seed), Counter[str](), list[tuple[str, TroyesState, Seat, Order]]()
    for state, seat, found in places(seed):
        tried = [*found[:3], *(order for order, _ in GAME.choices(state, seat))]
        for order in tried:
            for language in ("en", "fr"):
                title, text = GAME.title_of(state, seat, order, language), GAME.write(state, seat, order, language)
                assert order == GAME.read(state, seat, title).order, title
                assert order == GAME.read(state, seat, text).order, text
                told[f"{language} {title == text and 'kept'}"] += 1
                earlier.append((title, state, seat, order))
        mine = [one for one in earlier if one[2] == seat]
        for title, there, _, order in rng.sample(mine, min(6, len(mine))):
            try:
                again = GAME.read(state, seat, title).order
            except OrderRefused:
                continue
            assert essence(state, again) == essence(there, order), title
    for language in ("en", "fr"):
        assert told[f"{language} kept"] <= 0.04 * told[f"{language} False"]


@pytest.mark.parametrize("seed", [2, 11, 13])
def test_the_title_of_a_standing_order_is_read(seed: int) -> None:
    """In the name of a seat that is not asked, too."""
    met = Counter[str]()
    for state, seat, _ in places(seed):
        if state.asked[0].kind != "turn":
            continue
        other = next((Seat(one) for one in state.seats if one != seat and not state.houses[one].passed), seat)
        plans = [orders.Later((deed,)) for deed in legal_later(state, other) if other != seat]
        for order in (orders.AutoCounter(0, True), orders.AutoPass(True, True), *(orders.Auto("always", tile.id) for tile in state.tiles), *plans):
            for language in ("en", "fr"):
                title = GAME.title_of(state, other, order, language)
                assert order == GAME.read(state, other, title).order, title
                met[type(order).__name__] += title != GAME.write(state, other, order, language)
    assert all(met[kind] for kind in ("AutoCounter", "AutoPass", "Later"))


def legal_later(state: TroyesState, seat: Seat) -> Iterator[orders.PlannableOrder]:
    """What a seat may say for its next turn."""
    at = position_if_asked(state, seat, "turn")
    found = (order for order in random_order(at, seat, NumberStream(range(64))) if isinstance(order, orders.PlannableOrder))
    yield from (order for order in list(found)[:2] if not isinstance(order, orders.Counter))


TALK = (
    *("Let me think", "Let the black through", "Let 6 through", "Keep it", "Keep the cube, Faye", "Move over", "Put it there"),
    *("Always a pleasure", "Always counter", "Always pass for me", "Lose the cube", "Free at last", "Laisser passer", "Garder espoir"),
    *("Plan: none", "Toujours contrer", "Avancer de 5", "Perdre patience", "Déplacer", "Hire Faye", "Move your citizen with R4"),
)


@pytest.mark.parametrize("line", TALK)
def test_what_only_begins_like_a_title_is_none(line: str) -> None:
    state = table(dice=SQUARE, cards=CARDS, events=EVENTS)
    with pytest.raises(OrderRefused):
        GAME.read(state, ANNA, line)


@pytest.mark.parametrize(("line", "ways"), [
    ("fight war with Geoffrey's R2 and R4", ["fight war with geoffrey:R2 R4"]),
    ("lutter contre la guerre avec le R4 et le R2 de Geoffrey", ["fight war with R4 geoffrey:R2"]),
    ("place a citizen in palace 3 with R4", ["place R4 from supply"]),
    ("place a citizen in City Hall, row 1, with R4", ["place R4 from supply"]),
])  # fmt: skip
def test_what_may_be_meant_otherwise_is_asked_back(line: str, ways: list[str]) -> None:
    """Whose the second die is; a die that leads elsewhere."""
    state = table(dice=SQUARE, cards=CARDS, events=EVENTS)
    with pytest.raises(OrderRefused) as refused:
        GAME.read(state, ANNA, line)
    assert ways == list(refused.value.orders)[: len(ways)]


def test_only_the_black_die_that_is_asked_about_is_let_through() -> None:
    state = table(dice=SQUARE, cards=CARDS, events=EVENTS)
    state.asked[0].kind, state.black = "counter", [5, 3]
    for line in ("Let the black 5 through", "Laisser passer le dé noir 5"):
        assert orders.Counter((), ()) == GAME.read(state, ANNA, line).order
        with pytest.raises(NotAllowed):
            GAME.read(state, ANNA, line.replace("5", "3"))
