"""Who follows a table without sitting there: an address, and what was mailed to it last.

Each table has a file in the folder `followers` of the mail folder. It names only people who have asked for it, and who
have confirmed that it was they, or have a key of this host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import PositionError
from pbem.host.toml_folder import TomlFolder
from pbem.store.data_codec import Count


@dataclass(frozen=True, slots=True)
class Follower:
    """Somebody who follows a table: `stage` is the one mailed last, `heard` the number of the last record in it.

    `language` is the one they have chosen for all tables they follow; empty until then.
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
        self.files = TomlFolder(folder / "followers", _File)

    def games(self) -> tuple[str, ...]:
        return self.files.names()

    def of(self, game: str) -> tuple[Follower, ...]:
        """Those of a table. Raises PositionError for a file that does not hold together."""
        found = self.files.get(game)
        return found.followers if found else ()

    def followed(self, address: str) -> tuple[str, ...]:
        return tuple(game for game, _ in self._rows(address))

    def spoken(self, address: str) -> str:
        """The language that a follower has chosen; empty where they have chosen none."""
        return next((one.language for _, one in self._rows(address) if one.language), "")

    def speak(self, address: str, language: str) -> None:
        """Choose a follower's language, at all tables they follow."""
        for game, one in list(self._rows(address)):
            self.keep(game, replace(one, language=language))

    def _rows(self, address: str) -> Iterator[tuple[str, Follower]]:
        for game in self.games():
            # A file that cannot be read stops no letter.
            with suppress(PositionError):
                yield from ((game, one) for one in self.of(game) if one.address == address)

    def keep(self, game: str, fresh: Follower) -> None:
        """Add a follower to a table, or note what was mailed to one."""
        self._write(game, (*(one for one in self.of(game) if one.address != fresh.address), fresh))

    def drop(self, game: str, address: str = "") -> None:
        """Take one follower of a table away, or all."""
        self._write(game, tuple(one for one in self.of(game) if address and one.address != address))

    def forget(self, address: str) -> None:
        for game in self.followed(address):
            self.drop(game, address)

    def _write(self, game: str, ones: tuple[Follower, ...]) -> None:
        if ones:
            self.files.put(game, _File(ones))
        else:
            self.files.drop(game)
