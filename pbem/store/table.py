"""What a game's files say besides the position: the table, its seats, and what stays hidden until the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from engine.chronicle import Data
from engine.errors import PositionError
from pbem.store.fields import StoredTable


class Status(StrEnum):
    """Where a table is in its life."""

    GATHERING = "gathering"
    RUNNING = "running"
    ENDED = "ended"
    HELD = "held"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat as the table sees it. `by` is person or computer; `told` the last entry its mails have told."""

    seat: str
    name: str
    by: str = "person"
    told: int = 0
    also: Data = field(default_factory=dict)

    def to_data(self) -> Data:
        found: Data = {"seat": self.seat, "name": self.name, "by": self.by, "told": self.told}
        return found | ({"also": self.also} if self.also else {})

    @classmethod
    def from_fields(cls, row: StoredTable) -> SeatRow:
        seat, name, by = row.text("seat"), row.text("name"), row.text("by", "person")
        found = cls(seat, name, by, row.number("told", 0), row.data("also"))
        row.done()
        return found


@dataclass(frozen=True, slots=True)
class Table:
    """What everybody may know of a table. Seats stand clockwise.

    `engine` is the version that wrote the position, `game_schema` that of the game's own tables; `records`,
    `entries` and `decisions` are the last numbers given; `reason` says why a game is held; `commitment` is the hash
    over seed and host's word that was published before anybody's word was known.
    """

    game: str
    kind: str
    status: Status
    engine: str
    game_schema: int
    options: dict[str, str]
    seats: tuple[SeatRow, ...]
    opened: datetime
    changed: datetime
    commitment: str = ""
    records: int = 0
    entries: int = 0
    decisions: int = 0
    reason: str = ""
    also: Data = field(default_factory=dict)

    @property
    def joined(self) -> tuple[str, ...]:
        """The seats that have taken up their invitation, or needed none."""
        return tuple(self.also.get("joined", ()))

    @property
    def declined(self) -> tuple[str, ...]:
        """The seats whose holders have said no, before the game; they may still join."""
        return tuple(self.also.get("declined", ()))

    def seat(self, handle: str) -> SeatRow:
        """The row of a seat. Raises KeyError."""
        for row in self.seats:
            if row.seat == handle:
                return row
        raise KeyError(handle)

    def to_data(self) -> Data:
        found: Data = {"game": self.game, "kind": self.kind, "status": str(self.status)}
        if self.reason:
            found["reason"] = self.reason
        found |= {
            "engine": self.engine,
            "game_schema": self.game_schema,
            "opened": self.opened.astimezone(UTC),
            "changed": self.changed.astimezone(UTC),
            "commitment": self.commitment,
            "records": self.records,
            "entries": self.entries,
            "decisions": self.decisions,
            "options": self.options,
            "seats": [row.to_data() for row in self.seats],
        }
        return found | ({"also": self.also} if self.also else {})

    @classmethod
    def from_fields(cls, top: StoredTable) -> Table:
        word = top.text("status")
        if word not in list(Status):
            raise PositionError(f"is {word!r}; one of {', '.join(Status)} is needed", top.where("status"))
        table = cls(
            game=top.text("game"),
            kind=top.text("kind"),
            status=Status(word),
            engine=top.text("engine"),
            game_schema=top.number("game_schema"),
            options=top.words("options"),
            seats=tuple(SeatRow.from_fields(row) for row in top.subs("seats")),
            opened=top.moment("opened"),
            changed=top.moment("changed"),
            commitment=top.text("commitment", ""),
            records=top.number("records"),
            entries=top.number("entries"),
            decisions=top.number("decisions"),
            reason=top.text("reason", ""),
            also=top.data("also"),
        )
        top.done()
        return table


@dataclass(frozen=True, slots=True)
class SeatSecret:
    """What a seat's tokens are made of (hexadecimal), and how often its holder has changed."""

    secret: str
    generation: int = 0


@dataclass(frozen=True, slots=True)
class Secrets:
    """The seed (hexadecimal), the players' words by seat, the epoch, the seats' secrets, and what others keep here."""

    seed: str = ""
    words: dict[str, str] = field(default_factory=dict)
    epoch: int = 0
    seats: dict[str, SeatSecret] = field(default_factory=dict)
    also: Data = field(default_factory=dict)

    def to_data(self) -> Data:
        found: Data = {"chance": {"seed": self.seed, "epoch": self.epoch, "words": self.words}}
        found["seats"] = {name: {"secret": s.secret, "generation": s.generation} for name, s in self.seats.items()}
        return found | ({"also": self.also} if self.also else {})

    @classmethod
    def from_fields(cls, top: StoredTable) -> Secrets:
        chance = top.sub("chance")
        seats = {}
        for name, row in top.named("seats").items():
            seats[name] = SeatSecret(row.text("secret"), row.number("generation", 0))
            row.done()
        found = cls(chance.text("seed"), chance.words("words"), chance.number("epoch"), seats, top.data("also"))
        chance.done()
        return found
