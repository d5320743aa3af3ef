"""A group of 1 to 3 dice: whose they are, what a cube makes of them, and what they cost.

Everything an action needs to know of its dice is settled here, once: colour, value of each, total, and the bill. The
price of a die depends on the size of the whole group (rulebook, Phase 4; A4), so the bill is computed last, when
the group is complete. Nothing here changes the town.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes import cards
from engine.troyes import dice
from engine.troyes.cards.faces import Activity
from engine.troyes.state import LE_ROY
from engine.troyes.state import Town
from engine.troyes.words import colour_name
from engine.troyes.words import listed
from engine.troyes.words import named
from engine.troyes.words import typed
from engine.troyes.words import who


@dataclass(frozen=True, slots=True, order=True)
class Pick:
    """One die taken from a district: `owner` is a seat or `gray`, `die` its word."""

    owner: str
    die: str

    def word(self, seat: str) -> str:
        """As `seat` types it: bare when it is his own."""
        return self.die if self.owner == seat else f"{typed(self.owner)}:{self.die}"


@dataclass(frozen=True, slots=True)
class Group:
    """Dice put together by `seat` for one action."""

    seat: str
    picks: tuple[Pick, ...]
    using: str
    """The activity whose cube modifies the group, or `""`."""
    colours: frozenset[str]
    """The colours after the cube; one, but for a mixed group (Pilgrimage)."""
    values: tuple[int, ...]
    """The value of each die after the cube, dice that one die stands for included."""
    total: int
    """What is divided: the values and what the cube adds to the whole."""
    bill: tuple[tuple[str, int], ...]
    """What is paid to whom (seat or gray), in the order the dice were named."""

    @property
    def cost(self) -> int:
        """All deniers of the bill."""
        return sum(deniers for _, deniers in self.bill)

    @property
    def colour(self) -> str:
        """The one colour of an unmixed group."""
        return next(iter(self.colours))


def form(town: Town, seat: str, picks: tuple[Pick, ...], using: str = "", *, mixed: bool = False) -> Group:
    """Put a group together. `mixed` allows several colours (Pilgrimage).

    Raises NotAllowed for a wrong number of dice, a die that is not there, colours that do not go together, or a cube
    that is not there, does not fit, or changes nothing (A29, A66).
    """
    most = town.box.board.group_max
    if not 1 <= len(picks) <= most:
        raise NotAllowed(
            T("A group has 1 to {most} dice; you named {count}.", most=most, count=len(picks)),
        )
    _check_there(town, seat, picks)
    card = _cube(town, seat, using) if using else None
    colours = frozenset(dice.colour(pick.die) for pick in picks)
    if len(colours) > 1 and not mixed:
        raise NotAllowed(
            T(
                "All dice of a group have one colour; {dice} are {colours}.",
                dice=listed(pick.word(seat) for pick in picks),
                colours=tuple(colour_name(colour) for colour in dice.COLOURS if colour in colours),
            )
        )
    values = tuple(dice.value(pick.die) for pick in picks)
    plus = 0
    if card is not None:
        colours, values, plus = _changed(card, picks, colours, values)
    bill = _bill(town, seat, picks, card)
    return Group(seat, picks, using, colours, values, sum(values) + plus, bill)


def _check_there(town: Town, seat: str, picks: tuple[Pick, ...]) -> None:
    wanted = Counter(picks)
    for pick, count in wanted.items():
        district = town.dice.get(pick.owner, [])
        there = district.count(pick.die)
        if there >= count:
            continue
        if pick.owner == seat:
            others = (owner for owner, words in town.dice.items() if owner != seat and pick.die in words)
            elsewhere = tuple(f"{typed(owner)}:{pick.die}" for owner in others)
            possible: tuple[Msg, ...] = ()
            if elsewhere:
                possible = (T("{dice} could be bought", dice=tuple(elsewhere)),)
            raise NotAllowed(
                T(
                    "You have no {die} left; your dice are {dice}.",
                    die=pick.die,
                    dice=listed(district) or T("none"),
                )
                if not there
                else T("You have only {there} {die}, and named {count}.", there=there, die=pick.die, count=count),
                possible=possible,
            )
        raise NotAllowed(
            T(
                "{owner} has no {die} on the square; the dice there are {dice}.",
                owner=who(town, pick.owner),
                die=pick.die,
                dice=listed(district) or T("none"),
            )
            if not there
            else T(
                "{owner} has only {there} {die}, and you named {count}.",
                owner=who(town, pick.owner),
                there=there,
                die=pick.die,
                count=count,
            )
        )


def _cube(town: Town, seat: str, using: str) -> Activity:
    card = town.card(using)
    activity = town.activity(using)
    if not activity.delayed:
        raise NotAllowed(T("{card} works at once: it keeps no cubes to use.", card=named(using)), rule="A29")
    if card is None or not card.cubes.get(seat):
        mine = tuple(T("using {card}", card=typed(other.id)) for other in town.cards if other.cubes.get(seat))
        raise NotAllowed(T("You have no cube on {card}.", card=named(using)), possible=mine)
    return activity


def _changed(
    card: Activity,
    picks: tuple[Pick, ...],
    colours: frozenset[str],
    values: tuple[int, ...],
) -> tuple[frozenset[str], tuple[int, ...], int]:
    """Colours, values and what is added to the total, after the cube of a delayed card."""
    name = named(card.id)

    def only(colour: str) -> None:
        if colours != {colour}:
            raise NotAllowed(
                T(
                    "{card} needs {colour} dice and nothing else; {dice} would not be changed by it.",
                    card=name,
                    colour=colour_name(colour),
                    dice=listed(pick.die for pick in picks),
                ),
                rule="A66",
            )

    match card.id:
        case "militiaman":
            only(dice.YELLOW)
            return frozenset({card.becomes}), values, 0
        case "monk" | "templar" | "prior":
            only(dice.WHITE)
            if len(picks) != 1:
                raise NotAllowed(
                    T("{card} uses exactly one white die; you named {count}.", card=name, count=len(picks)),
                )
            return frozenset({card.becomes}), values * card.numbers["as"], 0
        case "priest":
            only(dice.YELLOW)
            return colours, tuple(value + card.numbers["plus"] for value in values), 0
        case "blacksmith":
            only(dice.RED)
            return colours, values, card.numbers["plus"]
        case "confession":
            return colours, tuple(value + card.numbers["plus"] for value in values), 0
        case "apprenticeship":
            changed = tuple(card.numbers["value"] for _ in values)
            if changed == values:
                raise NotAllowed(T("{card} would change nothing: every die shows it already.", card=name), rule="A66")
            return colours, changed, 0
        case "tithe":
            only(dice.YELLOW)
            return colours, values, 0
    raise NotAllowed(T("{card} does not change a group of dice.", card=name))


def _bill(town: Town, seat: str, picks: tuple[Pick, ...], card: Activity | None) -> tuple[tuple[str, int], ...]:
    """What each bought die costs: by the size of the group; one yellow die a district is free with Tithe (A6).

    Of le Roy's district more are (rulebook, Card Modifications).
    """
    price = town.box.board.prices[len(picks) - 1]
    free: Counter[str] = Counter()
    bill: dict[str, int] = {}
    for pick in picks:
        if pick.owner == seat:
            continue
        most = town.box.solo.tithe_dice if pick.owner == LE_ROY else 1
        if card is not None and card.id == "tithe" and free[pick.owner] < most:
            free[pick.owner] += 1
            continue
        bill[pick.owner] = bill.get(pick.owner, 0) + price
    if card is not None and card.id == "tithe" and not free:
        raise NotAllowed(
            T("{card} takes dice of other districts; all these are your own.", card=named(card.id)), rule="A66"
        )
    return tuple(bill.items())


def _with(words: list[str]) -> tuple[Msg, ...]:
    """What would work instead, with one's own dice; nothing when there are none."""
    return (T("with {dice}", dice=listed(words)),) if words else ()


def check_colour(town: Town, group: Group, allowed: tuple[str, ...], what: Msg) -> None:
    """Raises NotAllowed unless the group's colours all fit `what` (a card, an event, an action)."""
    if not group.colours <= set(allowed):
        raise NotAllowed(
            T(
                "{what} needs {allowed} dice; {dice} count as {colours}.",
                what=what,
                allowed=tuple(colour_name(colour) for colour in allowed),
                dice=listed(pick.word(group.seat) for pick in group.picks),
                colours=tuple(colour_name(colour) for colour in dice.COLOURS if colour in group.colours),
            ),
            possible=_with([word for word in town.dice[group.seat] if dice.colour(word) in allowed][:3]),
        )


def check_forbidden(town: Town, group: Group, building: str) -> None:
    """Raises NotAllowed when the cube's card may not be used for this building (A10, A36)."""
    if not group.using:
        return
    card = town.activity(group.using)
    if building in cards.read_rules(town.options).forbids(card):
        raise NotAllowed(
            T("A cube of {card} may not be used for {place}.", card=named(card.id), place=named(building)),
            rule="A36" if len(card.forbids) == 1 else "A10"
        )


def check_purse(town: Town, group: Group, hire: int = 0) -> None:
    """Raises NotAllowed unless the seat can pay the dice and the hire in full before acting (A9)."""
    purse = town.houses[group.seat].deniers
    if hire + group.cost <= purse:
        return
    if not hire:
        size = len(group.picks)
        sellers = tuple(who(town, owner) for owner, _ in group.bill)
        raise NotAllowed(
            T(
                "Bought dice cost {price} deniers each in a group of {size}, {cost} to {sellers}; you have {purse}.",
                sellers=sellers,
                price=town.box.board.prices[size - 1],
                size=size,
                cost=group.cost,
                purse=purse,
            ),
            possible=_with([pick.die for pick in group.picks if pick.owner == group.seat]),
            rule="A9",
        )
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
