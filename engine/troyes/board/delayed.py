"""What the cube of a delayed card does to a group of dice: their colour, their values, what is added, what they cost.

Rulings A5, A6, A29, A34, A65, A66. The cube that changes nothing is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.catalog import T
from engine.errors import NotAllowed, Unclear
from engine.troyes.board.words import colour_name, listed, named, typed
from engine.troyes.box.faces import Activity
from engine.troyes.state import dice
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.state import LE_ROY, TroyesState

NEEDS = {
    "militiaman": dice.YELLOW,
    "priest": dice.YELLOW,
    "tithe": dice.YELLOW,
    "augustine": dice.YELLOW,
    "monk": dice.WHITE,
    "templar": dice.WHITE,
    "prior": dice.WHITE,
    "herbalist": dice.WHITE,
    "blacksmith": dice.RED,
    "chief_templar": dice.RED,
    "recruiter": dice.RED,
}
"""Cards whose cube works on dice of one colour only."""

NAMES_A_DIE = frozenset({"distiller", "preacher", "viticulturist"})
"""Cards whose cube works on one die of the group, which the order names."""

KEEPS_COLOURS = frozenset({"apprenticeship", "confession", "viticulturist"})
"""Cards whose cube may be used with a group of several colours (Pilgrimage)."""


@dataclass(frozen=True, slots=True)
class Dressed:
    """A group after the cube: colours, the value of every die, what is added to the total, and how many dice count for
    the price."""

    colours: frozenset[str]
    values: tuple[int, ...]
    plus: int = 0
    size: int = 0


def cube(state: TroyesState, seat: str, card: str) -> Activity:
    """The card of a cube to be used. Raises NotAllowed when it keeps none for that, or the seat has none there."""
    there, activity = state.card(card), state.activity(card)
    if activity.kind == "mixed":
        raise NotAllowed(T("{card} is used when it is activated: «: use 2».", card=named(card)), rule="A29")
    if not activity.delayed:
        raise NotAllowed(T("{card} works at once: it keeps no cubes to use.", card=named(card)), rule="A29")
    if there is None or not there.cubes.get(seat):
        mine = tuple(
            T("using {card}", card=typed(other.id))
            for other in state.cards
            if other.cubes.get(seat) and state.activity(other.id).delayed
        )
        raise NotAllowed(T("You have no cube on {card}.", card=named(card)), possible=mine)
    return activity


def dress(
    card: Activity, using: Using, picks: Sequence[Pick], colours: frozenset[str], values: tuple[int, ...]
) -> Dressed:
    """The group after the cube. Raises NotAllowed where it does not fit or changes nothing."""
    name, size = named(card.id), len(picks)
    needed = NEEDS.get(card.id)
    if needed and colours != {needed}:
        raise NotAllowed(
            T(
                "{card} needs {colour} dice and nothing else; {dice} would not be changed by it.",
                card=name,
                colour=colour_name(needed),
                dice=listed(pick.die for pick in picks),
            ),
            rule="A66",
        )
    if len(colours) > 1 and card.id not in KEEPS_COLOURS:
        raise NotAllowed(T("A group of several colours cannot be changed by {card}.", card=name), rule="A29")
    match card.id:
        case "militiaman":
            return Dressed(frozenset({card.becomes}), values, size=size)
        case "monk" | "templar" | "prior" | "herbalist":
            if size != 1:
                raise NotAllowed(T("{card} uses exactly one white die; you named {count}.", card=name, count=size))
            return Dressed(frozenset({card.becomes}), values * card.numbers["as"], size=size)
        case "priest" | "confession":
            return Dressed(colours, tuple(value + card.numbers["plus"] for value in values), size=size)
        case "blacksmith":
            return Dressed(colours, values, card.numbers["plus"], size)
        case "apprenticeship":
            return Dressed(colours, _changed(card, values, tuple(card.numbers["value"] for _ in values)), size=size)
        case "augustine" | "recruiter":
            return Dressed(colours, (*values, card.numbers["adds"]), size=size + 1)
        case "distiller":
            at = _at(card, using, picks)
            turned = (*values[:at], 7 - values[at], *values[at + 1 :])
            return Dressed(colours, turned, size=size)
        case "preacher":
            value = values[_at(card, using, picks)]
            return Dressed(colours, _changed(card, values, (value,) * size), size=size)
        case "tithe" | "chief_templar" | "viticulturist":
            return Dressed(colours, values, size=size)
    raise NotAllowed(T("{card} does not change a group of dice.", card=name))


def _changed(card: Activity, before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
    if before == after:
        raise NotAllowed(T("{card} would change nothing: every die shows it already.", card=named(card.id)), rule="A66")
    return after


def _at(card: Activity, using: Using, picks: Sequence[Pick]) -> int:
    """Where the die that the order names stands in the group. Raises Unclear when none was named."""
    die = using.die
    if die is None:
        raise Unclear(
            T("{card}: say which die, after a colon.", card=named(card.id)),
            possible=tuple(
                T("using {card}: {die}", card=typed(card.id), die=pick.word("")) for pick in dict.fromkeys(picks)
            ),
        )
    at = next((at for at, pick in enumerate(picks) if (pick.owner, pick.die) == (die.owner, die.die)), -1)
    if at < 0:
        raise NotAllowed(
            T("{die} is not in the group: {card} works on one of its dice.", die=die.die, card=named(card.id))
        )
    return at


def bill(
    state: TroyesState, seat: str, picks: Sequence[Pick], size: int, card: Activity | None, using: Using
) -> tuple[tuple[str, int], ...]:
    """What is paid to whom: by the size of the group, with what Tithe, Chief Templar and Viticulturist spare (A6).

    One die a district is free with Tithe and has a price of its own with Chief Templar; Viticulturist takes one die
    for nothing; le Roy spares more (rulebook, Card Modifications). Raises NotAllowed when the cube spares nothing.
    """
    price = state.box.board.prices[size - 1]
    spared = -1
    if card is not None and card.id == "viticulturist":
        spared = _at(card, using, picks)
        if picks[spared].owner == seat:
            raise NotAllowed(T("{card} takes a die of another district.", card=named(card.id)), rule="A66")
    each = {"tithe": 0, "chief_templar": min(price, card.numbers.get("cost", 0))}.get(card.id) if card else None
    spent: Counter[str] = Counter()
    paid: dict[str, int] = {}
    for at, pick in enumerate(picks):
        if pick.owner == seat or at == spared:
            continue
        due = price
        if each is not None and spent[pick.owner] < (state.box.solo.tithe_dice if pick.owner == LE_ROY else 1):
            spent[pick.owner] += 1
            due = each
        if due:
            paid[pick.owner] = paid.get(pick.owner, 0) + due
    if card is not None and each is not None and (not spent or each == price):
        raise NotAllowed(
            T("{card} takes dice of other districts; all these are your own.", card=named(card.id))
            if not spent
            else T("{card} would change nothing: the die costs {price} anyway.", card=named(card.id), price=price),
            rule="A66",
        )
    return tuple(paid.items())
