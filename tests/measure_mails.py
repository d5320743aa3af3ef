"""What a mail costs its reader and the host: words, lines, bytes, over whole games (`python -m tests.measure_mails`).

Every seat answers the first of the choices, now and then the second; nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from pbem.inbound.text import unflow
from tests.whole.room import Hall

GAMES: dict[str, tuple[str, int, dict[str, str]]] = {
    "base, 3 players": ("troyes", 3, {}),
    "base with bonus cards, 3 players": ("troyes", 3, {"bonus": "yes"}),
    "all of the Ladies, 3 players": ("troyes", 3, {"bonus": "yes", "ladies": "all"}),
    "solo": ("troyes", 1, {}),
    "dice, 3 players": ("troyes-dice", 3, {"expansion": "yes"}),
}


def play(folder: Path, kind: str, players: int, options: dict[str, str], seed: int = 1) -> tuple[Hall, float, int]:
    """A whole game by mail, what its letters cost in seconds of CPU, and how many they were."""
    hall, rng, spent, letters = Hall(folder, kind), random.Random(seed), 0.0, 0
    hall.seat_all(players, seed=bytes([seed]) * 32, options=options)
    while (seat := hall.asked()) is not None and letters < 600:
        raw = hall.write(seat, "1" if rng.random() < 0.85 else "2")
        began = time.process_time()
        hall.post(raw)
        spent += time.process_time() - began
        letters += 1
        while (waiting := [asked for asked in hall.rules.waiting(hall.position()) if not asked.answered]) and (
            waiting[0].seat != hall.asked()
        ):
            hall.send(waiting[0].seat, "1")
    return hall, spent, letters


def figures(values: list[float]) -> str:
    """Median, nine tenths, most."""
    ordered = sorted(values)
    return f"{statistics.median(ordered):7.0f}{ordered[len(ordered) * 9 // 10]:7.0f}{ordered[-1]:7.0f}"


def measure(name: str, kind: str, players: int, options: dict[str, str], seeds: range) -> None:
    """One table of figures."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    spent, letters = 0.0, 0
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            hall, seconds, number = play(Path(folder), kind, players, options, seed)
            spent, letters = spent + seconds, letters + number
            for got in hall.mails():
                row = found["turn" if got.kind == "turn" or (re.search(r"^\[1\] ", words_of(got), re.M) and got.kind == "receipt") else got.kind]
                words = words_of(got)
                row["words"].append(sum(any(map(str.isalnum, word)) for word in words.split()))
                row["lines"].append(sum(bool(line.strip()) for line in words.splitlines()))
                row["kB"].append(len(got.raw) / 1000)
                page = got.message.get_body(("html",))
                row["kB of HTML"].append(len(str(page.get_content()).encode()) / 1000 if page is not None else 0)
    print(f"\n{name}: {letters} letters, {spent / letters * 1000:.0f} ms of CPU each (median, nine tenths, most)")
    for sort, row in sorted(found.items()):
        print(f"  {sort:<11}{len(row['words']):5}", *(f"  {what}{figures(values)}" for what, values in row.items()))


def words_of(got: Any) -> str:
    """The text part, a logical line each."""
    body = got.message.get_body(("plain",))
    return "\n".join(unflow(str(body.get_content()).splitlines()))


def main() -> None:
    """Every game of `GAMES`, or those whose names hold the words given."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*")
    options.add_argument("--games", type=int, default=1, help="games of each kind")
    given = options.parse_args()
    for name, (kind, players, chosen) in GAMES.items():
        if not given.names or any(word in name for word in given.names):
            measure(name, kind, players, chosen, range(1, given.games + 1))


if __name__ == "__main__":
    main()
