"""Post rooms for the tests of clocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clocks.table import Clocked


@pytest.fixture
def room(tmp_path: Path) -> Clocked:
    made = Clocked(tmp_path)
    made.seated()
    return made
