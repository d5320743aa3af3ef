"""The desk itself: letters of players in, commits and mails out. `pbem.router` hands them over.

The game is locked (the system frees a lock whose holder is gone), the letter judged: a crash leaves nothing. Then
`commit.commit`: see there; before the commit nothing is left, after it nothing is applied twice.
"""

from __future__ import annotations

import logging
import traceback
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from engine import game as games
from engine.catalog import T
from engine.errors import PositionError
from engine.game import CardText, Game, Seat
from pbem.desk import notices, unproven, waiting
from pbem.desk.answering import Case, Post
from pbem.desk.answering import answer as judged
from pbem.desk.budgets import UNPROVEN, last_today, measured, nth_today, plays
from pbem.desk.changes import Changes
from pbem.desk.commit import Committed, commit, confirm_people
from pbem.desk.draft import Draft
from pbem.desk.identity import Who
from pbem.desk.outcome import FromFile, Handled, Outcome
from pbem.desk.rebuild import rebuild
from pbem.desk.services import Renders, Services, now
from pbem.desk.taking import post_of
from pbem.host.keys import Keys
from pbem.host.people import People
from pbem.inbound.letter import Kind, Letter
from pbem.outbound.mail import MailKind
from pbem.store.games import GameStore
from pbem.store.inbound_queue import ATTEMPTS
from pbem.store.record import LetterMark
from pbem.store.repo import GameRepo
from pbem.store.spool import Spool
from pbem.store.stored import Stored
from pbem.store.trouble import Damaged, StoreError

log = logging.getLogger(__name__)

T_ = TypeVar("T_")

KEPT = 32
"""Positions that stay loaded, by commit."""

_PEOPLE = frozenset({Kind.ORDERS, Kind.FORWARD})


class Desk:
    """The post room of one host. `own` is the address that letters come to."""

    def __init__(
        self,
        store: GameStore,
        spool: Spool,
        people: People,
        renderer: Renders,
        keys: Keys,
        *,
        clock: Callable[[], datetime] = now,
        find: Callable[[str], Game] = games.find,
        moderator: str = "",
        own: str = "",
        authserv_id: str = "",
        dmarc_exempt: Collection[str] = (),
    ) -> None:
        exempt = frozenset(address.lower() for address in dmarc_exempt)
        self.services = Services(store, spool, people, renderer, keys, clock, find, moderator, authserv_id, exempt)
        spool.naming = keys.mail
        self.own = own or renderer.host.address
        self._states: OrderedDict[str, Any] = OrderedDict()

    def play_file(self, game: str, seat: str, lines: Sequence[str], trial: bool = False) -> FromFile:
        """Play a turn file for a seat, as its newest letter would be; others are mailed, the answer is given back.

        With `trial` nothing is stored. Raises LookupError for a seat that is not there, StoreError, OSError, and
        whatever defect the game meets (nothing is changed then).
        """
        with self.services.store.open(game).lock("orders") as repo:
            case = self.public_case(repo) if trial else self.case(repo)
            holder = self.services.people.holder(game, seat)
            read = ["try", *lines] if trial else list(lines)
            stored, change = judged(case, Post(holder.seat, read, read, signed=(holder.name,)))
            if change.answer is None:
                raise ValueError("a turn file has an answer")
            playing = plays(case, stored, change) or bool(change.messages)
            if trial or not playing:
                return FromFile(Handled(_outcome(change), game, seat), notices.composed(case, change.answer))
            sealed = self.commit(case, stored, replace(change, by_mail=False))
        mail = replace(sealed.mails[holder.seat], token="")
        return FromFile(Handled(Outcome.PLAYED, game, seat, sealed.record.number), mail)

    def change(
        self, game: str, why: str, draw: Callable[[Case], tuple[Stored, Changes]], check: bool = True
    ) -> Committed:
        """Make a moderator's change: `draw` says what it is to be, for the game at rest, under its lock.

        With `check` false work files may differ from the last commit. Raises what `draw` raises, then nothing has
        happened; StoreError, OSError.
        """
        with self.services.store.open(game).lock(why, check=check) as repo:
            case = self.case(repo)
            stored, change = draw(case)
            return self.commit(case, stored, change)

    def look(self, game: str, see: Callable[[Case], T_]) -> T_:
        """What `see` finds in a game at rest, under its lock; nothing is changed. Raises what it raises, StoreError."""
        with self.services.store.open(game).lock("looking", check=False) as repo:
            return see(self.case(repo))

    def rebuild(self, game: str) -> int:
        """Fill what a lost or older spool lacks of a game: each seat's newest mail goes again; how many do."""
        with self.services.store.open(game).lock("rebuild", check=False) as repo:
            return rebuild(self.services, self.services.find(Stored.read(repo).table.kind), repo)

    def answer_waiting(self) -> int:
        """Send the answers that wait until they are due (`budgets`), one mail a seat; how many.

        Raises OSError and sqlite3.Error. A game that cannot be worked on now is tried again at the next call.
        """
        count, spool = 0, self.services.spool
        for game, seat in spool.due_later(self.services.clock()):
            if not self.services.store.has(game):
                spool.drop_later(game, seat)
                continue
            with suppress(StoreError), self.services.store.open(game).lock("waiting answers") as repo:
                case = self.case(repo)
                change = waiting.drawn(case, self.services.people.holder(game, seat))
                self.commit(case, case.stored, change)
                count += change.answer is not None
        return count

    def taken_before(self, repo: GameRepo, letter: Letter, mark: LetterMark, attempt: int) -> Handled | None:
        """How a letter was handled before, though it was not known when it was taken up."""
        spool = self.services.spool
        if attempt > 1:
            # The attempt before this one may have been committed and not marked.
            spool.catch_up(repo)
            if seen := spool.seen(letter.digest):
                return Handled(Outcome.SEEN, seen.game, record=seen.record)
        if mark.name and (known := spool.taken(mark.name)):
            spool.done(letter.digest, "a duplicate", known.game, known.record)
            return Handled(Outcome.SEEN, known.game, record=known.record, why="a duplicate")
        return None

    def answer_unproven(self, letter: Letter, who: Who, mark: LetterMark, attempt: int) -> Handled:
        """A letter in the name of somebody we know, without a key of theirs: its answers have a budget of their own."""
        services = self.services
        nth = nth_today(services, f"unproven {services.keys.person(letter.sender)}", letter.digest)
        if nth > UNPROVEN:
            return self.silent(letter, f"{who.why}; answered often enough today", who)
        found = unproven.places(services, letter.sender)
        place = next((one for one in found if one.game == who.game), found[0] if len(found) == 1 else None)
        if place is None:
            unproven.list_tables(services, letter, found, nth)
            return replace(self.silent(letter, f"{who.why}; told the open games"), outcome=Outcome.REFUSED)
        who = replace(who, game=place.game, seat=place.holder.seat)
        return self.answer(letter, who, mark, attempt, last=nth == UNPROVEN)

    def answer(self, letter: Letter, who: Who, mark: LetterMark, attempt: int, last: bool = False) -> Handled:
        """Judge a letter of a seat's holder and commit what it does. Raises what the store raises.

        `attempt` counts its starts; `last` says that a letter without a key is the last one answered today.
        """
        services = self.services
        with services.store.open(who.game).lock("a letter") as repo:
            if again := self.taken_before(repo, letter, mark, attempt):
                return again
            case = self.case(repo)
            holder = services.people.holder(who.game, who.seat)
            if letter.sender not in holder.addresses:
                return self.silent(letter, "the seat has changed hands meanwhile", who)
            post = post_of(letter, who, holder, services.clock())
            stored, change = judged(case, post)
            change = replace(change, letter=mark)
            counted = measured(services, case, post, stored, change) if who.proven else change
            if counted is None:
                return self.silent(letter, "the same text again", who)
            change = counted
            if last and change.answer is not None:
                change = replace(change, answer=last_today(change.answer))
            sealed = self.commit(case, stored, change)
        outcome = Outcome.PLAYED if plays(case, stored, change) or change.messages else _outcome(change)
        return Handled(outcome, who.game, who.seat, sealed.record.number, who.why)

    def case(self, repo: GameRepo) -> Case:
        """A game at rest. Raises StoreError when its files do not hold together: it waits until it is mended."""
        try:
            stored = Stored.read(repo)
            confirm_people(self.services, repo, stored)
            game = self.services.find(stored.table.kind)
            state = self._states.get(stored.commit)
            if state is None and stored.game:
                state = game.load(stored.game, stored.hidden)
                self._keep(stored.commit, state)
        except PositionError as trouble:
            raise Damaged(f"{repo.name}: {trouble.where or 'its files'} cannot be read; nothing was changed") from None
        except LookupError as trouble:
            raise Damaged(f"{repo.name}: {trouble}; nothing was changed") from None

        def listing(seat: Seat) -> tuple[CardText, ...]:
            addresses = self.services.people.holder(repo.name, seat).addresses
            return self.services.achievements.listing(stored.table.kind, addresses)

        return Case(game, repo, stored, state, listing, self.services.spool.words)

    def public_case(self, repo: GameRepo) -> Case:
        """The same with what the table can see alone: trials from the terminal open no secret (contract)."""
        stored = Stored.read_public(repo)
        game = self.services.find(stored.table.kind)
        state = game.load(stored.game, {}) if stored.game else None
        return Case(game, repo, stored, state, words=self.services.spool.words)

    def _keep(self, commit: str, state: Any) -> None:
        self._states[commit] = state
        if len(self._states) > KEPT:
            self._states.popitem(last=False)

    def commit(self, case: Case, stored: Stored, change: Changes) -> Committed:
        """Make a change of a game that is locked, whole or not at all (`pbem.desk.commit`)."""
        self._states.pop(case.stored.commit, None)
        committed = commit(self.services, case.game, case.repo, stored, change)
        if committed.state is not None:
            self._keep(committed.stored.commit, committed.state)
        return committed

    def silent(self, letter: Letter, why: str, who: Who | None = None) -> Handled:
        """Be done with a letter that nobody is answered; `why` is for the log."""
        self.services.spool.done(letter.digest, why)
        return Handled(Outcome.SILENT, who.game if who else "", who.seat if who else "", why=why)

    def defect(self, letter: Letter, who: Who, mark: LetterMark, trouble: Exception) -> Handled:
        """An exception nobody expected: try again, at last put the letter aside and tell its writer once.

        Only where it happened is logged: its text could hold a secret of the game.
        """
        steps = traceback.extract_tb(trouble.__traceback__)[:-4:-1]
        where = " < ".join(f"{Path(step.filename).name}:{step.lineno}" for step in steps)
        why = f"{type(trouble).__name__} at {where}"
        log.error("letter %s of %s: %s", letter.digest[:12], who.game or "no game", why)
        if self.services.spool.deaths(letter.digest) < ATTEMPTS:
            return Handled(Outcome.RETRY, who.game, who.seat, why=why)
        if who.game:
            with suppress(Exception):
                self._apologize(who, mark, letter)
        self.services.spool.quarantine(letter.digest, why)
        return Handled(Outcome.QUARANTINED, who.game, who.seat, why=why)

    def _apologize(self, who: Who, mark: LetterMark, letter: Letter) -> None:
        with self.services.store.open(who.game).lock("a letter") as repo:
            case = self.case(repo)
            sorry = (
                T("Your letter met a fault in this program and could not be handled. Nothing of it was done."),
                T("The moderator can see it. You can write again, in other words; everything else goes on."),
            )
            answering = notices.usable(letter.message_id)
            draft = Draft(Seat(who.seat), MailKind.REFUSAL, (), sorry, quiet=True, answering=answering)
            name = case.stored.table.seat(who.seat).name
            says = f"{name}: a letter is put aside"
            self.commit(case, case.stored, Changes("letter", says, case.state, who.seat, answer=draft, letter=mark))


def _outcome(change: Changes) -> Outcome:
    if change.answer is None:
        return Outcome.SILENT
    return Outcome.REFUSED if change.answer.kind is MailKind.REFUSAL else Outcome.ANSWERED
