"""The dice of a game, checked: its seed against the published hash, every recorded draw against the seed.

What this cannot show is whether the host has read the seed meanwhile (SECURITY.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.chance import Derived
from engine.chance import Purpose
from engine.chance import fingerprint
from engine.chronicle import Entry
from pbem.desk.dealing import HOST
from pbem.store.record import Record
from pbem.store.record import records
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.table import Status
from pbem.undo import EPOCH


class NotOver(Exception):  # noqa: N818 - a refusal, not a defect
    """The seed of a game that goes on is not looked at unasked."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was checked and what differs. `running`: the game was not over, so its secrets were read."""

    game: str
    published: str
    seed_fits: bool
    epoch: int
    rolls: int
    shuffles: int
    differences: tuple[str, ...]
    running: bool = False
    redraws: tuple[tuple[int, str], ...] = ()
    """The records after which the moderator has had the dice drawn anew, each with its reason."""

    @property
    def holds(self) -> bool:
        """Whether every number is what it must be."""
        return self.seed_fits and not self.differences


@dataclass(frozen=True, slots=True)
class Draw:
    """One recorded draw: what for, and the numbers; `sides` 0 marks a shuffle."""

    purpose: str
    numbers: tuple[int, ...]
    sides: int


def check(repo: GameRepo, reveal: bool = False) -> Proof:
    """Check a game. Raises NotOver for one that goes on unless `reveal`; PositionError, StoreError."""
    stored = Stored.read_public(repo)
    running = stored.table.status is not Status.ENDED
    if running and not reveal:
        raise NotOver(
            f"{repo.name} is not over, and its seed stays unread until then; with --reveal it is checked all the same, "
            "and the table is told that you have looked"
        )
    # Of a game that is over everything is public; of another, somebody has asked for it.
    whole = Stored.read(repo)
    return proof_of(whole, tuple(records(repo, upto=whole.table.records)), first_hash(repo), running)


def first_hash(repo: GameRepo) -> str:
    """The hash of the seed as the game's first commit published it."""
    first = ""
    for commit in repo.log():
        first = commit.id
    return Stored.read_public(repo, first).table.seed_hash


def proof_of(stored: Stored, chronicle: Sequence[Record], published: str, running: bool = False) -> Proof:
    """Compare what the records say was drawn with what seed, words and purposes give."""
    table, secrets = stored.table, stored.secrets
    seed, words = _told(chronicle) or (secrets.seed, secrets.words)
    fits = fingerprint(bytes.fromhex(seed)) == published == table.seed_hash
    told = [words.get(HOST, ""), *(words.get(row.seat, "") for row in table.seats)]
    redraws = [(record.number, record.note) for record in chronicle if EPOCH in record.also]
    epochs = {record.number: int(record.also[EPOCH]) for record in chronicle if EPOCH in record.also}
    epoch = 0 if redraws else secrets.epoch
    chance = Derived(bytes.fromhex(seed), told, table.game, epoch)
    seen: set[Purpose] = set()
    differences: list[str] = []
    rolls = shuffles = 0
    for record in chronicle:
        if record.number in epochs:
            epoch = epochs[record.number]
            chance = Derived(bytes.fromhex(seed), told, table.game, epoch)
        for draw in (found for one in record.entries for found in draws(one)):
            place = f"record {record.number}, {draw.purpose}"
            try:
                purpose = Purpose.parse(draw.purpose)
            except ValueError:
                differences.append(f"{place}: no such purpose")
                continue
            # A number left out would let a host choose among several draws.
            if purpose.n > 1 and Purpose(purpose.round, purpose.kind, purpose.seat, purpose.n - 1) not in seen:
                differences.append(f"{place}: the draw before it, number {purpose.n - 1}, was never recorded")
            seen.add(purpose)
            if draw.sides:
                rolls += 1
                expected = chance.roll(purpose, len(draw.numbers), draw.sides)
            else:
                shuffles += 1
                expected = chance.order(purpose, len(draw.numbers))
            if expected != draw.numbers:
                differences.append(f"{place}: {_listed(draw.numbers)} is recorded, the seed gives {_listed(expected)}")
    if epoch != secrets.epoch:
        differences.append(f"the dice are drawn with epoch {secrets.epoch}, the records say {epoch}")
    end = (tuple(differences), running, tuple(redraws))
    return Proof(table.game, published, fits, secrets.epoch, rolls, shuffles, *end)


def _told(chronicle: Sequence[Record]) -> tuple[str, dict[str, str]] | None:
    """Seed and words as the last record of a finished game published them."""
    for record in reversed(chronicle):
        if "seed" in record.also:
            return str(record.also["seed"]), {str(seat): str(word) for seat, word in record.also["words"].items()}
    return None


def draws(entry: Entry) -> Iterator[Draw]:
    """Every draw an entry records, wherever in it: a table with `draw` and `shown` (a roll) or `order` (a shuffle)."""
    for part in (entry.data, *entry.only.values(), entry.hidden):
        yield from _inside(part)


def _inside(value: Any) -> Iterator[Draw]:
    if isinstance(value, dict):
        if isinstance(value.get("draw"), str):
            if "order" in value:
                yield Draw(value["draw"], tuple(value["order"]), 0)
            else:
                yield Draw(value["draw"], tuple(value.get("shown", ())), int(value.get("sides", 6)))
        for part in value.values():
            yield from _inside(part)
    elif isinstance(value, list):
        for part in value:
            yield from _inside(part)


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(str(number) for number in numbers) or "nothing"
