"""Dealing: the words that the dice depend on, and the start of a game once all of them are fixed."""

from __future__ import annotations

from dataclasses import replace

from engine.chance import Chance
from engine.chance import Derived
from engine.game import Game
from engine.game import Seat
from engine.game import Step
from pbem.store.stored import Stored

HOST = "host"
"""Whose word stands first among the words."""


def start(game: Game, stored: Stored) -> Step:
    """Deal: every word is fixed. The chance is `chance_of`."""
    table = stored.table
    first = table.also.get("first")
    return game.start(
        {Seat(row.seat): row.name for row in table.seats},
        table.options,
        chance_of(stored),
        facts=table.also.get("facts"),
        first=Seat(first) if first else None,
    )


def chance_of(stored: Stored) -> Chance:
    """The dice of a game: its seed, the host's word, and the players' words in seat order."""
    hidden, table = stored.secrets, stored.table
    words = [hidden.words.get(HOST, ""), *(hidden.words.get(row.seat, "") for row in table.seats)]
    return Derived(bytes.fromhex(hidden.seed), words, table.game, hidden.epoch)


def missing_words(stored: Stored) -> tuple[Seat, ...]:
    """The seats whose word is not fixed yet."""
    joined = stored.table.also.get("joined", [])
    return tuple(Seat(row.seat) for row in stored.table.seats if row.seat not in joined)


def joined(stored: Stored, seat: Seat, word: str) -> Stored:
    """The table with one more word fixed."""
    also = {**stored.table.also, "joined": [*stored.table.also.get("joined", []), str(seat)]}
    words = {**stored.secrets.words, str(seat): word}
    return replace(stored, table=replace(stored.table, also=also), secrets=replace(stored.secrets, words=words))
