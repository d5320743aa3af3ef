"""Whole games of Troyes Dice by real mail, as the command line plays them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.demo.game_report import serial_waits
from pbem.store.commit_record import read_records
from pbem.store.game_store import GameStore


def demo(folder: Path, *words: str) -> dict[str, Any]:
    result = CliRunner().invoke(
        main, ["demo", "--game", "troyes-dice", "--seed", "7", "--dir", str(folder), "--json", *words]
    )
    assert 0 == result.exit_code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(
    ("players", "more"),
    [
        (1, ("--expansion",)),
        (3, ("--numbering", "crier")),
        *(pytest.param(*row, marks=pytest.mark.soak) for row in ((1, ()), (3, ()), (3, ("--expansion", "--numbering", "crier")))),
    ],
)
def test_a_demo_plays_to_the_end(tmp_path: Path, players: int, more: tuple[str, ...]) -> None:
    """Totals are the sums of their components, and the winners have the best."""
    told = demo(tmp_path, "--players", str(players), *more)
    assert ("troyes-dice", 8, 0) == (told["kind"], told["rounds"], told["refusals"])
    assert ("yes" if "--expansion" in more else "no") == told["options"]["expansion"]
    assert players == len(told["scores"])
    for row in told["scores"].values():
        assert ["characters", "resources", "citizens"] == list(row["components"])
        assert sum(row["components"].values()) == row["total"]
    best = max(row["total"] for row in told["scores"].values())
    assert told["winners"] == [seat for seat, row in told["scores"].items() if row["total"] == best]
    numberings = 1 if "crier" in more else 0
    assert told["letters_in"] <= players + 16 * players + numberings
    assert told["commits"] == told["letters_in"] + 1


@pytest.mark.parametrize("players", [2, *(pytest.param(players, marks=pytest.mark.soak) for players in (4, 10))])
def test_players_are_sixteen_letters_each_and_sixteen_waits(tmp_path: Path, players: int) -> None:
    """Beside joining, no letter more, since the computers make the choices of their bonuses at once.

    However many sit there: four and ten in the soak.
    """
    told = demo(tmp_path, "--players", str(players), "--expansion")
    assert players == len(told["mails_per_person"])
    # Who can pay for no die in some half day is not asked in it.
    assert players + 16 * players - 3 <= told["letters_in"] <= players + 16 * players
    assert 16 == told["serial_waits"]
    assert max(told["mails_per_person"].values()) <= 3 + 2 * 16
    chronicle = tuple(read_records(GameStore(Path(told["store"])).open(told["game"])))
    by_seat: dict[str, int] = {}
    for record in chronicle:
        if record.letter is not None and record.entries and record.what != "start":
            by_seat[record.seat] = by_seat.get(record.seat, 0) + 1
    assert set(by_seat.values()) <= {15, 16}
    assert 16 == serial_waits(chronicle)


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    """Though several answer before anybody looks again."""
    one, two = (demo(tmp_path / name, "--players", "2") for name in ("one", "two"))
    told = [
        [
            (record.what, record.seat, record.entries)
            for record in read_records(GameStore(Path(found["store"])).open(found["game"]))
        ]
        for found in (one, two)
    ]
    assert told[0] == told[1]
    assert one["scores"] == two["scores"]
