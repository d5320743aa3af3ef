"""One player's sheet: buildings drawn, die boxes crossed out, and the tracks.

Columns are physical, 1 the leftmost. A sheet knows no rule. A sheet that a position holds, and every table of it, is
never changed: events put others in their place, so that positions share what has not changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

COLOURS = ("red", "yellow", "white")
RESOURCES = ("influence", "denier", "knowledge")
RESOURCE = dict(zip(COLOURS, RESOURCES, strict=True))
"""Colour of a die to what it brings."""
COLOUR_OF_RESOURCE = dict(zip(RESOURCES, COLOURS, strict=True))

PRESTIGE = dict(zip(COLOURS, ("fortress", "great_hall", "cathedral"), strict=True))
WORK = dict(zip(COLOURS, ("counts_palace", "city_hall", "bishopric"), strict=True))
ROWS = tuple(row for colour in COLOURS for row in (PRESTIGE[colour], WORK[colour]))
"""The six rows of buildings from top to bottom."""
COLOUR = {row: colour for kind in (PRESTIGE, WORK) for colour, row in kind.items()}
"""Row to the colour of its district."""
WORKS = frozenset(WORK.values())
COLUMNS = range(1, 7)


@dataclass(slots=True)
class Sheet:
    """`built` and `crossed` hold columns in the order in which it happened; `circled` counts all that was ever gained.
    """

    built: dict[str, tuple[int, ...]] = field(default_factory=lambda: dict.fromkeys(ROWS, ()))
    crossed: dict[str, tuple[int, ...]] = field(default_factory=lambda: dict.fromkeys(COLOURS, ()))
    circled: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESOURCES, 0))
    spent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESOURCES, 0))
    citizens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 0))

    def copy(self) -> Sheet:
        """Return another sheet with the same tables."""
        return Sheet(self.built, self.crossed, self.circled, self.spent, self.citizens)

    def unspent(self, resource: str) -> int:
        """Return what is left of a resource."""
        return self.circled[resource] - self.spent[resource]

    def is_open(self, row: str, column: int) -> bool:
        """True if the building is neither drawn nor crossed out."""
        return column not in self.built[row] and column not in self.crossed[COLOUR[row]]

    def open_columns(self, row: str) -> list[int]:
        """Return the columns in which a building of the row can still be drawn."""
        gone = (*self.built[row], *self.crossed[COLOUR[row]])
        return [column for column in COLUMNS if column not in gone]
