"""The cube of a delayed card at work on a group of dice: what all such cards have in common, and the bill.

`engine.troyes.cards.delayed` declares what each card does. A cube that changes nothing is refused (A6, A29, A66).
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import Gone, NotAllowed, Unclear
from engine.troyes.board import card_declaration
from engine.troyes.board.card_declaration import ChangedGroup
from engine.troyes.board.phrases import colour_name, dice_text, die_text, typed_place
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.item_names import item_name
from engine.troyes.card_data.troyes_box import TroyesBox
from engine.troyes.state.troyes_state import LE_ROY, TroyesState


def cube_card(state: TroyesState, seat: str, card: str) -> Activity:
    """The card of a cube to be used. Raises NotAllowed when it keeps no such cubes, Gone when the seat has none."""
    there, activity = state.card(card), state.activity(card)
    if activity.kind == "mixed":
        raise NotAllowed(T("{card} is used when it is activated: «: use 2».", card=item_name(card)), rule="A29")
    if not activity.delayed:
        raise NotAllowed(T("{card} works at once: it keeps no cubes to use.", card=item_name(card)), rule="A29")
    if there is None or not there.cubes.get(seat):
        mine = tuple(
            T("using {card}", card=typed_place(other.id))
            for other in state.cards
            if other.cubes.get(seat) and state.activity(other.id).delayed
        )
        raise Gone(T("You have no cube on {card}.", card=item_name(card)), possible=mine)
    return activity


def apply_cube(group: ChangedGroup, card: Activity) -> ChangedGroup:
    """The group as changed by the cube. Raises NotAllowed where the cube does not fit or changes nothing."""
    declaration = card_declaration.declaration_of(card.id)
    if declaration.on and group.colours != {declaration.on}:
        raise NotAllowed(
            T(
                "{card} needs {colour} dice and nothing else; {dice} would not be changed by it.",
                card=item_name(card.id),
                colour=colour_name(declaration.on),
                dice=dice_text(pick.die for pick in group.picks),
            ),
            rule="A66",
        )
    if len(group.colours) > 1 and not declaration.mixes:
        raise NotAllowed(
            T("A group of several colours cannot be changed by {card}.", card=item_name(card.id)), rule="A29"
        )
    assert declaration.change is not None
    return declaration.change(group, card)


def named_die(group: ChangedGroup, card: Activity) -> int:
    """The place in the group of the die that the order names. Raises Unclear for none, NotAllowed for a wrong one."""
    die, name = group.named, item_name(card.id)
    if die is None:
        raise Unclear(
            T("{card}: say which die, after a colon.", card=name),
            possible=tuple(
                T("using {card}: {die}", card=typed_place(card.id), die=die_text(pick.word("")))
                for pick in dict.fromkeys(group.picks)
            ),
        )
    at = next((at for at, pick in enumerate(group.picks) if (pick.owner, pick.die) == (die.owner, die.die)), -1)
    if at < 0:
        says = T("{die} is not in the group: {card} works on one of its dice.", die=die_text(die.die), card=name)
        raise NotAllowed(says)
    whose, own = card_declaration.declaration_of(card.id).names, die.owner == group.seat
    if whose == "own" and not own:
        raise NotAllowed(
            T("{card} turns one of your own dice; {die} is not yours.", card=name, die=die_text(die.word(group.seat)))
        )
    if whose == "others" and own:
        raise NotAllowed(T("{card} takes a die of another district.", card=name), rule="A66")
    return at


def dice_costs(box: TroyesBox, group: ChangedGroup, card: Activity | None) -> tuple[int, ...]:
    """What each die costs, by the size of the group and what the cube spares (A6).

    More than one die of le Roy's district can be cheaper (rulebook, Card Modifications). Raises NotAllowed when the
    cube spares nothing.
    """
    price = box.board.prices[group.size - 1]
    each = None if group.first is None else min(price, group.first)
    spent: dict[str, int] = {}
    found: list[int] = []
    for at, pick in enumerate(group.picks):
        due = 0 if pick.owner == group.seat or at == group.spared else price
        if due and each is not None and spent.get(pick.owner, 0) < (box.solo.tithe_dice if pick.owner == LE_ROY else 1):
            spent[pick.owner] = spent.get(pick.owner, 0) + 1
            due = each
        found.append(due)
    if card is not None and each is not None and (not spent or each == price):
        raise NotAllowed(
            T("{card} takes dice of other districts; all these are your own.", card=item_name(card.id))
            if not spent
            else T("{card} would change nothing: the die costs {price} anyway.", card=item_name(card.id), price=price),
            rule="A66",
        )
    return tuple(found)
