"""Standing orders: how they are kept and taken back, when they fire, and what cancels them.

The owner is told what a standing order will do. It fires only where that still holds. Otherwise it is cancelled,
nothing is played, and the owner is asked and told what has changed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from engine.catalog import T
from engine.chance import BlindChance, UnknownDraw
from engine.errors import Gone, NotAllowed, Unclear
from engine.troyes.actions import countering, reactions
from engine.troyes.actions.carry_out_order import carry_out
from engine.troyes.actions.order_defaults import with_defaults, without_defaults
from engine.troyes.board import losses
from engine.troyes.board.phrases import typed_place
from engine.troyes.events.money_events import CoinsCollected, InfluenceChanges, Pays, PointsChange
from engine.troyes.events.order_events import PlansKept, WishesKept
from engine.troyes.events.play import Play
from engine.troyes.state import orders, places
from engine.troyes.state.kept_plans import CANCELLED, KINDS, SILENT, Cancellation, Promise, StandingPlan
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import OpenQuestion, TroyesState

BLIND = BlindChance()
ASKED = {"turns": "turn", "counter": "counter"}
"""Pending steps that ask one seat after the other, with the kind of decision that `later` answers."""
MONEY_EVENTS = (Pays, InfluenceChanges, PointsChange, CoinsCollected)
MAX_LATER_ORDERS = 6
"""The most orders in one `later`."""

Fires = tuple[Order, str]
"""The order that a standing order gives, and the word that says why (`Ordered.why`)."""


def keep_standing(play: Play, seat: str, order: Order) -> None:
    """Keep a standing order, or take some back. Raises NotAllowed."""
    match order:
        case orders.Auto():
            reactions.keep_reaction(play, seat, order)
        case orders.AutoPlace():
            _prefer(play, seat, order)
        case orders.Cancel():
            _cancel(play, seat, order)
        case orders.AutoPass() | orders.AutoCounter() | orders.Later():
            plan = _plan(play.state, seat, order)
            kept = [old for old in play.state.plans.get(seat, ()) if old.kind != plan.kind]
            kept = sorted([*kept, plan], key=lambda one: list(KINDS.values()).index(one.kind))
            play.record(PlansKept({seat: tuple(kept)}, {seat: plan.kind}))


def _plan(state: TroyesState, seat: str, order: orders.Kept) -> StandingPlan:
    """The standing order as it is kept. Raises NotAllowed where it could not fire."""
    if isinstance(order, orders.Later):
        return _for_later(state, seat, order)
    if not state.round and not order.always:
        raise NotAllowed(T("It would hold for this round, and the first round has not begun."))
    if isinstance(order, orders.AutoPass):
        if state.houses[seat].passed and not order.always:
            raise NotAllowed(T("You have passed in this round."))
        return StandingPlan(order, state.round, dice=() if order.dieless else tuple(state.dice[seat]))
    return StandingPlan(order, state.round)


def _for_later(state: TroyesState, seat: str, order: orders.Later) -> StandingPlan:
    if any(asked.seat == seat for asked in state.asked):
        raise NotAllowed(
            T("You are asked now, and «later» is for what you are asked next: put it below the order that answers.")
        )
    plan = StandingPlan(order, state.round)
    if len({isinstance(one, orders.Counter) for one in order.orders}) > 1:
        raise NotAllowed(T("One «later» answers one question: black dice are countered, or a turn is taken."))
    if order.passes and plan.answers == "counter":
        raise NotAllowed(T("Nobody passes while black dice are countered."))
    at = position_if_asked(state, seat, plan.answers)
    kept = replace(order, orders=tuple(without_defaults(at, seat, one) for one in order.orders))
    leaves = tuple(state.dice[seat]) if order.passes else ()
    promises = tuple(promise_of(at, seat, one) for one in order.orders)
    if len(promises) > 1 and any(promise.shows for promise in promises):
        raise NotAllowed(T("One of these shows something: it is said for later alone."))
    return replace(plan, order=kept, dice=leaves, promises=promises)


def _prefer(play: Play, seat: str, order: orders.AutoPlace) -> None:
    if not any(frame["step"] == "settle" for frame in play.state.agenda):
        raise NotAllowed(T("The initial placement is over."))
    for word in order.places:
        if Place.parse(word) not in places.SPACES:
            raise NotAllowed(T("{place} is no space of a building.", place=typed_place(word)))
    play.record(PlansKept({seat: play.state.plans.get(seat, ())}, {seat: "place"}))
    play.record(WishesKept({seat: order.places}))


def _cancel(play: Play, seat: str, order: orders.Cancel) -> None:
    """Take standing orders back. The seat is told so even where there was nothing to take back."""
    state, what = play.state, order.what
    had = state.plans.get(seat, ())
    left = tuple(plan for plan in had if what not in ("", plan.kind))
    places, reacts = (what in ("", "place") and seat in state.wishes), (what in ("", "react") and seat in state.reacts)
    play.record(PlansKept({seat: left}, {seat: "cancel" if left != had or places or reacts else "nothing"}))
    if places:
        play.record(WishesKept({seat: ()}))
    if reacts:
        reactions.keep_reaction(play, seat, orders.Auto(reactions.ASK))


def position_if_asked(state: TroyesState, seat: str, kind: str = "") -> TroyesState:
    """The position as it would be if the seat were asked now.

    `kind` says whether it is asked about black dice or in its turn; empty for whatever comes next. Every seat asked
    before it has taken one black die; in a turn none is left. Raises NotAllowed where nobody is asked in turn, or no
    black die will come.
    """
    found = state.fork()
    while found.agenda and found.agenda[-1]["step"] not in ASKED:
        found.agenda.pop()
    if not found.agenda:
        raise NotAllowed(T("«later» is read while black dice are countered or turns are taken, not now."))
    frame = found.agenda[-1]
    black = countering.black_dice_left_for(state, frame["seat"], seat) if frame["step"] == "counter" else []
    if kind == "counter" and not black:
        raise NotAllowed(T("No black die comes to you any more in this round."))
    found.black = black if kind != "turn" else []
    if frame["step"] == "counter" and not found.black:
        frame["step"], found.phase = "turns", "actions"
    frame["seat"] = seat
    frame.pop("used", None)
    found.asked = [OpenQuestion(seat, ASKED[frame["step"]], state.number)]
    if found.houses[seat].passed:
        raise NotAllowed(T("You have passed in this round."))
    return found


def promise_of(state: TroyesState, seat: str, order: Order) -> Promise:
    """What an order would do, up to the first roll. Raises NotAllowed or Unclear."""
    play, shows = Play(state.fork(), BLIND), False
    try:
        carry_out(play, play.state.agenda[-1], seat, order)
    except UnknownDraw:
        shows = True
    before, after = state.houses[seat], play.state.houses[seat]
    others = play.state.houses.items()
    touched = sorted(other for other, house in others if other != seat and state.houses[other] != house)
    entries = [play.kinds.entry(fact) for fact in play.facts if not isinstance(fact, MONEY_EVENTS)]
    done = [(made.kind, made.data) for made in entries]
    does = hashlib.sha256(json.dumps([done, touched], sort_keys=True).encode()).hexdigest()[:12]
    gains = after.deniers - before.deniers, after.influence - before.influence, after.vp - before.vp
    return Promise(does, *gains, shows)


def fire_standing(state: TroyesState, seat: str, kind: str, told: dict[str, Cancellation]) -> Fires | None:
    """The order that one of the seat's standing orders gives now, or None.

    Standing orders that have fired for the last time are gone afterwards. The reason why one was cancelled is put in
    `told`; the seat's others are then silent until it has answered.
    """
    if seat not in state.plans:
        return None
    found: Fires | None = None
    surprise: Cancellation | None = None
    left: list[StandingPlan] = []
    for plan in state.plans[seat]:
        if not plan.lasts(state.round):
            continue
        answer = None if found or surprise or plan.off else FIRES[plan.kind](state, seat, kind, plan)
        if isinstance(answer, Cancellation):
            surprise, plan = answer, replace(plan, off=CANCELLED)
        elif answer is not None:
            found = answer
            if isinstance(plan.order, orders.Later):
                continue
        left.append(plan)
    if surprise is not None:
        told[seat] = surprise
        left = [replace(plan, off=plan.off or SILENT) for plan in left]
    _leave(state, seat, left)
    return found


def clear_surprises(state: TroyesState, seat: str) -> None:
    """Remove cancelled standing orders, and let silent ones fire again, once the seat has answered."""
    if seat not in state.plans:
        return
    _leave(state, seat, [replace(plan, off="") for plan in state.plans[seat] if plan.off != CANCELLED])


def _leave(state: TroyesState, seat: str, left: list[StandingPlan]) -> None:
    others = {other: plans for other, plans in state.plans.items() if other != seat}
    state.plans = {**others, seat: tuple(left)} if left else others


def _later(state: TroyesState, seat: str, kind: str, plan: StandingPlan) -> Fires | Cancellation | None:
    """The first order whose dice, cards and places are still there, if it does what was promised."""
    assert isinstance(plan.order, orders.Later)
    if kind != plan.answers:
        # Black dice come before turns, so an order for the turn given meanwhile expects them.
        return None if kind == "counter" else Cancellation("later", "other")
    for nth, (written, then) in enumerate(zip(plan.order.orders, plan.promises, strict=True), 1):
        if isinstance(written, orders.Pass) and nth > 1:
            # Older games kept plans with a pass behind other orders, which was never meant alone.
            return Cancellation("later", "pass", nth)
        order = with_defaults(state, seat, written)
        try:
            now = promise_of(state, seat, order)
        except Gone:
            continue
        except (NotAllowed, Unclear):
            return Cancellation("later", "refused", nth)
        if now.shows and not then.shows:
            return Cancellation("later", "shows", nth)
        if now.less_than(then) or now.does != then.does:
            return Cancellation("later", "differs", nth, then, now)
        return order, f"later {nth}"
    if not plan.order.passes:
        return Cancellation("later", "none")
    return Cancellation("later", "dice") if _other_dice(state, seat, plan) else (orders.Pass(), "later else")


def _pass(state: TroyesState, seat: str, kind: str, plan: StandingPlan) -> Fires | Cancellation | None:
    """Pass, unless there are dice that were not there when the order was given."""
    assert isinstance(plan.order, orders.AutoPass)
    if kind != "turn":
        return None
    if plan.order.dieless:
        return None if state.dice[seat] else (orders.Pass(), "dieless")
    return Cancellation("pass", "dice") if _other_dice(state, seat, plan) else (orders.Pass(), "pass")


def _other_dice(state: TroyesState, seat: str, plan: StandingPlan) -> bool:
    """Whether passing would leave dice that were not there when the order was given."""
    return bool(Counter(state.dice[seat]) - Counter(plan.dice))


def _counter(state: TroyesState, seat: str, kind: str, plan: StandingPlan) -> Fires | Cancellation | None:
    """Counter with the fewest, then the cheapest dice. Asks where the seat could do something else than lose points."""
    assert isinstance(plan.order, orders.AutoCounter)
    if kind != "counter":
        return None
    if not countering.can_beat(state, seat):
        spare = state.houses[seat].influence - plan.order.keep
        if state.cubes_on(losses.PROTECTION, seat) or (state.dice[seat] and spare >= state.box.board.reroll):
            return Cancellation("counter", "unbeaten")
    return countering.cheapest_counter(state, seat), "counter"


FIRES: dict[str, Callable[[TroyesState, str, str, StandingPlan], Fires | Cancellation | None]] = {
    "later": _later,
    "pass": _pass,
    "counter": _counter,
}
