"""The exact cover of a line: what both games share of reading a line that no grammar reads.

A line is played as an order only if every word of it is known, the order explains each, and the line says all that
matters of the order. `small.toml` lists the words that say nothing of any order, and those that forbid a cover.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from engine.kit.card_data import read_tables
from engine.kit.words import fold_text

O = TypeVar("O")  # noqa: E741 - an order
S = TypeVar("S")
G = TypeVar("G")

LONGEST, MOST = 240, 40
"""Most letters and words of a line that may be covered."""

_TABLE = read_tables(__package__, "small")
SMALL = frozenset(" ".join(_TABLE["small"].values()).split())
"""Words that say nothing of any order."""
FORBIDS = frozenset(" ".join(_TABLE["forbids"].values()).split())
"""Words with which no line is covered."""


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """Match any of the phrases, the longest first."""
    found = (re.sub(" ", r"[\\s'-]+", one) for one in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"\b(?:{'|'.join(found)})\b")


_PHRASES = _pattern(phrase for row in _TABLE["phrases"].values() for phrase in row)
_WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")
_SMILE = re.compile(r"(?<!\w)[:;=]-?[)DPp](?!\w)")
_ASKS = ("?", "...", "…")
_INVERTED = re.compile(r"\b(?:do|am|shall|will|must) (?:i|we)\b|[a-z]-(?:je|on|nous)\b|\b(?:puis|vais|dois) je\b")
"""A question without its mark: «shall I», «fais-je»."""


def coverable_text(line: str) -> str:
    """Fold the line and drop phrases that say nothing; return "" if it is too long or a word of it forbids a cover."""
    if len(line) > LONGEST or len(line.split()) > MOST or any(mark in line for mark in _ASKS):
        return ""
    text = _PHRASES.sub(" ", _SMILE.sub(" ", fold_text(line))).strip(" ,;.!")
    return "" if _INVERTED.search(text) or any(_forbid(word) for word in _WORD.findall(text)) else text


def _forbid(word: str) -> bool:
    """True if the word, or a part of it, forbids a cover: «n'ai», «qu'il»."""
    return word in FORBIDS or any(part in FORBIDS for part in re.split("['-]", word))


def is_small(word: str) -> bool:
    """True if the word, or each part of it, says nothing of any order: «i'll», «prends-le»."""
    return word in SMALL or all(part in SMALL for part in re.split("['-]", word))


def can_pair(wished: Sequence[S], given: Sequence[G], fits: Callable[[S, G], bool]) -> bool:
    """True if each wish can be paired with one of the given things, each used once; both are few."""
    if len(wished) != len(given):
        return False
    rests = ((one, (*given[:at], *given[at + 1 :])) for at, one in enumerate(given))
    return not wished or any(fits(wished[0], one) and can_pair(wished[1:], rest, fits) for one, rest in rests)


def only_order(orders: Iterable[O]) -> O | None:
    """Return the only one of some orders, equal ones counted once; None if there are several or none."""
    others = iter(orders)
    first = next(others, None)
    return first if all(order == first for order in others) else None
