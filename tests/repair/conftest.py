"""A game that has come some way, copied for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repair.bench import Bench, opened


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Anna and Faye after fourteen letters; not to be changed."""
    bench = opened(tmp_path_factory.mktemp("begun") / "host")
    bench.spool.close()
    return bench


@pytest.fixture
def bench(begun: Bench, tmp_path: Path) -> Bench:
    """The same, to be repaired."""
    return begun.copy(tmp_path / "host")
