"""What turns a line into no order whatever words of one it holds: negations, conditions, questions, the past, others.

These are closed classes, so that the table (`bars.toml`) can be complete; what holds none of them says of itself what
its writer does now.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

from engine.kit.words import folded
from pbem.reading import kinds
from pbem.reading.haste import spelt
from pbem.reading.line import NAY
from pbem.reading.phrases import ASIDES, DOUBT, NUMBERS, WAVERS, Phrases, words_of

_TABLE = tomllib.loads((files(__package__) / "bars.toml").read_text(encoding="utf-8"))
KINDS: dict[str, tuple[str, ...]] = {kind: tuple(said) for kind, said in _TABLE["kinds"].items()}
"""Each kind of what bars a line, with its words and phrases."""
_PRAISE = _TABLE["praise"]
KINDS["musing"] += tuple(f"{being} {praise}" for being in _PRAISE["being"] for praise in _PRAISE["words"])
_BARS = {kind: Phrases(said) for kind, said in KINDS.items()}
_TELLING = "telling"
"""Verbs that tell what things do, but for those of which the order is told: «that gives me 2 VP»."""
_POINTING = frozenset(_TABLE["pointing"]["words"])
SPARED = Phrases(_TABLE["spared"]["phrases"])
_THINGS = frozenset(_TABLE["pronouns"]["things"]) | {word for word, number in NUMBERS.items() if 1 < number < 7}
_SUBJECTS, _OBJECTS, _FIRST, _HANDLING, _LEADING, _ARTICLES = (
    frozenset(_TABLE["pronouns"][kind]) for kind in ("subjects", "objects", "first", "handling", "leading", "articles")
)
_MOVING = Phrases(_TABLE["pronouns"]["moving"])
WAVERING = WAVERS - frozenset(_TABLE["steady"]["words"])
"""Words that waver within an order."""
_POSSESSIVE = frozenset(("your", "yours", "their", "his", "her", "ton", "ta", "tes", "votre", "vos", "leur", "leurs"))
_PHRASE = max(len(one.split()) for said in KINDS.values() for one in said)
"""Words that a phrase has at most."""
_WORD = re.compile(r"[^\W_]+")
_WOULD = re.compile(r"[a-z]+(?:rais|rait|rions|riez|raient)|[a-z]{3,}(?:aient|issait|issais)")
"""A French verb of what would be, or was."""
_WISHED = frozenset(
    ("voudrais", "aimerais", "souhaiterais", "desirerais", "prefererais", "frais", "vrais", "trait", "pourriez")
)
_TOWARDS = frozenset(("for", "to", "pour", "a", "de", "d"))
_COMPANY = frozenset(("you", "all", "both", "two", "three", "vous", "toi", "tous", "toutes", "deux", "trois", "les"))
PARTS = re.compile(r"(?<=[.,;:!])\s")
"""What parts a line, behind its mark."""
_MAY_I = re.compile(r"\bpuis-je\b|^puis je\b")
_ASKS = frozenset("?/¿❓❔")
_GLUED = frozenset(
    ("d", "de", "a", "to", "from", "of", "off", "chez", "gray", "grey", "gris", "with", "avec", "using", "pay", "paie")
) | {"paye", "payer", "paying"}
"""What stands before somebody whose die it is, or who is paid."""


def bars(line: str, names: Collection[str] = ()) -> str:
    """The kind of what bars a line, empty for nothing. `names`: the people of the table, who do nothing in it."""
    return next(every_bar(line, names), "")


def every_bar(line: str, names: Collection[str] = ()) -> Iterator[str]:
    """The kinds of all that bars a line, each once or more."""
    asks = (_ASKS | NAY) & {*line.lower().replace("w/", "")} or _MAY_I.search(folded(line))
    if asks or line.rstrip().endswith(("...", "…")):
        yield "question"
    text = folded(spelt(_said(line, names)))
    spans = [found.span() for found in _WORD.finditer(text)]
    words = [text[first:last] for first, last in spans]
    spared = _spared(words)
    kept = [word for at, word in enumerate(words) if at not in spared]
    yield from (kind for kind in _BARS if any(_holds(kind, kept, at) for at in range(len(kept))))
    rest = "".join(" " if _is_spared(at, spans, spared) else sign for at, sign in enumerate(text))
    if kinds.doubts(rest) or not WAVERING.isdisjoint(kept):
        yield "doubt"
    if any(_WOULD.fullmatch(word) and word not in _WISHED for word in kept):
        yield "hedge"
    if _acts(words, people_of(tuple(names)), text, spans):
        yield "others"


def unspared(words: Sequence[str]) -> list[str]:
    """Words without those that turn nothing where they stand."""
    spared = _spared(words)
    return [word for at, word in enumerate(words) if at not in spared]


def kinds_of(words: Sequence[str]) -> set[str]:
    """The kinds of what bars words, of which none is spared."""
    found = {kind for kind in _BARS if any(_holds(kind, words, at) for at in range(len(words)))}
    return found | ({"hedge"} if any(_WOULD.fullmatch(word) and word not in _WISHED for word in words) else set())


def stands_at_edge(words: Sequence[str]) -> bool:
    """Whether what bars words begins or ends them, where it is said of all of them: «maybe farm Y5», «farm Y5 if»."""
    kept = unspared(words)
    doubts = WAVERING | DOUBT | {"n"}
    if not kept or kept[0].partition("'")[0] in doubts or kept[-1] in doubts:
        return bool(kept)
    ends = ((kind, at) for kind in _BARS for at in range(max(0, len(kept) - _PHRASE), len(kept)))
    begins = any(_BARS[kind].at(kept, 0) and _holds(kind, kept, 0) for kind in _BARS)
    return begins or any(at + _BARS[kind].at(kept, at) == len(kept) and _holds(kind, kept, at) for kind, at in ends)


def begins_with_others(words: Sequence[str]) -> bool:
    """Whether words begin with somebody else, but for what is his."""
    return words[0] not in _POSSESSIVE and bool(_BARS["others"].at(words, 0))


def _spared(words: Sequence[str]) -> set[int]:
    """Where words stand that turn nothing there."""
    phrases = {at + n for at in range(len(words)) for n in range(SPARED.at(words, at))}
    return phrases | {at for at in range(len(words)) if _is_a_thing(words, at)}


def _is_a_thing(words: Sequence[str], at: int) -> bool:
    """Whether a pronoun stands for a die, a card or a citizen: what is used, or what goes somewhere, of which the line
    has spoken before."""
    told = any(word[-1].isdigit() or word in _THINGS for word in words[:at])
    if words[at] in _SUBJECTS and told:
        after = at + 1 + (at + 1 < len(words) and words[at + 1] in ("will", "ll", "s", "all", "y"))
        return after < len(words) and bool(_MOVING.at(words, after))
    following = words[at + 1] if at + 1 < len(words) else ""
    begins = following in _FIRST  # «with him I hire»
    own = not _FIRST.isdisjoint(words[:at]) and words[at - 1] not in _LEADING and following not in _ARTICLES
    return words[at] in _OBJECTS and at > 0 and words[at - 1] in _HANDLING and (told or begins or own)


def _said(line: str, names: Collection[str]) -> str:
    """A line without its greetings and thanks. «Faye: build» is what Faye does; a name at the end is a signature."""
    *before, last = PARTS.split(line)
    kept = [part for part in before if not is_polite(part, names) or kinds.is_name(part, names)]
    return " ".join([*kept, *([] if is_polite(last, names) else [last])])


def _holds(kind: str, words: Sequence[str], at: int) -> bool:
    """Whether a word or phrase of a kind stands at a place; a verb that tells of the order itself does not count."""
    pointed = kind == _TELLING and at > 0 and words[at - 1] in _POINTING
    return not pointed and bool(_BARS[kind].at(words, at))


def is_polite(part: str, names: Collection[str]) -> bool:
    """Whether a part of a line greets, thanks, signs, or is sorry for somebody."""
    if kinds.is_greeting(part, names) or kinds.is_closing(part, names) or kinds.is_courtesy(part):
        return True
    words = [word for word, _, _ in words_of(part)]
    begun = ASIDES.at(words, 0) if words else 0
    return bool(begun) and {*words[begun:]} <= people_of(tuple(names)) | _TOWARDS | _COMPANY


def _is_spared(at: int, spans: Sequence[tuple[int, int]], spared: Collection[int]) -> bool:
    return any(spans[word][0] <= at < spans[word][1] for word in spared)


@lru_cache(maxsize=64)
def people_of(names: tuple[str, ...]) -> frozenset[str]:
    """The words of the names of people, folded; letters alone are left out."""
    return frozenset(word for name in names for word in _WORD.findall(folded(name)) if len(word) > 1)


def _acts(words: Sequence[str], people: Collection[str], text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether somebody of the table may be who does something: a name that neither owns nor is paid."""
    for at, word in enumerate(words):
        if word not in people:
            continue
        before, after = (words[at - 1] if at else ""), (words[at + 1] if at + 1 < len(words) else "")
        owns = after == "s" and text[spans[at][1] : spans[at][1] + 1] == "'"
        face = re.compile("[a-z]?[1-6]|[1-6][a-z]")
        if not (owns or before in _GLUED or face.fullmatch(after) or face.fullmatch(before)):
            return True
    return False
