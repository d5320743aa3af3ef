"""What a commit costs: `python tests/bench_store.py`. Figures depend on the disk; ratios travel better.

Each turn is one commit of a position of about 6 kB with a record of about 2 kB, as the desk makes it.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from store.play import digest, following, letter, made, mails  # noqa: E402

from pbem.store.durable import replace_files  # noqa: E402
from pbem.store.games import GameStore  # noqa: E402
from pbem.store.record import Record  # noqa: E402
from pbem.store.repo import GameRepo  # noqa: E402
from pbem.store.spool import Spool  # noqa: E402
from pbem.store.stored import Stored, keep  # noqa: E402

BULK = 70
FACTS = 28


def median(turn: Callable[[int], object], count: int) -> float:
    """The middle of `count` times, in ms."""
    times = []
    for number in range(count):
        start = time.perf_counter()
        turn(number)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def play(repo: GameRepo, spool: Spool | None, number: int) -> tuple[Stored, Record]:
    raw = letter(number)
    if spool:
        spool.take(raw, digest(raw), 7, number, following(Stored.read(repo), raw)[1].at)
    with repo.lock("bench"):
        stored, record = following(Stored.read(repo), raw, FACTS)
        record = replace(record, number=stored.table.records + 1)
        if spool:
            spool.prepare(repo.name, record, mails(record), repo)
        stored = keep(repo, stored, record, "anna grinds 4")
        if spool:
            spool.committed(repo.name, stored.commit, record)
    return stored, record


def syncs(turns: int) -> tuple[float, float]:
    """fsyncs of one commit and of one whole letter, counted by strace; (0, 0) where there is none."""
    if not shutil.which("strace"):
        return 0, 0
    counts = []
    for spooled in ("", "spool"):
        for number in (1, 1 + turns):
            words = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync,syncfs", sys.executable, __file__, str(number), spooled]
            table = subprocess.run(words, capture_output=True, text=True, check=True).stderr
            counts.append(sum(int(found) for found in re.findall(r"(\d+) +(?:fsync|fdatasync|syncfs)$", table, re.M)))
    return (counts[1] - counts[0]) / turns, (counts[3] - counts[2]) / turns


def main() -> None:
    """Print commits per second, fsyncs per commit, and how that compares with writing one file."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        store, spool = GameStore(root / "games"), Spool(root / "mail")
        repo = made(store, bulk=BULK)
        stored, record = play(repo, spool, 0)
        state, entries = stored.files()["state.toml"], record.to_toml()[0]
        print(f"position {len(state):,} bytes, record {len(entries):,} bytes")
        (root / "plain").mkdir()
        file = median(lambda n: replace_files(root / "plain", {"one": state + entries}, root), 200)
        commit = median(lambda n: play(repo, None, n), 200)
        whole = made(store, "mill-2", BULK)
        spooled = median(lambda n: play(whole, spool, n), 200)
        fresh = median(lambda n: Stored.from_toml(state, stored.files()["secret.toml"]), 50)
        print(f"one file written, fsynced, renamed: {file:.2f} ms")
        print(f"one turn, load to commit:           {commit:.2f} ms, {1000 / commit:.0f}/s, {commit / file:.1f} x the file")
        print(f"one letter, spool included:         {spooled:.2f} ms, {1000 / spooled:.0f}/s, {spooled / file:.1f} x")
        print(f"position parsed afresh:             {fresh:.2f} ms (once per commit that was not ours)")
        start = time.perf_counter()
        repo.pack()
        print(f"packing 200 commits:                {(time.perf_counter() - start) * 1000:.0f} ms")
        late = median(lambda n: play(repo, None, n), 50)
        print(f"one turn after 200, packed:         {late:.2f} ms, {late / commit:.2f} x")
        one, all_of = syncs(20)
        print(f"fsyncs of one commit: {one:g}; of one letter with its spool: {all_of:g}")


def counted(turns: int, spooled: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = made(GameStore(Path(folder) / "games"), bulk=BULK)
        spool = Spool(Path(folder) / "mail")
        for number in range(turns):
            play(repo, spool if spooled else None, number)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        counted(int(sys.argv[1]), bool(sys.argv[2]))
    else:
        main()
