"""The half days that a line may mean, each held against it: what `engine/kit/certainty` weighs where the gist of a line
is not certain.

What is counted are the breaches of the rule that is certain (`gist`): pieces of evidence that an order does not explain,
parts of it that nothing names, and words that are unknown, by where they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.resources import files

from engine.kit.certainty import Logit, sure
from engine.kit.gist import LONGEST, SPEAKING
from engine.reference import Alternative, Case, Gist
from engine.troyes_dice.actions.acts import acts
from engine.troyes_dice.notation.gist import Heard, orders
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
    "telling": ("citizens", "citizen", "bonus", "any", "both", "numbering"),
}
"""What pieces of evidence tell of, and their kinds."""
_SORT = {kind: sort for sort, kinds in _SORTS.items() for kind in kinds}


_WEIGHTS = Logit.load(files(__package__) / "gist.json")


def likely(state: DiceState, seat: str, line: Heard, plays: Callable[[Order], bool]) -> Gist | None:
    """The half day that a line most likely means; None where that is not likely enough, or not all of it may be meant."""
    found = case(state, seat, line, plays)
    order = sure(found, _WEIGHTS) if found is not None else None
    return Gist((order,), found.unread) if found is not None and order is not None else None


def case(state: DiceState, seat: str, line: Heard, plays: Callable[[Order], bool]) -> Case | None:
    """The half days that can be paid and are likest to what a line says; None for a line that is none."""
    if not line.said.pieces or sum(len(clause.terms) for clause in line.clauses) > LONGEST:
        return None
    uses = {piece.word for piece in line.said.of("building")}
    if not uses or any(not piece.paid for piece in line.said.of("resource")):
        uses.add(RESOURCES_USE)
    ways = (Way(state, seat, act, line.named, line.said) for act in orders(state, uses))
    every = sorted((_Held(way) for way in ways if way.can_be), key=lambda one: one.breaches)
    paid = {*acts(state, seat)}
    held = [one for one in every if one.way.act in paid][:MOST]
    bonus = tuple(line.said.bonus)
    found = []
    for one in held:
        act = replace(one.way.act, bonus=bonus)
        if not bonus or plays(act):
            found.append(Alternative(write(state, seat, act), _says(one, every), one.hides or _guesses(one, every)))
    return Case(_of_line(line, every, held), tuple(found), _unread(line))


class _Held:
    """An order held against a line, and in how many ways it is not what the line says."""

    def __init__(self, way: Way) -> None:
        self.way = way
        plain = {piece.at for piece in way.said.pieces}
        self.amiss = Counter(
            (_SORT[piece.kind], piece.at in plain, piece.number is not None)
            for piece in way.all.pieces
            if not way.explains(piece)
        )
        """How many pieces are not explained: of what sort, whether they are said plainly, whether they have numbers."""
        wide = replace(way, said=way.all)
        self.named = {
            "die": (way.names_die(), wide.names_die()),
            "goal": (way.names_goal(), wide.names_goal()),
            "colour": (way.names_colour(), wide.names_colour()),
            "value": (way.names_value(), wide.names_value()),
        }
        """Whether each part is said plainly, and whether it is said at all."""
        self.off = sum(self.amiss.values()) + (not self.named["die"][1]) + (not self.named["goal"][1])
        """How much of the line it does not explain, and of what is meant the line does not tell."""
        self.changes = sum(not wide for part, (_, wide) in self.named.items() if part in ("colour", "value"))

    @cached_property
    def breaches(self) -> float:
        """All that is amiss, so that the likest comes first; of those that are alike the cheapest."""
        pays = not self.way.names_pay()
        return self.off + 0.9 * self.changes + 0.5 * pays + 0.001 * sum(self.way.bill.values())

    @property
    def core(self) -> HalfDay:
        """The order, whatever pays for it."""
        return replace(self.way.act, pay="")

    @property
    def hides(self) -> bool:
        """Whether it has a price that is not told, or a number is told that has no part in it."""
        return not self.way.names_pay() or any(number for _, _, number in self.amiss)


def _guesses(one: _Held, every: Sequence[_Held]) -> bool:
    """Whether a change of the die that is not said is not the only way to what is said: influence and knowledge are never
    spent unasked."""
    return bool(one.changes) and len({other.core for other in every if other.off <= one.off}) > 1


def _says(one: _Held, every: Sequence[_Held]) -> Mapping[str, float]:
    """What speaks for an order, and what against it."""
    way, says = one.way, Counter[str]()
    for (sort, plain, _), n in one.amiss.items():
        says[f"{sort} amiss" if plain else f"{sort} amiss aside"] += n
    for part, (plain, wide) in one.named.items():
        if not plain:
            says[f"{part} named aside" if wide else f"{part} not named"] += 1
    if not way.names_pay():
        says["price not named"] += 1
    if way.act.column and not replace(way, said=way.all).names_column():
        says["column not named"] += 1
    if not one.named["value"][1]:
        says["steps not named"] += abs(way.shift)
    faces = {(piece.word, piece.number) for piece in way.all.of("face")}
    says["die called by its face"] += bool(faces & {(way.die.colour, way.die.value), (way.die.colour, way.die.face)})
    says["as it lies"] += way.lies
    says["others explain as much"] += min(len({other.core for other in every if other.off <= one.off}) - 1, 3)
    says["others explain more"] += min(len({other.core for other in every if other.off < one.off}), 3)
    return {name: float(n) for name, n in says.items() if n}


def _of_line(line: Heard, every: Sequence[_Held], held: Sequence[_Held]) -> Mapping[str, float]:
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
    says["is no order"] += not line.is_order
    says["says what is done"] += not DOING.isdisjoint(words)
    says["its writer speaks"] += not SPEAKING.isdisjoint(words)
    says["pieces"] += min(len(line.said.pieces), 6)
    least = min((one.off for one in every), default=0)
    says["what explains most is too dear"] += bool(held) and least < held[0].off
    says["nothing explains all"] += least > 0
    return {name: float(n) for name, n in says.items() if n}


def _unread(line: Heard) -> tuple[str, ...]:
    """The words that are passed over: those that are unknown, or a part of the line that names nothing."""
    found: list[str] = []
    for clause in line.clauses:
        if clause.names:
            found += clause.unknown
        elif clause.unknown:
            found.append(" ".join(term.typed for term in clause.terms))
    return tuple(found)
