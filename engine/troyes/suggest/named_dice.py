"""The dice that a line names, put together from colours, values and owners that stand side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.troyes.notation.lexicon import WordToken
from engine.troyes.state.dice import OPPOSITE
from engine.troyes.state.orders import Pick
from engine.troyes.state.troyes_state import TroyesState

_ALL = 0
"""A count of dice: all that lie there."""
_SMALL = ("the", "le", "la", "les", "my", "mon")
"""Words before one die of several."""
_RESULTING = ("a", "an", "un", "des", "deux", "two", "en", "=")
"""Words before the number that a die is to show."""
_BETWEEN, _BEFORE = 3, 5
"""The most small words between a die and its owner, and before a die and its count."""
_MOST = 12
"""The most dice that are looked for."""
_ARTICLES = ("the", "le", "la", "les", "l", "un", "a")
_ONE = ("le", "un", "mon", "son")
"""Words before one die alone, though its colour may be plural: «le 6 et le 3 jaunes»."""
_PARTS = ("and", "et", "with", "avec")
"""Words that separate a die from what follows."""
_EVERY = ("all", "tous", "toutes")
_DICE = ("dice", "des")
_NOUNS = ("ones", "one", "die", "de", *_DICE)
_LINKING = ("die", "district", "buy", "bought_from", "mine", "on", "his", "same", "value")
_COUNTED = ("price", "citizen", "steps", "more")
_NUMBERED = ("event", "column", "row", "level", "gate")
_PAIR = ("both", "both-of-them", "les-deux")


@dataclass(frozen=True, slots=True)
class NamedDie:
    """One named die: `letter` is empty and `value` 0 where they are not said, `owner` where nobody is named."""

    letter: str = ""
    value: int = 0
    owner: str = ""

    def is_so(self, word: str) -> bool:
        """Whether a die such as `Y5` fits."""
        return self.letter in ("", word[0]) and self.value in (0, int(word[1:]))

    def likes(self, pick: Pick, seat: str, has: bool) -> float:
        """How likely a die is meant, from 0 to 1. `has` says that the seat has such a die of its own."""
        if self.letter and pick.die[0] != self.letter:
            return 0.0
        share = 0.2 if self.value and int(pick.die[1:]) != self.value else 1.0
        if self.owner:
            return share if pick.owner == self.owner else share * 0.25
        return share if pick.owner == seat else share * (0.3 if has else 0.8)


@dataclass(frozen=True, slots=True)
class _Called:
    """Dice named by the words from `first` to before `last`."""

    first: int
    last: int
    letter: str
    value: int
    whose: str = ""
    count: int = 1


class NamedDice:
    """The dice that some words name."""

    def __init__(self, state: TroyesState, seat: str, asked: str, tokens: Sequence[WordToken]) -> None:
        self.state, self.seat, self.asked, self.tokens = state, seat, asked, tokens
        self._verbs = {token.of("verb") for token in tokens}
        self.own = state.dice.get(seat, [])
        self.every, self.owners, self.counts_as = list[NamedDie](), set[str](), ""
        """Colours said for all of somebody's dice; owners of named dice; the colour that a die counts as."""
        self.spent, self.results = set[int](), set[int]()
        """Positions of words that belong to dice, and of numbers that flipped dice will show."""

    def named(self) -> list[NamedDie]:
        """Every die that is named."""
        called, at = list[_Called](), 0
        while at < len(self.tokens) and len(called) < _MOST:
            if self._is_result(at, called):
                self.results.add(at)
            elif one := self._face(at):
                called.append(one)
                at = one.last - 1
            at += 1
        called = self._owned(called)
        for one in called:
            self.spent.update(range(one.first, one.last))
        return [die for one in called for die in self._each(one)][:_MOST]

    def _each(self, one: _Called) -> Iterator[NamedDie]:
        """So many such dice; all that lie there where no number is said, or that number lies there."""
        die = NamedDie(one.letter, one.value, one.whose)
        lying = list(filter(die.is_so, self.state.dice.get(one.whose or self.seat, ())))
        if one.count and (one.value or one.count != len(lying)):
            lying = []
        if lying and not one.value:
            self.every.append(die)
        yield from (NamedDie(word[0], int(word[1:]), one.whose) for word in lying)
        yield from (die for _ in range(0 if lying else max(1, one.count)))

    # What calls dice.

    def _face(self, at: int) -> _Called | None:
        """Dice named at this position."""
        token, colour = self.at(at), _colour(self.at(at + 1))
        if token.of("colour") and (self.at(at - 1).of("clause") == "as" or self.at(at - 1).text == "en"):
            self.counts_as = token.of("colour")
            self.spent.add(at)
            return None
        if die := token.of("die"):
            return _Called(at, at + 1, die[0], int(die[1:]), token.of("whose"))
        if token.text in _DICE and self._every(at):
            self._count(at, _ALL)
            return _Called(at, at + 1, "", 0, count=_ALL)
        if many := token.of("dice"):
            return _Called(at, at + 1, many[0], int(many[1:]), count=self._count(at, _ALL))
        if _colour(token):
            return self._coloured(at)
        value = token.of("plural", 0) if token.text != "ones" else 0
        if value and (colour or self.asked != "counter"):
            return _Called(at, at + 1 + bool(colour), colour, value, count=self._count(at, 2))
        number = token.of("number", 0)
        if not 1 <= number <= 6 or token.of("noise") or self._counts(at) or not self._is_die(at):
            return None
        if number == 1 and not token.text.isdigit() and colour:
            return None  # «one yellow die»
        before, count = self.at(at - 1), 1
        if before.of("role") == "both":
            count = 2  # «les deux 6 d'Emily»
            self.spent.add(at - 1)
        elif self._tells_how_many(at - 1):
            count = before.of("number")
            self.spent.add(at - 1)
        return _Called(at, at + 1 + bool(colour), colour, number, count=count)

    def _tells_how_many(self, at: int) -> bool:
        """Whether a number counts dice of the value behind it, and somebody has as many: «les 2 six»."""
        count, value = self.at(at).of("number", 0), self.at(at + 1).of("number", 0)
        if not 2 <= count <= 4 or not value or self.at(at - 1).of("number"):
            return False
        one = NamedDie(_colour(self.at(at + 2)), value)
        return any(sum(map(one.is_so, lying)) >= count for lying in self.state.dice.values())

    def _every(self, at: int) -> bool:
        """Whether all dice are meant: only «all» and «my» stand before, and no number behind."""
        before, after = self.at(at - 1), self.at(at + 1)
        before = self.at(at - 2) if before.of("role") == "mine" else before
        counted = before.of("number", 0) == len(self.own) > 1  # «my three dice», where there are three
        every = counted or before.of("role") in ("both", "everything") or before.text in _EVERY
        return every and not after.of("number") and after.of("role") != "black" and not _colour(after)

    def _coloured(self, at: int) -> _Called | None:
        """Dice whose name begins with the colour."""
        letter, after = _colour(self.at(at)), self.at(at + 1)
        end = at + 2 if _is_noun(after) else at + 1
        behind = self.at(end)
        if (value := behind.of("plural", 0)) and behind.text != "ones":
            return _Called(at, end + 1, letter, value, count=self._count(at, 2))
        many = self.at(at).text.endswith("s") or after.text in ("ones", *_DICE)
        return _Called(at, end, letter, 0, count=self._count(at, _ALL if many else 1))

    def _count(self, at: int, otherwise: int) -> int:
        """How many dice the words before a position say. These words are then used up."""
        found: int | None = None
        for back in range(at - 1, max(-1, at - 1 - _BEFORE), -1):
            token = self.tokens[back]
            number = token.of("number", 0)
            every = token.of("role") in ("both", "everything") or token.text in _EVERY
            if every or (found is None and 2 <= number <= 4):
                self.spent.add(back)
                many = 2 if token.text in _PAIR else number if 2 <= number <= 4 else _ALL
                found = many if found is None else found
            elif number:
                return 1 if number == 1 and found is None else otherwise if found is None else found
            elif not (
                any(map(token.of, ("noise", "filler", "owner")))
                or token.of("mark") == "owns"
                or _is_from(token)
                or token.of("role") in ("mine", "die")
            ):
                break
        return otherwise if found is None else found

    def _counts(self, at: int) -> bool:
        """Whether a number counts dice: the words behind it are plural."""
        if not 2 <= self.at(at).of("number", 0) <= 4 or self.at(at - 1).text in _ONE:
            return False  # «le 3 jaune»
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
        spelt = value == 1 and not self.at(at).text.isdigit()
        if spelt and (after.of("die") or after.of("dice") or self.at(at - 1).of("owner")):
            return False  # «my yellow 1 and one yellow 6», «the gray one»
        if _colour(after):
            return True
        unit = behind if _is_from(after) else after
        if unit.of("clause") in ("influence", "cubes", "times", "space") or unit.of("role") in _COUNTED:
            return False
        if before.of("role") in _NUMBERED or self.at(at - 1).of("role") == "makes" or (value == 1 and _is_from(after)):
            return False  # «one of my red fours»
        owned = before.of("mark") == "owns" or before.of("owner") or before.of("role") == "mine"
        if owned or (after.of("owner") and not after.of("owns")) or (_is_from(after) and behind.of("owner")):
            return any(int(die[1:]) == value for dice in self.state.dice.values() for die in dice)
        if self.asked != "turn" or not any(int(die[1:]) == value for die in self.own):
            return False
        becomes = before.of("role") == "on" or before.of("clause") == "to" or self.at(at - 1).text == "a"  # «à»
        return not becomes and not self._verbs.isdisjoint(("flip", "reroll"))

    def _is_result(self, at: int, called: Sequence[_Called]) -> bool:
        """Whether a number is what a flipped die will show: «so it's a 5», «pour en faire un 5», its opposite."""
        value = self.at(at).of("plural") or self.at(at).of("number", 0)
        if not value or _colour(self.at(at + 1)) or "flip" not in self._verbs:
            return False
        before, near, step = self.at(at - 1), self._near(at, -1), at - 1
        while step > 0 and self.at(step).text in (*_SMALL, *_RESULTING):
            step -= 1
        linked = self.at(step).of("mark") in ("and", "plus") and step - 1 not in self.results
        becomes = near.of("role") in ("makes", "on") or near.of("clause") == "to"
        becomes = becomes or (before.text in _RESULTING and not linked)
        shows = any(each.value == OPPOSITE - value for each in called)
        return (shows and not linked) or (becomes and (shows or any(not each.value for each in called)))

    # Whose they are.

    def _owned(self, called: list[_Called]) -> list[_Called]:
        """The dice with the owners named beside them."""
        owners = dict[int, str]()
        for at, token in enumerate(self.tokens):
            owner = self.seat if token.of("role") in ("mine", "mine_too") else token.of("owner")
            if not owner or any(one.first <= at < one.last for one in called):
                continue
            nth = self._beside(at, called, owners)
            if nth < 0:
                continue
            owners[nth] = owner
            self.spent |= {at, at + 1} if self.at(at + 1).text == "one" else {at}
            if owner != self.seat:
                self.owners.add(owner)
        return [replace(one, whose=one.whose or owners.get(nth, "")) for nth, one in enumerate(called)]

    def _beside(self, at: int, called: Sequence[_Called], owners: dict[int, str]) -> int:
        """Which dice an owner is named beside; -1 for none."""
        before = next((nth for nth in reversed(range(len(called))) if self._linked(called[nth].last, at)), -1)
        after = next((nth for nth, one in enumerate(called) if self._linked(at + 1, one.first)), -1)
        ways = (before, after) if after < 0 or (at > 0 and _is_from(self.tokens[at - 1])) else (after, before)
        return next((nth for nth in ways if nth >= 0 and nth not in owners), -1)

    def _linked(self, first: int, last: int) -> bool:
        """Whether only small words stand between two positions, and none that separates them."""
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

    def at(self, at: int) -> WordToken:
        """The word at a place; an empty one beyond either end."""
        return self.tokens[at] if 0 <= at < len(self.tokens) else WordToken("")

    def _near(self, at: int, steps: int) -> WordToken:
        """The word so many steps away, without counting articles and words that mean nothing («one whole denier»)."""
        way = 1 if steps > 0 else -1
        while steps:
            at += way
            while (self.at(at).of("noise") and self.at(at).text in _ARTICLES) or {*self.at(at).senses} == {"filler"}:
                at += way
            steps -= way
        return self.at(at)


def _colour(token: WordToken) -> str:
    """The letter of a colour in a whole word."""
    return token.of("colour") if len(token.text) > 1 else ""


def _is_noun(token: WordToken) -> bool:
    return token.of("role") == "die" or token.text in _NOUNS


def _is_from(token: WordToken) -> bool:
    """Whether a word leads to an owner."""
    role = token.of("role") in ("from", "bought_from", "buy")
    return role or token.of("clause") == "from" or token.text in ("a", "chez", "de", "d")
