"""Every word that a position of Troyes may hold."""

from __future__ import annotations

from engine.chronicle import Data
from engine.troyes.cases.laying import COUNTS, SEATS
from engine.troyes.phases.events import EFFECTS
from engine.troyes.state.state import GRAY, LE_ROY

TABLE = ("game", "players", "options", "facts", "depends", "start", "turn", "phase", "round")
DRAWS = ("workforce", "black", "reroll", "archer", "tile", "placement", "le_roy_action", "uprising_seats", *EFFECTS)
BUILDINGS = ("palace", "city_hall", "bishopric")
DECKS = ("activities", "red", "yellow", "white", "unused_red")
LEVELS = ("L1", "L2", "L3", "L4")

DEFAULTS: Data = dict.fromkeys((*TABLE, *COUNTS)) | {"events": [dict.fromkeys(("id", "cubes"))]}
"""What a file may say for all of its positions."""


def words_of(facts: Data) -> Data:
    """What a position may say; who sits at the table follows from its `players` and its `game`."""
    seats = list(SEATS)[: facts.get("players", 4)]
    neutral = LE_ROY if str(facts.get("game", "")).startswith("solo") else GRAY
    owners = [*seats, neutral]
    return {
        **_any("id", "title", "rule", "action"),
        **DEFAULTS,
        "position": _position(seats, owners),
        "scripted": _any(*DRAWS),
        "expected": _expected(owners),
    }


def _any(*words: str) -> Data:
    return dict.fromkeys(words)


def _lying() -> Data:
    return _any(*BUILDINGS, *(building.replace("_", "-") for building in BUILDINGS))


def _tables(owners: list[str]) -> Data:
    """What may stand both before and after."""
    return {
        **_any(*BUILDINGS, "neutrals_in_play", "characters", "arrived", "possessed"),
        **{name: _any(*owners) for name in (*COUNTS, "dice", "passed", "won", "guards")},
        "lying": _lying(),
        "cathedral": _any(*LEVELS),
        "cards": [_any("id", "spaces", "illustration", "cubes")],
        "events": DEFAULTS["events"],
        "outdoor": [_any("id", "cubes")],
        "decks": _any(*DECKS),
    }


def _position(seats: list[str], owners: list[str]) -> Data:
    return _tables(owners) | {"fought": _any(*seats)}


def _expected(owners: list[str]) -> Data:
    return {
        **_any("result", "gone", "round_ends", "scores", "winner", "verdict"),
        "delta": {owner: _any(*COUNTS) for owner in owners},
        "after": _tables(owners) | _any("black", "start"),
        "asks": _any("seat", "kind", "choices"),
    }
