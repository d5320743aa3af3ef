"""A line in which its writer passes, and says why: «no dice, no turn, I pass», «passe, à vous les filles».

The clause that says so stands first or last and says nothing else; what stands beside it names nothing that an order is
made of, and neither asks, nor makes it depend on anything, nor takes it back (`passing.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from importlib.resources import files

from pbem.reading.around import Around
from pbem.reading.bars import KINDS, PARTS, WAVERING, is_polite, kinds_of, unspared
from pbem.reading.haste import spelt_words
from pbem.reading.line import NAY
from pbem.reading.phrases import DOUBT

PASSES = "pass"
"""What such a line says."""
ENDING = frozenset(("to", "not", "no", "non", "so", "too", "aussi"))
"""Words with which what is said does not end where it turns nothing."""
_TABLE = tomllib.loads((files(__package__) / "passing.toml").read_text(encoding="utf-8"))
_PASSES, _IDLE = re.compile(_TABLE["says"] + _TABLE["more"]), re.compile("|".join(_TABLE["idle"]))
_LIGHT, _OFTEN = frozenset((*_TABLE["none"], *_TABLE["light"])), frozenset(_TABLE["often"])
_LONG, _BACK, _ASKING = _TABLE["long"], frozenset(_TABLE["back"]), frozenset(_TABLE["asking"])
_KINDS, _FACES = frozenset(_TABLE["kinds"]), 6
_TURNS = (WAVERING | DOUBT) - {word for kind in (*_KINDS, "later", "question") for word in KINDS[kind]} - {"trop"}
_ASKS = frozenset("?:¿")


def passing(line: str, around: Around) -> tuple[str, ...] | None:
    """What stands beside the clause of a line that its writer passes; None for any other line."""
    parts = PARTS.split(line)
    while len(parts) > 1 and is_polite(parts[-1], around.names):
        parts.pop()
    said = [at for at, part in enumerate(parts) if _PASSES.fullmatch(" ".join(spelt_words(part)))]
    if not said or not (_ASKS | NAY).isdisjoint(line) or said != [*range(said[0], said[-1] + 1)]:
        return None
    before, behind = parts[: said[0]], parts[said[-1] + 1 :]
    if not _is_idle(before, around, behind=False) or not _is_idle(behind, around, behind=True):
        return None
    return tuple(part for part in (*before, *behind) if part.strip(" .!,;"))


def _is_idle(parts: Sequence[str], around: Around, *, behind: bool) -> bool:
    """Whether what stands beside the clause names nothing that an order is made of, and turns nothing."""
    words = _IDLE.sub(" ", " ".join(word for part in parts for word in spelt_words(part))).split()
    if not words:
        return True
    left, kinds = unspared(words), kinds_of(unspared(words))
    if not _OFTEN.isdisjoint(words) or not around.names_nothing([*filter(_may_name, words)]):
        return False
    kept = _KINDS | ({"later"} if behind else {"question"})
    if not kinds <= kept or words[0] in _ASKING or not _TURNS.isdisjoint(left):
        return False
    return not (behind and _takes_back(words, kinds))


def _may_name(word: str) -> bool:
    """Whether a word may name a die or a thing beside a pass: no die shows 39."""
    return word not in _LIGHT and not (word.isdecimal() and int(word) > _FACES)


def _takes_back(words: Sequence[str], kinds: Collection[str]) -> bool:
    """Whether words behind an order may take it back: «enfin non», «not yet», «I wasn't lucky to»."""
    short = ("negation" in kinds and len(words) < _LONG) or ("later" in kinds and len(words) <= _LONG)
    return short or words[0] in _BACK or words[-1] in ENDING
