"""The people of the month: how soon they answer, and what they write."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from zoneinfo import ZoneInfo

ZONES = (
    "Europe/Paris", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Kathmandu", "Asia/Tokyo",
    "Pacific/Auckland", "UTC",
)  # fmt: skip
WAYS = (
    *("prompt",) * 6, *("slow",) * 5, *("late",) * 3, "silent", "refuser", "nonsense", "away", "vacation", "bouncing",
)  # fmt: skip
"""How people are, in the proportion in which they come."""
DELAYS = {"prompt": (0.2, 8), "slow": (4, 30), "late": (20, 80)}
"""Hours between a mail and its answer; whoever stands nowhere is prompt."""
QUITS = 2
"""Mails after which a silent person writes no more."""


@dataclass
class Person:
    """Somebody with an account; `seen` are the mails that have come, with when they did."""

    name: str
    address: str
    zone: str
    way: str
    dice: random.Random
    seen: list[tuple[datetime, EmailMessage]] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    wrote: int = 0
    absent: tuple[datetime, datetime] | None = None
    told: set[str] = field(default_factory=set)
    """Tables that were told the zone."""

    def waking(self, at: datetime) -> datetime:
        """The first moment from then on at which they are up."""
        local = at.astimezone(ZoneInfo(self.zone))
        while not 8 <= local.hour < 22:
            local += timedelta(minutes=20)
        return local.astimezone(at.tzinfo)

    def answers(self, mail: EmailMessage, now: datetime) -> tuple[datetime, str] | None:
        """When and what they answer to a mail; None where they write nothing."""
        subject = str(mail["Subject"]).casefold()
        if "seat is kept" in subject:
            return self._soon(now), "No, thanks." if self.way == "refuser" else "join"
        if self.way == "vacation" and self.dice.random() < 0.3:
            return now, "VACATION"
        if "your turn" not in subject or str(mail["Auto-Submitted"]) == "auto-replied":
            return None
        if self.way == "silent" and len(self.seen) > QUITS:
            return None
        if self.absent and self.absent[0] <= now < self.absent[1]:
            return None
        return self._soon(now), self._says(str(mail["X-PBEM-Game"]), now)

    def _says(self, game: str, now: datetime) -> str:
        self.wrote += 1
        lines = []
        if game not in self.told:
            lines = [f"zone {self.zone}"]
            self.told.add(game)
        if self.way == "nonsense" and self.wrote % 3 == 1:
            return "Hello, what on earth is this?\nI would like the big house please."
        if self.way == "away" and self.wrote == 2:
            first = now.astimezone(ZoneInfo(self.zone)) + timedelta(days=2)
            last = first + timedelta(days=5)
            self.absent = (first.replace(hour=0), last.replace(hour=23))
            lines.append(f"away {first:%Y-%m-%d} to {last:%Y-%m-%d}")
        return "\n".join((*lines, "1"))

    def _soon(self, now: datetime) -> datetime:
        least, most = DELAYS.get(self.way, DELAYS["prompt"])
        return self.waking(now + timedelta(hours=self.dice.uniform(least, most)))
