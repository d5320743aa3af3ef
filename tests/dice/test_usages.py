"""What dice can be used for is looked up, and must be what a walk finds."""

from __future__ import annotations

from engine.troyes_dice.actions.half_day import order_costs, plan_half_day, usages
from engine.troyes_dice.state.dice import laid_dice
from engine.troyes_dice.state.dice_state import DiceState
from tests.dice.games import begin, options_of, steps


def positions(games: int) -> list[tuple[DiceState, str]]:
    """Half days of random games in which a seat has not answered."""
    runs = [(begin(options_of(seed)[0], seed, **options_of(seed)[1]), seed) for seed in range(games)]
    found = [(run.state, str(seat)) for run, seed in runs for seat, _ in steps(run, seed)]
    return [(state, seat) for state, seat in found if state.phase == "half day" and seat not in state.sealed]


def test_usages_of_one_effect_differ_in_what_is_paid_alone() -> None:
    """And each costs what the rules ask for its order."""
    several = 0
    for state, seat in positions(6)[::5]:
        found: dict[object, set[object]] = {}
        for usage in usages(state, seat):
            assert usage.bill == order_costs(laid_dice(state)[usage.order.slot], usage.order)
            assert usage.die is laid_dice(state)[usage.order.slot]
            made = plan_half_day(state, seat, usage.order)
            gains = tuple(fact for fact in made.facts if fact.kind != "spends")
            found.setdefault(usage.effect, set()).add((gains, made.open))
            several += len(found[usage.effect]) == 1
        assert all(len(does) == 1 for does in found.values())
    assert several > 100
