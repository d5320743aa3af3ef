"""What stands between two orders of one line, and what in the second points at what the first has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.reading.phrases import FURTHER

_ACCENTED = str.maketrans({"e": "[eèé]", "c": "[cç]"})
_THEN = rf"(?:{'|'.join(sorted(FURTHER.all, key=len, reverse=True)).translate(_ACCENTED)})\b[\s,:]*"
_AND = r"(?:and|et)\s+"

BETWEEN = re.compile(
    rf"\s*[;,]\s*(?:{_AND})?(?:{_THEN}|apr[eè]s\s+)?|\.\s+(?:{_THEN})?|\s+(?:{_AND})?{_THEN}|\s+{_AND}", re.IGNORECASE
)
"""What may stand there where the grammar reads both."""
SLASH = re.compile(rf"\s+/+\s+(?:(?:{_AND})?{_THEN})?", re.IGNORECASE)
"""What parts orders of one line and stands in none."""
_FACE = r"(?:one|die|d[ée]|[1-6]|two|three|four|five|six|deux|trois|quatre|cinq)"
_IT = re.compile(
    rf"\b(?:that|this|ce)\s+{_FACE}\b|\b(?:it|him|he|il|lui)\b|\b(?<=with )that\b|\b(?<=use )that\b|\b(?<=using )that\b"
    r"|(?<=\bavec )[çc]a\b|(?<=\bavec)\s*$|(?<=\bje )l(?:e\s|['’])"
    r"|^\s*(?=(?:goes|becomes|joins|walks|enters|va|devient|rejoint|entre)\b)",
    re.IGNORECASE,
)
"""What points at it, or leaves it out: «then goes …»."""
_THEM = re.compile(
    r"\b(?:them(?: both)?|both(?: of them)?|(?:the|those|these) two|tous les deux|(?:les|ces) deux(?: d[ée]s)?|eux)\b"
    r"|(?<=\bavec)\s*$|(?<=\bje )les\b",
    re.IGNORECASE,
)
"""What points at several."""
_WORD = re.compile(r"[^\s:,;]+")
_MORE = re.compile(r"\s*(?:with|avec|using)\b", re.IGNORECASE)


def pointed(what: str, words: str) -> Iterator[tuple[str, str]]:
    """The words of an order, and the same with `what` the one before it has changed in place of what points at that
    («it», «him», «them»), each with the words that the order must have then: where it may be meant it is never left
    out, as in «I flip my 2, that makes 5, and with the 4 …»."""
    dice = what.split() if what[-1:].isdigit() else []
    points = _THEM if len(dice) > 1 else _IT
    said = " ".join(points.sub(f" {what} ", words, count=1).split()) if what and points.search(words) else words
    told = " ".join(dice or what.split()[-1:])
    yield words, told if said != words or (len(dice) == 1 and _MORE.match(words)) else ""
    if said != words:
        yield said, told


def names_once(order: str, told: str) -> bool:
    """Whether an order names what it must, if anything, and nothing of it more often."""
    named, must = _WORD.findall(order), told.split()
    return all(named.count(one) == must.count(one) for one in must)


def pieces(text: str, cuts: tuple[tuple[int, int], ...]) -> Iterator[str]:
    """What stands between cuts."""
    at = 0
    for start, end in cuts:
        yield text[at:start]
        at = end
    yield text[at:]
