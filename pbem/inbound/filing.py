"""Move answered letters to another folder of the mailbox. Nothing else waits for it.

A letter that cannot be moved stays in the inbox. The spool knows its place, also after a restart, so it is neither
fetched nor answered again.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from engine.catalog import Msg, T
from pbem.host.scheduler import ClockReading
from pbem.inbound.mailbox import Arrived, Letterbox, MailboxError, NotFiled
from pbem.store.inbound_queue import InboundQueue

log = logging.getLogger(__name__)

FILING_PAUSE = timedelta(minutes=1)
"""Pause after the second failure in a row; each further failure adds as much."""

MAX_PAUSES = 5
"""The pause is at most so many times `FILING_PAUSE`."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Names of the folders that letters are moved to."""

    filed: str = "Handled"
    quarantine: str = "Quarantine"


class Filing:
    """Moves answered letters. Calls `report` when that begins to fail, and when it works again."""

    def __init__(
        self,
        queue: InboundQueue,
        folders: Folders,
        report: Callable[[Msg, str], None],
        steady: Callable[[], ClockReading],
    ) -> None:
        self._queue = queue
        self._folders = folders
        self._report = report
        self._steady = steady
        self._failures: Counter[str] = Counter()
        self._again = 0.0
        self.trouble = ""
        """Why letters cannot be moved; empty when they can."""

    async def file(self, box: Letterbox, there: Sequence[Arrived]) -> None:
        """Move all answered letters; those missing from `there` were moved by somebody else.

        Raises MailboxError only when the connection is lost.
        """
        places = {letter.place: letter for letter in there}
        moves: dict[str, list[Arrived]] = {}
        gone = {}
        for uidvalidity, uid, state in self._queue.to_file():
            place = places.get((uidvalidity, uid))
            if place is None:
                gone[uidvalidity, uid] = 0, 0
            else:
                folder = self._folders.quarantine if state == "quarantined" else self._folders.filed
                moves.setdefault(folder, []).append(place)
        if gone:
            self._queue.filed(gone)
        for folder in self._failures.keys() - moves.keys():
            del self._failures[folder]
        if not self._failures:
            self.trouble, self._again = "", 0.0
        if self._steady().seconds < self._again:
            return
        for folder, letters in moves.items():
            try:
                moved = await box.file(letters, folder)
            except MailboxError as odd:
                self._fails(folder, odd)
                if not isinstance(odd, NotFiled):
                    raise
            else:
                self._queue.filed({letter.place: moved.get(letter, (0, 0)) for letter in letters})
                if self._failures.pop(folder, 0) > 1:
                    self._report(T("Letters can be moved to the folder {folder} again.", folder=folder), "")
        if not self._failures:
            self.trouble = ""

    def _fails(self, folder: str, odd: MailboxError) -> None:
        self._failures[folder] += 1
        self.trouble = f"letters cannot be moved to the folder {folder}: {odd}"
        failures = max(self._failures.values())
        self._again = self._steady().seconds + FILING_PAUSE.total_seconds() * min(failures - 1, MAX_PAUSES)
        if self._failures[folder] == 2:
            says = T(
                "Letters that were answered cannot be moved to the folder {folder}: {why}. They stay where they are, "
                "and none is answered twice; new ones are read and answered as ever.",
                folder=folder, why=str(odd),
            )  # fmt: skip
            self._report(says, "")
