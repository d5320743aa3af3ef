"""A line cut into words and read from the left; the refusals for what does not belong there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from engine.catalog import Msg, T
from engine.errors import NotUnderstood
from engine.kit.words import kebab

_NUMBER = re.compile("[0-9]{1,3}")


class Cursor:
    """One line being read for one seat: `words` are those left, `assumed` what was filled in.

    A game adds its position and its parts; `noise` are words that say nothing, and no name has more words than
    `widest`.
    """

    noise: frozenset[str] = frozenset()
    widest = 5

    def __init__(self, seat: str, line: str, words: list[str]) -> None:
        self.seat = seat
        self.line = line
        self.words = words
        self.assumed: list[Msg] = []

    def folded(self, at: int = 0) -> str:
        """The next word as it is compared, or `""` at the end."""
        return kebab(self.words[at]) if at < len(self.words) else ""

    def skip(self) -> None:
        """Pass over words that say nothing."""
        while self.words and self.folded() in self.noise:
            self.words.pop(0)

    def number(self) -> int | None:
        """A whole number, if one is next."""
        return int(self.words.pop(0)) if self.words and _NUMBER.fullmatch(self.words[0]) else None

    def named(self, known: Callable[[str], object]) -> str:
        """The longest run of words that is known, taken; `""` when none is next."""
        parts = [kebab(word) for word in self.words[: self.widest]]
        for width in range(len(parts), 0, -1):
            word = "-".join(parts[:width])
            if known(word):
                del self.words[:width]
                return word
        return ""

    def take(self, meanings: Mapping[str, str]) -> str:
        """What the next words mean, if they mean anything; the longest run of them."""
        word = self.named(meanings.__contains__)
        return meanings[word] if word else ""


def unknown(word: str, line: str) -> NotUnderstood:
    """The refusal for a word that means nothing where it stands."""
    return NotUnderstood(T("«{word}» is not understood in «{line}».", word=word, line=line))


def no_verb(word: str) -> NotUnderstood:
    """The refusal for a line whose first word begins no order."""
    return NotUnderstood(T("«{word}» begins no order.", word=word))


def no_order(line: str) -> NotUnderstood:
    """The refusal for a line without a word."""
    return NotUnderstood(T("There is no order in «{line}».", line=line))
