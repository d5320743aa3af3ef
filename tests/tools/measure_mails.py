"""What a mail costs its reader and the host: words, lines, bytes, over whole games (`python -m tests.tools.measure_mails`).

Every seat answers the first of the choices, now and then the second, or with a slip of the finger; nothing here passes
or fails. Each mail is made once more as text alone, so that one run tells what its HTML part costs. Screens are what
stands above the choices of the text part on a phone: lines of `ACROSS` letters, `SCREEN` of them at once.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tempfile
import time
from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import Any

from pbem.inbound.body_text import unflow
from tests.whole.room import Hall

GAMES: dict[str, tuple[str, int, dict[str, str]]] = {
    "base, 3 players": ("troyes", 3, {}),
    "base with bonus cards, 3 players": ("troyes", 3, {"bonus": "yes"}),
    "all of the Ladies, 3 players": ("troyes", 3, {"bonus": "yes", "ladies": "all"}),
    "solo": ("troyes", 1, {}),
    "dice, 3 players": ("troyes-dice", 3, {"expansion": "yes"}),
}


ACROSS, SCREEN = 47, 32
"""Letters in a line and lines on a screen of 390 by 844 pixels, less the program's own bars, at 15 pixels a letter."""

SLIPS = ("passs", "activate nobody with R6", "yelow 3: nothing", "counter with everything I have")
"""Letters that are refused."""


def play(
    folder: Path, kind: str, players: int, options: dict[str, str], seed: int = 1, slips: float = 0, plain: bool = False,
    letters: int = 600,
) -> tuple[Hall, float, int]:  # fmt: skip
    """A whole game by mail or its first letters, what they cost in seconds of CPU, and how many they were.

    `slips` is the share of answers before which a letter goes that is refused; `plain` asks for text alone.
    """
    hall, rng, spent, count = Hall(folder, kind), random.Random(seed), 0.0, 0
    hall.seat_all(players, seed=bytes([seed]) * 32, options=options)
    if plain:
        for row in hall.stored(hall.table).table.seats:
            hall.send(row.seat, "mail text")
            hall.send(row.seat, "mail short")
    while (seat := hall.asked()) is not None and count < letters:
        if slips and rng.random() < slips:
            hall.send(seat, rng.choice(SLIPS))
        raw = hall.write(seat, "1" if rng.random() < 0.85 else "2")
        began = time.process_time()
        hall.post(raw)
        spent += time.process_time() - began
        count += 1
        while (waiting := [asked for asked in hall.rules.waiting(hall.position()) if not asked.answered]) and (
            waiting[0].seat != hall.asked()
        ):
            hall.send(waiting[0].seat, "1")
    return hall, spent, count


def figures(values: list[float]) -> str:
    """Median, nine tenths, most; with a decimal where they are small."""
    ordered = sorted(values)
    three = statistics.median(ordered), ordered[len(ordered) * 9 // 10], ordered[-1]
    return "".join(f"{value:7.{1 if ordered[-1] < 10 else 0}f}" for value in three)


def above(words: str) -> int:
    """Lines on a phone above the first choice."""
    lines = words[: at.start()].splitlines() if (at := re.search(r"^\[1\] ", words, re.MULTILINE)) else []
    return sum(max(1, -(-len(line) // ACROSS)) for line in lines)


def measure(name: str, kind: str, players: int, options: dict[str, str], seeds: range) -> None:
    """One table of figures."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    spent, letters = {False: 0.0, True: 0.0}, {False: 0, True: 0}
    for seed, plain in product(seeds, (False, True)):
        with tempfile.TemporaryDirectory() as folder:
            hall, seconds, number = play(Path(folder), kind, players, options, seed, slips=0.1, plain=plain)
            spent[plain], letters[plain] = spent[plain] + seconds, letters[plain] + number
            for got in hall.mails():
                words = words_of(got)
                choices = re.search(r"^\[1\] ", words, re.MULTILINE)
                row = found["turn" if got.kind == "receipt" and choices else got.kind]
                page = got.message.get_body(("html",))
                if plain:
                    if page is None:
                        row["kB as text alone"].append(len(got.raw) / 1000)
                    continue
                row["words"].append(sum(any(map(str.isalnum, word)) for word in words.split()))
                row["lines"].append(sum(bool(line.strip()) for line in words.splitlines()))
                if choices:
                    row["screens"].append(above(words) / SCREEN)
                row["kB"].append(len(got.raw) / 1000)
                row["kB of HTML"].append(len(str(page.get_content()).encode()) / 1000 if page is not None else 0)
    both, alone = (spent[plain] / letters[plain] * 1000 for plain in (False, True))
    print(f"\n{name}: {letters[False]} letters, {both:.0f} ms of CPU each, {alone:.0f} as text alone (median, nine tenths, most)")
    for sort, row in sorted(found.items()):
        print(f"  {sort:<11}{len(row['words']):5}", *(f"  {what}{figures(values)}" for what, values in row.items() if values))


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
