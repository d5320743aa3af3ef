"""A run of the rules on one town, and the town that entries fold to.

Playing and folding are the same thing: `Play.record` makes an entry and folds it into the town at once, so a state
is what its entries fold to by construction. An entry holds exact numbers (what was lost after clamping, what a die
showed), so folding needs no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from typing import Any

from engine.chance import Chance
from engine.chance import Purpose
from engine.chronicle import Data
from engine.chronicle import Entry
from engine.errors import PositionError
from engine.kit.plain import copied
from engine.troyes.cards.box import load_box
from engine.troyes.places import Place
from engine.troyes.state import LE_ROY
from engine.troyes.state import House
from engine.troyes.state import Threat
from engine.troyes.state import Tile
from engine.troyes.state import Town
from engine.troyes.verbs.folds import FOLDS

SHOWS = frozenset({"activity", "threat", "over", "unsealed"})
"""Kinds of entry that show what was hidden: commit points, as rolls are."""


@dataclass(slots=True)
class Play:
    """A run of the rules on one town: what was recorded, where numbers come from, and whether any was shown."""

    town: Town
    chance: Chance
    entries: list[Entry] = field(default_factory=list)
    reveals: bool = False

    def record(
        self, kind: str, *, only: dict[str, Data] | None = None, hidden: Data | None = None, **data: Any
    ) -> None:
        """Record one fact and let it happen."""
        made = Entry(kind, data, only or {}, hidden or {})
        FOLDS[kind](self.town, data, made)
        if "draw" in data:
            _count_draw(self.town, str(data["draw"]))
        if kind in SHOWS:
            self.reveals = True
        self.entries.append(made)

    def move(self, owner: str, source: Place | str, to: Place | str, pushed: Sequence[Data] = ()) -> None:
        """Record that a citizen goes from one place to another, pushing others on his way."""
        data: Data = {"owner": owner, "from": str(source), "to": str(to)}
        if pushed:
            data["pushed"] = list(pushed)
        self.record("moves", **data)

    def ask(self, seat: str, kind: str) -> None:
        """Open a decision for a seat; its number is new, so that older answers are late."""
        self.town.number += 1
        self.town.asked = [{"seat": seat, "kind": kind, "number": self.town.number}]

    def ask_all(self, seats: Sequence[str], kind: str) -> None:
        """Open a decision that several seats answer at once; each has a number of its own."""
        self.town.asked = []
        for seat in seats:
            self.town.number += 1
            self.town.asked.append({"seat": seat, "kind": kind, "number": self.town.number})

    def roll(self, kind: str, seat: str = "", dice: int = 1, sides: int = 6) -> tuple[str, tuple[int, ...]]:
        """Numbers for the next draw of this kind and their purpose, to be recorded with what they did."""
        purpose = self._next(kind, seat)
        return str(purpose), self.chance.roll(purpose, dice, sides)

    def shuffle(self, kind: str, seat: str, count: int) -> tuple[str, tuple[int, ...]]:
        """The numbers 0 to `count` - 1 in a random order, and the purpose, to be recorded."""
        purpose = self._next(kind, seat)
        return str(purpose), self.chance.order(purpose, count)

    def _next(self, kind: str, seat: str) -> Purpose:
        self.reveals = True
        return Purpose(self.town.round, kind, seat, self.town.draws.get(f"{kind}/{seat or '-'}", 0) + 1)


def _count_draw(town: Town, purpose: str) -> None:
    drawn = Purpose.parse(purpose)
    town.draws[f"{drawn.kind}/{drawn.seat or '-'}"] = drawn.n


def fold(town: Town | None, entries: Sequence[Entry]) -> Town:
    """The town after `entries`. Raises PositionError where one does not fit."""
    for number, entry in enumerate(entries):
        try:
            if entry.kind == "begins":
                town = begun(entry)
                continue
            if town is None:
                raise PositionError("a chronicle begins with `begins`")
            FOLDS[entry.kind](town, entry.data, entry)
            if "draw" in entry.data:
                _count_draw(town, str(entry.data["draw"]))
        except PositionError:
            raise
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            raise PositionError(f"{type(error).__name__}: {error}", f"entry {number} ({entry.kind})") from error
    if town is None:
        raise PositionError("there are no entries")
    return town


def begun(entry: Entry) -> Town:
    """The town before anything happened: seats, box, decks and characters as `begins` tells them."""
    data = entry.data
    box = load_box(data["box"])
    town = Town(box=box, options=dict(data["options"]), names=dict(data["seats"]))
    board = box.board
    for seat in town.names:
        supply = board.start_citizens[town.players]
        town.houses[seat] = House(board.start_deniers, board.start_influence, 0, supply, board.citizens - supply)
        town.dice[seat] = []
    town.dice[town.neutral] = []
    town.neutrals = town.all_neutrals
    if town.solo:
        town.houses[LE_ROY] = House()
        town.pile = list(data["pile"])
    town.start = data["start"]
    town.queue = [Threat("marauding")]
    town.tiles = [Tile(id) for id in data.get("tiles", ())]
    town.open_characters = list(data.get("open_characters", ()))
    town.decks = copied(entry.hidden["decks"])
    town.characters = {seat: list(private["characters"]) for seat, private in entry.only.items()}
    return town
