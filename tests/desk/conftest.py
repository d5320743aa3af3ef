"""Post rooms for the tests of the desk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk.room import Room


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A post room with one running game of two: `tally-1`, Anna to move."""
    made = Room(tmp_path)
    made.open()
    return made


@pytest.fixture
def empty(tmp_path: Path) -> Room:
    """A post room without games."""
    return Room(tmp_path)
