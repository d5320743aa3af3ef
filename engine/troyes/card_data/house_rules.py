"""House rules: the table's choice where the rulings leave one, given as `rule.NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from functools import cache, lru_cache
from typing import Any

from engine.catalog import Msg, T
from engine.errors import PositionError
from engine.table_options import Option
from engine.troyes.card_data.card_types import Activity
from engine.values import fixed

PREFIX = "rule."
YES_NO = ("no", "yes")


def _rule(usual: Any, values: tuple[str, ...], says: Msg) -> Any:
    """A house rule: its default value, the values to choose from (the first is the default), and what it is about."""
    return field(default=usual, metadata={"values": values, "says": says})


@fixed
class Rules:
    """The table's choices; the defaults are the rulings."""

    support: str = _rule(
        "start-player",
        ("start-player", "nearest-two"),
        T("Support: its cubes go where the start player says, or to the two nearest events on its left"),
    )
    """A17."""
    resistance_spares_itself: bool = _rule(
        False, YES_NO, T("Resistance: whether it leaves the cubes on its own card alone")
    )
    """A18."""
    forbid_all_buildings: bool = _rule(
        False, YES_NO, T("Apprenticeship and Confession: whether the Palace is barred like the other buildings")
    )
    """A10."""
    vp: str = _rule("hidden", ("hidden", "open"), T("VP of others: hidden as at the table, or open"))
    le_roy_pair_vp: int = _rule(0, ("2", "3"), T("Solo: VP that le Roy gains for a roll of 2 or 12"))
    """0 for the printed number (D6)."""
    le_roy_places: str = _rule(
        "expel",
        ("expel", "die"),
        T("Solo: le Roy places wherever in the building he expels you, or always where his die says"),
    )
    """A57."""
    cathedral_spare_dice: bool = _rule(
        False,
        YES_NO,
        T("Cathedral: whether a die that finds no room is spent for nothing, beside one that places its cube"),
    )
    """A70: refused otherwise."""
    chief_outlaw_raises: str = _rule(
        "enemies",
        ("enemies", "all"),
        T("Chief Outlaw (Ladies): whether it raises the enemies' dice, or those of Uprising and Monk too"),
    )
    """A23."""
    scribe_counts: str = _rule(
        "fights", ("fights", "all"), T("Scribe (Ladies): whether it counts cards won by fighting, or all cards won")
    )
    """A73."""

    def forbids(self, card: Activity) -> tuple[str, ...]:
        """The places that a group changed by this card's cube may not be used for, at this table."""
        if self.forbid_all_buildings and "cathedral" in card.forbids and "palace" not in card.forbids:
            return (*card.forbids, "palace")
        return card.forbids


@cache
def rule_options() -> tuple[Option, ...]:
    """The house rules as options of a new game."""
    rules = ((PREFIX + one.name, one.metadata["values"], one.metadata["says"]) for one in fields(Rules))
    return tuple(Option(name, values, values[0], says) for name, values, says in rules)


def read_rules(options: Mapping[str, str]) -> Rules:
    """The house rules among the settled options of a game; one that is missing is the ruling.

    Raises PositionError for a value that there is not.
    """
    return _read(tuple([options.get(option.name, option.default) for option in rule_options()]))


@lru_cache(maxsize=64)
def _read(values: tuple[str, ...]) -> Rules:
    chosen: dict[str, Any] = {}
    for option, value in zip(rule_options(), values, strict=True):
        if value not in option.values:
            right = " or ".join(option.values)
            raise PositionError(f"it is {value!r} and must be {right}", f"options.{option.name}")
        if value != option.default:
            chosen[option.name.removeprefix(PREFIX)] = int(value) if value.isdecimal() else value == "yes" or value
    return Rules(**chosen)
