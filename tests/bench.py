"""Figures and ratios, by hand: `make bench`. Nothing here passes or fails; machines differ, ratios less.

Every figure is the best of a few runs in turn, so that a neighbour on the machine disturbs one of them at most.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import email
import email.policy
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from engine.chance import Derived
from engine.game import AnyGame, Seat, find
from pbem.daemon.service import daemon, mailbox_settings, open_service, sender_settings
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig
from pbem.inbound.mailbox import Mailbox
from pbem.moderation.opening import Invited, Opening, open_table
from pbem.outbound.sender import Sender
from tests import bench_beside, bench_dice, bench_reading, bench_search
from tests.many import multiply
from tests.whole import load
from tests.whole.room import Hall
from tests.wire.servers import Office, dovecot_office, local_office

NAMES = ("Anna", "Faye", "Geoffrey", "Emily")
DOMAIN = "bench.test"
MANY = 10_000
"""Games that are stored, letters after which the memory is looked at."""
MAIL = b"From: games@bench.test\r\nTo: anna@bench.test\r\n\r\n" + (b"x" * 70 + b"\r\n") * 60
"""What the relay sends: about as long as a mail that asks for a turn."""


FIGURES: dict[str, dict[str, Any]] = {}
"""What was said, by names that stay: `value` in `unit`, and its `ratio` to what stands `beside` it in the same run."""


def say(name: str, what: str, value: float, unit: str = "/s", beside: str = "", ratio: float | None = None) -> None:
    """One line of the sheet, and a figure of `--json`."""
    FIGURES[name] = {"value": round(value, 4), "unit": unit, "beside": beside, "ratio": ratio and round(ratio, 4)}
    shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    print(f"{what:<62} {shown} {unit}".rstrip() + (f"  ({ratio:.3g} of {beside})" if ratio else ""), flush=True)


# The engine.


def games(rules: AnyGame, seeds: range, options: dict[str, str], *, offers: bool) -> tuple[int, float, list[float], list[Any]]:
    """Random games: decisions, seconds of the processor, those of each option list, and the last game's entries."""
    decisions, listing, entries = 0, [], []
    began = time.process_time()
    for seed in seeds:
        rng, players = random.Random(seed), 2 + seed % 3
        seats = {Seat(name.lower()): name for name in islice(NAMES, players)}
        chance = Derived(seed.to_bytes(8, "big"), [], "bench")
        step = rules.start(seats, rules.settle_options(players, options), chance)
        entries = list(step.entries)
        while waiting := [asked for asked in rules.waiting(step.state) if not asked.answered]:
            seat = waiting[0].seat
            if offers:
                at = time.process_time()
                rules.offers(step.state, seat)
                listing.append(time.process_time() - at)
            text = next(iter(rules.reference.every(step.state, seat, [rng.randrange(1 << 30) for _ in range(64)])))
            step = rules.apply(step.state, seat, rules.read(step.state, seat, text).order, chance)
            entries += step.entries
            decisions += 1
    return decisions, time.process_time() - began, listing, entries


def engine() -> None:
    """Checked orders a second, option lists, folding."""
    rules = find("troyes")
    tables: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("base", "base game", {}),
        ("bonus", "with bonus cards", {"bonus": "yes"}),
        ("ladies", "all of the Ladies", {"ladies": "all"}),
    )
    base = 0.0
    for name, title, options in tables:
        sampled = max(rate(games(rules, range(30), options, offers=False)) for _ in range(3))
        listed = max(rate(games(rules, range(30), options, offers=True)) for _ in range(2))
        base = base or sampled
        say(f"orders.{name}", f"troyes, {title}: checked orders, sampled", sampled, "/s", "the base game", sampled / base)
        says = f"troyes, {title}: the same with options listed each time"
        say(f"listed.{name}", says, listed, "/s", "orders sampled", listed / sampled)
    _, _, listing, entries = games(rules, range(100, 130), {"bonus": "yes"}, offers=True)
    listing.sort()
    middle, late = listing[len(listing) // 2], listing[int(len(listing) * 0.95)]
    for name, seconds in (("median", middle), ("p95", late), ("longest", listing[-1])):
        say(f"options.{name}", f"options(): {name}", seconds * 1e3, "ms")
    seconds = min(timed(lambda: rules.fold(None, entries)) for _ in range(5))
    say("fold", "fold of a chronicle, entries", len(entries) / seconds)


def rate(run: tuple[int, float, list[float], list[Any]]) -> float:
    """Decisions a second."""
    return run[0] / run[1]


def timed(work: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


# The post.


def config_of(folder: Path, office: Office) -> Config:
    """A host beside an office on this machine."""
    os.environ["PBEM_IMAP_PASSWORD"] = os.environ["PBEM_SMTP_PASSWORD"] = office.password
    return Config(
        folder / "games",
        folder / "mail",
        host=HostConfig(f"games@{DOMAIN}"),
        imap=ImapConfig("127.0.0.1", office.imap_port, "games", "none"),
        smtp=SmtpConfig("127.0.0.1", office.smtp_port, "games", "none"),
    )


def letters(config: Config) -> Iterator[tuple[str, bytes]]:
    """The answer `1` to the newest mail of every seat that is asked, over all games: (sender, raw)."""
    with closing(open_service(config)) as service:
        for name in service.store.names():
            for row in reversed(service.spool.rows(game=name)):
                raw = service.spool.raw(row.message_id)
                if row.kind == "turn" or b"\n[1] " in raw:
                    mail = email.message_from_bytes(raw, policy=email.policy.default)
                    answer = EmailMessage()
                    answer["From"], answer["To"] = row.rcpt, str(mail["Reply-To"])
                    answer["Message-ID"] = f"<{row.message_id}@people.test>"
                    answer["In-Reply-To"] = str(mail["Message-ID"])
                    answer.set_content("1\n")
                    yield row.rcpt, answer.as_bytes()
                    break


def post() -> None:
    """Letters a second through the whole desk, beside a relay that fetches, writes one file, and sends as many mails."""
    with tempfile.TemporaryDirectory() as name, local_office(Path(name) / "office", domain=DOMAIN) as office:
        config = config_of(Path(name), office)
        for who in ("games", *(name.lower() for name in NAMES)):
            office.make_account(who)
        with closing(open_service(config)) as service:
            for seed in range(40):
                invited = tuple(Invited(name, (f"{name.lower()}@{DOMAIN}",)) for name in NAMES[:3])
                open_table(service.desk, Opening("troyes", invited, now=True, seed=bytes([seed]) * 32))
        asyncio.run(once(config))
        desk, relay = [], []
        for _ in range(4):
            waiting = list(letters(config))
            asyncio.run(put(config, waiting))
            with closing(open_service(config)) as service:
                before = len(service.spool.rows())
            desk.append(len(waiting) / timed(partial(asyncio.run, once(config))))
            with closing(open_service(config)) as service:
                sent = len(service.spool.rows()) - before
            asyncio.run(put(config, waiting))
            each = max(1, sent // len(waiting))
            relay.append(len(waiting) / timed(partial(asyncio.run, do_nothing(config, Path(name) / "relay", each))))
        beside, ratio = "a relay that fetches, fsyncs a file, sends as many", max(desk) / max(relay)
        say("letters", "letters through the whole desk (40 games, IMAP and SMTP)", max(desk), "/s", beside, ratio)
        say("relay", "letters through that relay", max(relay))


async def once(config: Config) -> None:
    """What is there, handled and answered."""
    service = open_service(config)
    await daemon(service).run(once=True)
    service.close()


async def put(config: Config, waiting: list[tuple[str, bytes]]) -> None:
    """Letters into the mailbox of the games."""
    sender = Sender(sender_settings(config))
    for who, raw in waiting:
        await sender.send(raw, who, f"games@{DOMAIN}")
    await sender.close()


async def do_nothing(config: Config, folder: Path, mails: int) -> None:
    """Fetch, write and fsync one file a letter, send that many mails, file."""
    folder.mkdir(exist_ok=True)
    box, sender = Mailbox(mailbox_settings(config)), Sender(sender_settings(config))
    await box.connect()
    arrived = await box.arrived()
    for letter, fetched in (await box.fetch(arrived)).items():
        with (folder / str(letter.uid)).open("wb") as file:
            file.write(fetched.raw)
            file.flush()
            os.fsync(file.fileno())
        for _ in range(mails):
            await sender.send(MAIL, "games@bench.test", "anna@bench.test")
    await box.file(arrived, "Handled")
    await box.close()
    await sender.close()


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
    """The daemon's greatest size with the games of `folder`, in a process of its own, over one round of the loop."""
    with local_office(folder / "office", domain=DOMAIN) as office:
        office.make_account("games")
        secret = folder / "mail" / "host.secret"
        secret.write_text(bytes(range(32)).hex())
        secret.chmod(0o600)
        given = (str(folder / "games"), str(folder / "mail"), str(office.imap_port), str(office.smtp_port))
        environ = {**os.environ, "PBEM_IMAP_PASSWORD": office.password, "PBEM_SMTP_PASSWORD": office.password}
        words = [sys.executable, "-m", "tests.bench_start", *given]
        run = subprocess.run(words, env=environ, capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(run.stderr[-200:])
        peak, seconds = map(float, run.stdout.split())
        say("memory", f"memory of the daemon with {MANY:,} games", peak, "MB")
        say("start", f"a daemon's start and first round with {MANY:,} games", seconds, "s")


def growth() -> None:
    """By how much the memory grows over 10,000 letters to one desk, after the first tenth of so many."""
    with tempfile.TemporaryDirectory() as name:
        hall = Hall(Path(name))
        newest = {hall.seat_all(3, seed=at.to_bytes(32, "big")): hall.mails("anna")[-1] for at in range(10)}
        mails, sizes = list(newest.values()), []
        for count in range(MANY + MANY // 10):
            # A seat gets 20 answers a day.
            hall.time += timedelta(hours=1)
            hall.send("anna", "status", to=mails[count % len(mails)])
            if count in (MANY // 10, MANY + MANY // 10 - 1):
                sizes.append(resident())
    says = f"growth of the memory over {MANY:,} letters"
    say("memory.growth", says, sizes[1] - sizes[0], "MB", "the memory before", sizes[1] / sizes[0])


def resident() -> float:
    """How much memory this process holds now, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def delivery() -> None:
    """Seconds from a letter's delivery to its receipt: through the embedded post office and through Dovecot's IDLE."""
    offices: dict[str, Callable[[], contextlib.AbstractContextManager[Office]]] = {
        "embedded": embedded, "dovecot": dovecot_office,
    }  # fmt: skip
    for name, office in offices.items():
        for people, who in ((2, "two at a table"), (20, "20 at once")):
            with tempfile.TemporaryDirectory() as folder, office() as there:
                os.environ["PBEM_IMAP_PASSWORD"] = there.password
                found = asyncio.run(load.load_of(Path(folder), there, people, 20.0))
            if found.lost:
                raise RuntimeError(found.lost[0])
            says = f"from delivery to receipt, {name}, {who}: 95 of 100 ({found.letters} letters)"
            say(f"delivery.{name}.{people}", says, found.late, "s", "the middle one", found.late / found.median)


@contextlib.contextmanager
def embedded() -> Iterator[Office]:
    """The post office of the demo."""
    with tempfile.TemporaryDirectory() as folder, local_office(Path(folder), domain=DOMAIN) as office:
        yield office


def terminal() -> None:
    """How long a person waits for the help."""
    pbem = str(Path(sys.executable).parent / "pbem")
    seconds = min(timed(lambda: subprocess.run([pbem, "--help"], capture_output=True, check=True)) for _ in range(5))
    say("help", "pbem --help", seconds, "s")


def dice() -> None:
    """Random games of Troyes Dice a second, on one core: the rules alone, orders picked, every order listed."""
    for expansion in ("no", "yes"):
        for what, play, games in (
            ("rules only", bench_dice.rules_only, 60),
            ("sampling", bench_dice.sampled, 60),
            ("all options listed", bench_dice.listed, 8),
        ):
            speed, orders = bench_dice.rate(play, games, 3, expansion=expansion)
            title = f"Troyes Dice, expansion {expansion}, {what} ({orders:.0f} orders a game)"
            say(f"dice.{expansion}.{what.replace(' ', '-')}", title, speed, "games/s")


def reading() -> None:
    """What a letter costs to be opened and understood, kind by kind; see there how to compare it with other versions."""
    bench_reading.read(bench_reading.HERE.parent)


def search() -> None:
    """Simulations of the level that searches, beside a known program's on a known game."""
    found = bench_search.rates()
    for title, each in found.items():
        beside = found.get(bench_search.GIN, each)
        say(f"simulations.{title}", f"simulations: {title}", each, "/s", "gin rummy", each / beside)


def beside() -> None:
    """Recorded orders and listed options of ours, beside moves and legal actions of programs that many know."""
    found = bench_beside.rates()
    client, backgammon = found.get(bench_beside.BOARDGAME), found.get(bench_beside.BACKGAMMON)
    for name in bench_beside.TABLES:
        ratio = found[name] / client if client else None
        say(f"recorded.{name}", f"{name}: recorded orders read and applied", found[name], "/s", "boardgame.io's client", ratio)
    ratio = found[bench_beside.LISTED] / backgammon if backgammon else None
    says = "troyes: random games, options listed each time"
    say("decisions.listed", says, found[bench_beside.LISTED], "/s", "OpenSpiel's backgammon", ratio)
    for name in (bench_beside.BOARDGAME, bench_beside.BACKGAMMON):
        if name in found:
            say(f"beside.{name}", f"{name}: the same", found[name])
        else:
            print(f"{name} is not installed: see tests/bench_beside.py", flush=True)


SHEETS: dict[str, Callable[[], None]] = {
    "engine": engine,
    "beside": beside,
    "dice": dice,
    "search": search,
    "post": post,
    "late": late,
    "stored": stored,
    "growth": growth,
    "delivery": delivery,
    "reading": reading,
    "terminal": terminal,
}


def main() -> None:
    """Print the sheets asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheets", nargs="*", choices=[*SHEETS, []], help="which figures; all of them if none is named")
    parser.add_argument("--json", action="store_true", help="the figures as one object on standard output")
    args = parser.parse_args()
    with contextlib.redirect_stdout(sys.stderr) if args.json else contextlib.nullcontext():
        for name in args.sheets or SHEETS:
            SHEETS[name]()
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        say("bench", "this program's own greatest size", own, "MB")
    if args.json:
        print(json.dumps({"figures": FIGURES}, indent=1))


if __name__ == "__main__":
    main()
