"""`make year`: live a year of one host and tell how much room it takes; exit 1 when something grows that should not."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from matplotlib.figure import Figure

from pbem.cli import main as program
from pbem.host.setup import write_settings
from pbem.store.game_repo import MAX_PACKS
from pbem.store.repack import count_packs
from tests.month.promises import Promise
from tests.year.sim import DAY, Year
from tests.year.sizes import BLOCK

Told = dict[str, Any]
MB = 1_000_000

ROW = 700
"""Octets that a row of the spool may take when the bytes of its letter or mail are gone, on the average: pages stay half
empty then, until others come. In the last month of a year, in which few do, it is 600."""
FILES = 40
"""Files and folders that a game may have beside its packs."""
LEAST = 200_000
"""Octets that may be taken by a file without a row."""
REMEMBERED = 60 * MB
"""How much more memory the daemon may have at the end than after half the time, in octets: what it remembers of
positions and sentences has a bound, which is not reached in the first months of few tables."""


def lived(folder: Path, seed: int, tables: int, months: int, keep: int, *, small: bool = False) -> Year:
    """A year, or a part of one."""
    year = Year(folder, seed, tables, months=months, keep=keep, small=small)
    asyncio.run(year.run())
    return year


def looked_through(year: Year) -> dict[str, Told]:
    """What `pbem fsck` finds in what is left of the year, and `pbem export --all` writes of it; in which time."""
    config = replace(year.config, path=year.folder / "pbem.toml")
    write_settings(config)
    told = {}
    for name, words in (("fsck", ()), ("export", ("--all", "-o", str(year.folder / "export")))):
        began = time.monotonic()
        result = CliRunner().invoke(program, ["--config", str(config.path), name, *words, "--json"])
        seconds = round(time.monotonic() - began, 1)
        told[name] = {"seconds": seconds, "rows": {row["game"]: row for row in json.loads(result.stdout)}}
    return told


def checked(year: Year, told: dict[str, Told]) -> dict[str, Promise]:
    """What is bounded: at the end of each month, and of what is left."""
    found: dict[str, Promise] = defaultdict(Promise)
    for name, row in told["fsck"]["rows"].items():
        found["fsck_finds_nothing"].of(row["sound"], f"{name}: {row['findings']}")
    for name, since in sorted(year.ended.items()):
        row = told["export"]["rows"].get(name, {})
        view = "public" if name in year.abandoned else "full"
        found["every_ended_game_is_there"].of(row.get("file") and row["view"] == view, f"{name}: {row}")
        packs = count_packs(year.config.store / name)
        found["ended_games_are_packed"].of(packs == 1 or since > year.now - 2 * DAY, f"{name}: {packs} packs")
    for month in year.months_end:
        at, spool, handled = month["until"], month["spool"], month["mailbox"].get("Handled", {"letters": 0})["letters"]
        found["old_bytes_are_forgotten"].of(spool["oldest"] <= year.keep, f"{at}: of {spool['oldest']} days ago")
        rest = spool["octets"] - spool["free"] - spool["letters"] - spool["mails"]
        # The last page of what is kept is not full.
        rest -= spool["kept"] * BLOCK
        found["little_stays_of_a_mail"].of(rest < LEAST + ROW * spool["rows"], f"{at}: {rest} octets, {spool['rows']} rows")
        found["handled_letters_are_removed"].of(handled <= month["young"], f"{at}: {handled}, {month['young']} came since")
        found["no_letter_lies_about"].of(not month["mailbox"]["INBOX"]["letters"], at)
        most = FILES * (month["tables"] + 1) + 2 * MAX_PACKS * (month["tables"] - month["over"] + 1)
        found["files_are_few"].of(month["store"]["files"] < most, f"{at}: {month['store']['files']} files, {most} at most")
    half, last = year.months_end[(len(year.months_end) - 1) // 2]["memory"], year.months_end[-1]["memory"]
    found["memory_does_not_grow"].of(last < half + REMEMBERED, f"{half} octets after half the time, {last} at the end")
    return dict(found)


def report(year: Year, told: dict[str, Told], promises: dict[str, Promise]) -> Told:
    """The year in numbers."""
    kinds = [name.rpartition("-")[0] for name in year.ended]
    return {
        "seed": year.seed,
        "tables": year.games,
        "ended": {kind: kinds.count(kind) for kind in sorted(set(kinds))},
        "days": year.days,
        "kept_for_days": year.keep,
        "people": len(year.people),
        "letters": year.months_end[-1]["letters"],
        "mails": year.months_end[-1]["mails"],
        "fsck_seconds": told["fsck"]["seconds"],
        "export_seconds": told["export"]["seconds"],
        "promises": {name: {"held": not one.broken, "counted": one.counted} for name, one in promises.items()},
        "months": year.months_end,
    }


def _of(*path: str) -> Callable[[Told], float]:
    def found(month: Told) -> float:
        value: Any = month
        for word in path:
            value = value.get(word, {})
        return float(value or 0)

    return found


PANELS: tuple[tuple[str, str, float, dict[str, Callable[[Told], float]]], ...] = (
    ("Tables", "", 1, {"opened": _of("tables"), "ended": _of("over"), "going on": lambda m: m["tables"] - m["over"]}),
    ("Letters and mails a month", "", 1, {"letters": _of("letters_this"), "mails": _of("mails_this")}),
    ("Games", "MB on the disk", MB, {"all": _of("store", "on_disk"), "octets": _of("store", "octets")}),
    ("Files of the games", "", 1, {"files and folders": _of("store", "files"), "packs": _of("packs")}),
    (
        "Spool", "MB", MB,
        {
            "file": _of("spool", "octets"), "mails in it": _of("spool", "mails"),
            "letters": _of("spool", "letters"),
        },
    ),
    ("Words, backup", "MB", MB, {"words": _of("words"), "backup": _of("backup", "on_disk")}),
    (
        "Mailbox", "letters", 1,
        {"Handled": _of("mailbox", "Handled", "letters"), "Quarantine": _of("mailbox", "Quarantine", "letters")},
    ),
    ("Memory of the daemon", "MB", MB, {"in the memory": _of("memory")}),
)  # fmt: skip


def picture(told: Told) -> Figure:
    """The months as a chart, two panels in a row."""
    months = range(1, len(told["months"]) + 1)
    sheet = Figure(figsize=(9, 11), layout="constrained")
    sheet.suptitle(f"{told['tables']} tables in {len(months)} months, by month")
    for axes, (title, unit, of, lines) in zip(sheet.subplots(-(-len(PANELS) // 2), 2).flat, PANELS, strict=True):
        for name, get in lines.items():
            axes.plot(months, [get(month) / of for month in told["months"]], marker=".", label=name)
        axes.set(title=", ".join(filter(None, (title, unit))), xticks=months)
        axes.set_ylim(bottom=0)
        axes.legend()
    return sheet


def main() -> int:
    parser = argparse.ArgumentParser(prog="make year")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--months", type=int, default=12)
    parser.add_argument("--keep", type=int, default=60, help="days for which old bytes and handled letters stay [60]")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--chart", type=Path, help="write the months to this file (SVG)")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    # An end in order: what was written goes, too, and the host's process with it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as folder:
        year = lived(Path(folder), given.seed, given.tables, given.months, given.keep)
        found = looked_through(year)
        promises = checked(year, found)
    told = report(year, found, promises)
    if given.chart:
        picture(told).savefig(given.chart)
    if given.json:
        print(json.dumps(told, indent=2))
    else:
        _print(told)
    for name, one in promises.items():
        for says in one.broken[:10]:
            print(f"{name}: {says}", file=sys.stderr)
    return int(any(one.broken for one in promises.values()))


COLUMNS: dict[str, tuple[float, Callable[[Told], float]]] = {
    "tables": (1, _of("tables")), "ended": (1, _of("over")), "letters": (1, _of("letters_this")),
    "games MB": (MB, _of("store", "on_disk")), "files": (1, _of("store", "files")), "packs": (1, _of("packs")),
    "spool MB": (MB, _of("spool", "octets")), "rows": (1, _of("spool", "rows")), "words MB": (MB, _of("words")),
    "handled": (1, _of("mailbox", "Handled", "letters")), "backup MB": (MB, _of("backup", "on_disk")),
    "memory MB": (MB, _of("memory")), "log MB": (MB, _of("log")), "seconds": (1, _of("seconds")),
}  # fmt: skip


def _print(told: Told) -> None:
    print("month", *(f"{name:>9}" for name in COLUMNS))
    for n, month in enumerate(told["months"], 1):
        cells = (get(month) / of for of, get in COLUMNS.values())
        print(f"{n:5}", *(f"{one:9.1f}" if one % 1 else f"{one:9.0f}" for one in cells))
    for name, value in told.items():
        if name not in ("months", "promises"):
            print(f"{name:16} {value}")
    for name, one in told["promises"].items():
        print(f"{'held' if one['held'] else 'BROKEN':7} {name} ({one['counted']})")


if __name__ == "__main__":
    sys.exit(main())
