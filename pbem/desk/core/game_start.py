"""Deal a game: the words that its dice depend on, and its beginning once all of them are fixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.chance import Chance, SeededChance, words_hash
from engine.event_log import Data
from engine.game import AnyGame, Seat
from pbem.inbound.sanitize import clean_text
from pbem.store.game_table import Table
from pbem.store.state_file import StoredGame

HOST = "host"
"""Whose word comes first."""

LONGEST = 100
"""Characters of a word."""

OPENING = "opening"
"""In the `also` of the record that begins a game: `{words, hash}`, every word as it was fixed before dealing."""


def beginning(game: AnyGame, stored: StoredGame) -> dict[str, Any]:
    """Deal, once every word is fixed: the fields of a `Result` that begin the game."""
    table = stored.table
    seats = {Seat(row.seat): row.name for row in table.seats}
    first = Seat(table.first) if table.first else None
    step = game.start(seats, table.options, chance_of(stored), facts=table.facts, first=first)
    return {"state": step.state, "entries": step.entries, "reveals": True, "began": True, "marks": ()}


def chance_of(stored: StoredGame) -> Chance:
    """The dice of a game: drawn from its seed, the host's word and the players' words in seat order."""
    hidden = stored.secrets
    given = tuple(dice_words(stored).values())
    return SeededChance(bytes.fromhex(hidden.seed), given, drawn_as(stored.table), hidden.epoch)


def drawn_as(table: Table) -> str:
    """The game's name in the keys of its draws: the one it was opened under."""
    return table.origin or table.game


def dice_words(stored: StoredGame) -> dict[str, str]:
    """Every word, the host's first, then by seat; empty where nobody gave one."""
    given = stored.secrets.words
    return {who: given.get(who, "") for who in (HOST, *(row.seat for row in stored.table.seats))}


def published_words(stored: StoredGame) -> Data:
    """The words as the first record publishes them, so that none can change later."""
    found = dice_words(stored)
    return {"words": found, "hash": words_hash(tuple(found.values()))}


def forget_holder(stored: StoredGame, seat: str) -> StoredGame:
    """Forget what was asked of, said by and kept for the former holder of a seat."""
    secrets = stored.secrets
    kept: dict[str, Any] = {
        name: {who: value for who, value in getattr(secrets, name).items() if who != seat}
        for name in ("lists", "said", "reminded", "defaults", "mailed", "held", "later")
    }
    return replace(stored, secrets=replace(secrets, **kept))


def missing_words(stored: StoredGame) -> tuple[Seat, ...]:
    """The seats whose word is not fixed yet."""
    return tuple(Seat(row.seat) for row in stored.table.seats if row.seat not in stored.table.joined)


def is_complete(stored: StoredGame) -> bool:
    """True if every place is taken and every word fixed."""
    return not missing_words(stored) and len(stored.table.seats) >= stored.table.places


def fixed_word(word: str) -> str:
    """A word as it is hashed, kept and mailed."""
    return clean_text(word, LONGEST)


def with_answer(
    stored: StoredGame, seat: Seat, joined: Sequence[str], declined: Sequence[str], word: str
) -> StoredGame:
    """The table after one more answer to its invitation. Who declines leaves no word behind."""
    table = replace(stored.table, joined=tuple(joined), declined=tuple(declined))
    given = {who: one for who, one in stored.secrets.words.items() if who != seat}
    if seat in joined:
        given[str(seat)] = fixed_word(word)
    return replace(stored, table=table, secrets=replace(stored.secrets, words=given))
