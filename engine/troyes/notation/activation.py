"""Reading `activate …`: the card, who is hired, how often, with what, and the choices after the colon."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, Unclear
from engine.kit.words import kebab
from engine.troyes import box
from engine.troyes.actions.unsaid import best_space, most_times
from engine.troyes.board import declared
from engine.troyes.board.choices import INFLUENCE, PLACE, POINTS, USE, check_choices
from engine.troyes.box.faces import Activity
from engine.troyes.notation.cubes import using
from engine.troyes.notation.cursor import Wording, find_event
from engine.troyes.notation.sources import hiring as read_hiring
from engine.troyes.notation.words import CLAUSES, STANDING, VERBS, needs_dice
from engine.troyes.notation.writing import write
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, Using

_MIXED = re.compile(r"(\S+)(?:\s+(\d{1,2}))?")


def activate(cursor: Wording) -> Order:
    """The whole order. Raises NotUnderstood, NotAllowed, Unclear."""
    card = cursor.activity()
    hiring, space, times = "", -1, 0
    picks: tuple[Pick, ...] = ()
    while cursor.words:
        cursor.skip()
        clause = cursor.clause()
        if clause == "hiring" and not hiring:
            cursor.words.pop(0)
            hiring = read_hiring(cursor)
        elif clause == "to" and cursor.words[1:] and CLAUSES.get(cursor.folded(1)) == "space":
            del cursor.words[:2]
            number = cursor.number()
            space = -1 if number is None else number
        elif clause in ("once", "twice"):
            cursor.words.pop(0)
            times = 1 if clause == "once" else 2
        elif cursor.words and cursor.words[0].isdecimal() and CLAUSES.get(cursor.folded(1)) == "times":
            times = cursor.number() or 0
            cursor.words.pop(0)
            if times == 0:
                raise NotAllowed(T("Activate at least once."), rule="A7")
        elif not picks:
            picks = cursor.dice()
            if not picks and cursor.words:
                raise cursor.lost()
        elif cursor.words:
            raise cursor.lost()
    if not picks:
        raise NotUnderstood(needs_dice("activate"))
    return completed(cursor, card, picks, hiring, space, times)


def completed(
    cursor: Wording, card: str, picks: tuple[Pick, ...], hiring: str, space: int, times: int
) -> orders.Activate:
    """The order of what stands before the colon, with the cubes of the line and what stands behind the colon; what is
    not said of it (`space` -1, `times` 0) is filled in. Raises NotUnderstood, NotAllowed, Unclear."""
    cubes = using(cursor, picks)
    activity = cursor.state.activity(card)
    if activity.kind == "mixed":
        times, targets = _mixed(cursor, activity, picks, cubes, times)
    else:
        every = _every(cursor)
        targets = _targets(cursor, activity)
        if targets == (orders.NOTHING,):
            times = times or 1
        if not times:
            times = most_times(cursor.state, cursor.seat, activity.id, picks, cubes)
            cursor.assumed.append(_as_often(times))
            targets *= times if every else 1
            order = orders.Activate(card, picks, times, hiring, _space(cursor, card, hiring, space), targets, cubes)
            _check_one_choice(cursor, activity, order)
            return order
    return orders.Activate(card, picks, times, hiring, _space(cursor, card, hiring, space), targets, cubes)


def _check_one_choice(cursor: Wording, activity: Activity, order: orders.Activate) -> None:
    """One choice for several activations that nobody has counted: each time, or only once? Raises Unclear."""
    if len(order.targets) != 1 or order.times < 2:
        return
    try:
        check_choices(cursor.state, cursor.seat, activity, order)
    except Unclear as unclear:
        ways = (replace(order, targets=order.targets * order.times), replace(order, times=1))
        lines = tuple(write(cursor.state, cursor.seat, way) for way in ways)
        raise Unclear(unclear.reason, possible=unclear.possible, orders=lines, rule=unclear.rule) from unclear
    except NotAllowed:
        return  # the walk says it


@lru_cache(64)
def _as_often(times: int) -> Msg:
    return T("once", "{n} times, as often as the dice allow", n=times)


@lru_cache(64)
def _worth(points: int) -> Msg:
    return T("the space worth {worth} VP", worth=points)


def _space(cursor: Wording, card: str, hiring: str, space: int) -> int:
    if not hiring:
        return 0
    if space >= 0:
        return space
    best = best_space(cursor.state.card(card))
    if best:
        worth = cursor.state.activity(card).spaces[best - 1]
        cursor.assumed.append(_worth(worth))
    return best


def _mixed(
    cursor: Wording, activity: Activity, picks: tuple[Pick, ...], cubes: Using, times: int
) -> tuple[int, tuple[str, ...]]:
    """How often, and `place` or `use` with its choices. With no cube there only placing can be meant."""
    card = cursor.state.card(activity.id)
    there = card.cubes.get(cursor.seat, 0) if card is not None else 0
    most = most_times(cursor.state, cursor.seat, activity.id, picks, cubes)
    if not cursor.tail:
        if there:
            return times or most, ()  # the walk refuses it and shows both ways
        cursor.assumed.append(T("placing cubes"))
        return times or most, (PLACE,)
    first, *rest = cursor.tail
    cursor.tail = []
    found = _MIXED.fullmatch(kebab(first).replace("-", " "))
    word = VERBS.get(found[1], "") if found else ""
    if found is None or word not in (PLACE, USE):
        raise NotUnderstood(T("After the colon of a mixed card stands «place» or «use 2»."))
    times = int(found[2]) if found[2] else times
    if word == USE:
        times = times or min(most, max(there, 1))
        return times, (USE, *(find_event(cursor.state, kebab(part)) for part in rest))
    if rest:
        raise NotAllowed(T("Placing cubes leaves nothing to choose."))
    return times or most, (PLACE,)


def _every(cursor: Wording) -> bool:
    """Whether one choice is made each time, «: all brigands»; the word is then taken off."""
    if len(cursor.tail) != 1:
        return False
    first, _, rest = cursor.tail[0].partition(" ")
    if STANDING.get(kebab(first)) != "all" or not rest:
        return False
    cursor.tail = [rest]
    return True


def _targets(cursor: Wording, activity: Activity) -> tuple[str, ...]:
    parts, cursor.tail = cursor.tail, []
    if not parts:
        return ()
    if [CLAUSES.get(kebab(part)) for part in parts] == ["none"]:
        return (orders.NOTHING,)
    kind = declared.of(activity.id).chooses
    meant = {part: _target(cursor, kind, part) for part in dict.fromkeys(parts)}
    return tuple([meant[part] for part in parts])


def _target(cursor: Wording, kind: str, part: str) -> str:
    folded = kebab(part)
    match kind:
        case "building":
            place = box.place_of(part)
            if place is None:
                raise cursor.lost(part)
            return place
        case "gain":
            word = CLAUSES.get(folded, "")
            if word not in (INFLUENCE, POINTS):
                raise cursor.lost(part)
            return word
        case "column":
            if not (folded.isdecimal() and len(folded) <= 2):
                raise NotUnderstood(T("Name a column of the cathedral, 1 to 6."))
            return folded
        case "seat":
            return cursor.seat_called(part)
    return find_event(cursor.state, folded)
