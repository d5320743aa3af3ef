"""Read an export: the document of a file, its records as stored, and the position after each step."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.errors import PositionError
from engine.event_log import Data, LogEntry
from pbem.desk.core.game_start import OPENING
from pbem.export.document import FORMAT, VERSION
from pbem.export.visible_position import apply_change
from pbem.store import toml_format
from pbem.store.commit_record import Record

MAX_EXPORT = 64 * 1024 * 1024
"""Most bytes of an export; a four-player game has about one million."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

MISFIT_ERRORS = (KeyError, TypeError, AttributeError, ValueError, IndexError)
"""Errors raised by a document whose parts do not fit together."""


def misfit_text(error: Exception) -> str:
    """The text of such an error."""
    if isinstance(error, KeyError):
        return f"does not hold together: `{error.args[0]}` is missing"
    return f"does not hold together: {error}"


def read_document(path: Path) -> Data:
    """Read an export in JSON or TOML. Raises PositionError naming the file, OSError."""
    if path.stat().st_size > MAX_EXPORT:
        raise PositionError(f"has {path.stat().st_size} bytes; an export has at most {MAX_EXPORT}", str(path))
    raw = path.read_bytes()
    if raw.lstrip()[:1] == b"{":
        return check_document(_json(raw, str(path)), str(path))
    return check_document(toml_format.parse_toml(raw, str(path)), str(path))


def _json(raw: bytes, path: str) -> Any:
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise PositionError(f"is not JSON: {error}", path) from None


def check_document(found: Any, path: str) -> Data:
    """Check that a document can be read by this program. Raises PositionError."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise PositionError(f"is no export of a game: `format` is not {FORMAT!r}", path)
    if found.get("version") != VERSION:
        raise PositionError(
            f"is an export of version {found.get('version')!r}; this program reads version {VERSION}", path
        )
    for key, kind in (("view", str), ("game", dict), ("records", list)):
        if not isinstance(found.get(key), kind):
            raise PositionError(f"lacks `{key}`, or it is of the wrong kind", path)
    if (odd := next(_controls(found), None)) is not None:
        raise PositionError(f"holds a control character, which no export has, in {odd!r}", path)
    return found


def _controls(found: Any) -> Iterator[str]:
    """Texts and keys with control characters, which a terminal may obey."""
    left = [found]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if _CONTROL.search(one):
                yield one[:80]
        elif isinstance(one, dict):
            left += (*one, *one.values())
        elif isinstance(one, list):
            left += one


@dataclass(frozen=True, slots=True)
class ReadStep:
    """The entries of a step, and the positions shown before and after it."""

    entries: tuple[LogEntry, ...]
    before: Data
    after: Data


def walk_records(found: Data) -> Iterator[tuple[Record, Data, tuple[ReadStep, ...]]]:
    """Every record of a full document, stored and written, with its steps. Raises PositionError, MISFIT_ERRORS."""
    shown: Data = {}
    for record, row in zip(records_of(found), found["records"], strict=True):
        steps = []
        for step in row["steps"]:
            after = apply_change(shown, step.get("change", {}), step.get("gone", ()))
            steps.append(ReadStep(tuple(map(entry_of, step.get("entries", ()))), shown, after))
            shown = after
        yield record, row, tuple(steps)


def records_of(found: Data) -> tuple[Record, ...]:
    """Every record of a full document. Raises PositionError and MISFIT_ERRORS."""
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
    says = [str(one["text"]) for one in talk if not one["to"]]
    also = {**row.get("also", {}), "says": says, "commit": str(row.get("commit", "")), OPENING: row.get(OPENING)}
    private: Data = {"orders": list(row["orders"])} if "orders" in row else {}
    if tells := [{"to": str(one["to"]), "text": str(one["text"])} for one in talk if one["to"]]:
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


def entry_of(row: Data) -> LogEntry:
    """An entry of a full export. Raises KeyError."""
    return LogEntry(str(row["kind"]), dict(row["data"]), dict(row.get("only", {})), dict(row.get("hidden", {})))
