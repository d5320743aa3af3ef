"""The amounts that a line tells of an order, beside what it names: whether each is what it costs or brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.chronicle import Entry
from engine.game import Step
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.state import orders
from engine.troyes.state.picks import NOTHING_USED, Using
from engine.troyes.state.state import TroyesState

COSTS = 3
"""Words behind «costs» of which one may be so much."""
_UNITS = (("clause", "influence"), ("clause", "vp"), ("clause", "cubes"), ("role", "price"))


def unit_at(tokens: Sequence[Wordlet], at: int) -> str:
    """What the number before a word counts; empty where that is the order's own."""
    while at < len(tokens) and (token := tokens[at]):
        for kind, meant in _UNITS:
            if token.of(kind) == meant:
                return meant
        idle = token.of("noise") or token.of("filler")
        if not (idle or token.of("role") in ("from", "bought_from", "more") or token.of("clause") == "from"):
            return ""
        at += 1
    return ""


def are_true(state: TroyesState, seat: str, order: Any, tokens: Sequence[Wordlet], then: Step[TroyesState]) -> bool:
    """Whether each amount that is told is what the order costs or brings. `then` is what comes of it."""
    return next(untrue(state, seat, order, tokens, then), None) is None


def untrue(
    state: TroyesState, seat: str, order: Any, tokens: Sequence[Wordlet], then: Step[TroyesState]
) -> Iterator[str]:
    """What is told a wrong number of: `level`, `cubes`, `vp`, `influence`, `price`."""
    for at, token in enumerate(tokens):
        number, unit = token.of("number"), unit_at(tokens, at + 1)
        if at and number and tokens[at - 1].of("role") == "level" and number not in _levels(state, then.state):
            yield "level"
        units = (unit,) if unit else ("price", "influence") if number and _costs(tokens, at) else ()
        if number and units and not any(number in _amounts(state, seat, order, one, then) for one in units):
            yield units[0]


def _costs(tokens: Sequence[Wordlet], at: int) -> bool:
    """Whether what stands at a place is said to be paid, though not in what, and counts no dice."""
    before, after = tokens[max(0, at - COSTS) : at], tokens[at + 1 : at + 2]
    counts = any(token.of("colour") or token.of("dice") or token.of("role") == "die" for token in after)
    return any(token.of("role") == "costs" for token in before) and not (counts or tokens[at].of("die"))


def _levels(state: TroyesState, then: TroyesState) -> Iterator[int]:
    """The levels of the cathedral on which cubes are laid."""
    pairs = zip(state.cathedral, then.cathedral, strict=True)
    yield from (level for level, (before, after) in enumerate(pairs, 1) if before != after)


def _amounts(state: TroyesState, seat: str, order: Any, unit: str, then: Step[TroyesState]) -> Iterator[int]:
    """So much of it the order costs, brings, or gives to somebody."""
    if unit == "cubes":
        yield from (number for name in ("cubes", "times") if (number := getattr(order, name, 0)))
        yield from Counter(getattr(order, "targets", ())).values()
        if getattr(order, "using", NOTHING_USED) not in (NOTHING_USED, "") or isinstance(order, orders.Guard):
            yield 1  # the one that is used, or goes on a tile
        if isinstance(order, orders.Build):
            yield then.state.cubes_on_cathedral(seat) - state.cubes_on_cathedral(seat)
        return
    using = getattr(order, "using", NOTHING_USED)
    for use in using.tiles if isinstance(using, Using) else ():
        yield state.outdoor(use.tile).numbers.get("deniers" if unit == "price" else unit, 0)
    if unit == "price":
        yield from _paid(then.entries, seat)
        return
    yield abs(getattr(then.state.houses[seat], unit) - getattr(state.houses[seat], unit))
    if isinstance(order, orders.Reroll) and unit == "influence":
        yield state.box.board.reroll


def _paid(entries: Sequence[Entry], seat: str) -> Iterator[int]:
    """What a seat pays in all, and to each; and what it gets."""
    paid: Counter[str] = Counter()
    for entry in entries:
        if entry.kind == "pays" and seat in (payer := entry.data["payer"], payee := entry.data["payee"]):
            paid[f"{payer} {payee}"] += entry.data["deniers"]
        if entry.kind == "passes" and entry.data["seat"] == seat:
            yield entry.data["coins"]
    yield from paid.values()
    yield sum(deniers for way, deniers in paid.items() if way.startswith(f"{seat} "))
