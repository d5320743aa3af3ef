"""The record of one commit: what it adds to a game's chronicle, as a TOML file, and a second one for secrets.

The files `chronicle/NNNN/NNNNNN.toml`, a hundred a folder, are never changed, so the cost of a letter does not grow
with the game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine.errors import PositionError
from engine.event_log import Data, LogEntry, read_log_entry
from pbem.store import toml_format
from pbem.store.data_codec import Count, Moment, from_data, to_data, upgrade_schema
from pbem.store.git_objects import blob_id
from pbem.store.lru import LruCache
from pbem.store.schema import CLOSED_STEPS, RECORD_STEPS, SCHEMA

if TYPE_CHECKING:
    from pbem.store.game_repo import GameRepo

RECORDS_PER_FOLDER = 100

DAILY_MAIL = "daily"
"""The `what` of a record whose mail goes out together with those of other tables."""

COOLED_MAIL = "cooled"
"""The `what` of a record whose mail waited while a letter could still be replaced."""

NAMING_KEYS = frozenset({"says", "deed"})
"""The keys of `also` that an unnamed record keeps in its secret file: what the writer said, and what they did."""

_RECENT = LruCache(128)
"""The records used last: they never change, and the news of every seat reads the newest ones again."""


@dataclass(frozen=True, slots=True)
class AnsweredLetter:
    """The letter that a record answers: the SHA-256 of its bytes and its place in the mailbox.

    `name` (`Keys.letter`) stands for its sender and Message-ID, which a game takes only once.
    """

    digest: str
    uidvalidity: Count = 0
    uid: Count = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """A mail that a record promises: its seat, kind and decision, and the entries it tells (`first` to `last`).

    `message_id` is its public name (`Table.intent`) and the key of its row in the outbox. The mail's header has another
    one (`Keys.mail`), which is never in the repository. `handed`: how often the seat had changed hands.
    """

    message_id: str
    seat: str = ""
    kind: str = ""
    decision: Count = 0
    first: Count = 0
    last: Count = 0
    handed: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Public:
    """The public file of a record."""

    number: Count
    at: Moment
    what: str
    engine: str
    seat: str = ""
    note: str = ""
    reveals: bool = False
    orders: tuple[str, ...] = ()
    letter: AnsweredLetter | None = None
    intents: tuple[Intent, ...] = ()
    also: Data = field(default_factory=dict)
    first: Count = 0
    entries: list[Data] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Hidden:
    """The secret part of an entry."""

    number: Count
    only: dict[str, Data] = field(default_factory=dict)
    hidden: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Closed:
    """The secret file of a record."""

    private: Data = field(default_factory=dict)
    seat: str = ""
    intents: tuple[Intent, ...] = ()
    also: Data = field(default_factory=dict)
    entries: tuple[_Hidden, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One event of a game. `number` counts the records from 1; `what` is a word: start, letter, repair, undo, …

    `first` numbers the first of `entries` in the whole game (from 1; 0 without entries). `orders` are canonical. `note`
    is public, `private` is not. An `unnamed` record keeps its seat, its mails, and what its writer said in the secret
    file: a sealed answer would tell who has answered, a reminder who has not.
    """

    number: int
    at: datetime
    what: str
    engine: str
    seat: str = ""
    orders: tuple[str, ...] = ()
    first: int = 0
    entries: tuple[LogEntry, ...] = ()
    reveals: bool = False
    letter: AnsweredLetter | None = None
    intents: tuple[Intent, ...] = ()
    note: str = ""
    also: Data = field(default_factory=dict)
    private: Data = field(default_factory=dict)
    unnamed: bool = False

    @property
    def _naming(self) -> frozenset[str]:
        """The keys of `also` that would name the writer; the clock's sentences name nobody."""
        return NAMING_KEYS if self.unnamed and self.seat else frozenset()

    @property
    def last(self) -> int:
        """The number of the last entry; one less than `first` when there are none."""
        return self.first + len(self.entries) - 1

    def to_toml(self) -> tuple[bytes, bytes]:
        """The public and the secret file; the second is empty when nothing is secret."""
        path, hidden = record_paths(self.number)
        parts = {one.name: getattr(self, one.name) for one in fields(_Public)}
        also = {name: part for name, part in self.also.items() if name not in self._naming}
        told: Data = {"seat": "", "intents": (), "also": also} if self.unnamed else {}
        public = to_data(_Public(**parts | {"entries": [one.public() for one in self.entries]} | told))
        secrets = [{"number": self.first + n, **e.secret()} for n, e in enumerate(self.entries) if e.secret()]
        secret: Data = {"schema": SCHEMA, "private": self.private, "entries": secrets}
        if self.unnamed:
            kept = {name: part for name, part in self.also.items() if name in self._naming}
            secret |= {"seat": self.seat, "intents": to_data(self.intents), "also": kept}
        return (
            toml_format.toml_bytes({"schema": SCHEMA, **public}, f"{path}: "),
            toml_format.toml_bytes(secret, f"{hidden}: ") if self.private or secrets or self.unnamed else b"",
        )

    @classmethod
    def from_toml(cls, number: int, public: bytes, secret: bytes = b"") -> Record:
        """Record `number` from its files. Raises PositionError with the path of the wrong value."""
        path, hidden = record_paths(number)
        data = upgrade_schema(toml_format.parse_toml(public, path), SCHEMA, RECORD_STEPS, path)
        top = from_data(_Public, data, f"{path}: ")
        if top.number != number:
            raise PositionError(f"is {top.number}; {number} is needed in this file", f"{path}: number")
        closed = _Closed()
        if secret:
            data = upgrade_schema(toml_format.parse_toml(secret, hidden), SCHEMA, CLOSED_STEPS, hidden)
            closed = from_data(_Closed, data, f"{hidden}: ")
        secrets = {one.number: one for one in closed.entries}
        entries = []
        for n, item in enumerate(top.entries):
            if not isinstance(item.get("kind"), str):
                raise PositionError("is missing; text is needed", f"{path}: entries[{n}].kind")
            found = secrets.pop(top.first + n, None)
            entries.append(read_log_entry(item, {"only": found.only, "hidden": found.hidden} if found else None))
        if secrets:
            raise PositionError(f"names entry {min(secrets)}, which the record does not hold", f"{hidden}: entries")
        parts = {one.name: getattr(top, one.name) for one in fields(top)}
        unnamed = bool(closed.seat or closed.intents)
        parts |= {"entries": tuple(entries), "also": {**top.also, **closed.also}}
        parts |= {"seat": closed.seat, "intents": closed.intents} if unnamed else {}
        return cls(**parts, private=closed.private, unnamed=unnamed)

    def files(self) -> dict[str, bytes]:
        public, secret = self.to_toml()
        _RECENT.put((self.number, blob_id(public), blob_id(secret) if secret else ""), self)
        return {path: raw for path, raw in zip(record_paths(self.number), (public, secret), strict=True) if raw}

    def message(self, says: str) -> str:
        """The commit message: `says` (public facts only) and the trailers."""
        letter = f"Letter: {self.letter.digest}\n" if self.letter else ""
        trailers = f"{letter}Record: {self.number}\nEngine: {self.engine}\nSchema: {SCHEMA}\n"
        return f"{' '.join(says.split())}\n\n{trailers}"

    def fingerprint(self) -> str:
        """A hash that differs between two attempts at the same record number."""
        at = self.at.astimezone(UTC).isoformat()
        parts = (self.number, at, self.what, self.seat, tuple(self.orders), self.letter, tuple(self.intents))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]

    @classmethod
    def read(cls, repo: GameRepo, number: int, commit: str | None = None, secret: bool = True) -> Record:
        """A record of a game; without `secret` the secret file is not opened. Raises KeyError, PositionError."""
        path, hidden = record_paths(number)
        key = (number, repo.id_of(path, commit), repo.id_of(hidden, commit) if secret else "")
        found: Record | None = _RECENT.get(key)
        if found is None:
            found = cls.opened(repo, number, commit, secret)
            _RECENT.put(key, found)
        return found

    @classmethod
    def opened(cls, repo: GameRepo, number: int, commit: str | None = None, secret: bool = True) -> Record:
        """A record of a game, always from its files."""
        path, hidden = record_paths(number)
        closed = secret and repo.id_of(hidden, commit)
        return cls.from_toml(number, repo.read(path, commit), repo.read(hidden, commit) if closed else b"")


def read_records(
    repo: GameRepo, after: int = 0, upto: int | None = None, commit: str | None = None, secret: bool = True
) -> Iterator[Record]:
    """The records after number `after`, in order, up to `upto` or the last."""
    number = after + 1
    while upto is None or number <= upto:
        try:
            yield Record.read(repo, number, commit, secret)
        except KeyError:
            return
        number += 1


def record_paths(number: int) -> tuple[str, str]:
    """The paths of a record's public and secret file. The folders count hundreds: 0000, 0001, …"""
    stem = f"chronicle/{number // RECORDS_PER_FOLDER:04}/{number:06}"
    return f"{stem}.toml", f"{stem}.secret.toml"
