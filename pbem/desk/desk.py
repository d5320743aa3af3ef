"""The desk: letters of players in, commits and mails out. `pbem.router` hands them over.

A game is locked while a letter is read and committed (`commit`). The system frees a lock whose holder has died. A crash
before the commit leaves nothing; after it nothing is applied twice.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from engine.errors import PositionError
from engine.game import Seat
from engine.reference import CardText
from pbem.desk.answering import answer_request
from pbem.desk.core.context import Context
from pbem.desk.core.identity import Who
from pbem.desk.core.outcome import PASSED_OVER, FromFile, Handled, Outcome, Silence
from pbem.desk.core.request import Request
from pbem.desk.core.result import Delivery, Result
from pbem.desk.core.services import Services
from pbem.desk.limits import auto_replies, unauthenticated
from pbem.desk.limits.bounce_reports import clear_unreachable
from pbem.desk.limits.rate_limits import (
    UNPROVEN,
    count_rings,
    limit_answers,
    nth_unproven,
    the_last_today,
    throttled_reply,
)
from pbem.desk.transaction import notice_mail
from pbem.desk.transaction.commit import Committed, commit, confirm_people
from pbem.desk.transaction.notice_mail import uncommitted_mail
from pbem.desk.transaction.rebuild import rebuild_spool
from pbem.host.people import SHARED_PREFERENCES
from pbem.inbound.incoming_letter import Letter
from pbem.outbound.mail import MailKind
from pbem.store.commit_record import AnsweredLetter
from pbem.store.errors import Damaged, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.inbound_queue import MAX_ATTEMPTS
from pbem.store.lru import LruCache
from pbem.store.state_file import StoredGame

log = logging.getLogger(__name__)

T_ = TypeVar("T_")

KEPT = 256
"""Positions that stay loaded, by commit."""


class Desk:
    """The post room of one host."""

    def __init__(self, services: Services) -> None:
        self.services = services
        services.spool.naming = services.keys.mail
        self._states = LruCache(KEPT)

    def play_file(self, game: str, seat: str, lines: Sequence[str], trial: bool = False) -> FromFile:
        """Play a turn file for a seat as its newest letter; others are mailed, the answer is given back.

        With `trial` nothing is stored. Raises LookupError for an unknown seat, StoreError, OSError, and any defect of
        the game; then nothing is changed.
        """
        with self.services.store.open(game).lock("orders") as repo:
            context = self.public_context(repo) if trial else self.context(repo)
            holder = self.services.people.holder(game, seat)
            read = ["try", *lines] if trial else list(lines)
            request = Request(context=context, seat=holder.seat, lines=read, written=read, signed=(holder.name,))
            result = answer_request(request)
            if trial:
                result = result.with_effects(talk=())
            if result.answer is None:
                raise ValueError("a turn file has an answer")
            if trial or not result.lasts:
                return FromFile(Handled(_outcome(result), game, seat), uncommitted_mail(context, result.answer))
            committed = self.commit(context, replace(result, delivery=Delivery(by_mail=False)))
        mail = replace(committed.mails[holder.seat], token="")
        return FromFile(Handled(_outcome(result), game, seat, committed.record.number), mail)

    def change(self, game: str, why: str, action: Callable[[Context], Result], check: bool = True) -> Committed:
        """Commit the result of an admin action, under the game's lock.

        With `check` false work files may differ from the last commit. Raises what `action` raises, StoreError, OSError;
        then nothing has happened.
        """
        with self.services.store.open(game).lock(why, check=check) as repo:
            context = self.context(repo)
            return self.commit(context, action(context))

    def look(self, game: str, see: Callable[[Context], T_], public: bool = False) -> T_:
        """What `see` finds in a game, under its lock; with `public` no secret is opened. Raises StoreError."""
        with self.services.store.open(game).lock("looking", check=False) as repo:
            return see(self.public_context(repo) if public else self.context(repo))

    def rebuild(self, game: str) -> int:
        """Restore the mails of a game to a lost or older spool; returns how many go again."""
        with self.services.store.open(game).lock("rebuild", check=False) as repo:
            return rebuild_spool(self.services, repo)

    def answer_waiting(self) -> int:
        """Send the throttled answers that are due, one mail a seat; returns how many.

        Raises OSError and sqlite3.Error. A game that cannot be opened now is tried again at the next call.
        """
        count, spool = 0, self.services.spool
        for game, seat in spool.due_later(self.services.clock()):
            if not self.services.store.has(game):
                spool.drop_later(game, seat)
                continue
            with suppress(StoreError), self.services.store.open(game).lock("waiting answers") as repo:
                context = self.context(repo)
                if Seat(seat) not in context.names():
                    # The seat was left out when the game began.
                    spool.drop_later(game, seat)
                    continue
                result = throttled_reply(context, self.services.people.holder(game, seat))
                self.commit(context, result)
                count += result.answer is not None
        return count

    def taken_before(self, repo: GameRepo, letter: Letter, mark: AnsweredLetter, attempt: int) -> Handled | None:
        """How a letter was handled before, as far as only the locked game can tell."""
        spool = self.services.spool
        if attempt > 1:
            # An earlier attempt may have been committed and not marked.
            spool.catch_up(repo)
            if seen := spool.seen(letter.digest):
                return Handled(Outcome.SEEN, seen.game, record=seen.record, silence=Silence.AGAIN)
        if self.services.store.group_commit.is_waiting(mark.name):
            # What answers it is told of it once it has landed.
            self.services.store.group_commit.flush()
        if mark.name and (known := spool.taken(mark.name)):
            spool.done(letter.digest, "a duplicate", known.game, known.record)
            return Handled(Outcome.SEEN, known.game, record=known.record, why="a duplicate", silence=Silence.AGAIN)
        return None

    def answer_unproven(self, letter: Letter, who: Who, mark: AnsweredLetter, attempt: int) -> Handled:
        """Answer a letter in a known person's name without a key of theirs, within its own budget."""
        services = self.services
        nth = nth_unproven(services, letter)
        if nth > UNPROVEN:
            return self.silent(letter, Silence.NO_KEY, f"{who.why}; answered often enough today", who)
        found = unauthenticated.open_seats(services, letter.sender)
        place = next((one for one in found if one.game == who.game), found[0] if len(found) == 1 else None)
        if place is None:
            unauthenticated.list_tables(services, letter, found, nth)
            why = f"{who.why}; told the open games"
            services.spool.done(letter.digest, why)
            return Handled(Outcome.REFUSED, why=why)
        who = replace(unauthenticated.keyed_by(services, who, letter), game=place.game, seat=place.holder.seat)
        return self.answer(letter, who, mark, attempt, last=nth == UNPROVEN)

    def answer(self, letter: Letter, who: Who, mark: AnsweredLetter, attempt: int, last: bool = False) -> Handled:
        """Read a letter of a seat's holder and commit what it does. Raises what the store raises.

        `attempt` counts its starts; `last`: it is the last letter without a key that is answered today.
        """
        services = self.services
        with services.store.open(who.game).lock("a letter") as repo:
            if again := self.taken_before(repo, letter, mark, attempt):
                return again
            context = self.context(repo)
            holder = services.people.holder(who.game, who.seat)
            if letter.sender not in holder.addresses:
                return self.silent(letter, Silence.NO_SEAT, who=who)
            if who.proven:
                clear_unreachable(services, context.stored, holder, who.decision)
            request = Request.of(context, letter, who, holder, services.clock(), services.zone)
            if auto_replies.passes_over(letter, request):
                return self.silent(letter, Silence.BULK, letter.auto, who)
            result: Result | None = replace(answer_request(request), letter=mark)
            if result and who.proven:
                result = limit_answers(services, request, result)
            if result is None:
                return self.silent(letter, Silence.SAME, who=who)
            if last and result.answer is not None:
                notes = (*result.answer.notes, the_last_today())
                result = replace(result, answer=replace(result.answer, notes=notes))
            personal = result.effects.personal
            if chosen := {name: str(one) for name, one in personal.items() if name in SHARED_PREFERENCES}:
                # Before the commit, after which the letter is not read again.
                services.people.choose(letter.sender, holder.name, **chosen)
            committed = self.commit(context, result, waits=mark.name)
            count_rings(services, request, letter.digest, committed)
        if "coming" in result.effects.personal:
            unauthenticated.confirm_new_address(self.services, who, letter)
        silence = Silence.NOTE if result.answer is None else None
        return Handled(_outcome(result), who.game, who.seat, committed.record.number, who.why, silence)

    def context(self, repo: GameRepo) -> Context:
        """A game at rest. Raises StoreError when its files are damaged; the game waits until they are fixed."""
        with _readable(repo):
            stored = StoredGame.read(repo)
            confirm_people(self.services, repo, stored)
            game = self.services.find(stored.table.kind)
            state = self._states.get(stored.commit)
            if state is None and stored.game:
                state = game.load(stored.game, stored.hidden)
                self._states.put(stored.commit, state)

        def tables(seat: Seat) -> tuple[CardText, ...]:
            return unauthenticated.other_games(self.services, self.services.people.holder(repo.name, seat), repo.name)

        return Context(
            game=game, stored=stored, state=state, kept=repo, services=self.services, tables=tables,
            kept_at=self._states.get,
        )  # fmt: skip

    def public_context(self, repo: GameRepo) -> Context:
        """The same without secrets, for trials from the terminal."""
        with _readable(repo):
            return Context.loaded(self.services, StoredGame.read_public(repo), repo)

    def commit(
        self, context: Context, result: Result, waits: str = "", at: datetime | None = None
    ) -> Committed:
        """Commit what was decided of a locked game, whole or not at all (`pbem.desk.transaction.commit`)."""
        committed = commit(self.services, context, result, waits, at)
        if committed.state is not None:
            self._states.put(committed.stored.commit, committed.state)
        return committed

    def silent(self, letter: Letter, kind: Silence, why: str = "", who: Who | None = None) -> Handled:
        """File a letter without an answer; `why` is for the log. The moderator is told of one with a seat's key."""
        found = who or Who()
        if kind in PASSED_OVER:
            found = notice_mail.note_silence(self.services, letter, kind)
        self.services.spool.done(letter.digest, why or kind)
        return Handled(Outcome.SILENT, found.game, found.seat, why=why or kind, silence=kind)

    def defect(self, letter: Letter, who: Who, trouble: Exception) -> Handled:
        """Handle an unexpected exception: try again, at last put the letter aside and tell its writer.

        Only the place in the code is logged, since the text could hold a secret of the game.
        """
        steps = traceback.extract_tb(trouble.__traceback__)[:-4:-1]
        where = " < ".join(f"{Path(step.filename).name}:{step.lineno}" for step in steps)
        why = f"{type(trouble).__name__} at {where}"
        log.error("letter %s of %s: %s", letter.digest[:12], who.game or "no game", why)
        self.services.spool.failed_at(letter.digest)
        if self.services.spool.deaths(letter.digest) < MAX_ATTEMPTS:
            return Handled(Outcome.RETRY, who.game, who.seat, why=why)
        with suppress(Exception):
            notice_mail.tell_writer(self.services, letter)
        self.services.spool.quarantine(letter.digest, why)
        return Handled(Outcome.QUARANTINED, who.game, who.seat, why=why)


@contextmanager
def _readable(repo: GameRepo) -> Iterator[None]:
    """Raise Damaged for files that cannot be read, without quoting them."""
    try:
        yield
    except PositionError as trouble:
        raise Damaged(f"{repo.name}: {trouble.where or 'its files'} cannot be read; nothing was changed") from None
    except LookupError as trouble:
        raise Damaged(f"{repo.name}: {trouble}; nothing was changed") from None


def _outcome(result: Result) -> Outcome:
    if result.plays or result.hearers:
        return Outcome.PLAYED
    if result.answer is None:
        return Outcome.SILENT
    return Outcome.REFUSED if result.answer.kind is MailKind.REFUSAL else Outcome.ANSWERED
