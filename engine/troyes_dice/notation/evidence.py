"""A line of Troyes Dice taken apart into pieces of evidence: what its words name, each read with its neighbours.

Where they stand in the line does not matter, and nothing is known of a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.kit.gist import HARMLESS, LEADING, NAMING
from engine.kit.words import slip
from engine.troyes_dice.box.sheet import COLUMNS
from engine.troyes_dice.notation.clauses import WORTH
from engine.troyes_dice.notation.terms import LAST_ONE, Typed, said_in
from engine.troyes_dice.notation.words import TELLING, WORDS

_SLIPPING = 6
"""Letters that a word has which may be a slip of one of the game."""
_STEPS = frozenset(("point", "points", "pip", "pips", "step", "steps", "cran", "crans", "notch", "notches"))
_LINKS = _STEPS | frozenset(
    ("a", "an", "the", "of", "d", "de", "du", "l", "le", "la", "les", "un", "une", "my", "mon", "ma", "mes", "it", "s")
)
_LINKS |= {"to", "by", "at", "in", "en", "n", "°"}
"""Words that may stand between a number and what it counts."""
_MADE = frozenset(("fait", "fais", "fera", "ferai"))
"""What is as well said of anything: «j'en fais un 5»."""
_IS = frozenset(("is", "est", "soit", "devient", "becomes"))
_KEEPS = frozenset(("keep", "garde", "laisse", "leave", "stays", "reste"))
_DENIES = _KEEPS | {"no", "nothing", "without", "sans", "rien"}
"""What stands before a change that is none, or before what a die shows."""
_SIGNS = ("+", "-", "plus")
_MORE = ("plus", "moins")
"""What stands behind an amount: «deux deniers de moins»."""
_TURNS = frozenset(("face", "change", "to"))
"""Kinds of words behind which stands what a die becomes."""
_POINTS = frozenset(("the", "le", "la", "my", "mon"))
"""Words before a number that is a die: «the six»."""
_SPOTS = frozenset(("on", "sur"))
"""Words before a number that is a plaza or a column: «the yellow on 3»."""
_ARTICLES = frozenset(("un", "une", "one"))
_PAYS_BEHIND = frozenset(("pays", "paie", "paye", "paying", "payer", "y passe", "y passent"))
"""What stands behind that which pays: «knowledge pays»."""
_COLOURS = ("colour", "letter")
"""Kinds of words that are a colour."""
_LONG_WORDS = frozenset(
    word
    for word, (kind, _) in WORDS.items()
    if kind in TELLING and kind != "pay" and len(word) >= _SLIPPING and " " not in word
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of evidence: what kind it is, the word it names, its number (None for none), and which term it is."""

    kind: str
    word: str = ""
    number: int | None = None
    paid: bool = False
    """Of a resource: whether it is told to pay."""
    at: int = field(default=0, compare=False)


@dataclass
class Taken:
    """A line taken apart."""

    terms: list[Typed]
    pieces: list[Evidence] = field(default_factory=list)
    turns: bool = False
    """Whether a word tells that the die becomes something."""
    into: set[str] = field(default_factory=set)
    """The colours that it is told to become."""
    bonus: list[str] = field(default_factory=list)
    """What is chosen for bonuses."""

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


def evidence(terms: list[Typed]) -> Taken:
    """The pieces of a line, each read with its neighbours."""
    return _Taker(terms).read()


def _solid(terms: Sequence[Typed], at: int) -> Typed | None:
    """A term that says something, or parts those that do; None for a word that may stand between two of them."""
    term = terms[at]
    behind = next((one.kind for one in terms[at + 1 :] if one.typed not in _ARTICLES), "")
    if term.typed in WORTH or (term.typed in _MADE and behind == "number"):
        return Typed("face", "worth", term.typed)
    if term.typed in _DENIES:
        return Typed("unchanged", "", term.typed)
    after = terms[at + 1].kind if at + 1 < len(terms) else ""
    if term.typed in _ARTICLES and after in ("number", "colour", "building", "die"):
        return None
    if term.typed == "w" and at + 1 < len(terms) and terms[at + 1].typed in NAMING:
        return Typed("with", "with", term.typed)  # «w the red one»
    if term.kind == "nothing" or (term.kind == "unknown" and term.typed in HARMLESS | _LINKS):
        return None if term.typed in _LINKS else Typed("gap", "", term.typed)
    return term


class _Taker:
    """The terms of a line that say something, and what they are with their neighbours."""

    def __init__(self, terms: list[Typed]) -> None:
        self.said = Taken(terms)
        rows = [(at, term) for at in range(len(terms)) if (term := _solid(terms, at)) is not None]
        self.places, self.solid = [at for at, _ in rows], [term for _, term in rows]
        self.at = 0

    def read(self) -> Taken:
        """All that is said."""
        while self.at < len(self.solid):
            known = len(self.said.pieces)
            width = self._piece()
            place = self.places[self.at]
            self.said.pieces[known:] = [replace(piece, at=place) for piece in self.said.pieces[known:]]
            self.at += width
        return self.said

    def kind(self, ahead: int) -> str:
        """The kind of a term near by; empty where there is none."""
        at = self.at + ahead
        return self.solid[at].kind if 0 <= at < len(self.solid) else ""

    def number(self, ahead: int) -> int:
        """The number of a term that is to come."""
        return self.solid[self.at + ahead].number

    def add(self, kind: str, word: str = "", number: int | None = None, *, paid: bool = False) -> None:
        """A piece of evidence."""
        self.said.pieces.append(Evidence(kind, word, number, paid))

    def _piece(self) -> int:
        """Add what stands here; how many terms it takes."""
        term, kind = self.solid[self.at], self.kind
        match term.kind:
            case "number" | "ordinal":
                return self._number(term)
            case "colour" | "citizen" if {term.kind, kind(1)} == {"colour", "citizen"}:
                self.add("citizens", (term if term.kind == "colour" else self.solid[self.at + 1]).means)
                return 2
            case "colour" | "letter" if kind(1) == "number" and kind(2) != "resource":
                # «the white one» is a die, whatever it shows.
                one = self.solid[self.at + 1].typed == "one" and term.kind == "colour"
                if (one and self.places[self.at + 1] > self.places[self.at] + 1) or self._counts_steps(self.at + 1):
                    self.add("colour", term.means)
                    return 1  # «red by one»
                self.add("one" if one else "face", term.means, None if one else self.number(1))
                return 2
            case "colour":
                if (self.said.turns and kind(-1) in ("number", *_COLOURS)) or self._is_made():
                    self.said.into.add(term.means)  # «turn yellow 1 red»
                self.add("colour", term.means)
            case "resource" if kind(1) == "number" and kind(2) not in ("resource", "building", *_COLOURS):
                self.add("resource", term.means, self.number(1), paid=self._pays(self.at, self.at + 1))
                return 2
            case "resource":
                self.add("resource", term.means, None, paid=self._pays(self.at, self.at))
            case "both" if kind(1) == "resource":
                self.add("resource", self.solid[self.at + 1].means, 2, paid=self._pays(self.at, self.at + 1))
                return 2
            case "building":
                return self._building()
            case "row":
                self.add("building", term.means)
            case "bonus":
                return self._bonus()
            case "face" | "change" | "to" | "a":
                return self._turned()
            case "way" | "sum":
                return self._shifted()
            case "plaza" if kind(1) == "number" and kind(2) != "resource":
                self.add("plaza", "", self.number(1))
                return 2
            case "column" if kind(1) == "number":
                self.add("column", "", self.number(1))
                return 2
            case "unchanged" if term.typed in _KEEPS:
                width = 1 + (kind(1) in ("to", "face"))
                if kind(width) == "number" and kind(width + 1) not in ("resource", *_COLOURS):
                    self.add("stays", "", self.number(width))
                    return width + 1
            case "price" | "black" | "citizen" | "tile" | "both" | "any" | "numbering":
                self.add(term.kind, term.means)
        return 1

    def _number(self, term: Typed) -> int:
        """A number, with what it counts."""
        kind, add = self.kind, self.add
        if kind(1) == "resource":
            add("resource", self.solid[self.at + 1].means, term.number, paid=self._pays(self.at, self.at + 1))
            return 2
        if sorted((kind(1), kind(2))) == ["citizen", "colour"]:
            add("citizens", self.solid[self.at + 1 + (kind(1) == "citizen")].means, term.number)
            return 3
        if kind(1) == "citizen":
            add("citizen", "", term.number)
            return 2
        if kind(-1) == "price" and kind(1) == "colour":
            return 1  # «the cheapest of the two yellows»
        if term.kind == "ordinal" and kind(1) in ("plaza", "die", "column"):
            column = kind(1) == "column"
            add("column" if column else "plaza", "", COLUMNS[-1] if column and term.typed in LAST_ONE else term.number)
            return 2
        if term.kind == "ordinal" and kind(1) == "building":
            if kind(2) == "column":  # «the last cathedral box»
                add("column", "", COLUMNS[-1] if term.typed in LAST_ONE else term.number)
            elif term.typed not in LAST_ONE:
                add("nth_built", self.solid[self.at + 1].means, term.number)
            return 1
        if term.kind == "ordinal" and kind(1) == "colour":
            add("nth", self.solid[self.at + 1].means, term.number)
            return 1
        if term.number > 1 and kind(1) == "colour" and self.solid[self.at + 1].typed.endswith("s"):
            add("several", self.solid[self.at + 1].means, term.number)
            return 2
        if term.kind == "number" and kind(1) in _COLOURS and kind(2) != "number" and kind(-1) != "building":
            add("face", self.solid[self.at + 1].means, term.number)
            return 2
        if kind(1) == "way" and kind(2) != "number" and self.solid[self.at + 1].typed not in _SIGNS:
            add("shift", "", term.number if self.solid[self.at + 1].means == "up" else -term.number)
            return 2
        place = self.places[self.at]
        if term.typed != "one" or not self._is_pronoun(place):
            led = self.said.terms[place - 1].typed if place and term.kind == "number" else ""
            add("lies" if led in _POINTS else "spot" if led in _SPOTS else "number", "", term.number)
        return 1

    def _is_made(self) -> bool:
        """Whether a colour is what a die is told to be: «j'en fais un blanc», «so the free 1 is white»."""
        terms, at = self.said.terms, self.places[self.at] - 1
        while at >= 0 and terms[at].typed in _ARTICLES:
            at -= 1
        if at > 0 and terms[at].typed == "in" and at == self.places[self.at] - 1:
            return terms[at - 1].kind in ("number", "colour", "die") and bool(self.said.of("face", "colour"))
        told = self.said.of("price", "lies", "number", "plaza", "tile", "colour", "face")
        return at >= 0 and terms[at].typed in _MADE | _IS and bool(told)

    def _counts_steps(self, at: int) -> bool:
        """Whether a number counts the steps of a change: «un cran plus haut»."""
        place = self.places[at] + 1
        return place < len(self.said.terms) and self.said.terms[place].typed in _STEPS

    def _is_pronoun(self, place: int) -> bool:
        """Whether «one» stands for a die: «the red one», «the dear one»."""
        before = self.said.terms[place - 1] if place else None
        known = ("colour", "price", "die", "tile", "unknown", "nothing")
        return before is not None and before.typed not in LEADING and before.kind in known

    def _building(self) -> int:
        """A building, with the number of its column behind it."""
        kind = self.kind
        width = 2 if kind(1) in ("column", "mark", "numbering") and kind(2) in ("number", "column") else 1
        width += width == 2 and kind(2) == "column"
        column = None
        if kind(width) == "number" and kind(width + 1) not in ("resource", *_COLOURS):
            column, width = self.number(width), width + 1
        else:
            width = 1
        self.add("building", self.solid[self.at].means, column)
        return width

    def _bonus(self) -> int:
        """What is chosen for a bonus; or that there is one."""
        width = 1
        while self.kind(width) in ("mark", "for", "to", "face", "gap"):
            width += 1
        if self.kind(width) == "number" and self.kind(width + 1) not in ("resource", "citizen", "building", *_COLOURS):
            self.add("bonus")  # «the bonus for three of every colour»
            return width + 1
        row = self.solid[self.at + width] if self.kind(width) in ("building", "colour") else None
        if row is None or (row.kind == "colour") == (self.kind(width + 1) == "number"):
            self.add("bonus")
            return 1
        self.said.bonus.append(row.means if row.kind == "colour" else f"{row.means} {self.number(width + 1)}")
        return width + (1 if row.kind == "colour" else 2)

    def _turned(self) -> int:
        """What a die becomes; or a word that only leads on."""
        kind, before, after, made = self.solid[self.at].kind, self.kind(-1), self.kind(1), False
        if kind == "change" and "unchanged" in [term.kind for term in self.solid[max(self.at - 2, 0) : self.at + 2]]:
            self.add("unchanged")
            return 1
        if after == "number" and self.kind(2) not in ("resource", *_COLOURS) and kind != "change":
            if kind == "a" and before not in ("colour", "number", "way", "change", "face"):
                return 1
            self.add("made", "", self.number(1))
            made = True
        leads = kind in _TURNS and after in ("number", *_COLOURS)
        dice = self.said.of("colour", "face", "one", "plaza", "tile", "price", "black")
        if leads and (dice or kind != "change"):
            self.said.into |= {term.means for term in self.solid[self.at + 1 : self.at + 3] if term.kind in _COLOURS}
        self.said.turns = self.said.turns or kind == "change" or made or leads
        if kind == "change":
            self.add("change")
        return 2 if made else 1

    def _shifted(self) -> int:
        """`+2`, or the way in which a die is shifted."""
        term, after, next_ = self.solid[self.at], self.kind(1), self.kind(2)
        sign = 1 if term.means == "up" else -1
        if term.typed in _MORE and "resource" in (self.kind(-1), self.kind(-2)):
            return 1
        if term.typed in _SIGNS and (after != "number" or next_ in ("resource", "colour")):
            return 1  # what it brings or costs
        if after == "number" and next_ == "resource":
            return 1
        if after == "number" and next_ != "colour":
            self.add("shift", "", sign * self.number(1))
            return 2
        self.add("way", "", sign)
        return 1

    def _pays(self, first: int, last: int) -> bool:
        """Whether a resource is told to pay: by the words around it, as far as the next mark or resource."""
        before, kinds = [], [term.kind for term in self.solid]
        for at in range(first - 1, max(first - 6, -1), -1):
            if kinds[at] == "mark" or (kinds[at] == "resource" and kinds[at + 1] == "for"):
                break
            is_place = kinds[at] == "plaza" and kinds[at + 1] == "number"
            before.append("" if is_place else kinds[at])
        behind = self.solid[last + 1 : last + 2]
        told = bool({"pay", "plaza"} & {*before}) or before[:1] == ["with"]
        told = told or any(term.typed in _PAYS_BEHIND for term in behind)
        told = told or ([term.kind for term in self.solid[last + 1 : last + 3]] == ["for", "plaza"])
        return told or any(term.means == "resources" for term in self.solid[max(first - 3, 0) : first])
