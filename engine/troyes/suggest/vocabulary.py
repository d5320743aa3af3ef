"""The words that mean something to orders, anywhere and in a position, and the slips of the finger between them."""

from __future__ import annotations

import re
from functools import cache

from engine.kit.nearness import right
from engine.troyes import box
from engine.troyes.board.words import event_word, typed
from engine.troyes.box.words import meanings
from engine.troyes.notation import lexicon
from engine.troyes.notation.words import (
    CLAUSES,
    COLOURS,
    DIE_LETTERS,
    DISTRICTS,
    KING,
    LETTER,
    LEVELS,
    NOISE,
    NUMBERS,
    ROLES,
    SPEECH,
    TIMES,
    VERBS,
)
from engine.troyes.state.state import TroyesState

SHORT = re.compile(rf"(?:([^:]+):)?(?:({LETTER})([1-6])|([1-6])({LETTER}))")
"""A die in two letters, its owner before it or not."""


@cache
def every_word() -> frozenset[str]:
    """Every word that means something somewhere, names also in their parts."""
    words = {*VERBS, *CLAUSES, *NOISE, *DISTRICTS, *KING, *COLOURS, *ROLES, *NUMBERS, *TIMES, *LEVELS, *box.words()}
    return frozenset(words | {part for name in words for part in name.split("-")})


def is_known(state: TroyesState, word: str) -> bool:
    """Whether a word means something."""
    return word in every_word() or word in state.names or word[0].isdecimal()


def is_die(word: str) -> bool:
    """Whether a word is a die, or may be one of its words."""
    return word in COLOURS or word in DISTRICTS or SHORT.fullmatch(word) is not None


def words_here(state: TroyesState) -> frozenset[str]:
    """The words that an order may hold in this position, dice in all their letters."""
    letters = {letter: [short for short, to in DIE_LETTERS.items() if to == letter] for letter in "YWRP"}
    faces = {f"{short}{word[1:]}" for words in state.dice.values() for word in words for short in letters[word[0]]}
    faces |= {f"{typed(owner)}:{word.lower()}" for owner, words in state.dice.items() for word in words}
    return frozenset(_plain_words(state) | faces)


def _plain_words(state: TroyesState) -> set[str]:
    """The same without dice."""
    ids = {card.id for card in state.cards} | {threat.id for threat in state.queue} | {tile.id for tile in state.tiles}
    named = {
        word
        for kind in ("activity", "event", "outdoor", "place")
        for word, among in meanings(kind).items()
        if kind == "place" or not ids.isdisjoint(among)
    }
    parts = {part for word in named for part in (word, *word.split("-"))}
    events = {event_word(state, threat.id) for threat in state.queue}
    return {*VERBS, *CLAUSES, *NOISE, *DISTRICTS, *state.names, *parts, *events}


def put_right(state: TroyesState, line: str) -> str:
    """A line with each word that means nothing turned into the one here that it is likely a slip of."""

    def known(word: str) -> bool:
        return word in every_word() or word in SPEECH or bool(lexicon.tokens(state, word, loose=True))

    return right(line, known, lambda: [one for one in _plain_words(state) if len(one) > 3])
