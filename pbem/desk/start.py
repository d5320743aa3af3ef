"""Dealing: the words that the dice depend on, and the start of a game once all of them are fixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.chance import Chance, Derived, words_hash
from engine.chronicle import Data
from engine.game import AnyGame, Seat, Step
from pbem.inbound.speech import relayed
from pbem.store.stored import Stored
from pbem.store.table import Table

HOST = "host"
"""Whose word stands first among the words."""

LONGEST = 100
"""Characters of a word."""

OPENING = "opening"
"""In the `also` of the record that begins a game: `{words, hash}`, every word as it was fixed, before it is dealt."""


def start(game: AnyGame, stored: Stored) -> Step[Any]:
    """Deal: every word is fixed. The chance is `chance_of`."""
    table = stored.table
    first = table.first
    return game.start(
        {Seat(row.seat): row.name for row in table.seats},
        table.options,
        chance_of(stored),
        facts=table.facts,
        first=Seat(first) if first else None,
    )


def begins(game: AnyGame, stored: Stored) -> dict[str, Any]:
    """What a result holds beside when the game is dealt with it."""
    step = start(game, stored)
    return {"state": step.state, "entries": step.entries, "reveals": True, "began": True, "marks": ()}


def chance_of(stored: Stored) -> Chance:
    """The dice of a game: its seed, the host's word, and the players' words in seat order."""
    hidden = stored.secrets
    return Derived(bytes.fromhex(hidden.seed), tuple(words(stored).values()), drawn_as(stored.table), hidden.epoch)


def drawn_as(table: Table) -> str:
    """The name in the purposes of a game's draws: the one it was opened under, whatever it is called now."""
    return table.origin or table.game


def words(stored: Stored) -> dict[str, str]:
    """Every word, the host's first, then the seats' in order; a word that nobody gave is empty."""
    given = stored.secrets.words
    return {who: given.get(who, "") for who in (HOST, *(row.seat for row in stored.table.seats))}


def opening(stored: Stored) -> Data:
    """What the record that begins a game holds of its words: known to all from then on, so that none can change."""
    found = words(stored)
    return {"words": found, "hash": words_hash(tuple(found.values()))}


def uncounted(stored: Stored, seat: str) -> Stored:
    """Without what the person before at a seat was asked with a number, said, was reminded of and let pass, and what
    waits for them."""
    secrets = stored.secrets
    kept: dict[str, Any] = {
        name: {who: value for who, value in getattr(secrets, name).items() if who != seat}
        for name in ("lists", "said", "reminded", "defaults", "mailed", "held", "later")
    }
    return replace(stored, secrets=replace(secrets, **kept))


def missing_words(stored: Stored) -> tuple[Seat, ...]:
    """The seats whose word is not fixed yet."""
    return tuple(Seat(row.seat) for row in stored.table.seats if row.seat not in stored.table.joined)


def is_complete(stored: Stored) -> bool:
    """Whether nobody is awaited: every place is taken, and every word fixed."""
    return not missing_words(stored) and len(stored.table.seats) >= stored.table.places


def fixed(word: str) -> str:
    """A word as it is kept and mailed: what everybody reads must be what is hashed."""
    return relayed(word, LONGEST)


def answered(stored: Stored, seat: Seat, joined: Sequence[str], declined: Sequence[str], word: str) -> Stored:
    """The table after one more answer to its invitation: who has joined, who has declined, the seat's word.

    Whoever declines leaves no word behind.
    """
    table = replace(stored.table, joined=tuple(joined), declined=tuple(declined))
    given = {who: one for who, one in stored.secrets.words.items() if who != seat}
    if seat in joined:
        given[str(seat)] = fixed(word)
    return replace(stored, table=table, secrets=replace(stored.secrets, words=given))
