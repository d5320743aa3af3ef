"""What a line says beside its order that the order does not do: fewer dice than are taken, another place, a cube more.

The grammar passes small words over, so that «fight the brigands with both my big reds» takes all three of them. An
order that was read is held against the words that limit it, and asked back where it may be less or more than they say:
a list of phrases is never complete, but each of these changes what is done.
"""

from __future__ import annotations

import re
from collections import Counter as Count
from collections.abc import Mapping, Sequence
from contextlib import suppress

from engine.errors import OrderRefused
from engine.kit.box.tables import read_tables
from engine.kit.scruple import NO_PAYING
from engine.kit.words import folded
from engine.troyes.actions.unsaid import most_cubes
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.state import TroyesState

_TABLE = read_tables(__package__, "scruples")
_PLACE = "(?:" + "|".join(f"(?P<{building}>{words})" for building, words in _TABLE["places"].items()) + ")"


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_TABLE[name].replace("COLOUR", _TABLE["colour"]).replace("PLACE", _PLACE))


_COLOUR, _ANYWHERE = re.compile(rf"\b{_TABLE['colour']}\b"), re.compile(_PLACE)
_HIGH, _LOW, _FEWER, _ONE, _COUNTED = map(_pattern, ("high", "low", "fewer", "one", "counted"))
_GOAL, _INSIDE, _STANDS = map(_pattern, ("goal", "inside", "stands"))
_CUBE, _EACH, _APIECE, _ONE_CUBE, _ADVANCES = map(_pattern, ("cube", "each", "apiece", "one_cube", "advances"))
_LED, _BLACKNESS = map(_pattern, ("led", "blackness"))
_TO_FACE, _TURNED, _CARD_ON, _USING, _OPTION = map(_pattern, ("to_face", "turned", "card_on", "using", "option"))
_BESIDE: dict[tuple[str, ...], re.Pattern[str]] = {("place",): _pattern("takes"), ("use",): _pattern("puts")}
"""What else is said of a mixed card, by what is done with its cubes."""
_FACE = re.compile(r"(?<![\d.])[1-6](?![\d.])")
_FACES = {int(face): re.compile(rf"\b(?:{words})\b") for face, words in _TABLE["faces"].items()}


def amiss(state: TroyesState, seat: str, line: str, order: Order) -> bool:
    """Whether a line that is no canonical one may say something else, or more, than the order does."""
    text = folded(line)
    if NO_PAYING.search(text) or (_TURNED.search(text) and not _turns(order)):
        return True
    match order:
        case orders.Counter(black, beaten):
            return _OPTION.fullmatch(text) is not None or is_black(text, black, beaten)
        case orders.Station(die, source):
            return _goes_elsewhere(text, die, source)
        case orders.Guard():
            return _guards_more(text, order)
        case orders.Flip(words):
            return _turns_else(text, words) or _takes_others(text, [Pick(seat, word) for word in words], state.dice)
        case orders.Activate():
            beside = _BESIDE.get(order.targets[:1])
            return (
                (beside is not None and beside.search(text) is not None)
                or _takes_others(text, order.dice, state.dice)
                or _joins(text, order.dice, order.using.die)
            )
        case orders.Fight():
            each = _APIECE.search(text) and _CUBE.search(text)
            told = order.using.card and _ONE_CUBE.search(text)
            fewer = told and order.cubes < _most(state, seat, order)
            return bool(each or fewer) or _takes_others(text, order.dice, state.dice)
        case orders.Build() | orders.Farm():
            return _takes_others(text, order.dice, state.dice) or _joins(text, order.dice, order.using.die)
    return False


def _most(state: TroyesState, seat: str, order: orders.Fight) -> int:
    """How many cubes a fight may put; none where it is not legal."""
    with suppress(OrderRefused):
        return most_cubes(state, seat, order.event, order.dice, order.using)
    return 0


def _turns(order: Order) -> bool:
    """Whether dice are turned over in an order."""
    using = getattr(order, "using", None)
    return isinstance(order, orders.Flip) or (isinstance(using, Using) and any(use.die for use in using.tiles))


def _unsaid(text: str, picks: Sequence[Pick]) -> list[Pick]:
    """The dice that are not named by their faces."""
    left, found = Count(_faces(text)), list[Pick]()
    for pick in picks:
        value = dice.value(pick.die)
        if left[value]:
            left[value] -= 1
        else:
            found.append(pick)
    return found


def _faces(text: str) -> list[int]:
    """The numbers of a text that may be faces."""
    return [*map(int, _FACE.findall(text)), *(face for face, words in _FACES.items() for _ in words.findall(text))]


def _takes_others(text: str, picks: Sequence[Pick], districts: Mapping[str, Sequence[str]]) -> bool:
    """Whether words that limit dice are said of some that are not named by their faces."""
    unsaid = _unsaid(_COUNTED.sub(" ", text), picks)
    if not unsaid:
        return _numbered_cube(text, picks)
    if _FEWER.search(text) or (_ONE.search(text) and len(unsaid) > 1) or not _are_extreme(text, unsaid, districts):
        return True
    for count, what in _COUNTED.findall(text):
        alike = [pick for pick in picks if what[0] in _TABLE["colours"][pick.die[0]]]
        mine = [pick for pick in alike if pick.owner == picks[0].owner]
        if _TABLE["counts"][count] not in (len(picks), len(alike), len(mine)):
            return True
    return _numbered_cube(text, picks)


def _are_extreme(text: str, unsaid: Sequence[Pick], districts: Mapping[str, Sequence[str]]) -> bool:
    """Whether dice that are said to be high or low are of one colour and district, which has no higher or lower ones;
    of several these are not all."""
    high, low = _HIGH.search(text), _LOW.search(text)
    if not (high or low):
        return True
    owner, colour = unsaid[0].owner, unsaid[0].die[0]
    alike = sorted((dice.value(one) for one in districts.get(owner, ()) if one[0] == colour), reverse=bool(high))
    taken = sorted((dice.value(pick.die) for pick in unsaid), reverse=bool(high))
    same = all((pick.owner, pick.die[0]) == (owner, colour) for pick in unsaid)
    return same and taken == alike[: len(taken)] and (len(taken) == 1 or len(taken) < len(alike))


def _numbered_cube(text: str, picks: Sequence[Pick]) -> bool:
    """Whether a die is taken for a number that counts cubes: «and one priest cube»."""
    if not _ONE_CUBE.search(text):
        return False
    rest = _ONE_CUBE.sub(" ", text)
    return bool(_unsaid(rest, [pick for pick in picks if pick not in _unsaid(text, picks)]))


def _joins(text: str, picks: Sequence[Pick], used: Pick | None) -> bool:
    """Whether a die of the group is named only where a card is used on it."""
    if not _CARD_ON.search(text):
        return False
    before = _USING.split(text, maxsplit=1)[0]
    return used not in picks and bool(_unsaid(before, picks)) and bool(_faces(before))


def is_black(text: str, black: Sequence[int], own: Sequence[str]) -> bool:
    """Whether a number that is a black die's is taken for one's own: «counter the 4»."""
    if _BLACKNESS.search(text):
        return False
    said = Count(_faces(text))
    plain = [word for word in own if not re.search(rf"\b{_TABLE['letters'][word[0]]}{word[1]}\b", text)]
    led = {int(found[0]) for found in map(_FACE.match, (text[one.end() :] for one in _LED.finditer(text))) if found}
    once = (value for value in map(dice.value, plain) if said[value] and said[value] <= black.count(value))
    return any(value not in led for value in once) and _COLOUR.search(text) is None


def _goes_elsewhere(text: str, die: Pick, source: str) -> bool:
    """Whether a place is said to be where a citizen goes, and the die sends him elsewhere or he comes from there."""
    goal = places.BUILDING_OF[die.colour or dice.colour(die.die)] if die.colour or die.die[0] != "P" else ""
    said = _buildings(_GOAL, text)
    if not said and not _STANDS.search(text):
        said = _buildings(_INSIDE, text)
    if any(goal and one != goal for one in said):
        return True
    once = len(_buildings(_ANYWHERE, text)) < 2
    return once and source.partition(" ")[0] in said and not _STANDS.search(text)


def _buildings(pattern: re.Pattern[str], text: str) -> list[str]:
    """The buildings that a pattern finds in a text."""
    return [str(found.lastgroup) for found in pattern.finditer(text)]


def _guards_more(text: str, order: orders.Guard) -> bool:
    """Whether cubes or steps are said that the order has not."""
    if _CUBE.search(text) and (not order.cubes or _EACH.search(text)):
        return True
    steps = _ADVANCES.search(text)
    return steps is not None and order.advance != int(steps[1] or max(order.advance, 1))


def _turns_else(text: str, words: Sequence[str]) -> bool:
    """Whether a die is to show something else than its opposite face."""
    shown = _TO_FACE.search(text)
    faces = Count(dice.value(dice.flipped(word)) for word in words)
    return shown is not None and bool(faces - Count(map(int, re.findall(r"\b[1-6]\b", shown[0]))))
