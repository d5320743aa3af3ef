"""What must hold in every position: nothing is built twice or where it was lost, no track passes its end.

Used by `fsck`, by the moderator's edits, and by the property tests over whole games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.errors import NotAllowed
from engine.troyes_dice.action import plan
from engine.troyes_dice.answers import BONUS
from engine.troyes_dice.answers import HALF_DAY
from engine.troyes_dice.answers import NUMBERING
from engine.troyes_dice.answers import is_unknown
from engine.troyes_dice.dice import affordable
from engine.troyes_dice.orders import unsealed
from engine.troyes_dice.scoring import parts
from engine.troyes_dice.sheet import COLOURS
from engine.troyes_dice.sheet import COLUMNS
from engine.troyes_dice.sheet import RESOURCES
from engine.troyes_dice.sheet import ROWS
from engine.troyes_dice.sheet import Sheet
from engine.troyes_dice.state import AFTERNOON
from engine.troyes_dice.state import MORNING
from engine.troyes_dice.state import NOTCHES
from engine.troyes_dice.state import SLOTS
from engine.troyes_dice.state import Table


def broken(table: Table) -> tuple[str, ...]:
    """Every law the position breaks, in words; empty when it is sound."""
    found = [*_course(table), *_wheel(table), *_dice(table)]
    for seat, sheet in table.sheets.items():
        found += [f"{seat}: {law}" for law in _sheet(table, sheet)]
    return (*found, *_pending(table), *_answers(table))


QUESTIONS = {"numbering": {NUMBERING}, "half day": {HALF_DAY, BONUS}, "over": set[str]()}
"""What can be asked in each phase."""


def _course(table: Table) -> Iterator[str]:
    """Phase, day, numbering and questions that belong together."""
    kinds = QUESTIONS.get(table.phase)
    if kinds is None:
        yield f"no phase is called «{table.phase}»"
        return
    for row in table.asked:
        if row["kind"] not in kinds:
            yield f"{row['seat']} is asked «{row['kind']}», which is no question of «{table.phase}»"
    begun = table.phase != "numbering"
    if begun != bool(table.day) or begun != bool(table.numbering):
        yield f"the phase «{table.phase}» stands on day {table.day} with columns numbered {list(table.numbering)}"
    if table.phase == "over" and (table.day, table.half) != (table.box.days, AFTERNOON):
        yield f"the game is over on the {table.half} of day {table.day}"
    if table.crier not in table.names:
        yield f"the town crier is {table.crier!r}, who does not play"
    for seat, sheet in table.sheets.items():
        if table.day < table.box.attacks_from and any(sheet.crossed.values()):
            yield f"{seat} has lost dice to an attack before day {table.box.attacks_from}"


def _wheel(table: Table) -> Iterator[str]:
    lying = Counter(frozenset((plaza.up, plaza.down)) for plaza in table.notches)
    if lying != Counter(frozenset(pair) for pair in table.box.plazas) or len(table.notches) != NOTCHES:
        yield "the plazas on the wheel are not those of the box"
    tiles = [plaza.tile for plaza in table.notches if plaza.tile]
    wanted = 3 if table.options.get("expansion") == "yes" else 0
    if len(tiles) != wanted or len(set(tiles)) != wanted or not set(tiles) <= set(table.box.banquets):
        yield f"tiles {', '.join(tiles) or 'none'} lie at the wheel; there must be {wanted} different ones"
    for plaza in table.notches:
        if plaza.tile and (plaza.up != plaza.down or plaza.side not in ("banquet", "raid")):
            yield f"the tile {plaza.tile} lies at a plaza of two colours, or shows neither side"
    if table.numbering and sorted(table.numbering) != list(COLUMNS):
        yield f"columns are numbered {table.numbering}"
    if not 0 <= table.day <= table.box.days or table.half not in (MORNING, AFTERNOON):
        yield f"it is the {table.half} of day {table.day}"


def _dice(table: Table) -> Iterator[str]:
    if table.phase == "numbering":
        if table.dice:
            yield "dice lie on the plazas before the columns are numbered"
        return
    if len(table.dice) != SLOTS or sum(die.black for die in table.dice) != 1:
        yield f"{len(table.dice)} dice lie on the plazas, one of them must be black"
        return
    keys = [(die.value, not die.black) for die in table.dice]
    if keys != sorted(keys) or not all(1 <= die.value <= 6 for die in table.dice):
        yield f"the dice do not rise: {' '.join(str(die.value) for die in table.dice)}"
    for slot, die in enumerate(table.dice):
        plaza = table.plaza(slot)
        spared = plaza.tile == "black_die"
        if die.gone != die.black and not spared:
            yield f"the die in slot {slot} is {'gone' if die.gone else 'there'}, which cannot be"


def _sheet(table: Table, sheet: Sheet) -> Iterator[str]:
    box = table.box
    for row in ROWS:
        columns = sheet.built[row]
        if len(set(columns)) != len(columns) or not set(columns) <= set(COLUMNS):
            yield f"{row} is built in columns {columns}"
    for colour in COLOURS:
        columns = sheet.crossed[colour]
        if len(set(columns)) != len(columns) or not set(columns) <= set(COLUMNS):
            yield f"{colour} dice are crossed out in columns {columns}"
        if not 0 <= sheet.citizens[colour] <= box.crowd:
            yield f"{sheet.citizens[colour]} {colour} citizens; the track has {box.crowd}"
    for resource in RESOURCES:
        if not 0 <= sheet.spent[resource] <= sheet.circled[resource] <= box.track:
            yield (
                f"{resource}: {sheet.spent[resource]} spent of {sheet.circled[resource]} circled; "
                f"the track has {box.track}"
            )


def _pending(table: Table) -> Iterator[str]:
    if table.phase == "over":
        if table.asked or table.sealed:
            yield "the game is over and something is pending"
        for seat, sheet in table.sheets.items():
            if table.scores.get(seat) != parts(table.box, sheet):
                yield f"{seat}: the score is not what the sheet says"
        return
    if not table.asked:
        yield "nobody is asked anything"
    seats = [row["seat"] for row in table.asked]
    if len(set(seats)) != len(seats) or not set(seats) <= set(table.names):
        yield f"asked are {', '.join(seats)}"
    elif table.phase == "half day":
        for seat, sheet in table.sheets.items():
            kind = next((row["kind"] for row in table.asked if row["seat"] == seat), "")
            if kind == HALF_DAY and not affordable(table, sheet):
                yield f"{seat} is asked for a half day and can pay for no die"


def _answers(table: Table) -> Iterator[str]:
    for seat, found in table.sealed.items():
        if seat not in table.names:
            yield f"{seat} has answered and does not sit here"
            continue
        if is_unknown(table, seat):
            continue
        try:
            made = plan(table, seat, unsealed(found))
        except (NotAllowed, LookupError, ValueError):
            yield f"the sealed answer of {seat} cannot be played"
            continue
        if (made.open is not None) != found["open"]:
            yield f"the sealed answer of {seat} says {'open' if found['open'] else 'complete'} and is not"
