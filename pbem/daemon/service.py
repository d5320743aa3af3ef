"""A host's parts, made from its settings and put together in this one place.

Commands work with a `Service`, which needs no network; `make_daemon` adds mailbox, sender and the loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from engine import game as games
from engine.catalog import Msg, T
from engine.errors import PositionError
from engine.game import AnyGame
from pbem.admin.tables import player_tables
from pbem.daemon.alarm import Alarm
from pbem.daemon.delivery_reports import DeliveryReports
from pbem.daemon.heartbeat import HeartbeatWriter
from pbem.daemon.housekeeping import Housekeeping, Keeping, remover
from pbem.daemon.main_loop import Daemon, DaemonParts, Lifecycle
from pbem.daemon.moderator_digest import ModeratorDigest
from pbem.daemon.replay_handled import replay_handled_letters
from pbem.daemon.timekeeping import Timekeeper
from pbem.desk.clock.table_summaries import is_ended
from pbem.desk.core.services import Services
from pbem.desk.desk import Desk
from pbem.desk.transaction.rebuild import lost_mails, rebuild_all
from pbem.host.config import Config
from pbem.host.host_backup import RESTORED_FILE
from pbem.host.keys import Keys
from pbem.host.passwords import host_secret, password, renewal
from pbem.host.pending_requests import REQUESTS_KEPT
from pbem.host.people import People
from pbem.host.scheduler import DueTime, Scheduler, utc_now
from pbem.inbound.filing import Folders
from pbem.inbound.intake import Intake
from pbem.inbound.mailbox import Mailbox, MailboxSettings
from pbem.inbound.maildir import Maildir
from pbem.outbound.moderator_notices import Notices
from pbem.outbound.outbox import Outbox
from pbem.outbound.render import Host, Renderer
from pbem.outbound.sender import Sender, SenderSettings
from pbem.outbound.sender_thread import SenderThread, call_in_loop
from pbem.router import Router
from pbem.store.errors import StoreError
from pbem.store.game_store import GameStore
from pbem.store.permissions import refuse_root
from pbem.store.spool import Spool

log = logging.getLogger(__name__)

HEARTBEAT = "heartbeat.toml"
CLOCK = "clock.toml"
NOTICES = "notices.txt"

ANSWERS = "waiting answers"
TABLES = "tables that nobody fills"
DOOR = "tables that come"

OFTEN = timedelta(seconds=30)
"""How often answers that were put off, and tables that come, are looked for; both looks are cheap."""


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
        self.spool.close()


def host_of(config: Config) -> Host:
    """The host as mails name it."""
    host = config.host
    return Host(host.address, host.plus_addressing, host.name, host.domain, host.list_id, host.label)


def open_service(
    config: Config, now: Callable[[], datetime] = utc_now, find: Callable[[str], AnyGame] = games.find_game
) -> Service:
    """Open store and spool, making them where they are missing. `find` gives the game of that kind.

    Raises SecretError, StoreError, OSError.
    """
    refuse_root(config.store, config.mail)
    config.mail.mkdir(parents=True, exist_ok=True, mode=0o700)
    keys = Keys(host_secret(config))
    store, spool, renderer = GameStore(config.store), Spool(config.mail), Renderer(host_of(config))
    people = People(config.mail, config.moderator.addresses, config.host.language)
    services = Services(
        store=store, spool=spool, people=people, renderer=renderer, keys=keys, find=find,
        # Records and mails hold whole seconds.
        clock=lambda: now().replace(microsecond=0),
        moderator=next(iter(config.moderator.addresses), ""), authserv_id=config.host.authserv_id,
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


def open_mailbox(config: Config, folder: str = "") -> Mailbox | Maildir:
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


def make_daemon(service: Service) -> Daemon:
    """The daemon of a host. Raises SecretError when a password is missing. Call it inside a running loop."""
    config, desk, now = service.config, service.desk, service.now
    clock = Scheduler(config.mail / CLOCK, now)
    notices = Notices(config.mail / NOTICES, service.spool, service.renderer, config.moderator.addresses, clock)
    sender = Sender(sender_settings(config))
    mail_from = config.smtp.sender or config.host.address
    reports = DeliveryReports(desk.services, now, notices.add)
    outbox = Outbox(
        service.spool, sender, now, mail_from, call_in_loop(reports.undeliverable), late=call_in_loop(reports.late),
        doubted=call_in_loop(reports.doubted), restored=call_in_loop(reports.delivered),
    )  # fmt: skip
    courier = SenderThread(outbox, sender.close)
    remove = remover(lambda: open_mailbox(config, config.imap.filed))
    keeping = Keeping(config.keep_days, config.imap.keep_filed_days, remove)
    Housekeeping(clock, service.spool, service.store, partial(is_ended, desk.services), notices, keeping)
    ModeratorDigest(desk.services, clock, (config.mail, config.store), notices.add)
    plan_regular_work(clock, service, notices.add)
    intake = Intake(
        service.spool, Router(desk), now, own=frozenset({config.host.address, mail_from, config.host.name}),
        folders=Folders(config.imap.filed, config.imap.quarantine), report=notices.add,
        batch=service.store.group_commit.batch,
    )  # fmt: skip
    parts = DaemonParts(
        open_mailbox(config), intake, courier, clock, HeartbeatWriter(config.mail / HEARTBEAT, now),
        Alarm(config.mail, config.moderator.on_trouble, now), Timekeeper(desk, config.mail, now, notices.add),
    )  # fmt: skip
    return Daemon(parts, HostLifecycle(service, notices, courier))


class HostLifecycle(Lifecycle):
    """What a host does at the start of its daemon, and at its end."""

    def __init__(self, service: Service, notices: Notices, courier: SenderThread) -> None:
        self._service, self._notices, self._courier = service, notices, courier

    def lock(self) -> AbstractContextManager[object]:
        """One daemon a store."""
        return self._service.store.daemon_lock()

    def recover(self) -> None:
        """Take in tables that were brought, and bring the spool up to the games."""
        moves = self._service.desk.services.moves
        moves.open_door()
        moves.clear()
        # Before the spool is brought up to the games: it comes with them.
        for says in moves.take_in():
            self._notices.add(says)
        restocked, troubles = recover_spool(self._service)
        if restocked:
            self._notices.add(T(
                "The spool was lost or older than the games; {n} mail goes again.",
                "The spool was lost or older than the games; {n} mails go again.",
                n=restocked,
            ))  # fmt: skip
        for trouble in troubles:
            self._notices.add(T("A game could not be read: {why}", why=trouble))

    async def logged_in(self) -> None:
        """A host made of a backup reads again what was answered since."""
        service, config = self._service, self._service.config
        if (restored := config.mail / RESTORED_FILE).exists():
            handled = open_mailbox(config, config.imap.filed)
            count = await replay_handled_letters(restored, service.spool, handled, service.now())
            self._notices.add(T(
                "This host was restored. {n} letter that had been answered after the backup is read again.",
                "This host was restored. {n} letters that had been answered after the backup are read again.",
                n=count,
            ))  # fmt: skip

    def prepare(self) -> Iterable[object]:
        return self._service.renderer.prepare()

    async def close(self) -> None:
        """End the connection to the server that mail leaves by."""
        await self._courier.close()


def plan_regular_work(clock: Scheduler, service: Service, report: Callable[[Msg, str], None]) -> None:
    """Put on the clock what a host looks for now and then."""
    desk = service.desk

    async def answers(due: DueTime, now: datetime) -> datetime:
        """Send the answers that the desk has put off. They wait in the games, whoever has put them off."""
        if count := desk.answer_waiting():
            log.info("%d answers that waited were sent", count)
        return now + OFTEN

    async def brought(due: DueTime, now: datetime) -> datetime:
        """Take in the tables that other hosts have brought."""
        for says in desk.services.moves.take_in():
            report(says, "")
        return now + OFTEN

    async def given_up(due: DueTime, now: datetime) -> datetime:
        """Give up tables that nobody fills, and forget what people were asked to confirm and have not."""
        player_tables.give_up_stale(desk, now)
        desk.services.wishes.forget(now - REQUESTS_KEPT)
        return now + timedelta(days=1)

    clock.on(ANSWERS, answers)
    clock.plan(DueTime(clock.now(), ANSWERS))
    clock.on(DOOR, brought)
    clock.plan(DueTime(clock.now(), DOOR))
    clock.on(TABLES, given_up)
    clock.keep_first(DueTime(clock.now() + timedelta(hours=4), TABLES))


def recover_spool(service: Service) -> tuple[int, tuple[str, ...]]:
    """Write the mails again that a spool has lost or never had (`pbem.desk.transaction.rebuild`). Then bring it up to
    the games.

    Returns how many mails go again, and why games cannot be read.
    """
    moved, count = service.spool.moved_on(service.store), 0
    for name in moved:
        try:
            count += service.desk.rebuild(name)
        except (StoreError, PositionError, LookupError, OSError) as odd:
            log.warning("the mails of %s could not be written again: %s", name, odd)
    return count, service.spool.recover(service.store, moved)


def count_resends(store: GameStore, people: People, spool: Spool | None, names: Iterable[str]) -> int:
    """How many mails of these games `recover_spool` would send again; a `spool` of None is lost or damaged."""
    count = 0
    for name in names:
        with suppress(StoreError, PositionError, LookupError, OSError):
            count += len(lost_mails(store.open(name), people, rebuild_all if spool is None else spool.missing).again)
    return count


def run_daemon(config: Config, *, once: bool = False) -> int:
    """Run the daemon until it is stopped; its exit code. Raises SecretError, StoreError, OSError before it begins."""
    if not once:
        # Loads the games before the first letter, which would wait for it. A single look may find no letter.
        games.games()

    async def work() -> int:
        service = open_service(config)
        try:
            return await make_daemon(service).run(once=once)
        finally:
            service.close()

    return asyncio.run(work())
