"""Orders as values, complete with all that is filled in, and what they take: dice of the square and cubes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from engine.kit.codec import OPTIONAL
from engine.troyes.state import dice
from engine.values import fixed


@fixed(order=True)
class Pick:
    """A die of a district, a seat's or `gray`; `colour` is what a purple one counts as, where it is said."""

    owner: str
    die: str
    colour: str = ""

    def word(self, seat: str, say: Callable[[str], str] = str) -> str:
        """The die as `seat` types it, without an owner when it is its own; `say` translates words."""
        said = self.die if self.owner == seat else f"{say(self.owner.replace('_', '-'))}:{self.die}"
        return f"{said} {say('as')} {dice.LETTERS[self.colour]}" if self.colour else said


@fixed
class Swap:
    """One own die for one of another district."""

    own: str
    other: Pick


@fixed
class TileUse:
    """A cube of an outdoor tile used in an action. Some tiles need more: `swaps` for the Exchange, `die` for the die
    that is turned over, `card` for where a cube goes."""

    tile: str
    swaps: tuple[Swap, ...] = ()
    die: Pick | None = None
    card: str = ""


@fixed
class Using:
    """The cubes used in one action: of one delayed card, `die` where it asks for one, and of outdoor tiles."""

    card: str = ""
    die: Pick | None = None
    tiles: tuple[TileUse, ...] = ()

    def tile(self, id: str) -> TileUse | None:
        """The use of that tile, if there is one."""
        return next((use for use in self.tiles if use.tile == id), None)


NOTHING_USED = Using()
"""No cube at all."""


NOTHING = "nothing"
"""The target of an activation that leaves a card's price unpaid."""


@fixed
class Settle:
    """Initial placement: a space now, and preferred spaces for one's later placements."""

    places: tuple[str, ...]


@fixed
class Reroll:
    """Roll one die again; with `until`, again and again while it shows fewer pips, for `most` influence."""

    die: str
    until: int = 0
    most: int = 0


@fixed
class Flip:
    dice: tuple[str, ...]


@fixed
class Recruit:
    citizens: int


@fixed
class Activate:
    """Action 1.

    `hiring` is where the tradesman comes from, `""` when he is there already. `space` is the number of the space he
    takes (1 is worth most), 0 for none or the illustration, -1 (for later) for the best free one. `targets` has one
    choice for each activation of a card that lets one choose (buildings, events, columns, seats), or is `("nothing",)`
    to leave a price unpaid; for mixed cards it begins with `place` or `use`.
    """

    card: str
    dice: tuple[Pick, ...]
    times: int
    hiring: str = ""
    space: int = 0
    targets: tuple[str, ...] = ()
    using: Using = NOTHING_USED


@fixed
class Build:
    """Action 2: the cathedral."""

    dice: tuple[Pick, ...]
    using: Using = NOTHING_USED


@fixed
class Fight:
    """Action 3: `cubes` on one event, 0 (for later) for all that fit; `freed` leave Possession, one per cube."""

    event: str
    dice: tuple[Pick, ...]
    cubes: int
    using: Using = NOTHING_USED
    freed: tuple[str, ...] = ()


@fixed
class Station:
    """Action 4: place a citizen on the building of the die's colour."""

    die: Pick
    source: str
    using: Using = NOTHING_USED


@fixed
class Farm:
    """Action 5: agriculture."""

    dice: tuple[Pick, ...]
    using: Using = NOTHING_USED


@fixed
class Pass:
    """Action 6."""


@fixed
class Counter:
    """Beat black dice with own dice, or with a cube of the tile `using`; nothing where none can be beaten."""

    black: tuple[int, ...]
    dice: tuple[str, ...]
    using: str = ""


@fixed
class Support:
    """The events that receive a neutral cube."""

    events: tuple[str, ...]


@fixed
class Target:
    """Where the cube of a hit goes, and `then` those of the next ones."""

    event: str
    then: tuple[str, ...] = ()


@fixed
class Guard:
    """Action 7 (Ladies): a die raised by `boost` pips moves the guard on, then puts cubes on tiles of these levels."""

    die: Pick
    boost: int = 0
    advance: int = 0
    cubes: tuple[int, ...] = ()
    using: Using = NOTHING_USED


@fixed
class Use:
    """A cube of an outdoor tile used before the action."""

    tile: str


@fixed
class React:
    """Use a cube of an outdoor tile in another player's turn or in phase 3; an empty tile keeps the cube."""

    tile: str


@fixed
class Give:
    """A citizen for Possession, from a place, or `recruit` for one hired with an empty supply."""

    source: str


@fixed
class Discard:
    """The cube lost to Harsh Winter: the card or tile it lies on."""

    on: str


@fixed
class Release:
    """The citizen who leaves Possession for a cube, by his owner."""

    owner: str


@fixed
class Auto:
    """A standing answer: cubes of a tile, or of all, react `always`, `never`, or when asked (`ask`)."""

    react: str
    tile: str = ""


@fixed
class AutoPass:
    """A standing order to pass in this round; with `dieless` only with an empty district, perhaps `always`."""

    dieless: bool = False
    always: bool = False


@fixed
class AutoCounter:
    """A standing order to counter with the fewest, then the cheapest dice. Influence above `keep` may be asked for."""

    keep: int = 0
    always: bool = False


@fixed
class AutoPlace:
    """A standing order for one's placements to come: the first of these spaces that is free."""

    places: tuple[str, ...]


PlannableOrder: TypeAlias = Activate | Build | Fight | Station | Farm | Guard | Pass | Counter
"""Orders that answer a decision at once, before anything is shown."""


@fixed
class Later:
    """A standing order: next time the first of these that is still there; with `passes`, else pass."""

    orders: tuple[PlannableOrder, ...]
    passes: bool = field(default=False, metadata=OPTIONAL)


@fixed
class Cancel:
    """Take standing orders back: those of one kind (`pass`, `counter`, `place`, `react`, `later`), or all."""

    what: str = ""


@fixed
class LeRoy:
    """Solo: le Roy's answer to whatever he is asked. It says only that his dice decide; nobody can type it."""


Answer: TypeAlias = Settle | Reroll | Flip | Recruit | Use | Support | Target | React | Give | Discard | Release
"""Other orders of a seat that is asked."""
Kept: TypeAlias = AutoPass | AutoCounter | Later
"""Standing orders that are kept until they fire."""
Order: TypeAlias = PlannableOrder | Answer | Kept | Auto | AutoPlace | Cancel | LeRoy

ANYTIME = (Auto, AutoPass, AutoCounter, AutoPlace, Later, Cancel)
"""Orders that answer no decision and may be given at any time."""

BEFORE = (Reroll, Flip, Recruit, Use)
"""Orders that leave the question open: what is done before an action or before countering."""
AT_ONCE = (Give, Discard)
"""Orders that answer a decision of all seats at once."""
