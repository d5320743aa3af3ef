"""One seat's half day: what the dice can be used for, what it costs, whether it is legal, and all that it does.

Section 4 of the rulings. `plan_half_day` changes nothing; the events it finds are recorded when the half day closes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.troyes_dice.actions.bonus_chain import BonusChain, BonusChoice, Undecided
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.phrases import colour_name, resource_amount, typed_text
from engine.troyes_dice.card_data.sheet import COLOUR, PRESTIGE, RESOURCE, RESOURCES, WORK, Sheet
from engine.troyes_dice.events import SheetEvent, Spends
from engine.troyes_dice.state.dice import FACES, LaidDie, affordable, laid_dice, purchases
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import RESOURCES_USE, Fallback, HalfDay
from engine.values import fixed


@fixed
class HalfDayPlan:
    """What an answer does: its events, the sheet after it, the choice still missing, and the choices it needs."""

    facts: tuple[SheetEvent, ...]
    sheet: Sheet
    open: BonusChoice | None
    choices: tuple[str, ...]


def plan_half_day(state: DiceState, seat: str, answer: HalfDay | Fallback, *, explicit: bool = False) -> HalfDayPlan:
    """Work out an answer. Raises NotAllowed with its numbers; nothing has happened then.

    With `explicit`, a choice with one outcome may be given too.
    """
    dice = laid_dice(state)
    chain = BonusChain(state.box, seat, state.sheets[seat], dice, answer.bonus, explicit)
    missing: BonusChoice | None = None
    try:
        if isinstance(answer, Fallback):
            chain.each(state.box.fallback)
        else:
            _use(state, chain, answer, dice)
        chain.settle()
    except Undecided as undecided:
        missing = undecided.choice
    if missing is None and chain.used < len(answer.bonus):
        extra = tuple(typed_text(word) for word in answer.bonus[chain.used :])
        raise NotAllowed(T("There is nothing more to choose: {extra} is too much.", extra=extra))
    return HalfDayPlan(tuple(chain.facts), chain.sheet, missing, tuple(chain.taken))


Answer = TypeVar("Answer", bound=HalfDay | Fallback)


def plan_settled(state: DiceState, seat: str, answer: Answer) -> tuple[Answer, HalfDayPlan]:
    """Return the answer with just the choices that are asked, and its plan; a choice with one outcome is left out.

    Raises NotAllowed.
    """
    try:
        return answer, plan_half_day(state, seat, answer)
    except NotAllowed as refusal:
        if not answer.bonus:
            raise
        try:
            made = plan_half_day(state, seat, answer, explicit=True)
        except NotAllowed:
            raise refusal from None
        return replace(answer, bonus=made.choices), made


def _use(state: DiceState, chain: BonusChain, act: HalfDay, dice: Sequence[LaidDie]) -> None:
    """Pay and use the die. Raises NotAllowed, Undecided."""
    die = dice[act.slot]
    try:
        bill = checked_costs(chain.sheet, die, act)
    except NotAllowed as refusal:
        if act.value in (*FACES, die.value):
            ways = (typed_text(other.word) for other in dice if purchases(chain.sheet, other))
            refusal.possible = tuple(T("{die} can be paid for as it lies.", die=way) for way in ways)
        raise
    if act.use != RESOURCES_USE:
        check_building(state, chain.sheet, die, act)
    if bill:
        chain.record(Spends(chain.seat, **bill))
    if act.use == RESOURCES_USE:
        chain.gain(RESOURCE[act.colour], act.value)
    else:
        chain.build(act.use, act.column, die)


def order_costs(die: LaidDie, act: HalfDay) -> dict[str, int]:
    """Return what the die, its shift and its colour cost, by resource. Raises NotAllowed if they are forbidden."""
    if not die.usable:
        if die.black:
            raise NotAllowed(T("The black die lies there and has destroyed the plaza; that die cannot be used."))
        raise NotAllowed(T("That plaza is destroyed; its die cannot be used."), rule="E7")
    influence, knowledge = die.values.get(act.value), die.colours.get(act.colour)
    if influence is None and act.value not in FACES:
        raise NotAllowed(T("A die counts 1 to 6; you asked for {value}. It does not go round.", value=act.value))
    if influence is None:
        raise NotAllowed(
            T("The raid at this plaza: no influence may be spent on this die, which counts {n}.", n=die.value)
        )
    if knowledge is None:
        raise NotAllowed(
            T("The raid at this plaza: this die keeps its colour, {colour}.", colour=colour_name(die.colour))
        )
    bill = dict(die.price)
    if die.any:
        if act.pay not in RESOURCES:
            raise NotAllowed(T("Say what pays for this die: influence, deniers or knowledge."), rule="A1")
        bill[act.pay] = bill.get(act.pay, 0) + die.any
    for resource, more in (("influence", influence), ("knowledge", knowledge)):
        if more:
            bill[resource] = bill.get(resource, 0) + more
    return bill


def checked_costs(sheet: Sheet, die: LaidDie, act: HalfDay) -> dict[str, int]:
    """Return what an order costs, by resource. Raises NotAllowed, also if the sheet has too little of one."""
    bill = order_costs(die, act)
    short = tuple(
        T("{price} (you have {there})", price=resource_amount(resource, amount), there=sheet.unspent(resource))
        for resource, amount in bill.items()
        if sheet.unspent(resource) < amount
    )
    if short:
        raise NotAllowed(T("That costs more than you have: {short}.", short=short))
    return bill


def check_building(state: DiceState, sheet: Sheet, die: LaidDie, act: HalfDay) -> None:
    """Raise NotAllowed if the die may not draw the building there."""
    row, column = act.use, act.column
    if COLOUR[row] != act.colour:
        raise NotAllowed(
            T(
                "{building} needs a {needs} die; yours is {colour}.",
                building=item_name(row),
                needs=colour_name(COLOUR[row]),
                colour=colour_name(act.colour),
            ),
            possible=_turned(die, COLOUR[row], typed_text(row)),
        )
    if die.raid == "great_hall" and row == PRESTIGE[act.colour]:
        raise NotAllowed(T("The raid at this plaza: this die builds no prestige building."), rule="E5")
    if act.value not in FACES:
        raise NotAllowed(T("A die that counts {value} builds nothing.", value=act.value), rule="E4")
    there = state.column(act.value)
    if column != there:
        raise NotAllowed(
            T(
                "A {value} builds in column {column}; you named column {named}.",
                value=act.value,
                column=there,
                named=column,
            ),
            possible=(T("{building} {column}", building=typed_text(row), column=there),),
            rule="A3",
        )
    if column in sheet.built[row]:
        raise NotAllowed(
            T("{building} {column} is built already.", building=item_name(row), column=column),
            possible=_others(sheet, row),
        )
    if column in sheet.crossed[act.colour]:
        raise NotAllowed(
            T("{building} {column} was crossed out by the black die.", building=item_name(row), column=column),
            possible=_others(sheet, row),
            rule="A9",
        )


def _turned(die: LaidDie, colour: str, use: Msg) -> tuple[Msg, ...]:
    """Return how the die can get another colour, and what that costs."""
    if not (price := die.colours.get(colour)):
        return ()
    cost = resource_amount("knowledge", price)
    return (T("{use} with «as {colour}», which costs {price}", use=use, colour=colour_name(colour), price=cost),)


def _others(sheet: Sheet, row: str) -> tuple[Msg, ...]:
    columns = tuple(sheet.open_columns(row))
    return (T("{building}: columns {columns} are open.", building=item_name(row), columns=columns),) if columns else ()


# All that a seat can do with the dice of a half day.


def die_orders(state: DiceState, seat: str) -> list[HalfDay]:
    """List every die, way to pay, colour, value and use that the seat can afford; a die as it lies comes first.

    Choices of bonuses are left open.
    """
    sheet, found = state.sheets[seat], list[HalfDay]()
    for die, pay in affordable(state, seat):
        colours = die.turned(die.rest(sheet, "knowledge", pay))
        for colour in sorted(colours, key=lambda colour: colour != die.colour):
            for value in die.counted(die.rest(sheet, "influence", pay)):
                uses = die_uses(state, sheet, die, colour, value)
                found += [HalfDay(die.slot, colour, value, use, column, pay) for use, column in uses]
    return found


def die_uses(state: DiceState, sheet: Sheet, die: LaidDie, colour: str, value: int) -> list[tuple[str, int]]:
    """Return the uses of a die with this colour and value: resources, and buildings with their column."""
    found = [(RESOURCES_USE, 0)]
    column = state.column(value) if value in FACES else 0
    if column and column not in sheet.crossed[colour]:
        rows = (WORK[colour],) if die.raid == "great_hall" else (PRESTIGE[colour], WORK[colour])
        found += [(row, column) for row in rows if column not in sheet.built[row]]
    return found
