"""A game at rest: its rules, stored table, position and past."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from engine.game import AnyGame, Decision, Seat
from engine.reference import CardText
from pbem.clocks.availability import UTC, Availability, parse_quiet_hours
from pbem.clocks.time_zones import zone_of
from pbem.desk.core.services import Services
from pbem.host.people import Holder
from pbem.store.commit_record import Record, read_records
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import SeatRow, Status
from pbem.store.private_text import PrivateText, fill_text
from pbem.store.state_file import StoredGame

STOPPED = frozenset({Status.HELD, Status.ABANDONED, Status.ENDED})
"""States in which nobody is asked anything."""

OVER = frozenset({Status.ENDED, Status.ABANDONED})
"""States in which a table is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A game at rest. `state` is None before it begins; `kept` is None before it has a repository.

    Without `services` nothing is known of people and of what they wrote.
    """

    game: AnyGame
    stored: StoredGame
    state: Any
    kept: GameRepo | None = None
    newest: tuple[Record, ...] = ()
    """The record that mails are written for, not committed yet."""
    services: Services | None = None
    tables: Callable[[Seat], tuple[CardText, ...]] | None = None
    """The other open games of a seat's holder."""
    kept_at: Callable[[str], Any] | None = None
    """The position at a commit with secrets, if it is still in memory."""

    @classmethod
    def loaded(cls, services: Services, stored: StoredGame, repo: GameRepo) -> Context:
        """The game with the position of its files. Raises PositionError."""
        game = services.find(stored.table.kind)
        state = game.load(stored.game, stored.hidden) if stored.game else None
        return cls(game=game, stored=stored, state=state, kept=repo, services=services)

    @property
    def repo(self) -> GameRepo:
        """The game's repository. Raises StoreError for a game that has none yet."""
        if self.kept is None:
            raise StoreError(f"{self.stored.table.game} has no repository yet")
        return self.kept

    @property
    def words(self) -> PrivateText | None:
        """The store of private texts."""
        return self.services.spool.words if self.services else None

    def achievements(self, seat: Seat) -> tuple[CardText, ...]:
        """The achievements of a seat's holder."""
        if self.services is None:
            return ()
        table = self.stored.table
        addresses = self.services.people.holder(table.game, seat).addresses
        return self.services.achievements.listing(table.kind, addresses)

    def language(self, seat: str) -> str:
        """The language of a seat's holder."""
        return self.services.people.language(self.stored.table.game, seat) if self.services else "en"

    def games(self, seat: Seat) -> tuple[CardText, ...]:
        """The other open games of a seat's holder."""
        return self.tables(seat) if self.tables else ()

    def zone(self, seat: Seat) -> ZoneInfo:
        """The time zone of a seat's holder."""
        return self.services.zone_of(self.stored.table.game, seat) if self.services else UTC

    def past(self, after: int) -> Sequence[Record]:
        """The records after number `after`, with private texts."""
        if self.kept is None:
            return self.newest
        table, upto = self.stored.table, self.stored.table.records - len(self.newest)
        kept = read_records(self.kept, after, upto=upto, commit=self.stored.commit, secret=not self.stored.public)
        return (*(fill_text(self.words, table.game, record) for record in kept), *self.newest)

    def commit_of(self, record: int) -> str:
        """The commit that holds a record; empty for one that is not in the repository."""
        if self.kept is None or record < 1:
            return ""
        found = (one for one in self.kept.log(start=self.stored.commit) if one.trailers.get("Record") == str(record))
        return next((one.id for one in found), "")

    def read(self, commit: str) -> StoredGame:
        """What was stored at a commit."""
        return (StoredGame.read_public if self.stored.public else StoredGame.read)(self.repo, commit)

    def position_at(self, commit: str) -> Any:
        """The position at a commit; None before the game began."""
        if self.kept_at is not None and (known := self.kept_at(commit)) is not None:
            return known
        stored = self.read(commit)
        return self.game.load(stored.game, stored.hidden) if stored.game else None

    def then(self, stored: StoredGame, state: Any, record: Record) -> Context:
        """The game as it will be with one more record."""
        # The past is read at the present commit.
        return replace(self, stored=replace(stored, commit=self.stored.commit), state=state, newest=(record,))

    def waiting(self) -> tuple[Decision, ...]:
        """The open decisions; none unless the game is running."""
        if self.state is None or self.stored.table.status in STOPPED:
            return ()
        return self.game.waiting(self.state)

    def asked(self, seat: Seat) -> Decision | None:
        """What a seat is asked."""
        return next((decision for decision in self.waiting() if decision.seat == seat), None)

    def names(self) -> dict[Seat, str]:
        """Seats, clockwise, with their display names."""
        return {Seat(row.seat): row.name for row in self.stored.table.seats}


def hours_of(zone: ZoneInfo, holder: Holder | None, row: SeatRow) -> Availability:
    """The hours of a seat's holder; `zone` by default."""
    own = zone_of(holder.zone) if holder and holder.zone else zone
    return Availability(own, parse_quiet_hours(holder.quiet if holder else ""), row.away)


def asked_of(game: AnyGame, state: Any, seat: Seat) -> Decision | None:
    """What a seat is asked in a position."""
    return next((decision for decision in game.waiting(state) if decision.seat == seat), None)
