"""What a card does and asks, besides its row of numbers. `engine.troyes.cards` declares each card once.

No other code knows a card by its id: it asks `declaration_of(id)`. `check_declarations` compares the declarations with
the rows when the cards are imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from engine.troyes.card_data.card_types import Activity
from engine.troyes.events.play import Play
from engine.troyes.state import dice
from engine.troyes.state.orders import Pick
from engine.values import fixed

CHOICES: dict[str, tuple[str, ...]] = {
    "building": (),
    "event": (),
    "events": (),
    "gain": ("influence", "points"),
    "column": (),
    "seat": (),
}
"""What a card may let one choose for each activation, and the numbers that its row needs for it."""
PRICES = ("cost", "influence")
"""Numbers that may be a price: deniers, influence."""


@fixed
class Activation:
    """`seat` activates `card` so many `times`; the dice have been paid and have left the square."""

    seat: str
    card: Activity
    times: int
    targets: tuple[str, ...]
    values: tuple[int, ...] = ()
    """What each die of the group counts."""

    def number(self, name: str) -> int:
        """A number printed on the card, times the activations."""
        return self.card.numbers[name] * self.times


@fixed(kw_only=True)
class ChangedGroup:
    """A group of dice, before or after a cube of a card has changed it."""

    seat: str
    picks: tuple[Pick, ...]
    named: Pick | None = None
    """The die of the group that the order names for the cube."""
    colours: frozenset[str]
    values: tuple[int, ...]
    plus: int = 0
    """What is added to the total."""
    size: int
    """How many dice count for the price."""
    spared: int = -1
    """The place of the die that costs nothing; -1 for none."""
    first: int | None = None
    """What the first die of each other district costs, where the cube makes it cheaper."""


Effect = Callable[[Play, Activation], None]
Change = Callable[[ChangedGroup, Activity], ChangedGroup]
End = Callable[[Mapping[str, int], Mapping[str, int]], dict[str, int]]
"""Maps each seat's cubes on a card and the card's numbers to each seat's points at the end."""


@fixed(kw_only=True)
class Declaration:
    """What one card asks. `@card(…)` decorates the function of the card's name, which does what an activation does, or
    a use of a mixed card's cubes. The price is paid, and cubes are placed or used, before it is called."""

    chooses: str = ""
    """What stands after the colon: one choice for each activation (CHOICES), or with `events` any number of them."""
    optional: bool = False
    """Whether it may be left out."""
    several: bool = False
    """Whether one choice may bring more cubes than fit, so that the rest is lost."""
    rolls: bool = False
    """Whether the choice takes effect only after dice are rolled."""
    priced: str = ""
    """The row's number that each activation costs and that may be left unpaid, or that each cube put there costs."""
    end: End | None = None
    """What the cubes of an endgame card earn."""
    on: str = ""
    """The one colour of dice that a delayed card's cube works on."""
    names: str = ""
    """Whose die of the group an order names for the cube: `own`, `others`, `any`."""
    mixes: bool = False
    """Whether the cube may be used with a group of several colours (Pilgrimage)."""
    effect: Effect | None = None
    change: Change | None = None
    """What the cube of a delayed card does to a group of dice."""

    def __call__(self, effect: Effect) -> Effect:
        _declare(effect.__name__, replace(self, effect=effect))
        return effect

    def wrong(self, row: Activity) -> Iterator[str]:
        """Whatever does not fit between the declaration and the row."""
        if (self.change is not None) != row.delayed:
            yield f"its row says {row.kind}, its declaration {'delayed' if self.change else 'not delayed'}"
        if (self.end is not None) != (row.kind == "endgame"):
            yield f"its row says {row.kind}, and its declaration {'some' if self.end else 'no'}thing of the end"
        if self.chooses not in ("", *CHOICES):
            yield f"it chooses {self.chooses}; that can be {', '.join(CHOICES)}"
        if self.priced not in ("", *PRICES):
            yield f"it is priced in {self.priced}; that can be {', '.join(PRICES)}"
        needed = (*CHOICES.get(self.chooses, ()), *filter(None, (self.priced,)))
        yield from (f"its row has no number {name}" for name in needed if name not in row.numbers)
        if (self.optional or self.several or self.rolls) and not self.chooses:
            yield "it chooses nothing, and that may be left out, bring more than fits or wait for dice"
        if self.chooses and row.kind == "endgame":
            yield f"it chooses {self.chooses}, and its cubes only lie there until the end"
        if self.priced != "cost" and (self.chooses == "events" or (self.priced and row.keeps)):
            yield f"it is priced in {self.priced or 'nothing'}; what its cubes cost is paid in deniers, the number cost"
        if self.on not in ("", *dice.COLOURS):
            yield f"its cube works on {self.on}, which is no colour of dice"


card = Declaration
CARDS: dict[str, Declaration] = {}


def declaration_of(card: str) -> Declaration:
    """The declaration of a card."""
    return CARDS[card]


def delayed(*ids: str, on: str = "", names: str = "", mixes: bool = False) -> Callable[[Change], Change]:
    """Declare delayed cards (`ids`, or the function's name) by what their cube does to a group of dice."""

    def declare(change: Change) -> Change:
        for id in ids or (change.__name__,):
            _declare(id, Declaration(on=on, names=names, mixes=mixes, change=change))
        return change

    return declare


def _declare(id: str, declaration: Declaration) -> None:
    if id in CARDS:
        raise ValueError(f"{id}: it is declared twice")
    CARDS[id] = declaration


def check_declarations(rows: Mapping[str, Activity]) -> None:
    """Compare declarations with rows. Raises ValueError naming each card whose two do not fit."""
    problems = [f"{id}: it has a row, and no declaration in engine/troyes/cards" for id in rows if id not in CARDS]
    problems += [f"{id}: it is declared, and has no row in engine/troyes/card_data" for id in CARDS if id not in rows]
    problems += [f"{id}: {found}" for id, row in rows.items() if id in CARDS for found in CARDS[id].wrong(row)]
    if problems:
        raise ValueError("; ".join(problems))
