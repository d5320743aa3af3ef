"""What people write for a half day: the lines of `tests/wordings/dice-*.toml`, which were written before the reader."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.errors import OrderRefused
from engine.troyes_dice.state.dice import laid
from engine.troyes_dice.state.state import DiceState
from tests.dice.games import ANNA, GAME, begin

WORDINGS = Path(__file__).parents[1] / "wordings"
ENOUGH = 0.05
"""How many of the lines must be read as meant."""


def lines(name: str) -> dict[str, dict[str, Any]]:
    """One file of lines, by position."""
    return tomllib.loads((WORDINGS / f"dice-{name}.toml").read_text(encoding="utf-8"))


@cache
def position(name: str) -> DiceState:
    """The position of that name; everybody has done what does least so far."""
    row = lines("positions")[name]
    at = row.get("prestige_at", 0)
    facts = {"track_bonus": {colour: {"prestige_at": at} for colour in ("red", "yellow", "white")}} if at else None
    run = begin(row["players"], row["seed"], facts, **row.get("options", {}))
    while max(run.state.half_day, 0) < row["half_day"]:
        seat = run.open_seats()[0]
        run.order(seat, GAME.write(run.state, seat, GAME.default(run.state, seat), "en"))
    if "given" in row:
        run.order(ANNA, row["given"])
    return run.state


def read(name: str, line: str) -> str | set[str]:
    """The order that is read, or those from which to choose."""
    try:
        return GAME.read(position(name), ANNA, line).text
    except OrderRefused as refused:
        return set(refused.orders)


@pytest.mark.parametrize("language", ["english", "french"])
def test_what_people_write_is_read_as_meant(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Orders: half of what people write is of this kind. Nothing is read as another order than was meant."""
    meant, other, played = 0, [], []
    for name, rows in lines(language).items():
        for line, wanted in rows.items():
            found = read(name, line)
            if found == (set(wanted) if isinstance(wanted, list) else wanted):
                meant += 1
                continue
            other.append(f"{name}: {line!r}: {found}, not {wanted}")
            if isinstance(found, str):
                played.append(line)
    count = meant + len(other)
    with capsys.disabled():
        print(f"\nTroyes Dice, {language}: {meant} of {count} wordings are read as meant ({meant / count:.0%})")
    assert not played
    assert meant >= ENOUGH * count, "\n".join(other)


def test_traps_play_nothing() -> None:
    """Orders: exact words of tables only; nothing is guessed."""
    traps = [(name, line) for name, rows in lines("traps").items() for line in rows["plays_nothing"]]
    played = {line: found for name, line in traps if isinstance(found := read(name, line), str)}
    assert len(traps) >= 50
    assert not played


def test_the_positions_are_as_they_are_told() -> None:
    for name, row in lines("positions").items():
        state = position(name)
        dice = [die.word if die.usable else f"black {die.face} on {die.colour}" for die in laid(state)]
        columns = " ".join(map(str, state.numbering or filter(None, [state.first_number])))
        assert (name, row["columns"], row["dice"]) == (name, columns, dice)
