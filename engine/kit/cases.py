"""Rule positions: a few facts of a table, an order, the numbers that the dice showed, and what must have changed.

They are data (design: positions) that a person who knows the rules can read and write. A game lays the table and says
what changed; how a position is judged, how its lines are read and when it has failed is here. One is judged only if
each of its words is known: a misspelt one would be passed over, and the position pass without having been compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from engine.chance import Chance, Derived, Scripted
from engine.chronicle import Data
from engine.errors import OrderRefused
from engine.kit.words import nearest
from engine.reference import Verdict

Words = Any
"""What may stand in a place: a table of words to what may stand there in turn, a list with one such table for the rows
of a list, or None for anything."""


def judge(
    scenario: Data,
    defaults: Data,
    games: Collection[str],
    words: tuple[Words, Callable[[Data], Words]],
    differences: Callable[[Data, Data], Iterable[str]],
) -> Verdict:
    """Play one position and compare. `unsupported` for what is none of `games`, the first of which is the usual one.

    `words` are those of the defaults of a file, and those of a position; `differences` is given the position, and its
    facts over the defaults.
    """
    id, game = str(scenario.get("id", "?")), scenario.get("game", next(iter(games)))
    if game not in games:
        return Verdict(id, "unsupported", (f"no game is called {game}",))
    facts = {**defaults, **scenario}
    try:
        unknown = (*misspelt(defaults, words[0], "defaults"), *misspelt(scenario, words[1](facts)))
        found = unknown or tuple(differences(scenario, facts))
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        return Verdict(id, "fail", (f"the position cannot be laid out: {type(error).__name__}: {error}",))
    return Verdict(id, "fail" if found else "pass", found)


def misspelt(data: Any, words: Words, path: str = "") -> Iterator[str]:
    """Each key of `data` that `words` do not know, by its path, with the nearest word that is known there."""
    if isinstance(words, list) and isinstance(data, list):
        for number, row in enumerate(data, start=1):
            yield from misspelt(row, words[0], f"{path}.{number}")
    elif isinstance(words, dict) and isinstance(data, dict):
        for key, value in data.items():
            whole = f"{path}.{key}" if path else str(key)
            if key in words:
                yield from misspelt(value, words[key], whole)
            else:
                near = nearest(str(key), words)
                yield f"{whole} is no word of a position" + (f"; did you mean {near}?" if near else "")


def chance(scripted: Mapping[str, Any] | None = None) -> Chance:
    """Where a position takes its numbers from: what it lays down, else the same numbers always."""
    rest = Derived(b"a position", (), "position")
    return rest if scripted is None else Scripted(scripted, rest)


def spoken(line: str, usual: str) -> tuple[str, str]:
    """Who orders, and what: `anna> pass`; without a name it is the seat whose turn it is."""
    seat, arrow, text = line.partition(">")
    return (seat.strip(), text.strip()) if arrow else (usual, line.strip())


def run(lines: Iterable[str], act: Callable[[str], None], dumped: Callable[[], object]) -> tuple[str, str]:
    """Give the lines one by one: `ok`, or how one was refused, and what the refusal said; it may change nothing."""
    for line in lines:
        was = dumped()
        try:
            act(line)
        except OrderRefused as refusal:
            if dumped() != was:
                return "changed", f" ({line}: refused, and yet something changed)"
            return refusal.word, f" ({line}: {refusal.reason})"
    return "ok", ""


def compare_result(expected: Data, outcome: str, said: str) -> Iterator[str]:
    """Whether the lines came to what was expected of them."""
    if outcome != expected["result"]:
        yield f"result: {expected['result']} expected, {outcome} found{said}"


def compare_asked(wanted: Any, asked: Collection[tuple[str, str]]) -> Iterator[str]:
    """Whether the seat is asked that is expected; `asked` are all by seat and kind."""
    if isinstance(wanted, str):
        if not any(seat in wanted for seat, _ in asked):
            yield f"asks: {wanted!r} expected, {list(asked)} found"
    elif wanted is not None and (wanted["seat"], wanted["kind"]) not in asked:
        yield f"asks: {wanted['seat']} {wanted['kind']} expected, {list(asked)} found"


def compare_winner(wanted: Any, winners: list[str], scores: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Whether those have won who should: one seat, or a list of them."""
    if winners != (wanted if isinstance(wanted, list) else [wanted]):
        totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
        yield f"winner: {wanted} expected, {winners} found ({totals})"
