"""What a line says beside its order that the order does not do: fewer dice than are taken, another place, a cube more.

The grammar passes small words over, so that «fight the brigands with both my big reds» takes all three of them. An
order that was read is held against the words that limit it, and asked back where it may be less or more than they say:
a list of phrases is never complete, but each of these changes what is done.
"""

from __future__ import annotations

import re
from collections import Counter as Count
from collections.abc import Sequence
from contextlib import suppress

from engine.errors import OrderRefused
from engine.kit.scruple import NO_PAYING
from engine.kit.words import folded
from engine.troyes.notation.writing import most_cubes
from engine.troyes.state import dice, orders, places
from engine.troyes.state.orders import Order
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.state import TroyesState

_COLOUR = r"(?:reds?|whites?|yellows?|purples?|rouges?|blancs?|blanches?|jaunes?|mauves?|violets?)"
_NUMBERS = {**dict.fromkeys(("both", "two", "deux", "pair"), 2), **dict.fromkeys(("three", "trois"), 3)}
_LETTERS = {"r": "r", "w": "w", "b": "w", "y": "y", "j": "y", "p": "p", "m": "p", "v": "p"}
"""How the words for a colour begin, and how its name does."""
_TYPED = {"R": "r", "W": "[wb]", "Y": "[yj]", "P": "[pm]"}
"""How the letter of a die is typed in either language."""
_VALUES = ("", "one|un|une", "two|deux", "three|trois", "four|quatre", "five|cinq", "six")
_HIGH = re.compile(
    r"\b(?:highest|best|biggest|largest|strongest|higher|bigger|larger|stronger|better|big|high|large|gros|grosses?|grands?"
    r"|grandes?|forts?|hauts?|meilleure?s?)\b"
)
_LOW = re.compile(
    r"\b(?:lowest|worst|smallest|weakest|lower|smaller|weaker|small|low|weak|petits?|petites?|bas|faibles?|pires?)\b"
)
"""Words that tell of which dice it is said."""
_FEWER = re.compile(r"\b(?:half|moitie|keep(?:ing)?|spare|sparing|leftover|except|gard(?:e|ant|er)|sauf|excepte)\b")
"""Words that tell that it is not said of all."""
_ONE = re.compile(
    rf"\b(?:an?|one|une?|single|the|le)\s+(?:\w+\s+)?{_COLOUR}\s+(?:die|one)\b"
    rf"|\b(?:an?|one|une?|single)\s+{_COLOUR}\s+(?:dice|des?)\b"
)
_COUNTED = re.compile(
    rf"\b(both|two|deux|pair|three|trois)\s+(?:of\s+)?(?:my\s+|the\s+|mes\s+)?(?:(?!black|noir)\w+\s+)??"
    rf"({_COLOUR}(?=\s+(?:dice|ones))|(?:red|white|yellow|purple|rouge|blanc|blanche|jaune|mauve|violet)s|dice|des)\b"
)
_PLACE = r"(?:city[ -]?hall|town[ -]?hall|hotel[ -]de[ -]ville|palace|palais|bishopric|eveche)"
_GOAL = re.compile(rf"\b(?:to|into|onto|vers)\s+(?:the\s+|le\s+|la\s+|l\W?\s*)?({_PLACE})")
_INSIDE = re.compile(rf"\b(?:in|at|dans|a|au|aux|sur|on)\s+(?:the\s+|le\s+|la\s+|l\W?\s*)?({_PLACE})")
_STANDS = re.compile(
    r"\b(?:from|out of|off|de|du|des|depuis|lying|lies|stands?|standing|sits?|sitting|who|that|qui|couche\w*|debout|est"
    r"|is)\b"
)
_CUBE = re.compile(r"\bcubes?\b")
_EACH = re.compile(r"\b(?:each|every|all|apiece|chacun\w*|chaque|tous|toutes|rest|reste)\b")
_APIECE = re.compile(r"\b(?:each|apiece|chacun\w*)\b")
_ADVANCES = re.compile(r"\b(?:advance|forward|avance\w*)\b(?:\s+(?:by\s+|de\s+)?([1-9])\b)?")
_TO_FACE = re.compile(r"\b(?:to|into|en)\s+(?:an?\s+|une?\s+)?[1-6]\b.*")
_ONE_OF = re.compile(r"\b(?:one|une?|1)\s+(?:\w+[\s-]){1,2}cubes?\b")
_TURNED = re.compile(r"\b(?:turned|flipped|upside|retourne\w*)\b")
_CARD_ON = re.compile(r"\busing\b.*\bon\b|\bavec\b.*\bsur\b")
_OPTION = re.compile(r"\W*\d{1,2}\W*\(.*\)\W*")
_TAKES = re.compile(r"\buse\s+\d|\b(?:money|deniers?|coins?|argent|sous|take them|take it)\b")
_PUTS = re.compile(r"\b(?:place|put|pose\w*|mets|mettre)\b(?:\s+\w+)*\s+(?:\d|cubes?)")
"""What a card with cubes is also there for."""


def amiss(state: TroyesState, seat: str, line: str, order: Order) -> bool:
    """Whether a line that is no canonical one may say something else, or more, than the order does."""
    text, own = folded(line), state.dice.get(seat, [])
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
            return _turns_else(text, words) or _takes_others(text, [Pick(seat, word) for word in words], own)
        case orders.Activate():
            mixed, other = order.targets[:1], {("place",): _TAKES, ("use",): _PUTS}
            return (
                (mixed in other and other[mixed].search(text) is not None)
                or _takes_others(text, order.dice, own)
                or _joins(text, order.dice, order.using.die)
            )
        case orders.Fight():
            each = _APIECE.search(text) and _CUBE.search(text)
            told = order.using.card and _ONE_OF.search(text)
            fewer = told and order.cubes < _most(state, seat, order)
            return bool(each or fewer) or _takes_others(text, order.dice, own)
        case orders.Build() | orders.Farm():
            return _takes_others(text, order.dice, own) or _joins(text, order.dice, order.using.die)
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
    said = [int(one) for one in re.findall(r"(?<![\d.])[1-6](?![\d.])", text)]
    return said + [value for value, words in enumerate(_VALUES) if words for _ in re.findall(rf"\b(?:{words})\b", text)]


def _takes_others(text: str, picks: Sequence[Pick], own: Sequence[str]) -> bool:
    """Whether words that limit dice are said of some that are not named by their faces."""
    unsaid = _unsaid(re.sub(_COUNTED, " ", text), picks)
    if not unsaid:
        return _numbered_cube(text, picks)
    if _FEWER.search(text) or (_ONE.search(text) and len(unsaid) > 1) or not _is_extreme(text, unsaid, own):
        return True
    for count, what in _COUNTED.findall(text):
        alike = [pick for pick in picks if dice.colour(pick.die)[0] == _LETTERS.get(what[0], "")]
        mine = [pick for pick in alike if pick.owner == picks[0].owner]
        if _NUMBERS[count] not in (len(picks), len(alike), len(mine)):
            return True
    return _numbered_cube(text, picks)


def _is_extreme(text: str, unsaid: Sequence[Pick], own: Sequence[str]) -> bool:
    """Whether a die that is said to be high or low is one of one's own, and there is no higher or lower one."""
    high, low = _HIGH.search(text), _LOW.search(text)
    if not (high or low):
        return True
    word = unsaid[0].die
    alike = [dice.value(other) for other in own if other[0] == word[0]]
    return len(unsaid) == 1 and bool(alike) and dice.value(word) == (max if high else min)(alike)


def _numbered_cube(text: str, picks: Sequence[Pick]) -> bool:
    """Whether a die is taken for a number that counts cubes: «and one priest cube»."""
    if not _ONE_OF.search(text):
        return False
    rest = _ONE_OF.sub(" ", text)
    return bool(_unsaid(rest, [pick for pick in picks if pick not in _unsaid(text, picks)]))


def _joins(text: str, picks: Sequence[Pick], used: Pick | None) -> bool:
    """Whether a die of the group is named only where a card is used on it."""
    if not _CARD_ON.search(text):
        return False
    before = re.split(r"\busing\b|\bavec\b(?=.*\bsur\b)", text, maxsplit=1)[0]
    return used not in picks and bool(_unsaid(before, picks)) and bool(_faces(before))


def is_black(text: str, black: Sequence[int], own: Sequence[str]) -> bool:
    """Whether a number that is a black die's is taken for one's own: «counter the 4»."""
    said = Count(_faces(text))
    plain = [word for word in own if not re.search(rf"\b{_TYPED[word[0]]}{word[1]}\b", text)]
    return any(
        said[dice.value(word)] and said[dice.value(word)] < black.count(dice.value(word)) + 1 for word in plain
    ) and not re.search(rf"\b{_COLOUR}\b", text)


def _goes_elsewhere(text: str, die: Pick, source: str) -> bool:
    """Whether a place is said to be where a citizen goes, and the die sends him elsewhere or he comes from there."""
    goal = places.BUILDING_OF[die.colour or dice.colour(die.die)] if die.colour or die.die[0] != "P" else ""
    said = [_building(one) for one in _GOAL.findall(text)]
    if not said and not _STANDS.search(text):
        said += [_building(one) for one in _INSIDE.findall(text)]
    if any(goal and one != goal for one in said):
        return True
    once = len(re.findall(_PLACE, text)) < 2
    return once and source.partition(" ")[0] in said and not _STANDS.search(text)


def _building(word: str) -> str:
    first = word[0]
    return {"p": "palace", "b": "bishopric", "e": "bishopric"}.get(first, "city_hall")


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
