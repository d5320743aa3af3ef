"""What an order takes: dice of the square, a cube of a card, cubes of outdoor tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from engine.kit.plain import OPTIONAL
from engine.troyes.state import dice
from engine.values import fixed


@fixed(order=True)
class Pick:
    """One die taken from a district: `owner` is a seat or `gray`, `die` its word. `colour` is what a purple die counts
    as, where the order says so."""

    owner: str
    die: str
    colour: str = ""

    def word(self, seat: str, say: Callable[[str], str] = str) -> str:
        """As `seat` types it, bare when it is his own; `say` gives the words in another language."""
        said = self.die if self.owner == seat else f"{say(self.owner.replace('_', '-'))}:{self.die}"
        return f"{said} {say('as')} {dice.LETTERS[self.colour]}" if self.colour else said


@fixed
class Swap:
    """One own die for one of another district."""

    own: str
    other: Pick


@fixed
class TileUse:
    """A cube of an outdoor tile used in an action. Some tiles need a word more: `swaps` for the Exchange, `die` for
    the die that is turned over, `card` for where a cube goes."""

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
"""The target word for an activation that does not take what a card offers for a price."""


@fixed
class Settle:
    """Initial placement: a space now, and preferred spaces for one's later placements."""

    places: tuple[str, ...]


@fixed
class Reroll:
    """One die; or again and again, `until` it shows so many pips, for `most` influence."""

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
    """Action 1. `hiring` is where the tradesman comes from, `""` when he is there already; `space` is the number of
    the space he takes (1 is worth most), 0 where it is none or the illustration, -1 (for later) for the best that is
    free. `targets` are one per activation
    for cards that choose (buildings, events, columns, seats), `("nothing",)` to leave a priced effect unused; for
    mixed cards they begin with `place` or `use`."""

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
    """Action 3: `cubes` on one event, 0 (for later) for as many as there can be. `freed` are the owners of the citizens
    that leave Possession, one per cube."""

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
    """Black dice beaten with own dice; no dice at all when none of one's dice can beat the highest, or when a cube
    of the tile `using` destroys it."""

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
    """Action 7 (Ladies): a die, raised by `boost` pips, moves the guard `advance` spaces on, then puts a cube on each
    tile of the levels in `cubes`."""

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
    """A cube of an outdoor tile used in another player's turn or in phase 3; no tile at all to keep it."""

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
    """A standing order that may be given at any time: whether cubes of a tile, or of every tile that answers others,
    react `always`, `never`, or when one is asked."""

    react: str
    tile: str = ""


@fixed
class AutoPass:
    """A standing order: pass when the turn comes, in this round; with `dieless` only while one's district is empty,
    which may hold in `always` every round."""

    dieless: bool = False
    always: bool = False


@fixed
class AutoCounter:
    """A standing order: black dice are beaten with the fewest, then the cheapest dice. Influence above `keep` is left
    to be asked about where the dice do not do."""

    keep: int = 0
    always: bool = False


@fixed
class AutoPlace:
    """A standing order: preferred spaces for one's placements to come, the first free one each time."""

    places: tuple[str, ...]


Deed: TypeAlias = Activate | Build | Fight | Station | Farm | Guard | Pass | Counter
"""What answers a decision at once, with nothing shown in between."""


@fixed
class Later:
    """A standing order: the first of these that names nothing that is gone when one's next decision comes; with
    `passes`, and where all of them do, pass."""

    orders: tuple[Deed, ...]
    passes: bool = field(default=False, metadata=OPTIONAL)


@fixed
class Cancel:
    """Standing orders are taken back: those of one kind (`pass`, `counter`, `place`, `react`, `later`), or all."""

    what: str = ""


@fixed
class LeRoy:
    """Solo: le Roy's answer to whatever he is asked. It says only that his dice decide; nobody can type it."""


Order: TypeAlias = (
    Settle
    | Reroll
    | Flip
    | Recruit
    | Activate
    | Build
    | Fight
    | Station
    | Farm
    | Guard
    | Pass
    | Use
    | Counter
    | Support
    | Target
    | React
    | Give
    | Discard
    | Release
    | Auto
    | AutoPass
    | AutoCounter
    | AutoPlace
    | Later
    | Cancel
    | LeRoy
)

Kept: TypeAlias = AutoPass | AutoCounter | Later
"""Standing orders that are kept as plans."""

ANYTIME = (Auto, AutoPass, AutoCounter, AutoPlace, Later, Cancel)
"""Orders that answer no decision and may be given whoever is asked."""

BEFORE = (Reroll, Flip, Recruit, Use)
"""Orders that leave the question open: what is done before an action, or before black dice are countered."""
AT_ONCE = (Give, Discard)
"""Orders that answer what all are asked at once."""
