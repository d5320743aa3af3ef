"""What people may call a card or place: English and French names, ids and aliases, however they are typed.

A word means one thing among the cards of one kind, and one thing among places and rule words. A card may be called like
a card of another kind, or like an order verb: the place in the order decides, and a word such as `event-war` or
`activity-monk` is always right. So a line that begins with «support» is an order; after `fight`, `card` or a colon it
is the event.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from engine.catalog import Msg, T
from engine.event_log import Data
from engine.kit.words import by_name, kebab, prefix_matches
from engine.troyes.card_data.tables import shipped_tables

KINDS = ("activity", "event", "character", "outdoor", "place", "rule")


def _called(table: Data) -> Iterator[str]:
    yield table["id"]
    yield table["name_en"]
    yield table["name_fr"]
    yield str(table.get("word", table["id"]))
    yield from table.get("aliases", ())
    yield from table.get("words", ())


@cache
def ids_by_word(kind: str) -> dict[str, tuple[str, ...]]:
    """Every word of a kind with the ids it means. Only copies of one event share a word."""
    return by_name((id_, _called(table)) for id_, table in shipped_tables(kind).items())


def _ids(kind: str, word: str) -> tuple[str, ...]:
    known, folded = ids_by_word(kind), kebab(word)
    return known.get(folded) or known.get(folded.removeprefix(f"{kind}-"), ())


def activity_of(word: str) -> str | None:
    """The id of the Activity card with this name."""
    return next(iter(_ids("activity", word)), None)


def events_of(word: str) -> tuple[str, ...]:
    """The ids of the Event cards with this name: several for copies, none for an unknown word."""
    return _ids("event", word)


def outdoor_of(word: str) -> str | None:
    """The id of the outdoor tile with this name. A tile's level is not its name."""
    return next(iter(_ids("outdoor", word)), None)


def place_of(word: str) -> str | None:
    """The id of the place with this name: palace, bishopric, city_hall, cathedral, square, supply."""
    return next(iter(_ids("place", word)), None)


@cache
def _asked() -> dict[str, tuple[tuple[str, str], ...]]:
    """Words that only questions use, and dice."""
    found = by_name(
        ((kind, id_), table.get("asked", ()))
        for kind in ("place", "rule")
        for id_, table in shipped_tables(kind).items()
    )
    return found | {f"{letter}{value}": found[letter] for letter in "ywrjbpm" for value in range(1, 7)}


def find_meanings(word: str) -> tuple[tuple[str, str], ...]:
    """Kind and id of all that a word may mean, cards first; a name's beginning does where only one begins so."""
    exact = [(kind, ids[0]) for kind in KINDS if (ids := _ids(kind, word))]
    if exact:
        return tuple(exact)
    if asked := _asked().get(kebab(word)):
        return asked
    named = {
        (kind, shipped_tables(kind)[ids[0]]["name_en"]): (kind, ids[0])
        for name in prefix_matches(word, known_names())
        for kind in KINDS
        if (ids := ids_by_word(kind).get(name, ()))
    }
    return tuple(named.values()) if len(named) == 1 else ()


@cache
def known_names() -> tuple[str, ...]:
    """Every word that `find_meanings` knows, in kebab-case, sorted."""
    return tuple(sorted({word for kind in KINDS for word in ids_by_word(kind)}))


@lru_cache(1024)
def typed_name(id_: str, language: str) -> str:
    """A card, tile or place as people type it in a language: `conflit-de-succession`, or its id."""
    for kind in ("activity", "event", "outdoor", "place") if language != "en" else ():
        table = shipped_tables(kind).get(id_, {})
        if found := table.get(f"name_{language}"):
            return str(found).lower().replace(" ", "-")
    return id_.replace("_", "-")


@cache
def _widths() -> dict[str, int]:
    found: dict[str, int] = {}
    for name in (*known_names(), "event-1", "evenement-1"):
        parts = name.split("-")
        for width in range(1, len(parts) + 1):  # «hotel-de ville» is typed as well
            first = "-".join(parts[:width])
            found[first] = max(found.get(first, 0), len(parts) - width + 1)
    return found


def longest_name(first: str) -> int:
    """How many words the longest name that begins with this one has; 0 for none."""
    return _widths().get(first, 0)


@lru_cache(1024)
def printed_name(id_: str, language: str) -> str:
    """The name of a card, tile or place as it is printed in a language. Raises KeyError for an unknown id."""
    for kind in KINDS:
        if id_ in shipped_tables(kind):
            table = shipped_tables(kind)[id_]
            return str(table.get(f"name_{language}") or table["name_en"])
    raise KeyError(id_)


@lru_cache(1024)
def item_name(id_: str) -> Msg:
    """What a card, place or rule word is called. Raises KeyError for an unknown id."""
    return T(printed_name(id_, "en"))
