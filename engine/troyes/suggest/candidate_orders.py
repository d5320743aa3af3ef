"""Orders that a line may mean, made of what it names. They are bounded by counts and not tried yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from engine.troyes.notation.order_words import LEVELS
from engine.troyes.options.action_orders import ACTIONS, action_candidates, activations, with_tile, worker_sources
from engine.troyes.options.legal_orders import every_order, simple_orders
from engine.troyes.options.payable_groups import pickable_dice
from engine.troyes.state import dice as dicing
from engine.troyes.state import orders
from engine.troyes.state.orders import Order, Pick
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes.suggest.line_parts import LineParts
from engine.troyes.suggest.similarity import Similarity

_MADE, _OTHERS, _ANSWERS, _HIRED, _WAYS = 1200, 200, 1500, 6, 24
"""The most actions of one verb, and of those with other dice than named; the most answers to a smaller question; for
each group the most places to hire from, and lists of choices."""


def candidates_like(likeness: Similarity) -> Iterator[Order]:
    """Orders for the open question that are like what a line says."""
    state, seat, wish = likeness.state, likeness.seat, likeness.wish
    if wish.asked == "turn":
        yield from islice(_actions(likeness), _MADE)
        yield from simple_orders(state, seat)
        return
    free = {str(place) for place in state.free_spaces()} if wish.asked == "settle" else set[str]()
    if listed := tuple(dict.fromkeys(place for place in wish.places if place in free)):
        yield orders.Settle(listed)
    yield from islice(every_order(state, seat), _ANSWERS)


def _actions(likeness: Similarity) -> Iterator[Order]:
    """Actions with the dice that the line names, or with the seat's own."""
    state, seat, thin = likeness.state, likeness.seat, _thin(likeness)
    for verb, goals in _heads(likeness):
        made = list(islice(_of_head(thin, likeness, verb, goals), _MADE))
        if not made and likeness.wish.dice:
            # It cannot be done with these dice, perhaps with others.
            wide = thin.copy()
            wide.dice[seat] = list(state.dice[seat])
            made = list(islice(_of_head(wide, likeness, verb, goals), _OTHERS))
        yield from made


def _of_head(state: TroyesState, likeness: Similarity, verb: str, goals: Sequence[str]) -> Iterator[Order]:
    """Orders of one verb with these cards or events (none: any), and with tiles that the line uses."""
    seat, wish = likeness.seat, likeness.wish
    made: Iterator[Order] = iter(())
    if verb == "activate":
        hired = sorted(worker_sources(state, seat), key=lambda place: -likeness.source(place, hired=True))[:_HIRED]
        made = chain.from_iterable(activations(state, seat, card, hired, _WAYS) for card in goals)
    else:
        every = action_candidates(state, seat, {verb})
        made = (one for one in every if not goals or getattr(one, "event", "") in goals)
        made = chain(_guards(state, seat, wish), made) if verb == "guard" else made
    uses = bool(state.tiles) and (bool(wish.levels) or any(tile.id in wish.ids for tile in state.tiles))
    for order in made:
        yield order
        if uses:
            yield from islice(with_tile(state, seat, order), _WAYS)


def _heads(likeness: Similarity) -> Iterator[tuple[str, list[str]]]:
    """Verbs with the cards and events of their orders (none: any), what is named first."""
    wish, heads = likeness.wish, list[tuple[float, str, list[str]]]()
    for verb in ACTIONS:
        weight = wish.verbs.get(verb, 0.0)
        if kind := {"activate": "activity", "fight": "event"}.get(verb):
            some = [id_ for id_ in wish.here[kind] if id_ in likeness.named]
            if some:
                heads.append((2.0 + weight, verb, some))
            if not some or not all(wish.ids[id_] == 1.0 for id_ in some):
                heads.append((weight - 0.1 * bool(some), verb, [id_ for id_ in wish.here[kind] if id_ not in some]))
        else:
            heads.append((weight + 0.5 * (verb == "place" and bool(wish.places)), verb, []))
    best = max(weight for weight, _, _ in heads)
    for weight, verb, goals in sorted(heads, key=lambda head: -head[0]):
        if weight > 0 or best <= 0:
            yield verb, goals


def _guards(state: TroyesState, seat: str, wish: LineParts) -> Iterator[Order]:
    """Uses of the guard that do just what the line says, though points may be left."""
    steps = dict.fromkeys((0, *(number for number in wish.numbers if number < 20)))
    told = {*wish.levels}, {*wish.levels, *wish.numbers}
    gates = dict.fromkeys(tuple(sorted(some & set(LEVELS.values()))) for some in told)
    for pick in dict.fromkeys(pickable_dice(state, seat, dicing.COLOURS)):
        for boost in dict.fromkeys((0, *wish.pips, *wish.numbers)):
            for advance in steps:
                yield from (orders.Guard(pick, boost, advance, cubes) for cubes in gates)


def _thin(likeness: Similarity) -> TroyesState:
    """A copy of the position with only the dice and own cubes that the line names; with all own dice where it names
    none.

    A die stays if it is as much like a named one as any other die.
    """
    wish, thin, near = likeness.wish, likeness.state.copy(), set[Pick]()
    every = [Pick(owner, die) for owner, dice in thin.dice.items() for die in dice]
    for one in wish.dice:
        has = any(map(one.is_so, likeness.own))
        likes = {pick: one.likes(pick, likeness.seat, has) for pick in every}
        near |= {pick for pick, like in likes.items() if like >= max(0.01, *likes.values())}
    for owner, dice in thin.dice.items():
        if wish.dice:
            thin.dice[owner] = [die for die in dice if Pick(owner, die) in near]
        elif owner != likeness.seat and owner not in wish.owners:
            thin.dice[owner] = []
    for card in thin.cards:
        if card.id not in likeness.named and thin.activity(card.id).delayed:
            card.cubes.pop(likeness.seat, None)
    return thin
