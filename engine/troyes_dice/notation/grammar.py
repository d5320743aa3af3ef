"""From a line to a complete order: orders as they are written, titles, and unambiguous lines between.

A line is cut into terms, words of the tables with their meaning. The parts of an order stand in any order, each opened
by its own word: a colour, `as`, a building or resource, `pay`, `bonus`. A part said twice, or a term that no part
takes, refuses the line. Costs are never filled in (a resource for a price of any kind, a shift, another colour, one of
two dice that look alike); what is filled in is echoed as assumed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear, no_order, no_verb, unknown_word
from engine.game import Reading
from engine.kit.words import fold_text
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.actions.bonus_chain import choice_texts
from engine.troyes_dice.actions.half_day import Answer, order_costs, plan_half_day, plan_settled
from engine.troyes_dice.actions.setup import cyclic_numbers
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.phrases import colour_name, resource_amount, typed_text
from engine.troyes_dice.card_data.sheet import COLOUR, COLOUR_OF_RESOURCE, RESOURCES
from engine.troyes_dice.notation.order_words import SIGNS, WIDTHS, WORDS
from engine.troyes_dice.notation.writing import write_order
from engine.troyes_dice.state.dice import FACES, LaidDie, laid_dice
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import RESOURCES_USE, Bonus, Fallback, HalfDay, Numbering, Order

MOST = 9
"""Most orders that a refusal shows."""
READ = 2048
"""Lines whose parse is cached."""

Choice = tuple[str, int | None]
"""A choice of a bonus: a colour, or a building with its column (None: not said)."""


# Terms.

_TOKEN = re.compile(
    r"w/|\.\.+|[0-9]+(?:st|nd|rd|th|ere|er|re|eme|e)\b|[a-z]+"
    r"|[0-9]+|[-=]+>|(?<!\S)- |(?<![a-z0-9])-|-(?![a-z0-9])|[^\s'_-]"
)
"""A hyphen within a word parts it; one with blanks around it is a mark; any other is a minus."""
_ORDINAL = re.compile("([1-6])[a-z]+")
_ELIDED = re.compile(r"\bj'(?=[a-z])")
"""`j'`, which is no yellow."""
_PASSING = frozenset(("pass", "skip", "passing", "passe", "passer", "passons"))
_ARTICLES = ("un", "une")
_VERBS = {"do", "change", "way", "pay"}


@dataclass(frozen=True, slots=True)
class OrderToken:
    """A word as it was typed, its kind and meaning; `number` if it counts something."""

    kind: str
    means: str
    typed: str
    number: int = 0


NOTHING = OrderToken("", "", "")

_WORDS = {
    word: OrderToken(kind, means, word, int(means) if kind in ("number", "ordinal") else 0)
    for word, (kind, means) in WORDS.items()
}


@lru_cache(maxsize=READ)
def tokenize(line: str) -> tuple[OrderToken, ...]:
    """Cut a line into terms, without articles. An unknown word is of kind `unknown`."""
    tokens = _TOKEN.findall(_ELIDED.sub("", fold_text(line.strip().rstrip(".!"))))
    found = [
        # «a donné» tells what somebody did.
        replace(term, kind="unknown") if term.typed == "a" and {after.kind, after.means} & _VERBS else term
        for term, after in pairwise((*_every(tokens), NOTHING))
        if term.kind != "article"
    ]
    return tuple(_without_articles(found) if {*_ARTICLES} & {*tokens} else found)


def _every(tokens: list[str]) -> Iterator[OrderToken]:
    """Yield the longest word of the tables that begins at each place, else one token."""
    at = 0
    while at < len(tokens):
        widths = (1, *WIDTHS.get(tokens[at], ()))[::-1]
        words = ((" ".join(tokens[at : at + width]), width) for width in sorted(widths, reverse=True))
        word, width = next((found for found in words if found[0] in _WORDS), (tokens[at], 1))
        yield _WORDS.get(word) or _no_word(word)
        at += width


@lru_cache(maxsize=256)
def _no_word(token: str) -> OrderToken:
    """A number, a sign, or an unknown word."""
    if token.isdigit() and len(token) <= 3:
        return OrderToken("number", token, token, int(token))
    if token in SIGNS:
        return OrderToken(*SIGNS[token], token)
    if ordinal := _ORDINAL.fullmatch(token):
        return OrderToken("ordinal", token, token, int(ordinal[1]))
    return OrderToken("unknown", token, token)


def _without_articles(terms: list[OrderToken]) -> list[OrderToken]:
    """French `un` is a number behind a colour or a building and before a resource, else an article."""
    kinds = ["", *(term.kind for term in terms), "", ""]
    return [
        term
        for at, term in enumerate(terms, 1)
        if not (
            term.typed in _ARTICLES
            and kinds[at - 1] not in ("colour", "letter", "building", "column", "plaza", "way")
            and kinds[at + 1] in ("colour", "letter", "building", "die", "bonus", "number")
        )
    ]


def passes(terms: Sequence[OrderToken]) -> bool:
    """True if a line only says that its writer passes: nobody can (A5), so no table has the word."""
    words = {term.typed for term in terms}
    return bool(words & _PASSING) and words <= _PASSING | {"turn", "tour"}


def changes_nothing(terms: Sequence[OrderToken]) -> bool:
    """True if a line ends with a word for a change, and nothing that changes: «… et passer»."""
    return bool(terms) and terms[-1].kind == "change"


# What a line says of a half day: nothing is known of a position here.


@dataclass(slots=True)
class ParsedOrder:
    """What a line says; what it does not say is empty or None. Numbers are as typed."""

    colour: str = ""
    value: int | None = None
    plaza: int | None = None
    made: str = ""
    """The colour that the die is changed to."""
    counts: int | None = None
    """The value that it is shifted to."""
    way: int = 0
    """1 if it is raised to that value, -1 if lowered, 0 if not said."""
    use: str = ""
    """A resource, `resources`, or the row of a building."""
    at: int | None = None
    """Column of the building, or amount of the resource."""
    pay: str = ""
    paid: int = 0
    """How much is said to be paid; 0 if not said."""
    bonus: tuple[Choice, ...] = ()

    @property
    def names_die(self) -> bool:
        """True if anything is said of the die."""
        return bool(self.colour) or self.plaza is not None


class UnexpectedToken(Exception):  # noqa: N818 - the reader words the refusal
    """The first term that fits nowhere (None: the line ends too early), and why if that is known."""

    def __init__(self, term: OrderToken | None, why: Msg | None = None) -> None:
        super().__init__()
        self.term = term
        self.why = why


class Parser:
    """Reads the terms of a line from the left into a `ParsedOrder`."""

    def __init__(self, terms: Sequence[OrderToken]) -> None:
        self.terms, self.at, self.wish = terms, 0, ParsedOrder()

    def kind(self, ahead: int = 0) -> str:
        """The kind of a term to come; "" behind the last one."""
        at = self.at + ahead
        return self.terms[at].kind if at < len(self.terms) else ""

    def next(self) -> OrderToken:
        """Take the next term."""
        if self.at >= len(self.terms):
            raise UnexpectedToken(None)
        self.at += 1
        return self.terms[self.at - 1]

    def skip(self, *kinds: str) -> None:
        """Skip terms of these kinds."""
        while self.kind() in kinds:
            self.at += 1

    def number(self) -> int | None:
        """Take a number, if one is next."""
        return self.next().number if self.kind() == "number" else None

    def read(self) -> ParsedOrder:
        """Return what the whole line says. Raises UnexpectedToken."""
        self._bonus_behind()
        while self.at < len(self.terms):
            term = self.next()
            if (part := _OPENS.get(term.kind)) is None:
                raise UnexpectedToken(term)
            part(self, term)
        if self.wish.way and self.wish.counts is None:
            raise UnexpectedToken(None)
        return self.wish

    def _leads(self, term: OrderToken) -> None:
        """A mark, or a small word that only leads to the next term."""

    # The die, and what it becomes.

    def _die(self, term: OrderToken, colour: str = "", value: int | None = None, plaza: int | None = None) -> None:
        """Note what is said of the die, each thing only once."""
        wish = self.wish
        if (colour and wish.colour) or (value is not None and wish.value is not None) or (plaza and wish.plaza):
            raise UnexpectedToken(term, T("An order uses one die."))
        wish.colour, wish.plaza = colour or wish.colour, plaza or wish.plaza
        wish.value = wish.value if value is None else value

    def _colour(self, term: OrderToken) -> None:
        self.skip("die")
        if term.kind == "letter" and self.kind() != "number":
            raise UnexpectedToken(term)
        if self.kind() == "number" and self.terms[self.at].typed == "one":
            raise UnexpectedToken(self.next())  # «the red one» may be any
        self._die(term, term.means, self.number())

    def _number(self, term: OrderToken) -> None:
        if self.kind() == "resource":
            self._used(self.next(), term.number)
        elif self.kind() in ("colour", "letter"):
            self._die(term, self.next().means, term.number)
        else:
            raise UnexpectedToken(term)

    def _plaza(self, term: OrderToken) -> None:
        number = self.number()
        if number is None and term.typed != "place":  # «je place»
            raise UnexpectedToken(term)
        self._die(term, plaza=number)

    def _face(self, term: OrderToken) -> None:
        """`as white 5`, `to 5`; before a building or resource it only leads there: `as knowledge`."""
        self.skip("to", "face")
        if self.kind() in ("building", "resource", "column") or self.kind(1) == "resource":
            return
        if self.kind() not in ("colour", "letter", "number"):
            raise UnexpectedToken(term)
        if term.means == "a" and self.terms[self.at - 2].kind not in ("way", "change"):
            return  # «a white 5»
        if not self.wish.names_die:
            raise UnexpectedToken(term)
        value = self.number()
        colour = self.next().means if self.kind() in ("colour", "letter") else ""
        value = self.number() if value is None else value
        if self.wish.made or self.wish.counts is not None:
            raise UnexpectedToken(term, T("A die takes one colour.") if colour else T("A die takes one value."))
        self.wish.made, self.wish.counts = colour, value

    def _change(self, term: OrderToken) -> None:
        """`turned into white 5`: the change is behind it, and the die before it."""
        if not self.wish.names_die or self.kind() not in ("face", "to", "colour", "letter"):
            raise UnexpectedToken(term)
        if self.kind() in ("colour", "letter"):
            self._face(term)

    def _way(self, term: OrderToken) -> None:
        """`raised to 5`, or `raise` before the die."""
        if self.wish.way or not (self.kind() == "to" or (not self.wish.names_die and term.typed.isalpha())):
            raise UnexpectedToken(term)
        self.wish.way = 1 if term.means == "up" else -1

    # What it is used for, and what pays.

    def _used(self, term: OrderToken, amount: int | None = None) -> None:
        at = self.number() if amount is None else amount
        self._use(term, term.means, at)

    def _building(self, term: OrderToken) -> None:
        self.at -= 1
        self._use(term, *self._goal())

    def _column(self, term: OrderToken) -> None:
        if self.kind(1) == "building":
            self._building(term)
        else:
            self.at -= 1
            self._use(term, self.wish.use, self._named_column())

    def _use(self, term: OrderToken, use: str, at: int | None) -> None:
        wish = self.wish
        if (wish.use and use != wish.use) or (at is not None and wish.at not in (None, at)):
            raise UnexpectedToken(term, T("An order uses its die for one thing."))
        wish.use, wish.at = use, wish.at if at is None else at

    def _goal(self) -> Choice:
        """A building, with its column before or behind it."""
        column = self._named_column() if self.kind() == "column" else None
        if self.kind() != "building":
            raise UnexpectedToken(self.next())
        row = self.next().means
        if column is None and (self.kind() == "column" or (self.kind() == "mark" and self.kind(1) == "column")):
            self.skip("mark")
            column = self._named_column()
        return row, self.number() if column is None else column

    def _named_column(self) -> int:
        term = self.next()
        number = self.number()
        if number is None:
            raise UnexpectedToken(term)
        return number

    def _pay(self, term: OrderToken) -> None:
        self.skip("with", "mark", "face")
        amount, resource = self.number() or 0, self.next()
        if resource.kind != "resource" or resource.means not in RESOURCES or self.wish.pay:
            raise UnexpectedToken(resource)
        self.wish.pay, self.wish.paid = resource.means, amount

    # Bonuses.

    def _bonus(self, term: OrderToken) -> None:
        found = self.choices()
        if not found:
            raise UnexpectedToken(self.terms[self.at] if self.kind() else None)
        self.wish.bonus += found

    def choices(self) -> tuple[Choice, ...]:
        """Take colours and buildings, separated by marks, as far as they go: `yellow, counts-palace 3`."""
        found: list[Choice] = []
        end = self.at
        while not found or (self.kind() == "mark" and self.terms[end].typed != ";"):
            self.skip("mark", "citizen", "for")
            if self.kind() in ("building", "column"):
                found.append(self._goal())
            elif self.kind() == "colour" and self.kind(1) not in ("number", "die"):
                found.append((self.next().means, None))
                self.skip("citizen")
            else:
                break
            end = self.at
        self.at = end
        return tuple(found)

    def _bonus_behind(self) -> None:
        """`… and Cathedral 2 and yellow as the bonus`: the choices stand before the word, behind all else."""
        kinds = [term.kind for term in self.terms]
        if kinds[-2:] != ["face", "bonus"]:
            return
        for first in (0, *(at for at, kind in enumerate(kinds, 1) if kind in ("mark", "with"))):
            chosen = Parser(self.terms[first:-2])
            with suppress(UnexpectedToken):
                if (found := chosen.choices()) and not chosen.kind():
                    self.wish.bonus, self.terms = found, self.terms[: max(0, first - 1)]
                    return
        raise UnexpectedToken(self.terms[-1])


_OPENS: dict[str, Callable[[Parser, OrderToken], None]] = {
    **dict.fromkeys(("mark", "with", "for", "die"), Parser._leads),
    **dict.fromkeys(("colour", "letter"), Parser._colour),
    **dict.fromkeys(("face", "to"), Parser._face),
    "number": Parser._number,
    "plaza": Parser._plaza,
    "change": Parser._change,
    "way": Parser._way,
    "resource": Parser._used,
    "building": Parser._building,
    "column": Parser._column,
    "pay": Parser._pay,
    "bonus": Parser._bonus,
}
"""Kind of term to what is read from it on."""


# Against a position.

_IN_NUMBERINGS = frozenset(("numbering", "column", "number", "way", "mark", "with", "die", "to", "ordinal"))
_AROUND_BONUS = frozenset(("bonus", "for", "to", "face", "with"))
"""What may stand around the choice of a bonus: `cathedral 4 for the bonus`."""


def parse_line(state: DiceState, seat: str, line: str) -> Reading[Order]:
    """Parse a line that is no standing order. Raises NotUnderstood, Unclear, NotAllowed or TooLate."""
    terms, kind = tokenize(line), sealed_answers.asked_kind(state, seat)
    if not terms:
        raise no_order(line)
    if kind == sealed_answers.HALF_DAY and passes(terms):
        raise NotUnderstood(T("Nobody passes in Troyes Dice: who can pay for a die uses one each half day."), rule="A5")
    known = terms[:-1] if changes_nothing(terms) else terms
    strange = next((at for at, term in enumerate(terms) if term.kind == "unknown" or at == len(known)), -1)
    if strange >= 0:
        word = terms[strange].typed
        raise unknown_word(word, line) if strange else no_verb(word)
    if not kind:
        raise TooLate(sealed_answers.not_asked_reason(state, seat))
    sentence = _Sentence(state, seat, line, terms)
    order = sentence.numbering() if kind == sealed_answers.NUMBERING else sentence.answer(kind)
    return Reading(order, write_order(state, seat, order), tuple(sentence.assumed))


class _Sentence:
    """One line, for one seat in one position; `assumed` is what was filled in."""

    def __init__(self, state: DiceState, seat: str, line: str, terms: Sequence[OrderToken]) -> None:
        self.state, self.seat, self.line, self.terms = state, seat, line, terms
        self.assumed: list[Msg] = []

    def answer(self, kind: str) -> Order:
        """Return a half day, or the choices that its bonuses still leave open."""
        if self.terms[0].kind == "numbering":
            raise NotAllowed(T("The columns are numbered already."))
        if kind == sealed_answers.BONUS:
            parser = Parser([term for term in self.terms if term.kind not in _AROUND_BONUS])
            with suppress(UnexpectedToken):
                if (choices := parser.choices()) and not parser.kind():
                    return self._bonus(choices)
        try:
            wish = Parser(self.terms).read()
        except UnexpectedToken as misfit:
            raise self._misfit(misfit.term, misfit.why) from None
        if not wish.use and not wish.names_die and wish.bonus:
            if kind != sealed_answers.BONUS and not sealed_answers.is_unknown(self.state, self.seat):
                raise NotAllowed(T("No choice of a bonus is open."))
            return self._bonus(wish.bonus)
        if not wish.use or not (wish.value is not None or wish.plaza):
            raise self._misfit(None, None)
        return _Meaning(self.state, self.seat, wish, self.assumed).order()

    def _misfit(self, term: OrderToken | None, why: Msg | None) -> OrderRefused:
        """Return the refusal for a line of known words that is no order."""
        if term is None:
            return NotUnderstood(T("«{line}» is not complete.", line=self.line))
        return NotUnderstood(why or T("«{word}» does not fit in «{line}».", word=term.typed, line=self.line))

    def _bonus(self, choices: tuple[Choice, ...]) -> Order:
        """Return the choices that complete the seat's sealed answer."""
        given = sealed_answers.sealed_answer(self.state, self.seat)
        if given is None:
            # Nobody may know here whether there is an answer: the choices are taken as they are written.
            if any(word in COLOUR and column is None for word, column in choices):
                raise self._misfit(None, None)
            return Bonus(tuple(word if column is None else f"{word} {column}" for word, column in choices))
        before = len(given.bonus)
        order = Bonus(fill_choices(self.state, self.seat, given, choices, self.assumed, before).bonus[before:])
        if len(self.terms) == 1 and self.terms[0].kind == "building":
            raise Unclear(T("Say also that it is the bonus."), orders=(write_order(self.state, self.seat, order),))
        return order

    def numbering(self) -> Numbering:
        """Read `numbering 4 up`, or six numbers; the word itself may be missing."""
        if not all(term.kind in _IN_NUMBERINGS for term in self.terms):
            raise NotAllowed(T("First the columns must be numbered."))
        numbers = tuple(term.number for term in self.terms if term.kind == "number")
        ways = {term.means for term in self.terms if term.kind == "way"}
        rolled = self.state.first_number
        if len(ways) > 1:
            raise NotUnderstood(T("Say up or down."))
        if ways and len(numbers) <= 1:
            (way,) = ways
            first = numbers[0] if numbers else rolled
            if not 1 <= first <= 6 or (rolled and first != rolled):
                wrong = T("The leftmost number was rolled: {n}.", n=rolled) if rolled else T("Numbers go from 1 to 6.")
                raise NotAllowed(wrong)
            return Numbering(cyclic_numbers(first, way), way if rolled else "")
        if not numbers:
            raise NotUnderstood(T("«{line}» is not complete.", line=self.line))
        if rolled:
            for each in ("up", "down"):
                if numbers == cyclic_numbers(rolled, each):
                    return Numbering(numbers, each)
            right = T("The leftmost number is {n}; the others follow up or down from it.", n=rolled)
            raise NotAllowed(right, rule="A21")
        if sorted(numbers) != list(range(1, 7)) or ways:
            raise NotAllowed(T("Name each number from 1 to 6 once, from the left."))
        return Numbering(numbers)


class _Meaning:
    """What a parsed order means for one seat in one position; `assumed` is what was filled in."""

    def __init__(self, state: DiceState, seat: str, wish: ParsedOrder, told: list[Msg]) -> None:
        self.state, self.seat, self.wish, self.assumed = state, seat, wish, told

    def order(self) -> HalfDay:
        """Return the legal order that is meant. Raises Unclear or NotAllowed, with orders that would do."""
        dice = self._named()
        ways = [act for die in dice for act in self._said(die)]
        if not ways:
            raise self._misfit(dice)
        if len(ways) > 1 and (texts := self._texts(ways)):
            raise Unclear(self._ambiguous(ways), orders=texts)
        whole = fill_choices(self.state, self.seat, ways[0], self.wish.bonus, self.assumed)
        act, _ = plan_settled(self.state, self.seat, whole)
        names_die = bool(self.wish.colour and self.wish.value is not None)
        self.assumed[:0] = assumptions(self.state, act, names_die, self.wish.at)
        return act

    def _named(self) -> list[LaidDie]:
        """Return the dice that can be meant. Raises NotAllowed if there is none, saying why."""
        wish, dice = self.wish, laid_dice(self.state)
        here = [die for die in dice if wish.colour in ("", die.colour) and wish.plaza in (None, die.slot + 1)]
        counts = [die for die in here if wish.value in (None, die.value)]
        here = counts or [die for die in here if wish.value == die.face]
        if usable := [die for die in here if die.usable]:
            return usable
        can = tuple(typed_text(die.word) for die in dice if die.usable)
        if here:
            raise NotAllowed(T("That plaza is destroyed this half day; its die cannot be used."), possible=can)
        if wish.colour and wish.value is not None:
            missing = T("No {colour} {value} lies on a plaza now.", colour=colour_name(wish.colour), value=wish.value)
            raise NotAllowed(missing, possible=can)
        raise NotAllowed(T("No such die lies on a plaza now."), possible=can)

    def _made(self, die: LaidDie) -> HalfDay:
        """The order with the die as it lies, or as it is said to become."""
        wish = self.wish
        value, colour = die.value if wish.counts is None else wish.counts, wish.made or die.colour
        if wish.use not in COLOUR:
            return HalfDay(die.slot, colour, value, RESOURCES_USE)
        return HalfDay(die.slot, colour, value, wish.use, self.state.column(value) if value in FACES else 0)

    def _said(self, die: LaidDie) -> list[HalfDay]:
        """Return what is said, done with this die: every way to pay if none is said; empty if it cannot fit."""
        wish, act = self.wish, self._made(die)
        if wish.way and (act.value - die.value) * wish.way <= 0:
            return []
        if wish.use in COLOUR:
            fits = COLOUR[wish.use] == act.colour and wish.at in (None, act.column)
        else:
            fits = wish.at in (None, act.value) and COLOUR_OF_RESOURCE.get(wish.use, act.colour) == act.colour
        pays = ((wish.pay,) if wish.pay else RESOURCES) if die.any else ("",)
        return [one for pay in pays if fits and self._agrees(die, one := replace(act, pay=pay))]

    def _agrees(self, die: LaidDie, act: HalfDay) -> bool:
        """True if the order costs what is said."""
        wish = self.wish
        if not wish.pay or (bill := bill_of(die, act)) is None:
            return True  # the rules forbid it, and say so themselves
        return wish.pay in bill and wish.paid in (0, bill[wish.pay])

    def _ambiguous(self, ways: list[HalfDay]) -> Msg:
        die = laid_dice(self.state)[ways[0].slot]
        if len({act.slot for act in ways}) == 1 and die.any:
            return T(
                "This die costs {n} resource of any kind: say which.",
                "This die costs {n} resources of one kind: say which.",
                n=die.any,
            )
        return T("There are two such dice, at different prices.")

    def _misfit(self, dice: list[LaidDie]) -> NotAllowed:
        """Return why none of the dice does what is said."""
        wish, die = self.wish, dice[0]
        act = self._made(die)
        if wish.way and (act.value - die.value) * wish.way <= 0:
            return NotAllowed(T("That die counts {value} now.", value=die.value))
        if wish.use not in COLOUR:
            needs = COLOUR_OF_RESOURCE.get(wish.use, act.colour)
            if needs != act.colour:
                resource, needed, has = item_name(wish.use), colour_name(needs), colour_name(act.colour)
                return NotAllowed(
                    T("{resource} needs a {needs} die; yours is {colour}.", resource=resource, needs=needed, colour=has)
                )
            if wish.at not in (None, act.value):
                return NotAllowed(T("A die of {value} brings {value} resources, not {n}.", value=act.value, n=wish.at))
        act = replace(act, column=wish.at or act.column, pay=(wish.pay or RESOURCES[0]) if die.any else "")
        try:
            # The rules tell what they forbid; what is left is a price that does not agree.
            plan_half_day(self.state, self.seat, act)
        except NotAllowed as refusal:
            return refusal
        bill = order_costs(die, act)
        if not bill:
            return NotAllowed(T("This die costs nothing."))
        if wish.pay not in bill:
            paid = tuple(typed_text(resource) for resource in bill)
            return NotAllowed(T("This die is paid with {resources}, nothing else.", resources=paid))
        price = tuple(resource_amount(resource, n) for resource, n in bill.items())
        return NotAllowed(T("That costs {price}.", price=price))

    def _texts(self, acts: list[HalfDay]) -> tuple[str, ...]:
        """Return the legal ones of some orders, as they are written."""
        texts = []
        for act in acts:
            try:
                whole = fill_choices(self.state, self.seat, act, self.wish.bonus, [])
                plan_settled(self.state, self.seat, whole)
            except OrderRefused:
                continue
            texts.append(write_order(self.state, self.seat, whole))
        return tuple(dict.fromkeys(texts))[:MOST]


def assumptions(state: DiceState, act: HalfDay, names_die: bool, at: int | None) -> list[Msg]:
    """Return what an order holds and its line does not say: the die, the column."""
    found = [] if names_die else [typed_text(laid_dice(state)[act.slot].word)]
    return [*found, T("column {n}", n=act.column)] if act.column and at is None else found


def fill_choices(
    state: DiceState, seat: str, answer: Answer, bonus: tuple[Choice, ...], told: list[Msg], since: int | None = None
) -> Answer:
    """Return the answer with these choices of its bonuses; the only open column is filled in.

    `since` counts the choices of a sealed answer that is completed here. Raises Unclear with each order if several
    columns are open, NotAllowed if none is.
    """
    for word, column in bonus:
        if word in COLOUR and column is None:
            columns = _open_columns(state, seat, answer, word)
            if len(columns) > 1:
                ways = [replace(answer, bonus=(*answer.bonus, f"{word} {one}")) for one in columns]
                open_ = T("{building}: columns {columns} are open.", building=item_name(word), columns=tuple(columns))
                raise Unclear(
                    T("Say the column of the building that the bonus brings, counted from the left."),
                    possible=(open_,),
                    orders=tuple(
                        write_order(state, seat, way if since is None else Bonus(way.bonus[since:])) for way in ways
                    ),
                )
            (column,) = columns
            told.append(T("{building} {column}", building=typed_text(word), column=column))
        answer = replace(answer, bonus=(*answer.bonus, word if column is None else f"{word} {column}"))
    return answer


def _open_columns(state: DiceState, seat: str, answer: HalfDay | Fallback, row: str) -> list[int]:
    """Return the columns of the row that the next choice can bring. Raises NotAllowed if there is none."""
    missing = plan_half_day(state, seat, answer).open
    if missing is None:
        raise NotAllowed(T("There is nothing more to choose: {extra} is too much.", extra=(typed_text(row),)))
    found = [option.partition(" ") for option in missing.options]
    columns = [int(column) for other, _, column in found if other == row]
    if not columns:
        cannot = T(
            "The bonus cannot be {word}; it can be: {options}.", word=typed_text(row), options=choice_texts(missing)
        )
        raise NotAllowed(cannot)
    return columns


def bill_of(die: LaidDie, act: HalfDay) -> dict[str, int] | None:
    """Return what an order costs; None if the rules forbid it at any price."""
    try:
        return order_costs(die, act)
    except NotAllowed:
        return None
