"""The numbered options of a mail, for each kind of decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from typing import cast

from engine.catalog import Msg, T
from engine.chance import UnknownDraw
from engine.errors import TooLate
from engine.game import NO_KIND, Says
from engine.troyes.actions import countering, standing_orders
from engine.troyes.actions.carry_out_order import try_order
from engine.troyes.board.phrases import dice_text, owner_name
from engine.troyes.card_data.item_names import item_name
from engine.troyes.news.order_text import effects_text
from engine.troyes.options import answer_options, turn_options
from engine.troyes.options.estimate import Prospect, event_cube_value, weights_now
from engine.troyes.options.legal_orders import asked_kind, every_order
from engine.troyes.options.turn_options import Idea, influence_ideas, tried_idea, turn_ideas
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import TroyesState

EXAMPLE_LENGTH = 60
"""The longest example, so that it fits on a phone."""
MAX_ALIKE = 3
"""How many candidates of one kind a search looks at."""
MAX_LATER = 5
"""How many orders are offered to be given for later."""
MAX_PAIRS = 10
"""How many pairs of events are listed for neutral cubes: with twelve events there are 66."""
MAX_SHOWN = 9
"""How many spaces are listed: a phone shows about ten options without losing the rest of the mail."""


Said = tuple[Order, Says]
"""An option: the order, and what it would do."""


def offered_orders(state: TroyesState, seat: str) -> Iterator[Said]:
    """The options of a seat, the best first; none when it is not asked."""
    kind = asked_kind(state, seat)
    if kind == "turn":
        return _turn(state, seat)
    return (said for said, _ in _ranked(state, seat, kind)) if kind else iter(())


def ranked_orders(state: TroyesState, seat: str) -> list[tuple[Order, float]]:
    """The options of a seat without their sentences, the best first, each with the points that it promises."""
    kind = asked_kind(state, seat)
    if kind == "turn":
        return [(idea.order, idea.worth) for idea in turn_ideas(state, seat)]
    found = _ranked(state, seat, kind) if kind else []
    return [(order, worth) for (order, _), worth in found if not isinstance(order, orders.ANYTIME)]


def order_groups(state: TroyesState, seat: str) -> list[list[tuple[Order, float]]]:
    """The options of a seat by kinds. In a turn they are estimated without being tried."""
    if asked_kind(state, seat) == "turn":
        kinds = turn_options.guessed_kinds(state, seat, MAX_ALIKE)
        return [[(order, worth) for worth, order in kind] for kind in kinds]
    return [[option] for option in ranked_orders(state, seat)]


def likely_order(state: TroyesState, seat: str) -> Order:
    """The order that promises most. In a turn, and for an Archer's hit, it is estimated without being tried."""
    kind = asked_kind(state, seat)
    if kind == "target":
        w, worths = weights_now(state), {threat.id: threat for threat in state.queue}
        targets = cast(Iterator[orders.Target], every_order(state, seat))
        return max(targets, key=lambda order: event_cube_value(state, seat, worths[order.event], w))
    return turn_options.likeliest_idea(state, seat) if kind == "turn" else ranked_orders(state, seat)[0][0]


def _ranked(state: TroyesState, seat: str, kind: str) -> list[tuple[Said, float]]:
    """The options of a kind of decision by their worth; equal ones keep their order.

    An order that leaves the question open promises no more than one that answers it, since the answer still has to be
    paid for.
    """
    listed = list(LISTS[kind](state, seat))
    if kind == "settle":
        return [(said, 0.0) for said in listed]
    prospect = Prospect(state, seat)
    found = [(said, _worth(prospect, state, said[0])) for said in listed]
    answers = (worth for (order, _), worth in found if not isinstance(order, orders.ANYTIME + orders.BEFORE))
    most = min(answers, default=inf)
    found = [(said, min(worth, most) if isinstance(said[0], orders.BEFORE) else worth) for said, worth in found]
    return sorted(found, key=lambda row: -row[1])[: MAX_PAIRS if kind == "support" else None]


def _worth(prospect: Prospect, state: TroyesState, order: Order) -> float:
    """What an order adds. Standing orders come last."""
    idea = None if isinstance(order, orders.ANYTIME) else tried_idea(prospect, state, order)
    return idea.worth if idea is not None else -inf


def _turn(state: TroyesState, seat: str) -> Iterator[Said]:
    """Sensible orders of a turn. Where passing is the only one, a legal order follows, the reason of the question."""
    sensible = turn_ideas(state, seat)
    for sound in sensible:
        yield _told(state, seat, sound)
        if isinstance(sound.order, orders.Pass) and not state.dice[seat] and len(state.names) > 1:  # others wait
            yield (
                orders.AutoPass(dieless=True, always=True),
                T("the same now and in every round, once your district is empty, without a question"),
            )
    if len(sensible) == 1:
        order = next((order for order in every_order(state, seat) if not isinstance(order, orders.Pass)), None)
        idea = tried_idea(Prospect(state, seat), state, order) if order is not None else None
        if idea is not None:
            yield _told(state, seat, idea)


def _told(state: TroyesState, seat: str, idea: Idea) -> Said:
    match idea.order:
        case orders.Pass() as order:
            n = state.box.board.pass_first
            return order, T("+{n} denier at the end of the round", "+{n} deniers at the end of the round", n=n)
        case orders.Use() as order:
            return order, answer_options.roll_text(state, order)
        case orders.Recruit() as order if idea.then is not None:
            return order, _for_what(state, idea.then)
        case orders.Reroll() | orders.Flip() | orders.Recruit() as order:
            return _paid(state, order)
    return idea.order, partial(_said, state, seat, idea.order)


def _for_what(state: TroyesState, order: Order) -> Msg:
    then = item_name(order.card) if isinstance(order, orders.Activate) else T("a building")
    price = f"-{state.box.board.recruit}"
    return T("{price} influence, a citizen in hand, such as for {then}; then you act", price=price, then=then)


def _said(state: TroyesState, seat: str, order: Order) -> Msg:
    """What an order does when tried; nobody knows what comes after a roll."""
    try:
        play = try_order(state, seat, order)
    except UnknownDraw:
        return T("what is rolled is shown")
    effect, frame = effects_text(state, seat, order, play.facts), play.state.agenda[-1]
    if not isinstance(order, orders.Activate) or frame["step"] != "archery":
        return effect
    hits = state.activity(frame["card"]).numbers["hits"]
    return T("{effect}, each hits on {hits} or more", effect=effect, hits=hits)


def _paid(state: TroyesState, order: Order) -> Said:
    board = state.box.board
    match order:
        case orders.Reroll():
            return order, T("{n} influence, then you act", n=f"-{board.reroll}")
        case orders.Flip():
            now = dice_text(dice.flipped_die(word) for word in order.dice)
            return order, T("{n} influence, now {dice}; then you act", n=f"-{board.flip}", dice=now)
    return order, T("{n} influence, a citizen in hand; then you act", n=f"-{board.recruit}")


BEST_SPACES = (
    *("city_hall 3.1", "palace 5", "bishopric 3.1", "city_hall 2.1", "palace 6", "bishopric 2.1"),
    *("palace 4", "city_hall 1.1", "bishopric 1.1", "palace 3", "city_hall 3.2", "bishopric 3.2"),
    *("city_hall 2.2", "bishopric 2.2", "palace 2", "palace 1", "city_hall 1.2", "bishopric 1.2"),
)
"""Spaces in a sensible order: entry spaces of the middle rows are pushed least, low Palace dice are used most."""


def best_spaces(state: TroyesState) -> list[str]:
    """The free spaces, the best first."""
    free = {str(place) for place in state.free_spaces()}
    return [word for word in BEST_SPACES if word in free]


def _settle(state: TroyesState, seat: str) -> Iterator[Said]:
    """First a whole list for all own placements, so that nobody waits; then single spaces of each building."""
    ranked = best_spaces(state)
    mixed = _balanced(state, seat, ranked)
    if state.houses[seat].supply > 1 and len(mixed) > 1:
        yield (
            orders.Settle(tuple(mixed)),
            T("this one now, and the first of the others that is free whenever you place again"),
        )
    for building in places.BUILDINGS:
        for word in [word for word in ranked if Place.parse(word).on == building][:2]:
            yield orders.Settle((word,)), T("a {colour} die each round", colour=_colour(building))


def _balanced(state: TroyesState, seat: str, ranked: list[str]) -> list[str]:
    """Spaces that fill the three buildings evenly, beginning where the family has fewest citizens."""
    count = {building: state.spaces(building).count(seat) for building in places.BUILDINGS}
    left, chosen = [(word, Place.parse(word).on) for word in ranked], list[str]()
    while left and len(chosen) < min(state.houses[seat].supply + 3, MAX_SHOWN):
        word, building = first = min(left, key=lambda space: count[space[1]])
        left.remove(first)
        chosen.append(word)
        count[building] += 1
    return chosen


def _colour(building: str) -> Msg:
    return {"palace": T("red"), "bishopric": T("white"), "city_hall": T("yellow")}[building]


def _counter(state: TroyesState, seat: str) -> Iterator[Said]:
    """Ways to counter, then influence."""
    yield from answer_options.counter_options(state, seat)
    yield from (_paid(state, use) for use in influence_ideas(state, seat) if not isinstance(use, orders.Use))


def later_orders(state: TroyesState, seat: str) -> list[orders.Later]:
    """What may be ordered for later, as if the seat were asked now, best first. Raises NotAllowed where nothing can."""
    found = (order for order, _ in offered_orders(standing_orders.position_if_asked(state, seat), seat))
    return [orders.Later((order,)) for order in found if isinstance(order, orders.PlannableOrder)][:MAX_LATER]


def _every(state: TroyesState, seat: str) -> Iterator[Said]:
    """Every legal order, with what it does."""
    for order in every_order(state, seat):
        yield order, partial(_said, state, seat, order)


LISTS = {
    "settle": _settle,
    "turn": _turn,
    "counter": _counter,
    "support": _every,
    "target": _every,
    "react": answer_options.reaction_options,
    "give": answer_options.give_options,
    "discard": answer_options.discard_options,
    "release": answer_options.release_options,
}


GROUPS = {
    orders.Fight: T("FIGHTING"),
    orders.Build: T("BUILDING"),
    orders.Activate: T("ACTIVITIES"),
    orders.Station: T("PLACING"),
    orders.Farm: T("FARMING"),
    orders.Guard: T("GUARDS"),
    orders.Counter: T("COUNTERING"),
    orders.Pass: T("PASSING"),
    **dict.fromkeys((orders.Reroll, orders.Flip, orders.Recruit, orders.Use), T("BEFORE AN ACTION")),
}
"""Kind of order to the heading it is listed under."""


def order_kind(order: Order) -> Msg:
    """The heading that an order is listed under."""
    return GROUPS.get(type(order), NO_KIND)


def example_orders(offered: Sequence[str]) -> tuple[str, ...]:
    """Two orders to imitate, a long one and a short one, from the offers in this position."""
    texts = [text for text in offered if len(text) <= EXAMPLE_LENGTH and not text.startswith("auto")] or offered
    if not texts:
        return ()
    long = max(texts, key=len)
    short = next((text for text in reversed(texts) if text not in (long, "pass")), texts[-1])
    return (long, short) if short != long else (long,)


def default_order(state: TroyesState, seat: str) -> Order:
    """The order that does least, for when nobody answers: pass, counter with the cheapest dice, keep the cube, take the
    best free space; else the first legal one.

    Nothing is spent needlessly. Raises TooLate when the seat is not asked.
    """
    match asked_kind(state, seat):
        case "":
            raise TooLate(T("{name} is not asked.", name=owner_name(state, seat)))
        case "turn":
            return orders.Pass()
        case "counter":
            return countering.cheapest_counter(state, seat)
        case "react":
            return orders.React("")
        case "settle":
            return orders.Settle((best_spaces(state)[0],))
        case _:
            return next(every_order(state, seat))
