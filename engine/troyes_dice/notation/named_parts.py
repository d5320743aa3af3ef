"""The parts of an order that a line names, in any arrangement: dice, changes, plazas, uses, what pays, a bonus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.notation.grammar import NOTHING, OrderToken

_ONE = ("one", "un", "une")
"""Numbers that mostly count nothing: «the red one»."""
_STEPS = ("up", "down", "+", "-", "plus", "minus", "moins", "by", "de")
"""Words before a number that says by how much; behind «raise the» it may be the die."""
_SHOWS = ("with", "die", "for", "face", "to", "change", "way")
"""Kinds of terms that make a colour next to them a die."""
_UNUSED = ("citizen", "numbering", "black", "ordinal")
"""Kinds of terms that no half day explains."""


@dataclass(frozen=True, slots=True)
class Face:
    """A die as it is called: colour and value, each empty if not said. `made`: it is to become so.

    `told`: the words next to its colour say that it is a die: «the white die», «with white».
    """

    colour: str = ""
    value: int = 0
    made: bool = False
    told: bool = True

    def fits(self, colour: str, value: int) -> float:
        """Return how well a die answers it; 0 if it is another."""
        if self.colour not in ("", colour) or self.value not in (0, value):
            return 0.0
        return 1.2 * bool(self.colour) + 1.0 * bool(self.value)


@dataclass(frozen=True, slots=True)
class Amount:
    """A named resource with its amount (0: not said); `paid`: it is said to be paid."""

    resource: str
    n: int = 0
    paid: bool = False


@dataclass(slots=True)
class NamedParts:
    """All that a line names of an order."""

    faces: list[Face] = field(default_factory=list)
    plazas: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    uses: list[tuple[str, int]] = field(default_factory=list)
    """Buildings with their columns, 0 if none is said."""
    columns: list[int] = field(default_factory=list)
    amounts: list[Amount] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    bonus: list[tuple[str, int]] = field(default_factory=list)
    prices: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    counts: bool = False
    """True if columns are numbered, or a bonus is spoken of."""
    changes: bool = False
    """True if a die is said to be changed."""
    left: bool = False
    """True if a term is left that no half day explains."""

    @property
    def gains(self) -> list[str]:
        """Resources named without an amount and not said to be paid."""
        return [one.resource for one in self.amounts if not one.n and not one.paid]

    @property
    def pays(self) -> list[str]:
        """Resources said to be paid."""
        return [one.resource for one in self.amounts if one.paid]

    @property
    def weight(self) -> float:
        """How much of an order is named."""
        uses = bool(self.uses) + bool(self.amounts) + bool(self.bonus) + bool(self.ways and self.numbers)
        faces = sum(0.5 * bool(face.colour) + 0.5 * bool(face.value) for face in self.faces)
        return self.counts + uses + faces + 0.5 * bool(self.plazas) + 0.5 * bool(self.prices) + 0.3 * len(self.numbers)


class PartsReader:
    """Reads the terms of a line, once."""

    def __init__(self, kind: str, terms: Sequence[OrderToken]) -> None:
        self.bag, self.terms, self.at = NamedParts(), terms, 0
        self.asks_bonus = self.chooses = kind == sealed_answers.BONUS
        """Whether a bonus is asked, and whether what is named now is chosen for one."""
        self.pays = self.turns = self.makes = False
        """Whether a resource is paid next; a die is named next that is made another; it is named what it is made."""
        self.way = 0
        self._chose = False
        """Whether what was named last was chosen for a bonus."""

    def read(self) -> NamedParts:
        """Return all that is named."""
        bag = self.bag
        while self.at < len(self.terms):
            self.at += self._term()
        bag.counts = bag.counts or self.chooses
        # «deniers pay for dice», a bonus without what it brings
        bag.left = bag.left or self.pays or (self.chooses and not self.asks_bonus)
        if not (self.asks_bonus or bag.uses or bag.faces or bag.amounts):
            bag.uses, bag.bonus = bag.bonus, []
        return bag

    def _ahead(self, steps: int = 1) -> OrderToken:
        at = self.at + steps
        return self.terms[at] if 0 <= at < len(self.terms) else NOTHING

    def _number(self, steps: int = 1) -> int:
        term = self._ahead(steps)
        return term.number if term.kind in ("number", "ordinal") else 0

    def _term(self) -> int:
        """Take what stands here; return how many terms it is."""
        term, bag = self._ahead(0), self.bag
        match term.kind:
            case "colour" | "letter":
                return self._colour(term)
            case "number" | "ordinal":
                return self._numbered(term)
            case "building":
                return self._building(term)
            case "resource":
                n = 0 if self._ahead(2).kind in ("resource", "colour", "letter", "plaza", "column") else self._number()
                self._amount(term.means, n)
                return 1 + bool(n)
            case "plaza" if number := self._number():
                bag.plazas.append(number)
                return 2
            case "column" | "numbering" if number := self._number():
                bag.columns.append(number)
                bag.counts = term.kind == "numbering"
                return 2
            case "pay" if bag.amounts and self._ahead(-1).kind in ("to", "for"):  # «a denier to pay the plaza»
                bag.amounts[-1] = replace(bag.amounts[-1], paid=True)
            case "pay":
                self.pays = True
            case "bonus":
                self.chooses = True
                if self.asks_bonus or not bag.uses or self._ahead().kind in ("building", "colour"):
                    return 1
                # What was named last is chosen for the bonus: «cathedral 4 for the bonus».
                bag.bonus.append(bag.uses.pop())
                self.chooses = False
            case "change":
                bag.changes = bag.changes or term.means == "change"
                named = any(not face.made for face in bag.faces)
                self.makes = named or self._ahead().kind in ("to", "face")
                self.turns = not self.makes
            case "face":
                self.makes = self._ahead().kind in ("colour", "letter", "number", "to")
            case "to" if term.means == "to" and bag.faces:
                self.makes = self._ahead().kind in ("colour", "letter", "number", "to") or self.makes
            case "way":
                self.way = 1 if term.means == "up" else -1
                bag.ways.append(term.means)
            case "price":
                bag.prices.append(term.means)
            case "mark":
                bag.left = bag.left or self.pays
                self.pays = self.makes = False
                if self._chose:
                    # A list of choices goes on at a comma, while something is left that the die can be used for.
                    ahead = sum(one.kind in ("building", "resource") for one in self.terms[self.at :])
                    goes_on = term.typed.strip() not in ("-", ";", ":") and self._ahead().kind == "building"
                    self.chooses = self.asks_bonus or (goes_on and (bool(bag.uses) or ahead > 1))
            case kind if kind in _UNUSED:
                bag.left = True
                bag.counts = bag.counts or kind == "numbering"
        return 1

    def _amount(self, resource: str, n: int = 0) -> None:
        self.bag.amounts.append(Amount(resource, n, self.pays or self._ahead(-1).kind == "with"))
        self.pays = False

    def _colour(self, term: OrderToken) -> int:
        width = 2 if self._ahead().kind == "die" else 1
        number = self._ahead(width)
        value = number.number if number.kind == "number" and number.typed != "one" else 0
        behind, plaza = self._ahead(width + 1).kind, self._number(width + 2)
        if value and (behind == "resource" or (behind == "plaza" and not plaza)):
            value = 0
        if self.chooses and not value:
            self.bag.bonus.append((term.means, 0))
            self._chose, self.chooses = True, self.asks_bonus
            return width
        self.chooses = self.asks_bonus
        before, after = self._ahead(-1).kind, self._ahead(width)
        told = width == 2 or after.typed in _ONE or after.kind in _SHOWS or before in _SHOWS
        self._face(Face(term.means, value, self.makes, told))
        return width + (bool(value) or after.typed == "one")

    def _face(self, face: Face) -> None:
        self.bag.faces.append(face)
        self.bag.changes = self.bag.changes or face.made
        self.makes, self.turns = self.turns and not face.made, False

    def _numbered(self, term: OrderToken) -> int:
        bag, after, before = self.bag, self._ahead(), self._ahead(-1)
        if after.kind in ("colour", "letter") and term.kind == "number":
            self._face(Face(after.means, term.number, self.makes))
            return 2
        if after.kind in ("plaza", "column") and term.typed not in _ONE:
            (bag.plazas if after.kind == "plaza" else bag.columns).append(term.number)
            return 2
        if after.kind == "resource" and term.kind == "number":
            self._amount(after.means, term.number)
            return 2
        if after.kind == "way" and self._ahead(2).kind not in ("number", "to"):
            bag.steps.append(term.number if after.means == "up" else -term.number)
            bag.ways.append(after.means)
            return 2
        if self.way and before.typed in _STEPS:
            bag.steps.append(self.way * term.number)
            self.way = 0
        elif term.kind == "number" and (self.makes or (before.kind in ("to", "face") and (bag.faces or bag.changes))):
            self._face(Face("", term.number, made=True))
            self.way = 0
        elif before.kind == "with" and term.kind == "number":
            self._face(Face("", term.number))
        elif term.typed not in _ONE:
            bag.numbers.append(term.number)
        return 1

    def _building(self, term: OrderToken) -> int:
        width = 2 if self._ahead().kind == "column" else 1
        column = self._number(width) if self._ahead(width).typed not in _ONE or width == 2 else 0
        if column and self._ahead(width + 1).kind in ("resource", "colour", "letter", "plaza", "column"):
            column = 0
        (self.bag.bonus if self.chooses else self.bag.uses).append((term.means, column))
        self._chose = self.chooses
        self.chooses = self.asks_bonus
        return width + bool(column) if column else 1
