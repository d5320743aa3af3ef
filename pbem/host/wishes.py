"""What somebody has asked this host for in a letter that does not prove who wrote it: it waits for an answer.

A file a wish in the folder `wishes` of the host's mail folder, mode 0600, with the address that the question went to.
It is done once a letter has come from that address with the key of the question; who asks may have forged it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from engine.errors import PositionError
from pbem.host.keys import Keys, Token, mailbox_of
from pbem.store import tables
from pbem.store.durable import replace_file
from pbem.store.fields import Count, Moment, read, write

GAME = "wish"
"""What stands for a game in the key of a question; no game is called so, since their names end in a number."""

KEPT = timedelta(days=7)
"""For how long a question may be answered."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks this host for something, by an address and a name; `mark` is that of the letter (`Keys.letter`).

    `language` is that of their letter, for whoever has chosen none.
    """

    address: str
    name: str
    mark: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One wish: who is said to have it, and the line that says it."""

    number: Count
    asker: Asker
    line: str
    at: Moment


class Wishes:
    """The wishes under `folder`/wishes."""

    def __init__(self, folder: Path, keys: Keys) -> None:
        self.folder = folder / "wishes"
        self._keys = keys

    def ask(self, digest: str, asker: Asker, line: str, now: datetime) -> Token:
        """Keep the wish of a letter, again the same, and forget those that nobody has answered; the key that answers
        the question. A crash leaves a wish that nobody was asked about, or none."""
        self.forget(now - KEPT)
        number = int(digest[:7], 16)
        while (other := self._read(self._path(number))) and not _same(other, asker, line):
            number += 1
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._keep(Wanted(number, asker, line, now))
        return self._keys.token(GAME, asker.address, 1, number)

    def answered(self, tokens: Iterable[Token], sender: str) -> Wanted | None:
        """The wish that a letter of its address answers; None when there is none, or no more."""
        for token in tokens:
            if token.game == GAME and self._keys.fits(token, sender, 1):
                found = self._read(self._path(token.decision))
                if found is not None and found.asker.address == sender:
                    return found
        return None

    def waits(self, address: str, line: str, mark: str, since: datetime) -> bool:
        """Whether a mailbox has been asked the same since then, for another letter than the one of this mark."""
        same = (one for one in self._all() if one.line == line and one.asker.mark != mark and one.at >= since)
        return any(mailbox_of(one.asker.address) == mailbox_of(address) for one in same)

    def speak(self, wish: Wanted, language: str) -> None:
        """Whoever has the wish is written to in this language."""
        self._keep(replace(wish, asker=replace(wish.asker, language=language)))

    def _keep(self, wish: Wanted) -> None:
        replace_file(self._path(wish.number), tables.write(write(wish)))

    def drop(self, number: int) -> None:
        """It is done, or not wanted."""
        self._path(number).unlink(missing_ok=True)

    def of(self, address: str) -> tuple[Wanted, ...]:
        """All of an address."""
        return tuple(one for one in self._all() if one.asker.address == address)

    def forget(self, before: datetime) -> None:
        """Drop what was asked for before then."""
        for one in self._all():
            if one.at < before:
                self.drop(one.number)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number}.toml"

    def _all(self) -> tuple[Wanted, ...]:
        if not self.folder.is_dir():
            return ()
        paths = sorted(self.folder / name for name in os.listdir(self.folder) if name.endswith(".toml"))  # noqa: PTH208
        return tuple(one for path in paths if (one := self._read(path)) is not None)

    def _read(self, path: Path) -> Wanted | None:
        with suppress(FileNotFoundError, PositionError):
            return read(Wanted, tables.parse(path.read_bytes(), str(path)), f"{path}: ")
        return None


def _same(wish: Wanted, asker: Asker, line: str) -> bool:
    """Whether it is the wish of the same letter, whatever language its writer has chosen since."""
    return (replace(wish.asker, language=asker.language), wish.line) == (asker, line)
