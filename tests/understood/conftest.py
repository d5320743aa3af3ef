"""The two tables at which letters are read; nothing is kept, so that all tests share them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .bench import Bench, laid_out


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Bench]]:
    found = {kind: laid_out(tmp_path_factory.mktemp("understood"), kind) for kind in ("troyes", "dice")}
    yield found
    for table in found.values():
        table.close()
