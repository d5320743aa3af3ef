"""From a line to a complete order: the fewest words that leave one meaning, read against the position.

What is filled in is echoed as assumed; what would cost something else is never filled in (contract, «What is
assumed»): hiring, buying, a cube, influence, an opponent or an event.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.catalog import T
from engine.errors import NotAllowed
from engine.errors import NotUnderstood
from engine.errors import TooLate
from engine.errors import Unclear
from engine.game import Reading
from engine.troyes import cards
from engine.troyes import countering
from engine.troyes import orders
from engine.troyes import places
from engine.troyes.effects import CHOOSES
from engine.troyes.group import Pick
from engine.troyes.group import form
from engine.troyes.language.cursor import Cursor
from engine.troyes.language.cursor import find_event
from engine.troyes.language.words import CLAUSES
from engine.troyes.language.writing import best_space
from engine.troyes.language.writing import write
from engine.troyes.orders import Order
from engine.troyes.state import Town
from engine.troyes.words import typed


def read(town: Town, seat: str, line: str) -> Reading:
    """Understand one line. Raises NotUnderstood, Unclear, NotAllowed or TooLate (nobody is asked)."""
    if not town.asked:
        raise TooLate(T("The game is over."))
    cursor = Cursor.begin(town, seat, line)
    order = READERS[cursor.verb](cursor)
    cursor.finish()
    return Reading(order, write(town, seat, order), tuple(cursor.assumed))


def _own(picks: tuple[Pick, ...], cursor: Cursor) -> tuple[str, ...]:
    """Dice that must be one's own."""
    foreign = [pick for pick in picks if pick.owner != cursor.seat]
    if foreign:
        raise NotAllowed(
            T("{die} is not yours: only dice of your own district serve here.", die=foreign[0].word(cursor.seat)),
            rule="A3",
        )
    return tuple(pick.die for pick in picks)


def _some(picks: tuple[Pick, ...], cursor: Cursor) -> tuple[Pick, ...]:
    if not picks:
        raise NotUnderstood(
            T("Name the dice, such as «{example}».", example=f"{cursor.verb} … with Y5 Y4"),
        )
    return picks


def _settle(cursor: Cursor) -> Order:
    wanted = [cursor.place()]
    while cursor.words:
        wanted.append(cursor.place())
    return orders.Settle(tuple(wanted))


def _reroll(cursor: Cursor) -> Order:
    dice = _own(_some(cursor.dice(), cursor), cursor)
    if len(dice) != 1:
        raise NotUnderstood(T("Re-roll one die a line: each roll is shown before the next."))
    return orders.Reroll(dice[0])


def _flip(cursor: Cursor) -> Order:
    return orders.Flip(_own(_some(cursor.dice(), cursor), cursor))


def _recruit(cursor: Cursor) -> Order:
    number = cursor.number()
    if number is None:
        cursor.assumed.append(T("one citizen"))
        number = 1
    return orders.Recruit(number)


def _using(cursor: Cursor) -> str:
    cursor.skip()
    if cursor.clause() != "using":
        return ""
    cursor.words.pop(0)
    while cursor.folded() in ("a", "une", "un", "cube", "of", "de"):
        cursor.words.pop(0)
    return cursor.activity()


def _activate(cursor: Cursor) -> Order:
    town, seat = cursor.town, cursor.seat
    card = cursor.activity()
    hiring, space, times, using = "", -1, 0, ""
    picks: tuple[Pick, ...] = ()
    while cursor.words:
        cursor.skip()
        clause = cursor.clause()
        if clause == "hiring" and not hiring:
            cursor.words.pop(0)
            hiring = _hiring(cursor)
        elif clause == "to" and cursor.words[1:] and CLAUSES.get(cursor.folded(1)) == "space":
            del cursor.words[:2]
            number = cursor.number()
            space = -1 if number is None else number
        elif clause in ("once", "twice"):
            cursor.words.pop(0)
            times = 1 if clause == "once" else 2
        elif clause == "using" and not using:
            using = _using(cursor)
        elif cursor.words and cursor.words[0].isdecimal() and CLAUSES.get(cursor.folded(1)) == "times":
            times = cursor.number() or 0
            cursor.words.pop(0)
            if times == 0:
                raise NotAllowed(T("Activate at least once."), rule="A7")
        elif not picks:
            picks = cursor.dice()
            if not picks and cursor.words:
                raise cursor.unknown(cursor.words[0])
        elif cursor.words:
            raise cursor.unknown(cursor.words[0])
    picks = _some(picks, cursor)
    targets = _targets(cursor, card)
    if targets == (orders.NOTHING,):
        times = times or 1
    if not times:
        group = form(town, seat, picks, using, mixed=len(town.activity(card).dice) > 1)
        times = group.total // town.activity(card).divisor
        cursor.assumed.append(T("once", "{n} times, as often as the dice allow", n=times))
    space = _space(cursor, card, hiring, space)
    return orders.Activate(card, picks, times, hiring, space, targets, using)


def _space(cursor: Cursor, card: str, hiring: str, space: int) -> int:
    best = best_space(cursor.town.card(card))
    if not hiring:
        return 0
    if space >= 0:
        return space
    if best:
        worth = cursor.town.activity(card).spaces[best - 1]
        cursor.assumed.append(T("the space worth {worth} VP", worth=worth))
    return best


def _hiring(cursor: Cursor) -> str:
    if cursor.clause() == "from":
        cursor.words.pop(0)
        return cursor.place(own=True)
    if cursor.words and cards.place_of(cursor.folded()) is not None:
        return cursor.place(own=True)
    return _source(cursor, "hiring from {place}")


def _source(cursor: Cursor, words: str) -> str:
    """The supply if somebody is there; else the place must be named (contract)."""
    if cursor.town.houses[cursor.seat].supply:
        cursor.assumed.append(T("from supply"))
        return places.SUPPLY
    there = list(dict.fromkeys(cursor.town.whereabouts(cursor.seat)))
    raise Unclear(
        T("You have no citizen in hand: say where the citizen comes from, or recruit one first."),
        possible=tuple(T(words, place=typed(str(place))) for place in there[:8]),
    )


def _targets(cursor: Cursor, card: str) -> tuple[str, ...]:
    parts, cursor.tail = cursor.tail, []
    if not parts:
        return ()
    if [CLAUSES.get(cards.fold_word(part)) for part in parts] == ["none"]:
        return (orders.NOTHING,)
    if CHOOSES.get(card) == "building":
        found = []
        for part in parts:
            place = cards.place_of(part)
            if place is None:
                raise cursor.unknown(part)
            found.append(place)
        return tuple(found)
    return tuple(find_event(cursor.town, cards.fold_word(part)) for part in parts)


def _build(cursor: Cursor) -> Order:
    picks = _some(cursor.dice(), cursor)
    return orders.Build(picks, _using(cursor))


def _fight(cursor: Cursor) -> Order:
    town = cursor.town
    event = cursor.event()
    cursor.skip()
    cubes = 0
    if cursor.words and CLAUSES.get(cursor.folded(1)) in ("cubes", "times"):
        cubes = cursor.number() or -1
        cursor.words.pop(0)
    picks = _some(cursor.dice(), cursor)
    using = _using(cursor)
    if not cubes:
        threat = town.threat(event)
        assert threat is not None
        group = form(town, cursor.seat, picks, using)
        cubes = max(1, min(group.total // town.event(event).divisor, town.free_banners(threat)))
    return orders.Fight(event, picks, cubes, using)


def _place(cursor: Cursor) -> Order:
    dice = _some(cursor.dice(), cursor)
    if len(dice) != 1:
        raise NotAllowed(T("Exactly one die places a citizen; you named {n}.", n=len(dice)))
    if cursor.clause() == "from":
        cursor.words.pop(0)
        source = cursor.place(own=True)
    elif cursor.words and cursor.clause() != "using":
        source = cursor.place(own=True)
    else:
        source = _source(cursor, "from {place}")
    return orders.Station(dice[0], source, _using(cursor))


def _farm(cursor: Cursor) -> Order:
    picks = _some(cursor.dice(), cursor)
    return orders.Farm(picks, _using(cursor))


def _pass(cursor: Cursor) -> Order:
    return orders.Pass()


def _counter(cursor: Cursor) -> Order:
    town = cursor.town
    cursor.skip()
    if cursor.clause() == "none":
        cursor.words.pop(0)
        return orders.Counter((), ())
    if cursor.clause() == "auto":
        cursor.words.pop(0)
        if not town.black:
            raise NotAllowed(T("There is no black die to counter."))
        order = countering.cheapest(town, cursor.seat)
        cursor.assumed.append(T("{order}", order=write(town, cursor.seat, order)))
        return order
    black: list[int] = []
    while (number := cursor.number()) is not None:
        black.append(number)
        cursor.skip()
    dice = _own(_some(cursor.dice(), cursor), cursor)
    if not black and town.black:
        made = countering.total(town, dice)
        if len(town.black) > 1 and made >= town.black[0] + town.black[-1]:
            raise Unclear(
                T("{made} could beat more than the highest black die: say which.", made=made),
                possible=tuple(
                    T("counter {black} with {dice}", black=black_dice, dice=" ".join(dice))
                    for black_dice in (str(town.black[0]), f"{town.black[0]} {town.black[-1]}")
                ),
            )
        black = [town.black[0]]
        cursor.assumed.append(T("against the {black}", black=black[0]))
    return orders.Counter(tuple(black), dice)


def _support(cursor: Cursor) -> Order:
    events = [cursor.event()]
    while cursor.words:
        events.append(cursor.event())
        cursor.skip()
    return orders.Support(tuple(events))


def _target(cursor: Cursor) -> Order:
    return orders.Target(cursor.event())


READERS: dict[str, Callable[[Cursor], Order]] = {
    "settle": _settle,
    "reroll": _reroll,
    "flip": _flip,
    "recruit": _recruit,
    "activate": _activate,
    "build": _build,
    "fight": _fight,
    "place": _place,
    "farm": _farm,
    "pass": _pass,
    "counter": _counter,
    "support": _support,
    "target": _target,
}
"""The verb to what reads the rest of its line."""
