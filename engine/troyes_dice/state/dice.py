"""The dice of a half day as they can be used: colour, value and price, with the tile beside the plaza.

Rulings A1, E1 to E7. Every effect of a Banquets and Raids tile on a single die is decided here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from engine.troyes_dice.card_data import DiceBox
from engine.troyes_dice.card_data.sheet import COLOURS, RESOURCES, Sheet
from engine.troyes_dice.state.dice_state import DiceState, Die, Plaza
from engine.values import fixed

SECOND_SLOT = "rule.second_slot"
FACES = range(1, 7)


@fixed
class LaidDie:
    """A die on its plaza. `face` is what it shows, `value` what it counts; `usable` is false on a destroyed plaza.

    `word` is how people type it: colour and value, with its plaza if two are alike. It costs `any` of one kind, and
    `price` by kind.
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
    values: Mapping[int, int]
    """The values it can have, its own first, with the influence for each."""
    colours: Mapping[str, int]
    """The colours it can have, with the knowledge for each."""

    def counted(self, influence: int) -> list[int]:
        """The values that so much influence reaches, its own first."""
        return [value for value, price in self.values.items() if price <= influence]

    def turned(self, knowledge: int) -> list[str]:
        """The colours that so much knowledge gives it."""
        return [colour for colour, price in self.colours.items() if price <= knowledge]

    def rest(self, sheet: Sheet, resource: str, pay: str) -> int:
        """Return what a sheet has left of a resource once the die is paid, with `pay` for a cost of any kind."""
        return sheet.unspent(resource) - self.price.get(resource, 0) - (self.any if pay == resource else 0)


def laid_dice(state: DiceState) -> tuple[LaidDie, ...]:
    """Return the four dice of this half day by slot; none before the roll."""
    return _laid(state.box, state.options.get(SECOND_SLOT, "any"), state.row(), state.dice)


@lru_cache(256)
def _laid(box: DiceBox, second: str, row: tuple[Plaza, ...], dice: tuple[Die, ...]) -> tuple[LaidDie, ...]:
    found = [_one(box, second, slot, *there) for slot, there in enumerate(zip(row, dice, strict=False))]
    words = [die.word for die in found if die.usable]
    # Two that are alike have their plazas in their words.
    return tuple(
        replace(die, word=f"{die.word} plaza {die.slot + 1}") if words.count(die.word) > 1 else die for die in found
    )


def _one(box: DiceBox, second: str, slot: int, plaza: Plaza, die: Die) -> LaidDie:
    up, tile = plaza.up, plaza.tile
    banquet = tile if plaza.side == "banquet" else ""
    raid = tile if plaza.side == "raid" else ""
    kind, amount = box.slots[slot]
    if kind == "any" and second == "denier":
        kind = "denier"
    if banquet == "price":
        kind, amount = "free", 0
    price = {kind: amount} if kind in RESOURCES and amount else {}
    facts = box.banquets[tile] if tile else {}
    surcharges = {"price": "denier", "fortress": "influence", "cathedral": "knowledge"}
    if resource := surcharges.get(raid):
        price[resource] = price.get(resource, 0) + facts["deniers" if resource == "denier" else resource]
    steps = facts["steps"] if banquet == "influence" else 0 if raid == "influence" else box.steps
    colour_price = facts["price"] if banquet == "knowledge" else -1 if raid == "knowledge" else box.colour_price
    value = facts["value"] if raid == "work" else die.value
    values = {value: 0} | {face: -(-abs(face - value) // steps) for face in FACES if steps and face != value}
    colours = {
        colour: 0 if colour == up else colour_price for colour in COLOURS if colour == up or colour_price >= 0
    }
    return LaidDie(
        slot=slot,
        word=f"{up} {value}",
        face=die.value,
        value=value,
        colour=up,
        black=die.black,
        usable=not die.gone and (not die.black or banquet == "black_die"),
        banquet=banquet,
        raid=raid,
        any=amount if kind == "any" else 0,
        price=price,
        values=values,
        colours=colours,
    )


def purchases(sheet: Sheet, die: LaidDie) -> Sequence[str]:
    """Return what can pay for a die: resources for a cost of any kind, else ""; nothing if it is too dear."""
    if not die.usable:
        return ()
    if min(die.rest(sheet, one, "") for one in RESOURCES) < 0:
        return ()
    return [one for one in RESOURCES if die.rest(sheet, one, one) >= 0] if die.any else ("",)


def affordable(state: DiceState, seat: str) -> list[tuple[LaidDie, str]]:
    """Return the dice of this half day that the seat can buy, each with what pays a cost of any kind."""
    return [(die, pay) for die in laid_dice(state) for pay in purchases(state.sheets[seat], die)]


def count_dice(dice: Sequence[LaidDie], colour: str) -> int:
    """Return the usable dice on plazas of a colour: what a Great Hall counts (section 4.4)."""
    return sum(die.usable and die.colour == colour for die in dice)


def sorted_dice(clear: Sequence[int], black: int) -> tuple[tuple[int, ...], int]:
    """Return values in rising order and the slot of the black die, which goes before its equals."""
    values = sorted(clear)
    slot = bisect_left(values, black)
    return (*values[:slot], black, *values[slot:]), slot
