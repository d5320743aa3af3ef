"""From the terms of a line to the wish, in whatever order its parts stand.

A part that is said twice otherwise, or cannot be attached to anything, refuses the line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.catalog import T
from engine.troyes_dice.box.sheet import COLOUR, COLOUR_OF_RESOURCE, COLUMNS, RESOURCES
from engine.troyes_dice.notation.terms import LAST_ONE, Typed
from engine.troyes_dice.notation.wish import Choice, Misfit, Walk, Wish

_BEHIND_W = ("colour", "price", "black", "resource", "number")
"""Kinds of words before which «w» is «with»."""
_COSTS = frozenset(("costs", "cost", "coute"))
_THINGS = ("number", "colour", "letter", "die", "building")
"""Verbs of what a thing costs, and kinds of words that end one."""
_AFTER_PAY = ("with", "mark", "for", "to", "face")
"""Kinds of words that only lead from «pay» to what pays."""


class Parts(Walk):
    """The terms of a line, read from the left into a wish."""

    def __init__(self, terms: Sequence[Typed]) -> None:
        super().__init__(terms)
        self.wish = Wish()
        self._way: int = 0
        """A shift whose steps come later: `raise white 4 to 6`."""
        self._turns = False
        """Whether the colour behind the die is the one it is changed to: `turn yellow 1 red`."""
        self._aim: Choice | None = None
        """`for 4 deniers`: the use where no other is said, else what pays."""
        self._loose: list[Choice] = []
        """Resources that are said with no word for what becomes of them: one may be the use, the others pay."""

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
        self._settle()
        if not wish.use and not self._aim and wish.names_die and len(wish.bonus) > 1 and wish.bonus[-1][0] in COLOUR:
            # «bonus great hall 2, cathedral with white 3»: what the die does stands behind the bonus.
            *bonus, (wish.use, wish.at) = wish.bonus
            wish.bonus = tuple(bonus)
        if self._aim and not wish.use:
            wish.use, wish.at = self._aim
        elif self._aim:
            self._pays(*self._aim)
        return wish

    def _settle(self) -> None:
        """Tell the resource that is gained from what pays. Raises Misfit where both may be either."""
        wish, loose = self.wish, self._loose
        gained = [] if wish.use else [one for one in loose if COLOUR_OF_RESOURCE.get(one[0], "") in self._colours()]
        if not wish.use and len(loose) == 1 and (gained or not self._aim):
            gained = loose[:]
        if len(gained) > 1 and len({resource for resource, _ in gained}) == 1:
            # «raise it to a three (1 influence) and take influence»
            said = ([one for one in gained if one[1] == number] for number in (wish.value, None))
            gained = next(filter(None, said), gained)[:1]
        if len(gained) == 1:
            loose.remove(gained[0])
            self._used(self.terms[-1], *gained[0])
        for resource, amount in loose:
            if not (wish.use or self._aim) or (not amount and wish.use not in COLOUR):
                raise Misfit(self.terms[-1], T("An order uses its die for one thing."))
            self._pays(resource, amount)

    def _colours(self) -> tuple[str, ...]:
        """The colours that the die may have when it is used, where one is said."""
        return (self.wish.made or self.wish.colour,) if self.wish.made or self.wish.colour else ()

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

    def _deed(self, term: Typed) -> None:
        """`builds`: what the die does, else what somebody did."""
        if not self.wish.names_die:
            raise Misfit(term)

    def _colour(self, term: Typed) -> None:
        if term.kind == "letter" and (self.kind() != "number" or self.terms[self.at].typed == "both"):
            if term.typed == "j" or (term.typed == "w" and self.kind() in _BEHIND_W):  # «j prends», «w yellow 4»
                return
            raise Misfit(term)
        if self._behind("=") and self.wish.colour and self.wish.value is not None:
            self.at -= 1
            self._made()
            return
        if self._turns and self.wish.colour and not self.wish.made and self.terms[self.at - 2].kind != "mark":
            self.at -= 1
            self._made()
            return
        self.skip("die")
        value = self.number()
        self.wish.one = value is not None and self.terms[self.at - 1].typed == "one"
        self._die(term, colour=term.means, value=value)

    def _number(self, term: Typed) -> None:
        if self._way and self.kind() not in ("resource", "colour", "letter"):
            self._shifted(term, self._way * term.number)
        elif self.kind() == "way" and self.kind(1) not in ("number", "to"):
            self._shifted(term, term.number if self.next().means == "up" else -term.number)
        elif self.kind() == "resource":
            self._loose.append((self.next().means, term.number))
        elif self.kind() == "colour" and self.kind(1) == "citizen" and (self.wish.names_die or self.wish.use):
            # What the order brings besides, as our mails tell it.
            self.at += 2
        elif self.wish.shift and self._behind("="):  # «+2 = 3»
            self._counted(term, term.number)
        elif self._behind("(") and self.wish.colour and self.wish.value is None:
            self._die(term, value=term.number)
        elif self.kind() in ("colour", "letter"):
            self._die(term, colour=self.next().means, value=term.number)
        elif self.kind() == "die" and self.kind(1) == "resource":  # «6 de savoir», folded like «dé»
            self.at += 1
            self._loose.append((self.next().means, term.number))
        elif term.typed == "one" and self.kind() == "pay" and self.wish.names_die:
            pass  # «the one costing any resource»
        elif self.kind() == "for" and not self.wish.names_die:
            self._die(term, value=term.number, bare=True)
        else:
            raise Misfit(term)

    def _sum(self, term: Typed) -> None:
        """`add 1`; before anything else it is what is done."""
        if self.kind() == "number" and self.kind(1) not in ("resource", "colour", "letter"):
            self._ways(term)

    def _numbered(self, term: Typed) -> None:
        """`die number 2`; behind anything else a number is not known to be a die's."""
        if self.kind() != "number" or self.at < 2 or self.terms[self.at - 2].kind != "die":
            raise Misfit(term)
        self._die(term, either=self.next().number)

    def _behind(self, sign: str) -> bool:
        """Whether the term that was taken stands behind this sign."""
        return self.at > 1 and self.terms[self.at - 2].typed == sign

    def _ordinal(self, term: Typed) -> None:
        after = self.next()
        if after.kind in ("plaza", "die"):
            self._die(term, plaza=term.number)
        elif after.kind == "column":
            self._column(term, COLUMNS[-1] if term.typed in LAST_ONE else term.number)
        elif after.kind == "colour":
            self._die(term, nth=term.number)
            self._colour(after)
        else:
            raise Misfit(term)

    def _plaza(self, term: Typed) -> None:
        number = self.number()
        before = self.terms[self.at - 2].kind if self.at > 1 else ""
        if number is None and term.typed != "place" and before != "for":
            raise Misfit(term)
        # «place» without a number is what is done; «for the plaza» is what is paid for.
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
        if self.kind() in ("building", "resource", "bonus", "column") or self.kind(1) == "resource":
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
        if self.wish.counts not in (None, value):
            raise Misfit(term, T("A die takes one value."))
        self.wish.counts, self.wish.way, self._way = value, self._way or self.wish.way, 0

    def _change(self, term: Typed) -> None:
        """`turned red`; or before the die, `turn yellow 1 red`, `change yellow 1 to white`."""
        self._turns = not self.wish.names_die
        if self.wish.names_die and self.kind() in ("colour", "letter", "number"):
            self._face(term)

    def _to(self, term: Typed) -> None:
        """`to white 5`; or only a word before what follows: `to the cathedral`, a colour in `a white 5`."""
        if self.wish.names_die and self.kind(1) == "number" and self.terms[self.at].typed == ":":
            self.skip("mark")
        faces = ("number",) if term.means == "a" else ("number", "colour", "letter")
        before = self.terms[self.at - 2].kind if self.at > 1 else ""
        turned = before in ("colour", "mark") and bool(self.wish.made) and self.wish.counts is None  # «white and a 5»
        turned |= bool(self._way)  # «monte le rouge à 3»
        if term.means == "a" and before not in ("number", "way", "change", "to") and not turned:
            return
        if self.wish.names_die and self.kind() in faces and self.kind(1) != "resource":
            self._made()

    def _ways(self, term: Typed) -> None:
        """`+2`, `up to 5`, or `raise` before the die; `+4 deniers` behind it is what it brings, `-1 denier` costs."""
        if self.kind() == "number" and self.kind(1) == "resource":
            if not self.wish.names_die:
                raise Misfit(term)
            if term.typed == "-":
                self._pay(term)
            elif term.typed not in ("+", "plus") and term.kind == "way":
                raise Misfit(term)
            return
        if term.typed == "+" and self.kind() != "number":
            return
        self._way = 1 if term.means == "up" else -1
        if self.kind() == "number" and self.kind(1) not in ("colour", "letter"):
            self._shifted(term, self._way * self.next().number)

    def _shifted(self, term: Typed, by: int) -> None:
        if self.wish.shift not in (0, by):
            raise Misfit(term, T("A die takes one value."))
        self.wish.shift, self._way = by, 0

    def _resource(self, term: Typed) -> None:
        self._loose.append((term.means, self.number()))

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
        if self.wish.use and (use != self.wish.use or at not in (None, self.wish.at)):
            raise Misfit(term, T("An order uses its die for one thing."))
        self.wish.use = use
        if at is not None and at != self.wish.at:
            self._column(term, at)

    def _pay(self, term: Typed) -> None:
        if term.typed in _COSTS and self.at > 1 and self.terms[self.at - 2].kind in _THINGS:
            raise Misfit(term)  # «red 4 costs a denier for the fortress»
        self.skip("die")
        while self.kind() in _AFTER_PAY or (self.kind() == "plaza" and self.kind(1) != "number"):
            self.at += 1
        if not self.kind() and self._loose:
            # «1 denier to pay», «knowledge pays for it»
            self._pays(*self._loose.pop())
            return
        if self.kind() == "any" and self.kind(1) == "resource":
            self._die(self.next(), price="any")
            self.at += 1
            return
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
        if self.kind() == "die" and self.kind(1) == "resource":  # «point de savoir», folded like «dé»
            self.at += 1
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
    "deed": Parts._deed,
    "sum": Parts._sum,
    "numbering": Parts._numbered,
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
