"""House rules: where the rulings leave a choice, the table's choice, given as `rule.NAME=VALUE`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.game import Option
from engine.kit.words import nearest
from engine.troyes.box.faces import Activity

PREFIX = "rule."


@dataclass(frozen=True, slots=True)
class Rules:
    """The table's choices; the defaults are the rulings."""

    support: str = "start-player"
    """Who says where the cubes of Support go when more events are eligible: or `nearest-two` to its left (A17)."""
    resistance_spares_itself: bool = False
    """Whether Resistance leaves the cubes on its own card alone (A18)."""
    forbid_all_buildings: bool = False
    """Whether cards barred from two buildings and the cathedral are barred from the Palace too (A10)."""
    vp: str = "hidden"
    """Whether others' totals of VP are shown: `hidden` or `open`."""
    le_roy_pair_vp: int = 0
    """Solo: what le Roy gains for a roll of 2 or 12, where it is not the printed number (D6); 0 for that."""
    le_roy_places: str = "expel"
    """Solo: whether le Roy goes wherever in the building he can `expel` the player, or where his `die` says (A57)."""
    cathedral_spare_dice: bool = False
    """Whether a die of a cathedral group that finds no room is spent for nothing instead of refused (A70)."""
    chief_outlaw_raises: str = "enemies"
    """Whether Chief Outlaw raises the enemies' dice only, or `all` black dice, those of Uprising and Monk too (A23)."""
    scribe_counts: str = "fights"
    """Whether Scribe counts the cards won by fighting only, or `all` of them."""

    def forbids(self, card: Activity) -> tuple[str, ...]:
        """The places that a group changed by this card's cube may not be used for, at this table."""
        if self.forbid_all_buildings and "cathedral" in card.forbids and "palace" not in card.forbids:
            return (*card.forbids, "palace")
        return card.forbids


def rule_options() -> tuple[Option, ...]:
    """The house rules as options of a new game."""
    return (
        Option(
            "rule.support",
            ("start-player", "nearest-two"),
            "start-player",
            T("Support: its cubes go where the start player says, or to the two nearest events on its left"),
        ),
        Option(
            "rule.resistance_spares_itself",
            ("no", "yes"),
            "no",
            T("Resistance: whether it leaves the cubes on its own card alone"),
        ),
        Option(
            "rule.forbid_all_buildings",
            ("no", "yes"),
            "no",
            T("Apprenticeship and Confession: whether the Palace is barred like the other buildings"),
        ),
        Option("rule.vp", ("hidden", "open"), "hidden", T("VP of others: hidden as at the table, or open")),
        Option("rule.le_roy_pair_vp", ("2", "3"), "2", T("Solo: VP that le Roy gains for a roll of 2 or 12")),
        Option(
            "rule.le_roy_places",
            ("expel", "die"),
            "expel",
            T("Solo: le Roy places wherever in the building he expels you, or always where his die says"),
        ),
        Option(
            "rule.cathedral_spare_dice",
            ("no", "yes"),
            "no",
            T("Cathedral: whether a die that finds no room is spent for nothing, beside one that places its cube"),
        ),
        Option(
            "rule.chief_outlaw_raises",
            ("enemies", "all"),
            "enemies",
            T("Chief Outlaw (Ladies): whether it raises the enemies' dice, or those of Uprising and Monk too"),
        ),
        Option(
            "rule.scribe_counts",
            ("fights", "all"),
            "fights",
            T("Scribe (Ladies): whether it counts cards won by fighting, or all cards won"),
        ),
    )


def read_rules(options: Mapping[str, str]) -> Rules:
    """The house rules among a game's options; other options are passed over.

    Raises NotAllowed for a rule or value there is not, naming those there are.
    """
    known = {option.name: option for option in rule_options()}
    chosen: dict[str, str] = {name: option.default for name, option in known.items()}
    for given, value in options.items():
        if not given.startswith(PREFIX):
            continue
        name = given.replace("-", "_")
        if name not in known:
            raise NotAllowed(_no_such_rule(given, tuple(known)))
        if value not in known[name].values:
            raise NotAllowed(
                T("{name} is {value}; it can be: {values}.", name=given, value=value, values=known[name].values)
            )
        chosen[name] = value
    return Rules(
        support=chosen["rule.support"],
        resistance_spares_itself=chosen["rule.resistance_spares_itself"] == "yes",
        forbid_all_buildings=chosen["rule.forbid_all_buildings"] == "yes",
        vp=chosen["rule.vp"],
        le_roy_pair_vp=3 if chosen["rule.le_roy_pair_vp"] == "3" else 0,
        le_roy_places=chosen["rule.le_roy_places"],
        cathedral_spare_dice=chosen["rule.cathedral_spare_dice"] == "yes",
        chief_outlaw_raises=chosen["rule.chief_outlaw_raises"],
        scribe_counts=chosen["rule.scribe_counts"],
    )


def _no_such_rule(given: str, known: tuple[str, ...]) -> Msg:
    near = nearest(given, known)
    if near:
        return T("There is no house rule {given}; did you mean {near}?", given=given, near=near)
    return T("There is no house rule {given}; there are: {known}.", given=given, known=known)
