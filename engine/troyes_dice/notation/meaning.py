"""From what is said of a half day to the one order that is meant: read against the dice that lie and the sheet.

Nothing that costs something is filled in: the die is the one that was named, or the only one that does the thing as
it lies; influence and knowledge are spent where the line says so. Where readings cost different things all are shown,
though only one may be legal; of those that cost the same the only legal one is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import NotAllowed, OrderRefused, Unclear
from engine.troyes_dice.actions.chain import shown
from engine.troyes_dice.actions.half_day import Answer, costs, plan, settled
from engine.troyes_dice.box.phrases import colour_name, resources, typed
from engine.troyes_dice.box.sheet import COLOUR, COLOUR_OF_RESOURCE, COLOURS, PRESTIGE, RESOURCES, WORK
from engine.troyes_dice.box.words import name
from engine.troyes_dice.notation.wish import Choice, Wish
from engine.troyes_dice.notation.writing import write
from engine.troyes_dice.state.dice import FACES, Laid, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, Bonus, Fallback, HalfDay
from engine.troyes_dice.state.state import DiceState

MOST = 9
"""No refusal shows more orders than a list of options."""
NEAREST = 3
"""How many orders mend one that cannot be played."""


class Meaning:
    """What one seat's wish means in one position; `assumed` is what was filled in."""

    def __init__(self, state: DiceState, seat: str, wish: Wish) -> None:
        self.state = state
        self.seat = seat
        self.wish = wish
        self.assumed: list[Msg] = []

    def order(self, whole: bool = True) -> HalfDay:
        """The order that is meant, legal as it stands. Raises Unclear or NotAllowed, with orders that would do.

        Not `whole` are words that are no order by themselves, though they leave one meaning: then it is shown.
        """
        dice = self.named()
        ways = [way for die in dice for way in self._said(die)]
        by_number = [] if self.wish.names_die and ways else list(self._by_number(dice))
        if not whole or (self.wish.bare and len(dice) > 1):
            raise Unclear(T("Say also which die."), orders=self._texts(ways or self._mended(dice)))
        if len(ways) != 1 or by_number:
            ways = [self._chosen(dice, ways, by_number)]
        (act,) = ways
        try:
            act, _ = settled(self.state, self.seat, filled(self.state, self.seat, act, self.wish.bonus, self.assumed))
        except NotAllowed as refusal:
            refusal.orders = refusal.orders or self._texts(self._mended([laid(self.state)[act.slot]], NEAREST))
            raise
        self._echo(act)
        return act

    # The die.

    def named(self) -> list[Laid]:
        """The dice that can be meant. Raises NotAllowed when there is none, saying why."""
        wish, dice = self.wish, laid(self.state)
        if not wish.names_die:
            return [die for die in dice if die.usable]
        here = [die for die in dice if (wish.value is None or wish.value == die.value) and self._is_named(die)]
        here = here or [die for die in dice if wish.value == die.face and self._is_named(die)]
        if not here and wish.one:
            # «the red one» is the red die.
            wish = self.wish = replace(wish, value=None)
            here = [die for die in dice if die.usable and wish.colour == die.colour]
        usable = [die for die in here if die.usable]
        if wish.nth is not None:
            usable = [die for die in here[wish.nth - 1 : wish.nth] if die.usable]
        if wish.price == "any":
            usable = [die for die in usable if die.any]
        elif wish.price and usable:
            best = {"cheap": min, "dear": max}.get(wish.price, min)(map(price_of, usable))
            usable = [die for die in usable if price_of(die) == best and (wish.price != "free" or not best)]
        if usable:
            return usable
        can = tuple(_die(die.word) for die in dice if die.usable)
        if here and not wish.price:
            raise NotAllowed(T("That plaza is destroyed this half day; its die cannot be used."), possible=can)
        if wish.colour and wish.value is not None:
            missing = T("No {colour} {value} lies on a plaza now.", colour=colour_name(wish.colour), value=wish.value)
            raise NotAllowed(missing, possible=can)
        raise NotAllowed(T("No such die lies on a plaza now."), possible=can)

    def _is_named(self, die: Laid) -> bool:
        wish = self.wish
        return (
            (not wish.colour or wish.colour == die.colour)
            and (wish.plaza is None or wish.plaza == die.slot + 1)
            and (wish.either is None or wish.either in (die.value, die.face, die.slot + 1))
            and (die.black or not wish.black)
        )

    # What is said of it.

    def _made(self, die: Laid, colour: str = "", value: int | None = None) -> HalfDay:
        """The order with the die as it lies, or as it is said or given here to become."""
        wish = self.wish
        if value is None:
            value = die.value + wish.shift if wish.counts is None else wish.counts
        colour = colour or wish.made or die.colour
        if wish.use not in COLOUR:
            return HalfDay(die.slot, colour, value, RESOURCES_USE)
        return HalfDay(die.slot, colour, value, wish.use, self.state.column(value) if value in FACES else 0)

    def _fits(self, die: Laid, act: HalfDay) -> bool:
        """Whether the order does what is said, as far as its colour and number go."""
        wish = self.wish
        if wish.way and (act.value - die.value) * wish.way <= 0:
            return False
        if wish.shift and act.value != die.value + wish.shift:
            return False
        if wish.use in COLOUR:
            return COLOUR[wish.use] == act.colour and wish.at in (None, act.column)
        return wish.at in (None, act.value) and COLOUR_OF_RESOURCE.get(wish.use, act.colour) == act.colour

    def _said(self, die: Laid) -> list[HalfDay]:
        """What is said, done with this die: every way to pay where nothing is said of it, none where it cannot fit."""
        act = self._made(die)
        if not self._fits(die, act):
            return list(self._spent(die)) if self.wish.pay else []
        if not self.wish.pay:
            return [replace(act, pay=pay) for pay in RESOURCES] if die.any else [act]
        paid = [replace(act, pay=pay) for pay in self._pays(die)]
        agreed = [act for act in paid if self._agrees(die, act, whole=False)]
        return agreed or (list(self._spent(die)) if any(self.wish.pay.values()) else [])

    def _pays(self, die: Laid) -> tuple[str, ...]:
        """What may pay a cost of any kind, as it is said."""
        return tuple(self.wish.pay or RESOURCES) if die.any else ("",)

    def _agrees(self, die: Laid, act: HalfDay, *, whole: bool) -> bool:
        """Whether the order costs what is said; unless `whole`, the price of the die alone may be meant."""
        bill = _bill(die, act)
        if bill is None:
            # The rules forbid it, and say so themselves.
            return not whole
        alone = {**die.price, act.pay: die.price.get(act.pay, 0) + die.any} if die.any else die.price
        return all(
            resource in bill and amount in (0, bill[resource], None if whole else alone.get(resource))
            for resource, amount in self.wish.pay.items()
        )

    def _changed(self, die: Laid, spends: tuple[str, ...], pays: tuple[str, ...]) -> Iterator[HalfDay]:
        """The ways to make the die do what is said by spending these resources on its colour and value."""
        wish = self.wish
        colours = COLOURS if "knowledge" in spends and not wish.made else (wish.made or die.colour,)
        is_free = "influence" in spends and wish.counts is None and not wish.shift
        for colour in colours:
            for value in dict.fromkeys((die.value, *FACES)) if is_free else (None,):
                act = self._made(die, colour, value)
                if self._fits(die, act) and (act.column or wish.use not in COLOUR):
                    yield from (replace(act, pay=pay) for pay in pays)

    def _spent(self, die: Laid) -> Iterator[HalfDay]:
        """What the resources that are said to be spent can make of the die."""
        for act in self._changed(die, tuple(self.wish.pay), self._pays(die)):
            if self._agrees(die, act, whole=True):
                yield act

    def _by_number(self, dice: list[Laid]) -> Iterator[HalfDay]:
        """Where a building is named by the number that its column carries, not by its place from the left."""
        if self.wish.use not in COLOUR or self.wish.at is None:
            return
        for die in dice:
            act = self._made(die)
            if act.column != self.wish.at == act.value and COLOUR[act.use] == act.colour:
                yield from (replace(act, pay=pay) for pay in self._pays(die))

    # What to do where there is not just one.

    def _chosen(self, dice: list[Laid], ways: list[HalfDay], by_number: list[HalfDay]) -> HalfDay:
        """The only legal one of several that cost the same. Raises Unclear or NotAllowed otherwise."""
        legal = [act for act in (*by_number, *ways) if self._is_legal(act)]
        if not ways:
            refusal = self._misfit(dice)
            refusal.orders = self._texts([*legal, *self._mended(dice, NEAREST)], NEAREST)
            raise refusal
        if not legal:
            return ways[0]
        found = laid(self.state)
        bills = [_bill(found[act.slot], act) for act in (*by_number, *ways)]
        if len(legal) == 1 and all(bill == bills[0] for bill in bills):
            return legal[0]
        raise Unclear(self._ambiguous(ways), orders=self._texts(legal, MOST))

    def _ambiguous(self, ways: list[HalfDay]) -> Msg:
        dice = [laid(self.state)[slot] for slot in dict.fromkeys(act.slot for act in ways)]
        if len(dice) == 1 and dice[0].any and not self.wish.pay:
            return T(
                "This die costs {n} resource of any kind: say which.",
                "This die costs {n} resources of one kind: say which.",
                n=dice[0].any,
            )
        if len(dice) == 2 and self.wish.value is not None:
            return T("There are two such dice, at different prices.")
        return T("This has several meanings here.")

    def _misfit(self, dice: list[Laid]) -> NotAllowed:
        """Why none of the dice does what is said."""
        wish, act = self.wish, self._made(dice[0])
        if len(dice) > 1:
            return NotAllowed(T("No die that lies on a plaza does that as it lies."))
        if wish.way and (act.value - dice[0].value) * wish.way <= 0:
            return NotAllowed(T("That die counts {value} now.", value=dice[0].value))
        if wish.use not in COLOUR:
            needs = COLOUR_OF_RESOURCE.get(wish.use, act.colour)
            if needs != act.colour:
                resource, needed, has = name(wish.use), colour_name(needs), colour_name(act.colour)
                return NotAllowed(
                    T("{resource} needs a {needs} die; yours is {colour}.", resource=resource, needs=needed, colour=has)
                )
            if wish.at not in (None, act.value):
                return NotAllowed(T("A die of {value} brings {value} resources, not {n}.", value=act.value, n=wish.at))
        try:
            # The rules tell what they forbid; what is left is a price that does not agree.
            pay = next(iter(wish.pay), RESOURCES[0]) if dice[0].any else ""
            plan(self.state, self.seat, replace(act, column=wish.at or act.column, pay=pay))
        except NotAllowed as refusal:
            return refusal
        return NotAllowed(self._dearer(dice[0], replace(act, pay=pay)))

    def _dearer(self, die: Laid, act: HalfDay) -> Msg:
        bill = costs(die, act)
        if not bill:
            return T("This die costs nothing.")
        if len(self.wish.pay) == 1 and not set(self.wish.pay) & set(bill):
            return T("This die is paid with {resources}, nothing else.", resources=tuple(typed(r) for r in bill))
        return T("That costs {price}.", price=tuple(resources(resource, n) for resource, n in bill.items()))

    def _mended(self, dice: list[Laid], most: int = MOST) -> list[HalfDay]:
        """Legal orders that do what is said at what it costs, the cheapest first."""
        found: list[tuple[int, HalfDay]] = []
        for die in dice:
            acts = self._changed(die, RESOURCES, tuple(RESOURCES) if die.any else ("",))
            found += [(sum(costs(die, act).values()), act) for act in acts if self._is_legal(act)]
        return [act for _, act in sorted(found, key=lambda row: row[0])][:most]

    def _is_legal(self, act: HalfDay) -> bool:
        try:
            settled(self.state, self.seat, filled(self.state, self.seat, act, self.wish.bonus, []))
        except OrderRefused:
            return False
        return True

    def _texts(self, acts: list[HalfDay], most: int = MOST) -> tuple[str, ...]:
        """Whole orders, as they are written."""
        wanted = (filled(self.state, self.seat, act, self.wish.bonus, []) for act in acts if self._is_legal(act))
        return tuple(dict.fromkeys(write(self.state, self.seat, act) for act in wanted))[:most]

    def uses(self) -> tuple[str, ...]:
        """Where no use is said: what the die that is named can do, changed as it is said, and paid as it is."""
        found: list[HalfDay] = []
        for die in self.named() if self.wish.names_die else ():
            act = self._made(die)
            for use in (RESOURCES_USE, PRESTIGE[act.colour], WORK[act.colour]):
                self.wish = replace(self.wish, use=use)
                found += self._said(die)
        return self._texts(found)

    # What is filled in.

    def _echo(self, act: HalfDay) -> None:
        """Put down what the order holds and the line does not."""
        wish, die = self.wish, laid(self.state)[act.slot]
        if not wish.colour or wish.value is None:
            self.assumed.insert(0, _die(die.word))
        if wish.pay and ((lies := self._made(die)).colour, lies.value) != (act.colour, act.value):
            self.assumed.append(T("as {colour} {value}", colour=colour_name(act.colour), value=act.value))
        if act.column and wish.at is None:
            self.assumed.append(T("column {n}", n=act.column))


def filled(
    state: DiceState, seat: str, answer: Answer, bonus: tuple[Choice, ...], assumed: list[Msg], since: int | None = None
) -> Answer:
    """The answer with these choices of its bonuses; a column that is the only one open is filled in.

    `since` counts the choices of a sealed answer that is completed here. Raises Unclear with each order where several
    columns are open, NotAllowed where none is.
    """
    for word, column in bonus:
        if word in COLOUR and column is None:
            columns = _open_columns(state, seat, answer, word)
            if len(columns) > 1:
                ways = [replace(answer, bonus=(*answer.bonus, f"{word} {one}")) for one in columns]
                open_ = T("{building}: columns {columns} are open.", building=name(word), columns=tuple(columns))
                raise Unclear(
                    T("Say the column of the building that the bonus brings, counted from the left."),
                    possible=(open_,),
                    orders=tuple(
                        write(state, seat, way if since is None else Bonus(way.bonus[since:])) for way in ways
                    ),
                )
            (column,) = columns
            assumed.append(T("{building} {column}", building=typed(word), column=column))
        answer = replace(answer, bonus=(*answer.bonus, word if column is None else f"{word} {column}"))
    return answer


def _open_columns(state: DiceState, seat: str, answer: HalfDay | Fallback, row: str) -> list[int]:
    """The columns of the row that the next choice can bring. Raises NotAllowed when there is none."""
    missing = plan(state, seat, answer).open
    if missing is None:
        raise NotAllowed(T("There is nothing more to choose: {extra} is too much.", extra=(typed(row),)))
    found = [option.partition(" ") for option in missing.options]
    columns = [int(column) for other, _, column in found if other == row]
    if not columns:
        cannot = T("The bonus cannot be {word}; it can be: {options}.", word=typed(row), options=shown(missing))
        raise NotAllowed(cannot)
    return columns


def _bill(die: Laid, act: HalfDay) -> dict[str, int] | None:
    """What an order costs; None where the rules forbid it at any price."""
    try:
        return costs(die, act)
    except NotAllowed:
        return None


@lru_cache(256)
def _die(word: str) -> Msg:
    """A die as it is typed."""
    return T("{die}", die=typed(word))


def price_of(die: Laid) -> int:
    """What a die costs, in whatever."""
    return sum(die.price.values()) + die.any
