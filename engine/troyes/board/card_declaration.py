"""What a card is beside its row: what it does and what it asks. `engine.troyes.cards` declares each, once.

Nothing but its row and its declaration knows a card by its id: every other room asks `of(id)`. `check` holds the
declarations against the rows of the box when the cards are imported.
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
"""What a card may ask to choose for each activation, and the numbers of the row that must be there for it."""
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
    """A group of dice, before or after the cube of a card."""

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
    """Where the die stands that costs nothing."""
    first: int | None = None
    """What the first die of each other district costs, where the cube makes it cheaper."""


Effect = Callable[[Play, Activation], None]
Change = Callable[[ChangedGroup, Activity], ChangedGroup]
End = Callable[[Mapping[str, int], Mapping[str, int]], dict[str, int]]
"""Each seat's cubes on a card and the card's numbers to each seat's points at the end."""


@fixed(kw_only=True)
class Declaration:
    """What one card asks. As `@card(…)` it decorates the function of the card's name: what an activation does, or a use
    of a mixed card's cubes; its price is paid, and cubes are put there or used, before that function is called."""

    chooses: str = ""
    """What stands after the colon, one for each activation (CHOICES), or with `events` as many as one likes."""
    optional: bool = False
    """Whether it may be left out."""
    several: bool = False
    """Whether one choice may bring more cubes than fit, and the rest are lost."""
    rolls: bool = False
    """Whether what is chosen waits for dice."""
    priced: str = ""
    """The row's number that each activation costs, and that may be left unpaid; or each cube put on a card for it."""
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
        """What does not fit between the declaration and the row."""
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
    """Declare delayed cards (`ids`, else the card of the function's name) by what a cube does to a group of dice."""

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
    """Raises ValueError naming each card whose row and declaration do not belong together."""
    problems = [f"{id}: it has a row, and no declaration in engine/troyes/cards" for id in rows if id not in CARDS]
    problems += [f"{id}: it is declared, and has no row in engine/troyes/card_data" for id in CARDS if id not in rows]
    problems += [f"{id}: {found}" for id, row in rows.items() if id in CARDS for found in CARDS[id].wrong(row)]
    if problems:
        raise ValueError("; ".join(problems))
