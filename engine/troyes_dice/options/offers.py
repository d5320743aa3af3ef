"""A short ranked list of complete orders: the best of every kind of thing the seat can do, the most useful first.

Ranked by the points that the sheet promises after them (`estimate`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from heapq import nlargest

from engine.catalog import Msg, T
from engine.game import NO_KIND, Says
from engine.troyes_dice.actions import sealed_answers, standing_orders
from engine.troyes_dice.actions.half_day import Answer, HalfDayPlan, die_orders, plan_half_day
from engine.troyes_dice.actions.setup import cyclic_numbers
from engine.troyes_dice.card_data.sheet import RESOURCE, ROWS
from engine.troyes_dice.events import Circles, Spends
from engine.troyes_dice.news.effects import effects_text
from engine.troyes_dice.options import legal_orders
from engine.troyes_dice.options.estimate import open_choice_worth, sheet_worth
from engine.troyes_dice.state.dice import laid_dice
from engine.troyes_dice.state.dice_state import MORNING, DiceState
from engine.troyes_dice.state.orders import RESOURCES_USE, AutoGoals, Bonus, Goal, HalfDay, LaterGoals, Numbering, Order

MOST = 10
ALIKE = 3
"""Orders of one kind that a computer considers."""

FOR_LATER = 3
"""Lines for the next half day that are proposed."""


Said = tuple[Order, Says]
"""An option: the order, and what it would do."""
Valued = tuple[HalfDay, HalfDayPlan, float]
"""An order of a half day, its plan, and the points that its sheet then promises."""


def offered_orders(state: DiceState, seat: str) -> tuple[Said, ...]:
    """Return the list for what the seat is asked; empty if nothing."""
    kind = sealed_answers.asked_kind(state, seat)
    if kind == sealed_answers.HALF_DAY:
        listed = _listed(state, seat)
        said = ((act, partial(effects_text, made.facts)) for act, made, _ in listed)
        return (*said, *_again(state, seat, listed[0][0]))
    if kind == sealed_answers.BONUS:
        return tuple((bonus, says) for bonus, says, _ in _bonuses(state, seat))
    if kind == sealed_answers.NUMBERING:
        return tuple((order, _numbers(order)) for order in _numberings(state))
    return ()


def _again(state: DiceState, seat: str, best: HalfDay) -> Iterator[Said]:
    """Yield the same for the afternoon, if the best of a morning is a resource and others wait."""
    if best.use != RESOURCES_USE or state.half != MORNING or len(state.names) == 1:
        return
    goal = Goal(RESOURCE[best.colour])
    if sealed_answers.sealed_answer(state, seat) is None and standing_orders.order_for_goal(state, seat, goal) == best:
        yield (
            AutoGoals((goal, Goal(RESOURCES_USE))),
            T("the same now; in the afternoon again, or the resource that leaves you most, without a question"),
        )


def later_orders(state: DiceState, seat: str) -> tuple[LaterGoals, ...]:
    """Return proposals for the next half day: the rows whose buildings promise most, else a resource."""
    given = sealed_answers.sealed_answer(state, seat)
    sheet = plan_half_day(state, seat, given).sheet if given is not None else state.sheets[seat]
    worths = {
        row: max(
            sheet_worth(state, replace(sheet, built={**sheet.built, row: (*sheet.built[row], column)}))
            for column in sheet.open_columns(row)
        )
        for row in ROWS
        if sheet.open_columns(row)
    }
    best = nlargest(FOR_LATER, worths, key=lambda row: worths[row])
    return tuple(LaterGoals((Goal(row, most=2), Goal(RESOURCES_USE))) for row in best)


def ranked_orders(state: DiceState, seat: str) -> list[tuple[Order, float]]:
    """Return the same without sentences, each with the points that it promises more than doing nothing."""
    kind, base = sealed_answers.asked_kind(state, seat), sheet_worth(state, state.sheets[seat])
    if kind == sealed_answers.HALF_DAY:
        return [(act, value - base) for act, _, value in _listed(state, seat)]
    if kind == sealed_answers.BONUS:
        return [(bonus, value - base) for bonus, _, value in _bonuses(state, seat)]
    return [(order, 0.0) for order, _ in offered_orders(state, seat)]


def _listed(state: DiceState, seat: str) -> list[Valued]:
    """The best order of every kind (each building, each resource) with its plan; the best kind first."""
    wholes = (_best(state, seat, ways[0][1]) for ways in _alike(state, seat, 1))
    valued = ((act, made, sheet_worth(state, made.sheet)) for act, made in wholes)
    found = sorted(valued, key=lambda row: -row[2])
    return ([row for row in found if _brings(row[1])] or found)[:MOST]


def _brings(made: HalfDayPlan) -> bool:
    """True if an order does more than pay, or circle what is lost at the end of a track."""
    return not all(isinstance(fact, Spends) or (isinstance(fact, Circles) and not fact.by) for fact in made.facts)


def _alike(state: DiceState, seat: str, most: int) -> list[list[tuple[float, HalfDay]]]:
    """The best orders of every kind with their promise, the best first; their open choices stay open."""
    kinds: dict[str, list[tuple[float, HalfDay]]] = {}
    for value, act in _valued(state, seat, die_orders(state, seat)):
        kinds.setdefault(act.colour if act.use == RESOURCES_USE else act.use, []).append((value, act))
    return [nlargest(most, ways, key=lambda way: way[0]) for ways in kinds.values()]


def _valued(state: DiceState, seat: str, orders: Iterable[HalfDay]) -> Iterator[tuple[float, HalfDay]]:
    """Yield orders with their promise."""
    for act in orders:
        made = plan_half_day(state, seat, act)
        yield sheet_worth(state, made.sheet) + (open_choice_worth(state) if made.open is not None else 0.0), act


def order_groups(state: DiceState, seat: str) -> list[list[tuple[Order, float]]]:
    """Return the same orders by kinds, the kind of the best first."""
    if sealed_answers.asked_kind(state, seat) != sealed_answers.HALF_DAY:
        return [[option] for option in ranked_orders(state, seat)]
    kinds, base = _alike(state, seat, ALIKE), sheet_worth(state, state.sheets[seat])
    return [
        [(_best(state, seat, act)[0], value - base) for value, act in ways]
        for ways in sorted(kinds, key=lambda ways: -ways[0][0])
    ]


def likely_order(state: DiceState, seat: str) -> Order:
    """Return the order that promises most; a die for resources is taken as it lies."""
    if sealed_answers.asked_kind(state, seat) != sealed_answers.HALF_DAY:
        return ranked_orders(state, seat)[0][0]
    dice = laid_dice(state)
    whole = (
        act
        for act in die_orders(state, seat)
        if act.use != RESOURCES_USE or (act.colour, act.value) == (dice[act.slot].colour, dice[act.slot].value)
    )
    return _best(state, seat, max(_valued(state, seat, whole), key=lambda found: found[0])[1])[0]


def _best(state: DiceState, seat: str, answer: Answer) -> tuple[Answer, HalfDayPlan]:
    """Return the answer with each open choice made for the best, one after the other; and its plan."""
    made = plan_half_day(state, seat, answer)
    while made.open is not None:
        ways = (replace(answer, bonus=(*answer.bonus, option)) for option in made.open.options)
        plans = [(way, plan_half_day(state, seat, way)) for way in ways]
        answer, made = max(plans, key=lambda way: sheet_worth(state, way[1].sheet))
    return answer, made


def _bonuses(state: DiceState, seat: str) -> Iterator[tuple[Bonus, Msg, float]]:
    """Yield every way to make the open choice, what it does and the points its sheet then promises, the best first.
    Later choices are made for the best."""
    before = sealed_answers.sealed_answer(state, seat)
    missing = (told := plan_half_day(state, seat, before)).open if before is not None else None
    if before is None or missing is None:
        return
    plans = (_best(state, seat, replace(before, bonus=(*before.bonus, option))) for option in missing.options)
    found = [(way, made, sheet_worth(state, made.sheet)) for way, made in plans]
    for way, made, value in sorted(found, key=lambda row: -row[2])[: MOST + 2]:
        # What the answer does anyway, up to the choice, is no part of the choice.
        yield Bonus(way.bonus[len(before.bonus) :]), effects_text(made.facts[len(told.facts) :]), value


def _numberings(state: DiceState) -> list[Numbering]:
    if state.first_number:
        return list(legal_orders.numberings(state))
    return [Numbering(cyclic_numbers(first, way)) for first, way in ((1, "up"), (6, "down"), (4, "up"), (3, "down"))]


def _numbers(order: Numbering) -> Msg:
    return T("the columns from the left: {numbers}", numbers=" ".join(map(str, order.numbers)))


def order_kind(order: Order) -> Msg:
    """Return the heading that an order is listed under."""
    if not isinstance(order, HalfDay):
        return NO_KIND
    return T("RESOURCES") if order.use == RESOURCES_USE else T("BUILDINGS")


def example_orders(offered: Sequence[str]) -> tuple[str, ...]:
    """Return two orders to imitate: the first of the list, and one that shows something else."""
    offered = [text for text in offered if not text.startswith("auto")]
    if not offered:
        return ()
    other = next((text for text in offered[1:] if " as " in text or "pay" in text), offered[-1])
    return (offered[0], other) if other != offered[0] else (offered[0],)
