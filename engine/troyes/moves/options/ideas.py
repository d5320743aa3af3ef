"""Candidates for a turn: the likeliest order of each kind, walked, and worth what its walk changes in the estimate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from operator import itemgetter

from engine.chance import AllShow, Unknown
from engine.errors import OrderRefused
from engine.troyes.entries import Play
from engine.troyes.entries.citizens import CitizensRecruited
from engine.troyes.entries.finding import without
from engine.troyes.entries.money import InfluenceChanges
from engine.troyes.moves import legal
from engine.troyes.moves.options import guards
from engine.troyes.moves.options.estimate import again, at, own_dice
from engine.troyes.moves.options.kinds import Thinker
from engine.troyes.moves.options.prospect import Prospect
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.places import Place
from engine.troyes.state.state import TroyesState
from engine.values import fixed

WALKED, WITH_CUBES = 9, 2
"""Candidates that are walked, and those of them that are tried with the cube of a tile too."""

Guess = tuple[float, Order]
"""A candidate of one kind, and what tells it from others of that kind."""


@fixed
class Idea:
    """An order, its worth, and its walk; none where that ends at a roll. `then` is what a citizen is recruited for."""

    worth: float
    order: Order
    play: Play | None = None
    then: Order | None = None


def _walked_kinds(thinker: Thinker) -> list[Idea]:
    """The likeliest of all kinds, walked, the best first."""
    state, seat = thinker.state, thinker.seat
    likeliest = sorted(((kind.best(), kind) for kind in thinker.kinds()), key=lambda found: -found[0][0])
    found = [kind.order(made_of) for (_, made_of), kind in likeliest[:WALKED]]
    if state.tiles:
        found += guards.likely(state, seat, thinker.w)
        found += [more for order in found[:WITH_CUBES] for more in guards.with_cube(state, seat, order)]
    ideas = (walked(thinker.prospect, state, order) for order in found)
    return sorted(filter(None, ideas), key=lambda idea: -idea.worth)


def walked(prospect: Prospect, state: TroyesState, order: Order) -> Idea | None:
    """An order with what its walk adds to what the seat of `prospect` may expect; None where the rules do not allow it.

    Where it ends at a roll, all dice show each number once, and the mean counts.
    """
    try:
        if isinstance(order, orders.Reroll) and not order.until:
            ends = _rolled_again(prospect, state, order)
            return Idea(sum(ends) / len(ends) - prospect.base, order)
        play = legal.walk(state, prospect.seat, order)
    except Unknown:
        ends = [prospect.of(legal.walk(state, prospect.seat, order, AllShow(number)).state) for number in range(1, 7)]
        return Idea(sum(ends) / len(ends) - prospect.base, order)
    except OrderRefused:
        return None
    return Idea(prospect.of(play.state) - prospect.base, order, play)


def _rolled_again(prospect: Prospect, state: TroyesState, order: orders.Reroll) -> list[float]:
    """What a die rolled again leads to, by what it shows: nothing else changes."""
    seat = prospect.seat
    end, kept = legal.walk(state, seat, order, AllShow(1)).state, without(state.dice[seat], order.die)
    return prospect.with_dice(end, [dice.tidy([*kept, f"{order.die[0]}{number}"]) for number in range(1, 7)])


def _recruiting(thinker: Thinker) -> Idea | None:
    """To recruit for the best action that a citizen opens, less his price; None when none can be recruited."""
    board, house = thinker.state.box.board, thinker.state.houses[thinker.seat]
    if house.supply or not house.reserve or house.influence < board.recruit:
        return None
    hired = thinker.state.fork()
    CitizensRecruited(thinker.seat, 1).apply(hired)
    InfluenceChanges(thinker.seat, -board.recruit).apply(hired)
    kinds = Thinker(hired, thinker.seat, thinker).for_citizens()
    if not kinds:
        return None
    (worth, made_of), kind = max(((kind.best(), kind) for kind in kinds), key=lambda found: found[0][0])
    order = kind.order(made_of)
    if places.SUPPLY not in (getattr(order, "hiring", ""), getattr(order, "source", "")):
        return None
    supply = at(thinker.state, Place(places.SUPPLY), thinker.w)
    return Idea(worth + supply - board.recruit * thinker.w.influence, orders.Recruit(1), then=order)


def turn(state: TroyesState, seat: str) -> list[Idea]:
    """What makes sense in a turn, the best first: actions, passing, what influence and tiles do before an action."""
    thinker = Thinker(state, seat)
    found = _walked_kinds(thinker)[:WALKED]
    recruit = _recruiting(thinker)
    if recruit is not None and recruit.worth > max([0.0, *(idea.worth for idea in found)]):
        found.append(recruit)
    others = [orders.Pass(), *influence_ideas(state, seat, recruits=recruit not in found)]
    found += filter(None, (walked(thinker.prospect, state, order) for order in others))
    return sorted(found, key=lambda idea: -idea.worth)


def guessed(state: TroyesState, seat: str, most: int) -> list[list[Guess]]:
    """What makes sense in a turn, by kinds: so many of each as they are guessed, the kind of the likeliest first."""
    thinker = Thinker(state, seat)
    likeliest = ((kind, nlargest(most, kind.ways, key=itemgetter(0))) for kind in thinker.kinds())
    found = [[(guess, kind.order(made_of)) for guess, made_of in ways] for kind, ways in likeliest]
    found += [[guess] for guess in (*_for_tiles(thinker), *_beside(thinker))]
    return sorted(found, key=lambda kind: -kind[0][0])


def likeliest(state: TroyesState, seat: str) -> Order:
    """The first of these alone."""
    thinker = Thinker(state, seat)
    found = [*_for_tiles(thinker), *_beside(thinker)]
    if kinds := [(kind.best(), kind) for kind in thinker.kinds()]:
        (guess, made_of), kind = max(kinds, key=lambda found: found[0][0])
        found.insert(0, (guess, kind.order(made_of)))
    return max(found, key=itemgetter(0))[1]


def _for_tiles(thinker: Thinker) -> Iterable[Guess]:
    """The likeliest uses of the guard, where there are ramparts."""
    return guards.guessed(thinker.state, thinker.seat, thinker.w) if thinker.state.tiles else ()


def _beside(thinker: Thinker) -> Iterator[Guess]:
    """Passing, and what influence and tiles do before an action."""
    state, seat, w, board = thinker.state, thinker.seat, thinker.w, thinker.state.box.board
    yield board.pass_first * w.denier - own_dice(state.dice[seat], w), orders.Pass()
    for order in influence_ideas(state, seat, recruits=True):
        match order:
            case orders.Reroll(word):
                yield again(word, w) - board.reroll * w.influence, order
            case orders.Flip(words):
                turned = own_dice(map(dice.flipped, words), w) - own_dice(words, w)
                yield turned - board.flip * w.influence, order
            case orders.Recruit():
                yield at(state, Place(places.SUPPLY), w) - board.recruit * w.influence, order
            case _:
                idea = walked(thinker.prospect, state, order)
                if idea is not None:
                    yield idea.worth, order


def influence_ideas(state: TroyesState, seat: str, *, recruits: bool = False) -> list[Order]:
    """One use of each kind of influence that makes some sense: the lowest die again, the lowest turned, a citizen."""
    board, house = state.box.board, state.houses[seat]
    low = sorted(state.dice[seat], key=dice.value)
    found: list[Order] = []
    if low and house.influence >= board.reroll and dice.value(low[0]) <= 3:
        found.append(orders.Reroll(low[0]))
    turned = [word for word in low if dice.value(word) <= 2][: board.flip_dice]
    if turned and house.influence >= board.flip:
        found.append(orders.Flip(tuple(turned)))
    if recruits and not house.supply and house.reserve and house.influence >= board.recruit:
        found.append(orders.Recruit(1))
    return [*found, *legal.tiles_before(state, seat)]
