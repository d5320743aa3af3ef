"""The law «what an entry says was shown agrees with what the record shows», as far as it is alike in every game.

A draw stands in an entry, or in its list `draws`, by its purpose: `shown` are the numbers of a roll (`sides` where it
is not a die), `order` the places of a shuffle. Each is drawn again here; and no entry changes once it is recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.chance import Chance, Purpose
from engine.event_log import LogEntry


def draws(made: LogEntry) -> Iterator[Mapping[str, Any]]:
    """Everything an entry says was drawn, in public or not."""
    for part in (made.data, made.hidden, *made.only.values()):
        if "draw" in part:
            yield part
        yield from part.get("draws", ())


def misdrawn(entries: Iterable[LogEntry], chance: Chance) -> Iterator[str]:
    """The draws that are not what this chance gives."""
    for made in entries:
        for drawn in draws(made):
            purpose = Purpose.parse(drawn["draw"])
            if "shown" in drawn:
                said, found = drawn["shown"], chance.roll(purpose, len(drawn["shown"]), drawn.get("sides", 6))
            else:
                said, found = drawn["order"], chance.order(purpose, len(drawn["order"]))
            if list(found) != list(said):
                yield f"{made.kind} says that {purpose} showed {said}; it shows {list(found)}"


class Kept:
    """Entries as they were when they were recorded."""

    def __init__(self) -> None:
        self._entries: list[LogEntry] = []
        self._said: list[str] = []

    def add(self, entries: Sequence[LogEntry]) -> None:
        self._entries += entries
        self._said += map(_said, entries)

    def changed(self) -> list[str]:
        """The entries that say something else now."""
        return [f"{was} became {now}" for was, now in zip(self._said, map(_said, self._entries), strict=True) if was != now]


def _said(made: LogEntry) -> str:
    return json.dumps([made.kind, made.data, made.only, made.hidden])
