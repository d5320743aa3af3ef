"""The two tables at which letters are read; nothing is kept, so that all tests share them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from .bench import Bench, Read, laid_out
from .measure import send

Sent = Callable[..., Read]
"""Sends a text to the table of `troyes` or another kind."""


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Bench]]:
    found = {kind: laid_out(tmp_path_factory.mktemp("understood"), kind) for kind in ("troyes", "dice")}
    yield found
    for table in found.values():
        table.close()


@pytest.fixture
def sent(tables: dict[str, Bench]) -> Sent:
    """What becomes of a letter with this text."""
    return lambda text, kind="troyes": send(tables[kind], text)
