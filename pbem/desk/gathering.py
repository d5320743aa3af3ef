"""Answers to an invitation: the word that a seat adds to the dice, before anything is dealt."""

from __future__ import annotations

import re
from collections.abc import Collection
from collections.abc import Sequence
from dataclasses import dataclass

from engine.catalog import T
from engine.errors import NotAllowed
from engine.errors import NotUnderstood
from pbem import commands
from pbem.commands.word import Does
from pbem.commands.word import folded
from pbem.desk.lines import is_closing
from pbem.desk.lines import is_greeting

JOIN = frozenset({"join", "word", "rejoindre", "mot"})
"""Words that begin an answer; `join` alone joins with the empty word."""

LONGEST = 100
"""Characters of a word."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The word, and the line that held it as it was written."""

    word: str
    written: str


def word_of(lines: Sequence[str], names: Collection[str]) -> Joined:
    """The word in an answer: after `join` or `word` on any line, else the first line of a single word.

    Raises NotUnderstood when there is none, NotAllowed when it is too long.
    """
    alone: Joined | None = None
    for line in lines:
        words = line.split()
        if not words:
            continue
        found = commands.command_of(line)
        if found and found[0].does is Does.STOP:
            break
        head = folded(words[0]).rstrip(":,.!")
        if head in JOIN:
            return Joined(_one(line, head, words[1:]), line)
        # A greeting, a signature or a command is no word; `Hello` alone is an answer that holds none.
        if found or is_greeting(line, names) or is_closing(line, names):
            continue
        if len(words) == 1 and alone is None:
            alone = Joined(_one(line, "join", words), line)
    if alone is not None:
        return alone
    raise NotUnderstood(
        T("Your answer holds no word for the dice."),
        possible=(T("join"), T("join {word}", word="marmalade")),
    )


def _one(line: str, head: str, rest: Sequence[str]) -> str:
    if len(rest) > 1:
        raise NotUnderstood(
            T("«{line}» holds more than one word.", line=line[:80]), possible=(T("join {word}", word=rest[0]),)
        )
    if not rest and head in ("word", "mot"):
        raise NotUnderstood(T("A word is missing after «{head}».", head=head), possible=(T("join"),))
    word = re.sub(r"\s", "", rest[0]) if rest else ""
    if len(word) > LONGEST:
        raise NotAllowed(T("A word has at most {most} characters; yours has {n}.", most=LONGEST, n=len(word)))
    return word
