"""From a line to a complete order: the fewest words that leave one meaning, read against the position.

What is filled in is echoed as assumed; what would cost something else is never filled in: a resource for a cost of
any kind, a shift, another colour, one of two dice that look alike.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeVar

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from engine.game import Reading
from engine.kit.cursor import Cursor, no_order, no_verb
from engine.kit.words import kebab
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.half_day import purchases, settled
from engine.troyes_dice.actions.setup import cyclic
from engine.troyes_dice.box.phrases import chosen, colour_name
from engine.troyes_dice.box.sheet import COLOUR, COLOUR_OF_RESOURCE, RESOURCES
from engine.troyes_dice.box.words import name
from engine.troyes_dice.notation.words import CLAUSES, COLOURS, LETTERS, NOISE, USES, VERBS, WIDEST
from engine.troyes_dice.notation.writing import write
from engine.troyes_dice.state.dice import Laid, laid
from engine.troyes_dice.state.orders import RESOURCES_USE, Bonus, HalfDay, Numbering, Order
from engine.troyes_dice.state.state import DiceState

Found = TypeVar("Found")
_SHORT = re.compile(r"([rywjb])([0-9])")
_GLUED = re.compile(r"[^:;,\s]+|[:;,]")


def read(state: DiceState, seat: str, line: str) -> Reading[Order]:
    """Understand one line. Raises NotUnderstood, Unclear, NotAllowed or TooLate (the seat is not asked)."""
    words = [word if word in ":;," else kebab(word) for word in _GLUED.findall(line.strip().rstrip(".!"))]
    words = [word for word in words if word and word not in NOISE]
    reader = OrderReader(state, seat, line, words)
    if not words:
        raise no_order(line)
    verb = VERBS.get(words[0], "")
    if not (verb or words[0] in COLOURS or _SHORT.fullmatch(words[0])):
        raise no_verb(words[0], (*COLOURS, *VERBS))
    if not answers.asked_kind(state, seat):
        raise TooLate(answers.not_asked(state, seat))
    if verb:
        words.pop(0)
    order = reader.numbering() if verb == "numbering" else reader.bonus() if verb == "bonus" else reader.act()
    reader.finish()
    if isinstance(order, HalfDay):
        order, _ = settled(state, seat, order)
    return Reading(order, write(state, seat, order), tuple(reader.assumed))


class OrderReader(Cursor):
    """One line cut into folded words and the marks `:;,`, read against a table from the left."""

    widest = WIDEST

    def __init__(self, state: DiceState, seat: str, line: str, words: list[str]) -> None:
        super().__init__(seat, line, words)
        self.state = state

    def folded(self, at: int = 0) -> str:
        return self.words[at] if at < len(self.words) else ""

    def clause(self, *wanted: str) -> str:
        """Take one of these clauses, if it is next."""
        return self.take({word: clause for word, clause in CLAUSES.items() if clause in wanted})

    def needed(self, found: Found | None) -> Found:
        """What was found. Raises NotUnderstood where nothing was, with the nearest word."""
        if not found and found != 0:
            raise self.lost()
        return found

    def lost(self) -> OrderRefused:
        """The refusal where the line makes no sense, with the nearest word."""
        if not self.words:
            return NotUnderstood(T("«{line}» is not complete.", line=self.line), possible=(self._shape(),))
        return self.unknown(self.words[0], (*COLOURS, *USES, *CLAUSES, *VERBS), self._shape())

    def _shape(self) -> Msg:
        example = "red 6 as white 5: cathedral; pay influence; bonus counts-palace 3"
        if self.state.phase == "numbering":
            rolled = self.state.first_number
            example = f"numbering {rolled} up" if rolled else "numbering 4 5 6 1 2 3"
        elif VERBS.get(kebab(self.line.split(maxsplit=1)[0])) == "bonus":
            example = "bonus counts-palace 3"
        return T("{example}", example=example)

    def finish(self) -> None:
        """Raises NotUnderstood when something is left over."""
        while self.mark(";,"):
            pass
        if self.words:
            raise self.lost()

    # Whole orders.

    def numbering(self) -> Order:
        """`numbering 4 up`, or six numbers."""
        rolled = self.state.first_number
        numbers: list[int] = []
        while (number := self.number()) is not None:
            numbers.append(number)
            self.mark(",")
        way = self.clause("up", "down")
        if self.state.phase != "numbering":
            raise NotAllowed(T("The columns are numbered already."))
        ways = T("numbering {n} up", n=rolled or 1), T("numbering {n} down", n=rolled or 1)
        if way and len(numbers) <= 1:
            first = numbers[0] if numbers else rolled
            if not 1 <= first <= 6 or (rolled and first != rolled):
                wrong = T("The leftmost number was rolled: {n}.", n=rolled) if rolled else T("Numbers go from 1 to 6.")
                raise NotAllowed(wrong, possible=ways)
            return Numbering(cyclic(first, way), way if rolled else "")
        if not numbers and not way:
            raise self.lost()
        if rolled:
            for each in ("up", "down"):
                if tuple(numbers) == cyclic(rolled, each):
                    return Numbering(tuple(numbers), each)
            right = T("The leftmost number is {n}; the others follow up or down from it.", n=rolled)
            raise NotAllowed(right, possible=ways, rule="A21")
        if sorted(numbers) != list(range(1, 7)) or way:
            right = T("Name each number from 1 to 6 once, from the left.")
            raise NotAllowed(right, possible=(T("numbering 4 5 6 1 2 3"),))
        return Numbering(tuple(numbers))

    def bonus(self) -> Order:
        """Choices alone: `bonus yellow, counts-palace 3`."""
        choices = self.needed(self._choices())
        kind = answers.asked_kind(self.state, self.seat)
        if kind != answers.BONUS and not answers.is_unknown(self.state, self.seat):
            raise NotAllowed(T("No choice of a bonus is open."))
        return Bonus(choices)

    def act(self) -> Order:
        """A die, what it is made, what it is used for, what pays, and the choices of its bonuses."""
        if self.state.phase != "half day":
            raise NotAllowed(T("First the columns must be numbered."))
        die = self._die()
        colour, value = die.colour, die.value
        if self.clause("as"):
            colour, value = self._made(die)
        if not self.mark(":"):
            raise self.lost()
        act = self._used(die, colour, value, self.needed(self.take(USES)), self.number())
        pay = ""
        choices: tuple[str, ...] = ()
        while self.mark(";,"):
            clause = self.take(CLAUSES | VERBS)
            if clause == "pay" and not pay:
                pay = self.needed(self.take({word: use for word, use in USES.items() if use in RESOURCES}))
            elif clause == "bonus":
                choices = (*choices, *self.needed(self._choices()))
            elif clause or self.words:
                raise self.lost()
        return self._paid(die, replace(act, bonus=choices), pay)

    def _die(self) -> Laid:
        colour, value = self._face()
        if value is None:
            raise self.lost()
        return self._found(colour, value, self.needed(self.number()) if self.clause("plaza") else None)

    def _face(self) -> tuple[str, int | None]:
        """`red 6`, `R6`, or as much of it as is there."""
        short = _SHORT.fullmatch(self.folded())
        if short:
            self.words.pop(0)
            return LETTERS[short[1]], int(short[2])
        return self.take(COLOURS), self.number()

    def _found(self, colour: str, value: int, at: int | None) -> Laid:
        """The die of that colour and value. Raises NotAllowed when there is none, Unclear when there are two."""
        dice = laid(self.state)
        here = [die for die in dice if die.colour == colour and die.value == value]
        here = here or [die for die in dice if die.colour == colour and die.face == value]
        if at is not None:
            here = [die for die in here if die.slot == at - 1]
        usable = [die for die in here if die.usable]
        if len(usable) == 1:
            return usable[0]
        if usable:
            raise Unclear(
                T("There are two such dice, at different prices."),
                possible=tuple(T("{die}: …", die=die.word) for die in usable),
            )
        can = tuple(T("{die}", die=die.word) for die in dice if die.usable)
        if here:
            raise NotAllowed(T("That plaza is destroyed this half day; its die cannot be used."), possible=can)
        raise NotAllowed(
            T("No {colour} {value} lies on a plaza now.", colour=colour_name(colour), value=value), possible=can
        )

    def _made(self, die: Laid) -> tuple[str, int]:
        colour, value = self._face()
        if not colour and value is None:
            raise self.lost()
        return colour or die.colour, die.value if value is None else value

    def _used(self, die: Laid, colour: str, value: int, use: str, column: int | None) -> HalfDay:
        if use in RESOURCES or use == RESOURCES_USE:
            if column is not None and column != value:
                raise NotAllowed(T("A die of {value} brings {value} resources, not {n}.", value=value, n=column))
            if use in RESOURCES and COLOUR_OF_RESOURCE[use] != colour:
                raise NotAllowed(
                    T(
                        "{resource} needs a {needs} die; yours is {colour}.",
                        resource=name(use),
                        needs=colour_name(COLOUR_OF_RESOURCE[use]),
                        colour=colour_name(colour),
                    )
                )
            return HalfDay(die.slot, colour, value, RESOURCES_USE)
        if column is None:
            if not 1 <= value <= 6 and value == die.value:
                raise NotAllowed(T("A die that counts {value} builds nothing.", value=value), rule="E4")
            if not 1 <= value <= 6:
                raise NotAllowed(T("A die counts 1 to 6; you asked for {value}. It does not go round.", value=value))
            column = self.state.column(value)
            self.assumed.append(T("column {n}", n=column))
        return HalfDay(die.slot, colour, value, use, column)

    def _paid(self, die: Laid, act: HalfDay, pay: str) -> HalfDay:
        if not die.any:
            if pay and pay not in die.price:
                raise NotAllowed(_price(die))
            return act
        if pay:
            return replace(act, pay=pay)
        ways = purchases(self.state.sheets[self.seat], die) or RESOURCES
        raise Unclear(
            T(
                "This die costs {n} resource of any kind: say which.",
                "This die costs {n} resources of one kind: say which.",
                n=die.any,
            ),
            possible=tuple(T("{order}", order=write(self.state, self.seat, replace(act, pay=way))) for way in ways),
        )

    def _choices(self) -> tuple[str, ...]:
        """Colours and buildings with their columns, separated by commas; a column may be missing when one is open."""
        found: list[str] = []
        while self.words and self.words[0] != ";":
            word = self.needed(self.take({**COLOURS, **{w: use for w, use in USES.items() if use in COLOUR}}))
            found.append(word if word not in COLOUR else f"{word} {self._column(word)}")
            if self.words and self.words[0] != ";" and not self.mark(","):
                raise self.lost()
        return tuple(found)

    def _column(self, row: str) -> int:
        column = self.number()
        if column is None:
            open_ = tuple(self.state.sheets[self.seat].open_columns(row))
            raise Unclear(
                T("Say the column of the building that the bonus brings, counted from the left."),
                possible=tuple(T("bonus {row} {column}", row=chosen(row), column=at) for at in open_[:6]),
            )
        return column


def _price(die: Laid) -> Msg:
    if not die.price:
        return T("This die costs nothing.")
    return T("This die is paid with {resources}, nothing else.", resources=tuple(chosen(r) for r in die.price))
