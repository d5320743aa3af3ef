"""A line cut into terms: words of the tables with what they mean, numbers, marks; what says nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.kit.words import folded
from engine.troyes_dice.notation.idle import FIRST, LAST
from engine.troyes_dice.notation.words import SIGNS, SLIPS, WIDTHS, WORDS

_TOKEN = re.compile(
    r"w/|\.\.+|[0-9]+(?:st|nd|rd|th|ere|er|re|eme|e)\b|[a-z]+"
    r"|[0-9]+|[-=]+>|(?<!\S)- |(?<![a-z0-9])-|-(?![a-z0-9])|[^\s'_-]"
)
"""A hyphen within a word parts it; one with blanks around it is a mark; any other is a minus."""
_ORDINAL = re.compile("([1-6])[a-z]+")
_AMOUNT = re.compile(r"(?<=[0-9])[dik]\b(?!')|\bj'(?=[a-z])|\bpuis-je\b")
"""`2d`, `1k`: resources by their letters; `j'`, which is no yellow, and what asks, unlike «puis je»."""
_SIGNED = {"+": ("way", "up"), "-": ("way", "down")}
_ELIDED = frozenset("jldcm")
"""French letters that lose their apostrophe at a phone: `jprends`, `linfluence`."""
LAST_ONE = frozenset(("last", "dernier", "derniere"))
"""What is said of the last column, too; of dice and plazas it is the fourth."""
LARGEST = 3
"""No number has more digits."""
_PASSING = frozenset(("pass", "skip", "passing", "passe", "passer", "passons"))


@dataclass(frozen=True, slots=True)
class Typed:
    """A word as it was typed, its kind and what it means; `number` for what counts something."""

    kind: str
    means: str
    typed: str
    number: int = 0


_WORDS = {
    word: Typed(kind, means, word, int(means) if kind in ("number", "ordinal") else 0)
    for word, (kind, means) in WORDS.items()
}


_SHORT = 3
"""Letters to which people cut a colour; what is longer is a slip."""
_COLOURED = tuple(word for word, term in _WORDS.items() if term.kind == "colour")


READ = 2048
"""Lines that are kept as they were understood: what recorded and listed orders say is said again and again."""


@lru_cache(maxsize=READ)
def terms_of(line: str) -> tuple[Typed, ...]:
    """The terms of a line. A word that means nothing is of kind `unknown`."""
    tokens = _tokens(line)
    found: list[Typed] = []
    at = 0
    if FIRST & {" ".join(tokens[:1]), " ".join(tokens[:2])}:
        found.append(Typed("asking", "", tokens[0]))
        at = 1
    if LAST & {*tokens[-1:]}:
        return (*found, Typed("unknown", "", tokens[-1]))
    found += [term for term in _every(tokens[at:]) if term.kind != "nothing"]
    found = list(_counted(found))
    return tuple(_without_articles(found) if "un" in tokens or "une" in tokens else found)


def _tokens(line: str) -> list[str]:
    return _TOKEN.findall(_AMOUNT.sub(_named, folded(line.strip().rstrip(".!"))))


def _every(tokens: list[str]) -> Iterator[Typed]:
    at = 0
    while at < len(tokens):
        term, width = _next(tokens, at)
        at += width
        yield term


def passes(terms: Sequence[Typed]) -> bool:
    """Whether a line says that its writer passes, and nothing else: nobody can (A5), so no table has the word."""
    said = {term.typed for term in terms}
    return bool(said & _PASSING) and said <= _PASSING | {"turn", "tour"}


def _named(letter: re.Match[str]) -> str:
    return {"d": " denier", "i": " influence", "k": " knowledge", "puis-je": "puisje"}.get(letter[0], "")


def _next(tokens: list[str], at: int) -> tuple[Typed, int]:
    """The term that begins there, and how many tokens it takes: the longest word of the tables, else one."""
    token = tokens[at]
    for word in (token, token[1:] if token[0] in _ELIDED else ""):
        for width in WIDTHS.get(word, ()):
            longer = width > 1 or word == token
            if longer and (term := _WORDS.get(" ".join((word, *tokens[at + 1 : at + width])))):
                return term, width
    return _no_word(token), 1


@lru_cache(maxsize=256)
def _no_word(token: str) -> Typed:
    """A number, a mark, or what is unknown."""
    if token.isdigit() and len(token) <= LARGEST:
        return Typed("number", token, token, int(token))
    if token in SIGNS:
        return Typed(SIGNS[token], token, token)
    if token in _SIGNED:
        return Typed(*_SIGNED[token], token)
    if ordinal := _ORDINAL.fullmatch(token):
        return Typed("ordinal", token, token, int(ordinal[1]))
    if len(token) == _SHORT and len(begun := {_WORDS[word].means for word in _COLOURED if word.startswith(token)}) == 1:
        return Typed("colour", begun.pop(), token)  # «yel 4»
    if right := SLIPS.get(token) or (token[1:] if token[0] in _ELIDED and len(token) > 4 else ""):
        return _WORDS.get(right) or Typed("unknown", token, token)
    return Typed("unknown", token, token)


def _counted(terms: list[Typed]) -> Iterator[Typed]:
    """The terms, «both» as the number that it is before a resource."""
    for at, term in enumerate(terms):
        if term.kind == "both":
            resource = at + 1 < len(terms) and terms[at + 1].kind == "resource"
            yield Typed("number", "2", term.typed, 2) if resource else Typed("unknown", term.typed, term.typed)
        else:
            yield term


def _without_articles(terms: list[Typed]) -> list[Typed]:
    """French `un` is a number behind a colour or a building and before a resource, else it is an article."""
    kinds = ["", *(term.kind for term in terms), "", ""]
    return [
        term
        for at, term in enumerate(terms, 1)
        if not (
            term.typed in ("un", "une")
            and kinds[at - 1] not in ("colour", "letter", "building", "column", "plaza", "way")
            and kinds[at + 1] in ("colour", "letter", "building", "die", "bonus", "number")
        )
    ]
