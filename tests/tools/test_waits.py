"""`make waits`: the figures are there for every kind of table, and standing orders save what they are for."""

from __future__ import annotations

import pytest

from tests.tools.waits import READS, TABLES, measured, next_read


def test_standing_orders_save_waits() -> None:
    """Placements and black dice hardly wait any more; a game takes fewer letters and fewer days."""
    found = measured("troyes-3", 2)
    naive, standing = found["naive"], found["standing"]
    assert standing["waits"] < 0.6 * naive["waits"]
    assert standing["letters"] < naive["letters"] and standing["days"] < naive["days"]
    assert standing["causes"]["settle"] <= 3 < naive["causes"]["settle"]
    assert standing["causes"].get("counter", 0) < naive["causes"]["counter"]


def test_people_read_twice_a_day_where_they_live() -> None:
    """At eight, in the morning and in the evening, of their own zone; a letter of that moment is read at once."""
    assert (8, 20) == READS
    assert [8, 8, 20, 32] == [next_read(hours, 0) for hours in (0, 8, 8.5, 21)]
    assert [11, 11, 23] == [next_read(hours, -3) for hours in (0, 11, 12)]


def test_there_is_a_table_of_every_kind() -> None:
    """Two to four players, each module of the Ladies and all of them, and Dice."""
    assert {"troyes-2", "troyes-3", "troyes-4", "troyes-3-ladies", "troyes-dice-3", "troyes-3-ramparts"} <= set(TABLES)


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
def test_half_of_the_waits_are_gone(players: int) -> None:
    """The full number: 50 games."""
    found = measured(f"troyes-{players}", 50)
    assert found["standing"]["waits"] <= found["naive"]["waits"] / 2
