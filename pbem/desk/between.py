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
CUT = re.compile(
    rf"[.!;]\s+|,?\s+(?:{_AND})?(?:then|after that|puis|ensuite|apr[eè]s [cç]a)\s+|,\s+|,?\s+{_AND}", re.IGNORECASE
)
"""What may stand there where they are told otherwise."""
THEN = re.compile(
    rf"[,.;]?\s+(?:{_AND})?(?:then|after that|afterwards|puis|ensuite|apr[eè]s (?:[cç]a|quoi)|dans la foul[ée]e|hop)\b"
    r",?\s+",
    re.IGNORECASE,
)
"""What surely parts what is done first from what is done next."""
AND_I = re.compile(r",?\s+(?:and (?=i\b|i['’])|et (?=je\b|j['’]))", re.IGNORECASE)
"""What parts two things that its writer does, of which one may be no order: «I pass and I take my coins»."""
LEADING = re.compile(
    rf",?\s+{_AND}(?=[^,;.]*\b(?:it|him|(?:with|use|using) that|lui|avec\s*$))"
    rf"|[,.:;]\s+(?:{_AND})?(?=(?:he|il|lui)\b)|,?\s+{_AND}(?=(?:with|avec|he|il)\b)",
    re.IGNORECASE,
)
"""What may part them where the second points at what the first has changed: «and build with it», «, he goes …»."""

_FACE = r"(?:one|die|d[ée]|[1-6]|two|three|four|five|six|deux|trois|quatre|cinq)"
_IT = re.compile(
    rf"\b(?:that|this|ce)\s+{_FACE}\b|\b(?:it|him|he|il|lui)\b|\b(?<=with )that\b|\b(?<=use )that\b|\b(?<=using )that\b"
    r"|(?<=\bavec)\s*$|(?<=\bje )l(?:e\s|['’])"
    r"|^\s*(?=(?:goes|becomes|joins|walks|enters|va|devient|rejoint|entre)\b)",
    re.IGNORECASE,
)
"""What points at it, or leaves it out: «then goes …»."""
_MORE = re.compile(r"\s*(?:with|avec|using)\b", re.IGNORECASE)


def pointed(what: str, words: str) -> Iterator[tuple[str, str]]:
    """The words of an order, and the same with `what` the one before it has changed in place of what points at that
    («it», «him»), each with the word that the order must have then: where it may be meant it is never left out, as in
    «I flip my 2, that makes 5, and with the 4 …»."""
    said = " ".join(_IT.sub(f" {what} ", words, count=1).split()) if what and _IT.search(words) else words
    told, more = what.split()[-1:], bool(_MORE.match(words)) and what[-1:].isdigit()
    yield words, "".join(told) if said != words or more else ""
    if said != words:
        yield said, "".join(told)


def names_once(order: str, told: str) -> bool:
    """Whether an order names what it must, if anything, and not twice."""
    return not told or order.count(told) == 1
