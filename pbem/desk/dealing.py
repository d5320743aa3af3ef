"""Dealing: the words that the dice depend on, and the start of a game once all of them are fixed."""

from __future__ import annotations

from collections.abc import Sequence
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
    return tuple(Seat(row.seat) for row in stored.table.seats if row.seat not in stored.table.joined)


def answered(stored: Stored, seat: Seat, joined: Sequence[str], declined: Sequence[str], word: str) -> Stored:
    """The table after one more answer to its invitation: who has joined, who has declined, the seat's word."""
    also = {**stored.table.also, "joined": list(joined), "declined": list(declined)}
    words = {who: one for who, one in stored.secrets.words.items() if who != seat}
    if seat in joined:
        words[str(seat)] = word
    return replace(stored, table=replace(stored.table, also=also), secrets=replace(stored.secrets, words=words))
