"""Groups of dice: which dice an action takes, which colour and value they count as, and what they cost.

The price of a die depends on the size of the whole group (rulebook, Phase 4; A4), so the bill is computed last. Nothing
here changes the state. Dice that the Exchange tile swaps were swapped before.
"""

from __future__ import annotations

from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import Gone, NotAllowed, Unclear
from engine.troyes.board import card_declaration, delayed_cube
from engine.troyes.board.card_declaration import ChangedGroup
from engine.troyes.board.phrases import colour_name, dice_text, die_text, owner_name, typed_text
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.card_data.item_names import item_name
from engine.troyes.card_data.troyes_box import TroyesBox
from engine.troyes.state import dice
from engine.troyes.state.orders import NOTHING_USED, Pick, Using
from engine.troyes.state.troyes_state import TroyesState
from engine.values import fixed

REMEMBERED = 8192
"""How many groups are remembered: a search puts the same dice together again and again."""

__all__ = ["Group", "Pick", "check_colour", "check_forbidden", "check_purse", "form_group", "group_of"]


@fixed
class Group:
    """Dice put together by `seat` for one action."""

    seat: str
    picks: tuple[Pick, ...]
    using: Using
    """The cubes that are used with it."""
    colours: frozenset[str]
    """The colours after the cube; one, but for a mixed group (Pilgrimage)."""
    values: tuple[int, ...]
    """The value of each die after the cube, with the dice that the cube adds."""
    total: int
    """What is divided: the values, and what the cube adds to the whole."""
    size: int
    """How many dice count for the price."""
    bill: tuple[tuple[str, int], ...]
    """What is paid to whom (seat or gray), in the order the dice were named."""
    cost: int
    """All deniers of the bill."""
    taken: tuple[tuple[str, tuple[str, ...]], ...]
    """The dice by district, in the order they were named."""

    @property
    def colour(self) -> str:
        """The one colour of an unmixed group."""
        return next(iter(self.colours))


def form_group(
    state: TroyesState,
    seat: str,
    picks: tuple[Pick, ...],
    using: Using = NOTHING_USED,
    *,
    wanted: tuple[str, ...] = dice.COLOURS,
    mixed: bool = False,
    exact: bool = False,
) -> Group:
    """Put a group together. `mixed` allows several colours (Pilgrimage).

    A purple die takes the colour of its group, of its cube or of `wanted`. `exact` says that its colour must be named
    where several are wanted. Raises NotAllowed for a wrong number of dice, a die that is missing or not for sale,
    colours that do not go together, or a cube that is missing, does not fit or changes nothing (A11, A29, A66). Raises
    Unclear where a word is missing.
    """
    most = state.box.board.group_max
    if not 1 <= len(picks) <= most:
        raise NotAllowed(T("A group has 1 to {most} dice; you named {count}.", most=most, count=len(picks)))
    _check_there(state, seat, picks)
    if using.card:
        delayed_cube.cube_card(state, seat, using.card)
    return _together(state.box, seat, picks, using, wanted, mixed, exact)


@lru_cache(REMEMBERED)
def group_of(
    box: TroyesBox, seat: str, picks: tuple[Pick, ...], using: Using, wanted: tuple[str, ...], mixed: bool
) -> Group | None:
    """The group of dice and a cube that are known to be there, or None where the rules do not allow it."""
    try:
        return _together(box, seat, picks, using, wanted, mixed, False)
    except (NotAllowed, Unclear):
        return None


@lru_cache(REMEMBERED)
def _together(
    box: TroyesBox, seat: str, picks: tuple[Pick, ...], using: Using, wanted: tuple[str, ...], mixed: bool, exact: bool
) -> Group:
    """The group of dice and a cube that are known to be there."""
    card, most = box.activities[using.card] if using.card else None, box.board.group_max
    colours = _colours(picks, card, wanted, mixed, exact)
    if len(colours) > 1 and not mixed:
        raise NotAllowed(
            T(
                "All dice of a group have one colour; {dice} are {colours}.",
                dice=dice_text(pick.word(seat) for pick in picks),
                colours=tuple(colour_name(colour) for colour in dice.COLOURS if colour in colours),
            )
        )
    turned = _turned(seat, picks, using) if using.tiles else -1
    values = tuple(
        dice.die_value(dice.flipped_die(pick.die) if at == turned else pick.die) for at, pick in enumerate(picks)
    )
    group = ChangedGroup(seat=seat, picks=picks, named=using.die, colours=colours, values=values, size=len(picks))
    if card is not None:
        group = delayed_cube.apply_cube(group, card)
        if group.size > most:
            raise NotAllowed(
                T(
                    "With the cube of {card} that makes {n} dice; a group has {most} at most.",
                    card=item_name(card.id),
                    n=group.size,
                    most=most,
                )
            )
    dues = delayed_cube.dice_costs(box, group, card)
    if turned >= 0 and not any(due for pick, due in zip(picks, dues, strict=True) if pick == picks[turned]):
        raise NotAllowed(
            T(
                "{die} costs you nothing: only a die that you buy can be turned over.",
                die=die_text(picks[turned].word(seat)),
            ),
            rule="A53",
        )
    bill: dict[str, int] = {}
    taken: dict[str, tuple[str, ...]] = {}
    for pick, due in zip(picks, dues, strict=True):
        taken[pick.owner] = (*taken.get(pick.owner, ()), pick.die)
        if due:
            bill[pick.owner] = bill.get(pick.owner, 0) + due
    total, cost = sum(group.values) + group.plus, sum(dues)
    paid, went = tuple(bill.items()), tuple(taken.items())
    return Group(seat, picks, using, group.colours, group.values, total, group.size, paid, cost, went)


def _colours(
    picks: tuple[Pick, ...], card: Activity | None, wanted: tuple[str, ...], mixed: bool, exact: bool
) -> frozenset[str]:
    """The colours before the cube, with a colour for a purple die."""
    said = [pick.colour or dice.die_colour(pick.die) for pick in picks]
    if "purple" not in said:
        return frozenset(said)
    known = frozenset(said) - {"purple"}
    needed = card_declaration.declaration_of(card.id).on if card else ""
    if not needed and known:
        needed = next(colour for colour in dice.COLOURS if colour in known)
    if not needed and exact and len(wanted) > 1:
        die = next(pick.die for pick in picks if not pick.colour)
        raise Unclear(
            T("{die} takes the colour you choose: say which.", die=die_text(die)),
            possible=tuple(T("{die} as {letter}", die=die, letter=dice.LETTERS[colour]) for colour in wanted),
        )
    return known | {needed or wanted[0]}


def _turned(seat: str, picks: tuple[Pick, ...], using: Using) -> int:
    """The place of the bought die that the Turnover tile turns over; -1 for none."""
    use = using.tile("flip_bought_die")
    if use is None:
        return -1
    if use.die is None:
        raise Unclear(
            T("Say which bought die is turned over, after a colon."),
            possible=tuple(
                T("{die}", die=die_text(pick.word(seat))) for pick in dict.fromkeys(picks) if pick.owner != seat
            ),
        )
    if use.die.owner == seat:
        raise NotAllowed(T("{die} is your own: only a die that you buy can be turned over.", die=die_text(use.die.die)))
    if use.die not in picks:
        raise NotAllowed(T("{die} is not among the dice of this action.", die=die_text(use.die.word(seat))))
    return picks.index(use.die)


def _check_there(state: TroyesState, seat: str, picks: tuple[Pick, ...]) -> None:
    dice_ = [(pick.owner, pick.die) for pick in picks]
    for pick in picks:
        count = dice_.count((pick.owner, pick.die))
        if pick.owner != seat and pick.die[0] == "P":
            raise NotAllowed(
                T(
                    "{die} is the head of another family: a purple die can be neither bought nor taken.",
                    die=die_text(pick.word(seat)),
                ),
                rule="A11",
            )
        district = state.dice.get(pick.owner, [])
        there = district.count(pick.die)
        if there >= count:
            continue
        die, lying, owner = die_text(pick.die), dice_text(district) or T("none"), owner_name(state, pick.owner)
        if pick.owner == seat:
            others = (owner for owner, words in state.dice.items() if owner != seat and pick.die in words)
            elsewhere = tuple(die_text(f"{typed_text(owner)}:{pick.die}") for owner in others)
            none = T("You have no {die} left; your dice are {dice}.", die=die, dice=lying)
            few = T("You have only {there} {die}, and named {count}.", there=there, die=die, count=count)
            possible = (T("{dice} could be bought", dice=elsewhere),) if elsewhere else ()
            raise Gone(few if there else none, possible=possible)
        none = T("{owner} has no {die} on the square; the dice there are {dice}.", owner=owner, die=die, dice=lying)
        few = T(
            "{owner} has only {there} {die}, and you named {count}.", owner=owner, there=there, die=die, count=count
        )
        raise Gone(few if there else none)


def _with(words: list[str]) -> tuple[Msg, ...]:
    """A suggestion with one's own dice, or nothing when there are none."""
    return (T("with {dice}", dice=dice_text(words)),) if words else ()


def check_colour(state: TroyesState, group: Group, allowed: tuple[str, ...], what: Msg) -> None:
    """Raises NotAllowed unless the group's colours all fit `what` (a card, an event, an action)."""
    if not group.colours <= set(allowed):
        raise NotAllowed(
            T(
                "{what} needs {allowed} dice; {dice} count as {colours}.",
                what=what,
                allowed=tuple(colour_name(colour) for colour in allowed),
                dice=dice_text(pick.word(group.seat) for pick in group.picks),
                colours=tuple(colour_name(colour) for colour in dice.COLOURS if colour in group.colours),
            ),
            possible=_with([word for word in state.dice[group.seat] if dice.die_colour(word) in allowed][:3]),
        )


def check_forbidden(state: TroyesState, group: Group, building: str) -> None:
    """Raises NotAllowed when the cube's card may not be used for this building (A10, A36)."""
    if not group.using.card:
        return
    card = state.activity(group.using.card)
    if building in read_rules(state.options).forbids(card):
        raise NotAllowed(
            T("A cube of {card} may not be used for {place}.", card=item_name(card.id), place=item_name(building)),
            rule="A36" if len(card.forbids) == 1 else "A10",
        )


def check_purse(state: TroyesState, group: Group, hire: int = 0, more: int = 0) -> None:
    """Raises NotAllowed unless the seat can pay dice, hire and whatever `more` in full before acting (A9)."""
    purse = state.houses[group.seat].deniers
    if hire + more + group.cost <= purse:
        return
    if hire:
        raise NotAllowed(
            T(
                "Hiring costs {hire} and the dice {cost}, {sum} deniers in all; you have {purse}.",
                hire=hire,
                cost=group.cost,
                sum=hire + group.cost,
                purse=purse,
            ),
            rule="A9",
        )
    if more:
        raise NotAllowed(
            T(
                "The boost costs {more} and the die {cost}, {sum} deniers in all; you have {purse}.",
                more=more,
                cost=group.cost,
                sum=more + group.cost,
                purse=purse,
            ),
            rule="A50",
        )
    sellers = tuple(owner_name(state, owner) for owner, _ in group.bill)
    price = state.box.board.prices[group.size - 1]
    if group.using.card:
        raise NotAllowed(
            T(
                "The dice cost {cost} deniers, paid to {sellers}; you have {purse}.",
                cost=group.cost,
                sellers=sellers,
                purse=purse,
            ),
            possible=_with([pick.die for pick in group.picks if pick.owner == group.seat]),
            rule="A9",
        )
    raise NotAllowed(
        T(
            "Bought dice cost {price} deniers each in a group of {size}, {cost} to {sellers}; you have {purse}.",
            sellers=sellers,
            price=price,
            size=group.size,
            cost=group.cost,
            purse=purse,
        ),
        possible=_with([pick.die for pick in group.picks if pick.owner == group.seat]),
        rule="A9",
    )
