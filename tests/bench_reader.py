"""Reads letters for `tests.bench_reading`, in whatever checkout this program is told to import.

Run as a program it takes jobs as lines of JSON and answers each with one: `place` lays a position out by playing a
game to it, `read` opens letters and understands them there, and tells for each the seconds of a processor and whether
it plays. Nothing is stored. Only what every checkout has may be imported here; what they call otherwise is `_reading`'s.
"""

from __future__ import annotations

import base64
import gc
import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import engine
from engine.chance import Derived
from engine.game import Seat, find
from engine.troyes.cases import lay
from engine.troyes.entries import Play
from engine.troyes.phases import conduct
from pbem.inbound.letter import Letter, open_letter
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Secrets, Status, Table

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

Place = tuple[Any, Table, Any, str]
"""A game, its table, its position, and the seat that is asked."""


def _reading() -> Callable[[Place, Letter], bool]:
    """What reads a letter at a place as the desk does, and tells whether it plays anything."""
    if find_spec("pbem.desk.plainly") is None:
        return _first
    interpret: Any = import_module("pbem.desk.plainly").interpret
    context: Any = import_module("pbem.desk.context").Context
    request: Any = import_module("pbem.desk.request").Request

    def now(place: Place, letter: Letter) -> bool:
        game, table, state, seat = place
        at = context(game=game, stored=Stored(table, Secrets("ab" * 32)), state=state)
        lines = {"lines": letter.lines, "written": letter.raw_lines, "signed": (table.seat(seat).name,)}
        return bool(interpret(request(context=at, seat=Seat(seat), **lines)).plays)

    return now


def _first(place: Place, letter: Letter) -> bool:
    """The same in the first version."""
    game, table, state, seat = place
    asked: Any = import_module("pbem.desk.request")
    names = {Seat(row.seat): row.name for row in table.seats}
    chance = Derived(bytes.fromhex("ab" * 32), [], table.game)
    known = (game, Seat(seat), names, state, chance, 1, 1, False, (), (), lambda mark: None, lambda wanted: ())
    hearing = asked.Hearing(*known, (names[Seat(seat)],))
    return bool(import_module("pbem.desk.orders.letter").judge(hearing, letter.lines, letter.raw_lines).played)


class Reader:
    """Positions, and letters read in them."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.hear = _reading()

    def do(self, job: dict[str, Any]) -> Any:
        """One job's answer."""
        jobs: dict[str, Callable[..., Any]] = {"place": self.place, "lay": self.lay, "read": self.read, "where": self.where}
        return jobs[job.pop("do")](**job)

    def where(self) -> str:
        """What is imported here."""
        return str(Path(engine.__file__).parent.parent)

    def place(self, kind: str, names: list[str], options: dict[str, str], seed: str, orders: list[list[str]]) -> str:
        """Play orders, each of a seat, from the beginning; whose turn it is then."""
        rules, seats = find(kind), {Seat(name.lower()): name for name in names}
        chance = Derived(bytes.fromhex(seed), [], "people")
        state = rules.start(seats, rules.settle_options(len(names), options), chance).state
        for seat, text in orders:
            state = rules.apply(state, Seat(seat), rules.read(state, Seat(seat), text).order, chance).state
        return self._asked(kind, names, state)

    def lay(self, facts: dict[str, Any]) -> str:
        """A position of Troyes as a rule test lays it out."""
        state = lay(facts, facts)
        state.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": facts["turn"]}]
        state = conduct.advance(Play(state, Derived(b"", [], "people"))).state
        return self._asked("troyes", [seat.title() for seat in state.names], state)

    def _asked(self, kind: str, names: list[str], state: Any) -> str:
        rules = find(kind)
        seat = next(asked.seat for asked in rules.waiting(state) if not asked.answered)
        rows = tuple(SeatRow(name.lower(), name) for name in names)
        table = Table("game-1", kind, Status.RUNNING, "0", 1, {}, rows, AT, AT, decisions=1)
        self.places.append((rules, table, state, seat))
        return seat

    def read(self, letters: list[tuple[int, str]]) -> list[tuple[float, bool]]:
        """The seconds that each letter takes, at its position, and whether it plays."""
        gc.collect()
        return [self._spent(at, base64.b64decode(raw)) for at, raw in letters]

    def _spent(self, at: int, raw: bytes) -> tuple[float, bool]:
        began = time.process_time()
        letter = open_letter(raw)
        plays = letter.trouble is None and self.hear(self.places[at], letter)
        return time.process_time() - began, plays


def main() -> None:
    """Do jobs until there are no more."""
    reader = Reader()
    for line in sys.stdin:
        print(json.dumps(reader.do(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
