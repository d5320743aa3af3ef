"""The gist of a half day that the grammar refuses: the one order that explains each word of a line (`engine.kit.gist`).

An order explains a piece of evidence that is part of it or a true consequence. Orders are looked for among all that
could be said of the dice that lie, whatever they cost: that only one of several can be paid does not tell which is
meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from engine.errors import NotAllowed
from engine.kit.gist import passed_over, the_one
from engine.reference import Gist
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.half_day import costs, plan
from engine.troyes_dice.box.sheet import COLOURS, PRESTIGE, RESOURCE, RESOURCES, WORK
from engine.troyes_dice.notation.evidence import Evidence, Taken, evidence, role, terms_in
from engine.troyes_dice.notation.writing import write
from engine.troyes_dice.state.dice import FACES, Laid, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay, Order
from engine.troyes_dice.state.state import DiceState

_COUNTED = frozenset(("face", "made", "shift", "building"))
"""Pieces that tell a die, what it becomes, or a column."""


def gist(state: DiceState, seat: str, line: str, plays: Callable[[Order], bool]) -> Gist | None:
    """The one half day that a line means, legal now; None where that is not certain."""
    if answers.asked_kind(state, seat) != answers.HALF_DAY:
        return None
    terms = terms_in(line)
    others = {part for name in state.names if name != seat for part in name.split("-")}
    if any(term.kind in ("asking", "bonus", "both", "any") or term.typed in others for term in terms):
        return None
    unread = passed_over([(term.typed, role(term)) for term in terms])
    if unread is None:
        return None
    said = evidence(terms)
    if not said.of("plaza", "price") and all(piece.number is None for piece in said.pieces if piece.kind in _COUNTED):
        return None  # «Cathedral: work building, white» tells what there is
    if len({*said.of("face")}) < len(said.of("face")):
        return None  # «white 5 white 5»
    ways = [way for act in _orders(state, said) if (way := _Way(state, seat, act, said)).is_said()]
    # Which die is meant is not told by that another one could be paid in several ways.
    if len({replace(way.act, pay="") for way in ways}) != 1:
        return None
    act = the_one(way.act for way in ways if way.names_pay())
    return Gist((write(state, seat, act),), unread) if act is not None and plays(act) else None


def _orders(state: DiceState, said: Taken) -> Iterator[HalfDay]:
    """All that could be said of the dice that lie, as far as the colours and buildings of a line go."""
    rows = {piece.word for piece in said.of("building")}
    for die in laid(state) if len(rows) <= 1 else ():
        pays = RESOURCES if die.any else ("",)
        for colour in COLOURS if die.usable else ():
            uses = rows & {PRESTIGE[colour], WORK[colour]} if rows else {RESOURCES_USE}
            for use in uses:
                for value in dict.fromkeys((die.value, *FACES)):
                    column = state.column(value) if use != RESOURCES_USE and value in FACES else 0
                    if column or use == RESOURCES_USE:
                        yield from (HalfDay(die.slot, colour, value, use, column, pay) for pay in pays)


@dataclass
class _Way:
    """An order held against a line."""

    state: DiceState
    seat: str
    act: HalfDay
    said: Taken

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

    def is_said(self) -> bool:
        """Whether the line is this order: it explains each piece, and its parts are named."""
        try:
            _ = self.bill
        except NotAllowed:
            return False
        named = self._names_die() and self._names_goal() and self._names_change()
        return named and all(map(self._explains, self.said.pieces))

    # Named.

    def _names_die(self) -> bool:
        own = (piece.kind for piece in self.said.pieces if piece.word == self.die.colour)
        return bool({*own} & {"colour", "face"} or self.said.of("plaza", "price", "black"))

    def _names_goal(self) -> bool:
        if not self.gain:
            return bool(self.said.of("building"))
        paid = [piece for piece in self._told(self.gain) if piece.paid]
        return len(self._told(self.gain)) > len(paid)

    def _names_change(self) -> bool:
        """Whether each change of the die is said: influence and knowledge are never spent unasked."""
        said, act = self.said, self.act
        if act.colour != self.die.colour:
            coloured = {piece.word for piece in said.of("colour", "face")}
            if not (said.turns and {act.colour, self.die.colour} <= coloured):
                return False
        if not self.shift:
            return True
        if said.of("shift") or any(piece.number == act.value for piece in said.of("made")):
            return True
        faces = {(piece.word, piece.number) for piece in said.of("face")}
        if said.turns and (act.colour, act.value) in faces:
            return True
        to = {piece.number for piece in said.of("number", "building")} & {act.value, act.column}
        spent = self.bill.get("influence", 0) - self.die.price.get("influence", 0)
        pays = any(piece.number == spent for piece in self._told("influence")) and not self.die.any
        return bool(to) and (bool(said.of("way")) or pays or said.turns)

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
        return [piece for piece in self.said.of("resource") if piece.word == resource]

    # Explained.

    def _explains(self, piece: Evidence) -> bool:
        die, act, n = self.die, self.act, piece.number
        match piece.kind:
            case "colour":
                return piece.word in (die.colour, act.colour)
            case "face":
                lies = n in (die.value, die.face)
                return (piece.word == die.colour and lies) or (piece.word, n) == (act.colour, act.value)
            case "number":
                amounts = {*self.bill.values(), abs(self.shift)} - {0}
                return n in (die.value, act.value, act.column, *amounts)
            case "made":
                return n == act.value
            case "shift":
                return n == self.shift
            case "way":
                return self.shift * (n or 0) > 0
            case "unchanged":
                return not self.shift and act.colour == die.colour
            case "change":
                return bool(self.shift) or act.colour != die.colour
            case "building":
                return piece.word == act.use and n in (None, act.column, act.value)
            case "resource":
                return self._explains_resource(piece.word, n)
            case "plaza":
                return n == die.slot + 1
            case "price":
                return piece.word == "free" and not die.price and not die.any
            case "black":
                return die.black
            case "citizens":
                return n in (None, self._citizens().get(piece.word, -1)) and piece.word in self._citizens()
            case "citizen":
                return bool(self._citizens())
        return False

    def _explains_resource(self, resource: str, n: int | None) -> bool:
        if resource == "resources":
            return n is None
        there = self.bill.get(resource, 0)
        price = self.die.price.get(resource, 0) + (self.die.any if resource == self.act.pay else 0)
        gained = self.act.value if resource == self.gain else 0
        amounts = {there, price, there - price, gained} - {0}
        return bool(amounts) if n is None else n in amounts

    def _citizens(self) -> dict[str, int]:
        """The citizens that it brings, by colour."""
        try:
            after = plan(self.state, self.seat, self.act).sheet.citizens
        except NotAllowed:
            return {}
        before = self.state.sheets[self.seat].citizens
        return {colour: n - before[colour] for colour, n in after.items() if n > before[colour]}
