"""Standing orders as sentences for their owner alone: what was kept, what it does, and why it no longer holds."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalog import Msg, T
from engine.troyes_dice.actions.bonus_chain import BonusChoice, choice_texts
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.phrases import colour_name, resource_amount, resource_name, typed_text
from engine.troyes_dice.card_data.sheet import COLOUR
from engine.troyes_dice.events import Asks, Sealed
from engine.troyes_dice.news.effects import effects_text
from engine.troyes_dice.state.kept_plans import BrokenPlan, KeptPlan
from engine.troyes_dice.state.orders import AutoBonus, Goal

UNTOLD = {
    "cancel": T("What you had said for later is taken back: you are asked."),
    "cancel later": T("What you had said for later is taken back; an answer that is already sealed stays."),
    "cancel nothing": T("You have no such standing order: nothing is taken back."),
    "undo": T("With your answer goes what you had said for later on top of it: you are asked."),
}
"""Why plans are gone."""


def fired_text(why: str) -> Msg:
    """Return why a standing order gave an answer."""
    kind, _, nth = why.partition(" ")
    if kind == "later":
        return T("As you said for later, goal {n}.", n=nth)
    if kind == "auto":
        return T("As you said, goal {n} of «auto».", n=nth)
    return T("As you said, the first of your bonus choices that is open.")


def sealed_text(why: str, does: Msg) -> Msg:
    """Return that a standing order has given an answer, and what that does."""
    return T("{why} Sealed until everybody has answered: {effects}.", why=fired_text(why), effects=does)


def opening_text(fact: Asks, reader: str) -> Iterator[Msg]:
    """Yield what became of the reader's standing orders when a half day opened."""
    if reader in fact.why:
        yield sealed_text(fact.why[reader], effects_text(fact.does[reader]))
    if reader in fact.cancelled:
        yield cancelled_text(fact.cancelled[reader])


def kept_text(fact: Sealed, reader: str) -> Iterator[Msg]:
    """Yield what the reader has said for later, or that it no longer holds."""
    said = fact.said.get(reader, "")
    if said in UNTOLD:
        yield UNTOLD[said]
    elif said:
        plan = next(plan for plan in fact.plans[reader] if plan.kind == said)
        yield from plan_effects(plan)
        yield plan_duration(plan)


def cancelled_text(surprise: BrokenPlan) -> Msg:
    """Return why a standing order was cancelled instead of fired."""
    match surprise.kind, surprise.why:
        case "bonus", _:
            return T("«auto: bonus» no longer holds: none of what you said is open.")
        case _, "other":
            return T("«later» no longer holds: you can pay for no die this half day.")
        case "later", "none":
            return T("«later» no longer holds: these dice reach none of its goals.")
        case "auto", "none":
            return T("«auto» no longer holds: these dice reach none of its goals.")
        case "later", "choice":
            return T("«later» no longer holds: its goal {n} would leave a choice of a bonus.", n=surprise.nth)
        case "auto", "choice":
            return T("«auto» no longer holds: its goal {n} would leave a choice of a bonus.", n=surprise.nth)
    return T("«later» no longer holds: its goal {n} would bring less than when you said it.", n=surprise.nth)


def plan_effects(plan: KeptPlan) -> Iterator[Msg]:
    """Yield what a plan will do, a sentence each."""
    if isinstance(plan.order, AutoBonus):
        words = (
            choice_texts(BonusChoice("", plan.order.choices)) if all(" " in one for one in plan.order.choices) else ()
        )
        found = words or tuple(map(typed_text, plan.order.choices))
        yield T("Where a bonus lets you choose, the first of these that is open: {options}.", options=found)
        return
    yield T(
        "Of these the first that can be reached is your answer: a building for the least, of resources the die that "
        "leaves you most."
    )
    yield from (_goal(nth, goal) for nth, goal in enumerate(plan.order.goals, 1))


def _goal(nth: int, goal: Goal) -> Msg:
    return T("{n}: {what}, {die}, {price}.", n=nth, what=_use(goal), die=_die(goal), price=_price(goal))


def _use(goal: Goal) -> Msg:
    if goal.use in COLOUR:
        if goal.at:
            return T("{building} in column {column}", building=item_name(goal.use), column=goal.at)
        return T("{building} in any open column", building=item_name(goal.use))
    if goal.use == "resources":
        return T("at least {n} of any resource", n=goal.at) if goal.at else T("any resource")
    return T("at least {gain}", gain=resource_amount(goal.use, goal.at)) if goal.at else resource_name(goal.use)


def _die(goal: Goal) -> Msg:
    if not goal.colour:
        return T("with any die")
    colour = colour_name(goal.colour)
    if not goal.value:
        return T("with any {colour} die", colour=colour)
    if goal.higher:
        return T("with a {colour} {value} or higher", colour=colour, value=goal.value)
    return T("with a {colour} {value}", colour=colour, value=goal.value)


def _price(goal: Goal) -> Msg:
    if goal.most > 0 and goal.pay:
        return T(
            "for at most {n} resources in all, colour and value too; {resource} pay a price of any kind",
            n=goal.most, resource=resource_name(goal.pay),
        )  # fmt: skip
    if goal.most > 0:
        return T(
            "for at most {n} resource in all, colour and value too",
            "for at most {n} resources in all, colour and value too",
            n=goal.most,
        )
    if goal.most == 0:
        return T("if it costs nothing")
    if goal.pay:
        return T("as it lies; a price of any kind is paid with {resource}", resource=resource_name(goal.pay))
    return T("as it lies, where its price leaves no choice")


def plan_duration(plan: KeptPlan) -> Msg:
    """Return how long a plan holds."""
    if plan.kind == "later":
        # Named, as whoever has just closed a half day has the dice of the one that he may have meant before him.
        day, is_afternoon = plan.half_day // 2 + 1, plan.half_day % 2
        if is_afternoon:
            return T("It holds for the afternoon of day {n}, or until you write «cancel later».", n=day)
        return T("It holds for the morning of day {n}, or until you write «cancel later».", n=day)
    if plan.order.always:
        return T("It holds every day, until something surprises it or you write «cancel {kind}».", kind=plan.kind)
    return T("It holds until the end of day {n}, or you write «cancel {kind}».", n=plan.day, kind=plan.kind)
