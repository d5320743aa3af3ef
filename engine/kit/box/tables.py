"""The tables that a game is shipped with: read from beside its code, told, and shown on the proof sheet."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from engine.catalog import Arg, Msg, T
from engine.chronicle import Data, copied


@cache
def read_tables(package: str, name: str) -> Data:
    """The file `name.toml` of a package; never changed after reading."""
    return tomllib.loads(resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def proof_row(group: str, id: str, name: str, color: str, field: str, value: object, text: str, sure: Data) -> Data:
    """One row of the proof sheet; `sure` says how sure the fact is (`surety`)."""
    row = {"group": group, "id": id, "name": name, "color": color, "field": field, "value": copied(value)}
    return {**row, **sure, "text": text}


def surety(table: Mapping[str, Any], field: str, value: object, shipped: object) -> Data:
    """How sure a fact is and where it is from. `corrected` is one that is not as shipped; `source` then tells both."""
    source = table["source"]
    other = table.get("alternatives", {}).get(field)
    if other is not None:
        source = f"{source}; another printing has {other}"
    if value != shipped:
        return {"confidence": "corrected", "source": f"the host; shipped as {copied(shipped)} ({source})"}
    return {"confidence": table.get(f"{field}_confidence", table["confidence"]), "source": source}


def fill(text: str, numbers: Mapping[str, Arg]) -> Msg:
    """A sentence of the tables with the numbers it names."""
    return T(text, **{name: value for name, value in numbers.items() if f"{{{name}}}" in text})
