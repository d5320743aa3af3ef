"""What it costs to read a letter, beside another checkout: `python -m tests.bench.reading --beside PATH`.

Both read the same letters at the same positions in turn, each in its own process and with its own `.venv`: a number, the
orders and the lines of the natural sheets, talk, and orders that no checkout plays there. Told are milliseconds of a processor
for what becomes of a letter, from its opened lines to the answer that is not written yet. No letter is read twice.

With `--serve` it is the process that reads: it may import only what every checkout has.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pbem.desk.desk
from engine.game import find
from pbem.desk.context import Context
from pbem.desk.result import Result
from pbem.desk.services import Services
from pbem.host.keys import Keys
from pbem.host.people import People
from pbem.inbound.letter import open_letter
from pbem.moderation.opening import Invited, Opening, open_table
from pbem.outbound.render import Host, Renderer
from pbem.router import Router
from pbem.store.games import GameStore
from pbem.store.spool import Spool

SHEETS = Path(__file__).parents[1] / "wordings"
OWN = "games@bench.test"
NAMES = ("Anna", "Faye", "Geoffrey", "Emily")
WARM = "the first letter"
"""Its figure is not told: it pays for what is kept of a position."""
NUMBER, ORDER, WORDS, TALK, REFUSED = KINDS = "a number", "an order", "an order in one's own words", "talk", "a refused order"


class Read(BaseException):
    """A letter is read: nothing of it is to be stored. No handler of errors may hold it up."""


class Table:
    """The desk of a table at one position, which keeps nothing of what it reads."""

    def __init__(self, folder: Path, kind: str, players: int, options: dict[str, str], game: Any, hidden: Any) -> None:
        self.time, self.spent, self.plays = datetime(2026, 11, 20, 12, tzinfo=UTC), 0.0, False
        rules = find(kind)
        services = Services(
            store=GameStore(folder / "games"), spool=Spool(folder / "mail"), people=People(folder / "mail"),
            renderer=Renderer(Host(OWN, True)), keys=Keys(bytes(32)), clock=lambda: self.time, find=find, moderator="mod@bench.test",
        )  # fmt: skip
        self.desk = pbem.desk.desk.Desk(services)
        people = tuple(Invited(name, (f"{name.lower()}@bench.test",)) for name in NAMES[:players])
        name = open_table(self.desk, Opening(kind, people, now=True, seed=bytes(32), options=options)).table.game
        state = rules.load(game, hidden)
        self.desk.change(name, "laid out", lambda at: Result(what="laid", says="laid", stored=at.stored, state=state, shows=True))
        seat = next(asked.seat for asked in rules.waiting(state) if not asked.answered)
        self.row = next(row for row in reversed(services.spool.rows()) if row.seat == seat)
        self.mail = message_from_bytes(services.spool.raw(self.row.message_id))
        self.answer: Callable[[Any], Result] = pbem.desk.desk.answer  # type: ignore[attr-defined]
        pbem.desk.desk.answer = self.timed  # type: ignore[attr-defined]
        self.desk.commit = self.stop  # type: ignore[method-assign]

    def timed(self, request: Any) -> Result:
        """What becomes of a letter, and how long that takes."""
        began = time.process_time()
        result = self.answer(request)
        self.spent, self.plays = time.process_time() - began, bool(result.plays)
        return result

    def stop(self, context: Context, result: Result, *_: Any, **__: Any) -> Any:
        """In place of the commit."""
        raise Read

    def read(self, text: str) -> tuple[float, bool]:
        """The seconds that an answer with this text takes, and whether it plays."""
        # A day later each time: budgets are no matter of reading.
        self.time, self.spent, self.plays = self.time + timedelta(days=1), 0.0, False
        letter = EmailMessage()
        letter["From"], letter["To"] = self.row.rcpt, self.mail["Reply-To"]
        letter["Message-ID"], letter["In-Reply-To"] = f"<{self.time.timestamp()}@bench.test>", self.mail["Message-ID"]
        letter.set_content(text)
        try:
            Router(self.desk).handle(open_letter(letter.as_bytes(), frozenset({OWN})))
        except Read:
            return self.spent, self.plays
        raise AssertionError(f"not read: {text}")


def serve() -> None:
    """Read what comes as lines of JSON, a position and its letters, and tell of each what it takes."""
    print(json.dumps(str(Path(pbem.desk.desk.__file__).parents[2])), flush=True)
    answer = pbem.desk.desk.answer  # type: ignore[attr-defined]
    for line in sys.stdin:
        job = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            table = Table(Path(folder), **job["position"])
            gc.collect()
            gc.disable()
            print(json.dumps([table.read(text) for text in job["letters"]]), flush=True)
            gc.enable()
            table.desk.services.spool.close()
            pbem.desk.desk.answer = answer  # type: ignore[attr-defined]


class Checkout:
    """A tree of files, with a reader at work in it."""

    def __init__(self, folder: Path) -> None:
        environ = {**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "1"}
        python = folder / ".venv" / "bin" / "python"
        self._process = subprocess.Popen(
            [python, __file__, "--serve"], env=environ, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if Path(self._told()) != folder:
            raise RuntimeError(f"{python} does not import from {folder}")

    def _told(self) -> Any:
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise RuntimeError("the reader has ended")
        return json.loads(line)

    def read(self, job: dict[str, Any]) -> list[tuple[float, bool]]:
        """What each letter of a job takes. Raises RuntimeError where it ended in an error."""
        assert self._process.stdin is not None
        print(json.dumps(job), file=self._process.stdin, flush=True)
        return [(seconds, plays) for seconds, plays in self._told()]

    def close(self) -> None:
        """End the reader."""
        self._process.communicate()


def letters(rng: random.Random) -> list[tuple[dict[str, Any], list[tuple[str, str]]]]:
    """The positions of the natural sheets, each with its letters and their kinds."""
    positions = json.loads((SHEETS / "mailed.json").read_text(encoding="utf-8"))
    natural, talk = ([mail for path in sorted(SHEETS.glob(form)) for mail in _mails(path)] for form in ("natural-*.toml", "talk*.toml"))
    said = [line for mail in talk for line in mail["traps"]]
    found = []
    for mail in natural:
        position, pairs = positions[mail["at"]], mail["en"] + mail["fr"]
        orders = dict.fromkeys(order for _, order in pairs if " / " not in order)
        others = [one for other in natural if positions[other["at"]]["kind"] == position["kind"] for _, one in other["en"] if one not in orders]
        texts = dict.fromkeys(orders, ORDER) | {line: WORDS for line, _ in pairs} | dict.fromkeys(rng.sample(said, 20), TALK)
        texts |= dict.fromkeys(rng.sample(others, 12), REFUSED) | {str(number): NUMBER for number in (1, 2, 3)}
        found.append((position, [(WARM, "status"), *((kind, text) for text, kind in texts.items())]))
    rng.shuffle(found)
    return found


def _mails(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["mail"]
    return [{"at": row.get("name"), **row} for row in rows]


def read(*folders: Path) -> None:
    """Print a line a game and kind of letter: the checkouts in turn, and how the last compares with the first."""
    checkouts = [Checkout(folder.resolve()) for folder in folders]
    found: dict[tuple[str, str], list[list[float]]] = {}
    warm = set[str]()
    for at, (position, texts) in enumerate(letters(random.Random(1))):
        job = {"position": position, "letters": [text for _, text in texts]}
        spent = {checkout: checkout.read(job) for checkout in (checkouts if at % 2 else checkouts[::-1])}
        for (kind, _), *each in zip(texts, *(spent[checkout] for checkout in checkouts), strict=True):
            # The first position of a game fills what is kept for good: words, patterns, tables.
            if position["kind"] in warm and kind != WARM and not (kind == REFUSED and any(plays for _, plays in each)):
                found.setdefault((position["kind"], kind), []).append([seconds for seconds, _ in each])
        warm.add(position["kind"])
    for game in sorted(warm):
        for kind in KINDS:
            rows = found[game, kind]
            means = [1e3 * sum(row) / len(row) for row in zip(*rows, strict=True)]
            compared = f", ratio {means[-1] / means[0]:.2f}" if len(means) > 1 else ""
            print(f"{game + ', ' + kind:40} {' → '.join(f'{mean:6.2f}' for mean in means)} ms{compared} ({len(rows)} letters)", flush=True)
    for checkout in checkouts:
        checkout.close()


def main() -> None:
    """Read for the other process, or measure this checkout beside another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path, action="append", default=[], help="another checkout, which has a .venv: what was before")
    parser.add_argument("--serve", action="store_true", help="be the process that reads")
    given = parser.parse_args()
    if given.serve:
        serve()
    else:
        read(*given.beside, Path(__file__).parents[2])


if __name__ == "__main__":
    main()
