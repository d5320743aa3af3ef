"""What stands beside an order in its line and turns nothing, by the table `apart.toml`: a sentence about luck, the
position or other people, why an order is given, what is not done besides, what is kept.

Doubt, question, condition and alternative are never apart: they turn an order wherever they stand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from engine.kit.words import folded
from pbem.reading import kinds
from pbem.reading.around import DENIES, PLAIN, SMALL, Around
from pbem.reading.bars import KINDS, PARTS, WAVERING, is_polite, kinds_of, people_of, unspared
from pbem.reading.haste import spelt, spelt_words
from pbem.reading.passing import ENDING, PASSES, passing
from pbem.reading.phrases import ASIDES, COMPANY, DOUBT, Phrases, words_of
from pbem.reading.rewording import one_of, ordered

_TABLE = tomllib.loads((files(__package__) / "apart.toml").read_text(encoding="utf-8"))
_SENTENCE, _CLAUSE, _KEPT = (_TABLE[part] for part in ("sentences", "clauses", "kept"))
_EMPTY = frozenset(_SENTENCE["empty"])
_ALLOWED = frozenset(_SENTENCE["kinds"])
_GOVERNS, _TOPICS, _SHRUGS = Phrases(_SENTENCE["governs"]), Phrases(_SENTENCE["topics"]), Phrases(_CLAUSE["shrugs"])
_ENDS = re.compile("|".join(_CLAUSE["ends"]))
"""What a clause says that only ends what was said: «that settles it»."""
_OTHER, _STILL, _SO = Phrases(_KEPT["other"]), Phrases(_KEPT["still"]), Phrases(_KEPT["so"])
_THEIRS, _LEAVES = Phrases(_KEPT["theirs"]), Phrases(_KEPT["leaves"])
_LEAVING, _LAID = frozenset(_KEPT["leaving"]), frozenset(_KEPT["laid"])
_POINTING = Phrases(_SENTENCE["pointing"])
_OTHERS = frozenset(KINDS["others"])
_TURNS = (WAVERING | DOUBT) - _OTHERS - DENIES - _EMPTY - {"trop", *KINDS["past"]}
_I = frozenset(("i", "we", "je", "j", "on", "nous"))
_SPEAKS = re.compile(r"\b(?:i|i'm|i'll|we|je|j|on|nous|has to|doit)\b")
_TELLS = re.compile(
    r"\b(?:i|we|je|j'|on|nous) ?(?:know|see|saw|like|love|hope|believe|remember|hear|sais|vois|espere|entends|aime)\b"
)
_BUT = re.compile(r"^(?:but|mais)\s+", re.IGNORECASE)
_BARE = frozenset(("not", "no", "never", "pas", "jamais", "non", "sans", "without", "nor", "neither", "ni"))
_WHETHER = frozenset(("if", "si", "whether"))
_ELIDED = re.compile(r"\bn'|n't\b")
_SENTENCES = re.compile(r"(?<=[.!;?])\s+")
_BESIDE = "|".join((*_CLAUSE["shrugs"], *_CLAUSE["joined"], *_KEPT["verbs"], *_KEPT["leaves"]))
_SO_SPELT = "|".join(_KEPT["so"]).replace(" ca", " [cç]a")
_ALSO = re.compile(rf",?\s+(?:{_SO_SPELT})\s+(?=(?:{_BESIDE})\b)", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\(([^()]+)\)")
"""What may be kept in brackets."""
_COMMAS = re.compile(r",\s+")
_SORRY = re.compile(
    rf"((?:^|[.!]\s+)(?:{'|'.join(_TABLE['apology']['says'])})\s+(?:to\s+|[àa]\s+)?([^\W\d_]+))"
    r"\s+(?:(?:but|mais)\s+)?(?=(?:i|i'll|je)\b|j')",
    re.IGNORECASE,
)
"""Somebody who is told «sorry» at once before what its writer does: «sorry Emily but I …»."""
_YOUR = re.compile(r"\b(?:your|ton|ta|tes|votre|vos)\b", re.IGNORECASE)
_HELD = re.compile(_TABLE["held"]["back"])
_DENIED = [re.compile(said) for said in _TABLE["denied"]["patterns"]]


@dataclass(frozen=True)
class Parted:
    """A line in which an order may stand: what says it, what only stands beside, and what it must not name."""

    said: str
    beside: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    """What is left to others."""


def holds_back(line: str) -> bool:
    """Whether a line says that some are kept of what it takes, and not which: «farm with the yellow dice, keep one»."""
    return _HELD.search(" ".join(spelt_words(line))) is not None


def leaves(words: Collection[str]) -> bool:
    """Whether a clause says that what it names is not taken, or stays as it is; a cube that is left is laid."""
    return not _LEAVING.isdisjoint(words) and _LAID.isdisjoint(words)


def parted(line: str, around: Around) -> Parted:
    """A line without what stands beside its order. «your» is of who alone is spoken to."""
    if (reasons := passing(line, around)) is not None:
        return Parted(PASSES, reasons)
    kept: list[str] = []
    beside: list[str] = []
    unused: list[str] = []
    left: list[str] = []
    line = _SORRY.sub(lambda found: _stopped(found, around.names), line)
    line = _BRACKETS.sub(lambda found: found[0] if _kept(spelt_words(found[1])) is None else f", {found[1]}", line)
    sentences = _SENTENCES.split(_ALSO.sub(", ", line))
    for at, said in enumerate(ordered(one, around.verbs) for one in sentences):
        if _is_aside(said, around) or _turns_nothing(said, around, behind=bool(kept)):
            beside.append(said)
            continue
        parts: list[str] = []
        clauses = _COMMAS.split(said)
        for n, part in enumerate(clauses, 1):
            called = kinds.is_name(part, around.names)
            away = is_polite(part, around.names) and not called
            behind, follows = bool(parts or kept), at + 1 < len(sentences) or n < len(clauses)
            if not away and behind:
                away = _stands_beside(part, around, unused, left)
            elif not away and follows:
                away = bool(_is_kept(spelt_words(part), around, unused, left, begins=True))
            text = part if away else _undenied(_BUT.sub("", part) if beside and not parts else part, unused)
            (beside if away else parts).append(text)
        kept.append(", ".join(part for part in parts if part))
    text = _told_of(line, " ".join(part for part in kept if part), around.names)
    return Parted(one_of(text), tuple(one for one in beside if one.strip(" .!,;")), tuple(unused), tuple(left))


def _stopped(found: re.Match[str], names: Collection[str]) -> str:
    """An apology to somebody of the table as a sentence of its own."""
    return f"{found[1]}. " if folded(found[2]) in {folded(name) for name in names} else found[0]


def _is_aside(said: str, around: Around) -> bool:
    """Whether a sentence greets, thanks, wishes or apologises, and names nothing of the game."""
    words = [word for word, _, _ in words_of(said)]
    if _ends(words) and "?" not in said:
        return True
    if not words or not ASIDES.at(words, 0) or "?" in said:
        return False
    at = 0
    while at < len(words) and (width := ASIDES.at(words, at) or COMPANY.at(words, at)):
        at += width
    people = people_of(around.names)
    rest = " ".join(word for word in words[at:] if word not in people)
    return kinds.is_chatter(rest, around.verbs, around.known) and not kinds.in_doubt(rest)


def _ends(words: Sequence[str]) -> bool:
    """Whether words only end what was said: «that settles it»."""
    return _ENDS.fullmatch(" ".join(words)) is not None


def _turns_nothing(said: str, around: Around, *, behind: bool) -> bool:
    """Whether a sentence that holds what bars a line says nothing of the order of another one. `behind` an order it
    says so by what it is about: what has no subject, or points at something, is said of the order."""
    words = spelt_words(said)
    left = _unknown(unspared(words))
    topics = {at + n for at in range(len(left)) for n in range(_TOPICS.at(left, at))}
    people = people_of(around.names)
    denies = {"negation"} if _ELIDED.search(folded(said)) else set()
    found = kinds_of([word for at, word in enumerate(left) if at not in topics])
    others = "others" in found or not people.isdisjoint(words)
    if not words or "?" in said or not (kinds_of(left) | denies or others) or not found <= _ALLOWED:
        return False
    if not left or left[-1] in ENDING or not around.names_nothing(words):
        return False
    bare = words[0] in _BARE and not {1, 2} <= topics  # «not my day» has a subject, «not funny» has none
    pointed = topics and not behind and not bare
    for at, word in enumerate(left):
        pointing = bool(_POINTING.at(left, at))
        turns = word in _TURNS or (pointing and not pointed) or (not pointing and _GOVERNS.at(left, at))
        if at not in topics and turns:
            return False
    if behind:
        return bool(topics) and not bare and not {"past", "others"} <= found
    if topics:
        return True
    loud = [word for word in left if not {word} & (PLAIN | _EMPTY | DENIES | _OTHERS | SMALL | people)]
    own = "negation" in found | denies and not _I.isdisjoint(left[:2])
    return len(loud) >= (2 if own or others else 1)


def _unknown(words: list[str]) -> list[str]:
    """Words without «I know» at their end."""
    return words[:-2] if tuple(words[-2:]) in (("i", "know"), ("je", "sais")) else words


def _stands_beside(part: str, around: Around, unused: list[str], left: list[str]) -> bool:
    """Whether a clause says why, that something does not matter, how somebody feels, or what is kept."""
    words = spelt_words(part)
    rest = words[_SO.at(words, 0) :]
    if not rest:
        return False
    if _ends(rest) and "?" not in part:
        return True
    if width := _SHRUGS.at(rest, 0):
        return around.names_nothing(rest) and _matters_not(rest[width:], around)
    if _OTHER.at(rest, 0) and any(_STILL.at(rest, at) for at in range(1, len(rest))):
        return around.names_nothing([word for word in rest if word != "one"])
    if (is_kept := _is_kept(rest, around, unused, left)) is not None:
        return is_kept
    return _turns_nothing(part, around, behind=True)


def _is_kept(
    words: Sequence[str], around: Around, unused: list[str], left: list[str], *, begins: bool = False
) -> bool | None:
    """Whether a clause says what is kept, or left to others; None where it says nothing of the kind. `begins`: it must
    begin with that, as «more than the rest» keeps nothing."""
    theirs = _left(words, people_of(around.names))
    what = _kept(words, begins=begins) if theirs is None else theirs
    if what is None:
        return None
    if not what or not {*what}.isdisjoint(_KEPT["pointing"]) or what[0].endswith("ing"):
        return False  # «keep passing»
    if {*what}.isdisjoint(_KEPT["others"]) and not _is_plain(what, around):
        (unused if theirs is None else left).append(" ".join(what))
    return True


def _matters_not(words: Sequence[str], around: Around) -> bool:
    """Whether what does not matter is somebody else's, or a feeling: «even if not now» takes an order back."""
    left = unspared(words)
    found = kinds_of(left) - {"condition"}
    theirs = "others" in found or not people_of(around.names).isdisjoint(words)
    theirs = theirs or any(_TOPICS.at(left, at) for at in range(len(left)))
    return found <= _ALLOWED and ("negation" not in found or theirs) and _TURNS.isdisjoint({*left} - _WHETHER)


def _is_plain(words: Sequence[str], around: Around) -> bool:
    """Whether words of what is kept name nothing: «the big ones»."""
    return around.names_nothing([word for word in words if word not in ("one", "ones")])


def _kept(words: Sequence[str], *, begins: bool = False) -> Sequence[str] | None:
    """What a clause says is kept; None where it says nothing of the kind."""
    text = " ".join(words)
    verb = next((one for one in sorted(_KEPT["verbs"], key=len, reverse=True) if text.startswith(f"{one} ")), "")
    stays = next((one for one in _KEPT["stays"] if text.endswith(f" {one}")), "")
    if not verb and (begins or not stays):
        return None
    return _without_tail(text.removeprefix(verb) if verb else text.removesuffix(stays), _KEPT["tails"])


def _left(words: Sequence[str], people: Collection[str]) -> Sequence[str] | None:
    """What a clause says is left to others; None where it says nothing of the kind."""
    if words and words[0] in people and (width := _THEIRS.at(words, 1)):
        return words[1 + width :]
    width = _LEAVES.at(words, 0)
    if not width or not _LAID.isdisjoint(words):  # «je laisse un cube sur l'Échange»
        return None
    to_whom = (f"{to} {name}" for to in ("to", "for", "a", "pour") for name in people)
    return _without_tail(" ".join(words[width:]), (*_KEPT["tails"], *to_whom))


def _without_tail(text: str, tails: Collection[str]) -> Sequence[str]:
    for tail in tails:
        text = text.removesuffix(f" {tail}")
    return text.split()


def _undenied(part: str, unused: list[str]) -> str:
    """A clause without what it says is not done besides."""
    text = folded(spelt(part)).replace("'", " ").replace("-", " ")
    if len(text) != len(part):
        return part
    for pattern in _DENIED:
        if (found := pattern.search(text)) and found.end() > found.start():
            unused += [thing for thing in found.groupdict().values() if thing]
            return (part[: found.start()] + part[found.end() :]).strip()
    return part


def _addressed(said: str, names: Collection[str], *, sorry: bool) -> Iterator[str]:
    """Who is spoken to in a text: a part that is a name, and with `sorry` one that begins with an apology: «Sorry
    Emily,»."""
    for part in PARTS.split(said):
        words = [word for word, _, _ in words_of(part)]
        begun = ASIDES.at(words, 0) if words else 0
        rest = [word for word in words[begun:] if word not in ("for", "to", "pour", "a", "de", "d")]
        if bool(begun) is sorry:
            yield from (name for name in names if rest == folded(name).split())


def _told_of(line: str, text: str, names: Collection[str]) -> str:
    """A text in which one player is spoken to, with the name in place of «your»: somebody who is told «sorry», or where
    its writer tells what he does himself."""
    sorry = {*_addressed(line, names, sorry=True)}
    speaks = _SPEAKS.search(folded(spelt(line))) and not _TELLS.search(folded(spelt(line)))
    called = {*_addressed(line, names, sorry=False)} if speaks or sorry else set()
    if len(sorry | called) != 1 or not _YOUR.search(text):
        return text
    name = (sorry | called).pop()
    parts = [part for part in _COMMAS.split(text) if folded(part) != folded(name)]
    return _YOUR.sub(f"{name}'s", ", ".join(parts))
