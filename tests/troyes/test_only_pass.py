"""A turn on which only `pass` is legal is played and told; every other turn is asked, and its list shows a choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product

import pytest

from engine.chance import SeededChance
from engine.game import Seat, Step
from engine.troyes.actions import outdoor
from engine.troyes.actions.carry_out_order import is_legal
from engine.troyes.options.legal_orders import every_order, with_influence
from engine.troyes.phases import automatic_answers
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import NOTHING_USED, Order, Pick, Using
from engine.troyes.state.troyes_state import GRAY, TroyesState
from tests.troyes import games, ladies
from tests.troyes.games import GAME

Played = Iterable[tuple[TroyesState, Seat, str, Step]]


def everything(state: TroyesState, seat: str) -> Iterator[Order]:
    """Every action that one die, or own dice together, could make; most are refused when tried."""
    lying = [Pick(owner, word) for owner, words in state.dice.items() for word in words]
    own = [pick for pick in lying if pick.owner == seat]
    single = [(pick,) for pick in dict.fromkeys(lying)]
    groups = dict.fromkeys(chain(single, *(combinations(own, size) for size in (2, 3))))
    cubes = [Using(card.id) for card in state.cards if card.cubes.get(seat)]
    cubes += [Using(using.card, pick) for using, pick in product(cubes, dict.fromkeys(lying))]
    sources = [places.SUPPLY, *dict.fromkeys(map(str, state.whereabouts(seat)))]
    for group, using in product(groups, (NOTHING_USED, *cubes)):
        if using is NOTHING_USED and group[0].owner != seat and state.houses[seat].deniers < state.box.board.prices[0]:
            continue
        yield orders.Farm(group, using)
        yield orders.Build(group, using)
        for threat in state.queue:
            yield from (orders.Fight(threat.id, group, 1, using, freed) for freed in ((), *((of,) for of in threat.held)))
        if len(group) == 1:
            yield from (orders.Station(group[0], source, using) for source in sources)
            yield from (orders.Guard(group[0], 0, 1), *(orders.Guard(group[0], 0, 0, (level,)) for level in (1, 2, 3, 4)))
        for card in state.cards:
            for source in ("", *sources):
                free = next((number for number, owner in enumerate(card.spaces, start=1) if not owner), 0)
                for targets in ((), (orders.NOTHING,), ("place",)):
                    yield orders.Activate(card.id, group, 1, source, free if source else 0, targets, using)


def forced(state: TroyesState, step: Step) -> Iterator[tuple[TroyesState, str]]:
    """The positions in which somebody passed without being asked."""
    for at, made in enumerate(step.entries):
        if made.kind == "order" and made.data["order"] == {"verb": "pass"} and "given" in made.data:
            yield GAME.fold(state, step.entries[:at]), made.data["seat"]


def check(played: Played) -> int:
    """Both halves of the law over a whole game; how many passes were made for somebody."""
    found = 0
    for state, seat, _, step in played:
        if any(asked.kind == "turn" and asked.seat == seat for asked in state.asked):
            assert any(not isinstance(order, orders.Pass) for order in every_order(state, seat))
        for before, passing in forced(state, step):
            found += 1
            assert not list(with_influence(before, passing))
            assert all(outdoor.unusable(before, {}, passing, tile.id) for tile in before.tiles)
            assert not [order for order in everything(before, passing) if is_legal(before, passing, order)]
    return found


def poor(state: TroyesState) -> TroyesState:
    """The position with empty purses and no influence, so that whoever has no die has nothing."""
    other = state.copy()
    for seat in other.seats:
        other.houses[seat].deniers = other.houses[seat].influence = 0
    return other


@pytest.mark.parametrize("seed", (*range(2), *(pytest.param(seed, marks=pytest.mark.soak) for seed in (2, 3))))
def test_only_turns_without_a_choice_are_played(seed: int) -> None:
    """Base, solo and Ladies: who is asked could do something else; who was not could not, tried by brute force."""
    check(games.random_game(2 + seed % 3, seed, seed % 2 == 1))
    check(games.random_game(1, seed))
    check(ladies.played(seed))


def turns(seeds: Iterable[int], every: int = 9) -> Iterator[tuple[TroyesState, Seat]]:
    """Some turns of some games."""
    for seed in seeds:
        for at, (state, *_) in enumerate(
            chain(games.random_game(2 + seed % 3, seed), games.random_game(1, seed), ladies.played(seed))
        ):
            if at % every == 0 and state.asked[0].kind == "turn":
                yield state, Seat(state.asked[0].seat)


@pytest.mark.parametrize("every", [25, pytest.param(9, marks=pytest.mark.soak)])
def test_the_engine_finds_what_brute_force_finds_in_poor_positions(every: int) -> None:
    """Purses emptied, so that both outcomes are common; what is cheap to see agrees with what is searched."""
    met = {True: 0, False: 0}
    for state, seat in turns(range(3), every):
        for position in (poor(state), _diceless(state, seat), _diceless(poor(state), seat)):
            may = any(is_legal(position, seat, order) for order in everything(position, seat))
            may = may or any(True for _ in with_influence(position, seat))
            may = may or any(outdoor.unusable(position, position.agenda[-1], seat, tile.id) is None for tile in state.tiles)
            given = automatic_answers.answer_given(position, {})
            assert (given is None) is may, (seat, position.dice, position.houses[seat])
            assert given in (None, automatic_answers.GivenAnswer(seat, orders.Pass(), public="only"))
            assert given == automatic_answers.answer_given(GAME.moderation.redacted(position), {}), "public facts alone decide"
            met[may] += 1
    assert min(met.values()) > 10, met


def _diceless(state: TroyesState, seat: str) -> TroyesState:
    other = state.copy()
    other.dice[seat] = []
    return other


def test_a_turn_that_is_asked_never_lists_pass_alone() -> None:
    """Recruiting for nothing yet, re-rolling the only die: the list shows what it is that could be done."""
    met = 0
    for state, seat in turns(range(3)):
        rich = _diceless(poor(state), seat)
        rich.houses[seat].influence = 2
        rich.houses[seat].reserve = max(1, rich.houses[seat].reserve)
        for position in (state, rich):
            if automatic_answers.answer_given(position, {}) is None:
                texts = [offer.text for offer in GAME.offers(position, seat)]
                assert "pass" in texts and len(texts) > 1, texts
                met += position is rich
                for text in texts:
                    GAME.read(position, seat, text)
    assert met > 5


def test_passes_that_are_made_may_end_the_round_and_are_told() -> None:
    """Nobody has a die or a denier: one pass by letter, and the round goes on to the next question."""
    state = next(state for state, *_ in games.random_game(3, 1) if state.round and state.asked[0].kind == "turn")
    state = poor(state)
    seat = Seat(state.asked[0].seat)
    for other in state.seats:
        state.dice[other] = []
        state.houses[other].passed = False
        for card in state.cards:
            card.cubes.pop(other, None)
    state.dice[GRAY] = ["Y6"]
    state.dice[seat] = ["R1"]
    step = GAME.apply(state, seat, GAME.read(state, seat, "pass").order, SeededChance(b"round", [], "troyes-1"))
    assert step.state.round > state.round or step.state.scores
    told = [str(line.says) for line in GAME.tell(step.state, step.entries, seat)]
    assert 2 == sum("There was no choice." in says for says in told), told
    folded = GAME.fold(state, step.entries)
    assert GAME.dump(folded) == GAME.dump(step.state)


def test_dice_of_others_decide_too() -> None:
    """Two deniers buy a yellow die to farm with; one does not."""
    state = next(state for state, *_ in games.random_game(2, 1) if state.round and state.asked[0].kind == "turn")
    state = poor(state)
    seat = state.asked[0].seat
    state.dice = {owner: [] for owner in state.dice} | {GRAY: ["Y1"]}
    for card in state.cards:
        card.cubes.pop(seat, None)
    assert automatic_answers.answer_given(state, {}) is not None
    state.houses[seat].deniers = 2
    assert automatic_answers.answer_given(state, {}) is None
    assert dice.die_value("Y1") // state.box.board.agriculture_divisor == 0, "for nothing, and legal all the same"
