"""The half days that a line may mean, each held against it: what `engine/kit/certainty` weighs where the gist of a line
is not certain.

What is counted are the breaches of the rule that is certain (`gist`): pieces of evidence that an order does not
explain, parts of it that nothing names, and words that are unknown, by where they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.resources import files

from engine.kit.certainty import Alternative, Case, Logit, sure
from engine.kit.gist import LONGEST, NAMING, SPEAKING
from engine.reference import Gist
from engine.troyes_dice.actions.acts import acts
from engine.troyes_dice.notation.gist import TakenApart, orders
from engine.troyes_dice.notation.idle import DOING
from engine.troyes_dice.notation.way import Way
from engine.troyes_dice.notation.writing import write
from engine.troyes_dice.state.orders import RESOURCES_USE, HalfDay, Order
from engine.troyes_dice.state.state import DiceState

MOST = 20
"""Orders that are held against a line at most."""
_SORTS = {
    "die": ("colour", "face", "one", "plaza", "tile", "price", "black", "nth", "lies", "spot"),
    "goal": ("building", "column", "nth_built"),
    "number": ("number",),
    "resource": ("resource",),
    "change": ("made", "shift", "way", "change", "stays", "unchanged"),
    "telling": ("citizens", "several", "citizen", "bonus", "any", "both", "numbering"),
}
"""What pieces of evidence tell of, and their kinds."""
_SORT = {kind: sort for sort, kinds in _SORTS.items() for kind in kinds}
_PARTS = {
    "die": Way.names_die,
    "goal": Way.names_goal,
    "colour": Way.names_colour,
    "value": Way.names_value,
    "price": Way.names_pay,
}
"""What must be named of an order."""
_CHANGES = {"colour", "value"}
_TOLD = {"die", "goal", "number"}
"""What is never passed over."""
_NEVER = ("is wanting", "greets", "tells a price", "somebody does")
"""Why a clause orders nothing, whatever else speaks for it."""
_NAMING = NAMING | {"and", "et", "+", "&", "plus"}
"""What stands before a die."""
_WEIGHTS = Logit.load(files(__package__) / "gist.json")
_PLAINLY = replace(_WEIGHTS, least=0.15)
"""The same for what is plain."""


def likely(
    state: DiceState, seat: str, line: TakenApart, says: Mapping[str, float], plays: Callable[[Order], bool]
) -> Gist | None:
    """The half day that a line most likely means; None where that is not likely enough, or it may not be played.
    `says`: what speaks for an order in its words as such, and what against any."""
    plain = line.may_be and not any(name.startswith("barred") for name in says)
    for gate, weights in ((_Held.may_be, _WEIGHTS), *(((_Held.is_plain, _PLAINLY),) if plain else ())):
        found = case(state, seat, line, says, plays, gate)
        order = sure(found, weights) if found is not None else None
        if found is not None and order is not None:
            return Gist((order,), found.unread)
    return None


def case(
    state: DiceState,
    seat: str,
    line: TakenApart,
    says: Mapping[str, float],
    plays: Callable[[Order], bool],
    gate: Callable[[_Held, Sequence[_Held]], bool] | None = None,
) -> Case | None:
    """The half days that can be paid and are likest to what a line says; None for one that tells no order, or is too
    long."""
    if any(clause.why in _NEVER for clause in line.clauses if clause.names):
        return None
    if not line.is_order or sum(len(clause.terms) for clause in line.clauses) > LONGEST:
        return None
    uses = {piece.word for piece in line.said.of("building")}
    if not uses or any(not piece.paid for piece in line.said.of("resource")):
        uses.add(RESOURCES_USE)
    ways = (Way(state, seat, act, line.said, line.said) for act in orders(state, uses))
    every = sorted((_Held(way, line) for way in ways if way.can_be), key=lambda one: one.breaches)
    paid = {*acts(state, seat)}
    held = [one for one in every if one.way.act in paid][:MOST]
    found = []
    for one in held:
        act = replace(one.way.act, bonus=tuple(line.said.bonus))
        if not act.bonus or plays(act):
            told, barred = one.says(every), not (gate or _Held.may_be)(one, every)
            found.append(Alternative(write(state, seat, act), {**told, "may not be played": float(barred)}, barred))
    return Case({**says, **_of_line(line, every, held)}, tuple(found), _unread(line))


class _Held:
    """An order held against a line, and in how many ways it is not what the line says."""

    def __init__(self, way: Way, line: TakenApart) -> None:
        self.way = way
        self.amiss = [piece for piece in way.all.pieces if not way.explains(piece)]
        """The pieces that are not explained."""
        self.unsaid = {part for part, names in _PARTS.items() if not names(way)}
        """The parts that nothing names."""
        self.off = len(self.amiss) + len(self.unsaid & {"die", "goal"})
        """How much of the line it does not explain, and how much of what is meant is not told."""
        self.rank = self.off, len(self.unsaid & _CHANGES), not way.lies and not line.turns
        """The same; then what is done to the die unasked; then whether anything is done to it that no word tells."""
        self.breaches = *self.rank, "price" in self.unsaid, sum(way.bill.values())
        """All that is amiss, so that the likest comes first; of those that are alike the cheapest."""

    @cached_property
    def core(self) -> HalfDay:
        """The order, whatever pays for it."""
        return replace(self.way.act, pay="")

    def is_plain(self, every: Sequence[_Held]) -> bool:
        """Whether it may be played though it is hardly likely: nothing is amiss, no change of the die is left to be
        understood, and no other order explains as much, whatever it costs."""
        return self.may_be(every) and not (self.amiss or self.unsaid & _CHANGES or self._rivals(every))

    def may_be(self, every: Sequence[_Held]) -> bool:
        """Whether it may be played where it is likely enough.

        Not where a die, a goal, a number or an amount is told that has no part in it, nor where its goal, its price or
        a change of the die is not told in any words (a shift or another colour is never filled in: RULINGS, Reading
        orders), or another die would do as well. The die may be left out that lies there for a building and its column.
        """
        told = (_SORT[one.kind] in _TOLD or one.number is not None or one.paid for one in self.amiss)
        if any(told) or self.unsaid & {"goal", "price"}:
            return False
        if "die" in self.unsaid and not (self.way.lies and self.way.names_column()):
            return False
        if any(other.rank <= self.rank and self._is_alike(other) for other in every):
            return False
        return self._tells_colour() and self._tells_value()

    def _is_alike(self, other: _Held) -> bool:
        """Whether another order does the same with another die, which costs something else."""
        return other.core != self.core and replace(other.core, slot=self.core.slot) == self.core

    def _tells_colour(self) -> bool:
        """Whether another colour is said, in whatever way."""
        told = (piece for piece in self.way.all.of("colour", "face", "one") if piece.word == self.way.act.colour)
        return "colour" not in self.unsaid or any(self._before(piece.at) not in _NAMING for piece in told)

    def _before(self, at: int) -> str:
        """The word before a place: «the red» is a die, «W5 red» what becomes of it."""
        return self.way.all.terms[at - 1].typed if at else ""

    def _tells_value(self) -> bool:
        """Whether another value is said, in whatever way, beside the column."""
        if not self.way.shift or ("value" not in self.unsaid and not self.way.leaves_no_other()):
            return True
        to, said = self.way.act.value, self.way.all
        column = any(piece.number for piece in said.of("building", "column", "spot"))
        # «red 5: fortress», where no red 5 lies, names a die that is not there.
        lies = any(piece.number == self.way.die.value for piece in said.of("face", "lies")) or said.of("plaza")
        kinds = ("made", *(("number",) if column else ()), *(("face", "lies") if lies else ()))
        return any(piece.number == to for piece in said.of(*kinds))

    def _rivals(self, every: Sequence[_Held]) -> int:
        """How many others explain as much."""
        return len({other.core for other in every if other.rank <= self.rank} - {self.core})

    def says(self, every: Sequence[_Held]) -> Mapping[str, float]:
        """What speaks for it, and what against it."""
        way, says = self.way, Counter[str]()
        says.update(f"{_SORT[piece.kind]} amiss" for piece in self.amiss)
        says.update(f"{part} not named" for part in self.unsaid)
        says["column not named"] += bool(way.act.column) and not way.names_column()
        says["as it lies"] += way.lies
        says["others explain as much"] += min(self._rivals(every), 3)
        says["others explain more"] += min(len({other.core for other in every if other.off < self.off}), 3)
        return {name: float(n) for name, n in says.items() if n}


def _of_line(line: TakenApart, every: Sequence[_Held], held: Sequence[_Held]) -> Mapping[str, float]:
    """What speaks for none of them."""
    says = Counter({"none": 1})
    telling = [clause for clause in line.clauses if clause.names]
    says.update(f"part {clause.why}" for clause in telling if clause.why)
    words = [term.typed for clause in line.clauses for term in clause.terms]
    unknown = sum(len(clause.unknown) for clause in telling)
    says["unknown words"] += min(unknown, 5)
    says["some unknown words"] += bool(unknown)
    says["parts that name nothing"] += min(sum(bool(clause.unknown) for clause in line.clauses if not clause.names), 3)
    says["parts that name something"] += min(len(telling), 4)
    says["says what is done"] += not DOING.isdisjoint(words)
    says["its writer speaks"] += not SPEAKING.isdisjoint(words)
    says["pieces"] += min(len(line.said.pieces), 6)
    least = min((one.off for one in every), default=0)
    says["what explains most is too dear"] += bool(held) and least < held[0].off
    says["nothing explains all"] += least > 0
    says["may not be what is done"] += not line.may_be
    return {name: float(n) for name, n in says.items() if n}


def _unread(line: TakenApart) -> tuple[str, ...]:
    """The words that are passed over: those that are unknown, or a part of the line that names nothing."""
    found: list[str] = []
    for clause in line.clauses:
        if clause.names:
            found += clause.unknown
        elif clause.unknown:
            found.append(" ".join(term.typed for term in clause.terms))
    return tuple(found)
