"""Who sits at a table, and the words of its game; and whether what somebody says names anything of it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from pbem.reading import kinds
from pbem.reading.bars import KINDS

_SENTENCE = tomllib.loads((files(__package__) / "apart.toml").read_text(encoding="utf-8"))["sentences"]
SMALL, PLAIN = frozenset(_SENTENCE["small"]), frozenset(_SENTENCE["plain"].split())
"""Words of the game that any sentence may have; small words, which say nothing by themselves."""
DENIES = frozenset(KINDS["negation"])
_COLOURS = frozenset(_SENTENCE["colours"])


@dataclass(frozen=True)
class Around:
    """Who sits at a table, and the words of the game: those that begin an order, and all that it knows."""

    names: tuple[str, ...]
    verbs: frozenset[str]
    known: tuple[str, ...]

    def names_nothing(self, words: Sequence[str]) -> bool:
        """Whether words are of no die, card, place or verb of the game; small ones may be of any talk."""
        left = [word for word in words if word not in SMALL]
        rest = " ".join(left)
        if any(word in _COLOURS or word[0].isdigit() for word in left) or kinds.numbers(rest) or kinds.names_die(rest):
            return False
        loud = " ".join(word for word in left if word not in PLAIN and word not in DENIES)
        talks = not loud or kinds.is_chatter(f"the {loud}", self.verbs, self.known)
        return talks and not kinds.tells(rest, self.verbs)
