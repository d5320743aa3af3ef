"""The demo itself: post office, daemon and players in one loop; and an evening at one's own table (`Plan.kept`).

Whoever is asked answers, in seat order where several are asked at once, and then all of that is handled before anybody
looks again: so the same seed gives the same chronicle.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pbem.admin.actions.lifecycle import resend
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import Service, mailbox_settings, make_daemon, open_service
from pbem.demo.demo_folder import BOX, GAMES, open_post_office, settings_for, unfinished_table
from pbem.demo.game_report import game_report
from pbem.demo.mail_client import MailClient
from pbem.demo.mail_computer import MailComputer
from pbem.demo.postoffice import HOST, DemoError, PostOffice
from pbem.demo.progress import Progress
from pbem.demo.terminal_player import TerminalPlayer
from pbem.desk.core.seat_controller import COMPUTER, PERSON, computer_text
from pbem.inbound.mailbox import Mailbox
from pbem.store.game_store import GameStore
from pbem.store.game_table import Status, Table
from pbem.store.state_file import StoredGame

NAMES = ("Anna", "Faye", "Geoffrey", "Emily", "Bruno", "Clara", "Denis", "Odile", "Louise", "Martin")
LOOK_AGAIN = 0.005
"""Seconds between two looks while a letter is on its way."""
WAIT_FOR_A_PERSON = 0.2
PATIENCE = 200.0
"""Seconds that one letter may take: longer than the desk's tries at a letter that meets a defect."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played, and where. `person` is the name of a seat that a person plays; empty for none.

    The others are computers that know their mails alone, or, with a `level`, seats of the host. `kept`: the folder may
    hold earlier games; the last of them goes on if it is not over, and what is said here of a game counts for nothing.
    """

    kind: str
    players: int
    folder: Path
    seed: str = ""
    person: str = ""
    level: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    kept: bool = False
    languages: Mapping[str, str] = field(default_factory=dict)
    """By name, of whoever does not read the usual one."""

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits at the table, clockwise; a person sits first."""
        others = [name for name in NAMES if name.casefold() != self.person.casefold()]
        return tuple([self.person, *others] if self.person else others)[: self.players]


@dataclass
class Stage:
    """A demo that is set up: the parts a game goes through."""

    office: PostOffice
    service: Service
    game: str
    players: Sequence[MailComputer]
    person: TerminalPlayer | None
    host: Mailbox

    async def settle(self) -> None:
        """Wait until every letter was answered and every mail delivered. Raises DemoError, MailboxError."""
        spool = self.service.spool
        try:
            async with asyncio.timeout(PATIENCE):
                while await self.host.arrived() or spool.waiting() or spool.rows(state="ready"):
                    await asyncio.sleep(LOOK_AGAIN)
        except TimeoutError:
            troubles = [mail.error for mail in spool.rows(state="ready") if mail.error]
            why = troubles[0] if troubles else "the log says why, if anything does"
            raise DemoError(f"a letter was not answered within {PATIENCE:g} s: {why}") from None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return StoredGame.read_public(self.service.store.open(self.game)).table.status is Status.ENDED

    @property
    def letters(self) -> int:
        """Letters that the players have written."""
        people = [self.person.mail] if self.person else []
        return sum(one.sent for one in (*people, *(computer.mail for computer in self.players)))


async def play_demo(plan: Plan, progress: Progress) -> dict[str, Any]:
    """Play a whole game; its report. Raises DemoError, OrderRefused, MailboxError, StoreError, OSError."""
    async with _stage(plan, progress) as stage:
        running = asyncio.create_task(_daemon(stage.service))
        playing = asyncio.create_task(_play(stage, progress))
        try:
            done, _ = await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            if playing not in done and not plan.person:
                raise DemoError(f"stopped before the end of the game; what was played lies in {plan.folder}")
        finally:
            for task in (playing, running):
                task.cancel()
            await asyncio.gather(running, playing, return_exceptions=True)
        return game_report(stage.service, stage.game, stage.office.folder)


@asynccontextmanager
async def _stage(plan: Plan, progress: Progress) -> AsyncIterator[Stage]:
    """Everything set up, and taken down in the end; what was written stays."""
    async with AsyncExitStack() as held:
        # Two evenings at one folder would be two post offices in one set of mailboxes.
        with GameStore(plan.folder / GAMES).daemon_lock("pbem play") if plan.kept else nullcontext():
            office = await open_post_office(plan.folder, plan.kept)
        held.push_async_callback(office.stop)
        config = settings_for(plan.folder, office)
        service = open_service(config)
        # Limits guard hosts from loops of mail; at one's own table a letter without an answer would look as if it hung.
        service.desk.services = replace(service.desk.services, measures=not plan.person)
        held.callback(service.close)
        host = Mailbox(mailbox_settings(config))
        held.push_async_callback(host.close)
        table = _table(plan, service, office)
        people = [client_of(office, row.name) for row in table.seats if row.by == PERSON]
        for mail in people:
            held.push_async_callback(mail.close)
        person = TerminalPlayer(people[0], office, progress) if plan.person else None
        computers = [MailComputer(mail, plan.seed) for mail in people[1 if person else 0 :]]
        progress.say(f"{table.game}: {', '.join(row.name for row in table.seats)}; mails in {office.folder}")
        if levels := [str(computer_text(row)) for row in table.seats if row.by == COMPUTER]:
            progress.say(f"Computers, which are seats of the host and write no letters: {', '.join(levels)}.")
        if person and plan.kept:
            await person.mail.fetch()  # what lies there was read on an earlier evening
        await host.connect()
        yield Stage(office, service, table.game, computers, person, host)


def _table(plan: Plan, service: Service, office: PostOffice) -> Table:
    """The table that is played: the one that goes on, whose person is mailed its position again, or a new one."""
    before = unfinished_table(plan.folder) if plan.kept else None
    if before is None:
        return open_table(service.desk, _opening(plan, office)).table
    people = [row for row in before.seats if row.by == PERSON]
    if len(people) != 1:
        names = ", ".join(row.name for row in people) or "nobody"
        raise DemoError(
            f"{before.game} in {plan.folder} waits for letters of {names}: it takes one person among computers of the "
            "host to go on here; name another folder with --dir"
        )
    office.make_account(account_of(people[0].name))
    again = resend.of(service.desk.services, {"seat": people[0].seat}, "")
    return service.desk.change(before.game, resend.word, again).stored.table


def account_of(name: str) -> str:
    """The login of a player: the name in plain lower-case letters; never the desk's own."""
    plain = "".join(char for char in name.lower() if char.isascii() and char.isalnum())
    return plain[:30] if plain not in ("", BOX) else "player"


def _opening(plan: Plan, office: PostOffice) -> Opening:
    def secret(what: str) -> bytes:
        return hashlib.sha256(f"demo {what} {plan.seed}".encode()).digest()

    invited = tuple(
        # To the desk novices are people: whoever answers by mail is one.
        Invited(name, level=plan.level)
        if plan.level and name != plan.person
        else Invited(name, (office.make_account(account_of(name)),), language=plan.languages.get(name, ""))
        for name in plan.names
    )
    seed = secret("seed") if plan.seed else None
    word = secret("word").hex()[:12]
    return Opening(plan.kind, invited, plan.options, seed=seed, host_word=word, hints=bool(plan.person))


def client_of(office: PostOffice, name: str) -> MailClient:
    """The mail program of a player."""
    account, ports = account_of(name), (office.imap_port, office.smtp_port)
    return MailClient(name, account, office.address(account), office.password, HOST, *ports)


async def _daemon(service: Service) -> None:
    """Run the daemon, with its warnings alone; cancelled, it ends in order."""
    log, worker = logging.getLogger("pbem"), make_daemon(service)
    before = log.level
    log.setLevel(logging.WARNING)
    try:
        await asyncio.shield(running := asyncio.ensure_future(worker.run()))
    except asyncio.CancelledError:
        worker.stop()
        await running
        raise
    finally:
        log.setLevel(before)


async def _play(stage: Stage, progress: Progress) -> None:
    """Play one round of letters after the other until the game has ended, or the person leaves."""
    prompt = asyncio.create_task(stage.person.run()) if stage.person else None
    try:
        while True:
            await stage.settle()
            for computer in stage.players:
                await computer.look()
            progress.at(max((one.heading for one in stage.players), default=""), stage.letters)
            asked = [computer for computer in stage.players if computer.asked]
            for computer in asked:
                await computer.answer()
            if asked:
                continue
            if stage.over:
                break
            if prompt is None:
                raise DemoError("nobody is asked anything, and the game is not over")
            if prompt.done():
                prompt.result()
                break
            await asyncio.wait({prompt}, timeout=WAIT_FOR_A_PERSON)
        if stage.person is not None and prompt is not None and not prompt.done():
            await stage.person.show_new()
    finally:
        if prompt is not None:
            prompt.cancel()
            await asyncio.gather(prompt, return_exceptions=True)
