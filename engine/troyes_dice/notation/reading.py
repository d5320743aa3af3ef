"""From a line to a complete order: the fewest words that leave one meaning, read against the position.

What is filled in is echoed as assumed; what would cost something else is never filled in: a resource for a cost of
any kind, a shift, another colour, one of two dice that look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from engine.game import Reading
from engine.kit.cursor import no_order, no_verb, unknown
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.half_day import plan
from engine.troyes_dice.actions.setup import cyclic
from engine.troyes_dice.box.sheet import COLOUR
from engine.troyes_dice.notation import canonical, scruples, standing
from engine.troyes_dice.notation.meaning import Meaning, filled
from engine.troyes_dice.notation.parts import Parts
from engine.troyes_dice.notation.terms import READ, Typed, passes, terms_of
from engine.troyes_dice.notation.wish import Choice, Misfit, Wish
from engine.troyes_dice.notation.writing import write
from engine.troyes_dice.state.orders import Bonus, Numbering, Order
from engine.troyes_dice.state.state import DiceState
from engine.values import fixed

_IN_NUMBERINGS = frozenset(("numbering", "column", "number", "way", "mark", "with", "die"))
_IN_HEADINGS = frozenset(("building", "resource", "colour", "mark", "to", "for"))
"""A line of nothing else, such as «Cathedral (white)», may be a heading or the end of a sentence."""
_AROUND_BONUS = frozenset(("bonus", "for", "to", "face", "with", "price"))
"""What may stand around the choice of a bonus: `cathedral 4 for the bonus`."""


def read(state: DiceState, seat: str, line: str) -> Reading[Order]:
    """Understand one line. Raises NotUnderstood, Unclear, NotAllowed or TooLate (the seat is not asked)."""
    return canonical.read(state, seat, line) or understood(state, seat, line)


def understood(state: DiceState, seat: str, line: str) -> Reading[Order]:
    """The same by the grammar alone, which is what every line means."""
    if (kept := standing.read(line)) is not None:
        return replace(kept, text=write(state, seat, kept.order))
    heard, kind = _heard(line), answers.asked_kind(state, seat)
    if not heard.terms:
        raise no_order(line)
    if heard.passes and kind == answers.HALF_DAY:
        raise NotUnderstood(T("Nobody passes in Troyes Dice: who can pay for a die uses one each half day."), rule="A5")
    if heard.strange >= 0:
        word = heard.terms[heard.strange].typed
        raise unknown(word, line) if heard.strange else no_verb(word)
    if not kind:
        raise TooLate(answers.not_asked(state, seat))
    reader = _Sentence(state, seat, line, heard)
    try:
        order = reader.numbering() if kind == answers.NUMBERING else reader.answer(kind)
    except Misfit as misfit:
        raise reader.misfit(misfit) from None
    reading = Reading(order, write(state, seat, order), tuple(reader.assumed))
    if scruples.amiss(line, order):
        raise Unclear(T("These words have more than one meaning here."), orders=(reading.text,))
    return reading


@fixed
class _Heard:
    """What the words of a line tell before it is held against a position."""

    terms: tuple[Typed, ...]
    passes: bool
    strange: int
    """Where the first word stands that means nothing; -1 for none."""
    whole: bool
    """Whether the words may be an order: a colour leads to a use, but behind it tells what kind that is."""


@lru_cache(maxsize=READ)
def _heard(line: str) -> _Heard:
    terms = terms_of(line)
    strange = next((at for at, term in enumerate(terms) if term.kind in ("unknown", "asking")), -1)
    return _Heard(terms, passes(terms), strange, _is_whole([term.kind for term in terms]))


def _is_whole(kinds: Sequence[str]) -> bool:
    if kinds and kinds[0] == "resource" and not {*kinds} - {"resource", "mark", "number"}:
        # «Influence: 5» tells what somebody has.
        return False
    return (len(kinds) > 1 and kinds[0] == "colour") or any(kind not in _IN_HEADINGS for kind in kinds)


def _wished(line: str) -> Wish:
    """What a line says of a half day; nobody changes it. Raises Misfit."""
    found = _wish_or_misfit(line)
    if isinstance(found, Wish):
        return found
    raise Misfit(*found)


@lru_cache(maxsize=READ)
def _wish_or_misfit(line: str) -> Wish | tuple[Typed | None, Msg | None]:
    """The same, or what fits nowhere, and why."""
    try:
        return Parts(terms_of(line)).read()
    except Misfit as misfit:
        return misfit.term, misfit.why


class _Sentence:
    """One line, for one seat in one position."""

    def __init__(self, state: DiceState, seat: str, line: str, heard: _Heard) -> None:
        self.state = state
        self.seat = seat
        self.line = line
        self.heard = heard
        self.terms = heard.terms
        self.assumed: list[Msg] = []

    def misfit(self, misfit: Misfit) -> OrderRefused:
        """The refusal for a line of known words that is no order."""
        if misfit.term is None:
            asked = answers.asked_kind(self.state, self.seat)
            orders = self._open_choices() if asked == answers.BONUS else ()
            return NotUnderstood(T("«{line}» is not complete.", line=self.line), orders=orders)
        if misfit.why is not None:
            return NotUnderstood(misfit.why)
        return NotUnderstood(T("«{word}» does not fit in «{line}».", word=misfit.term.typed, line=self.line))

    def answer(self, kind: str) -> Order:
        """A half day, or the choices that its bonuses still leave open."""
        if self.terms[0].kind == "numbering":
            raise NotAllowed(T("The columns are numbered already."))
        if kind == answers.BONUS:
            parts = Parts([term for term in self.terms if term.kind not in _AROUND_BONUS])
            if parts.terms and (choices := parts.choices()) and not parts.kind():
                return self._bonus(choices)
        wish = _wished(self.line)
        if not wish.use and not wish.names_die and wish.bonus:
            if kind != answers.BONUS and not answers.is_unknown(self.state, self.seat):
                raise NotAllowed(T("No choice of a bonus is open."))
            return self._bonus(wish.bonus)
        meaning = Meaning(self.state, self.seat, wish)
        if not wish.use:
            raise NotUnderstood(T("«{line}» is not complete.", line=self.line), orders=meaning.uses())
        try:
            order = meaning.order(self.heard.whole)
        except OrderRefused as refused:
            refused.otherwise = self.heard.whole
            raise
        self.assumed = meaning.assumed
        return order

    def _bonus(self, choices: tuple[Choice, ...]) -> Order:
        """The choices that complete the seat's sealed answer, alone."""
        given = answers.answer(self.state, self.seat)
        if given is None:
            # Nobody may know here whether there is an answer: the choices are taken as they are written.
            if any(word in COLOUR and column is None for word, column in choices):
                raise Misfit(None)
            return Bonus(tuple(word if column is None else f"{word} {column}" for word, column in choices))
        before = len(given.bonus)
        order = Bonus(filled(self.state, self.seat, given, choices, self.assumed, before).bonus[before:])
        if len(self.terms) == 1 and self.terms[0].kind == "building":
            raise Unclear(T("Say also that it is the bonus."), orders=(write(self.state, self.seat, order),))
        return order

    def numbering(self) -> Numbering:
        """`numbering 4 up`, or six numbers; the word itself may be missing where it is asked."""
        if not all(term.kind in _IN_NUMBERINGS for term in self.terms):
            raise NotAllowed(T("First the columns must be numbered."), orders=self._numberings())
        numbers = tuple(term.number for term in self.terms if term.kind == "number")
        ways = {term.means for term in self.terms if term.kind == "way"}
        rolled = self.state.first_number
        if len(ways) > 1:
            raise NotUnderstood(T("Say up or down."), orders=self._numberings())
        if ways and len(numbers) <= 1:
            (way,) = ways
            first = numbers[0] if numbers else rolled
            if not 1 <= first <= 6 or (rolled and first != rolled):
                wrong = T("The leftmost number was rolled: {n}.", n=rolled) if rolled else T("Numbers go from 1 to 6.")
                raise NotAllowed(wrong, orders=self._numberings())
            return Numbering(cyclic(first, way), way if rolled else "")
        if not numbers:
            raise NotUnderstood(T("«{line}» is not complete.", line=self.line), orders=self._numberings())
        if rolled:
            for each in ("up", "down"):
                if numbers == cyclic(rolled, each):
                    return Numbering(numbers, each)
            right = T("The leftmost number is {n}; the others follow up or down from it.", n=rolled)
            raise NotAllowed(right, orders=self._numberings(), rule="A21")
        if sorted(numbers) != list(range(1, 7)) or ways:
            raise NotAllowed(T("Name each number from 1 to 6 once, from the left."), orders=self._numberings())
        return Numbering(numbers)

    def _numberings(self) -> tuple[str, ...]:
        """The two numberings that follow from the number that was rolled."""
        rolled = self.state.first_number
        ways = [Numbering(cyclic(rolled, way), way) for way in ("up", "down")] if rolled else []
        return tuple(write(self.state, self.seat, way) for way in ways)

    def _open_choices(self) -> tuple[str, ...]:
        """Each way to make the choice that the seat is asked for now."""
        given = answers.answer(self.state, self.seat)
        missing = plan(self.state, self.seat, given).open if given is not None else None
        options = missing.options if missing is not None else ()
        return tuple(write(self.state, self.seat, Bonus((option,))) for option in options)
