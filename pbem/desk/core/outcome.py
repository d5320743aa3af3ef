"""What became of a letter or of a turn file, and every reason why a letter gets no answer.

`docs/security.md` has the same list of silences; a test compares the two and writes a letter of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.catalog import Msg, T
from pbem.outbound.mail import Mail


class Silence(StrEnum):
    """A kind of letter that gets no answer, in the words of the table of `docs/security.md`."""

    ROBOT = "a program's letter"
    BULK = "a list's letter, or one to many"
    CALENDAR = "a calendar's letter"
    REACTION = "a reaction of a mail program"
    OWN = "our own mail, come back"
    REPORT = "a report of mail that did not arrive"
    AGAIN = "the same letter once more"
    SAME = "the same text once more"
    NOTE = "an automatic note"
    NO_SENDER = "a letter without a sender"
    STRANGER = "a stranger's letter"
    STOLEN = "a key from an unknown address"
    DMARC = "a letter that fails DMARC"
    NO_KEY = "a letter without a key, beyond the day's measure"
    WAITS = "what our question of today asks already"
    QUESTION = "no answer to our question, beyond the day's measure"
    ADDRESS = "an answer about an address"
    NO_TABLE = "a letter to a table that is gone"
    NO_SEAT = "a letter for a seat that has changed hands"
    ELSEWHERE = "a letter to a table that has moved"


PASSED_OVER: Mapping[Silence, Msg] = {
    Silence.ROBOT: T("a program wrote it (an automatic answer, a receipt, a report)"),
    Silence.BULK: T("it says of itself that it is a list's or goes to many, and no line of it is an order"),
    Silence.CALENDAR: T("it is a calendar's"),
    Silence.REACTION: T("it is the reaction of a mail program"),
    Silence.OWN: T("it is our own mail, come back"),
    Silence.NO_SENDER: T("it does not tell in a readable way who sent it"),
}
"""What the moderator is told of a letter of this kind that has a seat's key."""


class Outcome(StrEnum):
    """What became of a letter."""

    PLAYED = "played"
    """It changed the game or was passed on."""
    ANSWERED = "answered"
    REFUSED = "refused"
    SILENT = "silent"
    """Nobody is answered: see `Silence`."""
    SEEN = "seen"
    """It was handled before."""
    RETRY = "retry"
    """A defect was met; it is tried again."""
    QUARANTINED = "quarantined"
    """A defect was met too often; its writer was told."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a letter, for the log: `why` holds no secret, no address and nothing of the letter."""

    outcome: Outcome
    game: str = ""
    seat: str = ""
    record: int = 0
    why: str = ""
    silence: Silence | None = None


@dataclass(frozen=True, slots=True)
class FromFile:
    """What became of a turn file, and the answer, which is not mailed."""

    handled: Handled
    mail: Mail
