"""Legal orders nearest to a line that was refused.

A line is taken for a bag of what it names: dice, what one is made, plazas, uses, what pays, choices of a bonus; no
sentence is understood. Every order that is open to the seat is compared with it: there are some hundreds at most.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice

from engine.kit.nearness import MOST, is_talk, likest, readings, respelled, right
from engine.kit.words import kebab
from engine.troyes_dice import box, notation
from engine.troyes_dice.actions import answers
from engine.troyes_dice.box.sheet import RESOURCE
from engine.troyes_dice.moves import legal
from engine.troyes_dice.notation.meaning import price_of
from engine.troyes_dice.notation.terms import Typed, passes, terms_of
from engine.troyes_dice.notation.words import DICE, TABLE, TELLING, spelled
from engine.troyes_dice.state.dice import Laid, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, Bonus, HalfDay, Numbering, Order
from engine.troyes_dice.state.state import DiceState

_SHORT = re.compile(r"[a-z][0-9]|[0-9][a-z]")
_COMPARED, _MADE = 2400, 20000
"""Orders that are compared, and of those with the choices of a bonus, which are very many, that are made."""
_LEAST = 1.0
"""What a line must name for any order to be suggested: a use, a die, or two parts of one."""


def repairs(state: DiceState, seat: str, line: str, plays: Callable[[Order], bool], language: str) -> tuple[str, ...]:
    """Up to three legal orders, the nearest to a line first. `plays` tells whether an order is legal now.

    Nearest to passing is what does least.
    """
    if passes(terms_of(line)):
        return (notation.write(state, seat, legal.default(state, seat), language),)
    if is_talk(line, _is_known, _is_die):
        return ()
    slipped = readings(respelled(line, _is_known, _here()), lambda text: notation.read(state, seat, text).order)
    read = (notation.write(state, seat, order, language) for order in slipped if plays(order))
    every = chain(read, nearest(state, seat, line, plays, language))
    found = {text: None for text in every if kebab(text) != kebab(line)}
    return tuple(found)[:MOST]


def nearest(state: DiceState, seat: str, line: str, plays: Callable[[Order], bool], language: str) -> Iterator[str]:
    """The same by likeness alone: as if no sentence could be read; lazily."""
    kind = answers.asked_kind(state, seat)
    wish = _TermReader(kind, terms_of(_put_right(line))).read()
    if wish.weight < _LEAST:
        return
    likeness = _Likeness(wish, laid(state) if kind == answers.HALF_DAY else ())
    some: Iterator[Order] = islice(legal.every(state, seat), _COMPARED)
    if kind == answers.HALF_DAY and wish.bonus:
        # There are very many ways to choose; those that were told, or paid, may stand last.
        every = islice(legal.every(state, seat), _MADE)
        some = chain(islice(filter(wish.is_near, every), _COMPARED), some)
    for order in likest(dict.fromkeys(some), likeness.of, plays):
        yield notation.write(state, seat, order, language)


# Words.


@cache
def _here() -> frozenset[str]:
    """The words of orders, names also in their parts."""
    words = spelled(*TELLING, "face", "way")
    return frozenset(words) | {part for word in words for part in word.split("-")}


@cache
def _known() -> frozenset[str]:
    names = (*spelled(*TABLE), *box.words())
    return _here() | DICE | {part for name in names for part in (name, *name.split("-"))}


def _is_known(word: str) -> bool:
    return word in _known() or word.isdecimal() or _SHORT.fullmatch(word) is not None


@cache
def _colours() -> frozenset[str]:
    return frozenset(spelled("colour"))


def _is_die(word: str) -> bool:
    """Whether a word is a die, or its colour."""
    return word in _colours() or _SHORT.fullmatch(word) is not None


def _put_right(line: str) -> str:
    """The line with each unknown word turned into the one that it is likely a slip of."""
    return right(line, _is_known, _here)


# What a line names.


@dataclass(frozen=True, slots=True)
class _Face:
    """A die as it is called: its colour and value, each empty where it is not said; `made`: it is to become so."""

    colour: str = ""
    value: int = 0
    made: bool = False

    def fits(self, colour: str, value: int) -> float:
        """How well a die answers it; 0 where it is another."""
        if self.colour not in ("", colour) or self.value not in (0, value):
            return 0.0
        return 1.2 * bool(self.colour) + 1.0 * bool(self.value)


@dataclass(slots=True)
class _Named:
    """What a line names of an order."""

    faces: list[_Face] = field(default_factory=list)
    plazas: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    uses: list[tuple[str, int]] = field(default_factory=list)
    """Buildings with their columns, 0 where none is said."""
    gains: list[str] = field(default_factory=list)
    """Resources that are named and not said to be paid."""
    pays: list[str] = field(default_factory=list)
    amounts: list[tuple[int, str]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    bonus: list[tuple[str, int]] = field(default_factory=list)
    price: str = ""
    way: str = ""
    counts: bool = False
    """Whether columns are said to be numbered."""
    changes: bool = False
    """Whether a die is said to be made another."""

    def is_near(self, order: Order) -> bool:
        """Whether an order of a half day pays what is named, and chooses some of it for its bonus."""
        if not isinstance(order, HalfDay) or (self.pays and order.pay not in self.pays):
            return False
        told = {on for on, _ in self.bonus}
        return any(choice.partition(" ")[0] in told for choice in order.bonus)

    @property
    def weight(self) -> float:
        """How much of an order is named."""
        uses = bool(self.uses) + bool(self.gains or self.pays) + bool(self.bonus) + bool(self.way and self.numbers)
        faces = sum(0.5 * bool(face.colour) + 0.5 * bool(face.value) for face in self.faces)
        return self.counts + uses + faces + 0.5 * bool(self.plazas) + 0.5 * bool(self.price) + 0.3 * len(self.numbers)


class _TermReader:
    """The terms of a line, passed once."""

    def __init__(self, kind: str, terms: Sequence[Typed]) -> None:
        self.wish, self.terms, self.at = _Named(), terms, 0
        self.asks_bonus = self.chooses = kind == answers.BONUS
        """Whether a bonus is asked, and whether what is named now is chosen for one."""
        self.pays = self.makes = False
        self.way = 0

    def read(self) -> _Named:
        """All that is named."""
        wish = self.wish
        while self.at < len(self.terms):
            self.at += self._term()
        if not (self.asks_bonus or wish.uses or wish.faces or wish.gains):
            wish.uses, wish.bonus = wish.bonus, []
        return wish

    def _ahead(self, steps: int = 1) -> Typed:
        at = self.at + steps
        return self.terms[at] if at < len(self.terms) else Typed("", "", "")

    def _number(self, steps: int = 1) -> int:
        term = self._ahead(steps)
        return term.number if term.kind in ("number", "ordinal") else 0

    def _term(self) -> int:
        """Take what stands here; how many terms it is."""
        term, wish = self._ahead(0), self.wish
        match term.kind:
            case "colour" | "letter":
                return self._colour(term)
            case "number" | "ordinal":
                return self._numbered(term)
            case "building":
                return self._building(term)
            case "resource":
                (wish.pays if self.pays else wish.gains).append(term.means)
                self.pays = False
            case "plaza" if number := self._number():
                wish.plazas.append(number)
                return 2
            case "numbering":
                wish.counts = True
            case "pay":
                self.pays = True
            case "bonus":
                self.chooses = True
                if self.asks_bonus or not wish.uses or self._ahead().kind in ("building", "colour"):
                    return 1
                self._was_bonus()
            case "face" | "to" | "change":
                self.makes = term.kind != "to" or self.makes
            case "way" | "sum":
                self.way, wish.way = (1 if term.means == "up" else -1), term.means
                wish.changes = True
            case "price":
                wish.price = term.means
            case "mark":
                self.pays = False
        return 1

    def _was_bonus(self) -> None:
        """What was named last is chosen for the bonus: «cathedral 4 for the bonus»."""
        self.wish.bonus.append(self.wish.uses.pop())
        self.chooses = False

    def _colour(self, term: Typed) -> int:
        width = 2 if self._ahead().kind == "die" else 1
        value = self._number(width) if self._ahead(width).kind == "number" else 0
        behind, plaza = self._ahead(width + 1).kind, self._number(width + 2)
        if value and (behind == "resource" or (behind == "plaza" and not plaza) or self._ahead(width).typed == "one"):
            value = 0  # «the red one»
        if self.chooses and not value:
            self.wish.bonus.append((term.means, 0))
        else:
            self.chooses = self.asks_bonus
            self._face(_Face(term.means, value, self.makes))
        return width + bool(value)

    def _face(self, face: _Face) -> None:
        self.wish.faces.append(face)
        self.wish.changes = self.wish.changes or face.made
        self.makes = False

    def _numbered(self, term: Typed) -> int:
        wish, after = self.wish, self._ahead()
        if after.kind in ("colour", "letter") and term.kind == "number":
            self._face(_Face(after.means, term.number, self.makes))
            return 2
        if after.kind == "plaza":
            wish.plazas.append(term.number)
            return 2
        if after.kind == "resource":
            wish.amounts.append((term.number, after.means))
            return 1
        before = self._ahead(-1) if self.at else Typed("", "", "")
        if self.way and before.kind in ("way", "sum", "to", "nothing", "for"):
            if before.kind == "to":
                self._face(_Face("", term.number, made=True))
            else:
                wish.steps.append(self.way * term.number)
            self.way = 0
        elif self.makes or before.kind in ("to", "face"):
            self._face(_Face("", term.number, made=True))
        else:
            wish.numbers.append(term.number)
        return 1

    def _building(self, term: Typed) -> int:
        width = 2 if self._ahead().kind == "column" else 1
        column = self._number(width)
        behind = self._ahead(width + 1).kind
        if column and behind in ("resource", "colour", "letter", "plaza"):
            column = 0
        (self.wish.bonus if self.chooses else self.wish.uses).append((term.means, column))
        self.chooses = self.asks_bonus
        return width + bool(column) if column else 1


# How near an order is.


class _Likeness:
    """A wish, to be compared with orders; `dice` are those that lie there."""

    def __init__(self, wish: _Named, dice: tuple[Laid, ...]) -> None:
        self.wish, self.dice = wish, dice
        self.least = min((price_of(die) for die in dice if die.usable), default=0)

    def of(self, order: Order) -> float:
        """How near an order is."""
        if isinstance(order, HalfDay):
            die = self.dice[order.slot]
            return self._die(die) + self._made(order, die) + self._use(order, die) + self._bonus(order.bonus)
        if isinstance(order, Bonus):
            return self._bonus(order.choices) + 1.0
        return self._numbering(order) if isinstance(order, Numbering) else 0.0

    def _numbering(self, order: Numbering) -> float:
        found = 1.0 + (2.0 * (order.way == self.wish.way) if order.way else 0.0)
        told = [*self.wish.numbers, *(face.value for face in self.wish.faces)]
        return found + sum(one == other for one, other in zip(order.numbers, told, strict=False)) * 0.5

    def _lying(self) -> list[_Face]:
        return [face for face in self.wish.faces if not face.made]

    def _die(self, die: Laid) -> float:
        wish, found = self.wish, 0.0
        if wish.plazas:
            found += 2.0 if die.slot + 1 in wish.plazas else -1.5
        if faces := self._lying():
            found += 1.3 * max(max(face.fits(die.colour, die.face), face.fits(die.colour, die.value)) for face in faces)
        elif any(number in (die.face, die.value) for number in wish.numbers):
            found += 0.6
        if wish.price:
            dearest = max(map(price_of, self.dice))
            wanted = {"free": 0, "cheap": self.least, "dear": dearest}.get(wish.price, 0)
            found += 1.5 if price_of(die) == wanted else -1.0
        for amount, resource in wish.amounts:
            found += 0.8 * (die.price.get(resource, 0) == amount)
        return found

    def _made(self, order: HalfDay, die: Laid) -> float:
        """What the die is made, as it is said or not."""
        wish, found = self.wish, 0.0
        turned, moved = order.colour != die.colour, order.value - die.value
        others = [face for face in wish.faces if face.made or not face.fits(die.colour, die.value)]
        told = (face.fits(order.colour, order.value) * (1.2 if face.made or wish.changes else 0.8) for face in others)
        found += max(told, default=0.0)
        column = (order.use, order.column) in wish.uses
        if turned and not any(face.colour == order.colour for face in others):
            found -= 0.7 if self._costs(die.colours[order.colour], "knowledge") or wish.changes else 1.6
        if moved and not (any(face.value == order.value for face in others) or column or moved in wish.steps):
            found -= (0.6 if self._costs(die.values[order.value], "influence") else 1.4) + 0.1 * abs(moved)
        if wish.steps:
            found += 1.5 if moved in wish.steps else -0.7
        if not (turned or moved) and wish.changes:
            found -= 0.8
        return found + 0.8 * (turned and self._costs(die.colours[order.colour], "knowledge")) + 0.8 * (
            bool(moved) and self._costs(die.values[order.value], "influence")
        )

    def _costs(self, amount: int, resource: str) -> bool:
        return (amount, resource) in self.wish.amounts

    def _use(self, order: HalfDay, die: Laid) -> float:
        wish = self.wish
        named = list(wish.gains)
        if order.use == RESOURCES_USE:
            gain = RESOURCE[order.colour]
            if gain in named or "resources" in named:
                named.remove(gain if gain in named else "resources")
                found = 2.5
            else:
                found = 0.3 if gain in wish.pays else -0.6
            found -= 1.2 * bool(wish.uses)
        else:
            columns = [column for use, column in wish.uses if use == order.use]
            found = 3.0 if columns else -1.5
            found += 1.0 if order.column in columns else -1.2 if columns and 0 not in columns else 0.0
            found -= 0.0 if not columns or order.column not in wish.numbers else -0.4
        if order.pay:
            found += 1.2 if order.pay in wish.pays else 0.8 if order.pay in named else -0.2
        return found

    def _bonus(self, choices: tuple[str, ...]) -> float:
        found, left = 0.0, list(self.wish.bonus)
        for choice in choices:
            on, _, column = choice.partition(" ")
            said = next((one for one in left if one[0] == on and one[1] in (0, int(column or 0))), None)
            if said is not None:
                left.remove(said)
                found += 1.5 + 0.5 * bool(said[1])
            else:
                alike = any(one[0] == on or (column and str(one[1]) == column) for one in left)
                found -= 0.1 if alike else 0.4
        return found
