"""What is decided of a letter, an admin action or the clock: all that one commit is to change and to tell."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engine.catalog import Msg
from engine.event_log import Data, LogEntry
from engine.game import Seat
from pbem.desk.core.context import Context
from pbem.host.people import Holder
from pbem.outbound.mail import MailKind, Message, TableMessage
from pbem.store.commit_record import AnsweredLetter
from pbem.store.game_table import DecisionAnswers, LetterEndings, ReminderSent, Status, UndoPoint
from pbem.store.state_file import StoredGame


@dataclass(frozen=True, slots=True)
class Talk:
    """What one person says: `to` None is everybody; a note is to its author, who is no seat."""

    to: Seat | None
    text: str

    @property
    def is_note(self) -> bool:
        """True if it is passed on to nobody."""
        return self.to is not None and "." in self.to


@dataclass(frozen=True, slots=True)
class ClockPart:
    """What the clock does: the seat it acts for, the reminder to remember (`Changes` names its mail), and what it
    has played (`undo.DEFAULT`)."""

    seat: str = ""
    reminds: ReminderSent | None = None
    default: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delivery:
    """When and to whom the mails go."""

    by_mail: bool = True
    """False: the answer is only given back, as to a turn file."""
    later: datetime | None = None
    """When the answer goes out, together with others; None: at once."""
    together: bool = False
    """The answer is that of the letters that have waited."""
    often: frozenset[tuple[Seat, MailKind]] = frozenset()
    """Whom the writer's letters have made ring often enough, with which kind of mail (`budgets.RINGS`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterEffects:
    """What a letter plays, says and sets."""

    played: tuple[str, ...] = ()
    """Canonical texts of the orders that stand."""
    talk: tuple[Talk, ...] = ()
    taken_back: UndoPoint | None = None
    """The position that its `undo` goes back to."""
    safe: int = 0
    """Number of the last entry before which nothing can be taken back; 0 without one."""
    sealed: bool = False
    """True if it gives or takes back a sealed answer that the seat may withdraw by itself."""
    quiet: bool = False
    """True if it only gave standing orders, which are secret until they fire."""
    sets: bool = False
    """True if its writer has set something, of their own or of the table."""
    personal: dict[str, str | int] = field(default_factory=dict)
    """The fields of the writer's `Holder` that it sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterReading:
    """How a letter was read, and what to remember of it."""

    said: tuple[DecisionAnswers, ...] | None = None
    """What its writer has said on the last decisions (`duplicates`); None leaves it."""
    ends: LetterEndings | None = None
    """How its writer's letters end; None leaves it."""
    noted: str = ""
    """The digest of an automatic note; empty for any other letter."""
    clear: bool = False
    """True if its orders are clear, and only what stands beside them is asked about."""
    unread: tuple[str, ...] = ()
    """Lines that were passed over, as they were written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one commit is to hold. `state` is None before the game begins; `answer` is None if nobody wrote."""

    what: str
    """The record's word: letter, undo, join, start, hold, …"""
    says: str
    """The first line of the commit, which is public."""
    stored: StoredGame
    """The table as it lies there, with what the letter or action has changed of it."""
    state: Any
    seat: str = ""
    entries: tuple[LogEntry, ...] = ()
    reveals: bool = False
    answer: Message | None = None
    aside: Message | None = None
    """What the moderator is told."""
    concerned: tuple[Seat, ...] = ()
    """Seats to mail though nothing is asked of them: a message, an undo or a repair concerns them."""
    marks: tuple[UndoPoint, ...] | None = None
    """The undo points; None leaves them as they are."""
    also: Data = field(default_factory=dict)
    """Public tables of the record (`undo`)."""
    began: bool = False
    letter: AnsweredLetter | None = None
    unnamed: bool = False
    """True if the public files must not tell whose letter or clock it is: who sealed an answer or gave a standing order
    is secret."""
    delivery: Delivery = Delivery()
    clock: ClockPart = ClockPart()

    effects: LetterEffects = LetterEffects()
    reading: LetterReading = LetterReading()

    # Of an admin action
    note: str = ""
    """The reason, which everybody reads."""
    reason: str = ""
    """The reason that is kept with the table's new `status`."""
    status: Status | None = None
    """The new state of the table; None leaves it."""
    told: tuple[Msg, ...] = ()
    """What it did, in public sentences."""
    holders: tuple[Holder, ...] = ()
    """Who sits there once the commit stands, if that changes."""
    over: tuple[str, ...] = ()
    """Work files edited by hand that the commit may overwrite."""
    uses_key: bool = False
    """True if it came by letter, and uses the newest key up."""
    shows: bool = False
    """True if the position stands in every mail."""
    invites: bool = False

    def with_effects(self, **changed: Any) -> Result:
        """The result with some of the letter's effects replaced."""
        return replace(self, effects=replace(self.effects, **changed))

    def with_reading(self, **changed: Any) -> Result:
        """The result with some of the letter's reading replaced."""
        return replace(self, reading=replace(self.reading, **changed))

    def spoken_to(self, seat: Seat) -> tuple[TableMessage, ...]:
        """Its talk to a seat. Who is invited to a player's table hears nothing before joining."""
        table = self.stored.table
        stranger = table.wish and table.status is Status.GATHERING and seat not in table.joined
        if not self.effects.talk or seat == self.seat or stranger:
            return ()
        name = table.seat(self.seat).name
        heard = (one for one in self.effects.talk if one.to in (None, seat))
        return tuple(TableMessage(name, one.text, one.to is not None) for one in heard)

    @property
    def hearers(self) -> tuple[Seat, ...]:
        """The seats that something is said to."""
        return tuple(Seat(row.seat) for row in self.stored.table.seats if self.spoken_to(Seat(row.seat)))

    @property
    def plays(self) -> bool:
        """True if it goes beyond talk and answers: it plays, takes back, sets, or answers an invitation."""
        return bool(self.entries) or self.what != LETTER or self.effects.sets

    @property
    def lasts(self) -> bool:
        """True if anything is left of it but its answer."""
        return self.plays or bool(self.effects.talk or self.also)


RETURNS = "computer"
"""The record's word for a seat that a computer gets or leaves."""

LETTER = "letter"
"""The record's word for a letter that plays orders, or changes nothing."""


def reply_result(context: Context, answer: Message | None, says: str = "", seat: str = "", **more: Any) -> Result:
    """The result of a letter that is answered and, unless `more` says so, changes nothing.

    `says` follows the seat's name in the first line of the commit.
    """
    seat = seat or (answer.seat if answer else "")
    says = f"{context.stored.table.seat(seat).name}: {says}"
    given = {"stored": context.stored, "state": context.state, **more}
    return Result(what=LETTER, says=says, seat=seat, answer=answer, **given)
