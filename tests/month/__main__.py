"""`make month`: live a month twice and tell of it, without standing orders and with those that the mails offer; exit 1
when a promise is not held in either.

The two are lived at once, each in a process of its own: the same seed, tables, people, zones and mishaps.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import multiprocessing
import signal
import statistics
import sys
import tempfile
from datetime import datetime, timedelta
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pbem.desk.core.undo import DEFAULT
from pbem.store.commit_record import Record
from pbem.store.state_file import StoredGame
from tests.month.people import Person, of
from tests.month.promises import Promise, checked, is_reminder
from tests.month.sim import HOUR, Month

DAY = timedelta(days=1)
COLUMNS = {"naive": "without standing orders", "standing": "with standing orders"}
Told = dict[str, Any]


def both(naive: Told, standing: Told) -> Told:
    """The reports of the two columns; beside them the numbers of the one without standing orders, the promises of both,
    and what a game took of those that have ended in both."""
    ended = [name for name, row in naive["tables"].items() if row["status"] == standing["tables"][name]["status"] == "ended"]
    columns = dict(zip(COLUMNS, (naive, standing), strict=True))
    promises = {
        name: {"held": one["held"] and other["held"], "counted": one["counted"] + other["counted"]}
        for (name, one), other in zip(naive["promises"].items(), standing["promises"].values(), strict=True)
    }
    game = {
        column: {
            what: round(statistics.mean(one["tables"][name][what] for name in ended), 1) if ended else None
            for what in ("letters", "serial_waits", "days")
        }
        for column, one in columns.items()
    }
    return {**_figures(naive), "promises": promises, "ended_in_both": len(ended), "game": game, **columns}


def _figures(told: Told) -> Told:
    return {name: value for name, value in told.items() if not isinstance(value, dict | list)}


def report(month: Month, promises: dict[str, Promise]) -> Told:
    """One column: the month in numbers."""
    past = month.past
    tables = {name: _table(month, name, found) for name, found in past.items()}
    hours = sorted(one for person in month.people.values() for one in _answer_times(person, month))
    return {
        "seed": month.seed,
        "games": len(tables),
        "ended": sum(row["status"] == "ended" for row in tables.values()),
        "people": len(month.people),
        "letters": len(month.letters),
        "mails": sum(len(one.seen) for one in month.people.values()),
        "days": month.days,
        "reminders": sum(is_reminder(mail) for one in month.people.values() for _, mail in one.seen),
        "defaults": sum(DEFAULT in record.private for found in past.values() for record in found),
        "serial_waits": sum(row["serial_waits"] for row in tables.values()),
        "hours_to_answer": round(statistics.median(hours), 1) if hours else None,
        "befell": {what: at.isoformat() for what, at in month.happened.items()},
        "promises": {name: {"held": not one.broken, "counted": one.counted} for name, one in promises.items()},
        "tables": tables,
    }


def _table(month: Month, name: str, past: list[Record]) -> dict[str, Any]:
    """One table: how long it has gone on, its letters, and how often one person had to act before the next could."""
    table = StoredGame.read_public(month.service.store.open(name)).table
    acted = [record.seat for record in past if record.entries and record.letter]
    return {
        "status": str(table.status),
        "seats": len(table.seats),
        "pace": table.pace.name,
        "days": round((past[-1].at - past[0].at) / DAY, 1),
        "letters": sum(record.letter is not None for record in past),
        "serial_waits": sum(one != other for one, other in pairwise(acted)),
        "defaults": sum(DEFAULT in record.private for record in past),
    }


def _answer_times(person: Person, month: Month) -> list[float]:
    """Hours from the first mail on a decision to the letter that answers it."""
    asked: dict[tuple[str, int], datetime] = {}
    for at, mail in person.seen:
        if of(mail)[0]:
            asked.setdefault(of(mail), at)
    sent = [letter for letter in month.letters if letter.person == person.name]
    found = []
    for (game, number), at in asked.items():
        token = f"+{game}.{number}.".encode()
        if (first := next((letter.at for letter in sent if letter.at > at and token in letter.raw), None)) is not None:
            found.append((first - at) / HOUR)
    return found


CHANGES = ("status", "days", "letters", "serial_waits", "defaults")
"""What of a table is told of both columns."""


def _rows(told: Told) -> list[tuple[str, Any, Any]]:
    """The figures of both columns by their names."""
    one, other = told["naive"], told["standing"]
    games = [(f"{what} of a game", *(told["game"][column][what] for column in COLUMNS)) for what in told["game"]["naive"]]
    return [
        *((name, value, other[name]) for name, value in _figures(one).items()),
        *((f"{name}, ended in both: {told['ended_in_both']}", was, now) for name, was, now in games),
    ]


def lived(
    folder: Path, seed: int, games: int, days: int, *, standing: bool = False, silent: bool = False
) -> tuple[Month, dict[str, Promise]]:
    """A month, and what it has kept. `silent`: the first person at each table never answers once it has begun; of the
    others one forwards mail, and all answer soon."""
    month = Month(folder, seed, games, days, standing=standing, silent=silent)
    asyncio.run(month.run())
    # The host is closed; what it has written is read again.
    month.service = month.opened()
    return month, checked(month)


def column(folder: Path, seed: int, games: int, days: int, standing: bool) -> tuple[Told, dict[str, list[str]]]:
    """The report of one column, and what has broken its promises."""
    folder.mkdir()
    month, promises = lived(folder, seed, games, days, standing=standing)
    told = report(month, promises)
    month.service.close()
    return told, {name: one.broken for name, one in promises.items()}


def _at_once(columns: list[tuple[Path, int, int, int, bool]]) -> list[tuple[Told, dict[str, list[str]]]]:
    """Columns, each in a process of its own that has ended, one way or another, when this is left."""
    fork = multiprocessing.get_context("fork")
    children = []
    try:
        for given in columns:
            here, there = fork.Pipe(duplex=False)
            child = fork.Process(target=_one, args=(there, *given))
            child.start()
            there.close()
            children.append((child, here))
        return [here.recv() for _, here in children]
    finally:
        # Not by a signal that can be caught: a handler's exit is swallowed at some instants, and the process stays.
        for child, _ in children:
            child.kill()
            child.join()


def _one(there: Connection, *given: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    there.send(column(*given))


def main() -> int:
    parser = argparse.ArgumentParser(prog="make month")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    # An end in order: what was written goes, too, and the processes of the columns with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as folder:
        found = _at_once(
            [(Path(folder) / name, given.seed, given.games, given.days, name == "standing") for name in COLUMNS]
        )
    told = both(*(one for one, _ in found))
    if given.json:
        print(json.dumps(told, indent=2))
    else:
        _print(told)
    lines = [
        f"{how}: {name}: {says}"
        for how, (_, broken) in zip(COLUMNS.values(), found, strict=True)
        for name, all_ in broken.items()
        for says in all_[:10]
    ]
    print("".join(f"{line}\n" for line in lines), end="", file=sys.stderr)
    return int(bool(lines))


def _print(told: Told) -> None:
    naive, standing = (told[name] for name in COLUMNS)
    print(f"{'':42} {'naive':>10} {'standing':>10}")
    for name, one, other in _rows(told):
        print(f"{name:42} {one!s:>10} {other!s:>10}")
    print(f"\n{'naive → standing':16} seats pace   {'status':>20} {'days':>13} {'letters':>11} {'waits':>11} {'defaults':>9}")
    for name, row in naive["tables"].items():
        status, days, letters, waits, defaults = (f"{row[what]} → {standing['tables'][name][what]}" for what in CHANGES)
        print(f"{name:16} {row['seats']:5} {row['pace']:6} {status:>20} {days:>13} {letters:>11} {waits:>11} {defaults:>9}")
    for name, one in told["promises"].items():
        print(f"{'held' if one['held'] else 'BROKEN':7} {name} ({one['counted']})")


if __name__ == "__main__":
    sys.exit(main())
