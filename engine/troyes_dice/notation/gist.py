"""The gist of a half day that the grammar refuses: the one order that a line names, and of which all it says is true.

An order explains a piece of evidence that is part of it or a true consequence. It is named by the clauses that say
plainly what is done (`clauses`), and it must explain each piece of the others too. Orders are looked for among all that
could be said of the dice that lie, whatever they cost: that only one of several can be paid does not tell which is
meant.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from engine.kit.gist import the_one
from engine.reference import Gist
from engine.troyes_dice.actions import answers
from engine.troyes_dice.box.sheet import COLOURS, PRESTIGE, RESOURCES, WORK
from engine.troyes_dice.notation.clauses import Stretch, clauses, unread
from engine.troyes_dice.notation.evidence import Taken, evidence, terms_in
from engine.troyes_dice.notation.idle import DOING
from engine.troyes_dice.notation.way import Way
from engine.troyes_dice.notation.writing import write
from engine.troyes_dice.state.dice import FACES, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay, Order
from engine.troyes_dice.state.state import DiceState

_COUNTED = ("face", "made", "shift", "building", "column", "resource")
"""Pieces that tell a die, what it becomes, a column or an amount."""
_POINTED = ("plaza", "price", "tile", "nth", "lies", "one", "spot")
"""Pieces that point at one die."""
_LEADING = ("with", "for")
"""Kinds of words that lead from a die to its use, or back."""
_WHAT = ("resource", "ressource")
"""What a thing is, behind its colour."""
_ASKS = ("is", "am", "will", "shall")
"""First words of what asks."""
_TURNING = ("change", "way", "shift")
"""Pieces that say outright that a die is changed."""


@dataclass
class TakenApart:
    """A line taken apart: its clauses, and all that it says."""

    clauses: list[Stretch]
    said: Taken

    @cached_property
    def named(self) -> Taken:
        """What is said plainly, which names an order."""
        places = {place for clause in self.clauses if clause.clear for place in clause.places}
        return replace(self.said, pieces=[piece for piece in self.said.pieces if piece.at in places])

    @property
    def may_be(self) -> bool:
        """Whether nothing in it says that what it names is not done."""
        return self.is_order and all(clause.may_be for clause in self.clauses if clause.names)

    @property
    def is_order(self) -> bool:
        """Whether it tells what is done, and not what there is («Cathedral: work building, white»)."""
        said = self.said
        if len({(piece.word, piece.number) for piece in said.of("face")}) < len(said.of("face")):
            return False  # «white 5 white 5»
        if any(one.kind == "colour" and two.typed in _WHAT for one, two in pairwise(said.terms)):
            return False  # «Deniers: yellow resource.»
        if any(piece.number is not None for piece in said.of(*_COUNTED)) or said.of(*_POINTED):
            return True
        said_so = (term for clause in self.clauses if clause.clear for term in clause.terms)
        return any(term.typed in DOING or term.kind in _LEADING for term in said_so)

    @cached_property
    def turns(self) -> bool:
        """Whether it says outright that a die is changed."""
        return bool(self.said.of(*_TURNING))


def heard(state: DiceState, seat: str, line: str) -> TakenApart | None:
    """A line that may be a half day; None where it can be none: no half day is asked, it asks, or names somebody."""
    if answers.asked_kind(state, seat) != answers.HALF_DAY:
        return None
    terms = terms_in(line)
    if terms and terms[0].typed in _ASKS:
        return None
    others = {part for name in state.names if name != seat for part in name.split("-")}
    if any(term.kind == "asking" or term.typed in others for term in terms):
        return None
    return TakenApart(clauses(terms), evidence(terms))


def gist(state: DiceState, seat: str, line: TakenApart, plays: Callable[[Order], bool]) -> Gist | None:
    """The one half day that a line means, legal now; None where that is not certain."""
    passed, said = unread(line.clauses), line.said
    rows = {piece.word for piece in said.of("building")}
    if passed is None or not line.is_order or len(rows) > 1:
        return None
    acts, named = orders(state, rows or {RESOURCES_USE}), line.named
    ways = [way for act in acts if (way := Way(state, seat, act, named, said)).is_said()]
    if not line.turns:
        # «the white at six» lies there.
        ways = [way for way in ways if way.lies] or ways
    # Which die is meant is not told by that another one could be paid in several ways.
    if len({replace(way.act, pay="") for way in ways}) != 1:
        return None
    act = the_one(way.act for way in ways if way.names_pay())
    if act is None:
        return None
    act = replace(act, bonus=tuple(said.bonus))
    return Gist((write(state, seat, act),), passed) if plays(act) else None


def orders(state: DiceState, uses: Collection[str]) -> Iterator[HalfDay]:
    """All that could be done with the dice that lie for some uses, whatever it costs."""
    for die in laid(state):
        pays = RESOURCES if die.any else ("",)
        for colour in COLOURS if die.usable else ():
            for use in (RESOURCES_USE, PRESTIGE[colour], WORK[colour]):
                for value in dict.fromkeys((die.value, *FACES)) if use in uses else ():
                    column = state.column(value) if use != RESOURCES_USE and value in FACES else 0
                    if column or use == RESOURCES_USE:
                        yield from (HalfDay(die.slot, colour, value, use, column, pay) for pay in pays)
