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
def trio(empty: Room) -> Room:
    """A post room with one running game of three."""
    empty.open(3)
    return empty


@pytest.fixture
def three(empty: Room) -> Room:
    """A post room with a table to which three people are invited."""
    empty.open(3, now=False)
    return empty


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    """A game of Troyes of two, some answers after its beginning; not to be changed."""
    hall = Hall(tmp_path_factory.mktemp("begun") / "host")
    hall.seat_all(2)
    for _ in range(16):
        asked = hall.asked()
        assert asked is not None
        hall.send(asked, "1")
    return hall


@pytest.fixture
def hall(begun: Hall, tmp_path: Path) -> Hall:
    """The same, to go on from."""
    return begun.twin(tmp_path / "host")
