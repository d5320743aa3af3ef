"""A letter to be answered: its words, whose they are, what they answer, and the game at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from engine.catalog import Msg, T
from engine.chance import Chance
from engine.errors import OrderRefused
from engine.event_log import LogEntry
from engine.game import AnyGame, Decision, Reading, Seat
from pbem.clocks.availability import UTC, Availability
from pbem.desk.core.context import Context, asked_of, hours_of
from pbem.desk.core.game_start import chance_of
from pbem.desk.core.identity import Who, usable_message_id
from pbem.desk.core.option_lists import OptionList, lists_answered
from pbem.desk.core.undo import restored_state, state_gone_back
from pbem.host.people import Holder
from pbem.inbound.incoming_letter import Kind, Letter
from pbem.store.game_table import LetterEndings, MailedLists, Status, Table, UndoPoint
from pbem.store.private_text import author_id, hold_reason


@dataclass(frozen=True, kw_only=True)
class Request:
    """A letter or a turn file of a seat's holder, with the game it is for."""

    context: Context
    seat: Seat
    lines: Sequence[str]
    """Its lines, normalized; `written` are the same as written."""
    written: Sequence[str]
    decision: int | None = None
    """The number it answers; None is the newest."""
    record: int = 0
    """The record that the answered mail belongs to; 0 when the letter does not tell."""
    message_id: str = ""
    signed: tuple[str, ...] = ()
    """Names the writer signs with, which may end a letter."""
    attached: tuple[str, ...] = ()
    """Names of attachments that were not read."""
    trouble: Msg | None = None
    """Why the lines are not read; says that nothing was done."""
    date: datetime | None = None
    """Its Date."""
    subject: str = ""
    """Its subject without «Re:» and the like."""
    day: str = ""
    """The day on which it is read (ISO 8601)."""
    received: datetime | None = None
    """When our mail server accepted it."""
    now: datetime | None = None
    """When it is read; None for a turn file, which cannot set preferences."""
    hours: Availability | None = None
    """Its writer's hours."""
    nothing: Msg | None = None
    """What to say when nothing was done, if not the usual."""
    apart: Msg | None = None
    """Why lines that set what all see of the seat are left out; None if they are not."""
    entries: tuple[LogEntry, ...] = ()
    """Events that already happened on going back to the position at which the letter is read."""

    @classmethod
    def of(
        cls, context: Context, letter: Letter, who: Who, holder: Holder, now: datetime, zone: ZoneInfo = UTC
    ) -> Request:
        """The request of a letter, read at `now`."""
        trouble = who.trouble or letter.trouble
        if trouble is None and letter.kind is Kind.FORWARD:
            trouble = T("This is a forwarded mail, so nothing of it was done. Please answer the mail itself.")
        return cls(
            context=context,
            seat=holder.seat,
            lines=letter.lines or letter.turn_file,
            written=letter.raw_lines if letter.lines else letter.turn_file,
            decision=who.decision,
            record=who.record,
            message_id=usable_message_id(letter.message_id),
            signed=(holder.name, letter.sender_name),
            attached=letter.attached,
            trouble=trouble,
            date=letter.date,
            subject=letter.asks_subject,
            day=now.date().isoformat(),
            received=letter.received,
            now=now,
            hours=hours_of(zone, holder, context.stored.table.seat(holder.seat)),
        )

    @property
    def game(self) -> AnyGame:
        return self.context.game

    @property
    def state(self) -> Any:
        return self.context.state

    @property
    def table(self) -> Table:
        return self.context.stored.table

    @cached_property
    def names(self) -> dict[Seat, str]:
        """Seats, clockwise, with their display names."""
        return self.context.names()

    @cached_property
    def language(self) -> str:
        """The language that its writer reads."""
        return self.context.language(self.seat)

    def worded(self, state: Any, order: str) -> str:
        """An order in the writer's language; unchanged if it is none in this position."""
        if self.language == "en":
            return order
        try:
            return self.game.write(state, self.seat, self.game.read(state, self.seat, order).order, self.language)
        except OrderRefused:
            return order

    @cached_property
    def readings(self) -> dict[str, Reading[Any] | OrderRefused]:
        """Lines that the game has read already in this position."""
        return {}

    @cached_property
    def asked(self) -> Decision | None:
        """What the seat is asked."""
        return asked_of(self.game, self.state, self.seat)

    @property
    def newest(self) -> int:
        """The number in the seat's newest token."""
        return self.table.decisions if self.asked is None else self.asked.number

    @property
    def late(self) -> bool:
        """True if its token is not the seat's newest."""
        return self.decision is not None and self.decision != self.newest

    @cached_property
    def listed(self) -> tuple[OptionList, ...]:
        """The lists of options in which a number may count."""
        if self.decision is None:
            return ()
        lists = self.context.stored.secrets.lists.get(self.seat, MailedLists())
        return lists_answered(lists, self.table.game, self.seat, self.record, self.context.words)

    @property
    def ends(self) -> LetterEndings:
        """How the letters of this person end."""
        person = author_id(self.seat, self.table.seat(self.seat).generation)
        return self.context.stored.secrets.ends.get(person, LetterEndings())

    @cached_property
    def held(self) -> Msg | None:
        """Why nobody may play."""
        match self.table.status:
            case Status.HELD if self.table.votes:
                return T("The game is held, since everybody has asked for it; «vote resume» by all lets it go on.")
            case Status.HELD:
                why = hold_reason(self.context.words, self.table) or T("no reason given")
                return T("The moderator holds the game: {reason}", reason=why)
            case Status.ABANDONED:
                return T("This game was given up.")
            case Status.ENDED:
                return T("The game is over.")
            case _:
                return None

    @cached_property
    def chance(self) -> Chance:
        """The dice of the game."""
        return chance_of(self.context.stored)

    @property
    def first(self) -> int:
        """The number that the next entry will have."""
        return self.table.entries + 1

    @property
    def marks(self) -> tuple[UndoPoint, ...]:
        """The undo points."""
        return self.table.undo

    def back_to(self, mark: UndoPoint) -> tuple[Any, tuple[LogEntry, ...]]:
        """The position of an undo point as a new decision, and the events of going back."""
        state = restored_state(self.game, self.context.repo, mark, self.context.stored.public)
        return state_gone_back(self.game, self.state, self.game.moderation.renumber(state, self.table.decisions))
