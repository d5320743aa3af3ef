"""The source of an export: a stored game with all its records and commits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import game as games
from engine.game import AnyGame
from pbem.store.commit_record import Record, read_records
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import Status
from pbem.store.private_text import PrivateText, fill_text, hold_reason
from pbem.store.state_file import StoredGame


@dataclass(frozen=True, slots=True)
class GameSource:
    """One game. `commits` maps record numbers to the commit's id and public first line.

    `addresses` are those of the seats; they go into an export only with `open_hand`.
    """

    game: AnyGame
    stored: StoredGame
    records: tuple[Record, ...]
    commits: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    addresses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    open_hand: bool = False

    @property
    def over(self) -> bool:
        """Whether the game is over, so that everything may be known."""
        return self.stored.table.status is Status.ENDED

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, clockwise."""
        return tuple(row.seat for row in self.stored.table.seats)

    def since(self, seat: str) -> int:
        """The record with which the present holder took the seat, by the intents of the records."""
        before = self.stored.table.seat(seat).generation - 1
        mails = ((one.number, mail) for one in self.records for mail in one.intents if mail.seat == seat)
        took = (number for number, mail in mails if mail.handed == before)
        return next(took, len(self.records) + 1) if before else 0

    def addressed(self) -> dict[str, str]:
        """The seat of each address."""
        return {address.lower(): seat for seat, known in self.addresses.items() for address in known}

    def state(self) -> Any:
        """The last position; None before the game begins."""
        return self.game.load(self.stored.game, self.stored.hidden) if self.stored.game else None


def read_source(
    repo: GameRepo, find: Callable[[str], AnyGame] = games.find_game, words: PrivateText | None = None
) -> GameSource:
    """Read a game with its secrets, and with people's words if given. Raises LookupError, PositionError, StoreError."""
    head = repo.head
    stored = StoredGame.read(repo, head)
    commits = {
        int(commit.trailers["Record"]): (commit.id, commit.subject)
        for commit in repo.log(start=head)
        if commit.trailers.get("Record", "").isdecimal()
    }
    found = read_records(repo, upto=stored.table.records, commit=head)
    chronicle = tuple(fill_text(words, stored.table.game, record) for record in found)
    stored = replace(stored, table=replace(stored.table, reason=hold_reason(words, stored.table)))
    return GameSource(find(stored.table.kind), stored, chronicle, commits)
