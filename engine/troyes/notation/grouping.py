"""Dice that are named by how many there are: «both yellows», «mes deux rouges», «my red die», «two white sixes»."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.words import COLOURS

_OPENS = ("both", "mine", "die")
_ARTICLES = ("the", "les", "le", "la")
THESE = ("these", "those", "ces")
SINGULAR = ("mon", "le", "son", "ton")
"""What stands before the value of one die: «mon 4 et mon 2 jaunes»."""
PAIR = ("both", "both-of-them", "les-deux")
_SEVERAL = 3
"""A number up to this one may count dice; a higher one is a value: «6 blancs»."""


@dataclass(slots=True)
class Phrase:
    """Some dice as they are called. `letter`, `value` and `owner` are empty where they are not said."""

    seat: str
    letter: str = ""
    value: int = 0
    owner: str = ""
    count: int = 0
    every: bool = False
    """Whether «both» or «all» is said."""
    many: bool = False
    """Whether a word stands in the plural."""
    noun: bool = False
    """Whether dice are called dice."""
    width: int = 0

    @property
    def counted(self) -> bool:
        return self.every or bool(self.count)

    def take(self, token: Wordlet, after: Wordlet) -> int:
        """How many words are taken into the phrase from here; 0 where it ends."""
        if self._dice(token, after) or self._face(token, after) or self._whose(token):
            return 1
        if token.of("role") == "value" and self.noun and self.letter and after.of("number"):
            self.value = after.of("number")
            return 2
        return int(self._is_open() and is_small(token))

    def _is_open(self) -> bool:
        return self.counted or bool(self.owner) or not self.width

    def _whose(self, token: Wordlet) -> bool:
        """Whether it says whose they are, and that is not said yet."""
        owner = self.seat if token.of("role") == "mine" else token.of("owner") if self.counted else ""
        if not owner or self.owner or self.letter or self.value:
            return False
        self.owner = owner
        return True

    def _dice(self, token: Wordlet, after: Wordlet) -> bool:
        """Whether it is «both», «all», «dice», or a number that counts them."""
        number, named = token.of("number", 0), self.letter or self.value
        if token.of("role") == "both" and not (self.counted or named):
            self.every, self.count = True, 2 if token.text in PAIR else 0
        elif token.of("role") == "die" and not after.of("number") and after.of("role") != "black":
            self.noun, self.many = True, self.many or token.text.endswith(("s", "dice"))
        elif token.text in ("one", "ones") and self.letter and not self.value:
            self.noun, self.many = True, self.many or token.text == "ones"
        elif number and number <= _SEVERAL and not (self.count or named or token.of("plural")):
            self.count = number
        else:
            return False
        return True

    def _face(self, token: Wordlet, after: Wordlet) -> bool:
        """Whether it is a colour or a value, or both."""
        number, colour = token.of("number", 0), token.of("colour") if len(token.text) > 1 else ""
        dyed = [COLOURS[part] for part in token.text.split("-") if part in COLOURS] if token.of("outdoor") else []
        listed = self.every and after.of("mark") == "and"  # «both Y5 and Y4», «both white and purple»
        if (die := token.of("dice")) and not (self.letter or self.value):  # «two W3s»
            self.letter, self.value, self.many = die[0], int(die[1]), True
        elif (die := token.of("die")) and self.counted and not (self.letter or self.value or listed):
            self.letter, self.value = die[0], int(die[1])
        elif dyed and (self.owner or self.counted):  # a tile is called so: «mon dé rouge»
            self.letter, self.noun = dyed[0], True
        elif number and not self.value and token.of("plural"):
            self.value, self.many = number, True
        elif number and number <= 6 and self.count and not self.value and (after.of("colour") or not self.letter):
            self.value = number
        elif colour and not self.letter and not (listed and not token.text.endswith("s")):
            self.letter, self.many = colour, self.many or token.text.endswith("s")
        else:
            return False
        return True

    def names_dice(self) -> bool:
        """Whether dice are meant, and not a number or a colour alone."""
        if not (self.letter or self.value or (self.noun and self.every)):
            return self.noun and not self.many and self.owner == self.seat  # «my die»
        return self.many or self.noun or self.counted or bool(self.owner and self.letter)


def is_small(token: Wordlet) -> bool:
    """Whether a word only stands between others: «of», «the», «'s»."""
    if token.of("role") in ("with", "on"):
        return False
    leads = token.of("mark") == "owns" or "from" in (token.of("role"), token.of("clause"))
    return leads or bool(token.of("noise")) or token.text in THESE


def phrase(seat: str, tokens: Sequence[Wordlet]) -> Phrase | None:
    """What the first words say of some dice, or only how many dice there are; None where they say neither."""
    first = tokens[0]
    opens = first.of("role") in _OPENS or first.text in _ARTICLES
    if not (opens or first.of("number") or first.of("colour") or first.of("dice")):
        return None
    found, at = Phrase(seat), 0
    while at < len(tokens):
        size = found.take(tokens[at], tokens[at + 1] if at + 1 < len(tokens) else Wordlet(""))
        if not size:
            break
        at += size
        found.width = at
    while at > 1 and tokens[at - 1].of("mark") != "owns" and is_small(tokens[at - 1]):
        at -= 1  # «both sixes from»
    if found.many and found.letter and not (found.owner or found.value):
        of, owner, behind = (*tokens[at : at + 3], *[Wordlet("")] * 3)[:3]
        if "from" in (of.of("role"), of.of("clause")) and owner.of("owner") and behind.of("mark") != "and":
            found.owner, at = owner.of("owner"), at + 2  # «all yellows of Faye»
    found.width = at
    follows = tokens[at : at + 1]
    if follows and follows[0].of("number") and not (found.value or found.many):
        return None  # «my red 5»
    only_counts = found.noun and found.count > 1 and not (found.letter or found.value or found.owner)
    return found if only_counts or found.names_dice() else None
