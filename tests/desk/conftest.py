"""Post rooms for the tests of the desk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk.room import Room
from tests.whole.room import Hall


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


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A game of Troyes of two, some answers after its beginning."""
    hall = Hall(tmp_path)
    hall.seat_all(2)
    for _ in range(16):
        asked = hall.asked()
        assert asked is not None
        hall.send(asked, "1")
    return hall
