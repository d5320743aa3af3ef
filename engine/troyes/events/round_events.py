"""The course of the game: how it begins, rounds and phases, what is pending, the end."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from engine.kit.edits import Edited, StateEdits
from engine.kit.events import HIDDEN, ONLY, Beginning, Event
from engine.kit.rolls import Rolled
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.events import lookup
from engine.troyes.state import dice, serialization
from engine.troyes.state.kept_plans import Cancellation, StandingPlan
from engine.troyes.state.troyes_state import LE_ROY, Frame, House, OpenQuestion, QueuedEvent, Tile, TroyesState
from engine.values import fixed


@fixed(kw_only=True)
class TroyesBegins(Beginning[TroyesState]):
    """Who plays with which numbers, what lies open, and (hidden) how everything was shuffled and dealt."""

    draws_for = (
        *(f"{colour}-{level}" for level in (1, 2, 3) for colour in dice.COLOURS),
        *(f"{colour}-events" for colour in dice.COLOURS),
        "characters", "start", *(f"outdoor-{level}" for level in (1, 2, 3, 4)),
    )  # fmt: skip
    seats: dict[str, str]
    options: dict[str, str]
    start: str
    rolled: Rolled | None = None
    """The draw of the start player."""
    pile: tuple[str, ...] = ()
    open_characters: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    box: dict[str, Any]
    characters: dict[str, tuple[str, ...]] = field(default_factory=dict, metadata=ONLY)
    decks: dict[str, tuple[str, ...]] = field(default_factory=dict, metadata=HIDDEN)
    draws: Any = field(default=(), metadata=HIDDEN)

    def begun(self) -> TroyesState:
        box = load_box(self.box)
        state = TroyesState(box=box, options=dict(self.options), names=dict(self.seats))
        board = box.board
        for seat in state.names:
            supply = board.start_citizens[state.players]
            state.houses[seat] = House(board.start_deniers, board.start_influence, 0, supply, board.citizens - supply)
            state.dice[seat] = []
        state.dice[state.neutral] = []
        state.neutrals = state.all_neutrals
        if state.solo:
            state.houses[LE_ROY] = House()
            state.pile = list(self.pile)
        state.start = self.start
        state.queue = [QueuedEvent("marauding")]
        state.tiles = [Tile(id) for id in self.tiles]
        state.open_characters = list(self.open_characters)
        state.decks = {name: list(deck) for name, deck in self.decks.items()}
        state.characters = {seat: list(held) for seat, held in self.characters.items()}
        return state


@fixed
class RoundBegins(Event[TroyesState]):
    """A new round."""

    kind = "round"
    round: int

    def apply(self, state: TroyesState) -> None:
        state.round = self.round
        state.draws, state.rolled = {}, {}
        for seat, house in state.houses.items():
            if house.passed:
                lookup.house_of(state, seat).passed = False


@fixed
class PhaseBegins(Event[TroyesState]):
    """A new phase."""

    kind = "phase"
    phase: str

    def apply(self, state: TroyesState) -> None:
        state.phase = self.phase


@fixed
class StartPlayerMoves(Event[TroyesState]):
    """The start player card goes on."""

    kind = "starts"
    seat: str

    def apply(self, state: TroyesState) -> None:
        state.start = self.seat


@fixed
class MattersPending(Event[TroyesState]):
    """What is pending and who is asked, wherever the rules wait for somebody."""

    kind = "agenda"
    pending: list[Frame]
    asked: list[OpenQuestion]
    number: int
    plans: dict[str, tuple[StandingPlan, ...]] = field(default_factory=dict, metadata=ONLY)
    """The standing orders, which are pending too."""
    cancelled: dict[str, Cancellation] = field(default_factory=dict, metadata=ONLY)
    """Standing orders that were cancelled on the way here."""

    def apply(self, state: TroyesState) -> None:
        # No copies are needed: the position is forked before it goes on.
        state.agenda, state.asked, state.number = self.pending, self.asked, self.number
        state.plans = dict(self.plans)


@fixed
class SeatScored(Event[TroyesState]):
    """A family's final score, component by component."""

    kind = "scored"
    seat: str
    parts: dict[str, int]

    def apply(self, state: TroyesState) -> None:
        state.scores = {**state.scores, self.seat: dict(self.parts)}


@fixed
class TroyesEnds(Event[TroyesState]):
    """Who won, and who was whom."""

    kind = "over"
    shows = True
    winners: tuple[str, ...]
    characters: dict[str, tuple[str, ...]]

    def apply(self, state: TroyesState) -> None:
        state.phase = "over"


KEPT = frozenset(
    ("schema", "number", "asked", "agenda", "draws", "rolled", "options", "box", "scores", "phase", "round")
)
SECRET = frozenset({"decks", "characters", "wishes", "reacts", "plans", "sealed"})
REPAIRS = StateEdits(serialization.dump, serialization.load, KEPT, SECRET)


@fixed
class TroyesEdited(Edited):
    """A moderator's repair."""

    repairs = REPAIRS
