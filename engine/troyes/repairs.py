"""What a moderator may put right in a town, and how: by the paths of `archive.dump`, a seat's own ones shortened.

`anna.deniers` is short for `seats.anna.deniers`; other paths are as they stand in the tables: `palace.6`,
`dice.anna.1`, `cards.merchant.spaces.1`. Decks and characters can be changed too; what is changed there stays hidden.
"""

from __future__ import annotations

from typing import Any

from engine import editing
from engine.catalog import T
from engine.chronicle import Entry
from engine.errors import NotAllowed
from engine.troyes import archive
from engine.troyes.state import Town

KEPT = frozenset(
    ("schema", "number", "asked", "agenda", "draws", "rolled", "options", "box", "scores", "phase", "round")
)
"""Tables that hang together with others: not offered singly, though an edit of the whole may change them."""
SECRET = frozenset({"decks", "characters", "wishes", "reacts", "sealed"})


def settable(town: Town) -> dict[str, Any]:
    """Every single public value that can be put right alone, by its path."""
    public, _ = archive.dump(town)
    named = editing.scalars({name: part for name, part in public.items() if name not in KEPT})
    return {_short(town, path): value for path, value in named if not path.endswith(".seat") and path[-3:] != ".id"}


def change(town: Town, path: str, value: Any, reason: str = "") -> Entry:
    """The entry of one repair. Raises NotAllowed."""
    public, secret = archive.dump(town)
    whole = _whole(town, path)
    head, _, rest = whole.partition(".")
    if head == "schema" or (head == "seats" and rest.endswith(".seat")):
        raise NotAllowed(T("{path} cannot be changed.", path=path))
    found = editing.change(public, secret, whole, value, reason, hidden=head in SECRET)
    return Entry(found.kind, {**found.data, "path": _short(town, whole)}, found.only, found.hidden)


def fold(town: Town, entry: Entry) -> None:
    """Let a repair happen. Raises PositionError when the town is not as the repair found it."""
    public, secret = archive.dump(town)
    path = _whole(town, str(entry.data["path"]))
    editing.apply(public, secret, Entry(entry.kind, {**entry.data, "path": path}, entry.only, entry.hidden))
    changed = archive.load(public, secret)
    for name in Town.__slots__:
        setattr(town, name, getattr(changed, name))


def calmed(town: Town) -> tuple[Entry, ...]:
    """The entries that cancel every private plan. The same whoever has made one, so that nobody can tell."""
    found: list[Entry] = []
    if not town.round:
        found.append(Entry("wishes", {}, {seat: {"places": []} for seat in town.seats}))
    if town.answering:
        found.append(Entry("standing", {}, {seat: {"react": "", "tiles": town.answering} for seat in town.seats}))
    return tuple(found)


def _whole(town: Town, path: str) -> str:
    return f"seats.{path}" if path.partition(".")[0] in town.names else path


def _short(town: Town, path: str) -> str:
    head, _, rest = path.partition(".")
    return rest if head == "seats" and rest.partition(".")[0] in town.names else path
