"""Routes each letter to the desk that answers it: players' letters to `pbem.desk`, the moderator's and those to the
host itself to `pbem.admin`.

The steps of a letter, and what a crash after each of them leads to:

1. The letter lies in the spool: it is handled at the next start.
2. The attempt is counted, by the intake, before the letter is opened: it is handled at the next start. A letter that
   has killed us three times is put aside at the fourth.
3. A desk has locked the game and read it: as before.
4. `pbem.desk.transaction.commit` has steps of its own; before the commit nothing is done, after it nothing is applied
   twice.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from pbem.admin import admin_mail, host_requests
from pbem.desk.core.identity import Who, fails, identify, named_games, unique_mark
from pbem.desk.core.outcome import Handled, Outcome, Silence
from pbem.desk.desk import Desk
from pbem.desk.limits import bounce_reports, unauthenticated
from pbem.desk.limits.auto_replies import AutoReply, find_auto_reply
from pbem.desk.transaction import notice_mail
from pbem.desk.transaction.commit import settle_all
from pbem.inbound.incoming_letter import Kind, Letter
from pbem.inbound.triage import READ_KINDS
from pbem.store.commit_record import AnsweredLetter
from pbem.store.errors import StoreError

PERSONAL_KINDS = READ_KINDS | {Kind.FORWARD}
"""Kinds of letters that a person may have written to us; the others are robots' and get no answer."""


class Router:
    """Handles every letter of a host."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def handle(self, letter: Letter, uidvalidity: int = 0, uid: int = 0) -> Handled:
        """Handle one letter, whole or not at all, and mark it in the spool as done with.

        Raises StoreError (HandEdited, LockHeld: that game waits), OSError and sqlite3.Error: then the letter stays
        in the spool, and after trouble with the disk `Spool.recover` comes before the next letter.
        """
        desk, spool = self.desk, self.desk.services.spool
        if seen := spool.seen(letter.digest):
            return Handled(Outcome.SEEN, seen.game, record=seen.record, silence=Silence.AGAIN)
        if (elsewhere := self._passed_on(letter)) is not None:
            return elsewhere
        if letter.kind is Kind.BOUNCE:
            return desk.silent(letter, Silence.REPORT, bounce_reports.handle_report(desk.services, letter))
        if letter.kind not in PERSONAL_KINDS:
            return desk.silent(letter, Silence[letter.kind.name], f"{letter.kind}: {letter.auto}"[:80])
        attempt = spool.attempts(letter.digest)
        mark, who = AnsweredLetter(letter.digest, uidvalidity, uid), Who()
        try:
            settle_all(desk.services, desk.context)
            if fails(desk.services, letter):
                return desk.silent(letter, Silence.DMARC, unauthenticated.report_dmarc(desk.services, letter))
            if admin_mail.is_admin_letter(letter, desk.services):
                return admin_mail.handle_admin_letter(desk, letter, mark, attempt)
            self._land(letter)
            who = identify(letter, desk.services.people, desk.services.keys, spool.mailed)
            return self._from_player(letter, who, mark, attempt)
        except (StoreError, OSError, sqlite3.Error):
            raise
        except Exception as trouble:
            return desk.defect(letter, who, trouble)

    def put_aside(self, head: Letter, unread: bool) -> bool:
        """Tell the writer of a letter that it was put aside; whether the header showed who that is.

        `unread`: the mailbox does not give the letter out. Raises whatever reading its table raises.
        """
        return head.kind in PERSONAL_KINDS and notice_mail.tell_writer(self.desk.services, head, unread)

    def _land(self, letter: Letter) -> None:
        """Flush pending commits: after a restore this letter may answer a mail that one of them creates again."""
        commits = self.desk.services.store.group_commit
        if commits.busy:
            games = named_games(letter, self.desk.services.spool.mailed)
            for game in games:
                commits.flush_game(game)
            if not games:
                commits.flush()

    def _passed_on(self, letter: Letter) -> Handled | None:
        """Pass a letter about a table that has moved to another host on to it; None where there is no such table.

        Raises StoreError while the table is on its way: the letter waits.
        """
        services = self.desk.services
        moves = services.moves
        for says in moves.take_in():
            notice_mail.notify_door(services, says)
        found = ((game, moves.post(game)) for game in named_games(letter, services.spool.mailed))
        game, post = next(((game, post) for game, post in found if post is not None), ("", None))
        if post is None:
            return None
        if not post.gone:
            raise StoreError(f"{game} is on its way; `pbem move {game} --to {post.door}` goes on with it")
        if not moves.pass_on(game, post, letter.digest):
            why = f"about {game}, came back from where it was passed on to"
            services.spool.quarantine(letter.digest, why)
            return Handled(Outcome.QUARANTINED, game, why=why)
        return replace(self.desk.silent(letter, Silence.ELSEWHERE, "passed on to the host of the table"), game=game)

    def _silent(self, letter: Letter, kind: Silence, why: str, who: Who | None = None) -> Handled:
        """Answer nobody but the moderator, whose letters always get an answer."""
        moderator = letter.sender in self.desk.services.people.moderator.addresses
        if moderator and find_auto_reply(letter.subject, letter.lines) is AutoReply.NO:
            return admin_mail.answer_without_key(self.desk, letter)
        return self.desk.silent(letter, kind, why, who)

    def _from_player(self, letter: Letter, who: Who, mark: AnsweredLetter, attempt: int) -> Handled:
        desk, services = self.desk, self.desk.services
        if not who.proven and (why := unauthenticated.answer_moved_address(services, letter)):
            return desk.silent(letter, Silence.ADDRESS, why, who)
        if (done := host_requests.handle_host_letter(desk, letter, who, mark)) is not None:
            return done
        if who.stolen and services.store.has(who.game):
            return self._silent(letter, Silence.STOLEN, unauthenticated.report_stolen_key(services, who, letter), who)
        if not letter.sender:
            return desk.silent(letter, Silence.NO_SENDER)
        if letter.kind is Kind.BULK and not who.proven:
            return desk.silent(letter, Silence.BULK, letter.auto)
        if who.trouble is not None and not who.proven:
            return desk.answer_unproven(letter, who, mark, attempt)
        if not who.proven:
            return self._silent(letter, Silence.STRANGER, who.why)
        if not services.store.has(who.game):
            return self._silent(letter, Silence.NO_TABLE, who.why)
        return desk.answer(letter, who, unique_mark(mark, letter, services.keys), attempt)
