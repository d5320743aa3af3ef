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
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from email.message import EmailMessage
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from engine.chance import SeededChance
from engine.game import AnyGame, Seat, find_game
from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import Service, mailbox_settings, make_daemon, open_service, sender_settings
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig
from pbem.inbound.mailbox import Mailbox
from pbem.outbound.sender import Sender
from tests.bench import beside as bench_beside
from tests.bench import dice as bench_dice
from tests.bench import host as bench_host
from tests.bench import reading as bench_reading
from tests.bench import search as bench_search
from tests.bench.figures import FIGURES, say, timed
from tests.wire.apart import office_apart
from tests.wire.servers import Office

NAMES = ("Anna", "Faye", "Geoffrey", "Emily")
DOMAIN = bench_host.DOMAIN


# The engine.


def games(rules: AnyGame, seeds: range, options: dict[str, str], *, offers: bool) -> tuple[int, float, list[float], list[Any]]:
    """Random games: decisions, seconds of the processor, those of each option list, and the last game's entries."""
    decisions, listing, entries = 0, [], []
    began = time.process_time()
    for seed in seeds:
        rng, players = random.Random(seed), 2 + seed % 3
        seats = {Seat(name.lower()): name for name in islice(NAMES, players)}
        chance = SeededChance(seed.to_bytes(8, "big"), [], "bench")
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
    rules = find_game("troyes")
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
    say("fold", "fold of an event log, entries", len(entries) / seconds)


def rate(run: tuple[int, float, list[float], list[Any]]) -> float:
    """Decisions a second."""
    return run[0] / run[1]


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


def letters(service: Service) -> Iterator[tuple[str, bytes]]:
    """The answer `1` to the newest mail of every seat that is asked, over all games: (sender, raw)."""
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
    """Letters a second through the whole desk, beside a relay that fetches, writes one file, and sends the same mails."""
    with tempfile.TemporaryDirectory() as name, office_apart(Path(name) / "office", DOMAIN) as office:
        config = config_of(Path(name), office)
        for who in ("games", *(name.lower() for name in NAMES)):
            office.make_account(who)
        with closing(open_service(config)) as service:
            for seed in range(40):
                invited = tuple(Invited(name, (f"{name.lower()}@{DOMAIN}",)) for name in NAMES[:3])
                open_table(service.desk, Opening("troyes", invited, now=True, seed=bytes([seed]) * 32))
        # A daemon goes on from letter to letter: what it has kept of the last one it still has at the next.
        with closing(open_service(config)) as service:
            asyncio.run(once(service))
            desk, relay = [], []
            for _ in range(4):
                waiting = list(letters(service))
                asyncio.run(put(config, waiting))
                before = len(service.spool.rows())
                desk.append(len(waiting) / timed(partial(asyncio.run, once(service))))
                sent = [service.spool.raw(row.message_id) for row in service.spool.rows()[before:]]
                asyncio.run(put(config, waiting))
                relay.append(len(waiting) / timed(partial(asyncio.run, do_nothing(config, Path(name) / "relay", sent))))
        beside, ratio = "a relay that fetches, fsyncs a file, sends the same mails", max(desk) / max(relay)
        say("letters", "letters through the whole desk (40 games, IMAP and SMTP)", max(desk), "/s", beside, ratio)
        say("relay", "letters through that relay", max(relay))


async def once(service: Service) -> None:
    """What is there, handled and answered."""
    await make_daemon(service).run(once=True)


async def put(config: Config, waiting: list[tuple[str, bytes]]) -> None:
    """Letters into the mailbox of the games."""
    sender = Sender(sender_settings(config))
    for who, raw in waiting:
        await sender.send(raw, who, f"games@{DOMAIN}")
    await sender.close()


async def do_nothing(config: Config, folder: Path, mails: Sequence[bytes]) -> None:
    """Fetch, write and fsync one file a letter, send its share of these mails, file."""
    folder.mkdir(exist_ok=True)
    box, sender = Mailbox(mailbox_settings(config)), Sender(sender_settings(config))
    await box.connect()
    arrived = await box.arrived()
    for at, (letter, fetched) in enumerate((await box.fetch(arrived)).items()):
        with (folder / str(letter.uid)).open("wb") as file:
            file.write(fetched)
            file.flush()
            os.fsync(file.fileno())
        for raw in mails[at :: len(arrived)]:
            await sender.send(raw, "games@bench.test", "anna@bench.test")
    await box.file(arrived, "Handled")
    await box.close()
    await sender.close()


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
    """What a letter costs to be understood, kind by kind."""
    bench_reading.main()


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
            print(f"{name} is not installed: see tests/bench/beside.py", flush=True)


SHEETS: dict[str, Callable[[], None]] = {
    "engine": engine,
    "beside": beside,
    "dice": dice,
    "search": search,
    "post": post,
    "late": bench_host.late,
    "stored": bench_host.stored,
    "growth": bench_host.growth,
    "delivery": bench_host.delivery,
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
