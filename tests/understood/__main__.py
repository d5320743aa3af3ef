"""`make understood`: how much of what people write is read, and what each part of the reader brings.

A line for each group of a sheet. `first` is read as meant at the first try, in brackets what of it the exact cover brings
(points against a run without it); `one` is that or played by one number, in brackets what the ranking of orders brings
(all that is not read at the first try); `place 1` is the share of what is asked back of which the first number is meant.
Then what was played otherwise than meant, and the share of every outcome. What people ask and tell besides stands last.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from . import asked
from .measure import LETTERS, Rate, rates, run, sheets

FIGURES = ("wrong", "first", "one", "place1")


def said(found: dict[str, Rate], without: dict[str, Rate]) -> str:
    """The figures of one group."""
    outcomes = ", ".join(f"{name} {found[name].share:.0%}" for name in found if name not in FIGURES)
    told = f"wrong {found['wrong'].some}; {outcomes}"
    if "first" not in found:
        return told
    first, one = found["first"].share, found["one"].share
    shares = f"first {first:6.1%} (cover {100 * (first - without['first'].share):+.1f}), one {one:6.1%} (ranking {100 * (one - first):+.1f})"
    return f"{shares}, place 1 {found['place1'].share:4.0%} of {found['place1'].all:3}; {told}"


def main() -> None:
    """Print the table, or (`--json`) the rates as one object; with `--red` each line that is read otherwise than meant."""
    parser = argparse.ArgumentParser(prog="python -m tests.understood", description=__doc__)
    parser.add_argument("sheets", nargs="*", help="names of sheets, or files (ending in .toml); all if none is named")
    parser.add_argument("--positions", type=Path, help="more positions, in the form of mailed.json")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--red", action="store_true", help="name each line that is read otherwise, and how")
    given = parser.parse_args()
    found: dict[str, dict[str, Rate]] = {}
    red: list[dict[str, object]] = []
    # A process for each run: what one of them has kept of a line changes no other.
    with ProcessPoolExecutor(2, max_tasks_per_child=1) as pool:
        names = given.sheets or [*sheets(), LETTERS]
        runs = [[pool.submit(run, name, given.positions, cover) for cover in (True, False)] for name in names]
        for everything, without in runs:
            read, less = everything.result(), rates(without.result())
            red += [one.row() for one in read if one.wrong or (one.meant and not one.right)]
            for name, figures in rates(read).items():
                found[name] = figures
                if not given.json:
                    print(f"{name:32} {figures['wrong'].all:5}: {said(figures, less[name])}", flush=True)
    if not given.sheets:
        heard = list(asked.sayings())
        red += [one.row() for one in heard if one.red]
        found["asked"] = asked.rates(heard)
        if not given.json:
            print("\n".join(f"{name:45} {rate}" for name, rate in found["asked"].items()))
    if given.json:
        shares = {group: {name: round(rate.share, 4) for name, rate in figures.items()} for group, figures in found.items()}
        print(json.dumps({"rates": shares, "red": red}, ensure_ascii=False))
    elif given.red:
        print("\n".join(json.dumps(one, ensure_ascii=False) for one in red))


if __name__ == "__main__":
    main()
