"""Entries put into groups: a heading, and the facts that belong to it until the next heading.

A chronicle is flat; that a payment belongs to an order, or a lost point to an event, is said by where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.chronicle import Entry
from engine.troyes.state import places
from engine.troyes.state.state import GRAY

OPENS = frozenset(
    {"begins", "order", "resolves", "round", "phase", "activity"}
    | {"threat", "black", "starts", "scored", "over", "edited"}
    | {"sealed", "unsealed", "standing"}
)
"""Kinds that begin a new matter wherever they stand."""


@dataclass(slots=True)
class Matter:
    """One matter: `kind` names how it is told, `last` is the number of its last entry, `entries` follow the head."""

    kind: str
    head: Entry
    last: int
    entries: list[Entry] = field(default_factory=list)
    counters: list[Matter] = field(default_factory=list)
    """Events countered on the way, each with the points it gave: told after it, as matters of their own."""

    def of(self, kind: str) -> list[Entry]:
        """The facts of one kind."""
        return [entry for entry in self.entries if entry.kind == kind]


def grouped(entries: Sequence[Entry], first: int = 0) -> list[Matter]:
    """The groups in order; `first` is the number of the first entry. Facts before any heading are passed over."""
    groups: list[Matter] = []
    counter: Matter | None = None
    for number, entry in enumerate(entries, start=first):
        here = groups[-1] if groups else None
        kind = _opened(entry, here)
        if kind:
            groups.append(Matter(kind, entry, number))
            counter = None
            continue
        if here is None:
            continue
        here.last = number
        if entry.kind == "countered":
            counter = Matter("countered", entry, number)
            here.counters.append(counter)
        elif counter is not None and entry.kind == "points" and entry.data["by"] > 0:
            counter.entries.append(entry)
        else:
            counter = None
            here.entries.append(entry)
    return groups


def _opened(entry: Entry, here: Matter | None) -> str:
    """The kind of group that the entry opens, or `""`."""
    if entry.kind in OPENS:
        return entry.kind
    if entry.kind == "passes" and entry.data.get("again"):
        return "waits"
    if entry.kind == "moves" and entry.data["owner"] == GRAY and entry.data["from"] == places.SUPPLY:
        # A neutral citizen comes with an event, or by himself before the first round.
        return "" if here is not None and here.kind in ("resolves", "neutrals") else "neutrals"
    return ""
