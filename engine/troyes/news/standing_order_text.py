"""Standing orders as sentences for their owner: what was kept, why one no longer holds, and what it will do."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalog import Msg, T
from engine.troyes.board.phrases import dice_text, plan_duration, typed_text
from engine.troyes.events.order_events import PlansKept, WishesKept
from engine.troyes.events.round_events import MattersPending
from engine.troyes.news import sentence_parts as say
from engine.troyes.news.event_groups import EventGroup
from engine.troyes.news.sentence_parts import Sentence, Voice
from engine.troyes.state import orders
from engine.troyes.state.kept_plans import Cancellation, Promise, StandingPlan
from engine.troyes.state.orders import Order

FIRED = {
    "pass": T("As you said: pass."),
    "dieless": T("As you said: pass, no die left."),
    "counter": T("As you said: the fewest, then the cheapest dice."),
    "later else": T("As you said for later: what was to be played before is gone."),
}
"""Why a standing order gave an answer; any other word is an order of `later`."""

CALLED = {
    "later": T.of("a standing order", "later"),
    "pass": T.of("a standing order", "auto: pass"),
    "counter": T.of("a standing order", "auto: counter"),
}
"""What a kind of standing order begins with."""

UNTOLD = {
    "cancel": T("What you had said is taken back: whatever you are asked from now on, you answer yourself."),
    "nothing": T("You have no such standing order: nothing is taken back."),
    "undo": T("Orders were taken back, and with them what you have said for later since then: you are asked."),
    "back": T("Whatever was said for later no longer holds: everybody is asked."),
}
"""Why standing orders are gone."""


def fired_text(word: str) -> Msg:
    """Why a standing order gave an answer."""
    return FIRED[word] if word in FIRED else T("As you said for later, order {n}.", n=word.partition(" ")[2])


def kept_text(voice: Voice, group: EventGroup) -> Iterator[Sentence]:
    """Standing orders of the reader that were kept, or no longer hold."""
    fact: PlansKept = group.head
    seat = voice.reader or ""
    said = fact.said.get(seat)
    if said is None:
        return
    if said == "undo" and fact.plans.get(seat):
        names = tuple(T("«{order}»", order=CALLED[plan.kind]) for plan in fact.plans[seat])
        told = T("Orders were taken back. Of what you have said for later this holds now: {orders}.", orders=names)
        yield Sentence(told, True, seat)
    elif said in UNTOLD:
        yield Sentence(UNTOLD[said], True, seat)
    elif said == "place":
        spaces = next((wishes.places[seat] for wishes in group.of(WishesKept)), ())
        told = T("Your placements to come: the first of {spaces} that is free.", spaces=tuple(map(typed_text, spaces)))
        yield Sentence(told, True, seat)
    else:
        plan = next(plan for plan in fact.plans[seat] if plan.kind == said)
        yield from (Sentence(told, True, seat) for told in (*plan_effects(plan), plan_duration(plan)))


def plan_effects(plan: StandingPlan) -> tuple[Msg, ...]:
    """What a standing order will do, a sentence for each part."""
    match plan.order:
        case orders.AutoPass(dieless=True):
            return (T("When your turn comes and your district is empty, you pass; dice are not bought."),)
        case orders.AutoPass():
            if plan.dice:
                return (T("When your turn comes, you pass and leave {dice}.", dice=dice_text(plan.dice)),)
            return (T("When your turn comes, you pass."),)
        case orders.AutoCounter():
            asked = T("Where your dice do not do, you are asked if a cube or influence could help.")
            if kept := plan.order.keep:
                asked = T(
                    "Where your dice do not do, you are asked if a cube could help, or influence beyond {n}.", n=kept
                )
            return (
                T("Black dice that come to you are beaten with your fewest, then cheapest dice, one at a time."), asked,
            )  # fmt: skip
    many = len(plan.promises)
    if plan.order.passes:
        told = T(
            "When your turn comes, this is played; if what it names is gone, you pass and leave {dice}.",
            "When your turn comes, the first of these is played that names nothing that is gone; if all do, you pass "
            "and leave {dice}.",
            n=many,
            dice=dice_text(plan.dice) or T("no die"),
        )
    elif plan.answers == "counter":
        told = T(
            "When black dice come to you, this is played; if what it names is gone, you are asked.",
            "When black dice come to you, the first of these is played that names nothing that is gone; if all do, you "
            "are asked.",
            n=many,
        )
    else:
        told = T(
            "When your turn comes, this is played; if what it names is gone, you are asked.",
            "When your turn comes, the first of these is played that names nothing that is gone; if all do, you are "
            "asked.",
            n=many,
        )
    each = enumerate(zip(plan.order.orders, plan.promises, strict=True), 1)
    brings = (T("{n}: {brings}", n=nth, brings=_does(order, promise)) for nth, (order, promise) in each)
    return (told, *brings, T("What would then do less than this is not played: you are asked."))


def _does(order: Order, promise: Promise) -> Msg:
    return T("you pass, and are out of the round") if isinstance(order, orders.Pass) else _brings(promise)


def _brings(promise: Promise) -> Msg:
    told = (say.deniers_text, promise.deniers), (say.influence_text, promise.influence), (say.points_text, promise.vp)
    found = tuple(words(by) for words, by in told if by)
    return T("{brings}", brings=found) if found else T("no deniers, influence or VP at once")


def cancelled_text(voice: Voice, fact: MattersPending) -> Iterator[Sentence]:
    """Why a standing order of the reader was cancelled instead of fired."""
    if voice.reader and (surprise := fact.cancelled.get(voice.reader)) is not None:
        yield Sentence(_why(surprise), True, voice.reader)


def _why(surprise: Cancellation) -> Msg:
    match surprise.why:
        case "other":
            return T("«later» no longer holds: you are asked something else first.")
        case "none":
            return T("«later» no longer holds: none of its orders can be played now.")
        case "dice":
            return T(
                "«{order}» no longer holds: there are other dice in your district than when you said so.",
                order=CALLED[surprise.kind],
            )
        case "refused":
            return T("«later» no longer holds: its order {n} is not possible as it was.", n=surprise.nth)
        case "shows":
            return T("«later» no longer holds: its order {n} would now show something.", n=surprise.nth)
        case "pass":
            return T(
                "«later» no longer holds: what stood before its «pass» is gone, and you are out of a round only where "
                "you have asked for that alone."
            )
        case "unbeaten":
            return T("«auto: counter» no longer holds: your dice do not beat the highest black die, but you could act.")
    then, now = surprise.then, surprise.now
    assert then is not None and now is not None
    if now.less_than(then):
        return T(
            "«later» no longer holds: its order {n} was to bring {then}, and would now bring {now}.",
            n=surprise.nth, then=_brings(then), now=_brings(now),
        )  # fmt: skip
    return T(
        "«later» no longer holds: its order {n} would now touch other dice, cards, spaces or persons.", n=surprise.nth
    )
