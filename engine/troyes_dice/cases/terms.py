"""The words of a rule position of Troyes Dice: how each is laid out, and what lies there afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.event_log import Data
from engine.kit import cases
from engine.kit.cases import Term
from engine.kit.words import kebab, table_id
from engine.troyes_dice.actions import scoring
from engine.troyes_dice.actions.setup import begin_game, settle_options
from engine.troyes_dice.card_data import load_box
from engine.troyes_dice.card_data.sheet import COLOUR, COLOURS, RESOURCES, ROWS, Sheet
from engine.troyes_dice.card_data.tables import shipped_tables
from engine.troyes_dice.state.dice_state import SLOTS, DiceState, Plaza

SEATS = ("anna", "faye", "geoffrey", "emily", "hugo", "ines", "jules", "karin", "leo", "marie")
GAMES = {"dice": "no", "dice+banquets": "yes"}
DRAWS = ("dice", "plazas", "sides", "banquets", "start", "numbering")
RESOURCE_WORDS = {"influence": "influence", "denier": "denier", "deniers": "denier", "knowledge": "knowledge"}

COUNTED: Data = {
    **dict.fromkeys(RESOURCE_WORDS, dict.fromkeys(("circled", "spent"))),
    "built": dict.fromkeys((*ROWS, *map(kebab, ROWS))),
    "citizens": dict.fromkeys(COLOURS),
}
SHEET: Data = {**COUNTED, "crossed": dict.fromkeys(COLOURS)}


def seat_names(facts: Data) -> tuple[str, ...]:
    """Return the seats at the table of a position."""
    return SEATS[: facts.get("players", 1)]


def lay_out_table(scenario: Data, facts: Data) -> DiceState:
    """Return the table of a position; `facts` are the scenario's words over the file's defaults."""
    wanted: Data = {**facts, **scenario.get("position", {})}
    seats = {seat: seat.capitalize() for seat in seat_names(facts)}
    options = {"expansion": GAMES[facts.get("game", "dice")], **facts.get("options", {})}
    box = load_box(facts.get("facts"))
    opening = begin_game(
        seats, settle_options(len(seats), options), cases.case_chance(), box, facts.get("turn", "anna")
    )
    state = opening.begun(box)
    if wanted.get("phase") == "numbering":
        state.first_number = wanted.get("first_number", state.first_number)
        return state
    state.phase, state.day, state.numbering = "half day", 1, tuple(range(1, 7))
    state.plazas = tuple(Plaza(plaza.up, plaza.down) for plaza in state.plazas)
    cases.lay_out(TERMS, state, wanted)
    return state


def by_row(wanted: Any) -> dict[str, list[int]]:
    """Read buildings as `{ fortress = [1, 2] }` or `["fortress 1", "fortress 2"]`; columns in rising order."""
    if isinstance(wanted, dict):
        return {table_id(row): sorted(columns) for row, columns in wanted.items()}
    pairs = [str(word).rpartition(" ")[::2] for word in wanted]
    return {table_id(row): sorted(int(column) for other, column in pairs if other == row) for row, _ in pairs}


def _sheet(state: DiceState, row: Data) -> Sheet:
    """Read a sheet of a position; what it does not say is as at the start."""
    sheet = Sheet(circled=dict.fromkeys(RESOURCES, state.box.start))
    sheet.built |= {table_id(word): tuple(columns) for word, columns in row.get("built", {}).items()}
    sheet.crossed |= {colour: tuple(columns) for colour, columns in row.get("crossed", {}).items()}
    sheet.citizens |= row.get("citizens", {})
    for word, resource in RESOURCE_WORDS.items():
        found = row.get(word, {})
        counted: Data = {"circled": found} if isinstance(found, int) else found
        sheet.circled[resource] = counted.get("circled", sheet.circled[resource])
        sheet.spent[resource] = counted.get("spent", sheet.spent[resource])
    return sheet


# What is laid.


def _attribute(name: str) -> Term[DiceState]:
    """A value of the table with the same name; a tuple there is a list here."""

    def lay(state: DiceState, value: Any) -> None:
        setattr(state, name, tuple(value) if isinstance(value, list) else value)

    def found(before: DiceState, after: DiceState, key: str) -> Any:
        value = getattr(after, name)
        return list(value) if isinstance(value, tuple) else value

    return Term(lay, found)


def _turn(change: Callable[[DiceState, Any], Data]) -> Callable[[DiceState, Any], None]:
    """Return what changes the plazas by slot: `change` makes fields of a plaza of what is wanted there."""

    def lay(state: DiceState, wanted: Any) -> None:
        notches = list(state.plazas)
        for slot, one in wanted.items() if isinstance(wanted, dict) else enumerate(wanted):
            at = state.notch(int(slot))
            notches[at] = replace(notches[at], **change(state, one))
        state.plazas = tuple(notches)

    return lay


def _tile_of(state: DiceState, tile: Data) -> Data:
    id_ = table_id(tile["id"])
    if id_ not in state.box.banquets:
        raise ValueError(f"no tile is called {tile['id']}")
    return {"tile": id_, "side": tile.get("side", "banquet")}


def _lay_sheets(state: DiceState, sheets: Data) -> None:
    state.sheets = state.sheets | {seat: _sheet(state, row) for seat, row in sheets.items()}


# What is found: the plazas are those that were in use before.


def _in_use(before: DiceState, after: DiceState) -> list[Plaza]:
    return [after.plazas[before.notch(slot)] for slot in range(SLOTS)]


def _tile(before: DiceState, after: DiceState, slot: str) -> Data:
    plaza = _in_use(before, after)[int(slot)]
    return {"tile": plaza.tile, "side": plaza.side}


def _crossed(before: DiceState, after: DiceState, seat: str) -> Data:
    return {colour: sorted(columns) for colour, columns in after.sheets[seat].crossed.items() if columns}


def _lost(before: DiceState, after: DiceState, seat: str) -> dict[str, list[int]]:
    """The buildings that can no longer be built."""
    sheet = after.sheets[seat]
    gone = {row: sorted({*sheet.crossed[colour]} - {*sheet.built[row]}) for row, colour in COLOUR.items()}
    return {row: columns for row, columns in gone.items() if columns}


def _multipliers(before: DiceState, after: DiceState, seat: str) -> dict[str, int]:
    return {after.box.cathedral[at - 1]: n for at, n in scoring.multipliers(after.box, after.sheets[seat]).items()}


def _counted_row(after: DiceState, word: str) -> str:
    """Return the row that a Cathedral counts, by its column, its name, or the first name of its character."""
    folded = kebab(word)
    for column, row in enumerate(after.box.cathedral, start=1):
        name = kebab(shipped_tables()["cathedral"][str(column)]["en"])
        if folded in (str(column), kebab(row), name, name.partition("-")[0]):
            return row
    raise ValueError(f"no Cathedral counts {word}")


TERMS: dict[str, Term[DiceState]] = {
    **{name: _attribute(name) for name in ("day", "half", "phase", "numbering", "first_number")},
    "plazas": Term(
        _turn(lambda _, colour: {"up": colour, "down": colour}),
        lambda before, after, _: [plaza.up for plaza in _in_use(before, after)],
    ),
    "tile_backs": Term(
        _turn(lambda _, colour: {"down": colour}),
        lambda before, after, _: [plaza.down for plaza in _in_use(before, after)],
    ),
    "tiles": Term(
        _turn(_tile_of), _tile, {str(slot): dict.fromkeys(("id", "side")) for slot in range(SLOTS)}, spelled=_tile_of
    ),
    "roll": Term(words=dict.fromkeys(("clear", "black"))),
    "sheet": Term(_lay_sheets, lambda _, after, seat: after.sheets[seat], SHEET, seats=True, spelled=_sheet),
    "crossed": Term(
        found=_crossed,
        seats=True,
        spelled=lambda _, wanted: {colour: sorted(columns) for colour, columns in wanted.items() if columns},
    ),
    "lost": Term(found=_lost, seats=True, spelled=lambda _, wanted: by_row(wanted)),
    "multipliers": Term(
        found=_multipliers,
        seats=True,
        spelled=lambda after, wanted: {_counted_row(after, str(word)): n for word, n in wanted.items()},
    ),
}
"""What a position can say of a table."""

DEFAULTS = cases.default_words(TERMS, "game", "players", "options", "facts", "turn")
"""Words that a file may say for all of its positions."""


def scenario_words(facts: Data) -> Data:
    """Return all words that a position may say; its `players` give the seats."""
    return cases.case_words(TERMS, DEFAULTS, seat_names(facts), DRAWS, COUNTED, ("slots", "destroyed_slot", "achieved"))
