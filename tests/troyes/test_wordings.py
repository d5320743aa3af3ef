"""Lines that are no order, or not one alone: refused or asked back, never played (tests/wordings/troyes-traps.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.chance import SeededChance
from engine.errors import OrderRefused
from engine.game import Seat, find_game
from engine.troyes.cases import lay_out_table
from engine.troyes.state.troyes_state import OpenQuestion, TroyesState

GAME = find_game("troyes")
ANNA = Seat("anna")
SHEET: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[1] / "wordings" / "troyes-traps.toml").read_text(encoding="utf-8")
)
FRAMES: dict[str, dict[str, Any]] = {
    "turn": {"step": "turns", "seat": "anna"},
    "counter": {"step": "counter", "seat": "anna"},
    "settle": {"step": "settle", "turn": 0},
    "support": {"step": "support", "event": "support"},
    "give": {"step": "sealed", "event": "possession"},
    "discard": {"step": "sealed", "event": "harsh_winter"},
    "release": {"step": "free", "seat": "anna", "left": 1},
    "target": {"step": "archery", "seat": "anna", "card": "archer", "left": 1, "targets": []},
    "react": {"step": "reactions", "tile": "gain_influence_when_bought", "left": ["anna"]},
}
"""What lies on the agenda while the seat is asked."""


@cache
def position(name: str, asked: str) -> TroyesState:
    """A position of the sheet, with Anna asked."""
    at = SHEET["at"][name]
    state = lay_out_table({"position": at["position"]}, {"action": [], **at["facts"]})
    state.agenda = [{"step": "course", "next": "end of round"}, FRAMES.get(asked, {"step": asked})]
    state.black = list(at.get("black", ()))
    state.asked = [OpenQuestion("anna", asked, 1)]
    return state


def traps() -> Iterator[tuple[str, str, str]]:
    for asked, rows in SHEET.items():
        yield from ((rows["in"], rows.get("asked", asked), line) for line in rows.get("lines", ()))


@pytest.mark.parametrize(("name", "asked", "line"), list(traps()), ids=str)
def test_no_trap_is_played(name: str, asked: str, line: str) -> None:
    """Negated, conditional, of two minds, somebody else's die unnamed."""
    state = position(name, asked)
    with pytest.raises(OrderRefused):
        GAME.apply(state, ANNA, GAME.read(state, ANNA, line).order, SeededChance(b"", [], ""))


def test_there_are_enough_traps() -> None:
    assert len(list(traps())) >= 200
