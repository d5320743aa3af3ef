"""The words of a rule position, laid out as a table."""

from __future__ import annotations

from typing import Any

from engine.chronicle import Data
from engine.kit import cases
from engine.kit.words import kebab
from engine.troyes_dice.actions.setup import begins, settle_options
from engine.troyes_dice.box import load_box
from engine.troyes_dice.box.sheet import COLOURS, RESOURCES, ROWS, Sheet
from engine.troyes_dice.entries import begun
from engine.troyes_dice.state.state import MORNING, SLOTS, DiceState, Plaza

SEATS = ("anna", "faye", "geoffrey", "emily", "hugo", "ines", "jules", "karin", "leo", "marie")
GAMES = {"dice": "no", "dice+banquets": "yes"}
RESOURCE_WORDS = {"influence": "influence", "denier": "denier", "deniers": "denier", "knowledge": "knowledge"}


def lay(scenario: Data, facts: Data) -> DiceState:
    """The table of a position; `facts` are the scenario's words over the file's defaults."""
    wanted: Data = {**facts, **scenario.get("position", {})}
    players = {seat: seat.capitalize() for seat in SEATS[: facts.get("players", 1)]}
    options = {"expansion": GAMES[facts.get("game", "dice")], **facts.get("options", {})}
    options = settle_options(len(players), options)
    crier = facts.get("turn", "anna")
    box = load_box(facts.get("facts"))
    state = begun(begins(players, options, cases.chance(), box, crier), box)
    if wanted.get("phase") == "numbering":
        state.first_number = wanted.get("first_number", state.first_number)
        return state
    state.phase = "half day"
    state.day, state.half = wanted.get("day", 1), wanted.get("half", MORNING)
    state.numbering = tuple(wanted.get("numbering", range(1, 7)))
    _lay_plazas(state, wanted)
    for seat, row in wanted.get("sheet", {}).items():
        state.sheets[seat] = lay_sheet(state, row)
    return state


def _lay_plazas(state: DiceState, wanted: Data) -> None:
    """The four plazas in use as the position says; the others without tiles."""
    notches = [Plaza(plaza.up, plaza.down) for plaza in state.notches]
    colours: list[str] = wanted.get("plazas", [state.plaza(slot).up for slot in range(SLOTS)])
    backs: list[str] = wanted.get("tile_backs", colours)
    tiles = {int(slot): tile for slot, tile in wanted.get("tiles", {}).items()}
    for slot, (up, down) in enumerate(zip(colours, backs, strict=True)):
        tile = tiles.get(slot, {})
        id_ = kebab(tile["id"]).replace("-", "_") if tile else ""
        if id_ and id_ not in state.box.banquets:
            raise ValueError(f"no tile is called {tile['id']}")
        notches[state.notch(slot)] = Plaza(up, down, id_, tile.get("side", "banquet") if tile else "")
    state.notches = tuple(notches)


def lay_sheet(state: DiceState, row: Data) -> Sheet:
    """A sheet in the words of a position; what it does not say is as at the start."""
    sheet = Sheet(circled=dict.fromkeys(RESOURCES, state.box.start))
    for word, columns in row.get("built", {}).items():
        sheet.built[_row(word)] = tuple(columns)
    for colour, columns in row.get("crossed", {}).items():
        sheet.crossed[colour] = tuple(columns)
    for word, resource in RESOURCE_WORDS.items():
        if word in row:
            sheet.circled[resource], sheet.spent[resource] = counted(row[word], state.box.start)
    for colour, n in row.get("citizens", {}).items():
        if colour not in COLOURS:
            raise ValueError(f"no citizens are {colour}")
        sheet.citizens[colour] = n
    known = {"built", "crossed", "citizens", *RESOURCE_WORDS}
    if set(row) - known:
        raise ValueError(f"a sheet has no {', '.join(sorted(set(row) - known))}")
    return sheet


def counted(value: Any, start: int) -> tuple[int, int]:
    """Circled and spent of a resource: `{ circled = 5, spent = 2 }`, or just what is circled."""
    if isinstance(value, int):
        return value, 0
    return value.get("circled", start), value.get("spent", 0)


def _row(word: str) -> str:
    found = kebab(word).replace("-", "_")
    if found not in ROWS:
        raise ValueError(f"no buildings are called {word}")
    return found
