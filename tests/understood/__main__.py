"""`make understood`: how much of what people write is read, and with ARGS=--red each letter that is not.

Orders first, then what people ask and tell besides (`asked`)."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from . import asked
from .measure import Tried, letters_and_traps, rates


def main() -> None:
    """Print the rates, as lines or (`--json`) as one object; with `--red` what is read otherwise than it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.understood", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--red", action="store_true", help="name each letter that is read otherwise, and how")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tried = letters_and_traps(Path(folder))
    said = [one for sheet in asked.SHEETS for one in asked.sayings(sheet)]
    found = {**rates(tried), **asked.rates(said)}
    for sheet in asked.UNMENDED:
        unmended = list(asked.sayings(sheet))
        found |= {name: rate for name, rate in asked.rates(unmended, sheet).items() if rate.all}
        said += unmended
    red = [*(_row(one) for one in tried if not one.right), *(one.row() for one in said if one.red)]
    if given.json:
        rows = {
            name: {"some": rate.some, "all": rate.all, "share": round(rate.share, 4)} for name, rate in found.items()
        }
        print(json.dumps({"rates": rows, "red": red}, ensure_ascii=False))
        return
    if given.red:
        for one in red:
            print(json.dumps(one, ensure_ascii=False))
    for name, rate in found.items():
        print(f"{name:45} {rate}")


def _row(one: Tried) -> dict[str, object]:
    return {
        "part": one.part,
        "name": one.name,
        "wanted": {
            key: one.wanted[key] for key in ("outcome", "orders", "among", "choice", "talk") if one.wanted.get(key)
        },
        "outcome": one.read.outcome,
        "orders": one.read.orders,
        "choices": one.read.choices,
        "says": one.read.says,
    }


if __name__ == "__main__":
    main()
