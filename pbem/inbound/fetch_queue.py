"""Which letters of the mailbox to fetch together, and which one by one because they did not come.

A server may list a letter and not deliver it: it sends no body or an empty one, refuses, hangs up or stays silent. It
does not say which letter of several is to blame. So each is then fetched alone, after all others, with growing pauses.
Tries are counted in the spool before they are made, so a restart does not forget them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

from pbem.host.scheduler import ClockReading
from pbem.inbound.imap_syntax import chunks
from pbem.inbound.mailbox import Arrived, Letterbox
from pbem.store.inbound_queue import InboundQueue

FETCH_BATCH = 25
"""Letters that are fetched together and held in memory."""

MAX_FETCHES = 5
"""Times that a letter is fetched alone before it is put aside."""

FETCH_PAUSE = timedelta(minutes=1)
"""Pause before the second try of a letter; before the third twice as long, and so on. A server that delivers nothing
for some minutes has no letter put aside."""


class FetchQueue:
    """The letters of one mailbox that are still to be fetched."""

    def __init__(self, queue: InboundQueue, now: Callable[[], datetime], steady: Callable[[], ClockReading]) -> None:
        self._queue = queue
        self._now = now
        self._steady = steady
        self._alone: set[tuple[int, int]] = set()
        """Places of letters that did not come with others."""
        self._again: dict[tuple[int, int], float] = {}

    @property
    def left(self) -> int:
        """Number of letters that are listed and have not come."""
        return len(self._alone)

    def due(self, there: Sequence[Arrived]) -> Iterator[Sequence[Arrived]]:
        """Yield what to fetch now: new letters in batches, then each one that did not come, alone."""
        fresh = [one for one in there if not self._queue.fetched(*one.place)]
        counts = self._queue.unread()
        for place in counts.keys() - {one.place for one in there}:
            self._queue.forget_unread(*place)
        self._alone = (self._alone | counts.keys()) & {one.place for one in fresh}
        self._again = {place: when for place, when in self._again.items() if place in self._alone}
        yield from chunks([one for one in fresh if one.place not in self._alone], FETCH_BATCH)
        now = self._steady().seconds
        alone = [one for one in fresh if one.place in self._alone]
        for one in sorted(alone, key=lambda one: counts.get(one.place, 0)):
            if self._again.get(one.place, now) <= now or self.stubborn([one]):
                yield [one]

    async def fetch(self, box: Letterbox, letters: Sequence[Arrived]) -> bool:
        """Fetch letters into the spool. Return whether any came. Raises MailboxError."""
        places = {one.place for one in letters}
        if places <= self._alone:
            for place in places:
                self._queue.asks(*place, self._now())
                self._again[place] = self._steady().seconds + FETCH_PAUSE.total_seconds() * self._queue.unread()[place]
        self._alone |= places
        bodies = await box.fetch(letters)
        came = False
        for one in letters:
            if raw := bodies.get(one):
                self._queue.take(raw, hashlib.sha256(raw).hexdigest(), *one.place, self._now())
                self._alone.discard(one.place)
                came = True
        return came

    def stubborn(self, letters: Sequence[Arrived]) -> bool:
        """Whether this is a single letter that was fetched alone in vain often enough."""
        return len(letters) == 1 and self._queue.unread().get(letters[0].place, 0) >= MAX_FETCHES

    def give_up(self, letter: Arrived) -> None:
        """Forget a letter that was put aside."""
        self._alone.discard(letter.place)
