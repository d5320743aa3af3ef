"""Repairs know no rules: they work on whatever game the post room finds, a made-up one included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import game as games
from engine.game import AnyGame
from pbem.admin.actions import position_values, rollback, seat_holders
from pbem.admin.admin_action import BoundAction
from pbem.desk.core.undo import replay_records
from pbem.export.verify_export import Verification, verify_game
from pbem.store.commit_record import read_records
from tests.desk.room import Room
from tests.fakegame import GAME as TALLY
from tests.fakegame import find as tally
from tests.whole.room import Hall

KINDS = {
    "tally": {},
    "troyes": {},
    "troyes with the Ladies": {"ladies": "all"},
    "troyes-dice": {},
    "troyes-dice with its expansion": {"expansion": "yes"},
}
"""Every game there is, with the options that bring in more of it."""


class Table:
    """A table of any game with two people and six letters played."""

    def __init__(self, folder: Path, name: str) -> None:
        kind, options = name.partition(" ")[0], KINDS[name]
        self.rules: AnyGame = TALLY if kind == "tally" else games.find_game(kind)
        self.room: Room = Room(folder) if kind == "tally" else Hall(folder, kind)
        self.name = self.room.open(2) if kind == "tally" else self.room.seat_all(2, options=options)  # type: ignore[attr-defined]
        self.play(6)

    @property
    def state(self) -> Any:
        stored = self.room.stored(self.name)
        return self.rules.load(stored.game, stored.hidden)

    def play(self, letters: int) -> None:
        for _ in range(letters):
            waiting = [one for one in self.rules.waiting(self.state) if not one.answered]
            if waiting:
                self.room.send(waiting[0].seat, "1")

    def repair(self, action: BoundAction) -> None:
        self.room.desk.change(self.name, "a repair", action)

    def folds(self) -> bool:
        stored = self.room.stored(self.name)
        folded = replay_records(self.rules, read_records(self.room.store.open(self.name)))
        return self.rules.dump(folded) == (stored.game, stored.hidden)


def test_no_game_is_forgotten() -> None:
    assert {"tally", *games.games()} == {name.partition(" ")[0] for name in KINDS}


@pytest.fixture(params=list(KINDS))
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return Table(tmp_path, str(request.param))


def proof(table: Table) -> Verification:
    find = tally if table.rules is TALLY else games.find_game
    return verify_game(table.room.store.open(table.name), True, find)


def test_back_and_forward(table: Table) -> None:
    before = table.rules.view(table.state, None)
    table.repair(rollback.rollback("3", "a slip"))
    assert table.folds()
    table.repair(rollback.rollforward("it was right"))
    assert before == table.rules.view(table.state, None)
    assert table.folds()
    assert proof(table).holds


def test_something_can_be_set(table: Table) -> None:
    """At least one value of every game can be raised by one without breaking a law."""
    state = table.state
    for path, value in table.rules.moderation.settable(state).items():
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        entry = table.rules.moderation.change(state, path, value + 1)
        if not table.rules.moderation.violations(table.rules.fold(state, [entry])):
            break
    else:
        pytest.fail("nothing can be set")
    table.repair(position_values.set_value(path, "+1", "a slip"))
    assert value + 1 == table.rules.moderation.settable(table.state)[path]
    assert table.folds()


def test_a_computer_takes_a_seat_and_the_game_goes_on_to_its_end(table: Table) -> None:
    table.repair(seat_holders.computer("bob" if table.rules is TALLY else "faye", "on holiday", level="novice"))
    for _ in range(400):
        if table.rules.result(table.state) is not None:
            break
        table.play(1)
    assert "ended" == str(table.room.stored(table.name).table.status)
    assert table.folds()
