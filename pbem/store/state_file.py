"""The two files of a position: `state.toml`, all that the table can see, and `secret.toml`, all that it may not.

A repair is an edit of the first. `game` and `hidden` are the two halves of `Game.dump`, whose content only the game
knows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.errors import PositionError
from engine.event_log import Data
from pbem.store import toml_format
from pbem.store.commit_record import Record
from pbem.store.data_codec import from_data, to_data, upgrade_schema
from pbem.store.game_table import SeatRow, Secrets, Table
from pbem.store.lru import LruCache
from pbem.store.schema import SCHEMA, SECRET_STEPS, STATE_STEPS

if TYPE_CHECKING:
    from pbem.store.game_repo import GameRepo
    from pbem.store.game_store import GameStore

STATE_FILE = "state.toml"
SECRET_FILE = "secret.toml"
MAX_PARSED = 128
"""How many positions stay parsed."""


@dataclass(frozen=True, slots=True)
class _State:
    """`state.toml`."""

    table: Table
    game: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Secret:
    """`secret.toml`."""

    secrets: Secrets
    game: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A position with the commit it was read from. `public`: the secrets were not opened.

    Readers share it: make a changed copy, never change the tables inside.
    """

    table: Table
    secrets: Secrets
    game: Data = field(default_factory=dict)
    hidden: Data = field(default_factory=dict)
    commit: str = ""
    public: bool = False

    @property
    def rows(self) -> tuple[SeatRow, ...]:
        """The seats' rows, with what the secrets add of their mails."""
        mailed = self.secrets.mailed
        return tuple(
            row
            if (known := mailed.get(row.seat)) is None
            else replace(row, told=known.told, heard=known.heard, thread=known.thread)
            for row in self.table.seats
        )

    def files(self) -> dict[str, bytes]:
        """The two files by name. Raises PositionError for values that TOML does not have."""
        state = {"schema": SCHEMA, "table": to_data(self.table), "game": self.game}
        secret = {"schema": SCHEMA, "secrets": to_data(self.secrets), "game": self.hidden}
        return {
            STATE_FILE: toml_format.toml_bytes(state, f"{STATE_FILE}: "),
            SECRET_FILE: toml_format.toml_bytes(secret, f"{SECRET_FILE}: "),
        }

    @classmethod
    def from_toml(cls, state: bytes, secret: bytes | None, commit: str = "") -> StoredGame:
        """The position of two files; None leaves the secrets out. Raises PositionError with the wrong value's path."""
        data = upgrade_schema(toml_format.parse_toml(state, STATE_FILE), SCHEMA, STATE_STEPS, STATE_FILE)
        top = from_data(_State, data, f"{STATE_FILE}: ")
        if secret is None:
            return cls(top.table, Secrets(), top.game, {}, commit, public=True)
        data = upgrade_schema(toml_format.parse_toml(secret, SECRET_FILE), SCHEMA, SECRET_STEPS, SECRET_FILE)
        hidden = from_data(_Secret, data, f"{SECRET_FILE}: ")
        return cls(top.table, hidden.secrets, top.game, hidden.game, commit)

    @classmethod
    def read(cls, repo: GameRepo, commit: str | None = None) -> StoredGame:
        """The position at a commit, or the last. Raises PositionError, Damaged."""
        commit = commit or repo.head
        found: StoredGame | None = _parsed.get(commit)
        if found is None:
            found = cls.from_toml(_file(repo, STATE_FILE, commit), _file(repo, SECRET_FILE, commit), commit)
            _parsed.put(commit, found)
        return found

    @classmethod
    def read_public(cls, repo: GameRepo, commit: str | None = None) -> StoredGame:
        """The position at a commit, or the last, without opening the secrets."""
        commit = commit or repo.head
        known: StoredGame | None = _parsed.get(commit)
        if known is not None:
            return replace(known, secrets=Secrets(), hidden={}, public=True)
        return cls.from_toml(_file(repo, STATE_FILE, commit), None, commit)


def needs_no_clock(store: GameStore, name: str, commit: str) -> bool:
    """Whether certainly no clock concerns a position: none runs, nothing is held, nobody asks for another game.

    The bytes are searched for words, since thousands of tables are checked at once and parsing takes ten times as long.
    A name in TOML is plain where there is no backslash. False where another program wrote a file. Raises Damaged.
    """
    beginning = f"schema = {SCHEMA}\n".encode()
    try:
        files = store.peek(name, commit, STATE_FILE, SECRET_FILE)
    except KeyError:
        return False
    return all(raw.startswith(beginning) and not any(word in raw for word in _CLOCKED) for raw in files)


_CLOCKED = (b"\\", b"clock", b"held", b"again")


def create_game(store: GameStore, stored: StoredGame, record: Record, says: str) -> tuple[GameRepo, StoredGame]:
    """Make the game `stored.table.game` with its first commit. Raises GameExists."""
    stored = _counted(stored, record)
    repo = store.create(stored.table.game, stored.files() | record.files(), record.message(says), record.at)
    return repo, _remembered(stored, repo.head)


def commit_game(
    repo: GameRepo, stored: StoredGame, record: Record, says: str, over: Collection[str] = (), waits: str = ""
) -> StoredGame:
    """Commit the position, the secrets and the record; `says` is the first line of the message, public facts only.

    The record sets the table's counts and its time of change; its numbers must follow on them (ValueError). Under the
    game's lock. Returns the position with its commit, which may wait in a batch (`GameRepo.commit`).
    """
    stored = _counted(stored, record)
    commit = repo.commit(stored.files() | record.files(), record.message(says), at=record.at, over=over, waits=waits)
    return _remembered(stored, commit)


def _counted(stored: StoredGame, record: Record) -> StoredGame:
    table = stored.table
    if record.number != table.records + 1:
        raise ValueError(f"record {record.number} cannot follow on {table.records}")
    if record.entries and record.first != table.entries + 1:
        raise ValueError(f"entry {record.first} cannot follow on {table.entries}")
    entries = table.entries + len(record.entries)
    return replace(stored, table=replace(table, records=record.number, entries=entries, changed=record.at))


def _remembered(stored: StoredGame, commit: str) -> StoredGame:
    stored = replace(stored, commit=commit)
    _parsed.put(commit, stored)
    return stored


def _file(repo: GameRepo, path: str, commit: str) -> bytes:
    try:
        return repo.read(path, commit)
    except KeyError:
        raise PositionError(f"is not in commit {commit[:10]} of {repo.name}", path) from None


_parsed = LruCache(MAX_PARSED)
