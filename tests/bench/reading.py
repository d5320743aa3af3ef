"""What it costs to read a letter: `python -m tests.bench.reading`, in each of two checkouts that are to be compared.

At each position of the natural sheets letters are read: a number, the orders and the lines of the sheets, talk, and orders
of other positions. Told are milliseconds of a processor for what becomes of a letter, from its opened lines to the answer
that is not written yet. No letter is read twice.
"""

from __future__ import annotations

import gc
import random
import tempfile
import time
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pbem.desk.desk
from pbem.desk.core.result import Result
from tests.understood.mailed import SHEETS, Reader, positions, table

WARM = "the first letter"
"""Its figure is not told: it pays for what is kept of a position."""
NUMBER, ORDER, WORDS, TALK, REFUSED = KINDS = "a number", "an order", "an order in one's own words", "talk", "a refused order"


def timed(reader: Reader, text: str) -> float:
    """The seconds that the desk takes for an answer with this text."""
    answer, spent = pbem.desk.desk.answer_request, list[float]()  # type: ignore[attr-defined]

    def measured(*given: Any) -> Result:
        began = time.process_time()
        result: Result = answer(*given)
        spent.append(time.process_time() - began)
        return result

    with patch.object(pbem.desk.desk, "answer_request", measured):
        reader.read(text)
    # A day later each time: budgets are no matter of reading.
    reader.hall.time += timedelta(days=1)
    return spent[0]


def letters(rng: random.Random) -> list[tuple[str, list[tuple[str, str]]]]:
    """The mails of the natural sheets, each with its letters and their kinds."""
    natural, talk = ([mail for path in sorted(SHEETS.glob(form)) for mail in _mails(path)] for form in ("natural-*.toml", "talk*.toml"))
    said = [line for mail in talk for line in mail["traps"]]
    found = []
    for mail in natural:
        pairs = mail["en"] + mail["fr"]
        orders = dict.fromkeys(order for _, order in pairs if " / " not in order)
        alike = (other for other in natural if kind_of(other["at"]) == kind_of(mail["at"]))
        others = [one for other in alike for _, one in other["en"] if one not in orders]
        texts = dict.fromkeys(orders, ORDER) | {line: WORDS for line, _ in pairs} | dict.fromkeys(rng.sample(said, 20), TALK)
        texts |= dict.fromkeys(rng.sample(others, 12), REFUSED) | {str(number): NUMBER for number in (1, 2, 3)}
        found.append((mail["at"], [(WARM, "status"), *((kind, text) for text, kind in texts.items())]))
    rng.shuffle(found)
    return found


def kind_of(mail: str) -> str:
    """The game of a mail."""
    return str(positions()[mail]["kind"])


def _mails(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["mail"]
    return [{"at": row.get("name"), **row} for row in rows]


def main() -> None:
    """Print a line a game and kind of letter."""
    found: dict[tuple[str, str], list[float]] = {}
    warm = set[str]()
    for at, texts in letters(random.Random(1)):
        with tempfile.TemporaryDirectory() as folder:
            reader, game = Reader(table(Path(folder), at)), kind_of(at)
            gc.collect()
            gc.disable()
            for kind, text in texts:
                seconds = timed(reader, text)
                # The first position of a game fills what is kept for good: words, patterns, tables.
                if game in warm and kind != WARM:
                    found.setdefault((game, kind), []).append(seconds)
            gc.enable()
            warm.add(game)
            reader.hall.spool.close()
    for game in sorted(warm):
        for kind in KINDS:
            rows = found[game, kind]
            print(f"{game + ', ' + kind:40} {1e3 * sum(rows) / len(rows):6.2f} ms ({len(rows)} letters)", flush=True)


if __name__ == "__main__":
    main()
