"""The tables that a game ships: read from the files of its package, and shown on the proof sheet."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from engine.catalog import Arg, Msg, T
from engine.event_log import Data, plain_copy


@cache
def read_tables(package: str, name: str) -> Data:
    """Return the file `name.toml` of a package; nobody changes it."""
    return tomllib.loads(resources.files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def proof_row(group: str, id: str, name: str, color: str, field: str, value: object, text: str, sure: Data) -> Data:
    """Return one row of the proof sheet; `sure` says how sure the fact is (`confidence_of`)."""
    row = {"group": group, "id": id, "name": name, "color": color, "field": field, "value": plain_copy(value)}
    return {**row, **sure, "text": text}


def confidence_of(table: Mapping[str, Any], field: str, value: object, shipped: object) -> Data:
    """Return how sure a fact is, and its source. A fact that is not as shipped is `corrected`; `source` then tells
    both."""
    source = table["source"]
    other = table.get("alternatives", {}).get(field)
    if other is not None:
        source = f"{source}; another printing has {other}"
    if value != shipped:
        return {"confidence": "corrected", "source": f"the host; shipped as {plain_copy(shipped)} ({source})"}
    return {"confidence": table.get(f"{field}_confidence", table["confidence"]), "source": source}


def fill_numbers(text: str, numbers: Mapping[str, Arg]) -> Msg:
    """Return a sentence of the tables with the numbers it names."""
    return T(text, **{name: value for name, value in numbers.items() if f"{{{name}}}" in text})
