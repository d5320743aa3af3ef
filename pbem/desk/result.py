"""What is decided: all that one commit is to change and to tell, of a letter or of a moderator's deed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.catalog import Msg
from engine.chronicle import Data, Entry
from engine.game import Seat
from pbem.desk.commands.talk import Talk
from pbem.desk.context import Context
from pbem.host.people import Holder
from pbem.outbound.mail import MailKind, Message, Spoken
from pbem.store.record import LetterMark
from pbem.store.stored import Stored
from pbem.store.table import Ends, Heard, Reminded, Status, UndoPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one commit is to hold. `says` is its public first line; `state` None before the game begins.

    `answer` is what the writer is told, if anybody wrote; with `by_mail` false the answer is only given back.
    """

    what: str
    """The record's word: letter, undo, join, start, hold, …"""
    says: str
    stored: Stored
    """The table it begins from: as it lies there, or with what the letter or deed has changed of it."""
    state: Any
    seat: str = ""
    entries: tuple[Entry, ...] = ()
    reveals: bool = False
    answer: Message | None = None
    by_mail: bool = True
    played: tuple[str, ...] = ()
    """Canonical texts of the orders that stand."""
    talk: tuple[Talk, ...] = ()
    """What its writer says to the others."""
    taken_back: UndoPoint | None = None
    """The position that its `undo` goes back to."""
    safe: int = 0
    """Number of the last entry that a commit point has shown; 0 without one."""
    sealed: bool = False
    """Whether it gives or takes back a sealed answer that the seat may withdraw by itself."""
    quiet: bool = False
    """Whether nothing but standing orders were given, which are nobody else's business before they fire."""
    concerned: tuple[Seat, ...] = ()
    """Seats that a message, an undo or a repair concerns: they are mailed though nothing is asked of them."""
    shows: bool = False
    """Whether the position stands in every mail."""
    invites: bool = False
    began: bool = False
    letter: LetterMark | None = None
    marks: tuple[UndoPoint, ...] | None = None
    """The positions that may be gone back to; None leaves them as they are."""
    note: str = ""
    """The reason of a deed, which everybody reads."""
    also: Data = field(default_factory=dict)
    """What the record of a moderator's deed says of it (`pbem.desk.undo`)."""
    status: Status | None = None
    """What becomes of the table by a moderator's deed; None leaves it. `reason` is then kept with it."""
    reason: str = ""
    aside: Message | None = None
    """What the moderator is told."""
    told: tuple[Msg, ...] = ()
    """What a deed did, in sentences that everybody may read."""
    holders: tuple[Holder, ...] = ()
    """Who sits there once the commit stands, if that changes."""
    over: tuple[str, ...] = ()
    """Work files edited by hand that the commit may write over."""
    said: tuple[Heard, ...] | None = None
    """What its writer has said on the last decisions (`desk.earlier`); None leaves it."""
    ends: Ends | None = None
    """How its writer's letters end; None leaves it."""
    deed: bool = False
    """A moderator's deed by letter: it uses the newest key up."""
    later: datetime | None = None
    """When its answer goes out, together with others; None: at once. Nothing else may come of it."""
    together: bool = False
    """Its answer is that of the letters that have waited."""
    clear: bool = False
    """Whether its orders are clear, and only what stands beside them is asked about."""
    unread: tuple[str, ...] = ()
    """Lines of the letter that were passed over, as they were written."""
    noted: str = ""
    """The mark of a letter that was an automatic note (`automatic.mark`); empty for any other."""
    sets: bool = False
    """Whether its writer has set something, of their own or of the table."""
    personal: dict[str, str | int] = field(default_factory=dict)
    """What its writer has set for themselves: fields of their `Holder`."""
    clocked: str = ""
    """The seat that the clock reminds or plays for."""
    unnamed: bool = False
    """Whether the repository's public files tell nothing of whose letter or clock it is: who has answered is sealed,
    too, and so is who has said something for later."""
    default: Data = field(default_factory=dict)
    """What the clock has played (`pbem.desk.undo`)."""
    often: frozenset[tuple[Seat, MailKind]] = frozenset()
    """Whom its writer's letters have made ring often enough, with which kind of mail (`budgets.RINGS`)."""
    reminds: Reminded | None = None
    """What is to be remembered of a reminder; Changes names its mail."""

    def spoken_to(self, seat: Seat) -> tuple[Spoken, ...]:
        """What is said to a seat."""
        table = self.stored.table
        # Whom a player has named is mailed once, and nothing more before they have joined.
        stranger = table.wish and table.status is Status.GATHERING and seat not in table.joined
        if not self.talk or seat == self.seat or stranger:
            return ()
        name = table.seat(self.seat).name
        return tuple(Spoken(name, one.text, one.to is not None) for one in self.talk if one.to in (None, seat))

    @property
    def hearers(self) -> tuple[Seat, ...]:
        """The seats that something is said to."""
        return tuple(Seat(row.seat) for row in self.stored.table.seats if self.spoken_to(Seat(row.seat)))

    @property
    def plays(self) -> bool:
        """Whether it goes beyond talk and answers: something was played, taken back, or answered before the game."""
        return bool(self.entries) or self.what != LETTER or self.sets

    @property
    def lasts(self) -> bool:
        """Whether anything is left of it but its answer: what it plays, says to others, or has told."""
        return self.plays or bool(self.talk or self.also)


RETURNS = "computer"
"""The record's word for a seat that a computer gets or leaves."""

LETTER = "letter"
"""The record's word for a letter that plays orders, or changes nothing."""


def replied(context: Context, answer: Message | None, says: str = "", seat: str = "", **more: Any) -> Result:
    """What becomes of a letter that its writer is answered; where `more` says nothing else, nothing changes.

    `says` is what the commit's first line tells of it, after the name of the seat.
    """
    seat = seat or (answer.seat if answer else "")
    says = f"{context.stored.table.seat(seat).name}: {says}"
    given = {"stored": context.stored, "state": context.state, **more}
    return Result(what=LETTER, says=says, seat=seat, answer=answer, **given)
