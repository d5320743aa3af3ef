"""Commit a result and its mails.

In this order, with what a crash leaves after each step:

1. everything is computed and every mail is written as bytes: nothing is left;
2. private texts go to the host's mail folder, the mails to the spool as prepared, new holders to a waiting list. The
   next start drops them; the next record of the same number replaces the texts;
3. position, record (with placeholders for texts) and intents are committed at once: the next start finds the record and
   releases its mails. Step 2 is on the disk before (`pbem.store.group_commit` commits several letters together);
4. the mails are released and the letter is marked as answered: only sending and filing are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from email.headerregistry import Address
from functools import partial
from itertools import islice
from typing import Any

from engine.catalog import Msg
from engine.errors import PositionError
from engine.game import Seat
from pbem.desk.core.context import Context
from pbem.desk.core.option_lists import remember_lists
from pbem.desk.core.result import Result
from pbem.desk.core.services import Services
from pbem.desk.transaction.changes import Changes
from pbem.desk.transaction.compose import compose
from pbem.desk.transaction.computer_turns import play_on
from pbem.desk.transaction.notice_mail import notify_replaced
from pbem.host.keys import message_id
from pbem.host.people import PeopleAfterCommit
from pbem.outbound.mail import Mail, MailKind, Reader
from pbem.outbound.render import Thread
from pbem.store.commit_record import Intent, Record
from pbem.store.database import OutgoingMail
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import Status
from pbem.store.private_text import extract_text
from pbem.store.state_file import StoredGame, commit_game


@dataclass(frozen=True, slots=True)
class Committed:
    """What was committed: the table with its commit, the record, and each mail by seat."""

    stored: StoredGame
    record: Record
    mails: Mapping[Seat, Mail]
    state: Any
    told: tuple[Msg, ...] = ()
    """What an admin action did, in public sentences."""


Stores = Callable[[StoredGame, Record, str], StoredGame]
"""Commits a table and its record under a first line; returns the table with its commit."""


def commit(
    services: Services, context: Context, result: Result, waits: str = "", at: datetime | None = None
) -> Committed:
    """Commit a result under the game's lock and release its mails. Raises StoreError, OSError.

    `at` is the moment for which a clock decided it. `waits` marks a letter whose commit may be written together with
    those of the next letters, if it changes nothing outside the game.
    """

    def store(new: StoredGame, record: Record, says: str) -> StoredGame:
        later = "" if result.holders or result.effects.personal or new.table.status is not Status.RUNNING else waits
        return commit_game(context.repo, new, record, says, result.over, later)

    confirm_people(services, context.repo, context.stored)
    return commit_by(services, context, result, store, at)


def commit_by(
    services: Services, context: Context, result: Result, store: Stores, at: datetime | None = None
) -> Committed:
    """Commit a result by `store`: a new game gets its repository with its first record."""
    at, name, repo = at or services.clock(), context.stored.table.game, context.kept
    result = play_on(context.game, result)
    if result.effects.personal and not result.holders:
        people = services.people.holders(name)
        own = tuple(replace(one, **result.effects.personal) if one.seat == result.seat else one for one in people)  # type: ignore[arg-type]
        result = replace(result, holders=own)
    before = services
    if result.holders:
        services = replace(services, people=PeopleAfterCommit(services.people, name, result.holders))
    changes = Changes(services, context.game, result, at)
    record = changes.record()
    # A language or zone that was just chosen counts for these mails.
    after = replace(context.then(changes.after, result.state, record), services=services)
    mails = {
        message.seat: by_preference(services, compose(after, message, changes.token(message)))
        for message in changes.mails
    }
    marks, texts = extract_text(name, record)
    new = remember_lists(changes.after, mails, changes.number, services.spool.words, texts)
    sent = [
        write_mail(services, mails[message.seat], intent, at)
        for message, intent in zip(changes.posted, record.intents, strict=True)
    ]
    # The store counts the record and its entries itself.
    table = result.stored.table
    new = replace(new, table=replace(new.table, records=table.records, entries=table.entries))
    survives = "a power cut" if repo is None else "a kill"
    services.spool.words.keep(name, record.number, changes.author, texts | changes.texts, survives)
    services.spool.prepare(name, marks, sent, repo)
    if result.holders:
        services.people.prepare(name, result.holders, record.fingerprint())
    if changes.settles:
        services.achievements.expect(name)
    try:
        new = store(new, marks, result.says)
        services.store.group_commit.after_commit(name, partial(services.spool.committed, name, new.commit, marks))
        if result.holders:
            notify_replaced(before, context.stored, result.holders)
            services.people.settle(name, True)
    except Exception:
        # Only the repository knows whether the commit was made; recovery releases or drops its mails.
        with suppress(Exception):
            if repo is None:
                services.spool.recover(services.store)
            else:
                services.spool.catch_up(repo)
        raise
    if changes.settles:
        ending = context.game.result(result.state) if result.state is not None else None
        services.achievements.settle(new, ending)
    return Committed(new, record, mails, result.state, result.told)


def confirm_people(services: Services, repo: GameRepo, stored: StoredGame) -> None:
    """Confirm or drop holders who were to take a seat when the process was killed, under the game's lock.

    Nothing was committed since, so that the last record is theirs or nobody's.
    """
    awaited = services.people.awaited(repo.name)
    if awaited:
        last = Record.read(repo, stored.table.records, stored.commit)
        stands = last.fingerprint() == awaited
        if stands and (before := next(islice(repo.log(start=stored.commit), 1, None), None)):
            notify_replaced(services, StoredGame.read(repo, before.id), services.people.to_come(repo.name))
        services.people.settle(repo.name, stands)


def settle_all(services: Services, context_of: Callable[[GameRepo], Context]) -> None:
    """Do the same for every game, before anybody is identified, and note achievements of games that have ended."""
    for game in services.people.coming():
        # A locked or damaged game must not keep the letters of others waiting.
        with (
            suppress(StoreError, PositionError, KeyError),
            services.store.open(game).lock("people", wait=0, check=False) as repo,
        ):
            confirm_people(services, repo, StoredGame.read(repo))
    for game in services.achievements.expected():
        with (
            suppress(StoreError, PositionError, KeyError),
            services.store.open(game).lock("achievements", wait=0, check=False) as repo,
        ):
            context = context_of(repo)
            result = context.game.result(context.state) if context.state is not None else None
            services.achievements.settle(context.stored, result)


def by_preference(services: Services, mail: Mail) -> Mail:
    """The mail with everything, for whoever set `mail full`."""
    return mail.in_full() if services.people.holder(mail.game, mail.seat).full else mail


def write_mail(services: Services, mail: Mail, intent: Intent, at: datetime) -> OutgoingMail:
    """The bytes of a mail, the same whenever they are written."""
    host = services.renderer.host
    holder = services.people.holder(mail.game, mail.seat)

    def header(intent: str, seat: str = mail.seat) -> str:
        return message_id(services.keys.mail(mail.game, seat, intent), host.domain) if intent else ""

    # A mail to be forwarded has no token, and its Message-ID is that of no seat's mail.
    own = header(intent.message_id, "" if mail.public else mail.seat)
    thread = Thread() if mail.public else Thread(header(mail.root), mail.answering or header(mail.last))
    # Bounces come back to the reply address, whose token tells the seat.
    sender = host.address if mail.public else host.reply_address(mail.token)
    to = Address(holder.name, addr_spec=holder.addresses[0])
    others = (one for one in services.people.holders(mail.game) if one.seat != mail.seat)
    reader = Reader(
        plain=holder.plain,
        keyed=holder.keyed,
        shared=any(to.addr_spec in one.addresses for one in others),
        unspoken=mail.kind is MailKind.INVITATION and not holder.language,
    )
    mail = replace(mail, reader=reader)
    raw = services.renderer.message(mail, to, thread, own, at, language=services.people.read_by(holder))
    return OutgoingMail(intent.message_id, mail.seat, to.addr_spec, raw, str(mail.kind), sender)
