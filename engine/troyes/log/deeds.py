"""An order read back from its entries: the dice it took, what was paid, how often a card was activated."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import OrderRefused
from engine.troyes.board.group import form
from engine.troyes.board.words import typed
from engine.troyes.log.groups import Matter
from engine.troyes.log.tally import Tally, tally
from engine.troyes.state.picks import Pick, Using
from engine.troyes.state.state import Card, TroyesState

_TIMES = re.compile(r" (?:(\d+) times|once) with ")


@dataclass(frozen=True, slots=True)
class Deed:
    """One order with its facts added up."""

    seat: str
    text: str
    group: Matter
    sums: Tally
    taken: tuple[Pick, ...]
    """Dice that left the square for it, in the order they were named, district by district."""
    using: str
    """The card whose cube was spent, or `""`."""

    @property
    def card(self) -> str:
        """The Activity card that an `activate` names."""
        return self.text.split()[1].rstrip(":").replace("-", "_")


def deed(group: Matter) -> Deed:
    """Read a group that an `order` opened."""
    data = group.head.data
    seat: str = data["seat"]
    taken = tuple(Pick(entry.data["owner"], die) for entry in group.of("leaves") for die in entry.data["dice"])
    using = next((card for card in _spent(group) if not data["text"].startswith(f"activate {typed(card)} ")), "")
    return Deed(seat, data["text"], group, tally(group.entries), taken, using)


def _spent(group: Matter) -> list[str]:
    """The cards that cubes were taken off; a mixed card that is activated may be one of them."""
    return [entry.data["card"] for entry in group.of("cubes") if entry.data["by"] < 0]


def activations(state: TroyesState, done: Deed) -> int:
    """How often a card was activated: as the order says, else as often as its dice reach."""
    if "times" in done.group.head.data:
        return int(done.group.head.data["times"])
    said = _TIMES.search(done.text)
    if said:
        return int(said[1] or 1)
    card = state.activity(done.card)
    districts: dict[str, list[str]] = {}
    for pick in done.taken:
        districts.setdefault(pick.owner, []).append(pick.die)
    # The square is not what it was, so the dice of the order are put together by themselves.
    cubes = [Card(done.using, [], cubes={done.seat: 1})] if done.using else []
    square = TroyesState(box=state.box, options=state.options, names=state.names, dice=districts, cards=cubes)
    try:
        group = form(square, done.seat, done.taken, Using(done.using), mixed=len(card.dice) > 1)
    except OrderRefused:
        return 1
    return group.total // card.divisor


def sold_by(reader: str | None, done: Deed) -> tuple[Pick, ...]:
    """The dice that the reader sold for another seat's deed."""
    if reader is None or reader == done.seat:
        return ()
    return tuple(pick for pick in done.taken if pick.owner == reader)
