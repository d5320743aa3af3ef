"""Orders that are open to a seat: all of them, lazily, or one picked by a stream of numbers.

`Game.read` and `Game.apply` accept each of them. An order with open choices is given once for each way of choosing, so
that it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from engine.errors import TooLate
from engine.kit.sampling import NumberStream
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.actions.half_day import Answer, die_orders, die_uses, plan_half_day
from engine.troyes_dice.actions.setup import cyclic_numbers
from engine.troyes_dice.state.dice import FACES, affordable
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import RESOURCES_USE, Bonus, HalfDay, Numbering, Order


def completions(state: DiceState, seat: str, answer: Answer) -> Iterator[Answer]:
    """Yield the answer with every way to choose what its bonuses leave open."""
    missing = plan_half_day(state, seat, answer).open
    if missing is None:
        yield answer
        return
    for option in missing.options:
        yield from completions(state, seat, replace(answer, bonus=(*answer.bonus, option)))


def every_order(state: DiceState, seat: str) -> Iterator[Order]:
    """Yield every order open to the seat, whatever it is asked."""
    kind = sealed_answers.asked_kind(state, seat)
    if kind == sealed_answers.NUMBERING:
        yield from numberings(state)
    elif kind == sealed_answers.HALF_DAY:
        for act in die_orders(state, seat):
            yield from completions(state, seat, act)
    elif kind == sealed_answers.BONUS and (before := sealed_answers.sealed_answer(state, seat)) is not None:
        for whole in completions(state, seat, before):
            yield Bonus(whole.bonus[len(before.bonus) :])


def numberings(state: DiceState) -> Iterator[Numbering]:
    """Yield up and down if the first number was rolled, else all 720."""
    if state.first_number:
        yield from (Numbering(cyclic_numbers(state.first_number, way), way) for way in ("up", "down"))
    else:
        yield from (Numbering(numbers) for numbers in permutations(range(1, 7)))


def random_order(state: DiceState, seat: str, lot: NumberStream) -> Iterator[Order]:
    """Yield one order picked by `lot`, cheap to find; none if the seat is not asked."""
    kind = sealed_answers.asked_kind(state, seat)
    if kind == sealed_answers.NUMBERING:
        first = state.first_number
        way = lot.pick(("up", "down"))
        yield Numbering(cyclic_numbers(first or 1 + lot.below(6), way), way if first else "")
    elif kind == sealed_answers.HALF_DAY:
        yield random_choices(state, seat, _random_act(state, seat, lot), lot)
    elif kind == sealed_answers.BONUS and (before := sealed_answers.sealed_answer(state, seat)) is not None:
        yield Bonus(random_choices(state, seat, before, lot).bonus[len(before.bonus) :])


def random_choices(state: DiceState, seat: str, answer: Answer, lot: NumberStream) -> Answer:
    """Return the answer with its open choices picked by `lot`."""
    while (missing := plan_half_day(state, seat, answer).open) is not None:
        answer = replace(answer, bonus=(*answer.bonus, lot.pick(missing.options)))
    return answer


def _random_act(state: DiceState, seat: str, lot: NumberStream) -> HalfDay:
    """Pick a way to use a die; its own value and buildings are picked twice as often."""
    sheet = state.sheets[seat]
    die, pay = lot.pick(affordable(state, seat))
    colour = lot.pick(die.turned(die.rest(sheet, "knowledge", pay)))
    values = sorted(die.counted(die.rest(sheet, "influence", pay)))
    value = lot.pick([die.value, *(n for n in values if n in FACES)])
    resources, *buildings = die_uses(state, sheet, die, colour, value)
    use, column = lot.pick([resources, *(one for one in buildings for _ in range(2))])
    return HalfDay(die.slot, colour, value, use, column, pay)


def default_order(state: DiceState, seat: str) -> Order:
    """Return what is given if nobody answers: the cheapest die as it lies, for resources; the first numbers and
    choices.

    Raises TooLate if the seat is not asked.
    """
    kind = sealed_answers.asked_kind(state, seat)
    if not kind:
        raise TooLate(sealed_answers.not_asked_reason(state, seat))
    if kind != sealed_answers.HALF_DAY:
        return next(every_order(state, seat))
    # At the same price the die that brings most.
    die, pay = min(affordable(state, seat), key=lambda one: (sum(one[0].price.values()) + one[0].any, -one[0].value))
    return next(completions(state, seat, HalfDay(die.slot, die.colour, die.value, RESOURCES_USE, 0, pay)))
