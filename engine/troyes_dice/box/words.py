"""What people may call a building, tile, resource or rule: English and French, however they are typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes_dice.box.tables import Table
from engine.troyes_dice.box.tables import shipped

EXPLAINED = ("rule", "banquet", "achievement")
"""The groups whose tables are explained by their names."""

_GAP = re.compile(r"[\s_'’.\-]+")


def fold_word(word: str) -> str:
    """A word as it is compared: lower case, no accents, kebab-case."""
    lowered = word.lower().replace("œ", "oe").replace("æ", "ae")
    plain = "".join(c for c in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(c))
    return _GAP.sub("-", plain).strip("-")


def _called(group: str, id_: str, table: Table) -> Iterator[str]:
    if group != "banquet":
        # A tile and the rule it changes share an id; the bare word is the rule.
        yield id_
    yield table["en"]
    yield table["fr"]
    yield from table.get("words", ())
    if group == "rule" and id_ == "cathedral":
        yield from (part[key] for part in shipped()["cathedral"].values() for key in ("en", "fr"))


@cache
def meanings() -> dict[str, tuple[str, str]]:
    """Every word with the group and id it means. Raises ValueError if one means two things."""
    found: dict[str, tuple[str, str]] = {}
    for group in EXPLAINED:
        for id_, table in shipped()[group].items():
            for word in dict.fromkeys(fold_word(called) for called in _called(group, id_, table)):
                if word in found:
                    raise ValueError(f"{word} means {found[word]} and {(group, id_)}")
                found[word] = (group, id_)
    return found


@cache
def words() -> tuple[str, ...]:
    """Every word that can be explained, in kebab-case, sorted."""
    return tuple(sorted(meanings()))


def meaning(word: str) -> tuple[str, str] | None:
    """Group and id of what a word means; a beginning of one thing's name will do."""
    folded = fold_word(word)
    if folded in meanings():
        return meanings()[folded]
    begun = {meant for known, meant in meanings().items() if len(folded) >= 3 and known.startswith(folded)}
    return begun.pop() if len(begun) == 1 else None


def nearest(word: str, known: Iterable[str]) -> str:
    """The one of `known` that somebody who typed `word` may have meant; empty when none is near."""
    by_fold = {fold_word(one): one for one in known}
    close = get_close_matches(fold_word(word), by_fold, n=1, cutoff=0.6)
    return by_fold[close[0]] if close else ""


def name(id_: str) -> Msg:
    """What a building, resource or rule is called; a tile is named `tile price`. Raises KeyError for an unknown id."""
    kind, _, tile = id_.partition(" ")
    if kind == "tile":
        return T(str(shipped()["banquet"][tile]["en"]))
    for group in ("rule", "achievement"):
        if id_ in shipped()[group]:
            return T(str(shipped()[group][id_]["en"]))
    raise KeyError(id_)
