"""What a line says of a half day, in whatever order its parts stand: the die, what it becomes, its use, what pays.

Nothing is known here of a position. A part that is said twice, or cannot be attached to anything, refuses the line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.catalog import Msg, T
from engine.troyes_dice.box.sheet import COLOUR, RESOURCES
from engine.troyes_dice.notation.terms import Typed

Choice = tuple[str, int | None]
"""A choice of a bonus: a colour, or a building with its column, None where it is not said."""


@dataclass(slots=True)
class Wish:
    """What is said; what is not is empty or None. Numbers are as typed."""

    colour: str = ""
    value: int | None = None
    either: int | None = None
    """The value of the die or its plaza: `die 2`."""
    plaza: int | None = None
    black: bool = False
    price: str = ""
    """`free`, `cheap` or `dear`."""
    made: str = ""
    """The colour that the die is changed to."""
    counts: int | None = None
    """The value that it is shifted to."""
    shift: int = 0
    way: int = 0
    """1 where it is raised to that value, -1 where it is lowered, 0 where that is not said."""
    use: str = ""
    """A resource, `resources`, or the row of a building."""
    at: int | None = None
    """Column of the building, or amount of the resource."""
    pay: dict[str, int] = field(default_factory=dict)
    """What pays, with how much of it: 0 where that is not said."""
    bonus: tuple[Choice, ...] = ()

    @property
    def names_die(self) -> bool:
        """Whether anything is said of the die."""
        return bool(self.colour or self.black or self.price) or (self.value, self.either, self.plaza) != (None,) * 3


class Misfit(Exception):  # noqa: N818 - told by the reader, in its own words
    """The first term that fits nowhere (None: the line ends too early), and why where that can be told."""

    def __init__(self, term: Typed | None, why: Msg | None = None) -> None:
        super().__init__()
        self.term = term
        self.why = why


class Parts:
    """The terms of a line, read from the left into a wish."""

    def __init__(self, terms: list[Typed]) -> None:
        self.terms = terms
        self.at = 0
        self.wish = Wish()
        self._way: int = 0
        """A shift whose steps come later: `raise white 4 to 6`."""
        self._turns = False
        """Whether the colour behind the die is the one it is changed to: `turn yellow 1 red`."""
        self._aim: Choice | None = None
        """`for 4 deniers`: the use where no other is said, else what pays."""

    # Terms.

    def kind(self, ahead: int = 0) -> str:
        """The kind of a term that is to come; empty behind the last one."""
        at = self.at + ahead
        return self.terms[at].kind if at < len(self.terms) else ""

    def next(self) -> Typed:
        """Take the next term."""
        if self.at >= len(self.terms):
            raise Misfit(None)
        self.at += 1
        return self.terms[self.at - 1]

    def skip(self, *kinds: str) -> None:
        """Pass over terms of these kinds."""
        while self.kind() in kinds:
            self.at += 1

    def number(self) -> int | None:
        """A number, if one is next."""
        return self.next().number if self.kind() == "number" else None

    # The whole.

    def read(self) -> Wish:
        """The wish of the whole line. Raises Misfit."""
        while self.at < len(self.terms):
            term = self.next()
            part = _PARTS.get(term.kind)
            if part is None:
                raise Misfit(term)
            part(self, term)
        wish = self.wish
        if self._way:
            raise Misfit(None)
        if not wish.use and not self._aim and wish.names_die and len(wish.bonus) > 1 and wish.bonus[-1][0] in COLOUR:
            # «bonus great hall 2, cathedral with white 3»: what the die does stands behind the bonus.
            *bonus, (wish.use, wish.at) = wish.bonus
            wish.bonus = tuple(bonus)
        if self._aim and not wish.use:
            wish.use, wish.at = self._aim
        elif self._aim:
            self._pays(*self._aim)
        return wish

    def choices(self) -> tuple[Choice, ...]:
        """Colours and buildings, separated by marks, as far as they go: `yellow, counts-palace 3`."""
        found: list[Choice] = []
        end = self.at
        while not found or (self.kind() == "mark" and self.terms[end].typed != ";"):
            self.skip("mark", "citizen", "for")
            if self.kind() in ("building", "column"):
                found.append(self._building())
            elif self.kind() == "colour" and self.kind(1) not in ("number", "die"):
                found.append((self.next().means, None))
                self.skip("citizen")
            else:
                break
            end = self.at
        self.at = end
        return tuple(found)

    # Parts.

    def _skips(self, term: Typed) -> None:
        """A term that only leads to the next one."""

    def _colour(self, term: Typed) -> None:
        if term.kind == "letter" and self.kind() != "number":
            raise Misfit(term)
        if self._turns and self.wish.colour and not self.wish.made and self.terms[self.at - 2].kind != "mark":
            self.at -= 1
            self._made()
            return
        self.skip("die")
        value = self.number()
        self._die(term, colour=term.means, value=value)

    def _number(self, term: Typed) -> None:
        if self._way and self.kind() not in ("resource", "colour", "letter"):
            self._shifted(term, self._way * term.number)
        elif self.kind() == "way" and self.kind(1) not in ("number", "to"):
            self._shifted(term, term.number if self.next().means == "up" else -term.number)
        elif self.kind() == "resource":
            self._used(self.next(), self.terms[self.at - 1].means, term.number)
        elif self.kind() in ("colour", "letter"):
            self._die(term, colour=self.next().means, value=term.number)
        else:
            raise Misfit(term)

    def _ordinal(self, term: Typed) -> None:
        after = self.next()
        if after.kind in ("plaza", "die"):
            self._die(term, plaza=term.number)
        elif after.kind == "column":
            self._column(term, term.number)
        else:
            raise Misfit(term)

    def _plaza(self, term: Typed) -> None:
        number = self.number()
        if number is None:
            raise Misfit(term)
        self._die(term, plaza=number)

    def _bare_die(self, term: Typed) -> None:
        if not self._way and self.kind() == "number" and self.kind(1) not in ("resource", "colour", "letter"):
            self._die(term, either=self.next().number)

    def _with(self, term: Typed) -> None:
        self.skip("die")
        if self.kind() == "resource" or (self.kind() == "number" and self.kind(1) == "resource"):
            self._pay(term)
        elif self.kind() == "number" and self.kind(1) not in ("colour", "letter"):
            self._die(term, either=self.next().number)

    def _black(self, term: Typed) -> None:
        self.skip("die")
        self._die(term, black=True, value=self.number())

    def _price(self, term: Typed) -> None:
        self._die(term, price=term.means)

    def _die(self, term: Typed, **said: int | str | bool | None) -> None:
        """Something is said of the die; of one thing only once."""
        for name, value in said.items():
            if value is None:
                continue
            if getattr(self.wish, name) not in ("", None, False):
                raise Misfit(term, T("An order uses one die."))
            setattr(self.wish, name, value)
        if self.wish.colour and self.wish.value is None and self.wish.either is not None:
            self.wish.value, self.wish.either = self.wish.either, None

    def _face(self, term: Typed) -> None:
        """`as white 5`: what the die becomes; `as knowledge`, `en bonus` only lead to what follows."""
        self.skip("to", "face", "change")
        if self.kind() in ("building", "resource", "bonus") or self.kind(1) == "resource":
            return
        if not self.wish.names_die or not self._made():
            raise Misfit(term)

    def _made(self) -> bool:
        """Take a colour, a value or both, if they are next."""
        value = self.number()
        colour = self.next().means if self.kind() in ("colour", "letter") else ""
        if colour and value is None:
            value = self.number()
        if not colour and value is None:
            return False
        term = self.terms[self.at - 1]
        if colour:
            if self.wish.made:
                raise Misfit(term, T("A die takes one colour."))
            self.wish.made = colour
        if value is not None:
            self._counted(term, value)
        return True

    def _counted(self, term: Typed, value: int) -> None:
        if self.wish.counts is not None or self.wish.shift:
            raise Misfit(term, T("A die takes one value."))
        self.wish.counts, self.wish.way, self._way = value, self._way, 0

    def _change(self, term: Typed) -> None:
        """`turned red`; or before the die, `turn yellow 1 red`, `change yellow 1 to white`."""
        self._turns = not self.wish.names_die
        if self.wish.names_die and self.kind() in ("colour", "letter", "number"):
            self._face(term)

    def _to(self, term: Typed) -> None:
        """`to white 5`; or only a word before what follows: `to the cathedral`, a colour in `a white 5`."""
        faces = ("number",) if term.means == "a" else ("number", "colour", "letter")
        before = self.terms[self.at - 2].kind if self.at > 1 else ""
        if term.means == "a" and before not in ("number", "way", "change"):
            return
        if self.wish.names_die and self.kind() in faces and self.kind(1) != "resource":
            self._made()

    def _ways(self, term: Typed) -> None:
        """`+2`, `up to 5`, or `raise` before the die."""
        self._way = 1 if term.means == "up" else -1
        if self.kind() == "number" and self.kind(1) == "resource":
            raise Misfit(term)
        if self.kind() == "number":
            self._shifted(term, self._way * self.next().number)

    def _shifted(self, term: Typed, by: int) -> None:
        if self.wish.shift or self.wish.counts is not None:
            raise Misfit(term, T("A die takes one value."))
        self.wish.shift, self._way = by, 0

    def _resource(self, term: Typed) -> None:
        self._used(term, term.means, self.number())

    def _goal(self, term: Typed) -> None:
        self.at -= 1
        self._used(term, *self._building())

    def _building(self) -> Choice:
        """A building, with its column before or behind it."""
        column = self._named_column() if self.kind() == "column" else None
        if self.kind() != "building":
            raise Misfit(self.next())
        row = self.next().means
        if column is None and (self.kind() == "column" or (self.kind() == "mark" and self.kind(1) == "column")):
            self.skip("mark")
            column = self._named_column()
        if self.kind() == "mark" and self.terms[self.at].typed == "(" and self.kind(1) == "number":
            self.skip("mark")
        return row, self.number() if column is None else column

    def _named_column(self) -> int:
        term = self.next()
        number = self.number()
        if number is None:
            raise Misfit(term)
        return number

    def _columns(self, term: Typed) -> None:
        self.at -= 1
        self._column(term, self._named_column())

    def _column(self, term: Typed, column: int) -> None:
        if self.wish.at is not None:
            raise Misfit(term)
        self.wish.at = column

    def _used(self, term: Typed, use: str, at: int | None) -> None:
        if self.wish.use:
            raise Misfit(term, T("An order uses its die for one thing."))
        self.wish.use = use
        if at is not None:
            self._column(term, at)

    def _pay(self, term: Typed) -> None:
        self.skip("with", "mark")
        amount = self.number() or 0
        resource = self.next()
        if resource.kind != "resource":
            raise Misfit(resource)
        self._pays(resource.means, amount)

    def _pays(self, resource: str, amount: int | None) -> None:
        if resource not in RESOURCES or resource in self.wish.pay:
            raise Misfit(self.terms[self.at - 1])
        self.wish.pay[resource] = amount or 0

    def _for(self, term: Typed) -> None:
        """`for 4 deniers`; before anything else it only leads there: `for the cathedral`."""
        if self.kind() == "resource" or (self.kind() == "number" and self.kind(1) == "resource"):
            if self._aim:
                raise Misfit(term)
            amount = self.number()
            self._aim = self.next().means, amount

    def _bonus(self, term: Typed) -> None:
        found = self.choices()
        if not found:
            raise Misfit(self.terms[self.at] if self.kind() else None)
        self.wish.bonus += found


_PARTS: dict[str, Callable[[Parts, Typed], None]] = {
    "mark": Parts._skips,
    "colour": Parts._colour,
    "letter": Parts._colour,
    "number": Parts._number,
    "ordinal": Parts._ordinal,
    "plaza": Parts._plaza,
    "die": Parts._bare_die,
    "with": Parts._with,
    "black": Parts._black,
    "price": Parts._price,
    "face": Parts._face,
    "change": Parts._change,
    "to": Parts._to,
    "way": Parts._ways,
    "resource": Parts._resource,
    "building": Parts._goal,
    "column": Parts._columns,
    "pay": Parts._pay,
    "for": Parts._for,
    "bonus": Parts._bonus,
}
"""Kind of term to what is read from it on."""
