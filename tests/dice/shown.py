"""What each entry of Troyes Dice says was shown, held against the table before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.event_log import LogEntry
from engine.troyes_dice.card_data.sheet import COLOUR, RESOURCES
from engine.troyes_dice.state.dice import laid_dice
from engine.troyes_dice.state.dice_state import DiceState
from tests.dice.games import GAME


def misspoken(before: DiceState | None, entries: Sequence[LogEntry]) -> Iterator[str]:
    """What entries say that is not so. `before` is None when they begin a game."""
    table: DiceState | None = before
    for made in entries:
        after: DiceState = GAME.fold(table, [made])
        if table is None:
            wrong = list(_begins(made.data))
        else:
            wrong = list(SAYINGS[made.kind](table, after, made.data)) if made.kind in SAYINGS else []
        yield from (f"{made.kind} {made.data}: {what}" for what in wrong)
        table = after


def _begins(data: Any) -> Iterator[str]:
    """The plazas lie as they were shuffled and turned; the crier and the first number are those that were drawn."""
    drawn = {row["draw"].split("/")[1]: row for row in data["draws"]}
    tiles = [(face["front"], face["back"]) for face in data["box"]["plaza"].values()]
    for plaza, at, side in zip(data["plazas"], drawn["plazas"]["order"], drawn["sides"]["shown"], strict=True):
        if [plaza["up"], plaza["down"]] != list(tiles[at])[:: 1 if side == 1 else -1]:
            yield f"{plaza} was not drawn"
    if "start" in drawn and data["crier"] != list(data["seats"])[drawn["start"]["shown"][0] - 1]:
        yield "another crier was drawn"
    if "first_number" in data and [data["first_number"]] != drawn["numbering"]["shown"]:
        yield "another first number was rolled"


def _rolled(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    *_, black = data["shown"]
    values = data["values"]
    if values != sorted(data["shown"]) or values[data["black"]] != black or black in values[: data["black"]]:
        yield "the dice do not show that"
    if [die.value for die in after.dice] != values or [die.black for die in after.dice].index(True) != data["black"]:
        yield "the dice do not lie so"
    if data["colours"] != [after.plaza(slot).up for slot in range(4)]:
        yield "the plazas have other colours"


def _destroyed(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    die = laid_dice(before)[data["slot"]]
    if (die.colour, die.black) != (data["colour"], data["black"]) or not after.dice[data["slot"]].gone:
        yield "another die strikes"


def _attack(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    colour, column = data["colour"], data["column"]
    if (data["number"], colour) not in [(die.face, die.colour) for die in laid_dice(before) if not die.usable]:
        yield "no die strikes so"
    if column != before.numbering.index(data["number"]) + 1:
        yield "that number is another column"
    for seat, sheet in before.sheets.items():
        hit = column not in sheet.crossed[colour] and column not in sheet.built["fortress"]
        lost = [row for row, of in COLOUR.items() if of == colour and column not in sheet.built[row]]
        if hit is not (seat in data["crossed"]) or (hit and data["crossed"][seat] != lost):
            yield f"{seat} is hit otherwise"
        if (seat in data["safe"]) is not (column in sheet.built["fortress"] and column not in sheet.crossed[colour]):
            yield f"{seat} is spared otherwise"


def _circles(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    gained = (
        after.sheets[data["seat"]].circled[data["resource"]] - before.sheets[data["seat"]].circled[data["resource"]]
    )
    if gained != data["by"]:
        yield "another number was circled"


def _spends(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    for resource in RESOURCES:
        if data.get(resource, 0) > before.sheets[data["seat"]].unspent(resource):
            yield f"there was not so much {resource}"


def _builds(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    row, column = data["row"], data["column"]
    if column not in range(1, 7) or column in before.sheets[data["seat"]].built[row]:
        yield "it was drawn before, or outside the sheet"


def _flips(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    gone = [before.notch(die.slot) for die in laid_dice(before) if not die.usable]
    if data["notches"] != gone:
        yield "other plazas were destroyed"
    if data["tiles"] != [before.plazas[notch].tile for notch in data["raids"]]:
        yield "other tiles lie there"


def _shown(before: DiceState, after: DiceState, data: Any) -> Iterator[str]:
    if any(seat not in data["seats"] for seat in before.sealed):
        yield "somebody's answer is not shown"
    if after.sealed:
        yield "answers stay hidden"


SAYINGS = {
    "rolled": _rolled,
    "destroyed": _destroyed,
    "attack": _attack,
    "circles": _circles,
    "spends": _spends,
    "builds": _builds,
    "flips": _flips,
    "shown": _shown,
}
"""Kinds of entry that claim dice, or what dice brought."""
