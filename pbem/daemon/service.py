"""A host's parts, made from its settings: the one place where they are put together.

`Service` needs no network and is what the commands work with; `daemon` adds mailbox, sender and the loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from engine import game as games
from engine.catalog import Msg, T
from engine.errors import PositionError
from engine.game import AnyGame
from pbem.daemon.alarm import Alarm
from pbem.daemon.daemon import Daemon
from pbem.daemon.housekeeping import Housekeeping, remover
from pbem.daemon.needed import Needed
from pbem.daemon.pulse import Pulse
from pbem.daemon.restoring import take_up
from pbem.daemon.timekeeping import Timekeeper
from pbem.desk.desk import Desk
from pbem.desk.outlines import ended
from pbem.desk.rebuild import everything, lost
from pbem.desk.reports import told
from pbem.desk.services import Services
from pbem.host.backup import RESTORED
from pbem.host.clock import Clock, Due, utc_now
from pbem.host.config import Config
from pbem.host.keys import Keys
from pbem.host.passwords import host_secret, password, renewal
from pbem.host.people import People
from pbem.host.wishes import KEPT
from pbem.inbound.filing import Folders
from pbem.inbound.intake import Intake
from pbem.inbound.mailbox import Mailbox, MailboxSettings
from pbem.inbound.maildir import Maildir
from pbem.moderation import tables
from pbem.outbound.courier import Courier, told_here
from pbem.outbound.notices import Notices
from pbem.outbound.outbox import Outbox
from pbem.outbound.render import Host, Renderer
from pbem.outbound.sender import Sender, SenderSettings
from pbem.router import Router
from pbem.store.database import Queued
from pbem.store.games import GameStore
from pbem.store.owner import not_for_root
from pbem.store.spool import Recovered, Spool
from pbem.store.trouble import StoreError

log = logging.getLogger(__name__)

HEARTBEAT = "heartbeat.toml"
CLOCK = "clock.toml"
NOTICES = "notices.txt"

ANSWERS = "waiting answers"
TABLES = "tables that nobody fills"
DOOR = "tables that come"

ANSWERS_AGAIN = timedelta(seconds=30)
"""How often it is asked whether answers that were put off are due; the question costs one look into the spool."""


@dataclass(frozen=True, slots=True)
class Service:
    """Everything a command may need. Close it when done."""

    config: Config
    now: Callable[[], datetime]
    store: GameStore
    spool: Spool
    people: People
    renderer: Renderer
    desk: Desk

    def close(self) -> None:
        """Let go of the spool."""
        self.spool.close()


def host_of(config: Config) -> Host:
    """How mails name their host."""
    host = config.host
    return Host(host.address, host.plus_addressing, host.name, host.domain, host.list_id, host.label)


def open_service(
    config: Config, now: Callable[[], datetime] = utc_now, find: Callable[[str], AnyGame] = games.find
) -> Service:
    """Open store and spool, making them where they are missing. `find` gives the game of that kind.

    Raises SecretError, StoreError, OSError.
    """
    not_for_root(config.store, config.mail)
    config.mail.mkdir(parents=True, exist_ok=True, mode=0o700)
    keys = Keys(host_secret(config))
    store, spool, people = GameStore(config.store), Spool(config.mail), People(
        config.mail, config.moderator.addresses, config.host.language
    )
    renderer = Renderer(host_of(config))
    moderator = next(iter(config.moderator.addresses), "")

    def seconds() -> datetime:
        # Records and mails tell whole seconds.
        return now().replace(microsecond=0)

    services = Services(
        store=store, spool=spool, people=people, renderer=renderer, keys=keys, clock=seconds, find=find,
        moderator=moderator, authserv_id=config.host.authserv_id,
        dmarc_exempt=frozenset(address.lower() for address in config.host.dmarc_exempt), zone=config.host.zone,
        tables=config.tables,
    )  # fmt: skip
    return Service(config, now, store, spool, people, renderer, Desk(services))


def mailbox_settings(config: Config) -> MailboxSettings:
    """The settings of the mailbox, with its password. Raises SecretError."""
    one = config.imap
    return MailboxSettings(
        one.host, one.port, one.user, password("imap", config).reveal(), one.tls, one.folder, float(one.timeout),
        one.idle, float(one.poll), one.ca_file, one.plaintext_allowed, one.auth, renewal("imap", config),
    )  # fmt: skip


def mailbox(config: Config, folder: str = "") -> Mailbox | Maildir:
    """The mailbox that letters come to, or another `folder` of it. Raises SecretError when a password is missing."""
    if config.mailbox.maildir is not None:
        box = Maildir(config.mailbox.maildir)
        return box.beside(folder) if folder else box
    settings = mailbox_settings(config)
    return Mailbox(replace(settings, folder=folder) if folder else settings)


def sender_settings(config: Config) -> SenderSettings:
    """The settings of the server that mail leaves by, with the password. Raises SecretError."""
    one = config.smtp
    return SenderSettings(
        one.host, one.port, one.user, password("smtp", config).reveal(), one.tls, float(one.timeout), one.ca_file,
        one.plaintext_allowed, auth=one.auth, renew=renewal("smtp", config),
    )  # fmt: skip


def daemon(service: Service) -> Daemon:
    """The daemon of a host. Raises SecretError when a password is missing. Call it inside a running loop."""
    config = service.config
    clock = Clock(config.mail / CLOCK, service.now)
    notices = Notices(config.mail / NOTICES, service.spool, service.renderer, config.moderator.addresses, clock)
    remove = remover(lambda: mailbox(config, config.imap.filed))
    over = partial(ended, service.desk.services)
    keep, keep_filed = config.keep_days, config.imap.keep_filed_days
    Housekeeping(clock, service.spool, service.store, over, notices, keep, keep_filed, remove)
    wait_for_answers(clock, service)
    give_tables_up(clock, service)
    open_the_door(clock, service, notices.add)
    sender = Sender(sender_settings(config))
    mail_from = config.smtp.sender or config.host.address

    def undeliverable(mail: Queued, reason: str, dead: bool) -> None:
        for one in service.spool.parts(mail):
            if dead and one.kind == "follow":
                # Nobody is written to in vain who need not be written to.
                service.desk.services.followers.forget(one.rcpt)
            if not one.seat:
                return
            notices.add(T("A mail to {seat} cannot be delivered: {why}", seat=one.seat, why=reason), one.game)
            # A mail of the day may be about a table that has moved since.
            holder = service.people.holder(one.game, one.seat) if dead and service.store.has(one.game) else None
            if holder is not None and one.rcpt in holder.addresses and not holder.cut_off:
                why, now = told("our server refuses the address", reason, service.now()), service.now()
                service.people.change(one.game, replace(holder, unreachable=why, unreachable_since=now, refused=True))

    def late(mail: Queued, reason: str) -> None:
        for one in service.spool.parts(mail):
            notices.add(T("A mail to {seat} has not gone out for a day: {why}", seat=one.seat, why=reason), one.game)

    def doubted(mail: Queued, reason: str) -> None:
        for one in service.spool.parts(mail):
            says = T("The server refuses a mail to {seat}, which is tried again: {why}", seat=one.seat, why=reason)
            notices.add(says, one.game)

    def restored(mail: Queued) -> None:
        for one in service.spool.parts(mail):
            holder = service.people.holder(one.game, one.seat) if one.seat and service.store.has(one.game) else None
            if holder is not None and holder.refused and one.rcpt in holder.addresses:
                service.people.change(one.game, replace(holder, unreachable="", unreachable_since=None, refused=False))

    outbox = Outbox(
        service.spool, sender, service.now, mail_from, told_here(undeliverable), late=told_here(late),
        doubted=told_here(doubted), restored=told_here(restored),
    )  # fmt: skip
    courier = Courier(outbox, sender.close)

    def report(says: Msg, game: str) -> None:
        notices.add(says, game)

    Needed(service.desk.services, clock, (config.mail, config.store), report)

    moves = service.desk.services.moves

    def begin() -> None:
        moves.open_door()
        moves.clear()
        # Before the spool is brought up to the games: it comes with them.
        for says in moves.take_in():
            notices.add(says)
        restocked, found = bring_up(service)
        if restocked:
            says = T(
                "The spool was lost or older than the games; {n} mail goes again.",
                "The spool was lost or older than the games; {n} mails go again.",
                n=restocked,
            )
            notices.add(says)
        log.info("at start: %d mails released, %d dropped, %d records read",
                 found.released, found.dropped, found.indexed)  # fmt: skip
        for trouble in found.troubles:
            notices.add(T("A game could not be read: {why}", why=trouble))

    async def first() -> None:
        if (restored := config.mail / RESTORED).exists():
            count = await take_up(restored, service.spool, mailbox(config, config.imap.filed), service.now())
            says = T(
                "This host was restored. {n} letter that had been answered after the backup is read again.",
                "This host was restored. {n} letters that had been answered after the backup are read again.",
                n=count,
            )
            notices.add(says)

    return Daemon(
        mailbox(config),
        Intake(
            service.spool,
            Router(service.desk),
            service.now,
            own=frozenset({config.host.address, mail_from, config.host.name}),
            folders=Folders(config.imap.filed, config.imap.quarantine),
            report=report,
            row=service.store.group_commit.batch,
        ),
        courier,
        clock,
        Pulse(config.mail / HEARTBEAT, service.now),
        lock=service.store.daemon_lock,
        begin=begin,
        first=first,
        close=courier.close,
        clocks=Timekeeper(service.desk, config.mail, service.now, report),
        prepare=service.renderer.prepare,
        alarm=Alarm(config.mail, config.moderator.on_trouble, service.now),
    )


def wait_for_answers(clock: Clock, service: Service) -> None:
    """Let the clock send the answers that the desk has put off. They wait in the games, whoever has put them off."""

    async def send(due: Due, now: datetime) -> datetime:
        if count := service.desk.answer_waiting():
            log.info("%d answers that waited were sent", count)
        return now + ANSWERS_AGAIN

    clock.on(ANSWERS, send)
    clock.plan(Due(clock.now(), ANSWERS))


def give_tables_up(clock: Clock, service: Service) -> None:
    """Let the clock give up, once a day, what players have opened long ago and nobody has filled; and forget what
    people were asked to confirm and have not."""

    async def look(due: Due, now: datetime) -> datetime:
        tables.give_up(service.desk, now)
        service.desk.services.wishes.forget(now - KEPT)
        return now + timedelta(days=1)

    clock.on(TABLES, look)
    clock.keep_first(Due(clock.now() + timedelta(hours=4), TABLES))


def open_the_door(clock: Clock, service: Service, report: Callable[[Msg, str], None]) -> None:
    """Let the clock take in the tables that other hosts have brought."""

    async def look(due: Due, now: datetime) -> datetime:
        for says in service.desk.services.moves.take_in():
            report(says, "")
        return now + ANSWERS_AGAIN

    clock.on(DOOR, look)
    clock.plan(Due(clock.now(), DOOR))


def bring_up(service: Service) -> tuple[int, Recovered]:
    """Fill a spool that was lost or is older than the games (`pbem.desk.rebuild`), and then bring it up to them; how
    many mails go again, and what was found."""
    moved, count = service.spool.moved_on(service.store), 0
    for name in moved:
        try:
            count += service.desk.rebuild(name)
        except (StoreError, PositionError, LookupError, OSError) as odd:
            log.warning("the mails of %s could not be written again: %s", name, odd)
    return count, service.spool.recover(service.store, moved)


def to_go_again(store: GameStore, people: People, spool: Spool | None, names: Iterable[str]) -> int:
    """How many mails of these games would go again were they mended now; without `spool`, it is lost or damaged."""
    count = 0
    for name in names:
        with suppress(StoreError, PositionError, LookupError, OSError):
            count += len(lost(store.open(name), people, everything if spool is None else spool.missing).again)
    return count


def run(config: Config, *, once: bool = False) -> int:
    """Run the daemon until it is stopped; its exit code. Raises SecretError, StoreError, OSError before it begins."""

    if not once:
        # Before the first letter, which would wait for it; without letters a look has no use for them.
        games.games()

    async def work() -> int:
        service = open_service(config)
        try:
            return await daemon(service).run(once=once)
        finally:
            service.close()

    return asyncio.run(work())
