"""A document as JSON and as TOML, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.chronicle import Data
from engine.errors import PositionError
from pbem.export.document import checked
from pbem.store import tables

LARGEST = 64 * 1024 * 1024
"""Bytes of an export that is read; a four-player game takes about one million."""


def json_text(found: Data) -> str:
    """JSON for programs and for diffs: one record a line below the first few."""
    head = {key: value for key, value in found.items() if key != "records"}
    lines = [f'{_compact(key)}: {_compact(value)},' for key, value in head.items()]
    rows = ",\n".join(f"  {_compact(row)}" for row in found["records"])
    return "{\n" + "\n".join(lines) + '\n"records": [\n' + rows + "\n]\n}\n"


def toml_text(found: Data) -> str:
    """The same table as TOML."""
    return tables.write(found).decode()


def read_document(path: Path) -> Data:
    """Read an export in either form. Raises PositionError naming the file for anything else, OSError."""
    if path.stat().st_size > LARGEST:
        raise PositionError(f"has {path.stat().st_size} bytes; an export has at most {LARGEST}", str(path))
    raw = path.read_bytes()
    if raw.lstrip()[:1] == b"{":
        return checked(_json(raw, str(path)), str(path))
    return checked(tables.parse(raw, str(path)), str(path))


def _json(raw: bytes, path: str) -> Any:
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise PositionError(f"is not JSON: {error}", path) from None


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
