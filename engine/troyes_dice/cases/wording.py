"""Every word that a position of Troyes Dice may hold."""

from __future__ import annotations

from engine.chronicle import Data
from engine.troyes_dice.box.sheet import COLOURS
from engine.troyes_dice.cases.laying import RESOURCE_WORDS, SEATS
from engine.troyes_dice.state.state import SLOTS

DRAWS = ("dice", "plazas", "sides", "banquets", "start", "numbering")
COUNTED = dict.fromkeys(RESOURCE_WORDS, dict.fromkeys(("circled", "spent")))
TILES = {str(slot): dict.fromkeys(("id", "side")) for slot in range(SLOTS)}
SHEET: Data = {**COUNTED, "built": None, "crossed": dict.fromkeys(COLOURS), "citizens": dict.fromkeys(COLOURS)}
WHEEL: Data = {
    **dict.fromkeys(("day", "half", "phase", "numbering", "first_number", "plazas", "tile_backs")),
    "roll": dict.fromkeys(("clear", "black")),
    "tiles": TILES,
}
DEFAULTS: Data = {**WHEEL, **dict.fromkeys(("game", "players", "options", "facts", "turn"))}
"""What a file may say for all of its positions."""


def words_of(facts: Data) -> Data:
    """What a position may say; who sits at the table follows from its `players`."""
    seats = SEATS[: facts.get("players", 1)]
    return {
        **dict.fromkeys(("id", "title", "rule", "depends", "action")),
        **DEFAULTS,
        "position": {**WHEEL, "sheet": dict.fromkeys(seats, SHEET)},
        "scripted": dict.fromkeys(DRAWS),
        "expected": {
            **dict.fromkeys(("result", "slots", "destroyed_slot", "scores", "winner", "achieved")),
            "asks": dict.fromkeys(("seat", "kind", "choices")),
            "delta": {seat: {**COUNTED, "built": None, "citizens": dict.fromkeys(COLOURS)} for seat in seats},
            "after": {
                **WHEEL,
                "sheet": dict.fromkeys(seats, SHEET),
                **{name: dict.fromkeys(seats) for name in ("crossed", "lost", "multipliers")},
            },
        },
    }
