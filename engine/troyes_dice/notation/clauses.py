"""The clauses of a line, and which of them say plainly what their writer does: an order is named by those alone.

What another clause says may be why, what it brings, or talk: it names no order, and must be true of the one that is
named. Words that nobody knows are read as what they can be where they stand: one of a verb's place behind «I», behind
«is», or before all that is named, may be anything («I covet the white 6», «that white 6 is spoken for»).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from engine.kit.gist import ASIDE, BEING, BETWEEN, HARMLESS, LEADING, LONGEST, MOST, NAMING, SPEAKING, Role
from engine.troyes_dice.notation.idle import DOING
from engine.troyes_dice.notation.terms import Typed

WORTH = frozenset(("vaut", "equals", "makes", "showing", "valant"))
_MILD = ("an adverb at its end", "many unknown")
"""Why a clause that says what is done may not be plain."""
_ADVERBS = ("ly", "ment")
"""What unknown words end in that say how it is done."""
_JOINS = frozenset(("and", "et", "then", "puis"))
_SMALL = frozenset(
    (
        *("mais", "but", "peu", "bit", "petit", "petite", "little", "gros", "grosse", "big", "cher", "chere", "very"),
        *("much", "next", "near", "beside", "pres", "cote", "tile", "tuile", "token", "jeton", "marker"),
        *("meme", "even", "si", "if", "stays", "reste", "leave", "laisse"),
        *("id", "ill", "im", "°"),
    )
)
"""Words that say nothing beside what they stand at; that no other way is told by them has been seen."""
_OBJECTS = frozenset(("me", "m", "us", "nous", "moi", "te", "t", "vous", "lui"))
_TELLING = frozenset(("costs", "cost", "coute", "coutent", "pays"))
"""Behind a die they tell what it costs, and not what is done: «red 4 costs a denier»."""
_WANTING = frozenset(("need", "needs", "missing", "lack", "lacking", "manque", "manquent", "besoin", "dear", "chers"))
_PAIRS = frozenset(("thanks for", "thank you for", "merci pour", "one more", "encore un", "encore une", "de plus"))
"""What is wanting, or thanked for, is not done."""
_HAS = ("a", "ont")
"""Before a verb they tell what was done."""
_COURTEOUS = frozenset(
    (
        *("sorry", "thanks", "thank", "thx", "cheers", "hello", "hi", "hey", "bye", "goodbye"),
        *("good", "well", "welcome"),
        *("merci", "bonjour", "bonsoir", "salut", "coucou", "desole", "desolee", "pardon"),
        *("bonne", "bravo", "adieu"),
    )
)
"""What greets, thanks or wishes: a clause that goes on behind it is of that."""
_DICE = ("colour", "letter", "number", "price", "plaza", "ordinal")
"""Kinds of words with which a die begins."""
_DOES = ("change", "way", "pay", "sum")
"""Kinds of words that are verbs of what is done with a die."""


def role(term: Typed) -> Role:
    """What a term is to an order."""
    if term.kind == "mark":
        return Role.MARK
    if term.kind == "nothing" or term.typed in HARMLESS or term.typed in WORTH or term.typed in _SMALL:
        return Role.HARMLESS
    if term.kind == "letter" and len(term.typed) == 1:
        return Role.HARMLESS
    return Role.UNKNOWN if term.kind == "unknown" else Role.EVIDENCE


@dataclass
class Stretch:
    """Terms between two marks: the place of the first, whether an «and» stands before them, and why they do not say
    plainly what is done; empty where they do."""

    terms: list[Typed]
    first: int = 0
    joined: bool = False
    why: str = ""

    @property
    def clear(self) -> bool:
        """Whether it names anything of an order, and says what is done."""
        return self.names and not self.why

    @property
    def may_be(self) -> bool:
        """Whether it may say what is done: unknown words are nowhere in it where a verb or who does it stands."""
        return self.names and self.why in ("", *_MILD)

    @property
    def places(self) -> range:
        """Where its terms stand in the line."""
        return range(self.first, self.first + len(self.terms))

    @property
    def roles(self) -> list[Role]:
        """What each term is."""
        return [role(term) for term in self.terms]

    @property
    def names(self) -> bool:
        """Whether it names anything of an order."""
        return Role.EVIDENCE in self.roles

    @property
    def unknown(self) -> list[str]:
        """Its unknown words."""
        return [term.typed for term in self.terms if role(term) is Role.UNKNOWN]


def clauses(terms: Sequence[Typed]) -> list[Stretch]:
    """The clauses of a line in their order, marks left out; each term stands in one."""
    found = [Stretch([])]
    for at, term in enumerate(terms, 1):
        if role(term) is Role.MARK:
            if found[-1].terms:
                found.append(Stretch([]))
            found[-1].first, found[-1].joined = at, term.typed in _JOINS
        else:
            found[-1].terms.append(term)
    does = False
    for clause in found:
        clause.why = _why_unclear(clause, goes_on=clause.joined and does) if clause.names else ""
        does = clause.clear and any(map(_is_deed, clause.terms))
    return found


def unread(found: Sequence[Stretch]) -> tuple[str, ...] | None:
    """What is passed over of a line; None where that is too much to be sure of the rest."""
    if sum(len(clause.terms) for clause in found) > LONGEST:
        return None
    said: list[str] = []
    strange = telling = 0
    for clause in found:
        if clause.names:
            said += clause.unknown
            strange, telling = strange + len(clause.unknown), telling + clause.roles.count(Role.EVIDENCE)
        elif len(clause.terms) > ASIDE:
            return None
        elif clause.unknown:
            said.append(" ".join(term.typed for term in clause.terms))
    return tuple(said) if strange <= min(MOST, telling) else None


def _is_deed(term: Typed) -> bool:
    return term.typed in DOING or term.kind in _DOES


def _why_unclear(clause: Stretch, *, goes_on: bool) -> str:
    """Why a clause that names something does not say what is done, empty where it does; `goes_on`: the one before it
    does, and «and»."""
    roles, at = clause.roles, 0
    words = [term.typed for term in clause.terms]
    if not _WANTING.isdisjoint(words) or not _PAIRS.isdisjoint(map(" ".join, pairwise(words))):
        return "is wanting"
    if any(one in _HAS and two.kind in _DOES and two.typed.endswith("e") for one, two in _two(words, clause.terms)):
        return "somebody does"  # «le blanc 5 m'a donné du savoir»
    if any(one in _COURTEOUS and two.typed not in SPEAKING for one, two in _two(words, clause.terms)):
        return "greets"  # «sorry about the white 6»
    first: Typed | None = None
    for here, term in enumerate(clause.terms):
        if term.typed in _TELLING and Role.EVIDENCE in roles[:here]:
            return "tells a price"  # «red 4 costs a denier»
        if term.kind == "price" and here and words[here - 1] in ("too", "trop"):
            return "tells a price"  # «red 4 is too expensive»
        if term.kind == "deed" and (first is None or first.kind not in _DICE):
            return "somebody does"  # «builds Cathedral 5», «the raid takes my yellow 5»
        if first is None and roles[here] is Role.EVIDENCE and term.kind != "deed":
            first = term
    for kind, run in groupby(roles):
        end = at + len(list(run))
        why = _why_not(clause.terms, roles, at, end, goes_on=goes_on) if kind is Role.UNKNOWN else ""
        if why:
            return why
        at = end
    return ""


def _two(words: Sequence[str], terms: Sequence[Typed]) -> Iterator[tuple[str, Typed]]:
    """Each word with the term behind it."""
    return zip(words, terms[1:], strict=False)


def _why_not(terms: Sequence[Typed], roles: Sequence[Role], at: int, end: int, *, goes_on: bool) -> str:
    """Why unknown words there may change what is said around them; empty where they leave it as it is."""
    words = [term.typed for term in terms]
    if any(word in BEING for word in words[:at]):
        return "behind being"
    if end - at > BETWEEN:
        return "many unknown"
    if end == len(words):
        if at > 0 and end - at == 1 and words[at - 1] in LEADING:
            return ""
        return "an adverb at its end" if at > 0 and words[at].endswith(_ADVERBS) else "unknown at its end"
    behind, named = terms[end], at > 0 and words[at - 1] in NAMING
    if behind.kind == "deed" or behind.typed in _OBJECTS:
        return "somebody does"  # «my neighbour builds», «for leaving me»
    if named and behind.kind == "change" and behind.typed.endswith("ed"):
        return "somebody does"  # «my neighbour painted the white 5 red»
    if not at:
        return "" if goes_on and end - at == 1 and not _is_deed(behind) else "unknown at its begin"
    if words[at - 1] in SPEAKING or words[at - 1] in _OBJECTS:
        return "behind who speaks"
    if roles[at - 1] is Role.EVIDENCE:
        leads = words[end : end + 2] in (["a", "la"], ["a", "l"])
        return "" if leads or behind.typed not in NAMING else "a thing does"  # «the brigands deserve my die»
    whose = named and not (roles[end] is Role.EVIDENCE and end - at == 1)  # «my son loves white 6»
    return "a noun" if whose else ""
