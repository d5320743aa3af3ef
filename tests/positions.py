"""The rule positions under tests/rulebook, read once: an oracle written by hand from the rulebooks and the rulings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

Scenario = dict[str, Any]

TABLES: dict[str, dict[str, Any]] = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "rulebook").glob("*.toml"))
}
"""File to its `defaults` and its list `scenario`."""
REFUSED = ("illegal", "unclear", "unreadable")


def of_game(*beginnings: str) -> dict[str, Scenario]:
    """The positions of the files that begin so, by their ids."""
    files = [table for name, table in TABLES.items() if name.startswith(beginnings)]
    return {scenario["id"]: scenario for table in files for scenario in table["scenario"]}
