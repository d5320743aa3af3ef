"""The wheel: which notch is where, how dice are laid, what turns over; and the drawing of the game's numbers."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from engine.chance import Purpose, ScriptedChance
from engine.errors import NotAllowed
from engine.troyes_dice.actions.setup import cyclic_numbers
from engine.troyes_dice.phases import game_flow
from engine.troyes_dice.state.dice import laid_dice, sorted_dice
from engine.troyes_dice.state.dice_state import NOTCHES, SLOTS
from tests.dice.games import ANNA, GAME, begin

NOTCHES_BY_DAY = {
    1: (0, [1, 2, 3, 4], [5, 6, 7, 8]),
    2: (1, [2, 3, 4, 5], [6, 7, 8, 0]),
    3: (2, [3, 4, 5, 6], [7, 8, 0, 1]),
    4: (3, [4, 5, 6, 7], [8, 0, 1, 2]),
    5: (4, [5, 6, 7, 8], [0, 1, 2, 3]),
    6: (5, [6, 7, 8, 0], [1, 2, 3, 4]),
    7: (6, [7, 8, 0, 1], [2, 3, 4, 5]),
    8: (7, [8, 0, 1, 2], [3, 4, 5, 6]),
}
"""Neutral notch, morning and afternoon, as the fact table lists them."""


@pytest.mark.parametrize("day", NOTCHES_BY_DAY)
def test_notches_of_a_day(day: int) -> None:
    """Fact table, wheel.day."""
    state = begin(1).state
    neutral, morning, afternoon = NOTCHES_BY_DAY[day]
    state.day, state.half = day, "morning"
    assert morning == [state.notch(slot) for slot in range(SLOTS)]
    state.half = "afternoon"
    assert afternoon == [state.notch(slot) for slot in range(SLOTS)]
    assert {neutral} == set(range(NOTCHES)) - set(morning) - set(afternoon)


def test_black_die_falls_on_each_slot_as_often_as_it_must() -> None:
    """Golden number 9: 441, 315, 315 and 225 of 1296."""
    slots = Counter(sorted_dice(roll[:3], roll[3])[1] for roll in product(range(1, 7), repeat=4))
    assert [441, 315, 315, 225] == [slots[slot] for slot in range(SLOTS)]


def test_black_die_goes_before_its_equals() -> None:
    """Golden number 1."""
    assert ((1, 3, 3, 6), 1) == sorted_dice((3, 1, 6), 3)
    assert ((4, 4, 4, 4), 0) == sorted_dice((4, 4, 4), 4)


def test_costs_of_the_golden_roll() -> None:
    """Golden number 1: nothing, 1 denier and 2 deniers for the dice that can be used."""
    state = game_flow.start_game(
        {"anna": "Anna"}, GAME.settle_options(1, {}), ScriptedChance({"dice": [3, 1, 6, 3]}, begin(1).chance)
    ).state
    dice = laid_dice(state)
    assert [True, False, True, True] == [die.usable for die in dice]
    assert [{}, {}, {"denier": 1}, {"denier": 2}] == [dict(die.price) for die in dice]
    assert [0, 1, 0, 0] == [die.any for die in dice]


def test_only_the_destroyed_plaza_turns_over_and_the_neutral_one_never() -> None:
    """Rulings A19, A20, over a whole game: each half day exactly the black die's plaza shows its other side."""
    run = begin(1, seed=5)
    while GAME.waiting(run.state):
        before = list(run.state.plazas)
        black = next(slot for slot, die in enumerate(run.state.dice) if die.black)
        hit, neutral = run.state.notch(black), (run.state.day - 1) % NOTCHES
        run.finish_half_day()
        for notch, plaza in enumerate(run.state.plazas):
            turned = (plaza.up, plaza.down) != (before[notch].up, before[notch].down)
            assert turned == (notch == hit and before[notch].up != before[notch].down)
        assert run.state.plazas[neutral] == before[neutral]


def test_twelve_attacks_and_sixteen_rolls() -> None:
    """Attacks from day 3 on: twelve in a game without tiles."""
    run = begin(3, seed=2)
    while GAME.waiting(run.state):
        run.finish_half_day()
    kinds = Counter(entry.kind for entry in run.entries)
    assert (12, 16, 16) == (kinds["attack"], kinds["rolled"], kinds["destroyed"])
    assert [3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8] == [day for day, kind in _by_day(run.entries) if kind == "attack"]


def _by_day(entries: list[object]) -> list[tuple[int, str]]:
    day, found = 0, []
    for entry in entries:
        day = entry.data["day"] if entry.kind == "half_day" else day  # type: ignore[attr-defined]
        found.append((day, entry.kind))  # type: ignore[attr-defined]
    return found


def test_plazas_are_those_of_the_box() -> None:
    """Ruling A2: three of one colour, each pair of colours twice, however they fall."""
    for seed in range(8):
        plazas = begin(1, seed=seed).state.plazas
        assert Counter({frozenset(("red",)): 1, frozenset(("yellow",)): 1, frozenset(("white",)): 1}) | Counter(
            {frozenset(pair): 2 for pair in (("red", "yellow"), ("red", "white"), ("yellow", "white"))}
        ) == Counter(frozenset((plaza.up, plaza.down)) for plaza in plazas)


def test_three_tiles_lie_at_the_plazas_of_one_colour() -> None:
    """Section 2: banquet side up, one at each."""
    for seed in range(8):
        tiled = [plaza for plaza in begin(1, seed=seed, expansion="yes").state.plazas if plaza.tile]
        assert 3 == len({plaza.tile for plaza in tiled}) == len(tiled)
        assert all(plaza.up == plaza.down and plaza.side == "banquet" for plaza in tiled)
    assert not any(plaza.tile for plaza in begin(1).state.plazas)


def test_set_up_draws_are_recorded_for_the_proof() -> None:
    """Every number drawn stands in the first entry with its purpose and can be drawn again."""
    run = begin(2, seed=3, expansion="yes", numbering="crier")
    draws = run.entries[0].data["draws"]
    assert ["plazas", "sides", "banquets", "start", "numbering"] == [Purpose.parse(d["draw"]).kind for d in draws]
    for draw in draws:
        purpose = Purpose.parse(draw["draw"])
        if "order" in draw:
            assert draw["order"] == list(run.chance.order(purpose, len(draw["order"])))
        else:
            assert draw["shown"] == list(run.chance.roll(purpose, len(draw["shown"]), draw.get("sides", 6)))


def test_numberings_go_round() -> None:
    """Twelve of them: 4 5 6 1 2 3 and 4 3 2 1 6 5 among them."""
    assert (4, 5, 6, 1, 2, 3) == cyclic_numbers(4, "up")
    assert (4, 3, 2, 1, 6, 5) == cyclic_numbers(4, "down")
    assert 12 == len({cyclic_numbers(first, way) for first in range(1, 7) for way in ("up", "down")})


def test_first_game_is_numbered_one_to_six_without_a_question() -> None:
    run = begin(2)
    assert (1, 2, 3, 4, 5, 6) == run.state.numbering
    assert ["half-day", "half-day"] == [decision.kind for decision in GAME.waiting(run.state)]


def test_the_crier_alone_numbers_the_columns() -> None:
    """Ruling A21: the others wait, and are told who numbers."""
    run = begin(3, seed=4, numbering="crier")
    (decision,) = GAME.waiting(run.state)
    assert ("numbering", False) == (decision.kind, decision.sealed)
    first = run.state.first_number
    assert [f"numbering {first} up", f"numbering {first} down"] == list(GAME.reference.every(run.state, decision.seat))
    run.order(decision.seat, f"numbering {first} down")
    assert cyclic_numbers(first, "down") == run.state.numbering
    assert 3 == len(GAME.waiting(run.state))


def test_the_host_may_number_the_columns() -> None:
    """Ruling A21: a host's choice takes the place of the crier's."""
    expert = begin(2, numbering="expert", numbers="3 1 6 2 5 4")
    assert (3, 1, 6, 2, 5, 4) == expert.state.numbering
    crier = begin(2, numbering="crier", numbers="down")
    assert cyclic_numbers(crier.state.first_number, "down") == crier.state.numbering
    for mode, numbers in (("first", "1 2 3 4 5 6"), ("crier", "4 5 6 1 2 3"), ("expert", "1 1 2 3 4 5")):
        with pytest.raises(NotAllowed) as refused:
            GAME.settle_options(2, {"numbering": mode, "numbers": numbers})
        assert f"«{numbers}»" in str(refused.value.reason)


def test_expert_has_every_permutation() -> None:
    run = begin(1, numbering="expert")
    assert 720 == len(set(GAME.reference.every(run.state, ANNA)))
