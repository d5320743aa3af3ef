"""Places where a citizen can stand: `palace 4`, `city_hall 3.2`, `merchant`, `supply`.

In entries and in the state a place is such a word; people type it with hyphens. `row.space` counts rows from the top
(dice 1 and 6, 2 and 5, 3 and 4) and spaces from the first, where newcomers enter (ruling A42). `palace lying` is the
illustration where expelled citizens lie. On an activity card, `merchant 1` is the space worth most and `merchant
picture` the illustration, worth nothing (rulebook, Activate an Activity card, notes).
"""

from __future__ import annotations

from functools import lru_cache

from engine.values import fixed

PALACE, BISHOPRIC, CITY_HALL = "palace", "bishopric", "city_hall"
BUILDINGS = (CITY_HALL, BISHOPRIC, PALACE)
"""In the order of their dice: yellow, white, red."""
BUILDING_OF = {"yellow": CITY_HALL, "white": BISHOPRIC, "red": PALACE}
COLOUR_OF_BUILDING = {building: colour for colour, building in BUILDING_OF.items()}
SUPPLY = "supply"
LYING = "lying"
WRITTEN = {"fr": {LYING: "couché", "recruit": "recruter"}}
"""By language how people type what is neither building nor card."""
PICTURE = "picture"
POSSESSION = "possession"
"""The Event card that takes citizens (Ladies). It is a place like an Activity card."""


@fixed
class Place:
    """One place. `on` is a building, an activity id, or `supply`; `spot` the rest of the word."""

    on: str
    spot: str = ""

    def __str__(self) -> str:
        return f"{self.on} {self.spot}" if self.spot else self.on

    @classmethod
    @lru_cache(1024)
    def parse(cls, word: str) -> Place:
        """Read what `str` wrote; no check that the place exists."""
        on, _, spot = word.partition(" ")
        return cls(on, spot)

    @property
    def building(self) -> bool:
        """Whether it is in one of the three principal buildings (lying included)."""
        return self.on in BUILDINGS

    @property
    def standing(self) -> bool:
        """Whether a citizen there stands in a building."""
        return self.building and self.spot != LYING

    @property
    def row(self) -> int:
        """Row 0 to 2 of City Hall or Bishopric."""
        return _numbers(self.spot)[0]

    @property
    def space(self) -> int:
        """Space from 0: of a row, or of the Palace."""
        return _numbers(self.spot)[1]


@lru_cache(1024)
def _numbers(spot: str) -> tuple[int, int]:
    """The row and space of a spot, counted from 0. Raises ValueError where it has none."""
    row, _, number = spot.partition(".")
    return int(row) - 1, int(number or row) - 1


@lru_cache(256)
def space(building: str, row: int, column: int = 0) -> Place:
    """The place with these counts from 0 in a building. The Palace has its six spaces as `row`."""
    return Place(building, f"{row + 1}" if building == PALACE else f"{row + 1}.{column + 1}")


SPACES = tuple(
    [space(PALACE, number) for number in range(6)]
    + [space(building, row, column) for building in (BISHOPRIC, CITY_HALL) for row in range(3) for column in range(2)]
)
"""The eighteen spaces of the three principal buildings."""


def spaces_of(building: str) -> list[Place]:
    """The spaces of one building, row by row."""
    return [place for place in SPACES if place.on == building]
