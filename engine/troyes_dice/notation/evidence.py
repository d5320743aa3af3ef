"""A line of Troyes Dice taken apart into pieces of evidence: what its words name, each read with its neighbours.

Where they stand in the line does not matter, and nothing is known of a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.kit.gist import HARMLESS, Role
from engine.kit.words import slip
from engine.troyes_dice.notation.terms import Typed, said_in
from engine.troyes_dice.notation.words import TELLING, WORDS

_SLIPPING = 6
"""Letters that a word has which may be a slip of one of the game."""
_LINKS = frozenset(
    ("a", "an", "the", "of", "d", "de", "du", "l", "le", "la", "les", "un", "une", "my", "mon", "ma", "mes", "it", "s")
) | {"to", "by", "at", "in", "en", "point", "points", "pip", "pips", "step", "steps", "cran", "notch", "notches"}
"""Words that may stand between a number and what it counts."""
_WORTH = frozenset(("vaut", "equals", "makes", "showing", "valant"))
_DENIES = frozenset(("no", "nothing", "without", "sans", "rien"))
"""What stands before a change that is none."""
_SIGNS = ("+", "-", "plus")
_TURNS = frozenset(("face", "change", "to"))
"""Kinds of words behind which stands what a die becomes."""
_LONG_WORDS = frozenset(
    word for word, (kind, _) in WORDS.items() if kind in TELLING and len(word) >= _SLIPPING and " " not in word
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of evidence: what kind it is, the word it names, and its number (None for none)."""

    kind: str
    word: str = ""
    number: int | None = None
    paid: bool = False
    """Of a resource: whether it is told to pay."""


@dataclass
class Taken:
    """A line taken apart."""

    terms: list[Typed]
    pieces: list[Evidence] = field(default_factory=list)
    turns: bool = False
    """Whether a word tells that the die becomes something."""

    def of(self, *kinds: str) -> list[Evidence]:
        """The pieces of some kinds."""
        return [piece for piece in self.pieces if piece.kind in kinds]


def terms_in(line: str) -> list[Typed]:
    """The terms of a line, its slips put right."""
    return [_righted(term) for term in said_in(line)]


def _righted(term: Typed) -> Typed:
    """A long word that is a slip of one of the game as that."""
    if term.kind != "unknown" or len(term.typed) < _SLIPPING or term.typed in HARMLESS:
        return term
    word = slip(term.typed, _LONG_WORDS)
    return Typed(*WORDS[word], term.typed) if word else term


def role(term: Typed) -> Role:
    """What a term is to an order."""
    if term.kind == "mark":
        return Role.HARMLESS if term.typed in ("and", "et", "then", "puis") else Role.MARK
    if term.kind == "nothing" or term.typed in HARMLESS or term.typed in _WORTH:
        return Role.HARMLESS
    if term.kind == "letter" and len(term.typed) == 1:
        return Role.HARMLESS
    return Role.UNKNOWN if term.kind == "unknown" else Role.EVIDENCE


def evidence(terms: list[Typed]) -> Taken:
    """The pieces of a line, each read with its neighbours."""
    said = Taken(terms)
    solid = [term for term in map(_solid, terms) if term is not None]
    kinds = ["", *(term.kind for term in solid), "", "", ""]
    at = 0
    while at < len(solid):
        at += _piece(said, solid, at, kinds[at], kinds[at + 2 : at + 5])
    return said


def _solid(term: Typed) -> Typed | None:
    """A term that says something, or parts those that do; None for a word that may stand between two of them."""
    if term.typed in _WORTH:
        return Typed("face", "worth", term.typed)
    if term.typed in _DENIES:
        return Typed("unchanged", "", term.typed)
    if term.kind == "nothing" or (term.kind == "unknown" and term.typed in HARMLESS):
        return None if term.typed in _LINKS else Typed("gap", "", term.typed)
    return term


def _piece(said: Taken, solid: Sequence[Typed], at: int, before: str, after: Sequence[str]) -> int:
    """Add what stands at a place; how many terms it takes."""
    term, add = solid[at], said.pieces.append

    def number(ahead: int) -> int:
        return solid[at + ahead].number

    match term.kind:
        case "number" | "ordinal" if after[0] == "resource":
            add(Evidence("resource", solid[at + 1].means, term.number, _pays(solid, at, at + 1)))
            return 2
        case "number" if after[0] == "colour" and after[1] == "citizen":
            add(Evidence("citizens", solid[at + 1].means, term.number))
            return 3
        case "number" if term.typed in ("un", "une", "one") and after[0] in ("colour", "building", "die", "number"):
            return 1
        case "number" if after[0] in ("colour", "letter") and after[1] != "number" and before != "building":
            add(Evidence("face", solid[at + 1].means, term.number))
            return 2
        case "number" if term.typed == "one" and before in ("colour", "price", "die"):
            return 1
        case "number" | "ordinal":
            add(Evidence("number", "", term.number))
        case "colour" | "letter" if after[0] == "number" and after[1] != "resource":
            add(Evidence("face", term.means, number(1)))
            return 2
        case "colour" if after[0] == "citizen":
            add(Evidence("citizens", term.means))
            return 2
        case "colour":
            add(Evidence("colour", term.means))
        case "resource" if after[0] == "number" and after[1] not in ("resource", "colour", "letter", "building"):
            add(Evidence("resource", term.means, number(1), _pays(solid, at, at + 1)))
            return 2
        case "resource":
            add(Evidence("resource", term.means, None, _pays(solid, at, at)))
        case "building":
            return _building(said, solid, at, after)
        case "face" | "change" | "to" | "a":
            return _turned(said, solid, at, before, after)
        case "way" | "sum":
            return _shifted(said, solid, at, after)
        case "plaza" if after[0] == "number":
            add(Evidence("plaza", "", number(1)))
            return 2
        case "price" | "black" | "citizen":
            add(Evidence(term.kind, term.means))
    return 1


def _building(said: Taken, solid: Sequence[Typed], at: int, after: Sequence[str]) -> int:
    """A building, with the number of its column behind it."""
    width = 2 if after[0] in ("column", "mark", "numbering") and after[1] == "number" else 1
    column = None
    if after[width - 1] == "number" and after[width] not in ("resource", "colour", "letter"):
        column, width = solid[at + width].number, width + 1
    else:
        width = 1
    said.pieces.append(Evidence("building", solid[at].means, column))
    return width


def _turned(said: Taken, solid: Sequence[Typed], at: int, before: str, after: Sequence[str]) -> int:
    """What a die becomes; or a word that only leads on."""
    kind, made = solid[at].kind, False
    if kind == "change" and "unchanged" in [term.kind for term in solid[max(at - 2, 0) : at + 2]]:
        said.pieces.append(Evidence("unchanged"))
        return 1
    if after[0] == "number" and after[1] not in ("resource", "colour", "letter") and kind != "change":
        if kind == "a" and before not in ("colour", "number", "way", "change", "face"):
            return 1
        said.pieces.append(Evidence("made", "", solid[at + 1].number))
        made = True
    leads = kind in _TURNS and after[0] in ("colour", "letter", "number")
    said.turns = said.turns or kind == "change" or made or leads
    if kind == "change":
        said.pieces.append(Evidence("change"))
    return 2 if made else 1


def _shifted(said: Taken, solid: Sequence[Typed], at: int, after: Sequence[str]) -> int:
    """`+2`, or the way in which a die is shifted."""
    sign = 1 if solid[at].means == "up" else -1
    if solid[at].typed in _SIGNS and (after[0] != "number" or after[1] in ("resource", "colour")):
        return 1  # what it brings or costs
    if after[0] == "number" and after[1] == "resource":
        return 1
    if after[0] == "number" and after[1] != "colour":
        said.pieces.append(Evidence("shift", "", sign * solid[at + 1].number))
        return 2
    said.pieces.append(Evidence("way", "", sign))
    return 1


def _pays(solid: Sequence[Typed], first: int, last: int) -> bool:
    """Whether a resource is told to pay: by the words around it, as far as the next mark."""
    before = [term.kind for term in solid[max(first - 5, 0) : first]]
    behind = [term.kind for term in solid[last + 1 : last + 2]]
    while "mark" in before:
        del before[: before.index("mark") + 1]
    told = bool({"pay", "plaza"} & {*before}) or before[-1:] == ["with"] or behind == ["pay"]
    return told or _is_resource(solid, first)


def _is_resource(solid: Sequence[Typed], at: int) -> bool:
    """Whether it is told which the resource of any kind is: «the resource is influence»."""
    return any(term.means == "resources" for term in solid[max(at - 3, 0) : at])
