"""The desk itself: letters in, commits and mails out.

One letter goes through these steps; a crash leaves, after each:

1. the letter lies in the spool: it is handled at the next start;
2. the attempt is counted (by the intake, before it opens the letter): the same, and at its fourth start a letter
   that has killed us three times is put aside instead;
3. the game is locked (the system frees a lock whose holder is gone), the letter judged: nothing is left;
4. `sealing.seal`: see there; before the commit nothing is left, after it nothing is applied twice.
"""

from __future__ import annotations

import logging
import sqlite3
import traceback
from collections import OrderedDict
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from typing import TypeVar

from engine import game as games
from engine.catalog import T
from engine.errors import PositionError
from engine.game import CardText
from engine.game import Game
from engine.game import Seat
from pbem.desk import notices
from pbem.desk import unproven
from pbem.desk import waiting
from pbem.desk.answering import Case
from pbem.desk.answering import Post
from pbem.desk.answering import answer
from pbem.desk.budgets import UNPROVEN
from pbem.desk.budgets import last_today
from pbem.desk.budgets import measured
from pbem.desk.budgets import nth_today
from pbem.desk.budgets import plays
from pbem.desk.draft import Draft
from pbem.desk.drawing import Change
from pbem.desk.identity import Who
from pbem.desk.identity import identify
from pbem.desk.office import ATTEMPTS
from pbem.desk.office import Office
from pbem.desk.office import Renders
from pbem.desk.office import now
from pbem.desk.outcome import FromFile
from pbem.desk.outcome import Handled
from pbem.desk.outcome import Outcome
from pbem.desk.rebuild import rebuild
from pbem.desk.sealing import Sealed
from pbem.desk.sealing import seal
from pbem.desk.sealing import settle
from pbem.desk.sealing import settle_all
from pbem.desk.taking import named
from pbem.desk.taking import post_of
from pbem.letter import Kind
from pbem.letter import Letter
from pbem.mail import MailKind
from pbem.people import MODERATOR
from pbem.people import People
from pbem.store.games import GameStore
from pbem.store.record import Mark
from pbem.store.repo import GameRepo
from pbem.store.spool import Spool
from pbem.store.stored import Stored
from pbem.store.trouble import Damaged
from pbem.store.trouble import StoreError
from pbem.tokens import Keys

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
        self.office = Office(store, spool, people, renderer, keys, clock, find, moderator, authserv_id, exempt)
        spool.naming = keys.mail
        self.own = own or renderer.host.address
        self._states: OrderedDict[str, Any] = OrderedDict()

    def handle(self, letter: Letter, uidvalidity: int = 0, uid: int = 0) -> Handled:
        """Handle one letter, whole or not at all, and mark it in the spool as done with.

        Raises StoreError (HandEdited, LockHeld: that game waits), OSError and sqlite3.Error: then the letter stays
        in the spool, and after trouble with the disk `Spool.recover` comes before the next letter.
        """
        spool = self.office.spool
        if seen := spool.seen(letter.digest):
            return Handled(Outcome.SEEN, seen.game, record=seen.record)
        if letter.kind is Kind.BOUNCE:
            why = notices.bounced(self.office, letter)
            return self._silent(letter, why)
        if letter.kind not in _PEOPLE:
            return self._silent(letter, f"{letter.kind}: {letter.auto}"[:80])
        attempt = spool.attempts(letter.digest)
        mark = Mark(letter.digest, uidvalidity, uid)
        who = Who()
        try:
            settle_all(self.office, self._case)
            if unproven.fails(self.office, letter):
                return self._silent(letter, unproven.failed(self.office, letter))
            if _for_moderator(letter, self.office):
                return self._moderated(letter, mark, attempt)
            who = identify(letter, self.office.people, self.office.keys, spool.mailed)
            if who.stolen and self.office.store.has(who.game):
                return self._silent(letter, unproven.stolen(self.office, who, letter), who)
            if who.trouble is not None and not who.proven:
                return self._without_key(letter, who, mark, attempt)
            if not who.proven or not self.office.store.has(who.game):
                return self._silent(letter, who.why or "no such game")
            return self._answered(letter, who, named(mark, letter, self.office.keys), attempt)
        except (StoreError, OSError, sqlite3.Error):
            raise
        except Exception as trouble:
            return self._defect(letter, who, mark, trouble)

    def play_file(self, game: str, seat: str, lines: Sequence[str], trial: bool = False) -> FromFile:
        """Play a turn file for a seat, as its newest letter would be; others are mailed, the answer is given back.

        With `trial` nothing is stored. Raises LookupError for a seat that is not there, StoreError, OSError, and
        whatever defect the game meets (nothing is changed then).
        """
        with self.office.store.open(game).lock("orders") as repo:
            case = self._public_case(repo) if trial else self._case(repo)
            holder = self.office.people.holder(game, seat)
            read = ["try", *lines] if trial else list(lines)
            stored, change = answer(case, Post(holder.seat, read, read, signed=(holder.name,)))
            if change.answer is None:
                raise ValueError("a turn file has an answer")
            playing = plays(case, stored, change) or bool(change.messages)
            if trial or not playing:
                return FromFile(Handled(_outcome(change), game, seat), notices.dressed(case, change.answer))
            sealed = self._seal(case, stored, replace(change, by_mail=False))
        mail = replace(sealed.mails[holder.seat], token="")
        return FromFile(Handled(Outcome.PLAYED, game, seat, sealed.record.number), mail)

    def resend(self, game: str, seat: str) -> Handled:
        """Mail a seat its present position again, under a record of its own. Raises LookupError, StoreError."""
        from pbem.repair.sending import resend

        def draw(case: Case) -> tuple[Stored, Change]:
            drawn = resend(self.office.people.holder(game, seat).seat)(case)
            return drawn.stored, drawn.change

        return Handled(Outcome.ANSWERED, game, seat, self.change(game, "resend", draw).record.number)

    def change(self, game: str, why: str, draw: Callable[[Case], tuple[Stored, Change]], check: bool = True) -> Sealed:
        """Make a moderator's change: `draw` says what it is to be, for the game at rest, under its lock.

        With `check` false work files may differ from the last commit. Raises what `draw` raises, then nothing has
        happened; StoreError, OSError.
        """
        with self.office.store.open(game).lock(why, check=check) as repo:
            case = self._case(repo)
            stored, change = draw(case)
            return self._seal(case, stored, change)

    def look(self, game: str, see: Callable[[Case], T_]) -> T_:
        """What `see` finds in a game at rest, under its lock; nothing is changed. Raises what it raises, StoreError."""
        with self.office.store.open(game).lock("looking", check=False) as repo:
            return see(self._case(repo))

    def rebuild(self, game: str) -> int:
        """Fill what a lost or older spool lacks of a game: each seat's newest mail goes again; how many do."""
        with self.office.store.open(game).lock("rebuild", check=False) as repo:
            return rebuild(self.office, self.office.find(Stored.read(repo).table.kind), repo)

    def answer_waiting(self) -> int:
        """Send the answers that wait until they are due (`budgets`), one mail a seat; how many.

        Raises OSError and sqlite3.Error. A game that cannot be worked on now is tried again at the next call.
        """
        count, spool = 0, self.office.spool
        for game, seat in spool.due_later(self.office.clock()):
            if not self.office.store.has(game):
                spool.drop_later(game, seat)
                continue
            with suppress(StoreError), self.office.store.open(game).lock("waiting answers") as repo:
                case = self._case(repo)
                change = waiting.drawn(case, self.office.people.holder(game, seat))
                self._seal(case, case.stored, change)
                count += change.answer is not None
        return count

    def _again(self, repo: GameRepo, letter: Letter, mark: Mark, attempt: int) -> Handled | None:
        """How a letter was handled before, though it was not known when it was taken up."""
        spool = self.office.spool
        if attempt > 1:
            # The attempt before this one may have been committed and not marked.
            spool.catch_up(repo)
            if seen := spool.seen(letter.digest):
                return Handled(Outcome.SEEN, seen.game, record=seen.record)
        if mark.name and (known := spool.taken(mark.name)):
            spool.done(letter.digest, "a duplicate", known.game, known.record)
            return Handled(Outcome.SEEN, known.game, record=known.record, why="a duplicate")
        return None

    def _without_key(self, letter: Letter, who: Who, mark: Mark, attempt: int) -> Handled:
        """A letter in the name of somebody we know, without a key of theirs: its answers have a budget of their own."""
        office = self.office
        nth = nth_today(office, f"unproven {office.keys.person(letter.sender)}", letter.digest)
        if nth > UNPROVEN:
            return self._silent(letter, f"{who.why}; answered often enough today", who)
        found = unproven.places(office, letter.sender)
        place = next((one for one in found if one.game == who.game), found[0] if len(found) == 1 else None)
        if place is None:
            unproven.list_tables(office, letter, found, nth)
            return replace(self._silent(letter, f"{who.why}; told the open games"), outcome=Outcome.REFUSED)
        who = replace(who, game=place.game, seat=place.holder.seat)
        return self._answered(letter, who, mark, attempt, last=nth == UNPROVEN)

    def _answered(self, letter: Letter, who: Who, mark: Mark, attempt: int, last: bool = False) -> Handled:
        office = self.office
        with office.store.open(who.game).lock("a letter") as repo:
            if again := self._again(repo, letter, mark, attempt):
                return again
            case = self._case(repo)
            holder = office.people.holder(who.game, who.seat)
            if letter.sender not in holder.addresses:
                return self._silent(letter, "the seat has changed hands meanwhile", who)
            post = post_of(letter, who, holder, office.clock())
            stored, change = answer(case, post)
            change = replace(change, letter=mark)
            counted = measured(office, case, post, stored, change) if who.proven else change
            if counted is None:
                return self._silent(letter, "the same text again", who)
            change = counted
            if last and change.answer is not None:
                change = replace(change, answer=last_today(change.answer))
            sealed = self._seal(case, stored, change)
        outcome = Outcome.PLAYED if plays(case, stored, change) or change.messages else _outcome(change)
        return Handled(outcome, who.game, who.seat, sealed.record.number, who.why)

    def _moderated(self, letter: Letter, mark: Mark, attempt: int) -> Handled:
        """A letter of the moderator's, with a command for a game."""
        from pbem.repair import letters

        office = self.office
        key = letters.key_of(letter, office)
        game = letters.table_of(letter, key, office)
        proven = bool(game) and key.game == game
        nth = 0 if proven else nth_today(office, f"unproven {MODERATOR}", letter.digest)
        if nth > UNPROVEN:
            return self._silent(letter, "no key of the moderator's; answered often enough today")
        if not game:
            return self._silent(letter, letters.names_no_game(letter, office))
        mark = named(mark, letter, office.keys) if proven else mark
        with office.store.open(game).lock("a letter", check=False) as repo:
            if again := self._again(repo, letter, mark, attempt):
                return again
            case = self._case(repo)
            stored, change = letters.measured(case, letter, key, office, nth)
            sealed = self._seal(case, stored, replace(change, letter=mark))
        kind = change.aside.kind if change.aside else MailKind.ANSWER
        outcomes = {MailKind.RECEIPT: Outcome.PLAYED, MailKind.REFUSAL: Outcome.REFUSED}
        why = "" if proven else "without a key"
        return Handled(outcomes.get(kind, Outcome.ANSWERED), game, "gm", sealed.record.number, why)

    def _case(self, repo: GameRepo) -> Case:
        """A game at rest. Raises StoreError when its files do not hold together: it waits until it is mended."""
        try:
            stored = Stored.read(repo)
            settle(self.office, repo, stored)
            game = self.office.find(stored.table.kind)
            state = self._states.get(stored.commit)
            if state is None and stored.game:
                state = game.load(stored.game, stored.hidden)
                self._keep(stored.commit, state)
        except PositionError as trouble:
            raise Damaged(f"{repo.name}: {trouble.where or 'its files'} cannot be read; nothing was changed") from None
        except LookupError as trouble:
            raise Damaged(f"{repo.name}: {trouble}; nothing was changed") from None

        def listing(seat: Seat) -> tuple[CardText, ...]:
            addresses = self.office.people.holder(repo.name, seat).addresses
            return self.office.achievements.listing(stored.table.kind, addresses)

        return Case(game, repo, stored, state, listing)

    def _public_case(self, repo: GameRepo) -> Case:
        """The same with what the table can see alone: trials from the terminal open no secret (contract)."""
        stored = Stored.read_public(repo)
        game = self.office.find(stored.table.kind)
        return Case(game, repo, stored, game.load(stored.game, {}) if stored.game else None)

    def _keep(self, commit: str, state: Any) -> None:
        self._states[commit] = state
        if len(self._states) > KEPT:
            self._states.popitem(last=False)

    def _seal(self, case: Case, stored: Stored, change: Change) -> Sealed:
        self._states.pop(case.stored.commit, None)
        sealed = seal(self.office, case.game, case.repo, stored, change)
        if sealed.state is not None:
            self._keep(sealed.stored.commit, sealed.state)
        return sealed

    def _silent(self, letter: Letter, why: str, who: Who | None = None) -> Handled:
        self.office.spool.done(letter.digest, why)
        return Handled(Outcome.SILENT, who.game if who else "", who.seat if who else "", why=why)

    def _defect(self, letter: Letter, who: Who, mark: Mark, trouble: Exception) -> Handled:
        """An exception nobody expected: try again, at last put the letter aside and tell its writer once.

        Only where it happened is logged: its text could hold a secret of the game.
        """
        steps = traceback.extract_tb(trouble.__traceback__)[:-4:-1]
        where = " < ".join(f"{Path(step.filename).name}:{step.lineno}" for step in steps)
        why = f"{type(trouble).__name__} at {where}"
        log.error("letter %s of %s: %s", letter.digest[:12], who.game or "no game", why)
        if self.office.spool.deaths(letter.digest) < ATTEMPTS:
            return Handled(Outcome.RETRY, who.game, who.seat, why=why)
        if who.game:
            with suppress(Exception):
                self._apologize(who, mark, letter)
        self.office.spool.quarantine(letter.digest, why)
        return Handled(Outcome.QUARANTINED, who.game, who.seat, why=why)

    def _apologize(self, who: Who, mark: Mark, letter: Letter) -> None:
        with self.office.store.open(who.game).lock("a letter") as repo:
            case = self._case(repo)
            sorry = (
                T("Your letter met a fault in this program and could not be handled. Nothing of it was done."),
                T("The moderator can see it. You can write again, in other words; everything else goes on."),
            )
            answering = notices.usable(letter.message_id)
            draft = Draft(Seat(who.seat), MailKind.REFUSAL, (), sorry, quiet=True, answering=answering)
            name = case.stored.table.seat(who.seat).name
            says = f"{name}: a letter is put aside"
            self._seal(case, case.stored, Change("letter", says, case.state, who.seat, answer=draft, letter=mark))


def _for_moderator(letter: Letter, office: Office) -> bool:
    # The moderator's desk is built on this one, so that it can only be known when it is needed.
    from pbem.repair import letters

    return letters.is_for(letter, office)


def _outcome(change: Change) -> Outcome:
    if change.answer is None:
        return Outcome.SILENT
    return Outcome.REFUSED if change.answer.kind is MailKind.REFUSAL else Outcome.ANSWERED
