"""Letters that wait in a batch, as a program of its own: `python batches.py FOLDER TABLES ROUNDS`.

It opens tables, lays a letter of every seat of each into a mailbox, ROUNDS times one after the other, and lets intake,
desk and outbox do what a daemon does. Between the calls `access("/begin", …)` and `access("/end", …)`, which whoever
traces it sees, stand all that the letters cost.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from math import inf
from pathlib import Path

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import Service, open_service
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig
from pbem.host.scheduler import ClockReading, utc_now
from pbem.inbound.intake import Intake
from pbem.outbound.outbox import Outbox
from pbem.router import Router
from tests.daemon.fakes import Box, Server
from tests.daemon.victim import find

DOMAIN = "office.test"
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NAMES = ("Anna", "Eve", "Faye", "Gil")


def opened(folder: Path, tables: int) -> Service:
    """A host with so many running tables of four."""
    config = Config(
        folder / "games", folder / "mail", host=HostConfig(f"games@{DOMAIN}"), imap=ImapConfig("", 0), smtp=SmtpConfig("", 0)
    )
    service = open_service(config, lambda: NOON, find)
    # However slow the machine is.
    service.store.group_commit.max_seconds = inf
    if not service.store.names():
        for number in range(tables):
            invited = tuple(Invited(name, (f"{name.lower()}@{DOMAIN}",)) for name in NAMES)
            seed = bytes([number + 1]) * 32
            open_table(service.desk, Opening("tally", invited, {"rounds": "3"}, now=True, seed=seed))
    return service


def digest(raw: bytes) -> str:
    """What a letter is known by."""
    return hashlib.sha256(raw).hexdigest()


def letters(service: Service, number: int) -> Iterator[bytes]:
    """What every seat writes to its newest mail: whoever is asked plays, the others ask. Table after table, in turn."""
    for seat in range(len(NAMES)):
        for name in service.store.names():
            rows = [row for row in service.spool.rows(game=name) if row.seat == NAMES[seat].lower()]
            raw = service.spool.raw(rows[-1].message_id)
            mail = email.message_from_bytes(raw, policy=email.policy.default)
            letter = EmailMessage()
            letter["From"], letter["To"] = rows[-1].rcpt, str(mail["Reply-To"])
            letter["Message-ID"] = f"<{number}.{seat}.{name}@people.test>"
            letter["In-Reply-To"] = str(mail["Message-ID"])
            letter.set_content("1\n" if b"\n[1] " in raw.replace(b"\r\n", b"\n") else "status\n")
            yield letter.as_bytes()


class Post:
    """Intake and outbox of a host, without a network. `seconds` is its steady clock: one that stands, so that a batch is
    as long on a busy machine."""

    def __init__(self, service: Service, seconds: Callable[[], float] = float) -> None:
        self.service, self.box, self.server = service, Box(), Server()
        self.intake = Intake(
            service.spool, Router(service.desk), utc_now, own=frozenset({f"games@{DOMAIN}"}),
            batch=service.store.group_commit.batch, steady=lambda: ClockReading("", seconds()),
        )  # fmt: skip
        self.outbox = Outbox(service.spool, self.server, utc_now, f"games@{DOMAIN}")
        self._next = 1

    def deliver(self, raws: list[bytes]) -> None:
        """Letters come into the mailbox."""
        for raw in raws:
            self.box.inbox[self._next] = raw
            self._next += 1

    def round(self) -> None:
        """One look into the mailbox, until all is answered, sent and filed."""

        async def look() -> None:
            stop = asyncio.Event()
            await self.intake.collect(self.box, self.outbox.flush, stop)
            await self.intake.answer(self.outbox.flush, stop)
            await self.outbox.flush(stop)

        asyncio.run(look())


def main(folder: Path, tables: int, rounds: int, together: bool) -> None:
    """Play; on stdout how many letters and mails that were."""
    service = opened(folder, tables)
    post = Post(service)
    post.round()
    count, before = 0, len(post.server.taken)
    for number in range(rounds):
        raws = list(letters(service, number))
        for some in [raws] if together else [[raw] for raw in raws]:
            post.deliver(some)
            os.access("/begin", os.F_OK)
            post.round()
            os.access("/end", os.F_OK)
            count += len(some)
    print(count, len(post.server.taken) - before)
    service.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "batch")
