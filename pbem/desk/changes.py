"""A change drawn up for its commit: who is written to and why, the seats' rows after it, the record with its intents.

Nothing is written here; a crash leaves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engine.catalog import Msg
from engine.chronicle import Data, Entry
from engine.game import Game, Seat
from pbem.desk.compose import STOPPED
from pbem.desk.draft import Draft, pack
from pbem.desk.post import Happened, addressees
from pbem.desk.services import Services, version
from pbem.desk.start import OPENING, opening
from pbem.host.people import MODERATOR, Holder
from pbem.outbound.mail import MailKind, Spoken
from pbem.store.memory import LATER, TOGETHER
from pbem.store.record import Intent, Record, intent_id
from pbem.store.record import LetterMark as LetterMark
from pbem.store.stored import Stored
from pbem.store.table import Heard, ModeratorKey, SeatRow, Secrets, Status, ThreadMark, UndoPoint, Waiting
from pbem.store.words import author_of, mark, split


@dataclass(frozen=True, slots=True)
class Changes:
    """What one commit is to hold. `says` is its public first line; `state` None before the game begins.

    `answer` is what the writer is told, if anybody wrote; with `by_mail` false the answer is only given back.
    """

    what: str
    says: str
    state: Any
    seat: str = ""
    entries: tuple[Entry, ...] = ()
    reveals: bool = False
    answer: Draft | None = None
    by_mail: bool = True
    messages: Mapping[Seat, tuple[Spoken, ...]] = field(default_factory=dict)
    """Per seat what people say to it."""
    concerned: tuple[Seat, ...] = ()
    shows: bool = False
    """Whether the position stands in every mail."""
    invites: bool = False
    began: bool = False
    letter: LetterMark | None = None
    marks: tuple[UndoPoint, ...] | None = None
    """The positions that may be gone back to; None leaves them as they are."""
    note: str = ""
    also: Data = field(default_factory=dict)
    private: Data = field(default_factory=dict)
    status: Status | None = None
    """What becomes of the table by a moderator's deed; None leaves it. `reason` is then kept with it."""
    reason: str = ""
    aside: Draft | None = None
    """What the moderator is told who wrote."""
    holders: tuple[Holder, ...] = ()
    """Who sits there once the commit stands, if that changes."""
    over: tuple[str, ...] = ()
    """Work files edited by hand that the commit may write over."""
    said: tuple[Heard, ...] | None = None
    """What its writer has said on the last decisions (`desk.earlier`); None leaves it."""
    deed: bool = False
    """A moderator's deed by letter: it uses the newest key up."""
    later: datetime | None = None
    """When its answer goes out, together with others; None: at once. Nothing else may come of it."""
    together: bool = False
    """Its answer is that of the letters that have waited."""
    noted: bool = False
    """Whether the letter was an automatic note, whose writer is told so once a day."""


class Drawing:
    """A change drawn up: who is written to, the seats' rows after it, the record."""

    def __init__(self, services: Services, game: Game, stored: Stored, change: Changes, at: datetime) -> None:
        self.change = change
        self._office = services
        self._game = game
        self._at = at
        self._table = stored.table
        self._holders = {holder.seat: holder for holder in services.people.holders(stored.table.game)}
        self._holders[MODERATOR] = services.people.moderator
        self.number = stored.table.records + 1
        self.texts: dict[str, str] = {}
        """Words that the position after it marks."""
        self.last = stored.table.entries + len(change.entries)
        self._stage = "gathering" if change.state is None else game.stage(change.state)
        waiting = () if change.state is None else game.waiting(change.state)
        self.decisions = max((stored.table.decisions, *(decision.number for decision in waiting)))
        over = change.state is not None and game.result(change.state) is not None
        ended = change.status is Status.ENDED and stored.table.status is not Status.ENDED
        self.ends = ended or (over and stored.table.status is Status.RUNNING)
        if (change.status or stored.table.status) in STOPPED:
            # Nobody is asked anything before the game goes on.
            waiting = ()
        key = stored.secrets.gm
        # A new one when the last was used up, and when the game has gone on since it was given.
        self._gm = key.number + (change.deed or key.decisions != self.decisions)
        self._asked = {decision.seat: decision.number for decision in waiting}
        happened = Happened(
            tuple(Seat(row.seat) for row in stored.table.seats),
            waiting,
            {Seat(row.seat): row.asked for row in stored.table.seats},
            change.answer.seat if change.answer else None,
            change.answer.kind if change.answer else None,
            {*change.concerned, *change.messages},
            change.began,
            self.ends,
        )
        due = addressees(happened)
        if change.invites:
            due = dict.fromkeys(happened.seats, MailKind.INVITATION)
        self.drafts = tuple(self._draft(seat, kind) for seat, kind in due.items() if self._gets(seat))
        if change.aside is not None:
            self.drafts += (change.aside,)
        self.posted = tuple(draft for draft in self.drafts if self._is_posted(draft.seat))
        self.after = self._after(stored, game)

    def _gets(self, seat: Seat) -> bool:
        answered = self.change.answer is not None and self.change.answer.seat == seat
        return answered or self._has_address(seat)

    def _is_posted(self, seat: Seat) -> bool:
        """A seat without an address gets no mail, nor does the answer to a turn file go by mail."""
        answer = self.change.answer
        if answer is not None and answer.seat == seat and not self.change.by_mail:
            return False
        if answer is not None and answer.seat == seat and self.change.later is not None:
            return False
        return self._has_address(seat)

    def _has_address(self, seat: Seat) -> bool:
        holder = self._holders.get(seat)
        return holder is not None and bool(holder.addresses)

    def _draft(self, seat: Seat, kind: MailKind) -> Draft:
        answer = self.change.answer
        row = self._table.seat(seat)
        draft = Draft(seat, kind, position=self.change.shows)
        earned = self._earned(seat) if kind is MailKind.FINAL else ()
        if answer is not None and answer.seat == seat:
            draft = answer.retold(kind)
            draft = replace(draft, own=not self.change.began)
        draft = replace(
            draft,
            heard=row.heard,
            told=row.told,
            earned=earned,
            messages=(*draft.messages, *self.change.messages.get(seat, ())),
        )
        thread = row.thread
        if draft.public or not thread or thread.stage != self._stage:
            # A new round is a new thread, and a mail to be forwarded names no other mail.
            return replace(draft, answering="")
        return replace(draft, root=thread.root, last=thread.last)

    def _earned(self, seat: Seat) -> tuple[Msg, ...]:
        """What the end of the game adds to what its holder has achieved."""
        state, holder = self.change.state, self._holders.get(seat)
        if not self._game.achievements or state is None or holder is None or self._table.seat(seat).by != "person":
            return ()
        result = self._game.result(state)
        if result is None:
            return ()
        achieved = result.achieved.get(seat, ())
        return self._office.achievements.news(self._game, self._table.game, holder.addresses, achieved)

    @property
    def settles(self) -> bool:
        """Whether the book of achievements has to follow: the game ends, or its end is changed or taken back."""
        if not self._game.achievements:
            return False
        was = self._table.status is Status.ENDED
        stays = self.after.table.status is Status.ENDED and not self.change.entries and not self.change.holders
        return self.ends or (was and not stays)

    def decision(self, draft: Draft) -> int:
        """The number in the seat's token: what it is asked, or the last number given; the moderator has his own."""
        return self._gm if draft.seat == MODERATOR else self._asked.get(draft.seat, self.decisions)

    def token(self, draft: Draft) -> str:
        """The token of a mail; empty in a public view and where nothing can be answered by mail."""
        if draft.public:
            return ""
        holder = self._holders[draft.seat]
        return str(self._office.keys.token(self._table.game, draft.seat, holder.generation, self.decision(draft)))

    def record(self) -> Record:
        """The record with an intent for every mail."""
        change, name = self.change, self._table.game
        intents = tuple(
            Intent(
                intent_id(name, self.number, nth),
                draft.seat,
                str(draft.kind),
                self.decision(draft),
                draft.told + 1,
                self.last,
                self._holders[draft.seat].generation - 1,
            )
            for nth, draft in enumerate(self.posted, 1)
        )
        private = dict(change.private)
        if self.posted:
            private["mails"] = [pack(draft) for draft in self.posted]
        also = dict(change.also)
        if change.began:
            also[OPENING] = opening(self.after)
        if change.later is not None:
            also[LATER] = change.later.isoformat()
        if change.together:
            also[TOGETHER] = change.seat
        if self.ends:
            # From here on everybody may check the dice.
            also["seed"] = self.after.secrets.seed
            also["words"] = dict(self.after.secrets.words)
        return Record(
            self.number,
            self._at,
            change.what,
            version(),
            change.seat,
            first=self._table.entries + 1 if change.entries else 0,
            entries=change.entries,
            reveals=change.reveals,
            letter=change.letter,
            intents=intents,
            note=change.note,
            also=also,
            private=private,
        )

    def _after(self, stored: Stored, game: Game) -> Stored:
        change, table = self.change, stored.table
        status = change.status or table.status
        if change.began:
            status = Status.RUNNING
        if self.ends or (change.began and status is Status.ENDED):
            status = Status.ENDED
        # Nothing is taken back once the seed is known.
        undo = table.undo if change.marks is None else () if self.ends else change.marks
        intents = {draft.seat: intent_id(table.game, self.number, nth) for nth, draft in enumerate(self.posted, 1)}
        drafts = {draft.seat: draft for draft in self.drafts}
        rows = tuple(
            self._row(row, drafts[Seat(row.seat)], intents.get(Seat(row.seat), "")) if row.seat in drafts else row
            for row in table.seats
        )
        table = replace(
            table,
            status=status,
            reason=table.reason if change.status is None else self._reason(),
            seats=rows,
            engine=version(),
            records=self.number,
            entries=self.last,
            decisions=self.decisions,
            changed=self._at,
            undo=undo,
        )
        after = replace(stored, table=table, secrets=self._secrets(stored), commit="")
        if change.state is None:
            return after
        public, hidden = game.dump(change.state)
        return replace(after, table=replace(table, game_schema=game.schema), game=public, hidden=hidden)

    def _reason(self) -> str:
        """The mark of the reason, which the record tells as well."""
        return mark(self._table.game, self.number, "note") if self.change.reason else ""

    @property
    def author(self) -> str:
        """Whose words its record holds."""
        seat = self.change.seat
        return author_of(seat, self._table.seat(seat).generation) if seat else author_of(MODERATOR, 0)

    def _secrets(self, stored: Stored) -> Secrets:
        change, secrets = self.change, stored.secrets
        if change.said is not None:
            secrets = replace(secrets, said={**secrets.said, change.seat: change.said})
        if any(draft.seat == MODERATOR for draft in self.drafts):
            secrets = replace(secrets, gm=ModeratorKey(self._gm, self.decisions))
        later = dict(secrets.later)
        if change.later is not None and change.answer is not None:
            name = mark(stored.table.game, self.number, "later")
            handed = self._holders[change.answer.seat].generation - 1
            one = Waiting(handed, split(name, pack(change.answer), self.texts))
            later[change.seat] = (*later.get(change.seat, ()), one)
        if change.together:
            later.pop(change.seat, None)
        return replace(secrets, later=later)

    def _row(self, row: SeatRow, draft: Draft, intent: str) -> SeatRow:
        if self.change.noted and draft.seat == self.change.seat:
            row = replace(row, noted=self._at.date().isoformat())
        if draft.public or draft.quiet or (not intent and self._has_address(draft.seat)):
            # The answer to a turn file was shown to whoever played it; the seat's own mail still has to tell it.
            return row
        if intent:
            row = replace(row, thread=ThreadMark(self._stage, draft.root or intent, intent))
        return replace(row, told=self.last, heard=self.number, asked=self._asked.get(draft.seat, row.asked))
