"""The position of the game in `tests.fakegame`, the one function that changes it, and the way from one to the next."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from engine import data_paths
from engine.chance import Chance
from engine.errors import PositionError
from engine.event_log import Data, LogEntry
from engine.game import Step


@dataclass(frozen=True)
class Position:
    """All of it: `phase` is turn, bid, keep or over; `at` the seat whose turn it is; `rolled` this turn's die."""

    names: dict[str, str]
    points: dict[str, int]
    secrets: dict[str, int]
    rounds: int
    counter: int = 0
    round: int = 1
    phase: str = "turn"
    at: int = 0
    number: int = 1
    rolled: int = 0
    spent: int = 0
    bids: dict[str, int] = dataclasses.field(default_factory=dict)

    @property
    def seats(self) -> list[str]:
        return list(self.names)

    @property
    def turn(self) -> str:
        return self.seats[self.at]


@dataclass(frozen=True)
class View:
    counter: int
    round: int
    points: dict[str, int]
    secret: int
    bid: int


def fold_one(state: Position | None, entry: LogEntry) -> Position:
    """The position after one entry; the only function that changes a position."""
    data = entry.data
    if entry.kind == "began":
        names = dict(zip(data["seats"], data["names"], strict=True))
        hands = {seat: entry.only[seat]["number"] for seat in names}
        return Position(names, dict.fromkeys(names, 3), hands, data["rounds"])
    if state is None:
        raise PositionError("the first entry must be `began`", entry.kind)
    change = dataclasses.replace
    match entry.kind:
        case "spent":
            points = {**state.points, data["seat"]: state.points[data["seat"]] - data["points"]}
            return change(state, points=points, spent=state.spent + data["points"])
        case "rolled":
            return change(state, rolled=data["number"], number=state.number + 1)
        case "added":
            return change(state, counter=state.counter + data["points"])
        case "passed" | "kept":
            return state
        case "turned":
            return change(state, at=data["at"], number=state.number + 1, rolled=0, spent=0)
        case "bidding":
            return change(state, phase="bid", number=state.number + 1, rolled=0, spent=0)
        case "sealed":
            return change(state, bids={**state.bids, data["seat"]: entry.only[data["seat"]]["bid"]})
        case "shown":
            points = {seat: state.points[seat] + state.bids[seat] for seat in state.names}
            return change(state, points=points, bids={}, number=state.number + 1)
        case "round":
            return change(state, phase="turn", round=data["round"], at=0, number=state.number + 1)
        case "keeping":
            return change(state, phase="keep", at=data["at"], number=state.number + 1)
        case "dropped":
            return change(state, points={**state.points, data["seat"]: 0})
        case "ended":
            return change(state, phase="over")
        case "edited":
            public = dataclasses.asdict(state)
            secret = {"secrets": public.pop("secrets"), "bids": public.pop("bids")}
            edit(public, secret, entry)
            return Position(**public, **secret)
        case _:
            raise PositionError("no such entry", entry.kind)


def edit(public: dict[str, Any], secret: dict[str, Any], entry: LogEntry) -> None:
    """Put the change of an entry into tables that nobody else uses. Raises PositionError when they do not fit it."""
    hidden = entry.hidden.get("sides")
    sides, tables = (entry.data, public) if hidden is None else (hidden, secret)
    before, after = (sides.get(side, data_paths.NOTHING) for side in ("before", "after"))
    data_paths.put_value(tables, str(entry.data["path"]), before, after)


class Run:
    """A position on its way, with what was recorded."""

    def __init__(self, state: Position | None, chance: Chance) -> None:
        self.at = state
        self.chance = chance
        self.entries: list[LogEntry] = []
        self.reveals = False

    @property
    def state(self) -> Position:
        assert self.at is not None
        return self.at

    def note(self, kind: str, data: Data | None = None, only: dict[str, Data] | None = None) -> None:
        made = LogEntry(kind, data or {}, only or {})
        self.at = fold_one(self.at, made)
        self.entries.append(made)

    def step(self) -> Step:
        return Step(self.state, tuple(self.entries), self.reveals)

    def after_turn(self) -> None:
        state = self.state
        if state.at + 1 < len(state.seats):
            self.note("turned", {"at": state.at + 1})
        else:
            self.note("bidding")

    def after_bids(self) -> None:
        state = self.state
        if len(state.bids) < len(state.seats):
            return
        self.note("shown", {"bids": dict(state.bids)})
        self.reveals = True
        if state.round < state.rounds:
            self.note("round", {"round": state.round + 1})
        else:
            self.ask_keep(0)

    def ask_keep(self, at: int) -> None:
        """Ask the seats in turn; a seat with fewer than two points has nothing to choose."""
        for index in range(at, len(self.state.seats)):
            seat = self.state.seats[index]
            if self.state.points[seat] >= 2:
                self.note("keeping", {"at": index})
                return
            self.note("kept", {"seat": seat})
        self.note("ended")
