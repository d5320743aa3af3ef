"""From a decided change to one commit and its mails.

In this order, with what a crash leaves after each step:

1. everything is computed and every mail is written as bytes: nothing is left;
2. people's words are kept in the host's mail folder and the mails laid down in the spool as prepared: they wait, and
   the next start drops the mails, the next record of that number the words; so do people who are to take a seat by this
   change;
3. position, record (with marks where words stood) and intents are committed at once: the next start finds the record
   and releases its mails;
4. the mails are released and the letter is marked as answered: nothing is left to do but send and file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from email.headerregistry import Address
from typing import Any

from engine.errors import PositionError
from engine.game import Game, Seat
from pbem.desk.answering import Case
from pbem.desk.changes import Changes, Drawing
from pbem.desk.compose import MailContext, compose
from pbem.desk.computer import play_on
from pbem.desk.draft import Draft
from pbem.desk.lists import with_lists
from pbem.desk.services import Services
from pbem.host.keys import message_id
from pbem.host.people import Expected, Holder
from pbem.outbound.mail import Mail
from pbem.outbound.render import Thread
from pbem.store.database import Outgoing
from pbem.store.record import Intent, Record, records
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored, keep
from pbem.store.trouble import StoreError
from pbem.store.words import filled, marked


@dataclass(frozen=True, slots=True)
class Committed:
    """What was committed: the position with its commit, the record, and each mail by seat."""

    stored: Stored
    record: Record
    mails: Mapping[Seat, Mail]
    state: Any


Commits = Callable[[Stored, Record, str], Stored]
"""Commits position and record under a first line; gives the position with its commit."""


def commit(services: Services, game: Game, repo: GameRepo, stored: Stored, change: Changes) -> Committed:
    """Commit a change of a game that is there, under its lock, and release its mails. Raises StoreError, OSError."""

    def past(after: int) -> Sequence[Record]:
        found = records(repo, after, upto=stored.table.records, commit=stored.commit)
        return tuple(filled(services.spool.words, repo.name, record) for record in found)

    def commit(new: Stored, record: Record, says: str) -> Stored:
        return keep(repo, new, record, says, change.over)

    confirm_people(services, repo, stored)
    return seal_by(services, game, stored, change, past, commit, repo)


def seal_by(
    services: Services,
    game: Game,
    stored: Stored,
    change: Changes,
    past: Callable[[int], Sequence[Record]],
    commit: Commits,
    repo: GameRepo | None = None,
) -> Committed:
    """The same with another way to commit: a new game, which has no repository yet, is made with its first record."""
    at, name = services.clock(), stored.table.game
    change = play_on(game, stored, change)
    if change.holders:
        services = replace(services, people=Expected(services.people, name, change.holders))
    drawn = Drawing(services, game, stored, change, at)
    record = drawn.record()
    context = MailContext(game, drawn.after, change.state, lambda after: (*past(after), record))
    tokens = {draft.seat: drawn.token(draft) for draft in drawn.drafts}
    mails = {draft.seat: compose(context, draft, tokens[draft.seat]) for draft in drawn.drafts}
    marks, texts = marked(name, record)
    new = with_lists(drawn.after, mails, drawn.number, services.spool.words, texts)
    sent = [
        write(services, new, draft, intent, mails[draft.seat], at)
        for draft, intent in zip(drawn.posted, record.intents, strict=True)
    ]
    # The store counts the record and its entries itself.
    before = replace(new.table, records=stored.table.records, entries=stored.table.entries)
    new = replace(new, table=before)
    services.spool.words.keep(name, record.number, drawn.author, texts | drawn.texts)
    services.spool.prepare(name, marks, sent, repo)
    if change.holders:
        services.people.prepare(name, change.holders, record.fingerprint())
    if drawn.settles:
        services.achievements.expect(name)
    try:
        new = commit(new, marks, change.says)
        services.spool.committed(name, new.commit, marks)
        if change.holders:
            services.people.settle(name, True)
    except Exception:
        # Whether the commit was made is only known to the repository: releasing or dropping its mails is recovery.
        with suppress(Exception):
            if repo is None:
                services.spool.recover(services.store)
            else:
                services.spool.catch_up(repo)
        raise
    if drawn.settles:
        result = game.result(change.state) if change.state is not None else None
        services.achievements.settle(new, result)
    return Committed(new, record, mails, change.state)


def confirm_people(services: Services, repo: GameRepo, stored: Stored) -> None:
    """Decide about people who were to take a seat when somebody was killed, before anything else of the game.

    Under its lock; nothing was committed since, so that the last record is theirs or nobody's.
    """
    awaited = services.people.awaited(repo.name)
    if awaited:
        last = Record.read(repo, stored.table.records, stored.commit)
        services.people.settle(repo.name, last.fingerprint() == awaited)


def settle_all(services: Services, case_of: Callable[[GameRepo], Case]) -> None:
    """The same for every game, before anybody is recognized, and the book of achievements of games that have ended."""
    for game in services.people.coming():
        # A game that is being worked on, or damaged, must not keep the letters of others waiting.
        with (
            suppress(StoreError, PositionError, KeyError),
            services.store.open(game).lock("people", wait=0, check=False) as repo,
        ):
            confirm_people(services, repo, Stored.read(repo))
    for game in services.achievements.expected():
        with (
            suppress(StoreError, PositionError, KeyError),
            services.store.open(game).lock("achievements", wait=0, check=False) as repo,
        ):
            case = case_of(repo)
            result = case.game.result(case.state) if case.state is not None else None
            services.achievements.settle(case.stored, result)


def write(services: Services, stored: Stored, draft: Draft, intent: Intent, mail: Mail, at: datetime) -> Outgoing:
    """The bytes of a mail, the same whenever they are written."""
    host, name = services.renderer.host, stored.table.game
    holder = services.people.holder(name, draft.seat)

    def header(place: str) -> str:
        return message_id(services.keys.mail(name, draft.seat, place), host.domain) if place else ""

    own = header(intent.message_id)
    thread = Thread(header(draft.root), draft.answering or header(draft.last))
    if draft.public:
        # A mail to be forwarded stands for no token: its name is that of no seat's mail.
        own, thread = message_id(services.keys.mail(name, "", intent.message_id), host.domain), Thread()
    # Reports on a mail come back to its own reply address, whose token tells which seat cannot be reached.
    sender = host.address if draft.public else host.reply_address(mail.token)
    to = address_of(holder)
    raw = services.renderer.message(mail, to, thread, own, at, language=holder.language)
    return Outgoing(intent.message_id, draft.seat, to.addr_spec, raw, str(draft.kind), sender)


def address_of(holder: Holder) -> Address:
    """Where a holder is written to: the first registered address."""
    return Address(holder.name, addr_spec=holder.addresses[0])
