"""What a moderator may put right at a table, and how: by the paths of `archive.dump`, a seat's own ones shortened.

`anna.citizens.red` is short for `seats.anna.citizens.red`; other paths are as they stand in the tables:
`plazas.4.side`, `dice.2.value`, `numbering.1`. Sealed answers can be changed too; what is changed there stays hidden.
"""

from __future__ import annotations

from typing import Any

from engine import editing
from engine.catalog import T
from engine.chronicle import Entry
from engine.errors import NotAllowed
from engine.troyes_dice import archive
from engine.troyes_dice.state import Table

KEPT = frozenset(
    ("schema", "number", "asked", "options", "box", "scores", "phase", "day", "half", "crier", "first_number")
)
"""Tables that hang together with others: not offered singly, though an edit of the whole may change them."""
SECRET = frozenset(("sealed",))
RESTS_ON = frozenset(("dice", "plazas", "numbering", "options", "box"))
"""Tables that every answer rests on."""


def settable(table: Table) -> dict[str, Any]:
    """Every single public value that can be put right alone, by its path."""
    public, _ = archive.dump(table)
    named = editing.scalars({name: part for name, part in public.items() if name not in KEPT})
    return {_short(table, path): value for path, value in named if not path.endswith(".seat")}


def change(table: Table, path: str, value: Any, reason: str = "") -> Entry:
    """The entry of one repair. Raises NotAllowed."""
    public, secret = archive.dump(table)
    whole = _whole(table, path)
    head, _, rest = whole.partition(".")
    if head == "schema" or (head == "seats" and rest.endswith(".seat")):
        raise NotAllowed(T("{path} cannot be changed.", path=path))
    found = editing.change(public, secret, whole, value, reason, hidden=head in SECRET)
    return Entry(found.kind, {**found.data, "path": _short(table, whole)}, found.only, found.hidden)


def fold(table: Table, entry: Entry) -> None:
    """Let a repair happen; answers that rest on what it changes are forgotten, so that none turns impossible.

    Which are forgotten depends on the path alone, so that it tells nobody who had answered. Raises PositionError
    when the table is not as the repair found it.
    """
    public, secret = archive.dump(table)
    path = _whole(table, str(entry.data["path"]))
    editing.apply(public, secret, Entry(entry.kind, {**entry.data, "path": path}, entry.only, entry.hidden))
    changed = archive.load(public, secret)
    for name in Table.__slots__:
        setattr(table, name, getattr(changed, name))
    head, _, rest = _short(table, path).partition(".")
    if head in table.names and rest != "name":
        table.sealed.pop(head, None)
    elif head in RESTS_ON:
        table.sealed = {}


def calmed(table: Table) -> tuple[Entry, ...]:
    """The entry that forgets every sealed answer. The same whoever has answered, so that nobody can tell."""
    return (Entry("forgets"),) if table.phase == "half day" else ()


def _whole(table: Table, path: str) -> str:
    return f"seats.{path}" if path.partition(".")[0] in table.names else path


def _short(table: Table, path: str) -> str:
    head, _, rest = path.partition(".")
    return rest if head == "seats" and rest.partition(".")[0] in table.names else path
