"""The dice of a half day as they can be used: their colour, value and price, with the tile beside the plaza.

Rulings A1, E1 to E7. Everything that a Banquets and Raids tile does to a single die is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.troyes_dice.box import DiceBox
from engine.troyes_dice.box.sheet import RESOURCES, Sheet
from engine.troyes_dice.state.state import DiceState, Die, Plaza

SECOND_SLOT = "rule.second_slot"
FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Laid:
    """A die on its plaza. `face` is what it shows, `value` what it counts; `usable` is false on a destroyed plaza.

    `word` is how people type it: colour and value, with its plaza where two are alike. `any` of one kind and `price` by
    kind are paid for it; one influence shifts it by up to `steps` (0: none may be spent); `colour_price` knowledge
    change its colour (-1: it may not change).
    """

    slot: int
    word: str
    face: int
    value: int
    colour: str
    black: bool
    usable: bool
    banquet: str
    raid: str
    any: int
    price: Mapping[str, int]
    steps: int
    colour_price: int

    def influence(self, value: int) -> int:
        """How many influence make it count `value`; -1 when that cannot be."""
        if value == self.value:
            return 0
        if not self.steps or value not in FACES:
            return -1
        return -(-abs(value - self.value) // self.steps)

    def knowledge(self, colour: str) -> int:
        """How many knowledge make it a die of `colour`; -1 when that cannot be."""
        return 0 if colour == self.colour else self.colour_price


def laid(state: DiceState) -> tuple[Laid, ...]:
    """The four dice of this half day by slot; none before the roll."""
    known: tuple[object, object, tuple[Laid, ...]] | None = state.known
    if known is not None and known[0] is state.dice and known[1] is state.plazas:
        return known[2]
    second = state.options.get(SECOND_SLOT, "any")
    found = tuple(_one(state.box, second, slot, state.plaza(slot), die) for slot, die in enumerate(state.dice))
    faces = [(die.colour, die.value) for die in found if die.usable]
    if len(set(faces)) < len(faces):
        alike = [faces.count((die.colour, die.value)) > 1 for die in found]
        found = tuple(
            replace(die, word=f"{die.word} plaza {die.slot + 1}") if two else die
            for die, two in zip(found, alike, strict=True)
        )
    state.known = (state.dice, state.plazas, found)
    return found


@lru_cache(4096)
def _one(box: DiceBox, second: str, slot: int, plaza: Plaza, die: Die) -> Laid:
    banquet = plaza.tile if plaza.side == "banquet" else ""
    raid = plaza.tile if plaza.side == "raid" else ""
    kind, amount = box.slots[slot]
    if kind == "any" and second == "denier":
        kind = "denier"
    if banquet == "price":
        kind, amount = "free", 0
    price = {kind: amount} if kind in RESOURCES and amount else {}
    tile = box.banquets[plaza.tile] if plaza.tile else {}
    surcharge = {"price": ("denier", "deniers"), "fortress": ("influence", "influence")}
    surcharge["cathedral"] = ("knowledge", "knowledge")
    if raid in surcharge:
        resource, fact = surcharge[raid]
        price[resource] = price.get(resource, 0) + tile[fact]
    steps = tile["steps"] if banquet == "influence" else 0 if raid == "influence" else box.steps
    colour_price = tile["price"] if banquet == "knowledge" else -1 if raid == "knowledge" else box.colour_price
    value = tile["value"] if raid == "work" else die.value
    return Laid(
        slot=slot,
        word=f"{plaza.up} {value}",
        face=die.value,
        value=value,
        colour=plaza.up,
        black=die.black,
        usable=not die.gone and (not die.black or banquet == "black_die"),
        banquet=banquet,
        raid=raid,
        any=amount if kind == "any" else 0,
        price=price,
        steps=steps,
        colour_price=colour_price,
    )


def payable(sheet: Sheet, die: Laid, pay: str = "") -> bool:
    """Whether the seat can buy the die, paying a cost of any kind with `pay` (any resource when empty)."""
    if not die.usable or any(sheet.unspent(resource) < amount for resource, amount in die.price.items()):
        return False
    if not die.any:
        return True
    resources = (pay,) if pay else RESOURCES
    return any(sheet.unspent(resource) - die.price.get(resource, 0) >= die.any for resource in resources)


def affordable(state: DiceState, sheet: Sheet) -> bool:
    """Whether the seat can buy any die of this half day."""
    return any(payable(sheet, die) for die in laid(state))


def count(dice: Sequence[Laid], colour: str) -> int:
    """Usable dice lying on plazas of a colour: what a Great Hall counts (section 4.4)."""
    return sum(die.usable and die.colour == colour for die in dice)


def ordered(clear: Sequence[int], black: int) -> tuple[tuple[int, ...], int]:
    """Values in rising order and the slot of the black die, which goes before its equals."""
    slot = sum(value < black for value in clear)
    values = sorted(clear)
    return (*values[:slot], black, *values[slot:]), slot
