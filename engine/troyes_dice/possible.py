"""Orders that are open to a seat: all of them, lazily, or some picked by a stream of numbers.

Whatever comes out of here is accepted by `read` and `apply`. An order that leaves choices open is given once for
each way of choosing, so that it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import TypeVar

from engine.kit.sampling import Lot
from engine.troyes_dice import answers
from engine.troyes_dice.action import plan
from engine.troyes_dice.action import purchases
from engine.troyes_dice.dice import FACES
from engine.troyes_dice.dice import Laid
from engine.troyes_dice.dice import laid
from engine.troyes_dice.orders import RESOURCES_USE
from engine.troyes_dice.orders import Act
from engine.troyes_dice.orders import Bonus
from engine.troyes_dice.orders import Fallback
from engine.troyes_dice.orders import Numbering
from engine.troyes_dice.orders import Order
from engine.troyes_dice.setup import cyclic
from engine.troyes_dice.sheet import COLOURS
from engine.troyes_dice.sheet import PRESTIGE
from engine.troyes_dice.sheet import WORK
from engine.troyes_dice.sheet import Sheet
from engine.troyes_dice.state import Table


def acts(table: Table, seat: str) -> Iterator[Act]:
    """Every die, way to pay, colour, value and use that the seat can afford, choices of bonuses still open."""
    sheet = table.sheets[seat]
    for die in laid(table):
        if not die.usable:
            continue
        for pay in purchases(sheet, die):
            yield from _made(table, sheet, die, pay)


def _left(sheet: Sheet, die: Laid, pay: str) -> tuple[int, int]:
    """Influence and knowledge left once the die is paid."""
    influence = sheet.unspent("influence") - die.price.get("influence", 0) - (die.any if pay == "influence" else 0)
    knowledge = sheet.unspent("knowledge") - die.price.get("knowledge", 0) - (die.any if pay == "knowledge" else 0)
    return influence, knowledge


def _made(table: Table, sheet: Sheet, die: Laid, pay: str) -> Iterator[Act]:
    influence, knowledge = _left(sheet, die, pay)
    values = [die.value, *(value for value in FACES if value != die.value)]
    reached = [value for value in values if 0 <= die.influence(value) <= influence]
    for colour in (die.colour, *(other for other in COLOURS if other != die.colour)):
        if not 0 <= die.knowledge(colour) <= knowledge:
            continue
        prestige, work = PRESTIGE[colour], WORK[colour]
        for value in reached:
            yield Act(die.slot, colour, value, RESOURCES_USE, 0, pay)
            if value not in FACES:
                continue
            column = table.column(value)
            if die.raid != "great_hall" and sheet.is_open(prestige, column):
                yield Act(die.slot, colour, value, prestige, column, pay)
            if sheet.is_open(work, column):
                yield Act(die.slot, colour, value, work, column, pay)


Answer = TypeVar("Answer", bound=Act | Fallback)


def complete(table: Table, seat: str, answer: Answer) -> Iterator[Answer]:
    """The answer with every way to choose what its bonuses leave open."""
    missing = plan(table, seat, answer).open
    if missing is None:
        yield answer
        return
    for option in missing.options:
        yield from complete(table, seat, replace(answer, bonus=(*answer.bonus, option)))


def every(table: Table, seat: str) -> Iterator[Order]:
    """Every order open to the seat, whatever it is asked."""
    kind = answers.asked_kind(table, seat)
    if kind == answers.NUMBERING:
        yield from numberings(table)
    elif kind == answers.HALF_DAY:
        for act in acts(table, seat):
            yield from complete(table, seat, act)
    elif kind == answers.BONUS:
        yield from bonuses(table, seat)


def numberings(table: Table) -> Iterator[Numbering]:
    """Up and down where the first number was rolled, else all 720."""
    if table.first_number:
        yield from (Numbering(cyclic(table.first_number, way), way) for way in ("up", "down"))
    else:
        yield from (Numbering(numbers) for numbers in permutations(range(1, 7)))


def bonuses(table: Table, seat: str) -> Iterator[Bonus]:
    """Every way to complete the seat's sealed answer."""
    before = answers.answer(table, seat)
    if before is not None:
        for whole in complete(table, seat, before):
            yield Bonus(whole.bonus[len(before.bonus) :])


def some(table: Table, seat: str, lot: Lot) -> Iterator[Order]:
    """One order picked by `lot`, cheap to find; none when the seat is not asked."""
    kind = answers.asked_kind(table, seat)
    if kind == answers.NUMBERING:
        first = table.first_number
        way = lot.pick(("up", "down"))
        yield Numbering(cyclic(first or 1 + lot.below(6), way), way if first else "")
    elif kind == answers.HALF_DAY:
        act = _random_act(table, table.sheets[seat], lot)
        yield chosen_by(table, seat, act, lot)
    elif kind == answers.BONUS:
        before = answers.answer(table, seat)
        if before is not None:
            yield Bonus(chosen_by(table, seat, before, lot).bonus[len(before.bonus) :])


def chosen_by(table: Table, seat: str, answer: Answer, lot: Lot) -> Answer:
    """The answer with its open choices picked by `lot`."""
    while (missing := plan(table, seat, answer).open) is not None:
        answer = replace(answer, bonus=(*answer.bonus, lot.pick(missing.options)))
    return answer


def _random_act(table: Table, sheet: Sheet, lot: Lot) -> Act:
    ways = [(die, pay) for die in laid(table) if die.usable for pay in purchases(sheet, die)]
    die, pay = lot.pick(ways)
    influence, knowledge = _left(sheet, die, pay)
    values = [value for value in (die.value, *FACES) if 0 <= die.influence(value) <= influence]
    colours = [colour for colour in COLOURS if 0 <= die.knowledge(colour) <= knowledge]
    colour, value = lot.pick(colours), lot.pick(values)
    uses = [RESOURCES_USE]
    column = table.column(value) if value in FACES else 0
    if column and die.raid != "great_hall" and sheet.is_open(PRESTIGE[colour], column):
        uses += [PRESTIGE[colour]] * 2
    if column and sheet.is_open(WORK[colour], column):
        uses += [WORK[colour]] * 2
    use = lot.pick(uses)
    return Act(die.slot, colour, value, use, 0 if use == RESOURCES_USE else column, pay)
