"""What the cube of a delayed card does to a group of dice: its colours, its values, its total or its price.

Rulings A5, A6, A29, A34, A65, A66. `engine.troyes.board.delayed_cube` checks what all of them have in common.
"""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes.board.card_declaration import ChangedGroup, delayed
from engine.troyes.board.delayed_cube import named_die
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.item_names import item_name
from engine.troyes.state import dice


@delayed(on=dice.YELLOW)
def militiaman(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """Dice of another colour."""
    return replace(group, colours=frozenset({card.becomes}))


@delayed("monk", "templar", "prior", "herbalist", on=dice.WHITE)
def one_as_more(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """One die counts as several, of a colour that is printed."""
    if group.size != 1:
        raise NotAllowed(
            T("{card} uses exactly one white die; you named {count}.", card=item_name(card.id), count=group.size)
        )
    return replace(group, colours=frozenset({card.becomes}), values=group.values * card.numbers["as"])


@delayed("priest", on=dice.YELLOW)
@delayed("confession", mixes=True)
def each_more(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """Each die counts more."""
    return replace(group, values=tuple(value + card.numbers["plus"] for value in group.values))


@delayed(on=dice.RED)
def blacksmith(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """More for the total."""
    return replace(group, plus=card.numbers["plus"])


@delayed(mixes=True)
def apprenticeship(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """Every die shows what is printed."""
    return _all_show(group, card, card.numbers["value"])


@delayed(names="any")
def preacher(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """Every die shows what one of them shows."""
    return _all_show(group, card, group.values[named_die(group, card)])


def _all_show(group: ChangedGroup, card: Activity, value: int) -> ChangedGroup:
    values = (value,) * group.size
    if values == group.values:
        raise NotAllowed(
            T("{card} would change nothing: every die shows it already.", card=item_name(card.id)), rule="A66"
        )
    return replace(group, values=values)


@delayed("augustine", on=dice.YELLOW)
@delayed("recruiter", on=dice.RED)
def one_more(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """A die more, whose value is printed."""
    return replace(group, values=(*group.values, card.numbers["adds"]), size=group.size + 1)


@delayed(names="own")
def distiller(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """One own die is turned over."""
    at = named_die(group, card)
    return replace(group, values=(*group.values[:at], dice.OPPOSITE - group.values[at], *group.values[at + 1 :]))


@delayed(on=dice.YELLOW)
def tithe(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """The first die of each other district is free (A6)."""
    return replace(group, first=0)


@delayed(on=dice.RED)
def chief_templar(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """The first die of each other district has a price of its own (A6)."""
    return replace(group, first=card.numbers["cost"])


@delayed(names="others", mixes=True)
def viticulturist(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """One die of another district costs nothing."""
    return replace(group, spared=named_die(group, card))
