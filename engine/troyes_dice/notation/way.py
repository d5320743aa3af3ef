"""A half day held against a line: which pieces of evidence it explains, and which of its parts are named."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from engine.errors import NotAllowed
from engine.troyes_dice.actions.half_day import HalfDayPlan, costs, plan
from engine.troyes_dice.box.sheet import COLOUR, RESOURCE, RESOURCES
from engine.troyes_dice.notation.evidence import Evidence, Taken
from engine.troyes_dice.state.dice import Laid, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay
from engine.troyes_dice.state.state import DiceState

_BECOMES = frozenset(("becomes", "devient"))


@dataclass
class Way:
    """An order held against a line."""

    state: DiceState
    seat: str
    act: HalfDay
    said: Taken
    """What names it."""
    all: Taken
    """What must be true of it."""

    @cached_property
    def die(self) -> Laid:
        return laid(self.state)[self.act.slot]

    @cached_property
    def bill(self) -> dict[str, int]:
        return costs(self.die, self.act)

    @property
    def shift(self) -> int:
        return self.act.value - self.die.value

    @cached_property
    def gain(self) -> str:
        """The resource that it brings; empty for a building."""
        return RESOURCE[self.act.colour] if self.act.use == RESOURCES_USE else ""

    @property
    def lies(self) -> bool:
        """Whether the die is used as it lies."""
        return not self.shift and self.act.colour == self.die.colour

    @property
    def can_be(self) -> bool:
        """Whether the die can be made so at any price."""
        try:
            _ = self.bill
        except NotAllowed:
            return False
        return True

    def is_said(self) -> bool:
        """Whether the line is this order: it explains each piece, and its parts are named."""
        named = self.can_be and self.names_die() and self.names_goal() and self.names_colour() and self.names_value()
        return named and all(map(self.explains, self.all.pieces))

    # Named.

    def names_die(self) -> bool:
        """Whether something tells which die it is."""
        own = {piece.kind for piece in self.said.pieces if piece.word == self.die.colour}
        lies = any(piece.number in (self.die.value, self.die.face) for piece in self.said.of("lies"))
        if own & {"colour", "face", "one"} or lies or self.said.of("plaza", "price", "black", "tile"):
            return True
        # «Fortress 4! At last a third yellow citizen»: it is the one that lies so, and brings what is told.
        goal = min((piece.at for piece in self.said.of("building")), default=0)
        told = any(piece.at > goal for piece in self.all.of("citizens", "citizen", "bonus", "resource"))
        return self.lies and told and self.names_column()

    def names_column(self) -> bool:
        """Whether its column is told."""
        return any(piece.number == self.act.column for piece in self.said.of("building", "column", "spot", "lies"))

    def names_goal(self) -> bool:
        """Whether what it builds or brings is named."""
        if not self.gain:
            return bool(self.said.of("building"))
        told = [piece for piece in self.said.of("resource") if piece.word == self.gain]
        return any(not piece.paid for piece in told)

    def names_colour(self) -> bool:
        """Whether its colour is the die's, or is said: influence and knowledge are never spent unasked."""
        said, act = self.said, self.act
        if act.colour == self.die.colour:
            return True
        known = any(piece.word == self.die.colour for piece in said.of("colour", "face", "one"))
        return act.colour in said.into and bool(known or said.of("plaza", "tile", "price", "lies"))

    def names_value(self) -> bool:
        """Whether its value is the die's, or is said."""
        said, act = self.said, self.act
        if not self.shift:
            return True
        if said.of("shift") or any(piece.number == act.value for piece in said.of("made")):
            return True
        faces = {(piece.word, piece.number) for piece in said.of("face")}
        if said.turns and (act.colour, act.value) in faces and not self._may_be_of_another(faces):
            return True
        numbers = {piece.number for piece in said.of("number", "lies", "spot", "building", "column")}
        if said.of("way") and abs(self.shift) in {piece.number for piece in said.of("number")}:
            return True
        to = numbers & {act.value, act.column}
        spent = self.bill.get("influence", 0) - self.die.price.get("influence", 0)
        told = [piece for piece in self._told("influence") if piece.number in (None, spent)]
        pays = self.gain != "influence" and bool(told) and not self.die.any
        return bool(to) and (bool(said.of("way")) or pays or said.turns or self.leaves_no_other())

    def _may_be_of_another(self, faces: Collection[tuple[str, int | None]]) -> bool:
        """Whether «make the 3 white» may be said of another die, which shows that 3."""
        die, to = self.die, self.act.value
        if (die.colour, die.value) in faces or self.said.of("plaza", "lies", "tile", "price"):
            return False
        return any(other.value == to and other.colour != die.colour for other in laid(self.state))

    def leaves_no_other(self) -> bool:
        """Whether the die is told by its colour or place alone, and no die builds that column as it lies."""
        if self.gain or self.act.value != self.act.column or self.all.of("face", "lies", "number", "made"):
            return False
        number = self.state.numbering[self.act.column - 1]
        return self.names_column() and all(
            die.value != number for die in laid(self.state) if die.colour == COLOUR[self.act.use]
        )

    def names_pay(self) -> bool:
        """Whether what pays for a die of any price is said, and is no other mention of that resource."""
        if not self.die.any:
            return True
        pay, told = self.act.pay, self._told(self.act.pay)
        others = int(pay == self.gain)
        changes = (pay == "influence" and self.shift) or (pay == "knowledge" and self.act.colour != self.die.colour)
        if changes and not any(piece.paid and piece.number in (None, self.bill[pay]) for piece in told):
            others += 1
        return len(told) > others

    def _told(self, resource: str) -> list[Evidence]:
        return [piece for piece in self.all.of("resource") if piece.word == resource]

    # Explained.

    def explains(self, piece: Evidence) -> bool:
        """Whether a piece of evidence is part of it, or truly comes of it."""
        die, act, n = self.die, self.act, piece.number
        match piece.kind:
            case "colour":
                return piece.word in (die.colour, act.colour)
            case "one":
                return piece.word == die.colour
            case "face":
                lies = n in (die.value, die.face)
                return (piece.word == die.colour and lies) or (piece.word, n) == (act.colour, act.value)
            case "spot":
                return n in (die.slot + 1, act.column)
            case "number" | "lies" if self._is_changed(piece):
                return n == die.value  # «the 3 becomes white»
            case "number" | "lies":
                amounts = {*self.bill.values(), abs(self.shift)}.union(*map(self._amounts, RESOURCES)) - {0}
                return n in (die.value, act.value, act.column, *amounts)
            case "made":
                return n == act.value
            case "stays":
                return n == act.value and not self.shift
            case "shift":
                return n == self.shift
            case "way":
                return self.shift * (n or 0) > 0
            case "unchanged":
                return not self.shift and act.colour == die.colour
            case "change":
                return bool(self.shift) or act.colour != die.colour
            case "building":
                return piece.word == act.use and n in (None, act.column)
            case "column":
                return n == act.column
            case "nth":
                return self._is_nth(piece.word, n or 0)
            case "nth_built":
                return piece.word == act.use and n == len(self.state.sheets[self.seat].built[act.use]) + 1
            case "tile":
                return bool(die.raid if piece.word == "raid" else die.banquet)
            case "resource":
                return self._explains_resource(piece.word, n)
            case "plaza":
                return n == die.slot + 1
            case "price":
                return self._costs(piece.word)
            case "black":
                return die.black
            case "citizens" | "several":
                return piece.word in self._citizens and n in (None, *self._citizens[piece.word])
            case "citizen":
                return bool(self._citizens) and n in (None, 1, sum(more for more, _ in self._citizens.values()))
            case "bonus":
                return bool(self.all.bonus) or (self._does is not None and self._does.rewards)
        return False

    def _is_changed(self, piece: Evidence) -> bool:
        """Whether what stands behind a piece says that this becomes something else."""
        after = self.all.terms[piece.at + 1 : piece.at + 2]
        changes = any(other.at == piece.at + 1 for other in self.all.of("change"))
        return changes or any(term.typed in _BECOMES for term in after)

    def _is_nth(self, colour: str, n: int) -> bool:
        dice = [die.slot for die in laid(self.state) if die.colour == colour]
        return dice[n - 1 : n] == [self.die.slot]

    def _costs(self, price: str) -> bool:
        """Whether the die costs nothing, or least or most of those of its colour; of all where no colour is said."""
        if price == "free":
            return not self.die.price and not self.die.any
        named = bool(self.said.of("colour", "face", "one"))
        others = [die for die in laid(self.state) if die.usable and (not named or die.colour == self.die.colour)]
        prices = [sum(die.price.values()) + die.any for die in others]
        own = sum(self.die.price.values()) + self.die.any
        best = {"cheap": min, "dear": max}.get(price)
        return best is not None and len(set(prices)) > 1 and own == best(prices)

    def _explains_resource(self, resource: str, n: int | None) -> bool:
        if resource == "resources":
            return n is None
        there = self.bill.get(resource, 0)
        price = self.die.price.get(resource, 0) + (self.die.any if resource == self.act.pay else 0)
        gained = self.act.value if resource == self.gain else 0
        amounts = {there, price, there - price, gained, *self._amounts(resource)} - {0}
        return bool(amounts) if n is None else n in amounts

    @cached_property
    def _does(self) -> HalfDayPlan | None:
        """All that it does; None where the rules forbid it."""
        try:
            return plan(self.state, self.seat, self.act)
        except NotAllowed:
            return None

    def _amounts(self, resource: str) -> set[int]:
        """How much more of a resource there is then, and how much of it is lost."""
        if self._does is None:
            return set()
        there = self.state.sheets[self.seat].circled[resource]
        return {self._does.sheet.circled[resource] - there, self._does.lost(resource)} - {0}

    @cached_property
    def _citizens(self) -> dict[str, tuple[int, int]]:
        """The citizens that it brings, by colour: how many, and how many there are then."""
        before = self.state.sheets[self.seat].citizens
        after = self._does.sheet.citizens if self._does is not None else before
        return {colour: (n - before[colour], n) for colour, n in after.items() if n > before[colour]}
