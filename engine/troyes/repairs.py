"""What a moderator may put right in a town (engine.kit.edits), and the private plans that a way back cancels."""

from __future__ import annotations

from engine.chronicle import Entry
from engine.kit.edits import Repairs
from engine.troyes import archive
from engine.troyes.state import Town

KEPT = frozenset(
    ("schema", "number", "asked", "agenda", "draws", "rolled", "options", "box", "scores", "phase", "round")
)
SECRET = frozenset({"decks", "characters", "wishes", "reacts", "sealed"})
REPAIRS = Repairs(archive.dump, archive.load, KEPT, SECRET)


def calmed(town: Town) -> tuple[Entry, ...]:
    """The entries that cancel every private plan. The same whoever has made one, so that nobody can tell."""
    found: list[Entry] = []
    if not town.round:
        found.append(Entry("wishes", {}, {seat: {"places": []} for seat in town.seats}))
    if town.answering:
        found.append(Entry("standing", {}, {seat: {"react": "", "tiles": town.answering} for seat in town.seats}))
    return tuple(found)
