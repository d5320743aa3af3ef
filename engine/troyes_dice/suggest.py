"""Lines that the grammar does not read: the one order that a line names whole, or the nearest ones to ask.

A line is read as a bag of named parts: dice, changes, plazas, uses, what pays, choices of a bonus. `covered_order`
looks among all orders that its words can mean, legal or not, for the only one that explains every part;
`suggested_orders` ranks all legal orders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise, product

from engine.catalog import Msg
from engine.errors import OrderRefused
from engine.game import Reading
from engine.kit import cover
from engine.kit.suggest import MAX_SUGGESTED, correct_spelling, rank_legal
from engine.kit.words import fold_text, kebab
from engine.troyes_dice import card_data, notation
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.actions.half_day import plan_settled
from engine.troyes_dice.card_data.sheet import COLOUR, RESOURCE, RESOURCES
from engine.troyes_dice.notation.grammar import (
    NOTHING,
    assumptions,
    bill_of,
    changes_nothing,
    fill_choices,
    passes,
    tokenize,
)
from engine.troyes_dice.notation.named_parts import Face, NamedParts, PartsReader
from engine.troyes_dice.notation.order_words import DICE, TABLE, TELLING, words_of_kinds
from engine.troyes_dice.options import legal_orders
from engine.troyes_dice.state.dice import FACES, LaidDie, laid_dice
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import RESOURCES_USE, Bonus, HalfDay, Numbering, Order

_SHORT = re.compile(r"[a-z][0-9]|[0-9][a-z]")
_COMPARED, _MADE = 2400, 20000
"""Most orders that are compared; and most where a bonus is named."""
_LEAST = 1.0
"""What a line must name for any suggestion: a use, a die, or two parts of one."""
_TELLS = re.compile(r"\b(?:i|we)(?: have|'ve)\b|\b(?:am|suis)\b")
"""Words that tell how things are."""
_SMALL = cover.SMALL - {"by"}


# The one order that a line names whole.


def covered_order(state: DiceState, seat: str, line: str) -> Reading[Order] | None:
    """Return the half day that alone explains each word of a line and is said whole, or None.

    Legality is checked last: it does not tell orders apart.
    """
    text = cover.coverable_text(line)
    if not text or _TELLS.search(fold_text(line)) or sealed_answers.asked_kind(state, seat) != sealed_answers.HALF_DAY:
        return None
    terms = [term for term in tokenize(text) if term.kind != "unknown" or term.typed not in _SMALL]
    terms = [one for one, after in pairwise((*terms, NOTHING)) if one.kind != "die" or after.kind != "resource"]
    if any(term.kind == "unknown" and term.typed != "by" for term in terms) or passes(terms) or changes_nothing(terms):
        return None
    bag, there = PartsReader(sealed_answers.HALF_DAY, terms).read(), laid_dice(state)
    if bag.left or bag.numbers:
        return None
    order = cover.only_order(order for order in _meant(state, bag, there) if _Explains(bag, there, order).holds())
    if order is None:
        return None
    told: list[Msg] = []
    bonus = tuple((on, column or None) for on, column in bag.bonus)
    try:
        whole, _ = plan_settled(state, seat, fill_choices(state, seat, order, bonus, told))
    except OrderRefused:
        return None
    names_die = any(face.colour and face.value and not face.made for face in bag.faces)
    at = max((*bag.columns, *(column for _, column in bag.uses)), default=0) or None
    return Reading(whole, notation.write_order(state, seat, whole), (*assumptions(state, whole, names_die, at), *told))


def _meant(state: DiceState, bag: NamedParts, dice: Sequence[LaidDie]) -> Iterator[HalfDay]:
    """Yield every order that can be made of the named parts, whatever it costs."""
    made = [face for face in bag.faces if face.made]
    uses = dict.fromkeys(row for row, _ in bag.uses) or (RESOURCES_USE,)
    for die in filter(lambda die: die.usable, dice):
        colours = dict.fromkeys((die.colour, *(face.colour for face in made if face.colour)))
        told = (*(face.value for face in made if face.value), *(die.value + n for n in bag.steps))
        values = dict.fromkeys((die.value, *told))
        pays = dict.fromkeys(one.resource for one in bag.amounts if one.resource in RESOURCES) if die.any else ("",)
        for colour, value, use, pay in product(colours, values, uses, pays):
            if use == RESOURCES_USE:
                yield HalfDay(die.slot, colour, value, use, 0, pay)
            elif COLOUR[use] == colour and value in FACES:
                yield HalfDay(die.slot, colour, value, use, state.column(value), pay)


class _Explains:
    """Compares a half day with all named parts."""

    def __init__(self, bag: NamedParts, dice: Sequence[LaidDie], order: HalfDay) -> None:
        self.bag, self.dice, self.order, self.die = bag, dice, order, dice[order.slot]
        self.turned, self.moved = order.colour != self.die.colour, order.value - self.die.value

    def holds(self) -> bool:
        """True if the order explains every part, and the parts say all of it."""
        return self._use() and self._die() and self._change() and self._price()

    def _use(self) -> bool:
        bag, order = self.bag, self.order
        if order.use == RESOURCES_USE:
            return not bag.uses and not bag.columns
        uses = (*bag.uses, *((order.use, column) for column in bag.columns))
        return all(use == order.use and column in (0, order.column) for use, column in uses)

    def _die(self) -> bool:
        """True if the die is named, once, and no other is."""
        bag, die = self.bag, self.die
        faces = [face for face in bag.faces if not face.made]
        if len(faces) > 1 or not all(map(self._lies, faces)):
            return False
        if any(plaza != die.slot + 1 for plaza in bag.plazas):
            return False
        if not all(_costs_so(die, price, self.dice) for price in bag.prices):
            return False
        shown = bag.plazas or bag.prices or bag.changes or bag.steps
        return bool(shown and (faces or bag.plazas or bag.prices)) or any(face.value or face.told for face in faces)

    def _lies(self, face: Face) -> bool:
        """True if the die is called so: by what it counts, or by what it shows if no other die counts that."""
        if face.fits(self.die.colour, self.die.value):
            return True
        others = any(face.fits(one.colour, one.value) for one in self.dice)
        return bool(face.fits(self.die.colour, self.die.face)) and not others

    def _change(self) -> bool:
        """True if every change of the die is named, and every named change is made."""
        bag, order = self.bag, self.order
        made = [face for face in bag.faces if face.made]
        if not all(face.fits(order.colour, order.value) for face in made) or any(n != self.moved for n in bag.steps):
            return False
        if (made or bag.changes or bag.ways) and not (self.turned or self.moved):
            return False
        return all((self.moved > 0) == (way == "up") and self.moved for way in bag.ways)

    def _price(self) -> bool:
        """True if each named resource is gained or paid, as much as said; and what pays is named."""
        order, die, left = self.order, self.die, list(self.bag.amounts)
        if order.use == RESOURCES_USE:
            gain = (RESOURCE[order.colour], "resources")
            gained = [one for one in left if one.resource in gain and one.n in (0, order.value) and not one.paid]
            if not gained:
                return False
            left.remove(max(gained, key=lambda one: one.n))
        if (bill := bill_of(die, order)) is None:
            return False
        for one in left:
            changes = {"influence": die.values.get(order.value, 0), "knowledge": die.colours.get(order.colour, 0)}
            change = changes.get(one.resource, 0)
            if one.n not in (0, total := bill.get(one.resource, 0), change, total - change) or not total:
                return False
            if not (one.n or one.paid):
                return False  # «bishopric, influence» may be one or the other
        paid = [one for one in left if one.resource == order.pay]
        if not order.pay or bill[order.pay] == die.any + die.price.get(order.pay, 0):
            return not order.pay or bool(paid)
        # What changes the die says nothing of what pays for it, unless the sum does or each is said.
        return len(paid) > 1 or [one.n for one in paid] == [bill[order.pay]]


def _costs_so(die: LaidDie, price: str, dice: Sequence[LaidDie]) -> bool:
    """True if the die is free, the cheapest or the dearest."""
    costs = [sum(one.price.values()) + one.any for one in (die, *dice) if one.usable]
    return costs[:1] == [{"free": 0, "cheap": min(costs), "dear": max(costs)}[price]]


# The nearest orders.


def suggested_orders(
    state: DiceState, seat: str, line: str, plays: Callable[[Order], bool], language: str
) -> tuple[str, ...]:
    """Return up to three legal orders, the nearest to a line first. `plays` tells whether an order is legal now.

    The order that does least is nearest to passing.
    """
    if passes(tokenize(line)):
        return (notation.write_order(state, seat, legal_orders.default_order(state, seat), language),)
    found = dict.fromkeys(islice(_nearest(state, seat, line, plays, language), MAX_SUGGESTED + 1))
    return tuple(text for text in found if kebab(text) != kebab(line))[:MAX_SUGGESTED]


def _nearest(state: DiceState, seat: str, line: str, plays: Callable[[Order], bool], language: str) -> Iterator[str]:
    """Yield the nearest orders as lines."""
    kind = sealed_answers.asked_kind(state, seat)
    bag = PartsReader(kind, tokenize(correct_spelling(line, _is_known, lambda: _HERE))).read()
    if bag.weight < _LEAST:
        return
    likeness = _Likeness(bag, laid_dice(state) if kind == sealed_answers.HALF_DAY else ())
    # There are very many ways to choose for a bonus; those that were named may stand last.
    some = islice(legal_orders.every_order(state, seat), _MADE if bag.bonus else _COMPARED)
    for order in rank_legal(some, likeness.of, plays):
        yield notation.write_order(state, seat, order, language)


def _parts(words: Iterable[str]) -> frozenset[str]:
    """Words in kebab-case, and their parts."""
    return frozenset(part for word in words for part in (word, *word.split("-")))


_HERE = _parts(words_of_kinds(*TELLING, "face", "way"))
"""The words of orders."""
_KNOWN = _HERE | DICE | cover.SMALL | _parts((*words_of_kinds(*TABLE), *card_data.known_names()))


def _is_known(word: str) -> bool:
    return word in _KNOWN or word.isdecimal() or _SHORT.fullmatch(word) is not None


class _Likeness:
    """Scores how near an order is to the named parts; `dice` lie on the plazas."""

    def __init__(self, bag: NamedParts, dice: tuple[LaidDie, ...]) -> None:
        self.bag, self.dice = bag, dice

    def of(self, order: Order) -> float:
        """Return how near an order is."""
        if isinstance(order, HalfDay):
            die = self.dice[order.slot]
            return self._die(die) + self._made(order, die) + self._use(order) + self._bonus(order.bonus)
        if isinstance(order, Bonus):
            return self._bonus(order.choices) + 1.0
        if not isinstance(order, Numbering):
            return 0.0
        told = (*self.bag.columns, *self.bag.numbers, *(face.value for face in self.bag.faces))
        alike = sum(one == other for one, other in zip(order.numbers, told, strict=False))
        return 1.0 + 2.0 * (order.way in self.bag.ways) + 0.5 * alike

    def _die(self, die: LaidDie) -> float:
        bag, found = self.bag, 0.0
        if bag.plazas:
            found += 2.0 if die.slot + 1 in bag.plazas else -1.5
        if faces := [face for face in bag.faces if not face.made]:
            found += 1.3 * max(max(face.fits(die.colour, die.face), face.fits(die.colour, die.value)) for face in faces)
        elif any(number in (die.face, die.value) for number in bag.numbers):
            found += 0.6
        if bag.prices:
            found += 1.5 if _costs_so(die, bag.prices[0], self.dice) else -1.0
        return found + sum(0.8 * (bool(one.n) and die.price.get(one.resource, 0) == one.n) for one in bag.amounts)

    def _made(self, order: HalfDay, die: LaidDie) -> float:
        """Score the change of the die, named or not."""
        bag, found = self.bag, 0.0
        turned, moved = order.colour != die.colour, order.value - die.value
        others = [face for face in bag.faces if face.made or not face.fits(die.colour, die.value)]
        told = (face.fits(order.colour, order.value) * (1.2 if face.made or bag.changes else 0.8) for face in others)
        found += max(told, default=0.0)
        column = (order.use, order.column) in bag.uses or (bool(order.column) and order.column in bag.columns)
        knowledge, influence = die.colours[order.colour], die.values[order.value]
        if turned and not any(face.colour == order.colour for face in others):
            found -= 0.7 if self._costs(knowledge, "knowledge") or bag.changes else 1.6
        if moved and not (any(face.value == order.value for face in others) or column or moved in bag.steps):
            found -= (0.6 if self._costs(influence, "influence") else 1.4) + 0.1 * abs(moved)
        if bag.steps:
            found += 1.5 if moved in bag.steps else -0.7
        if not (turned or moved) and (bag.changes or bag.ways):
            found -= 0.8
        found += 0.8 * (turned and self._costs(knowledge, "knowledge"))
        return found + 0.8 * (bool(moved) and self._costs(influence, "influence"))

    def _costs(self, n: int, resource: str) -> bool:
        return any((one.n, one.resource) == (n, resource) for one in self.bag.amounts)

    def _use(self, order: HalfDay) -> float:
        bag, named = self.bag, self.bag.gains
        if order.use == RESOURCES_USE:
            gain = RESOURCE[order.colour]
            said = [one for one in (gain, "resources") if one in named][:1]
            for one in said:
                named.remove(one)
            found = 2.5 if said or self._costs(order.value, gain) else 0.3 if gain in bag.pays else -0.6
            found -= 1.2 * bool(bag.uses)
        else:
            columns = [column or next(iter(bag.columns), 0) for use, column in bag.uses if use == order.use]
            found = 3.0 if columns else -1.5
            found += 1.0 if order.column in columns else -1.2 if columns and 0 not in columns else 0.0
            found += 0.4 * (bool(columns) and order.column in bag.numbers)
        if order.pay:
            found += 1.2 if order.pay in bag.pays else 0.8 if order.pay in named else -0.2
        return found

    def _bonus(self, choices: tuple[str, ...]) -> float:
        found, left = 0.0, list(self.bag.bonus)
        for choice in choices:
            on, _, column = choice.partition(" ")
            said = next((one for one in left if one[0] == on and one[1] in (0, int(column or 0))), None)
            if said is None:
                found -= 0.1 if any(one[0] == on or str(one[1] or "-") == column for one in left) else 0.4
                continue
            left.remove(said)
            found += 1.5 + 0.5 * bool(said[1])
        return found
