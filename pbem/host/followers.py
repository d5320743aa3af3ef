"""Who follows a table without sitting there: an address, and what was mailed to it last.

A file a table in the folder `followers` of the host's mail folder, mode 0600. Nobody stands there who has not asked for
it and answered the question whether it was they, or has a key of this host.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import PositionError
from pbem.store import tables
from pbem.store.durable import replace_file
from pbem.store.fields import Count, read, write


@dataclass(frozen=True, slots=True)
class Follower:
    """Somebody who follows a table: `stage` is the one that was mailed last, `heard` the record until which.

    `language` is empty until they have chosen one, which then is that of all tables that they follow.
    """

    address: str
    stage: str = ""
    heard: Count = 0
    language: str = ""


@dataclass(frozen=True, slots=True)
class _File:
    """The followers of a table."""

    followers: tuple[Follower, ...] = ()


class Followers:
    """The followers of every table, under `folder`/followers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "followers"

    def games(self) -> tuple[str, ...]:
        """Every table that somebody follows."""
        if not self.folder.is_dir():
            return ()
        return tuple(sorted(name[: -len(".toml")] for name in os.listdir(self.folder) if name.endswith(".toml")))  # noqa: PTH208

    def of(self, game: str) -> tuple[Follower, ...]:
        """Those of a table. Raises PositionError for a file that does not hold together."""
        path = self.folder / f"{game}.toml"
        try:
            return read(_File, tables.parse(path.read_bytes(), str(path)), f"{path}: ").followers
        except FileNotFoundError:
            return ()

    def followed(self, address: str) -> tuple[str, ...]:
        """The tables that an address follows."""
        return tuple(self._rows(address))

    def spoken(self, address: str) -> str:
        """The language that a follower has chosen; empty where they have chosen none."""
        return next((one.language for one in self._rows(address).values() if one.language), "")

    def speak(self, address: str, language: str) -> None:
        """A follower's language at all tables that they follow."""
        for game, one in self._rows(address).items():
            self.keep(game, replace(one, language=language))

    def _rows(self, address: str) -> dict[str, Follower]:
        found: dict[str, Follower] = {}
        for game in self.games():
            # A file that cannot be read stops no letter.
            with suppress(PositionError):
                found.update((game, one) for one in self.of(game) if one.address == address)
        return found

    def keep(self, game: str, fresh: Follower) -> None:
        """Somebody follows a table, or was mailed something new. A crash leaves the old file or the new one, whole."""
        self._write(game, (*(one for one in self.of(game) if one.address != fresh.address), fresh))

    def drop(self, game: str, address: str = "") -> None:
        """Somebody follows a table no more; without an address nobody does."""
        self._write(game, tuple(one for one in self.of(game) if address and one.address != address))

    def forget(self, address: str) -> None:
        """Somebody follows nothing any more."""
        for game in self.followed(address):
            self.drop(game, address)

    def _write(self, game: str, ones: tuple[Follower, ...]) -> None:
        path = self.folder / f"{game}.toml"
        if not ones:
            path.unlink(missing_ok=True)
            return
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(path, tables.write(write(_File(ones))))
