"""What a host costs as it grows: late in a game, with thousands of games, over thousands of letters, and with people at once."""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

from tests.bench.figures import say, timed
from tests.bench.many import multiply
from tests.whole import load
from tests.whole.room import Hall
from tests.wire.apart import office_apart
from tests.wire.servers import Office, dovecot_office, local_office

DOMAIN = "bench.test"
MANY = 10_000
"""Games that are stored, letters after which the memory is looked at."""
KEEP_DAYS = 60
"""For how long the bytes of letters and mails are kept: as usual."""


def late() -> None:
    """One letter late in a long game beside one early."""
    with tempfile.TemporaryDirectory() as name:
        hall = Hall(Path(name))
        hall.seat_all(4)
        costs: list[float] = []
        while (seat := hall.asked()) is not None:
            # A seat gets 20 answers a day: without days between them the late questions would be met with silence.
            hall.time += timedelta(hours=12)
            raw = hall.write(seat, "status")
            before = len(hall.mails())
            costs.append(timed(partial(hall.post, raw)))
            if len(hall.mails()) == before:
                raise RuntimeError("a question was not answered, so its cost says nothing")
            hall.send(seat, "1")
        early, at_end = statistics.median(costs[5:25]), statistics.median(costs[-20:])
        says = f"a question late in a game ({len(costs)} turns)"
        say("letter.late", says, at_end * 1e3, "ms", "one early", at_end / early)


def stored() -> None:
    """One letter with 10,000 games stored beside one with 10, and what the daemon is with them."""
    found = {count: asked_at(count) for count in (10, MANY)}
    says = f"a letter with {MANY:,} games stored"
    say("letter.stored", says, found[MANY] * 1e3, "ms", "one with 10", found[MANY] / found[10])


def asked_at(count: int) -> float:
    """Seconds of a question at one of ten tables, where so many are stored; of many, the daemon is told of, too."""
    with tempfile.TemporaryDirectory() as name:
        hall = Hall(Path(name))
        tables = [hall.seat_all(3, seed=at.to_bytes(32, "big")) for at in range(10)]
        mails = {table: next(got for got in hall.mails("anna") if got.message["X-PBEM-Game"] == table) for table in tables}
        # Those mails have gone: a host starts with none that wait.
        hall.spool.sent([row.message_id for row in hall.spool.rows()], hall.time)
        multiply(hall.store, hall.spool, hall.folder / "mail", hall.desk.services.keys, count)
        os.sync()  # a letter pays for its own bytes, not for the thousands that were just copied
        hall.restart()
        costs = []
        for lap in range(3):
            for got in mails.values():
                raw = hall.write("anna", "status", to=got)
                cost = timed(partial(hall.post, raw))
                # The first lap opens the games and lets the spool settle after thousands of mails.
                if lap:
                    costs.append(cost)
        hall.spool.close()
        if count == MANY:
            memory(Path(name))
        return statistics.median(costs)


def memory(folder: Path) -> None:
    """The daemon's greatest size with the games of `folder`, in a process of its own, over one round of the loop; and the
    seconds of its start, of the first one, which has never seen them, and of any other."""
    with local_office(folder / "office", domain=DOMAIN) as office:
        office.make_account("games")
        secret = folder / "mail" / "host.secret"
        secret.write_text(bytes(range(32)).hex())
        secret.chmod(0o600)
        given = (str(folder / "games"), str(folder / "mail"), str(office.imap_port), str(office.smtp_port))
        environ = {**os.environ, "PBEM_IMAP_PASSWORD": office.password, "PBEM_SMTP_PASSWORD": office.password}
        words = [sys.executable, "-m", "tests.bench.start", *given]
        peaks, seconds = zip(*(started(words, environ) for _ in range(2)), strict=True)
        say("memory", f"memory of the daemon with {MANY:,} games", max(peaks), "MB")
        say("start", f"a daemon's start and first round with {MANY:,} games", seconds[1], "s")
        says = f"the same where {MANY:,} games were copied in that it has never seen"
        say("start.first", says, seconds[0], "s", "any other start", seconds[0] / seconds[1])


def started(words: Sequence[str], environ: Mapping[str, str]) -> tuple[float, float]:
    """The size in MB and the seconds of a process that prints them. Raises RuntimeError where it fails."""
    run = subprocess.run(words, env=environ, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr[-200:])
    peak, seconds = map(float, run.stdout.split())
    return peak, seconds


def growth() -> None:
    """By how much the memory grows over 10,000 letters to one desk, after the first tenth of so many.

    A letter an hour, and once a day what a daemon does then: crowded histories are packed, old bytes forgotten.
    """
    with tempfile.TemporaryDirectory() as name:
        hall = Hall(Path(name))
        newest = {hall.seat_all(3, seed=at.to_bytes(32, "big")): hall.mails("anna")[-1] for at in range(10)}
        mails, sizes = list(newest.values()), []
        for count in range(MANY + MANY // 10):
            # A seat gets 20 answers a day.
            hall.time += timedelta(hours=1)
            hall.send("anna", "status", to=mails[count % len(mails)])
            if count % 24 == 0:
                keep_house(hall)
            if count in (MANY // 10, MANY + MANY // 10 - 1):
                sizes.append(resident())
    says = f"growth of the memory over {MANY:,} letters"
    say("memory.growth", says, sizes[1] - sizes[0], "MB", "the memory before", sizes[1] / sizes[0])


def keep_house(hall: Hall) -> None:
    """The daily jobs of a daemon (`pbem.daemon.housekeeping`) that touch the games and the spool."""
    hall.spool.prune(KEEP_DAYS)
    for repo in map(hall.store.open, hall.store.names()):
        if repo.crowded:
            repo.pack()


def resident() -> float:
    """How much memory this process holds now, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def delivery() -> None:
    """Seconds from a letter's delivery to its receipt: through the embedded post office and through Dovecot's IDLE.

    Dovecot tells half a second later that something has come: the host, and so that is in the figure, but not the writers,
    whose receipts lie there by then; they ask for them. The first seconds of a daemon's life are left out.
    """
    offices: dict[str, Callable[[], AbstractContextManager[Office]]] = {
        "embedded": embedded, "dovecot": dovecot_office,
    }  # fmt: skip
    for name, office in offices.items():
        for people, who in ((2, "two at a table"), (20, "20 at once")):
            poll = 0.0 if name == "embedded" else 0.01 * people
            with tempfile.TemporaryDirectory() as folder, office() as there:
                os.environ["PBEM_IMAP_PASSWORD"] = there.password
                found = asyncio.run(load.load_of(Path(folder), there, people, 25.0, poll, warm=6.0))
            if found.lost:
                raise RuntimeError(found.lost[0])
            says = f"from delivery to receipt, {name}, {who}: 95 of 100 ({found.letters} letters)"
            say(f"delivery.{name}.{people}", says, found.late, "s", "the middle one", found.late / found.median)


@contextmanager
def embedded() -> Iterator[Office]:
    """The post office of the demo."""
    with tempfile.TemporaryDirectory() as folder, office_apart(Path(folder), DOMAIN) as office:
        yield office
