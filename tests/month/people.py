"""The people of the month: how soon they answer, and what they write.

Those with standing orders take each `auto:` that a mail offers, and ask with `later:` what they may say beforehand: in
Troyes once they have acted, and say what is proposed with dice of their own; in Troyes Dice before they answer for the first time, and say
the same above each answer until it is refused.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache
from zoneinfo import ZoneInfo

from tests import parts

ZONES = (
    "Europe/Paris", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Kathmandu", "Asia/Tokyo",
    "Pacific/Auckland", "UTC",
)  # fmt: skip
WAYS = (
    *("prompt",) * 6, *("slow",) * 5, *("late",) * 3, "silent", "refuser", "nonsense", "away", "vacation", "bouncing",
    "quitting", "forwarding",
)  # fmt: skip
"""How people are, in the proportion in which they come; one more, who is `keyless`, sits in five tables."""
DELAYS = {"prompt": (0.2, 8), "slow": (4, 30), "late": (20, 80)}
"""Hours between a mail and its answer; whoever stands nowhere is prompt."""
QUITS = 2
"""Mails after which a silent person writes no more."""
RESIGNS = 6
"""Letters after which a person who quits does."""
OPEN = re.compile(r"^([a-z-]+-\d+), (.*): it is your turn(?:, since [^.]*)?\. (\S+@\S+)", re.MULTILINE)
"""In a list of somebody's open games one that waits for them: its name, where it stands, where to write to."""
LISTED = re.compile(r"^\[(\d+)\] (?:(auto|later): )?(.*?)(?: · |$)", re.MULTILINE)
"""A choice of a mail: its number, the kind of standing order that it is, its words."""
BOUGHT = re.compile(r"\w:[A-Z]\d")
"""A die of somebody else: it may be gone by then."""
AT_ONCE = timedelta(minutes=6)
"""After which somebody who is at it writes again."""
TOKEN = re.compile(r"\+([a-z0-9-]+)\.(\d+)\.[a-z2-7]{16}@")


@cache
def of(mail: EmailMessage) -> tuple[str, int]:
    """Game and decision that a mail can be answered for."""
    found = TOKEN.search(str(mail["Reply-To"] or ""))
    return (found[1], int(found[2])) if found else ("", 0)


@cache
def asks(mail: EmailMessage) -> bool:
    """Whether its subject says that it is its reader's turn."""
    return "your turn" in str(mail["Subject"]).casefold()


@cache
def listed(mail: EmailMessage) -> tuple[tuple[str, str, str], ...]:
    """The choices of a mail, as `LISTED` has them."""
    return tuple(LISTED.findall(parts.text_of(mail).replace(" \n", " ")))


@dataclass
class Says:
    """What a person writes: when, and to a mail, unless it is a letter of its own `to` an address."""

    at: datetime
    text: str
    mail: EmailMessage | None = None
    to: str = ""
    other: bool = False
    """From an address of theirs that nobody knows here."""


@dataclass
class Person:
    """Somebody with an account; `seen` are the mails that have come, with when they did."""

    name: str
    address: str
    zone: str
    way: str
    dice: random.Random
    standing: bool = False
    seen: list[tuple[datetime, EmailMessage]] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    wrote: int = 0
    absent: tuple[datetime, datetime] | None = None
    told: set[str] = field(default_factory=set)
    """Tables that were told the zone."""
    asked: set[tuple[str, int]] = field(default_factory=set)
    """Decisions that a mail has asked for."""
    held: set[str] = field(default_factory=set)
    """Tables of Troyes Dice where what may be said for later is asked for, or may be refused, before they answer."""
    words: dict[str, str] = field(default_factory=dict)
    """What they last said for later there."""

    def waking(self, at: datetime) -> datetime:
        """The first moment from then on at which they are up."""
        local = at.astimezone(ZoneInfo(self.zone))
        while not 8 <= local.hour < 22:
            local += timedelta(minutes=20)
        return local.astimezone(at.tzinfo)

    def answers(self, mail: EmailMessage, now: datetime) -> list[Says]:
        """What they write when a mail has come."""
        subject = str(mail["Subject"]).casefold()
        if self.way == "keyless":
            return self._without_key(mail, subject, now)
        if "seat is kept" in subject:
            return [Says(self._soon(now), "No, thanks." if self.way == "refuser" else "join", mail)]
        if "from elsewhere" in subject:
            # It was them: once more, from the address that is known.
            game = str(mail["X-PBEM-Game"])
            asked = [one for _, one in self.seen if asks(one) and one["X-PBEM-Game"] == game]
            return [Says(self._soon(now), "1", asked[-1])] if asked else []
        if self.way == "vacation" and self.dice.random() < 0.3:
            return [Says(now, "VACATION", mail)]
        decision, game = of(mail), str(mail["X-PBEM-Game"])
        known, replied = decision in self.asked, str(mail["Auto-Submitted"]) == "auto-replied"
        self.asked.add(decision)
        if self.way == "silent" and len(self.seen) > QUITS:
            return []
        if self.absent and self.absent[0] <= now < self.absent[1]:
            return []
        waited = known and replied and game in self.held
        if replied:
            self.held.discard(game)
        if self.standing and not asks(mail):
            return self._beforehand(mail, subject, now)
        if not asks(mail) or (known and replied and not waited):
            # An answer that asks the same once more only says what became of a letter.
            return []
        if self.standing and not known and game.startswith("troyes-dice"):
            self.held.add(game)
            said = self.words.get(game)
            return [Says(self._soon(now), f"{said}\n{self._says(game, now, '1')}" if said else "later:", mail)]
        other = self.way == "forwarding" and self.dice.random() < 0.3
        soon = self.waking(now + AT_ONCE) if waited else self._soon(now)
        return [Says(soon, self._says(game, now, self._chosen(game, mail)), mail, other=other)]

    def _beforehand(self, mail: EmailMessage, subject: str, now: datetime) -> list[Says]:
        """What somebody says who is not asked: after a turn that they may speak of the next; then what is proposed."""
        text = parts.text_of(mail)
        if orders := [words for _, kind, words in listed(mail) if kind == "later" and not BOUGHT.search(words)]:
            return [Says(self.waking(now + AT_ONCE), f"later: {' | '.join(orders)}", mail)]
        acted = "\nDone: " in text and "\n> later" not in text and "We wait for" in text and "you have passed" not in text
        return [Says(self.waking(now + AT_ONCE), "later:", mail)] if acted and ": round" in subject.replace("]", ":") else []

    def _chosen(self, game: str, mail: EmailMessage) -> str:
        """The first choice; with standing orders the first that is one, and what is wanted of the next half day above."""
        if not self.standing:
            return "1"
        numbers: dict[str, str] = {}
        self.words.pop(game, None)
        for number, kind, words in listed(mail):
            if kind == "later" and kind not in numbers:
                self.words[game] = f"later: {words}"
            numbers.setdefault(kind, number)
        answer = numbers.get("auto", numbers.get("", "1"))
        return f"{numbers['later']}\n{answer}" if "later" in numbers else answer

    def _without_key(self, mail: EmailMessage, subject: str, now: datetime) -> list[Says]:
        """A new letter to the host each time; and one to each address of the list that comes back."""
        if "your games" in subject:
            text = parts.text_of(mail).replace(" \n", " ")
            return [
                Says(self._soon(now), "join" if "before the game" in where else "1", to=address)
                for _, where, address in OPEN.findall(text)
            ]
        asked = "seat is kept" in subject or asks(mail)
        return [Says(self._soon(now), "Hello, it is my turn, I think.", to="host")] if asked else []

    def _says(self, game: str, now: datetime, chosen: str) -> str:
        self.wrote += 1
        lines = []
        if self.way == "quitting" and self.wrote > RESIGNS:
            return "resign"
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
        return "\n".join((*lines, chosen))

    def _soon(self, now: datetime) -> datetime:
        least, most = DELAYS.get(self.way, DELAYS["prompt"])
        return self.waking(now + timedelta(hours=self.dice.uniform(least, most)))
