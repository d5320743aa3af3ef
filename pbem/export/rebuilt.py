"""The records of a full document as the store holds them."""

from __future__ import annotations

from datetime import datetime

from engine.chronicle import Data, Entry
from engine.errors import PositionError
from pbem.desk.start import OPENING
from pbem.store.record import Record


def records_of(found: Data) -> tuple[Record, ...]:
    """Every record of a full document. Raises PositionError, and KeyError and the like for what does not hold."""
    made, count = [], 0
    for number, row in enumerate(found["records"], 1):
        parts = [entry for step in row["steps"] for entry in step.get("entries", ())]
        made.append(_record(row, number, count + 1 if parts else 0, parts))
        count += len(parts)
    return tuple(made)


def _record(row: Data, number: int, first: int, parts: list[Data]) -> Record:
    if row["number"] != number:
        raise PositionError(f"is {row['number']}; {number} is needed", f"records[{number - 1}].number")
    talk = row.get("talk", ())
    also = {**row.get("also", {}), "commit": str(row.get("commit", "")), OPENING: row.get(OPENING)}
    if says := [one["text"] for one in talk if not one["to"]]:
        also["says"] = says
    private: Data = {"orders": list(row["orders"])} if "orders" in row else {}
    if tells := [dict(one) for one in talk if one["to"]]:
        private["tells"] = tells
    return Record(
        number=number,
        at=datetime.fromisoformat(row["at"]),
        what=str(row["what"]),
        engine=str(row["engine"]),
        seat=str(row.get("seat", "")),
        first=first,
        entries=tuple(entry_of(part) for part in parts),
        reveals=bool(row.get("reveals", False)),
        note=str(row.get("note", "")),
        also={key: value for key, value in also.items() if value},
        private=private,
    )


def entry_of(row: Data) -> Entry:
    """An entry as a full export writes it. Raises KeyError."""
    return Entry(str(row["kind"]), dict(row["data"]), dict(row.get("only", {})), dict(row.get("hidden", {})))
