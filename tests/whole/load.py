"""People who all write at once, through Dovecot, to a daemon in a process of its own; nobody waits to think.

Everybody answers as soon as something is asked, so that there are as many letters under way as there are people who are
asked. A game that is over is followed by another (`again`). The time of a letter is from the server's word that it has
it to the receipt in the writer's mailbox: two deliveries by the server, and all that the host does between them.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import open_service
from pbem.demo.mail_client import MailClient
from pbem.demo.received_mail import ReceivedMail
from pbem.host.config import Config, load_config
from pbem.store.game_store import GameStore
from tests.patience import PATIENCE
from tests.wire.servers import Office

SETTINGS = """
[store]
path = "{folder}/games"
[mail]
folder = "{folder}/mail"
[host]
address = "{address}"
[imap]
host = "{office.host}"
port = {office.imap_port}
user = "games"
tls = "none"
[smtp]
host = "{office.host}"
port = {office.smtp_port}
user = ""
tls = "none"
sender = "{address}"
"""
LOOK = 5.0
"""Seconds after which a writer whose server has not called looks all the same, and at the clock."""
SAID = re.compile(r"^> (1|join|again)$", re.MULTILINE)
"""What a receipt repeats of the letter. (In-Reply-To is no sign of one: a new round is a new thread.)"""
AGAIN = "«again» asks for another game"


@dataclass
class Writer:
    """Somebody at a table. `sent` tells when the server took their letters, `came` when the receipts were here."""

    mail: MailClient
    sent: list[float] = field(default_factory=list)
    came: list[float] = field(default_factory=list)
    mails: list[str] = field(default_factory=list)
    """The Message-IDs of all that has come."""

    async def write_until(self, end: float) -> None:
        """Answer whatever asks until then, once at least; then wait for what is not yet answered."""
        last = end + PATIENCE
        while len(self.came) < len(self.sent) or not self.sent or time.monotonic() < end:
            assert time.monotonic() < last, f"{self.mail.name}: {len(self.came)} receipts for {len(self.sent)} letters"
            for says, mail in await self._asked():
                if time.monotonic() < end or not self.sent:
                    await self.mail.answer(mail, says)
                    self.sent.append(time.monotonic())
            await self.mail.wait(LOOK)

    async def _asked(self) -> list[tuple[str, ReceivedMail]]:
        """What came since the last look: the newest question, and what to say to it."""
        asked = []
        for mail in await self.mail.fetch():
            if mail.message_id not in self.mails and (mail.refused or SAID.search(mail.text)):
                self.came.append(time.monotonic())
            self.mails.append(mail.message_id)
            if AGAIN in mail.text:
                asked = [("again", mail)]
            elif mail.asks:
                asked = [("join" if mail.invites else "1", mail)]
        return asked


@dataclass
class Loaded:
    """What was seen. `seconds` are those of each letter that is timed; `lost` names whatever is nowhere, or twice."""

    games: int
    letters: int
    mails: int
    seconds: list[float]
    lost: list[str]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def late(self) -> float:
        """What 95 of 100 letters take at most."""
        return sorted(self.seconds)[-1 - len(self.seconds) // 20]

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.letters} letters, {self.mails} mails; delivery to receipt: median {self.median:.2f} s, "
            f"p95 {self.late:.2f} s, longest {max(self.seconds):.2f} s"
        )


PROGRAM = "import sys; from pbem.cli import main; main(sys.argv[1:])"
"""`pbem`, by the Python that runs the tests."""


async def while_it_runs(config: Path, work: Awaitable[object]) -> None:
    """`pbem daemon` during the work; it must not end before, and ends in order afterwards."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, "--config", str(config), "daemon", "--quiet"
    )
    ended, done = asyncio.ensure_future(process.wait()), asyncio.ensure_future(work)
    try:
        await asyncio.wait({ended, done}, return_when=asyncio.FIRST_COMPLETED)
        assert done.done(), "the daemon has ended"
        done.result()
        process.send_signal(signal.SIGTERM)
        assert 0 == await asyncio.wait_for(ended, PATIENCE)
    finally:
        done.cancel()
        if process.returncode is None:
            process.kill()
            await process.wait()


async def load_of(
    folder: Path, office: Office, people: int, seconds: float, poll: float = 0.0, warm: float = 0.0
) -> Loaded:
    """Tables of two, of the game in which all choose at the same time, for so many seconds. With `poll` the writers ask
    for their mail every so many seconds: their server's word would come later than their mail. Letters of the first
    `warm` seconds, in which a daemon is still loading what it needs, are not among the `seconds`."""
    settings = folder / "pbem.toml"
    settings.write_text(SETTINGS.format(folder=folder, office=office, address=office.make_account("games")))
    config = load_config(settings)
    writers = [Writer(_person(f"Person{n}", office, poll)) for n in range(people)]
    with contextlib.closing(open_service(config)) as service:
        for n in range(0, people, 2):
            invited = tuple(Invited(one.mail.name, (one.mail.address,)) for one in writers[n : n + 2])
            open_table(service.desk, Opening("troyes-dice", invited, now=True, seed=bytes([n, 7]) * 16))
    try:
        begun = time.monotonic()
        end = begun + seconds
        await while_it_runs(settings, asyncio.gather(*(one.write_until(end) for one in writers)))
        lost = await _lost(config, writers)
    finally:
        for one in writers:
            await one.mail.close()
    games = len(GameStore(config.store).names())
    times = [(sent, came - sent) for one in writers for sent, came in zip(one.sent, one.came, strict=True)]
    timed = [took for sent, took in times if sent >= begun + warm]
    return Loaded(games, len(times), sum(len(one.mails) for one in writers), timed, lost)


def _person(name: str, office: Office, poll: float) -> MailClient:
    account = name.lower()
    place = (office.password, office.host, office.imap_port, office.smtp_port)
    return MailClient(name, account, office.make_account(account), *place, smtp_login=False, poll=poll)


async def _lost(config: Config, writers: list[Writer]) -> list[str]:
    """Letters that nobody has read, mails that did not go or not come, or more than once."""
    with contextlib.closing(open_service(config)) as service:
        read = service.spool.ask("SELECT count(*) FROM letters WHERE state <> 'new'")[0][0]
        rows = service.spool.rows()
    written = sum(len(one.sent) for one in writers)
    found = [] if read == written else [f"{written} letters were written, {read} read"]
    found += [f"{row.message_id} is {row.state}" for row in rows if row.state != "sent"]
    went = Counter(row.rcpt for row in rows)
    end = time.monotonic() + PATIENCE
    # The server has taken what it may not yet have delivered.
    while sum(len(one.mails) for one in writers) < len(rows) and time.monotonic() < end:
        await asyncio.sleep(0.1)
        for one in writers:
            one.mails += [mail.message_id for mail in await one.mail.fetch()]
    for one in writers:
        came = len(set(one.mails))
        if not came == len(one.mails) == went[one.mail.address]:
            found.append(f"{one.mail.name} got {came} mails, {len(one.mails)} in all, of {went[one.mail.address]}")
    return found
