"""Why a letter gets no answer: the one list of all reasons (contract, «Never silent to a person»).

`SECURITY.md` has the same list, with what is done instead; a test compares the two and writes a letter of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.catalog import Msg, T


class Silence(StrEnum):
    """A kind of letter that gets no answer, in the words of the table of `SECURITY.md`."""

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
