"""`make month`: live a month and tell of it; exit 1 when a promise is not held."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

from pbem.desk.undo import DEFAULT
from pbem.store.record import records
from pbem.store.stored import Stored
from tests.month.promises import Promise, checked, is_reminder
from tests.month.sim import Month


def report(month: Month, promises: dict[str, Promise]) -> dict[str, Any]:
    """The month in numbers."""
    store = month.service.store
    past = [record for name in store.names() for record in records(store.open(name))]
    status = [str(Stored.read_public(store.open(name)).table.status) for name in store.names()]
    return {
        "seed": month.seed,
        "games": len(status),
        "ended": status.count("ended"),
        "people": len(month.people),
        "letters": len(month.letters),
        "mails": sum(len(one.seen) for one in month.people.values()),
        "days": month.days,
        "reminders": sum(is_reminder(mail) for one in month.people.values() for _, mail in one.seen),
        "defaults": sum(DEFAULT in record.private for record in past),
        "promises": {name: {"held": not one.broken, "counted": one.counted} for name, one in promises.items()},
    }


def lived(folder: Path, seed: int, games: int, days: int, *, silent: bool = False) -> tuple[Month, dict[str, Promise]]:
    """A month, and what it has kept. `silent`: the first person at each table never
    answers once it has begun, and the others soon."""
    month = Month(folder, seed, games, days, silent=silent)
    asyncio.run(month.run())
    # The host is closed; what it has written is read again.
    month.service = month.opened()
    return month, checked(month)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make month")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        month, promises = lived(Path(folder), given.seed, given.games, given.days)
        told = report(month, promises)
        month.service.close()
    if given.json:
        print(json.dumps(told, indent=2))
    else:
        for name, value in told.items():
            if name != "promises":
                print(f"{name:12} {value}")
        for name, one in promises.items():
            print(f"{'held' if not one.broken else 'BROKEN':7} {name} ({one.counted})")
    for name, one in promises.items():
        for says in one.broken[:10]:
            print(f"{name}: {says}", file=sys.stderr)
    return int(any(one.broken for one in promises.values()))


if __name__ == "__main__":
    sys.exit(main())
