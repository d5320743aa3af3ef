"""Standing orders: how they are kept and taken back, when they fire, and what cancels them.

They say what is wanted of dice that are not rolled yet. One fires when the half day that asks its owner opens: as an
answer that is sealed like any other. If it cannot, it is cancelled, nothing is sealed, and its owner is asked and told
why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine.catalog import T
from engine.chance import UnknownDraw
from engine.errors import NotAllowed, TooLate
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.actions.half_day import Answer, HalfDayPlan, die_orders, order_costs, plan_half_day
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.phrases import colour_name
from engine.troyes_dice.card_data.sheet import COLOUR, COLOUR_OF_RESOURCE, Sheet
from engine.troyes_dice.events import Builds, Circles, Citizens, DicePlay, Sealed
from engine.troyes_dice.state.dice import LaidDie, laid_dice
from engine.troyes_dice.state.dice_state import AFTERNOON, DiceState
from engine.troyes_dice.state.kept_plans import KINDS, BrokenPlan, KeptPlan
from engine.troyes_dice.state.orders import (
    RESOURCES_USE,
    AutoBonus,
    AutoGoals,
    Fallback,
    Goal,
    HalfDay,
    Kept,
    LaterGoals,
    SealedAnswer,
    Standing,
    TakeBack,
)
from engine.values import fixed

MOST = 6
"""Most goals of one order, or choices of bonuses."""
ANSWERS = {"auto": sealed_answers.HALF_DAY, "bonus": sealed_answers.BONUS}
"""Kinds of standing orders that answer at once, to the kind of question that they answer."""


@fixed
class FiredAnswer:
    """An answer that a standing order gives, with its plan; `why` names the order and its goal (`later 2`)."""

    order: HalfDay | Fallback
    made: HalfDayPlan
    why: str


@fixed
class Fired:
    """What becomes of a seat's standing orders when it is asked: an answer, or a surprise, or neither. `left` are those
    that still hold."""

    left: tuple[KeptPlan, ...]
    answer: FiredAnswer | None = None
    surprise: BrokenPlan | None = None


def keep_standing(play: DicePlay, seat: str, order: Standing) -> None:
    """Keep a standing order, or take some back; one that answers what its owner is asked now does so.

    Raises NotAllowed, TooLate; UnknownDraw in a redacted position, where the owner may have answered.
    """
    state = play.state
    if state.phase == "over":
        raise TooLate(T("The game is over."))
    if sealed_answers.is_unknown(state, seat):
        raise UnknownDraw("a sealed answer")
    had = state.plans.get(seat, ())
    if isinstance(order, TakeBack):
        left = tuple(one for one in had if order.what not in ("", one.kind))
        is_asked = bool(state.asked.get(seat)) and not sealed_answers.has_answered(state, seat)
        said = "cancel nothing" if left == had else "cancel" if is_asked else "cancel later"
        play.record(Sealed(said={seat: said}, plans={seat: left}))
        return
    new = _plan(state, seat, order)
    others = (one for one in had if one.kind != new.kind)
    plans = tuple(sorted((new, *others), key=lambda one: [*KINDS.values()].index(one.kind)))
    now = Fired(plans)
    kind = sealed_answers.asked_kind(state, seat)
    if kind == ANSWERS.get(new.kind) and not sealed_answers.has_answered(state, seat):
        may = tuple(one for one in plans if one.kind in (new.kind, "bonus"))
        now = fire_standing(replace(state, plans={seat: may}), seat, kind)
    if now.surprise is not None:
        raise NotAllowed(
            T("It cannot answer what you are asked now: none of it is possible.")
            if now.surprise.why == "none"
            else T("It cannot answer what you are asked now: a bonus would leave a choice that you have not said.")
        )
    fired = {seat: now.answer} if now.answer is not None else {}
    play.record(
        Sealed(
            {seat: SealedAnswer(one.order) for seat, one in fired.items()},
            {seat: one.made.facts for seat, one in fired.items()},
            said={seat: new.kind},
            plans={seat: plans},
            why={seat: one.why for seat, one in fired.items()},
        )
    )


def _plan(state: DiceState, seat: str, order: Kept) -> KeptPlan:
    """Return what is kept of an order. Raises NotAllowed if it could not fire."""
    if state.phase != "half day":
        raise NotAllowed(T("The columns are not numbered yet: nothing can be said for later."))
    answered = not state.asked.get(seat) or sealed_answers.has_answered(state, seat)
    chooses = sealed_answers.asked_kind(state, seat) == sealed_answers.BONUS  # The dice are used already.
    if isinstance(order, LaterGoals):
        if state.half_day == 2 * state.box.days:
            raise NotAllowed(T("This is the last half day: there is no later one."))
    elif state.half == AFTERNOON and not order.always and (answered or (isinstance(order, AutoGoals) and chooses)):
        raise NotAllowed(T("It would hold for this day, which ends with this half day: add «every day»."))
    given = sealed_answers.sealed_answer(state, seat)
    sheet = plan_half_day(state, seat, given).sheet if given is not None else state.sheets[seat]
    for goal in () if isinstance(order, AutoBonus) else order.goals:
        _check(state, sheet, goal)
    # Before its owner has answered nobody knows the sheet that it will rest on.
    return KeptPlan(order, state.half_day, state.day, sheet if answered and isinstance(order, LaterGoals) else None)


def _check(state: DiceState, sheet: Sheet, goal: Goal) -> None:
    """Refuse what no die could do. Raises NotAllowed."""
    needs = COLOUR.get(goal.use) or COLOUR_OF_RESOURCE.get(goal.use, goal.colour)
    if goal.most < 0 and goal.colour not in ("", needs):
        raise NotAllowed(
            T("{goal} needs a {needs} die.", goal=item_name(goal.use), needs=colour_name(needs)),
            possible=(T("«max 2» lets it spend up to 2 resources, also on colour and value."),),
        )
    if goal.use not in COLOUR:
        if goal.most < 0 and goal.value and not goal.higher and goal.at > goal.value:
            raise NotAllowed(T("A die of {value} brings {value} resources, not {n}.", value=goal.value, n=goal.at))
        return
    open_ = sheet.open_columns(goal.use)
    if not open_:
        raise NotAllowed(T("No {building} can be drawn any more.", building=item_name(goal.use)))
    if goal.at and goal.at not in open_:
        gone = T("{building} {column} is built already or crossed out.", building=item_name(goal.use), column=goal.at)
        raise NotAllowed(gone, possible=(T("columns {columns} are open", columns=tuple(open_)),))
    there = state.column(goal.value) if goal.value else goal.at
    if goal.most < 0 and not goal.higher and goal.at not in (0, there):
        says = T(
            "A {value} builds in column {column}; you named column {named}.",
            value=goal.value, column=there, named=goal.at,
        )  # fmt: skip
        raise NotAllowed(says, rule="A3")


# Firing.


def fire_standing(state: DiceState, seat: str, kind: str) -> Fired:
    """Return what the standing orders of a seat do that is asked `kind` ("": nothing)."""
    plans = {one.kind: one for one in state.plans.get(seat, ()) if one.holds(state.half_day, state.day)}
    words = chosen_bonuses(state, seat)
    later = plans.pop("later", None)
    if later is not None and kind != sealed_answers.HALF_DAY:
        return Fired(tuple(plans.values()), surprise=BrokenPlan("later", "other"))
    one = later or (plans.get("auto") if kind == sealed_answers.HALF_DAY else None)
    if one is not None:
        found = _first(state, seat, one, words)
        if isinstance(found, BrokenPlan):
            plans.pop(one.kind, None)
            return Fired(tuple(plans.values()), surprise=found)
        return Fired(tuple(plans.values()), found)
    if words and kind == sealed_answers.BONUS:
        before = sealed_answers.sealed_answer(state, seat)
        whole: HalfDay | Fallback = with_choices(state, seat, before if before is not None else Fallback(), words)
        made = plan_half_day(state, seat, whole)
        if made.open is None:
            return Fired(tuple(plans.values()), FiredAnswer(whole, made, "bonus"))
        del plans["bonus"]
        return Fired(tuple(plans.values()), surprise=BrokenPlan("bonus", "none"))
    return Fired(tuple(plans.values()))


def _first(state: DiceState, seat: str, one: KeptPlan, words: tuple[str, ...]) -> FiredAnswer | BrokenPlan:
    """Return the order that reaches the first goal that can be reached."""
    assert not isinstance(one.order, AutoBonus)
    for nth, goal in enumerate(one.order.goals, 1):
        act = order_for_goal(state, seat, goal)
        if act is None:
            continue
        act = with_choices(state, seat, act, words)
        made = plan_half_day(state, seat, act)
        if made.open is not None:
            return BrokenPlan(one.kind, "choice", nth)
        if one.sheet is not None and _brings_less(state, seat, act, made, one.sheet):
            return BrokenPlan(one.kind, "less", nth)
        return FiredAnswer(act, made, f"{one.kind} {nth}")
    return BrokenPlan(one.kind, "none")


def order_for_goal(state: DiceState, seat: str, goal: Goal) -> HalfDay | None:
    """Return the order that reaches a goal: a building for the least, resources so that most is left."""
    sheet, dice = state.sheets[seat], laid_dice(state)
    found: list[tuple[tuple[int, ...], HalfDay]] = []
    for act in die_orders(state, seat):
        die = dice[act.slot]
        if not _suits(die, act, goal):
            continue
        bill = sum(order_costs(die, act).values())
        if 0 <= goal.most < bill:
            continue
        left = sheet.unspent(act.pay) if act.pay else 0
        brings = 0 if act.use in COLOUR else act.value
        found.append(((brings - bill, brings, left, -act.slot), act))
    return max(found, key=lambda row: row[0])[1] if found else None


def _suits(die: LaidDie, act: HalfDay, goal: Goal) -> bool:
    """True if a goal allows an order, apart from its price."""
    if goal.colour not in ("", die.colour) or (goal.value and not goal.value <= die.value):
        return False
    if goal.value and not goal.higher and goal.value != die.value:
        return False
    if die.any and act.pay != goal.pay and (goal.pay or goal.most < 0):
        return False
    if goal.most < 0 and (act.colour, act.value) != (die.colour, die.value):
        return False
    if goal.use in COLOUR:
        return act.use == goal.use and goal.at in (0, act.column)
    if act.use != RESOURCES_USE or act.value < goal.at:
        return False
    return COLOUR_OF_RESOURCE.get(goal.use, act.colour) == act.colour


def chosen_bonuses(state: DiceState, seat: str) -> tuple[str, ...]:
    """Return what the seat has said of the choices that bonuses leave."""
    orders = (one.order for one in state.plans.get(seat, ()) if one.holds(state.half_day, state.day))
    return next((order.choices for order in orders if isinstance(order, AutoBonus)), ())


def with_choices(state: DiceState, seat: str, answer: Answer, words: tuple[str, ...]) -> Answer:
    """Return the answer with the choices of its bonuses made by these words, as far as they go."""
    while (missing := plan_half_day(state, seat, answer).open) is not None:
        fits = (option for word in words for option in missing.options if word in (option, option.partition(" ")[0]))
        option = next(fits, None)
        if option is None:
            break
        answer = replace(answer, bonus=(*answer.bonus, option))
    return answer


def _brings_less(state: DiceState, seat: str, act: HalfDay, made: HalfDayPlan, sheet: Sheet) -> bool:
    """True if the order would have brought more on the sheet that its owner knew of."""
    before = replace(state, sheets={**state.sheets, seat: sheet})
    try:
        then = plan_half_day(before, seat, replace(act, bonus=()))
        then = plan_half_day(before, seat, act) if then.open is not None else then
    except NotAllowed:
        return False
    was, now = (Counter(_gains(one)) for one in (then, made))
    return bool(was - now)


def _gains(made: HalfDayPlan) -> Iterator[str]:
    """Yield a word for each thing that an answer brings."""
    for fact in made.facts:
        match fact:
            case Circles(resource=resource, by=n):
                yield from [resource] * n
            case Citizens(colour=colour, by=n):
                yield from [f"citizen {colour}"] * n
            case Builds(row=row, number=n):
                yield from [f"building {row}"] * max(n, 1)
