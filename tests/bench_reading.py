"""What it costs to read a letter, beside another checkout: `python -m tests.bench_reading --beside PATH`.

Both read the same letters at the same positions in turn, each in its own process and with its own `.venv`; every round
has other positions and other words, so that nothing is remembered from the round before. Told are milliseconds of a
processor for a letter of each kind, and how they compare; at last for those that the first of them plays, and the rest.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import re
import subprocess
import textwrap
import tomllib
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import chain, cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

from engine.chance import Derived
from engine.game import Seat, find
from tests.quoting import quote_back
from tests.reading import people

HERE = Path(__file__).parent
FRENCH = ("On ", "J'", "Je ", "Un ")
"""How the French of `people.TALK` begins."""
LONG = "\n\n".join([people.MAIL] * 12)
HUGE = "\n".join(f"{n}: the dice of yesterday, and who has taken them, told at length" for n in range(3000))

Row = tuple[tuple[float, bool], ...]
"""What one letter takes in each checkout, in seconds, and whether it is played there."""


class Checkout:
    """A tree of files, with a reader at work in it."""

    def __init__(self, folder: Path) -> None:
        environ = {**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "1"}
        python, reader = folder / ".venv" / "bin" / "python", HERE / "bench_reader.py"
        self._process = subprocess.Popen(
            [python, reader], env=environ, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if Path(self.do("where")) != folder:
            raise RuntimeError(f"{python} does not import from {folder}")

    def do(self, what: str, **job: Any) -> Any:
        """What one job gives. Raises RuntimeError where it ended in an error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": what, **job}), file=self._process.stdin, flush=True)
        if not (line := self._process.stdout.readline()):
            raise RuntimeError(f"the reader has ended while it should {what}")
        return json.loads(line)

    def close(self) -> None:
        """End the reader."""
        self._process.communicate()


def played(rng: random.Random, kind: str, options: dict[str, str]) -> tuple[dict[str, Any], people.Place]:
    """A position on the way through a random game, as a job and as a place."""
    names = people.NAMES[: rng.choice((2, 3, 4))]
    rules, seed = find(kind), rng.randbytes(8)
    chance = Derived(seed, [], "people")
    state = rules.start({Seat(name.lower()): name for name in names}, rules.settle_options(len(names), options), chance).state
    orders: list[tuple[str, str]] = []
    most = rng.randrange(4, 60)
    while True:
        seat = next(asked.seat for asked in rules.waiting(state) if not asked.answered)
        place = people.Place(rules, state, seat, names)
        if len(orders) >= most:
            return {"kind": kind, "names": names, "options": options, "seed": seed.hex(), "orders": orders}, place
        orders.append((seat, place.any_order(rng)))
        state = rules.apply(state, seat, rules.read(state, seat, orders[-1][1]).order, chance).state
        if not rules.waiting(state):
            return played(rng, kind, options)


def letters(rng: random.Random, place: people.Place) -> Iterator[tuple[str, bytes]]:
    """A letter of each kind for a position."""
    order = place.order(rng)
    said = {"en": order, "fr": people.said_in_french(place, order)}
    wish = {"en": "I'd like to {}, please", "fr": "Je voudrais {}, s'il te plaît"}
    around = {"en": "Hi everybody,\n\n{}\n\nBest regards,\nAnna", "fr": "Bonjour à tous,\n\n{}\n\nBien à toi\nAnna"}
    yield "a number under a quotation", quote_back("gmail", people.MAIL, "1", "bottom")
    yield "a number over a long quotation", quote_back("gmail", LONG, "1")
    yield "a number over 200 kB of quotation", quote_back("gmail", HUGE, "1")
    for language, text in said.items():
        yield f"an order, {language}", plain(text)
        yield f"an order as a wish, {language}", plain(wish[language].format(text))
        yield f"an order, greeting, signature, quotation, {language}", quote_back("gmail", people.MAIL, around[language].format(text))
        yield f"an order in HTML alone, {language}", html(around[language].format(text))
        yield f"an order with a slip, {language}", plain(slipped(rng, text))
        talk = [text for text in people.TALK if text.startswith(FRENCH) == (language == "fr")]
        rng.shuffle(talk)
        yield f"talk of two lines, {language}", plain("\n".join(textwrap.wrap(talk[0], 72)))
        lines = islice(cycle(line for text in talk for line in textwrap.wrap(text, 72)), 30)
        yield f"talk of 30 lines, {language}", plain("\n".join(lines))
    yield "an order over talk of 30 lines", plain(f"{order}\n-- \n" + "\n".join(islice(cycle(people.TALK), 30)))


def slipped(rng: random.Random, order: str) -> str:
    """An order with a letter of its longest word left out."""
    word = max(order.split(), key=len)
    at = rng.randrange(1, len(word))
    return order.replace(word, word[:at] + word[at + 1 :], 1)


def plain(text: str, subtype: str = "plain") -> bytes:
    """A letter of one text."""
    message = EmailMessage()
    message["From"] = "anna@home.test"
    message.set_content(text, subtype=subtype, cte="quoted-printable")
    return message.as_bytes()


def html(text: str) -> bytes:
    """A letter of HTML and nothing else."""
    lines = "".join(f"<div>{line or '<br>'}</div>" for line in text.splitlines())
    return plain(f"<html><body>{lines}</body></html>", "html")


def measure(checkouts: list[Checkout], rounds: int, places: int, only: str = "") -> dict[str, list[Row]]:
    """The letters of each kind, read in each checkout."""
    found: dict[str, list[Row]] = {}
    count = 0
    for number in range(rounds + 1):
        # The first round fills what is kept for good: words, patterns, tables.
        rng, batches = random.Random(number), dict[str, list[tuple[int, str]]]()
        for kind, options in people.KINDS:
            for _ in range(places):
                job, place = played(rng, kind, options)
                asked = {checkout.do("place", **job) for checkout in checkouts}
                if asked != {place.seat}:
                    raise RuntimeError("the checkouts play by other rules")
                for name, raw in letters(rng, place):
                    if re.search(only, f"{kind}: {name}"):
                        batches.setdefault(f"{kind}: {name}", []).append((count, base64.b64encode(raw).decode()))
                count += 1
        for name, batch in batches.items():
            turn = checkouts if number % 2 else checkouts[::-1]
            spent = {checkout: checkout.do("read", letters=batch) for checkout in turn}
            if number:
                found.setdefault(name, []).extend(zip(*(spent[checkout] for checkout in checkouts), strict=True))
    return found


def corpus(checkouts: list[Checkout], rounds: int) -> list[Row]:
    """Each letter of tests/letters, read at one table of Troyes: the median of the rounds."""
    facts = tomllib.loads((HERE / "understood" / "tables.toml").read_text(encoding="utf-8"))["troyes"]
    for checkout in checkouts:
        checkout.do("lay", facts=facts)
    raws = [path.read_bytes() for path in sorted((HERE / "letters").glob("*.eml"))]
    batch = [(-1, base64.b64encode(raw).decode()) for raw in raws]
    found: list[list[Row]] = [[checkout.do("read", letters=batch) for checkout in checkouts] for _ in range(rounds)]
    return [
        tuple((median(seconds for seconds, _ in one), one[0][1]) for one in zip(*letter, strict=True))
        for letter in zip(*(zip(*row, strict=True) for row in found), strict=True)
    ]


def tell(name: str, rows: list[Row]) -> None:
    """One line: the mean of a letter in each checkout, and how the first compares with the others."""
    if not rows:
        return
    spent = [[seconds for seconds, _ in row] for row in zip(*rows, strict=True)]
    means = [sum(row) / len(row) * 1e3 for row in spent]
    against = [f"{means[0] / mean:.2f} of {mean:.2f} ms (median {middle(spent[0], row):.2f})" for mean, row in zip(means[1:], spent[1:], strict=True)]
    print(f"{name:<68} {means[0]:7.2f} ms, median {median(spent[0]) * 1e3:6.2f}  {', '.join(against)}  of {len(rows)}", flush=True)


def tell_apart(name: str, rows: list[Row]) -> None:
    """The same of all, of those that the first checkout plays, and of the others."""
    tell(name, rows)
    tell(f"{name}, played", [row for row in rows if row[0][1]])
    tell(f"{name}, refused or asked back", [row for row in rows if not row[0][1]])


def middle(ours: list[float], theirs: list[float]) -> float:
    """The median of how the same letters compare."""
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def read(*folders: Path, rounds: int = 3, places: int = 2, only: str = "") -> None:
    """Print a line a kind of letter, for the first of some checkouts beside the others."""
    checkouts = [Checkout(folder.resolve()) for folder in folders]
    found = measure(checkouts, rounds, places, only)
    for name in sorted(found):
        tell(name, found[name])
    tell_apart("all of these", list(chain.from_iterable(found.values())))
    tell_apart("the letters of tests/letters", corpus(checkouts, rounds))
    for checkout in checkouts:
        checkout.close()


def main() -> None:
    """Print the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, action="append", default=[], help="another checkout, with its own .venv")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--places", type=int, default=2, help="positions of each kind of game a round")
    parser.add_argument("--only", default="", help="the kinds of letters to read, as a regular expression")
    args = parser.parse_args()
    read(HERE.parent, *args.beside, rounds=args.rounds, places=args.places, only=args.only)


if __name__ == "__main__":
    main()
