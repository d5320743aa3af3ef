"""Who plays a seat: a person, or a computer of some level."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import cache

from engine.catalog import Msg, T
from engine.chance import Chance, SeededChance, SubStream
from engine.game import AnyGame, Decision, Seat, find_game
from engine.levels import MOST, SEATED_LEVELS, Player, Strong, find_level, level_text
from pbem.desk.core.game_start import drawn_as
from pbem.store.game_table import SeatRow
from pbem.store.state_file import StoredGame

IN_SECONDS = re.compile(r"strong:([0-9]{1,3}(?:\.[0-9]{1,2})?) ?s")
"""A level by the seconds it may think for each decision."""
EARLY, MEASURED = 8, 24
"""Answers before the decision whose time is measured, and its simulations."""
PERSON, COMPUTER = "person", "computer"
"""Who a seat is played by, in its row."""

SUBSTITUTE_LEVEL = "steady"
"""The level of a computer that sits in for somebody."""


def parse_level(text: str) -> str:
    """The name of a level, `strong:2s` included. Raises NotAllowed naming all levels."""
    name = text.strip().lower()
    return name if _seconds(name) else find_level(text, SEATED_LEVELS).name


def level_at(text: str, game: AnyGame) -> str:
    """The name of a level as a seat records it. Raises NotAllowed.

    Seconds a decision become the simulations that this machine makes in them now, so that the same seed gives the same
    game.
    """
    name = parse_level(text)
    seconds = _seconds(name)
    return Strong(max(1, min(MOST, int(seconds / _lasts(game.kind))))).name if seconds else name


def _seconds(name: str) -> float:
    """The seconds of a level that is given in them; 0 for any other."""
    found = IN_SECONDS.fullmatch(name)
    return float(found[1]) if found else 0.0


@cache
def _lasts(kind: str) -> float:
    """Processor seconds of one simulation early in a game."""
    game = find_game(kind)
    players = min(game.seats, key=lambda count: abs(count - 3))
    chance, thinking = SeededChance(b"", (), "measure"), game.thinking
    seats = {Seat(f"seat{at}"): str(at) for at in range(players)}
    state = game.start(seats, game.settle_options(players, {}), chance).state
    for _ in range(EARLY):
        if (asked := thinking.asked(state)) is not None:
            state = thinking.after(state, asked[0], thinking.likely(state, asked[0]), chance)
    asked = thinking.asked(state)
    begun = time.process_time()
    if asked is not None:
        Strong(MEASURED).consider(game, state, asked[0], chance)
    return max(1e-6, (time.process_time() - begun) / MEASURED)


def level_of(row: SeatRow) -> Player:
    """The level that plays a seat."""
    return find_level(row.level or next(iter(SEATED_LEVELS)), SEATED_LEVELS)


def computer_text(row: SeatRow) -> Msg:
    """A computer's seat in words."""
    return T("{name} (level {level})", name=row.name, level=level_text(level_of(row).name))


def by_person(row: SeatRow) -> SeatRow:
    """The row of a seat that its person plays again."""
    return replace(row, by=PERSON, level="")


def return_text(name: str) -> Msg:
    """That somebody plays again."""
    return T("{name} plays again; the computer has left the seat.", name=name)


def with_row(stored: StoredGame, fresh: SeatRow) -> StoredGame:
    """The table with one row changed."""
    rows = tuple(fresh if row.seat == fresh.seat else row for row in stored.table.seats)
    return replace(stored, table=replace(stored.table, seats=rows))


def computer_chance(stored: StoredGame, asked: Decision) -> Chance:
    """The chance a computer picks with at one decision, apart from every draw of the game."""
    secrets = stored.secrets
    own = SeededChance(bytes.fromhex(secrets.seed), (), f"computer {drawn_as(stored.table)}", secrets.epoch)
    return SubStream(own, f"{asked.seat}-{asked.number}")
