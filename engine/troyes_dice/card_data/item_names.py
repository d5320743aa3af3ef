"""Names of buildings, tiles, resources and rules: English and French, however they are typed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.catalog import Msg, T
from engine.event_log import Data
from engine.kit.words import by_name, kebab, prefix_matches
from engine.troyes_dice.card_data.tables import shipped_tables

EXPLAINED = ("rule", "banquet", "achievement")
"""The groups whose tables are explained by their names."""


def _called(group: str, id_: str, table: Data) -> Iterator[str]:
    if group != "banquet":
        # A tile and the rule it changes share an id; the bare word is the rule.
        yield id_
    yield table["en"]
    yield table["fr"]
    yield from table.get("words", ())
    if group == "rule" and id_ == "cathedral":
        yield from (part[key] for part in shipped_tables()["cathedral"].values() for key in ("en", "fr"))


@cache
def meanings() -> dict[str, tuple[str, str]]:
    """Map every word to its group and id. Raises ValueError if one means two things."""
    found = by_name(
        ((group, id_), _called(group, id_, table))
        for group in EXPLAINED
        for id_, table in shipped_tables()[group].items()
    )
    if double := {word: meant for word, meant in found.items() if len(meant) > 1}:
        raise ValueError(f"one word means two things: {double}")
    return {word: meant for word, (meant,) in found.items()}


@cache
def known_names() -> tuple[str, ...]:
    """Return every word that can be explained, in kebab-case, sorted."""
    return tuple(sorted(meanings()))


@cache
def _asked() -> dict[str, tuple[str, str]]:
    """Words that only questions use, and dice."""
    found = by_name(((("rule", id_), table.get("asked", ())) for id_, table in shipped_tables()["rule"].items()))
    letters = {f"{letter}{value}": found[letter] for letter in "rywjb" for value in range(7)}
    return {word: meant[0] for word, meant in (found | letters).items()}


def find_meaning(word: str) -> tuple[str, str] | None:
    """Return group and id of a word, or of the beginning of a single name; else None."""
    found = meanings().get(kebab(word)) or _asked().get(kebab(word))
    names = {found} if found else {meanings()[name] for name in prefix_matches(word, known_names())}
    return names.pop() if len(names) == 1 else None


def typed_name(word: str, language: str) -> str:
    """Return a building or resource as people type it in a language: `hôtel-de-ville`; other words unchanged."""
    found = shipped_tables()["rule"].get(word, {}).get(language)
    return str(found).lower().replace(" ", "-") if found else word


def item_name(id_: str) -> Msg:
    """Return the name of a building, resource or rule; of a tile for `tile price`. Raises KeyError."""
    kind, _, tile = id_.partition(" ")
    if kind == "tile":
        return T(str(shipped_tables()["banquet"][tile]["en"]))
    for group in ("rule", "achievement"):
        if id_ in shipped_tables()[group]:
            return T(str(shipped_tables()[group][id_]["en"]))
    raise KeyError(id_)
