"""The desk itself: letters in, commits and mails out.

One letter goes through these steps; a crash leaves, after each:

1. the letter lies in the spool: it is handled at the next start;
2. the attempt is counted: the same, and a letter that kills us three times is put aside;
3. the game is locked (the system frees a lock whose holder is gone), the letter judged: nothing is left;
4. `sealing.seal`: see there; before the commit nothing is left, after it nothing is applied twice.
"""

from __future__ import annotations

import logging
import sqlite3
import traceback
from collections import OrderedDict
from collections.abc import Callable
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from engine import game as games
from engine.catalog import T
from engine.errors import PositionError
from engine.game import Game
from engine.game import Seat
from pbem.desk import notices
from pbem.desk.answering import Case
from pbem.desk.answering import Post
from pbem.desk.answering import answer
from pbem.desk.answering import refusal_mark
from pbem.desk.draft import Draft
from pbem.desk.drawing import Change
from pbem.desk.identity import Who
from pbem.desk.identity import identify
from pbem.desk.office import ANSWERS_A_DAY
from pbem.desk.office import ATTEMPTS
from pbem.desk.office import SAME_REFUSALS
from pbem.desk.office import Office
from pbem.desk.office import Renders
from pbem.desk.office import now
from pbem.desk.outcome import FromFile
from pbem.desk.outcome import Handled
from pbem.desk.outcome import Outcome
from pbem.desk.rebuild import rebuild
from pbem.desk.sealing import Sealed
from pbem.desk.sealing import seal
from pbem.letter import Kind
from pbem.letter import Letter
from pbem.mail import MailKind
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
    ) -> None:
        self.office = Office(store, spool, people, renderer, keys, clock, find, moderator)
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
        attempt = spool.attempt(letter.digest)
        mark = Mark(letter.digest, uidvalidity, uid)
        who = Who()
        try:
            who = identify(letter, self.office.people, self.office.keys)
            if not who.game or not self.office.store.has(who.game):
                return self._silent(letter, who.why or "no such game")
            return self._answered(letter, who, mark, attempt)
        except (StoreError, OSError, sqlite3.Error):
            raise
        except Exception as trouble:
            return self._defect(letter, who, mark, attempt, trouble)

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
            plays = _plays(case, stored, change) or bool(change.messages)
            if trial or not plays:
                return FromFile(Handled(_outcome(change), game, seat), notices.dressed(case, change.answer))
            sealed = self._seal(case, stored, replace(change, by_mail=False))
        mail = replace(sealed.mails[holder.seat], token="")
        return FromFile(Handled(Outcome.PLAYED, game, seat, sealed.record.number), mail)

    def resend(self, game: str, seat: str) -> Handled:
        """Mail a seat its present position again, under a record of its own. Raises LookupError, StoreError."""
        with self.office.store.open(game).lock("resend") as repo:
            case = self._case(repo)
            holder = self.office.people.holder(game, seat)
            asked = case.state is not None and any(d.seat == seat for d in case.game.waiting(case.state))
            kind = MailKind.TURN if asked else MailKind.NEWS
            draft = Draft(holder.seat, MailKind.INVITATION if case.state is None else kind, position=True)
            change = Change("resend", f"{holder.name} is sent the position again", case.state, answer=draft)
            sealed = self._seal(case, case.stored, change)
            return Handled(Outcome.ANSWERED, game, seat, sealed.record.number)

    def rebuild(self, game: str) -> int:
        """Write again every committed mail of a game that the spool has no row of; how many."""
        with self.office.store.open(game).lock("rebuild", check=False) as repo:
            return rebuild(self.office, self.office.find(Stored.read(repo).table.kind), repo)

    def _answered(self, letter: Letter, who: Who, mark: Mark, attempt: int) -> Handled:
        office = self.office
        with office.store.open(who.game).lock("a letter") as repo:
            if attempt > 1:
                # The attempt before this one may have been committed and not marked.
                office.spool.catch_up(repo)
                if seen := office.spool.seen(letter.digest):
                    return Handled(Outcome.SEEN, seen.game, record=seen.record)
            case = self._case(repo)
            stored, change = answer(case, self._post(letter, who))
            change = replace(change, letter=mark)
            plays = _plays(case, stored, change)
            capped = replace(change, strike=("", 0)) if plays else self._capped(case, change)
            if capped is None:
                return self._silent(letter, "cap reached", who)
            change = capped
            sealed = self._seal(case, stored, change)
        outcome = Outcome.PLAYED if plays or change.messages else _outcome(change)
        return Handled(outcome, who.game, who.seat, sealed.record.number, who.why)

    def _post(self, letter: Letter, who: Who) -> Post:
        holder = self.office.people.holder(who.game, who.seat)
        lines, written = letter.lines, letter.raw_lines
        if not lines:
            lines = written = letter.turn_file
        trouble = who.trouble or letter.trouble
        if trouble is None and letter.kind is Kind.FORWARD:
            trouble = T("This is a forwarded mail, so nothing of it was done. Please answer the mail itself.")
        return Post(
            holder.seat,
            lines,
            written,
            who.decision,
            notices.usable(letter.message_id),
            (holder.name, letter.sender_name),
            letter.attached,
            trouble,
        )

    def _case(self, repo: GameRepo) -> Case:
        """A game at rest. Raises StoreError when its files do not hold together: it waits until it is mended."""
        try:
            stored = Stored.read(repo)
            game = self.office.find(stored.table.kind)
            state = self._states.get(stored.commit)
            if state is None and stored.game:
                state = game.load(stored.game, stored.hidden)
                self._keep(stored.commit, state)
        except PositionError as trouble:
            raise Damaged(f"{repo.name}: {trouble.where or 'its files'} cannot be read; nothing was changed") from None
        except LookupError as trouble:
            raise Damaged(f"{repo.name}: {trouble}; nothing was changed") from None
        return Case(game, repo, stored, state)

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

    def _capped(self, case: Case, change: Change) -> Change | None:
        """The change with its counts, or None when this seat's letters have been answered often enough."""
        draft = change.answer
        if draft is None:
            return change
        row, office = case.stored.table.seat(draft.seat), self.office
        day, count = row.also.get("answers", ["", 0])
        if day == office.clock().date().isoformat():
            if count >= ANSWERS_A_DAY:
                return None
            if count == ANSWERS_A_DAY - 1:
                last = T("This was answer {n} today; the next letter that plays nothing gets none.", n=ANSWERS_A_DAY)
                change = replace(change, answer=replace(draft, notes=(*draft.notes, last)))
        if draft.kind is not MailKind.REFUSAL:
            return replace(change, strike=("", 0))
        mark = refusal_mark(draft)
        before, times = case.stored.secrets.also.get("strikes", {}).get(draft.seat, ["", 0])
        times = times + 1 if mark == before else 1
        if times > SAME_REFUSALS:
            notices.same_again(office, case.stored.table.game, draft.seat, mark)
            return None
        return replace(change, strike=(mark, times))

    def _silent(self, letter: Letter, why: str, who: Who | None = None) -> Handled:
        self.office.spool.done(letter.digest, why)
        return Handled(Outcome.SILENT, who.game if who else "", who.seat if who else "", why=why)

    def _defect(self, letter: Letter, who: Who, mark: Mark, attempt: int, trouble: Exception) -> Handled:
        """An exception nobody expected: try again, at last put the letter aside and tell its writer once.

        Only where it happened is logged: its text could hold a secret of the game.
        """
        steps = traceback.extract_tb(trouble.__traceback__)[:-4:-1]
        where = " < ".join(f"{Path(step.filename).name}:{step.lineno}" for step in steps)
        why = f"{type(trouble).__name__} at {where}"
        log.error("letter %s of %s: %s", letter.digest[:12], who.game or "no game", why)
        if attempt < ATTEMPTS:
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


def _plays(case: Case, stored: Stored, change: Change) -> bool:
    """Whether a change goes beyond talk and answers."""
    return bool(change.entries) or change.began or change.what == "undo" or stored is not case.stored


def _outcome(change: Change) -> Outcome:
    refused = change.answer is not None and change.answer.kind is MailKind.REFUSAL
    return Outcome.REFUSED if refused else Outcome.ANSWERED
