"""CONTRIBUTING.md names files, folders and targets of make that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def missing(text: str) -> list[str]:
    """What a text names in the tree or in the Makefile that is not there."""
    named = {name for name in re.findall(r"`([\w./-]+)`|(?<=pytest )([\w./]+)", text) for name in name if "/" in name}
    targets = set(re.findall(r"\bmake ([a-z]+)", text)) - set(re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text()))
    return sorted(name for name in named if not (ROOT / name).exists()) + sorted(targets)


def test_all_that_contributing_names_is_there() -> None:
    assert missing((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("planted", ["`tests/none.py`", "make nothing", "pytest tests/none"])
def test_what_is_not_there_is_found(planted: str) -> None:
    assert missing(planted)
