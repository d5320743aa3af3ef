"""A short ranked list of complete orders: the best of every kind of thing the seat can do, the most useful first.

Ranked by the points that the sheet promises after them (`estimate`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from heapq import nlargest

from engine.catalog import Msg, T
from engine.game import NO_KIND, Says
from engine.troyes_dice.actions import answers, standing
from engine.troyes_dice.actions.half_day import HalfDayPlan, Usage, plan, usages
from engine.troyes_dice.actions.setup import cyclic
from engine.troyes_dice.box.sheet import RESOURCE, RESOURCES, ROWS, Sheet
from engine.troyes_dice.entries import Circles, Spends
from engine.troyes_dice.log.effects import effects
from engine.troyes_dice.moves import legal
from engine.troyes_dice.moves.estimate import drawn, left_open, left_to_spend, worth
from engine.troyes_dice.state.dice import laid
from engine.troyes_dice.state.orders import RESOURCES_USE, AutoGoals, Bonus, Goal, HalfDay, LaterGoals, Numbering, Order
from engine.troyes_dice.state.state import MORNING, DiceState

MOST = 10
ALIKE = 3
"""Orders of one kind that a computer considers."""

FOR_LATER = 3
"""Lines for the next half day that are proposed."""


Said = tuple[Order, Says]
"""An option: the order, and what it would do."""
Valued = tuple[HalfDay, HalfDayPlan, float]
"""An order of a half day, its plan, and the points that its sheet then promises."""


def offers(state: DiceState, seat: str) -> tuple[Said, ...]:
    """Return the list for what the seat is asked; empty if nothing."""
    kind = answers.asked_kind(state, seat)
    if kind == answers.HALF_DAY:
        listed = _listed(state, seat)
        said = ((act, partial(effects, made.facts)) for act, made, _ in listed)
        return (*said, *_again(state, seat, listed[0][0]))
    if kind == answers.BONUS:
        return tuple((bonus, says) for bonus, says, _ in _bonuses(state, seat))
    if kind == answers.NUMBERING:
        return tuple((order, _numbers(order)) for order in _numberings(state))
    return ()


def _again(state: DiceState, seat: str, best: HalfDay) -> Iterator[Said]:
    """Yield the same for the afternoon, if the best of a morning is a resource and others wait."""
    if best.use != RESOURCES_USE or state.half != MORNING or len(state.names) == 1:
        return
    goal = Goal(RESOURCE[best.colour])
    if answers.answer(state, seat) is None and standing.reached(state, seat, goal) == best:
        yield (
            AutoGoals((goal, Goal(RESOURCES_USE))),
            T("the same now; in the afternoon again, or the resource that leaves you most, without a question"),
        )


def for_later(state: DiceState, seat: str) -> tuple[LaterGoals, ...]:
    """Return proposals for the next half day: the rows whose buildings promise most, else a resource."""
    given = answers.answer(state, seat)
    sheet = plan(state, seat, given).sheet if given is not None else state.sheets[seat]
    worths = {row: max(_drawing(state, sheet, row), default=0.0) for row in ROWS if sheet.open_columns(row)}
    best = nlargest(FOR_LATER, worths, key=lambda row: worths[row])
    return tuple(LaterGoals((Goal(row, most=2), Goal(RESOURCES_USE))) for row in best)


def _drawing(state: DiceState, sheet: Sheet, row: str) -> Iterator[float]:
    """What the sheet promises with one more building."""
    for column in sheet.open_columns(row):
        yield worth(state, sheet.drawn(row, column))


def ranked(state: DiceState, seat: str) -> list[tuple[Order, float]]:
    """Return the same without sentences, each with the points that it promises beside doing nothing."""
    kind, base = answers.asked_kind(state, seat), worth(state, state.sheets[seat])
    if kind == answers.HALF_DAY:
        return [(act, value - base) for act, _, value in _listed(state, seat)]
    if kind == answers.BONUS:
        return [(bonus, value - base) for bonus, _, value in _bonuses(state, seat)]
    return [(order, 0.0) for order, _ in offers(state, seat)]


def _listed(state: DiceState, seat: str) -> list[Valued]:
    found = _kinds(state, seat)
    return ([row for row in found if _brings(row[1])] or found)[:MOST]


def _brings(made: HalfDayPlan) -> bool:
    """True if an order does more than pay, or circle what is lost at the end of a track."""
    return not all(isinstance(fact, Spends) or (isinstance(fact, Circles) and not fact.by) for fact in made.facts)


def _kinds(state: DiceState, seat: str) -> list[Valued]:
    """The best order of every kind (each building, each resource) with its plan; the best kind first."""
    wholes = (_best(state, seat, ways[0][1]) for ways in _alike(state, seat, 1))
    valued = ((act, made, worth(state, made.sheet)) for act, made in wholes)
    return sorted(valued, key=lambda row: -row[2])


def _alike(state: DiceState, seat: str, most: int) -> list[list[tuple[float, HalfDay]]]:
    """The best orders of every kind with their promise, the best first; their open choices stay open."""
    kinds: dict[str, list[tuple[float, HalfDay]]] = {}
    for value, act in _valued(state, seat, usages(state, seat)):
        kinds.setdefault(act.colour if act.use == RESOURCES_USE else act.use, []).append((value, act))
    return [nlargest(most, ways, key=lambda way: way[0]) for ways in kinds.values()]


def _valued(state: DiceState, seat: str, among: Iterable[Usage]) -> Iterator[tuple[float, HalfDay]]:
    """Yield orders with their promise. Those of one effect are worked out once: only what is left to spend differs."""
    known = dict[Hashable, tuple[float, tuple[int, int, int]]]()
    open_, promised = left_open(state), left_to_spend(state)
    influence, denier, knowledge = (promised[resource] for resource in RESOURCES)
    for usage in among:
        bill = usage.bill.get
        if usage.effect not in known:
            made = plan(state, seat, usage.order)
            more = open_ if made.open is not None else 0.0
            left = made.sheet.left
            before = left[0] + bill("influence", 0), left[1] + bill("denier", 0), left[2] + bill("knowledge", 0)
            known[usage.effect] = drawn(state, made.sheet) + more, before
        value, before = known[usage.effect]
        rests = influence[before[0] - bill("influence", 0)], denier[before[1] - bill("denier", 0)]
        yield value + sum((*rests, knowledge[before[2] - bill("knowledge", 0)])), usage.order


def groups(state: DiceState, seat: str) -> list[list[tuple[Order, float]]]:
    """Return the same orders by kinds, the kind of the best first."""
    if answers.asked_kind(state, seat) != answers.HALF_DAY:
        return [[option] for option in ranked(state, seat)]
    kinds, base = _alike(state, seat, ALIKE), worth(state, state.sheets[seat])
    return [
        [(completed(state, seat, act), value - base) for value, act in ways]
        for ways in sorted(kinds, key=lambda ways: -ways[0][0])
    ]


def likely(state: DiceState, seat: str) -> Order:
    """Return the order that promises most; a die for resources is taken as it lies."""
    if answers.asked_kind(state, seat) != answers.HALF_DAY:
        return ranked(state, seat)[0][0]
    dice = laid(state)
    whole = (
        usage
        for usage in usages(state, seat)
        if (act := usage.order).use != RESOURCES_USE
        or (act.colour, act.value) == (dice[act.slot].colour, dice[act.slot].value)
    )
    return completed(state, seat, max(_valued(state, seat, whole), key=lambda found: found[0])[1])


def completed(state: DiceState, seat: str, answer: legal.Answer) -> legal.Answer:
    """Return the answer with each open choice made for the best, one after the other."""
    return _best(state, seat, answer)[0]


def _best(state: DiceState, seat: str, answer: legal.Answer) -> tuple[legal.Answer, HalfDayPlan]:
    """The same, with its plan."""
    made = plan(state, seat, answer)
    while made.open is not None:
        ways = (replace(answer, bonus=(*answer.bonus, option)) for option in made.open.options)
        plans = [(way, plan(state, seat, way)) for way in ways]
        answer, made = max(plans, key=lambda way: worth(state, way[1].sheet))
    return answer, made


def _bonuses(state: DiceState, seat: str) -> Iterator[tuple[Bonus, Msg, float]]:
    """Yield every way to make the open choice, what it does and the points its sheet then promises, the best first.
    Later choices are made for the best."""
    before = answers.answer(state, seat)
    missing = (told := plan(state, seat, before)).open if before is not None else None
    if before is None or missing is None:
        return
    plans = (_best(state, seat, replace(before, bonus=(*before.bonus, option))) for option in missing.options)
    found = [(way, made, worth(state, made.sheet)) for way, made in plans]
    for way, made, value in sorted(found, key=lambda row: -row[2])[: MOST + 2]:
        # What the answer does anyway, up to the choice, is no part of the choice.
        yield Bonus(way.bonus[len(before.bonus) :]), effects(made.facts[len(told.facts) :]), value


def _numberings(state: DiceState) -> list[Numbering]:
    if state.first_number:
        return list(legal.numberings(state))
    return [Numbering(cyclic(first, way)) for first, way in ((1, "up"), (6, "down"), (4, "up"), (3, "down"))]


def _numbers(order: Numbering) -> Msg:
    return T("the columns from the left: {numbers}", numbers=" ".join(map(str, order.numbers)))


def kind_of(order: Order) -> Msg:
    """Return the heading that an order is listed under."""
    if not isinstance(order, HalfDay):
        return NO_KIND
    return T("RESOURCES") if order.use == RESOURCES_USE else T("BUILDINGS")


def examples(offered: Sequence[str]) -> tuple[str, ...]:
    """Return two orders to imitate: the first of the list, and one that shows something else."""
    offered = [text for text in offered if not text.startswith("auto")]
    if not offered:
        return ()
    other = next((text for text in offered[1:] if " as " in text or "pay" in text), offered[-1])
    return (offered[0], other) if other != offered[0] else (offered[0],)
