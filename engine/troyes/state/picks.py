"""What an order takes: dice of the square, a cube of a card, cubes of outdoor tiles."""

from __future__ import annotations

from collections.abc import Callable

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
