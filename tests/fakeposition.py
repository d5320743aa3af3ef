"""The position of the game in `tests.fakegame`, and the one function that changes it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from engine import editing
from engine.chronicle import Entry
from engine.errors import PositionError


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


def fold_one(state: Position | None, entry: Entry) -> Position:
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
            editing.apply(public, secret, entry)
            return Position(**public, **secret)
        case _:
            raise PositionError("no such entry", entry.kind)
