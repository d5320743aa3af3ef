"""A run of the rules on one town (engine.kit.folding), and the town that a game begins with."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Purpose
from engine.chronicle import Data
from engine.chronicle import Entry
from engine.chronicle import copied
from engine.kit.folding import Run
from engine.kit.rolls import Rolled
from engine.troyes.cards.box import load_box
from engine.troyes.places import Place
from engine.troyes.state import LE_ROY
from engine.troyes.state import House
from engine.troyes.state import Threat
from engine.troyes.state import Tile
from engine.troyes.state import Town
from engine.troyes.verbs.folds import FOLDS


class Play(Run[Town]):
    """A run of the rules on one town."""

    __slots__ = ()
    folds = FOLDS
    shows = frozenset({"activity", "threat", "over", "unsealed"})

    @property
    def town(self) -> Town:
        """The town as it is now."""
        return self.state

    @classmethod
    def happen(cls, state: Town, entry: Entry) -> None:
        FOLDS[entry.kind](state, entry.data, entry)
        if "draw" in entry.data:
            drawn = Purpose.parse(entry.data["draw"])
            state.draws[f"{drawn.kind}/{drawn.seat or '-'}"] = drawn.n

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

    def rolls(self, kind: str, seat: str = "", dice: int = 1, sides: int = 6) -> Rolled:
        """Dice for the next draw of this kind."""
        return self.roll(self._next(kind, seat), dice, sides)

    def shuffles(self, kind: str, seat: str, count: int) -> Rolled:
        """The numbers 0 to `count` - 1 in a random order, for the next draw of this kind."""
        return self.shuffle(self._next(kind, seat), count)

    def _next(self, kind: str, seat: str) -> Purpose:
        return Purpose(self.town.round, kind, seat, self.town.draws.get(f"{kind}/{seat or '-'}", 0) + 1)


def fold(town: Town | None, entries: Sequence[Entry]) -> Town:
    """The town after `entries`. Raises PositionError where one does not fit."""
    return Play.fold(town, entries, begun)


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
