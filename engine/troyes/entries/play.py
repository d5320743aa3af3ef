"""A run of the rules on one state (engine.kit.folding), and the state that a game begins with."""

from __future__ import annotations

from collections.abc import Sequence

from engine.chance import Purpose
from engine.chronicle import Data, Entry, copied
from engine.kit.folding import Untyped
from engine.kit.rolls import Rolled
from engine.troyes.box.box import load_box
from engine.troyes.entries.applied import APPLIED
from engine.troyes.state.places import Place
from engine.troyes.state.state import LE_ROY, House, QueuedEvent, Tile, TroyesState


class Play(Untyped[TroyesState]):
    """A run of the rules on one state."""

    __slots__ = ()
    folds = APPLIED
    shows = frozenset({"activity", "threat", "over", "unsealed"})

    @classmethod
    def happen(cls, state: TroyesState, entry: Entry) -> None:
        APPLIED[entry.kind](state, entry.data, entry)
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
        self.state.number += 1
        self.state.asked = [{"seat": seat, "kind": kind, "number": self.state.number}]

    def ask_all(self, seats: Sequence[str], kind: str) -> None:
        """Open a decision that several seats answer at once; each has a number of its own."""
        self.state.asked = []
        for seat in seats:
            self.state.number += 1
            self.state.asked.append({"seat": seat, "kind": kind, "number": self.state.number})

    def rolls(self, kind: str, seat: str = "", dice: int = 1, sides: int = 6) -> Rolled:
        """Dice for the next draw of this kind."""
        return self.roll(self._next(kind, seat), dice, sides)

    def shuffles(self, kind: str, seat: str, count: int) -> Rolled:
        """The numbers 0 to `count` - 1 in a random order, for the next draw of this kind."""
        return self.shuffle(self._next(kind, seat), count)

    def _next(self, kind: str, seat: str) -> Purpose:
        return Purpose(self.state.round, kind, seat, self.state.draws.get(f"{kind}/{seat or '-'}", 0) + 1)


def fold(state: TroyesState | None, entries: Sequence[Entry]) -> TroyesState:
    """The state after `entries`; `state` is left as it was. Raises PositionError where one does not fit."""
    return Play.fold(state and state.copy(), entries, begun)


def begun(entry: Entry) -> TroyesState:
    """The state before anything happened: seats, box, decks and characters as `begins` tells them."""
    data = entry.data
    box = load_box(data["box"])
    state = TroyesState(box=box, options=dict(data["options"]), names=dict(data["seats"]))
    board = box.board
    for seat in state.names:
        supply = board.start_citizens[state.players]
        state.houses[seat] = House(board.start_deniers, board.start_influence, 0, supply, board.citizens - supply)
        state.dice[seat] = []
    state.dice[state.neutral] = []
    state.neutrals = state.all_neutrals
    if state.solo:
        state.houses[LE_ROY] = House()
        state.pile = list(data["pile"])
    state.start = data["start"]
    state.queue = [QueuedEvent("marauding")]
    state.tiles = [Tile(id) for id in data.get("tiles", ())]
    state.open_characters = list(data.get("open_characters", ()))
    state.decks = copied(entry.hidden["decks"])
    state.characters = {seat: list(private["characters"]) for seat, private in entry.only.items()}
    return state
