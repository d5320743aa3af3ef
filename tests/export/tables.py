"""Whole random games as an export reads them, made in memory: no repository, no mail."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest

from engine.chance import SeededChance, commitment, words_hash
from engine.game import AnyGame, Seat, find_game, games
from pbem.desk.core.game_start import OPENING
from pbem.export.audience import Audience
from pbem.export.document import Data, export_document
from pbem.export.game_source import GameSource
from pbem.export.visible_position import apply_change
from pbem.store.commit_record import Record
from pbem.store.game_table import SeatRow, Secrets, Status, Table
from pbem.store.state_file import StoredGame

NAMES = ("Anna", "Faye", "Geoffrey", "Emily")
KINDS = tuple(sorted(games()))
BEGIN = datetime(2026, 11, 1, 12, tzinfo=UTC)
LONGEST = 900

NUMBERS = (*range(4), *(pytest.param(number, marks=pytest.mark.soak) for number in range(4, 8)))
"""Games of the sample, one with each number of players; twice as many in the soak."""

Pick = Callable[[AnyGame, Any, Seat, int], Any]
"""An order for a seat, by how many were given before."""


def table(
    kind: str, players: int, seed: int, *, stop: int = 0, options: Mapping[str, str] | None = None,
    game: AnyGame | None = None, pick: Pick | None = None,
) -> GameSource:  # fmt: skip
    """The game of that seed, played to its end or until it has `stop` records; any legal orders, or those of `pick`."""
    rules, rng, secret = game or find_game(kind), random.Random(seed), seed.to_bytes(32, "big")
    seats = {Seat(name.lower()): name for name in NAMES[:players]}
    words = {"host": "mill", **{str(seat): f"word of {name}" for seat, name in seats.items()}}
    chance = SeededChance(secret, list(words.values()), f"{kind}-1")
    chosen = rules.settle_options(players, dict(options or {}))
    step, at, count = rules.start(seats, chosen, chance), BEGIN, 0
    made: list[Record] = []

    def keep(what: str, seat: str = "", **more: Any) -> None:
        nonlocal count
        first = count + 1 if step.entries else 0
        made.append(
            Record(len(made) + 1, at, what, "0.1", seat, first=first, entries=step.entries, reveals=step.reveals, **more)
        )
        count += len(step.entries)

    fixed = {"words": words, "hash": words_hash(tuple(words.values()))}
    keep("start", also={OPENING: fixed})
    for _ in range(LONGEST):
        asked = [one for one in rules.waiting(step.state) if not one.answered] or list(rules.waiting(step.state))
        if not asked or len(made) == stop:
            break
        state, seat = step.state, asked[0].seat
        if pick is not None:
            order = pick(rules, state, seat, len(made))
        else:
            text = next(iter(rules.reference.every(state, seat, [rng.randrange(1 << 30) for _ in range(64)])))
            order = rules.read(state, seat, text).order
        step = rules.apply(state, seat, order, chance)
        at += timedelta(hours=rng.randrange(1, 30))
        keep("letter", str(seat), private={"orders": [rules.write(state, seat, order, "en")]})
    public, hidden = rules.dump(step.state)
    status = Status.RUNNING if rules.waiting(step.state) else Status.ENDED
    rows = tuple(SeatRow(str(seat), name) for seat, name in seats.items())
    top = Table(
        f"{kind}-1", kind, status, "0.1", rules.schema, chosen, rows, BEGIN, at, commitment(secret, "mill"),
        len(made), count, 1000, joined=tuple(row.seat for row in rows),
    )  # fmt: skip
    stored = StoredGame(top, Secrets(secret.hex(), words), public, hidden)
    commits = {record.number: (f"{record.number:040x}", f"record {record.number}") for record in made}
    return GameSource(rules, stored, tuple(made), commits)


def positions(found: Data) -> Iterator[Data]:
    """The position after every step of a document."""
    shown: Data = {}
    for row in found["records"]:
        for step in row["steps"]:
            shown = apply_change(shown, step.get("change", {}), step.get("gone", ()))
            yield shown


@cache
def sample(kind: str, number: int) -> GameSource:
    """The games of the seeded sample: 2, 3, 4 players and 1 in turn. Played once: nothing of a source is changed."""
    return table(kind, (2, 3, 4, 1)[number % 4], 100 + number)


def exported(kind: str, number: int, sight: Audience) -> Data:
    """A document of the sample, to be changed as one likes; what positions promised is left out (tests/export/test_worth.py)."""
    found: Data = pickle.loads(_pickled(kind, number, sight))
    return found


@cache
def _pickled(kind: str, number: int, sight: Audience) -> bytes:
    return pickle.dumps(export_document(sample(kind, number), sight, valued=False))
