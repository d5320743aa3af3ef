"""Compare what people type: without case, accents and typography; and find the word that was meant.

`fold_text` keeps the blanks of a line; `kebab` joins its words: «Hôtel de Ville», «hotel_de_ville» and `hotel-de-ville`
are one. Folding a folded word changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice, takewhile
from typing import TypeVar

K = TypeVar("K")

_BEGINNING = 3
"""Fewest letters of a beginning."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼʹ`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        # Letters that are typed as two, or without their stroke, and that Unicode does not take apart.
        **dict.fromkeys("œŒ", "oe"),
        **dict.fromkeys("æÆ", "ae"),
        **dict.fromkeys("øØ", "o"),
        **dict.fromkeys("łŁ", "l"),
        **dict.fromkeys("đĐ", "d"),
        "ı": "i",
    }
)
_GAP = re.compile(r"[\s_'.\-]+")
_WORD = re.compile(r"[^\W_]+(?:['’+.-][^\W_]+)*\+?|[#°]")

Word = tuple[str, int, int]
"""A folded word, with its start and end in the line."""


def fold_text(text: str) -> str:
    """Fold a text for comparison: `Été` is `ete`, `Cœur` is `coeur`, `straße` is `strasse`, `L’Hôtel` is `l'hotel`."""
    return text.lower().replace("`", "'") if text.isascii() else _bare(text)


@lru_cache(maxsize=1024)
def _bare(text: str) -> str:
    # Signs before and after: taking letters apart makes some (ŉ) and breaks others (´).
    apart = unicodedata.normalize("NFKD", text.translate(_PLAIN)).casefold()
    bare = "".join(char for char in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(char))
    return bare.translate(_PLAIN)


@lru_cache(maxsize=256)
def word_spans(text: str) -> tuple[Word, ...]:
    """Return the words of a text; several rooms ask for those of each line."""
    return tuple((fold_text(found[0]), *found.span()) for found in _WORD.finditer(text))


@lru_cache(maxsize=4096)
def kebab(text: str) -> str:
    """Fold a name into one word: blanks, apostrophes, full stops and low lines become hyphens. `L’Hôtel` is `l-hotel`.
    """
    return _GAP.sub("-", fold_text(text)).strip("-")


def table_id(text: str) -> str:
    """Return a name as the tables of a game spell it: `City-Hall` is `city_hall`."""
    return kebab(text).replace("-", "_")


def closest_match(word: str, known: Iterable[str]) -> str:
    """Return the word of `known` that somebody who typed `word` may have meant, or ""."""
    return next(iter(close_matches(word, known, 1)), "")


def close_matches(word: str, known: Iterable[str], most: int = 3, alike: float = 0.6) -> tuple[str, ...]:
    """Return those of `known` that look like `word`, the likest first; `alike` is 1 for the same word."""
    by_word = _by_kebab(tuple(known))
    return tuple(by_word[found] for found in get_close_matches(kebab(word), by_word, most, alike))


@lru_cache(maxsize=16)
def _by_kebab(known: tuple[str, ...]) -> dict[str, str]:
    return {kebab(one): one for one in known}


def correct_typo(word: str, known: Iterable[str]) -> str:
    """Return the word of `known` that `word` is a typing slip away from, in a line that may be no order; else "".

    Words below three letters allow no slip, those up to six letters one, longer ones two. Fewer slips come first, then
    the alphabet.
    """
    wanted, near = fold_text(word), []
    for one in known:
        allowed = 0 if len(one) < 3 else 1 if len(one) < 7 else 2
        if (slips := edit_distance(wanted, fold_text(one), allowed)) <= allowed:
            near.append((slips, one))
    return min(near, default=(0, ""))[1]


def edit_distance(one: str, other: str, most: int) -> int:
    """Return the Damerau-Levenshtein distance of two words; `most` + 1 as soon as it is known to be more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        following = [at]
        for to, wanted in enumerate(other, 1):
            cost = min(row[to] + 1, following[to - 1] + 1, row[to - 1] + (char != wanted))
            if at > 1 and to > 1 and char == other[to - 2] and one[at - 2] == wanted:
                cost = min(cost, before[to - 2] + 1)
            following.append(cost)
        if min(following) > most:
            return most + 1
        before, row = row, following
    return row[-1]


def by_name(names: Iterable[tuple[K, Iterable[str]]]) -> dict[str, tuple[K, ...]]:
    """Map every name, folded to one word, to all things that it names."""
    found: dict[str, tuple[K, ...]] = {}
    for key, called in names:
        for word in dict.fromkeys(map(kebab, called)):
            found[word] = (*found.get(word, ()), key)
    return found


def prefix_matches(word: str, known: Sequence[str]) -> list[str]:
    """Return those of `known`, which are sorted, that begin with `word`, of three letters at least."""
    start = kebab(word)
    behind = islice(known, bisect_left(known, start) if len(start) >= _BEGINNING else len(known), None)
    return list(takewhile(lambda name: name.startswith(start), behind))
