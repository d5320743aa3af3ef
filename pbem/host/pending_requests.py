"""What a letter has asked of this host without proving who wrote it: it waits for an answer to a question.

Each request is a file in the folder `wishes` of the mail folder, with the address that the question went to. It is done
once a letter has come from that address with the key of the question, since the letter that asked may be forged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from engine.errors import PositionError
from pbem.host.keys import Keys, Token, mailbox_of
from pbem.host.toml_folder import TomlFolder
from pbem.store.data_codec import Count, Moment

REQUEST_KEY = "wish"
"""What stands for a game in the key of a question; no game is called so, since their names end in a number."""

REQUESTS_KEPT = timedelta(days=7)
"""How long a question may be answered."""


@dataclass(frozen=True, slots=True)
class Requester:
    """Who asks, by an address and a name; `mark` is that of the letter (`Keys.letter`), `language` the letter's, for
    whoever has chosen none."""

    address: str
    name: str
    mark: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """One request: who asks, by what the letter says, and its line."""

    number: Count
    asker: Requester
    line: str
    at: Moment


class PendingRequests:
    """The requests under `folder`/wishes. A file that cannot be read is as good as none."""

    def __init__(self, folder: Path, keys: Keys) -> None:
        self._files = TomlFolder(folder / "wishes", PendingRequest)
        self._keys = keys

    def ask(self, digest: str, asker: Requester, line: str, now: datetime) -> Token:
        """Keep the request of a letter, and forget those that nobody has answered; the key that answers the question.

        The same letter again gives the same key.
        """
        self.forget(now - REQUESTS_KEPT)
        number = int(digest[:7], 16)
        while (other := self._get(number)) and not _same(other, asker, line):
            number += 1
        self._files.put(str(number), PendingRequest(number, asker, line, now))
        return self._keys.token(REQUEST_KEY, asker.address, 1, number)

    def answered(self, tokens: Iterable[Token], sender: str) -> PendingRequest | None:
        """The request that a letter of its address answers; None when there is none, or no more."""
        for token in tokens:
            if token.game == REQUEST_KEY and self._keys.fits(token, sender, 1):
                found = self._get(token.decision)
                if found is not None and found.asker.address == sender:
                    return found
        return None

    def waits(self, address: str, line: str, mark: str, since: datetime) -> bool:
        """Whether a mailbox has been asked the same since then, for another letter than the one of this mark."""
        same = (one for one in self._all() if one.line == line and one.asker.mark != mark and one.at >= since)
        return any(mailbox_of(one.asker.address) == mailbox_of(address) for one in same)

    def speak(self, request: PendingRequest, language: str) -> None:
        """Write to whoever asks in this language."""
        self._files.put(str(request.number), replace(request, asker=replace(request.asker, language=language)))

    def drop(self, number: int) -> None:
        """Forget a request: it is done, or not wanted."""
        self._files.drop(str(number))

    def of(self, address: str) -> tuple[PendingRequest, ...]:
        return tuple(one for one in self._all() if one.asker.address == address)

    def forget(self, before: datetime) -> None:
        """Drop what was asked before then."""
        for one in self._all():
            if one.at < before:
                self.drop(one.number)

    def _all(self) -> Iterator[PendingRequest]:
        return (one for name in self._files.names() if (one := self._get(name)) is not None)

    def _get(self, name: object) -> PendingRequest | None:
        with suppress(PositionError):
            return self._files.get(str(name))
        return None


def _same(request: PendingRequest, asker: Requester, line: str) -> bool:
    """Whether it is the request of the same letter, whatever language its writer has chosen since."""
    return (replace(request.asker, language=asker.language), request.line) == (asker, line)
