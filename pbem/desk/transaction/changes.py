"""Work out what one commit changes: who is mailed and why, the seats' rows after it, the record with its intents.

Nothing is written here.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.catalog import Msg, T
from engine.event_log import Data
from engine.game import AnyGame, Seat
from pbem.desk.clock.clock_text import clock_after, wait_after, with_clock_text
from pbem.desk.clock.delivery_policy import addressees, hears_every_turn, mailed_at_once, mails_held
from pbem.desk.core.context import STOPPED
from pbem.desk.core.game_start import OPENING, published_words
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services, program_version
from pbem.desk.core.undo import ACTION_SENTENCE, BACK, DEFAULT, NUMBERED, UNDO
from pbem.host.people import MODERATOR
from pbem.outbound.mail import MailKind, Message
from pbem.store.commit_record import COOLED_MAIL, DAILY_MAIL, Intent, Record
from pbem.store.data_codec import to_data
from pbem.store.game_table import (
    AwaitedDecision,
    DelayedAnswer,
    LastMailed,
    ModeratorKey,
    ReminderSent,
    SeatRow,
    Secrets,
    Status,
    ThreadMark,
)
from pbem.store.message_index import ANSWER_DUE, SENT_TOGETHER
from pbem.store.private_text import author_id, extract_mail_text, placeholder
from pbem.store.state_file import StoredGame


class Changes:
    """The mails, the table after the commit, and its record."""

    def __init__(self, services: Services, game: AnyGame, result: Result, at: datetime) -> None:
        stored = result.stored
        self.result = result
        self._services = services
        self._game = game
        self._at = at
        self._table = stored.table
        self._holders = {holder.seat: holder for holder in services.people.holders(stored.table.game)}
        self._holders[MODERATOR] = services.people.moderator
        self.number = stored.table.records + 1
        self._rows = {Seat(row.seat): row for row in stored.rows}
        self.texts: dict[str, str] = {}
        """Private texts that the table after it refers to."""
        self.last = stored.table.entries + len(result.entries)
        self._stage = "gathering" if result.state is None else game.stage(result.state)
        waiting = () if result.state is None else game.waiting(result.state)
        self.decisions = max((stored.table.decisions, *(decision.number for decision in waiting)))
        over = result.state is not None and game.result(result.state) is not None
        ended = result.status is Status.ENDED and stored.table.status is not Status.ENDED
        self.ends = ended or (over and (result.began or stored.table.status is Status.RUNNING))
        if (result.status or stored.table.status) in STOPPED:
            waiting = ()
        key = stored.secrets.gm
        # The moderator gets a new key once the last was used, or once the game has gone on.
        self._gm = key.number + (result.uses_key or key.decisions != self.decisions)
        self._asked = {decision.seat: decision.number for decision in waiting}
        self._waiting = waiting
        # A standing order answers nothing.
        moved = bool(result.entries) and not result.effects.quiet
        self._wait = wait_after(stored.table, result.status or stored.table.status, waiting, moved, at)
        urgent = mailed_at_once(game, result)
        due = addressees(
            {Seat(row.seat): row.asked for row in stored.table.seats},
            waiting,
            result.answer,
            {*result.concerned, *result.hearers, *urgent},
            everybody=self._everybody(),
            hearing=hears_every_turn(game, result, self._holders, waiting),
        )
        answered = result.answer.seat if result.answer else None
        self._held = mails_held(services.zone, result, self._holders, due, at, urgent)
        due = {seat: kind for seat, kind in due.items() if seat not in self._held}
        self.mails = tuple(
            self._message(seat, kind) for seat, kind in due.items() if seat == answered or self._has_address(seat)
        )
        if result.aside is not None:
            self.mails += (result.aside,)
        # The answer to a turn file is shown on the spot; a throttled one goes out with others.
        unsent = answered if result.delivery.later is not None or not result.delivery.by_mail else None
        self.posted = tuple(mail for mail in self.mails if mail.seat != unsent and self._has_address(mail.seat))
        self.after = self._after(stored, game)

    def _everybody(self) -> MailKind | None:
        """The kind of mail that the whole table gets, if any."""
        if self.result.invites:
            return MailKind.INVITATION
        if self.ends:
            return MailKind.FINAL
        return MailKind.WELCOME if self.result.began else None

    def _has_address(self, seat: Seat) -> bool:
        holder = self._holders.get(seat)
        return holder is not None and bool(holder.addresses)

    def _message(self, seat: Seat, kind: MailKind) -> Message:
        answer = self.result.answer
        row = self._rows[seat]
        message = Message(seat=seat, kind=kind, position=self.result.shows)
        earned = self._earned(seat) if kind is MailKind.FINAL else ()
        if answer is not None and answer.seat == seat:
            message = replace(answer, kind=kind, own=not self.result.began)
        if self._table.anonymous:
            message = replace(message, notes=(*message.notes, *self._names(seat, kind)))
        message = replace(
            message,
            heard=row.heard,
            told=row.told,
            earned=earned,
            messages=(*message.messages, *self.result.spoken_to(seat)),
            wait=() if message.quiet or message.public else self._told_of_wait(seat, self._wait_for(seat, kind)),
            waited=seat in self.result.stored.secrets.held,
        )
        thread = row.thread
        if message.public or not thread or thread.stage != self._stage:
            # A new round is a new thread; a mail to be forwarded refers to no other mail.
            return replace(message, answering="")
        return replace(message, root=thread.root, last=thread.last)

    def _names(self, seat: Seat, kind: MailKind) -> tuple[Msg, ...]:
        """Names in a mail of an anonymous table: the reader's own at first, everybody's in the end."""
        if kind is MailKind.FINAL:
            ones = ((row.name, self._holders.get(Seat(row.seat))) for row in self._table.seats)
            there = ((alias, one.name) for alias, one in ones if one is not None and one.name != alias)
            return tuple(T("{seat} was {name}.", seat=alias, name=name) for alias, name in there)
        if kind in (MailKind.INVITATION, MailKind.WELCOME):
            name = self._table.seat(seat).name
            return (T("Here nobody learns before the end who the others are. You are called {name}.", name=name),)
        return ()

    def _wait_for(self, seat: Seat, kind: MailKind) -> AwaitedDecision | None:
        """The wait that a mail tells. Talk beside a sealed answer goes with the wait before it, whose count has not
        risen: else it would tell who has answered."""
        result = self.result
        heard = kind is MailKind.NEWS and seat in result.hearers and seat not in result.concerned
        return self._table.wait if result.unnamed and heard else self._wait

    def _told_of_wait(self, seat: Seat, wait: AwaitedDecision | None) -> tuple[Msg, ...]:
        """Describe the wait, with the clocks before this commit's mails start any."""
        rows = tuple(self._clocked(row, "") for row in self._table.seats)
        table = replace(self._table, wait=wait, seats=rows)
        return with_clock_text(self._services, table, self._waiting, self._holders, seat, self._at)

    def _earned(self, seat: Seat) -> tuple[Msg, ...]:
        """What the end of the game adds to the achievements of a seat's holder."""
        state, holder = self.result.state, self._holders.get(seat)
        none = not self._game.reference.achievements or state is None
        if none or holder is None or self._table.seat(seat).by != "person":
            return ()
        ending = self._game.result(state)
        if ending is None:
            return ()
        achieved = ending.achieved.get(seat, ())
        missed = ending.missed.get(seat, {})
        return self._services.achievements.news(self._game, self._table.game, holder.addresses, achieved, missed)

    @property
    def settles(self) -> bool:
        """True if achievements may change: the game ends, or its end is changed or taken back."""
        if not self._game.reference.achievements:
            return False
        was = self._table.status is Status.ENDED
        stays = self.after.table.status is Status.ENDED and not self.result.entries and not self.result.holders
        return self.ends or (was and not stays)

    def decision(self, message: Message) -> int:
        """The number in the mail's token: what the seat is asked, or the last one given; the moderator has his own."""
        return self._gm if message.seat == MODERATOR else self._asked.get(message.seat, self.decisions)

    def token(self, message: Message) -> str:
        """The token of a mail; empty in a public view."""
        if message.public:
            return ""
        holder = self._holders[message.seat]
        return str(self._services.keys.token(self._table.game, message.seat, holder.generation, self.decision(message)))

    def record(self) -> Record:
        """The record with an intent for every mail."""
        result = self.result
        intents = tuple(
            Intent(
                self._table.intent(self.number, nth),
                message.seat,
                str(message.kind),
                self.decision(message),
                message.told + 1,
                self.last,
                self._holders[message.seat].generation - 1,
            )
            for nth, message in enumerate(self.posted, 1)
        )
        private: Data = {"orders": list(result.effects.played)} if result.effects.played else {}
        if tells := [{"to": str(one.to), "text": one.text} for one in result.effects.talk if one.to]:
            private["tells"] = tells
        if result.clock.default:
            private[DEFAULT] = result.clock.default
        if self.posted:
            private["mails"] = [to_data(message) for message in self.posted]
        also = dict(result.also)
        if says := [one.text for one in result.effects.talk if not one.to]:
            also["says"] = says
        if (back := result.effects.taken_back) is not None:
            also[UNDO] = {"restored": back.entry, "number": self._table.decisions}
        if result.began:
            also[OPENING] = published_words(self.after)
        if result.delivery.later is not None:
            also[ANSWER_DUE] = result.delivery.later.isoformat()
        if result.delivery.together:
            also[SENT_TOGETHER] = result.seat
        if self.ends:
            # Published, so that everybody can check the dice.
            also["seed"] = self.after.secrets.seed
            also["words"] = dict(self.after.secrets.words)
        return Record(
            self.number,
            self._at,
            result.what,
            program_version(),
            result.seat,
            first=self._table.entries + 1 if result.entries else 0,
            entries=result.entries,
            reveals=result.reveals,
            letter=result.letter,
            intents=intents,
            note=result.note,
            also=also,
            private=private,
            unnamed=result.unnamed and bool(result.seat or intents),
        )

    def _after(self, stored: StoredGame, game: AnyGame) -> StoredGame:
        result, table = self.result, stored.table
        status = result.status or table.status
        if result.began:
            status = Status.RUNNING
        if self.ends or (result.began and status is Status.ENDED):
            status = Status.ENDED
        # Nothing is taken back once the seed is known.
        undo = table.undo if result.marks is None else () if self.ends else result.marks
        intents = {message.seat: table.intent(self.number, nth) for nth, message in enumerate(self.posted, 1)}
        written = {message.seat: message for message in self.mails}
        rows, mailed, held = [], dict(stored.secrets.mailed), {**stored.secrets.held, **self._held}
        for row in table.seats:
            known, intent = self._rows[Seat(row.seat)], intents.get(Seat(row.seat), "")
            message = written.get(Seat(row.seat))
            new = known if message is None else self._row(known, message, intent)
            due = row.seat == result.clock.seat and result.what in (DAILY_MAIL, COOLED_MAIL)
            if new.heard == self.number or due:
                # This mail has told what was held back, or nothing was left to tell.
                held.pop(row.seat, None)
            told = LastMailed(new.told, new.heard, new.thread)
            if result.unnamed and new.asked == row.asked and told != LastMailed(row.told, row.heard, row.thread):
                # Rows are public: a changed one would tell who has written.
                mailed[row.seat] = told
            elif told != LastMailed(known.told, known.heard, known.thread):
                mailed.pop(row.seat, None)
            if row.seat in mailed:
                new = replace(new, told=row.told, heard=row.heard, thread=row.thread)
            rows.append(self._clocked(new, intent))
        table = replace(
            table,
            status=status,
            reason=table.reason if result.status is None else self._reason(),
            seats=tuple(rows),
            engine=program_version(),
            records=self.number,
            entries=self.last,
            decisions=self.decisions,
            changed=self._at,
            undo=undo,
            wait=self._wait,
        )
        secrets = replace(self._secrets(stored), mailed=mailed, held=held)
        after = replace(stored, table=table, secrets=secrets, commit="")
        if result.state is None:
            return after
        public, hidden = game.dump(result.state)
        return replace(after, table=replace(table, game_schema=game.schema), game=public, hidden=hidden)

    def _reason(self) -> str:
        """The placeholder of the reason, which the record holds as well."""
        return placeholder(self._table.game, self.number, "note") if self.result.reason else ""

    @property
    def author(self) -> str:
        """Whose private texts the record holds. Orders that the moderator gives for a seat, with a reason, are his."""
        seat = "" if ACTION_SENTENCE in self.result.also and self.result.note else self.result.seat
        return author_id(seat, self._table.seat(seat).generation) if seat else author_id(MODERATOR, 0)

    def _secrets(self, stored: StoredGame) -> Secrets:
        result, secrets = self.result, stored.secrets
        if result.reading.said is not None:
            secrets = replace(secrets, said={**secrets.said, result.seat: result.reading.said})
        if result.reading.ends is not None:
            secrets = replace(secrets, ends={**secrets.ends, self.author: result.reading.ends})
        if any(message.seat == MODERATOR for message in self.mails):
            secrets = replace(secrets, gm=ModeratorKey(self._gm, self.decisions))
        if secrets.reminded or result.clock.reminds:
            secrets = replace(secrets, reminded=self._reminded(secrets))
        if result.seat in secrets.defaults and result.letter and result.entries:
            # Playing by letter ends a run of defaults.
            secrets = replace(secrets, defaults={one: n for one, n in secrets.defaults.items() if one != result.seat})
        later = dict(secrets.later)
        if result.delivery.later is not None and result.answer is not None:
            name = placeholder(stored.table.game, self.number, "later")
            handed = self._holders[result.answer.seat].generation - 1
            one = DelayedAnswer(handed, extract_mail_text(name, to_data(result.answer), self.texts))
            later[result.seat] = (*later.get(result.seat, ()), one)
        if result.delivery.together:
            later.pop(result.seat, None)
        return replace(secrets, later=later)

    def _reminded(self, secrets: Secrets) -> dict[str, tuple[ReminderSent, ...]]:
        """The reminders on what is still asked, with the one that this commit sends."""
        found = {
            seat: kept
            for seat, rows in secrets.reminded.items()
            if (kept := tuple(row for row in rows if row.number == self._number(seat)))
        }
        if (new := self.result.clock.reminds) is not None:
            seat = self.result.clock.seat
            reminds = self.result.answer is not None
            nth = next((n for n, mail in enumerate(self.posted, 1) if reminds and mail.seat == seat), 0)
            mail = self._table.intent(self.number, nth) if nth else ""
            found[seat] = (*found.get(seat, ()), replace(new, mail=mail))
        return found

    def _clocked(self, row: SeatRow, intent: str) -> SeatRow:
        """A seat's row with its clock."""
        stopped = (self.result.status or self._table.status) in (Status.HELD, Status.ABANDONED)
        anew = not self.result.also.keys().isdisjoint((BACK, NUMBERED, UNDO))
        return clock_after(self._table, row, self._number(row.seat), intent, stopped=stopped, anew=anew)

    def _number(self, seat: str) -> int | None:
        """The number of what a seat is asked; 0 for its invitation, None for nothing."""
        table, status = self._table, self.result.status or self._table.status
        if self.result.state is None and status is Status.GATHERING:
            return None if seat in (*table.joined, *table.declined) else 0
        return self._asked.get(Seat(seat))

    def _row(self, row: SeatRow, message: Message, intent: str) -> SeatRow:
        if self.result.reading.noted and message.seat == self.result.seat:
            row = replace(row, noted=self.result.reading.noted)
        if message.public or message.quiet or (not intent and self._has_address(message.seat)):
            # The answer to a turn file was shown on the spot; the seat's next mail still has to tell it.
            return row
        number = self._asked.get(message.seat, row.asked)
        if intent:
            row = replace(row, thread=ThreadMark(self._stage, message.root or intent, intent))
        return replace(row, told=self.last, heard=self.number, asked=number)
