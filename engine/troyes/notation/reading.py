"""From a line to a complete order: the fewest words that leave one meaning, read against the position.

What is filled in is echoed as assumed; what would cost something else is never filled in (contract, «What is
assumed»): hiring, buying, a cube, influence, an opponent or an event.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.catalog import T
from engine.errors import NotAllowed, NotUnderstood, TooLate, Unclear
from engine.game import Reading
from engine.kit.words import kebab
from engine.troyes.actions import countering, reactions
from engine.troyes.actions.unsaid import most_cubes
from engine.troyes.board import possession
from engine.troyes.board.words import named, one_die
from engine.troyes.notation import canonical, sources, standing
from engine.troyes.notation.activation import activate
from engine.troyes.notation.cubes import using
from engine.troyes.notation.cursor import Wording
from engine.troyes.notation.words import CLAUSES, VERBS, needs_dice
from engine.troyes.notation.writing import write
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick
from engine.troyes.state.state import TroyesState


def read(state: TroyesState, seat: str, line: str) -> Reading[Order]:
    """Understand one line. Raises NotUnderstood, Unclear, NotAllowed or TooLate (nobody is asked)."""
    if not state.asked:
        raise TooLate(T("The game is over."))
    return canonical.read(state, seat, line) or understood(state, seat, line)


def understood(state: TroyesState, seat: str, line: str) -> Reading[Order]:
    """The same by the grammar alone, which is what every line means."""
    if (kept := standing.read(state, seat, line, read)) is not None:
        return kept
    cursor = Wording.begin(state, seat, line)
    order = READERS[cursor.verb](cursor)
    cursor.finish()
    return Reading(order, write(state, seat, order), tuple(cursor.assumed), isinstance(order, orders.ANYTIME))


def _own(picks: tuple[Pick, ...], cursor: Wording) -> tuple[str, ...]:
    """Dice that must be one's own."""
    foreign = [pick for pick in picks if pick.owner != cursor.seat]
    if foreign:
        raise NotAllowed(
            T(
                "{die} is not yours: only dice of your own district serve here.",
                die=one_die(foreign[0].word(cursor.seat)),
            ),
            rule="A3",
        )
    return tuple(pick.die for pick in picks)


def _some(picks: tuple[Pick, ...], cursor: Wording) -> tuple[Pick, ...]:
    if not picks:
        raise NotUnderstood(needs_dice(cursor.verb))
    return picks


def _settle(cursor: Wording) -> Order:
    wanted = [cursor.place()]
    while cursor.words:
        wanted.append(cursor.place())
    return orders.Settle(tuple(wanted))


def _reroll(cursor: Wording) -> Order:
    dice = _own(_some(cursor.dice(), cursor), cursor)
    if len(dice) != 1:
        raise NotUnderstood(T("Re-roll one die a line: each roll is shown before the next."))
    if not cursor.words:
        return orders.Reroll(dice[0])
    until, most = standing.limit(cursor, "until"), standing.limit(cursor, "most")
    if not (1 < until <= 6 and most):
        says = T("Say how far, and how much influence at most: «reroll {die} until 4+ max 3».", die=one_die(dice[0]))
        raise NotUnderstood(says)
    return orders.Reroll(dice[0], until, most)


def _flip(cursor: Wording) -> Order:
    return orders.Flip(_own(_some(cursor.dice(), cursor), cursor))


def _recruit(cursor: Wording) -> Order:
    number = cursor.number()
    if number is None:
        cursor.assumed.append(T("one citizen"))
        number = 1
    return orders.Recruit(number)


def _build(cursor: Wording) -> Order:
    picks = _some(cursor.dice(), cursor)
    return orders.Build(picks, using(cursor, picks))


def _fight(cursor: Wording) -> Order:
    event = cursor.event()
    cursor.skip()
    cubes = 0
    if cursor.words and CLAUSES.get(cursor.folded(1)) in ("cubes", "times"):
        cubes = cursor.number() or -1
        cursor.words.pop(0)
    picks = _some(cursor.dice(), cursor)
    if cursor.words:
        raise cursor.lost()
    used = using(cursor, picks)
    if not cubes:
        cubes = max(1, most_cubes(cursor.state, cursor.seat, event, picks, used))
    return orders.Fight(event, picks, cubes, used, _freed(cursor))


def _freed(cursor: Wording) -> tuple[str, ...]:
    """`: free anna, geoffrey`, for cubes on Possession."""
    parts, cursor.tail = cursor.tail, []
    if not parts:
        return ()
    verb, _, name = parts[0].partition(" ")
    if VERBS.get(kebab(verb)) != "release" and CLAUSES.get(kebab(verb)) != "free":
        raise cursor.lost(parts[0])
    return tuple(cursor.seat_called(part.strip()) for part in (name, *parts[1:]) if part.strip())


def _place(cursor: Wording) -> Order:
    dice = _some(cursor.dice(), cursor)
    if len(dice) != 1:
        raise NotAllowed(T("Exactly one die places a citizen; you named {n}.", n=len(dice)))
    if cursor.clause() == "from":
        cursor.words.pop(0)
        source = cursor.place(own=True)
    elif cursor.words:  # a place without «from» may be where he goes
        raise cursor.lost()
    else:
        source = sources.assumed(cursor, lambda place: T("from {place}", place=place))
    return orders.Station(dice[0], source, using(cursor, dice))


def _farm(cursor: Wording) -> Order:
    picks = _some(cursor.dice(), cursor)
    return orders.Farm(picks, using(cursor, picks))


def _pass(cursor: Wording) -> Order:
    return orders.Pass()


def _counter(cursor: Wording) -> Order:
    state = cursor.state
    cursor.skip()
    if cursor.clause() == "none":
        cursor.words.pop(0)
        return orders.Counter((), ())
    if cursor.clause() == "auto":
        cursor.words.pop(0)
        if not state.black:
            raise NotAllowed(T("There is no black die to counter."))
        order = countering.cheapest(state, cursor.seat)
        cursor.assumed.append(T("{order}", order=write(state, cursor.seat, order)))
        return order
    black: list[int] = []
    while (number := cursor.number()) is not None:
        black.append(number)
        cursor.skip()
    if cursor.clauses and cursor.clauses[0].tile and not cursor.words:
        clause = cursor.clauses.pop(0)
        if not black and state.black:
            black = [state.black[0]]
            cursor.assumed.append(T("against the {black}", black=black[0]))
        return orders.Counter(tuple(black), (), clause.id)
    dice = _own(_some(cursor.dice(), cursor), cursor)
    if cursor.words:
        raise cursor.lost()
    if not black and state.black:
        made = countering.total(state, dice)
        if len(state.black) > 1 and made >= state.black[0] + state.black[-1]:
            ways = ((state.black[0],), (state.black[0], state.black[-1]))
            raise Unclear(
                T("{made} could beat more than the highest black die: say which.", made=made),
                orders=tuple(write(state, cursor.seat, orders.Counter(way, dice)) for way in ways),
            )
        black = [state.black[0]]
        cursor.assumed.append(T("against the {black}", black=black[0]))
    return orders.Counter(tuple(black), dice)


def _support(cursor: Wording) -> Order:
    events = [cursor.event()]
    while cursor.words:
        events.append(cursor.event())
        cursor.skip()
    return orders.Support(tuple(events))


def _target(cursor: Wording) -> Order:
    event, then = cursor.event(), []
    cursor.skip()
    while cursor.words:
        then.append(cursor.event())
        cursor.skip()
    return orders.Target(event, tuple(then))


def _guard(cursor: Wording) -> Order:
    dice = _some(cursor.dice(), cursor)
    if len(dice) != 1:
        raise NotAllowed(T("Exactly one die moves the guard; you named {n}.", n=len(dice)), rule="A50")
    boost = 0
    if cursor.words and (found := re.fullmatch(r"\+(\d{1,2})", cursor.words[0])):
        boost = int(found[1])
        cursor.words.pop(0)
    used = using(cursor, dice)
    parts, cursor.tail = cursor.tail, []
    advance, cubes = 0, []
    for part in parts:
        step = cursor.part(part)
        clause = step.clause()
        if step.words:
            step.words.pop(0)
        if clause == "advance":
            advance += step.number() or 0
        elif clause == "cubes":
            tile = step.tile()
            if not tile:
                raise NotUnderstood(T("Say on which tile: «cube II»."))
            if cursor.state.tile(tile) is None:
                raise NotAllowed(T("{tile} is not in play.", tile=named(tile)))
            cubes.append(cursor.state.outdoor(tile).level)
        else:
            raise NotUnderstood(T("The guard does «advance 3» or «cube II», not «{part}».", part=part))
        step.finish()
    if len(set(cubes)) < len(cubes):
        raise NotAllowed(T("One cube on each tile in one action."), rule="A50")
    return orders.Guard(dice[0], boost, advance, tuple(sorted(cubes)), used)


def _use(cursor: Wording) -> Order:
    return orders.Use(_tile(cursor))


def _tile(cursor: Wording) -> str:
    tile = cursor.tile()
    if not tile:
        raise cursor.lost(missing=T("Name an outdoor tile, such as III."))
    return tile


def _react(cursor: Wording) -> Order:
    cursor.skip()
    if cursor.clause() in ("no", "none"):
        cursor.words.pop(0)
        return orders.React("")
    return orders.React(_tile(cursor))


def _give(cursor: Wording) -> Order:
    if VERBS.get(cursor.folded()) == "recruit":
        cursor.words.pop(0)
        return orders.Give(possession.RECRUIT)
    if cursor.clause() == "from":
        cursor.words.pop(0)
    return orders.Give(cursor.place(own=True))


def _discard(cursor: Wording) -> Order:
    return orders.Discard(cursor.tile() or cursor.activity())


def _release(cursor: Wording) -> Order:
    if len(cursor.words) > 1:  # a single word is a name, be it Le or An
        cursor.skip()
    if not cursor.words:
        raise NotUnderstood(T("Say whose citizen is freed."))
    return orders.Release(cursor.seat_called(cursor.words.pop(0)))


def _auto(cursor: Wording) -> Order:
    words = [*cursor.words, *(word for part in cursor.tail for word in part.split())]
    cursor.words, cursor.tail = words[1:-1], []
    said = CLAUSES.get(kebab(words[-1]), "") if words else ""
    if said not in reactions.SAID or VERBS.get(kebab(words[0])) != "react":
        refused = NotUnderstood(
            T("A standing order about reactions is «auto: react I always», «never» or «ask»; without a tile for all.")
            if words and VERBS.get(kebab(words[0])) == "react"
            else standing.kinds()
        )
        refused.anytime = True
        raise refused
    return orders.Auto(said, _tile(cursor) if cursor.words else "")


READERS: dict[str, Callable[[Wording], Order]] = {
    "settle": _settle,
    "reroll": _reroll,
    "flip": _flip,
    "recruit": _recruit,
    "activate": activate,
    "build": _build,
    "fight": _fight,
    "place": _place,
    "farm": _farm,
    "pass": _pass,
    "counter": _counter,
    "support": _support,
    "target": _target,
    "guard": _guard,
    "use": _use,
    "react": _react,
    "give": _give,
    "discard": _discard,
    "release": _release,
    "auto": _auto,
}
"""The verb to what reads the rest of its line."""
