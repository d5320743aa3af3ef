"""Which letters of the mailbox are asked for together, and which by themselves, since they did not come.

A server may list a letter and not give it out: it sends no body or an empty one, refuses, hangs up, or says nothing at
all. Which letter of several is to blame it does not tell. So each is then asked for by itself, after all others, with a
pause that grows; how often is counted in the spool before it is done, and a restart does not forget it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

from pbem.host.clock import ClockReading
from pbem.inbound.answers import chunks
from pbem.inbound.mailbox import Arrived, Letterbox
from pbem.store.inbound_queue import Intray

BATCH = 25
"""Letters that are fetched, and held in memory, at a time."""

ASKED = 5
"""Times that a letter is asked for by itself before it is put aside."""

AGAIN = timedelta(minutes=1)
"""Pause before a letter is asked for the second time; before the third twice as long, and so on. A server that can give
no letter out for some minutes has none of them put aside."""

class Asking:
    """What is still to be fetched of one mailbox."""

    def __init__(self, tray: Intray, now: Callable[[], datetime], steady: Callable[[], ClockReading]) -> None:
        self._tray = tray
        self._now = now
        self._steady = steady
        self._alone: set[tuple[int, int]] = set()
        """Letters that did not come with others."""
        self._again: dict[tuple[int, int], float] = {}

    @property
    def left(self) -> int:
        """Letters that are there and have not come so far."""
        return len(self._alone)

    def due(self, there: Sequence[Arrived]) -> Iterator[Sequence[Arrived]]:
        """What is to be asked for now: what is new, so many together; then each that did not come, by itself."""
        fresh = [one for one in there if not self._tray.fetched(*one.place)]
        counts = self._tray.unread()
        for place in counts.keys() - {one.place for one in there}:
            self._tray.forget_unread(*place)
        self._alone = (self._alone | counts.keys()) & {one.place for one in fresh}
        self._again = {place: when for place, when in self._again.items() if place in self._alone}
        yield from chunks([one for one in fresh if one.place not in self._alone], BATCH)
        now = self._steady().seconds
        alone = [one for one in fresh if one.place in self._alone]
        for one in sorted(alone, key=lambda one: counts.get(one.place, 0)):
            if self._again.get(one.place, now) <= now or self.stubborn([one]):
                yield [one]

    async def fetch(self, box: Letterbox, letters: Sequence[Arrived]) -> bool:
        """Ask for letters and lay down what comes; whether any did. Raises MailboxError."""
        places = {one.place for one in letters}
        if places <= self._alone:
            for place in places:
                self._tray.asks(*place, self._now())
                self._again[place] = self._steady().seconds + AGAIN.total_seconds() * self._tray.unread()[place]
        self._alone |= places
        bodies = await box.fetch(letters)
        came = False
        for one in letters:
            if raw := bodies.get(one):
                self._tray.take(raw, hashlib.sha256(raw).hexdigest(), *one.place, self._now())
                self._alone.discard(one.place)
                came = True
        return came

    def stubborn(self, letters: Sequence[Arrived]) -> bool:
        """Whether this is one letter, which was asked for by itself often enough."""
        return len(letters) == 1 and self._tray.unread().get(letters[0].place, 0) >= ASKED

    def give_up(self, letter: Arrived) -> None:
        """That letter is put aside."""
        self._alone.discard(letter.place)
