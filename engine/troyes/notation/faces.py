"""The dice that a line names, put together from colours, values and owners that stand beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.troyes.notation.bag import Bag, DieWish
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.state.state import TroyesState

_BETWEEN, _BEFORE, _BEHIND = 3, 5, 6
"""Small words that may stand between a die and its owner, before a die and what counts it, and behind a number that is
one of several dice."""
_MOST = 12
"""Dice that are looked for."""
_ARTICLES = ("the", "le", "la", "les", "l", "un", "a")
_ONE = ("le", "un", "mon", "son")
"""What stands before one die alone, though its colour may be in the plural: «le 6 et le 3 jaunes»."""
_SMALL = ("the", "le", "la", "les", "my", "mon")
_PARTS = ("and", "et", "with", "avec")
"""Words that part a die from what stands beyond."""
_ALL = ("all", "tous", "toutes")
_DICE = ("dice", "des")
_NOUNS = ("ones", "one", "die", "de", *_DICE)
_LINKING = ("die", "district", "buy", "bought_from", "mine", "on", "his", "same", "value")
_COUNTED = ("price", "citizen", "steps", "more")
_NUMBERED = ("event", "column", "row", "level", "gate")
BOTH = "both"
"""The role of words that mean two dice."""
ALL = 0
"""A count of dice: as many as lie there."""


@dataclass(frozen=True, slots=True)
class _Called:
    """Dice as they are called by the words from `first` to before `last`."""

    first: int
    last: int
    letter: str
    value: int
    whose: str = ""
    count: int = 1


class Faces:
    """One stretch of a line, as far as it is of dice."""

    def __init__(self, state: TroyesState, seat: str, asked: str, wish: Bag, tokens: Sequence[Wordlet]) -> None:
        self.state, self.seat, self.asked, self.wish, self.tokens = state, seat, asked, wish, tokens
        self.own = state.dice.get(seat, [])
        self.spent: set[int] = set()
        """Places of words that belong to dice."""
        self._ends: set[int] = set()
        """Where words end that call dice."""

    def dice(self) -> list[DieWish]:
        """Every die that is named."""
        called, at = list[_Called](), 0
        while at < len(self.tokens) and len(called) < _MOST:
            one = self._face(at)
            at = one.last if one else at + 1
            if one:
                called.append(one)
                self._ends.add(at - 1)
        called = _dyed(called)
        called = self._owned(called)
        called += self._only_ones()
        for one in called:
            self.spent.update(range(one.first, one.last))
        return [die for one in called for die in self._each(one)][:_MOST]

    def _each(self, one: _Called) -> Iterator[DieWish]:
        """So many such dice; all that lie there for none."""
        die = DieWish(one.letter, one.value, one.whose)
        lying = [] if one.count else list(filter(die.is_so, self.state.dice.get(one.whose or self.seat, ())))
        yield from (DieWish(word[0], int(word[1:]), one.whose) for word in lying)
        yield from (die for _ in range(0 if lying else max(1, one.count)))

    # What calls dice.

    def _face(self, at: int) -> _Called | None:
        """Dice that are called here."""
        token, colour = self.at(at), _colour(self.at(at + 1))
        if die := token.of("die"):
            return _Called(at, at + 1, die[0], int(die[1:]), token.of("whose"), self._pair(at, die))
        if token.text in _DICE and self._every(at):
            return _Called(at, at + 1, "", 0, count=ALL)
        if many := token.of("dice"):
            return _Called(at, at + 1, many[0], int(many[1:]), count=self._count(at, ALL))
        if _colour(token):
            return self._coloured(at)
        value = token.of("plural", 0) if token.text != "ones" else 0
        if value and (colour or self.asked != "counter"):
            return _Called(at, at + 1 + bool(colour), colour, value, count=self._count(at, 2))
        number = token.of("number", 0)
        if not 1 <= number <= 6 or token.of("noise") or self._counts(at) or not self._is_die(at):
            return None
        before, count = self.at(at - 1), 1
        if before.of("role") == BOTH:
            count = 2  # «les deux 6 d'Emily»
        elif self._tells_how_many(at - 1):
            count = before.of("number")
        return _Called(at, at + 1 + bool(colour), colour, number, count=count)

    def _tells_how_many(self, at: int) -> bool:
        """Whether a number counts dice of the number directly behind it, and somebody has as many: «les 2 six»."""
        count, value = self.at(at).of("number", 0), self.at(at + 1).of("number", 0)
        if not 2 <= count <= 4 or not value or self.at(at - 1).of("number"):
            return False
        one = DieWish(_colour(self.at(at + 2)), value)
        return any(sum(map(one.is_so, lying)) >= count for lying in self.state.dice.values())

    def _pair(self, at: int, die: str) -> int:
        """How many of a die are meant that a number, or «both», stands before."""
        before = self.at(at - 1)
        number = 2 if before.of("role") == "both" else before.of("number", 0)
        lying = self.state.dice.get(self.at(at).of("whose") or self.seat, []).count(die)
        return max(1, min(number, lying)) if 2 <= number <= 3 else 1

    def _every(self, at: int) -> bool:
        """Whether all dice are meant: nothing but «all» and «my» stands before, and no number behind."""
        before, after = self.at(at - 1), self.at(at + 1)
        before = self.at(at - 2) if before.of("role") == "mine" else before
        every = before.of("role") in ("both", "everything") or before.text in _ALL
        return every and not after.of("number") and after.of("role") != "black" and not _colour(after)

    def _coloured(self, at: int) -> _Called | None:
        """Dice that begin with their colour."""
        letter, after, before = _colour(self.at(at)), self.at(at + 1), self.at(at - 1)
        if before.of("clause") == "as" or before.text == "en":
            self.wish.counts_as = letter
            self.spent.add(at)
            return None
        end = at + 2 if _is_noun(after) else at + 1
        behind = self.at(end)
        if (value := behind.of("plural", 0)) and behind.text != "ones":
            return _Called(at, end + 1, letter, value, count=self._count(at, 2))
        many = self.at(at).text.endswith("s") or after.text in ("ones", *_DICE)
        return _Called(at, end, letter, 0, count=self._count(at, ALL if many else 1))

    def _count(self, at: int, otherwise: int) -> int:
        """How many dice are said to be meant before a place."""
        for back in range(at - 1, max(-1, at - 1 - _BEFORE), -1):
            token = self.tokens[back]
            number = token.of("number", 0)
            if token.of("role") in ("both", "everything") or token.text in _ALL or 2 <= number <= 4:
                self.spent.add(back)
                return number if 2 <= number <= 4 else ALL
            if number == 1:
                return 1
            small = token.of("noise") or token.of("filler") or token.of("mark") == "owns" or token.of("owner")
            if not (small or _is_from(token) or token.of("role") in ("mine", "die")):
                break
        return otherwise

    def _counts(self, at: int) -> bool:
        """Whether a number counts dice: what is behind it is said in the plural."""
        if not 2 <= self.at(at).of("number", 0) <= 4 or self.at(at - 1).text in _ONE:
            return False  # «le 3 jaune»
        link, listed = self.at(at - 1).of("mark") == "and", self.at(at - 2).of("number", 0)
        if link and listed and f"{_colour(self.at(at + 1))}{self.at(at).text}" in self.own:
            return False  # «mes 6, 5 et 3 jaunes»
        if self._tells_how_many(at):
            return True
        step = at + 1
        while _is_noun(self.at(step)) or self.at(step).of("owner") or self.at(step).of("mark") == "owns":
            step += 1
        behind, beyond = self.at(step), self.at(step + 1)
        if self.at(step - 1).text in _DICE and not behind.of("number"):
            return True
        if _colour(behind):
            return behind.text.endswith("s") or beyond.text in ("ones", *_DICE) or bool(beyond.of("plural"))
        mine = self.at(at - 1).of("role") == "mine" and self.at(at - 1).text.endswith("s")
        return bool(behind.of("plural") or behind.of("dice") or (mine and (behind.of("number") or behind.of("die"))))

    def _is_die(self, at: int) -> bool:
        """Whether a bare number is a die: a colour or an owner stands beside it, or it is one of several dice."""
        value = self.at(at).of("number", 0)
        before, after, behind = self._near(at, -1), self._near(at, 1), self._near(at, 2)
        if value == 1 and not self.at(at).text.isdigit() and (after.of("die") or after.of("dice")):
            return False  # «my yellow 1 and one yellow 6»
        if _colour(after):
            return True
        unit = behind if _is_from(after) else after
        if unit.of("clause") in ("influence", "cubes", "times", "space") or unit.of("role") in _COUNTED:
            return False
        if before.of("role") in _NUMBERED or self.at(at - 1).of("role") == "makes" or (value == 1 and _is_from(after)):
            return False  # «one of my red fours»
        if after.of("owner") and (behind.of("die") or _colour(behind)):
            return False  # «1 gray yellow 6»
        owned = before.of("mark") == "owns" or before.of("owner") or before.of("role") == "mine"
        if owned or (after.of("owner") and not after.of("owns")) or (_is_from(after) and behind.of("owner")):
            return any(int(die[1:]) == value for dice in self.state.dice.values() for die in dice)
        if self.asked != "turn" or not any(int(die[1:]) == value for die in self.own):
            return False
        turns = before.of("role") != "on" and any(token.of("verb") in ("flip", "reroll") for token in self.tokens)
        return turns or self._leads_on(at) or self._follows(at)

    def _leads_on(self, at: int) -> bool:
        """Whether only other numbers, owners and what links them stand before the next die: «5 et le 1 jaunes»."""
        last = self.at(at)
        for token in self.tokens[at + 1 : at + 1 + _BEHIND]:
            linked = last.of("mark") or last.text in _SMALL or last.of("owner")
            if token.of("die") or _colour(token):
                return bool(linked or last.of("number")) and last is not self.at(at)
            small = token.of("mark") in ("and", "owns") or token.text in _SMALL
            if not (small or token.of("owner") or token.of("number")):
                return False
            last = token
        return False

    def _follows(self, at: int) -> bool:
        """Whether a number is linked to a die before it, or stands behind a colour in the plural."""
        step = at - 1
        while self.at(step).of("mark") in ("and", "plus") or self.at(step).text in _SMALL:
            step -= 1
        linked = step < at - 1 and self.at(at - 1).of("mark") != "plus" and step in self._ends
        return linked or (bool(_colour(self.at(step))) and self.at(step).text.endswith("s"))

    # Whose they are.

    def _owned(self, called: list[_Called]) -> list[_Called]:
        """The dice with their owners, by who is named beside each; and one more such die of who is named by himself."""
        owners, more = dict[int, str](), list[_Called]()
        for at, token in enumerate(self.tokens):
            owner = self.seat if token.of("role") in ("mine", "mine_too") else token.of("owner")
            if not owner or any(one.first <= at < one.last for one in called):
                continue
            nth = self._beside(at, called, owners)
            if nth >= 0:
                owners[nth] = owner
            elif called and called[0].first < at and not token.of("place") and not _is_person(self.at(at + 1)):
                more += self._same(called, owner)  # but «my citizen» is no die
            else:
                continue
            self.spent.add(at)
            if owner != self.seat:
                self.wish.owners.add(owner)
        self._share(called, owners)
        found = [replace(one, whose=one.whose or owners.get(nth, "")) for nth, one in enumerate(called)]
        return [some for one in found for some in _apart(one, [each for each in more if each.first == one.last])]

    def _only_ones(self) -> Iterator[_Called]:
        """The dice of people who have one alone, where that is called by nothing else: «the die of Geoffrey», «my only
        die»."""
        for at, token in enumerate(self.tokens):
            owner = self.seat if token.of("role") == "mine" else token.of("owner")
            lying = self.state.dice.get(owner, ()) if owner and at not in self.spent else ()
            beside = (1, 2) if owner == self.seat else (2, -2, -1)
            noun = owner == self.seat and self.at(at + 1).text == "de" and not self._says_which(at + 2)
            if len(lying) == 1 and (noun or any(self._is_one_die(at + step) for step in beside)):
                self.spent.add(at)
                if owner != self.seat:
                    self.wish.owners.add(owner)
                yield _Called(at, at + 1, lying[0][0], int(lying[0][1:]), owner)

    def _says_which(self, at: int) -> bool:
        """Whether what stands at a place tells which die is meant."""
        return any(map(self.at(at).of, ("colour", "number", "die", "owner")))

    def _is_one_die(self, at: int) -> bool:
        """Whether a noun at a place is of one die: «die», «dé» before «de»."""
        token = self.at(at)
        noun = token.of("role") == "die" and token.text not in _DICE
        return noun or (token.text == "de" and _is_from(self.at(at + 1)))

    def _beside(self, at: int, called: Sequence[_Called], owners: dict[int, str]) -> int:
        """Which dice somebody is named beside; -1 for none."""
        before = next((nth for nth in reversed(range(len(called))) if self._linked(called[nth].last, at)), -1)
        after = next((nth for nth, one in enumerate(called) if self._linked(at + 1, one.first)), -1)
        ways = (before, after) if after < 0 or (at > 0 and _is_from(self.tokens[at - 1])) else (after, before)
        return next((nth for nth in ways if nth >= 0 and nth not in owners), -1)

    def _same(self, called: Sequence[_Called], owner: str) -> Iterator[_Called]:
        """The die called last, of another owner: «my Y5 and Anna's»."""
        last = next((one for one in reversed(called) if one.letter and one.value), None)
        if last and f"{last.letter}{last.value}" in self.state.dice.get(owner, ()):
            yield replace(last, first=last.last, whose=owner, count=1)

    def _share(self, called: Sequence[_Called], owners: dict[int, str]) -> None:
        """A die that its writer has not is of the owner of the one directly before it, if that has such a die."""
        for nth, (before, one) in enumerate(pairwise(called), 1):
            die = self.at(one.first).of("die")
            owner = owners.get(nth - 1, "")
            alike = die in self.state.dice.get(owner, ()) and die not in self.own
            if nth not in owners and owner and alike and before.last == one.first:
                owners[nth] = owner

    def _linked(self, first: int, last: int) -> bool:
        """Whether only small words stand between two places, and none that parts them."""
        return 0 <= last - first <= _BETWEEN and all(
            at in self.spent
            or (token.of("noise") and token.text not in _PARTS)
            or _is_from(token)
            or token.of("mark") == "owns"
            or token.of("role") in _LINKING
            or (token.of("filler") and not token.of("role"))
            for at, token in enumerate(self.tokens[first:last], first)
        )

    # Words by their places.

    def at(self, at: int) -> Wordlet:
        """The word at a place; an empty one beyond either end."""
        return self.tokens[at] if 0 <= at < len(self.tokens) else Wordlet("")

    def _near(self, at: int, steps: int) -> Wordlet:
        """The word so many steps away, articles and what says nothing («one whole denier») not counted."""
        way = 1 if steps > 0 else -1
        while steps:
            at += way
            while (self.at(at).of("noise") and self.at(at).text in _ARTICLES) or {*self.at(at).senses} == {"filler"}:
                at += way
            steps -= way
        return self.at(at)


def _apart(one: _Called, more: Sequence[_Called]) -> Iterator[_Called]:
    """Dice, and such of people who are named behind them; as many as were counted are one of each: «the two fives,
    Faye's and Geoffrey's»."""
    if one.count != len(more) or one.whose or not more:
        yield replace(one, count=1) if one.whose and more and one.count == 1 + len(more) else one
    yield from more


def _dyed(called: list[_Called]) -> list[_Called]:
    """Values beside dice that are called by one colour alone are of that: «5 et 1 jaunes»."""
    wide = [one for one in called if one.letter and not one.value]
    if len(wide) != 1 or all(one.letter for one in called):
        return called
    return [one if one.letter else replace(one, letter=wide[0].letter) for one in called if one is not wide[0]]


def _colour(token: Wordlet) -> str:
    """The letter of a colour in a whole word."""
    return token.of("colour") if len(token.text) > 1 else ""


def _is_noun(token: Wordlet) -> bool:
    return token.of("role") == "die" or token.text in _NOUNS


def _is_person(token: Wordlet) -> bool:
    """Whether a word is of a citizen: «mon couché»."""
    return bool(token.of("role") == "citizen" or token.of("clause") == "lying")


def _is_from(token: Wordlet) -> bool:
    """Whether a word leads to who something is of."""
    role = token.of("role") in ("from", "bought_from", "buy")
    return role or token.of("clause") == "from" or token.text in ("a", "chez", "de", "d")
