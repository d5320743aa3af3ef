"""A change drawn up for its commit: who is written to and why, the seats' rows after it, the record with its intents.

Nothing is written here; a crash leaves nothing.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.catalog import Msg
from engine.game import Game, Seat
from pbem.desk.context import STOPPED
from pbem.desk.earlier import SAID
from pbem.desk.noting import NOTED
from pbem.desk.packing import pack
from pbem.desk.post import Happened, addressees
from pbem.desk.result import Result
from pbem.desk.services import Services, version
from pbem.desk.start import OPENING, opening
from pbem.host.people import MODERATOR
from pbem.outbound.mail import MailKind, Message
from pbem.store.memory import LATER, TOGETHER
from pbem.store.record import Intent, Record, intent_id
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Secrets, Status

GM = "gm"
"""With the secrets: the number in the moderator's newest key, and the newest decision when it was given."""

KEPT = (GM, LATER)
"""What stands with the secrets and is no part of a position: a rollback leaves it."""


class Changes:
    """What one commit changes: who is written to, the seats' rows after it, the record."""

    def __init__(self, services: Services, game: Game, result: Result, at: datetime) -> None:
        stored = result.stored
        self.result = result
        self._services = services
        self._game = game
        self._at = at
        self._table = stored.table
        self._holders = {holder.seat: holder for holder in services.people.holders(stored.table.game)}
        self._holders[MODERATOR] = services.people.moderator
        self.number = stored.table.records + 1
        self.last = stored.table.entries + len(result.entries)
        self._stage = "gathering" if result.state is None else game.stage(result.state)
        waiting = () if result.state is None else game.waiting(result.state)
        self.decisions = max((stored.table.decisions, *(decision.number for decision in waiting)))
        over = result.state is not None and game.result(result.state) is not None
        ended = result.status is Status.ENDED and stored.table.status is not Status.ENDED
        self.ends = ended or (over and stored.table.status is Status.RUNNING)
        if (result.status or stored.table.status) in STOPPED:
            # Nobody is asked anything before the game goes on.
            waiting = ()
        key = stored.secrets.also.get(GM, {})
        # A new one when the last was used up, and when the game has gone on since it was given.
        self._gm = key.get("number", 0) + (result.deed or key.get("decisions") != self.decisions)
        self._asked = {decision.seat: decision.number for decision in waiting}
        happened = Happened(
            tuple(Seat(row.seat) for row in stored.table.seats),
            waiting,
            {Seat(row.seat): int(row.also.get("asked", 0)) for row in stored.table.seats},
            result.answer.seat if result.answer else None,
            result.answer.kind if result.answer else None,
            {*result.concerned, *result.messages},
            result.began,
            self.ends,
        )
        due = addressees(happened)
        if result.invites:
            due = dict.fromkeys(happened.seats, MailKind.INVITATION)
        self.mails = tuple(self._message(seat, kind) for seat, kind in due.items() if self._gets(seat))
        if result.aside is not None:
            self.mails += (result.aside,)
        self.posted = tuple(message for message in self.mails if self._is_posted(message.seat))
        self.after = self._after(stored, game)

    def _gets(self, seat: Seat) -> bool:
        answered = self.result.answer is not None and self.result.answer.seat == seat
        return answered or self._has_address(seat)

    def _is_posted(self, seat: Seat) -> bool:
        """A seat without an address gets no mail, nor does the answer to a turn file go by mail."""
        answer = self.result.answer
        if answer is not None and answer.seat == seat and not self.result.by_mail:
            return False
        if answer is not None and answer.seat == seat and self.result.later is not None:
            return False
        return self._has_address(seat)

    def _has_address(self, seat: Seat) -> bool:
        holder = self._holders.get(seat)
        return holder is not None and bool(holder.addresses)

    def _message(self, seat: Seat, kind: MailKind) -> Message:
        answer = self.result.answer
        row = self._table.seat(seat)
        message = Message(seat=seat, kind=kind, position=self.result.shows)
        earned = self._earned(seat) if kind is MailKind.FINAL else ()
        if answer is not None and answer.seat == seat:
            message = replace(answer, kind=kind, own=not self.result.began)
        message = replace(
            message,
            heard=int(row.also.get("heard", 0)),
            told=row.told,
            earned=earned,
            messages=(*message.messages, *self.result.messages.get(seat, ())),
        )
        thread = row.also.get("thread")
        if message.public or not thread or thread["stage"] != self._stage:
            # A new round is a new thread, and a mail to be forwarded names no other mail.
            return replace(message, answering="")
        return replace(message, root=thread["root"], last=thread["last"])

    def _earned(self, seat: Seat) -> tuple[Msg, ...]:
        """What the end of the game adds to what its holder has achieved."""
        state, holder = self.result.state, self._holders.get(seat)
        if not self._game.achievements or state is None or holder is None or self._table.seat(seat).by != "person":
            return ()
        ending = self._game.result(state)
        if ending is None:
            return ()
        achieved = ending.achieved.get(seat, ())
        return self._services.achievements.news(self._game, self._table.game, holder.addresses, achieved)

    @property
    def settles(self) -> bool:
        """Whether the book of achievements has to follow: the game ends, or its end is changed or taken back."""
        if not self._game.achievements:
            return False
        was = self._table.status is Status.ENDED
        stays = self.after.table.status is Status.ENDED and not self.result.entries and not self.result.holders
        return self.ends or (was and not stays)

    def decision(self, message: Message) -> int:
        """The number in the seat's token: what it is asked, or the last number given; the moderator has his own."""
        return self._gm if message.seat == MODERATOR else self._asked.get(message.seat, self.decisions)

    def token(self, message: Message) -> str:
        """The token of a mail; empty in a public view and where nothing can be answered by mail."""
        if message.public:
            return ""
        holder = self._holders[message.seat]
        return str(self._services.keys.token(self._table.game, message.seat, holder.generation, self.decision(message)))

    def record(self) -> Record:
        """The record with an intent for every mail."""
        result, name = self.result, self._table.game
        intents = tuple(
            Intent(
                intent_id(name, self.number, nth),
                message.seat,
                str(message.kind),
                self.decision(message),
                message.told + 1,
                self.last,
                self._holders[message.seat].generation - 1,
            )
            for nth, message in enumerate(self.posted, 1)
        )
        private = dict(result.private)
        if self.posted:
            private["mails"] = [pack(message) for message in self.posted]
        also = dict(result.also)
        if result.began:
            also[OPENING] = opening(self.after)
        if result.later is not None:
            also[LATER] = result.later.isoformat()
        if result.together:
            also[TOGETHER] = result.seat
        if self.ends:
            # From here on everybody may check the dice.
            also["seed"] = self.after.secrets.seed
            also["words"] = dict(self.after.secrets.words)
        return Record(
            self.number,
            self._at,
            result.what,
            version(),
            result.seat,
            first=self._table.entries + 1 if result.entries else 0,
            entries=result.entries,
            reveals=result.reveals,
            letter=result.letter,
            intents=intents,
            note=result.note,
            also=also,
            private=private,
        )

    def _after(self, stored: Stored, game: Game) -> Stored:
        result, table = self.result, stored.table
        status = result.status or table.status
        if result.began:
            status = Status.RUNNING
        if self.ends or (result.began and status is Status.ENDED):
            status = Status.ENDED
        also = dict(table.also)
        if result.marks is not None:
            # Nothing is taken back once the seed is known.
            also["undo"] = [] if self.ends else [mark.to_data() for mark in result.marks]
        intents = {message.seat: intent_id(table.game, self.number, nth) for nth, message in enumerate(self.posted, 1)}
        written = {message.seat: message for message in self.mails}
        rows = tuple(
            self._row(row, written[Seat(row.seat)], intents.get(Seat(row.seat), "")) if row.seat in written else row
            for row in table.seats
        )
        table = replace(
            table,
            status=status,
            reason=table.reason if result.status is None else result.reason,
            seats=rows,
            engine=version(),
            records=self.number,
            entries=self.last,
            decisions=self.decisions,
            changed=self._at,
            also=also,
        )
        after = replace(stored, table=table, secrets=self._secrets(stored), commit="")
        if result.state is None:
            return after
        public, hidden = game.dump(result.state)
        return replace(after, table=replace(table, game_schema=game.schema), game=public, hidden=hidden)

    def _secrets(self, stored: Stored) -> Secrets:
        result, also = self.result, dict(stored.secrets.also)
        if result.said is not None:
            also[SAID] = {**also.get(SAID, {}), result.seat: [dict(words) for words in result.said]}
        if any(message.seat == MODERATOR for message in self.mails):
            also[GM] = {"number": self._gm, "decisions": self.decisions}
        if result.later is not None and result.answer is not None:
            waiting = also.get(LATER, {})
            handed = self._holders[result.answer.seat].generation - 1
            one = {"handed": handed, "mail": pack(result.answer)}
            also[LATER] = {**waiting, result.seat: [*waiting.get(result.seat, []), one]}
        if result.together:
            also[LATER] = {seat: rows for seat, rows in also.get(LATER, {}).items() if seat != result.seat}
        return replace(stored.secrets, also=also)

    def _row(self, row: SeatRow, message: Message, intent: str) -> SeatRow:
        also = dict(row.also)
        if self.result.noted and message.seat == self.result.seat:
            also[NOTED] = self._at.date().isoformat()
        if message.public or message.quiet:
            return replace(row, also=also)
        if not intent and self._has_address(message.seat):
            # The answer to a turn file was shown to whoever played it; the seat's own mail still has to tell it.
            return replace(row, also=also)
        also["heard"] = self.number
        if message.seat in self._asked:
            also["asked"] = self._asked[message.seat]
        if intent:
            also["thread"] = {"stage": self._stage, "root": message.root or intent, "last": intent}
        return replace(row, told=self.last, also=also)
