"""Invariants of every position: nothing is built twice or where it was lost, no track passes its end.

Used by `fsck`, by repairs of a moderator, and by the property tests over whole games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.errors import NotAllowed
from engine.troyes_dice.actions.half_day import plan_half_day
from engine.troyes_dice.actions.scoring import score_parts
from engine.troyes_dice.actions.sealed_answers import BONUS, HALF_DAY, NUMBERING
from engine.troyes_dice.card_data.sheet import COLOURS, COLUMNS, RESOURCES, ROWS, Sheet
from engine.troyes_dice.state.dice import affordable
from engine.troyes_dice.state.dice_state import AFTERNOON, MORNING, NOTCHES, SLOTS, DiceState


def violations(state: DiceState) -> tuple[str, ...]:
    """List every invariant that the position breaks, in words; empty if it is sound."""
    found = [*_course(state), *_wheel(state), *_dice(state)]
    for seat, sheet in state.sheets.items():
        found += [f"{seat}: {law}" for law in _sheet(state, sheet)]
    return (*found, *_pending(state), *_answers(state))


QUESTIONS = {"numbering": {NUMBERING}, "half day": {HALF_DAY, BONUS}, "over": set[str]()}
"""Phase to the kinds of questions in it."""


def _course(state: DiceState) -> Iterator[str]:
    """Phase, day, numbering and questions must belong together."""
    kinds = QUESTIONS.get(state.phase)
    if kinds is None:
        yield f"no phase is called «{state.phase}»"
        return
    for seat, kind in state.asked.items():
        if kind not in kinds:
            yield f"{seat} is asked «{kind}», which is no question of «{state.phase}»"
    begun = state.phase != "numbering"
    if begun != bool(state.day) or begun != bool(state.numbering):
        yield f"the phase «{state.phase}» stands on day {state.day} with columns numbered {list(state.numbering)}"
    if state.phase == "over" and (state.day, state.half) != (state.box.days, AFTERNOON):
        yield f"the game is over on the {state.half} of day {state.day}"
    if state.crier not in state.names:
        yield f"the town crier is {state.crier!r}, who does not play"
    for seat, sheet in state.sheets.items():
        if state.day < state.box.attacks_from and any(sheet.crossed.values()):
            yield f"{seat} has lost dice to an attack before day {state.box.attacks_from}"


def _wheel(state: DiceState) -> Iterator[str]:
    lying = Counter(frozenset((plaza.up, plaza.down)) for plaza in state.plazas)
    if lying != Counter(frozenset(pair) for pair in state.box.plazas) or len(state.plazas) != NOTCHES:
        yield "the plazas on the wheel are not those of the box"
    tiles = [plaza.tile for plaza in state.plazas if plaza.tile]
    wanted = 3 if state.options.get("expansion") == "yes" else 0
    if len(tiles) != wanted or len(set(tiles)) != wanted or not set(tiles) <= set(state.box.banquets):
        yield f"tiles {', '.join(tiles) or 'none'} lie at the wheel; there must be {wanted} different ones"
    for plaza in state.plazas:
        if plaza.tile and (plaza.up != plaza.down or plaza.side not in ("banquet", "raid")):
            yield f"the tile {plaza.tile} lies at a plaza of two colours, or shows neither side"
    if state.numbering and sorted(state.numbering) != list(COLUMNS):
        yield f"columns are numbered {state.numbering}"
    if not 0 <= state.day <= state.box.days or state.half not in (MORNING, AFTERNOON):
        yield f"it is the {state.half} of day {state.day}"


def _dice(state: DiceState) -> Iterator[str]:
    if state.phase == "numbering":
        if state.dice:
            yield "dice lie on the plazas before the columns are numbered"
        return
    if len(state.dice) != SLOTS or sum(die.black for die in state.dice) != 1:
        yield f"{len(state.dice)} dice lie on the plazas, one of them must be black"
        return
    keys = [(die.value, not die.black) for die in state.dice]
    if keys != sorted(keys) or not all(1 <= die.value <= 6 for die in state.dice):
        yield f"the dice do not rise: {' '.join(str(die.value) for die in state.dice)}"
    for slot, die in enumerate(state.dice):
        plaza = state.plaza(slot)
        spared = plaza.tile == "black_die"
        if die.gone != die.black and not spared:
            yield f"the die in slot {slot} is {'gone' if die.gone else 'there'}, which cannot be"


def _sheet(state: DiceState, sheet: Sheet) -> Iterator[str]:
    box = state.box
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


def _pending(state: DiceState) -> Iterator[str]:
    if state.phase == "over":
        if state.asked or state.sealed:
            yield "the game is over and something is pending"
        for seat, sheet in state.sheets.items():
            if state.scores.get(seat) != score_parts(state.box, sheet):
                yield f"{seat}: the score is not what the sheet says"
        return
    if not state.asked:
        yield "nobody is asked anything"
    if not state.asked.keys() <= state.names.keys():
        yield f"asked are {', '.join(state.asked)}"
    elif state.phase == "half day":
        for seat in state.sheets:
            if state.asked.get(seat) == HALF_DAY and not affordable(state, seat):
                yield f"{seat} is asked for a half day and can pay for no die"


def _answers(state: DiceState) -> Iterator[str]:
    for seat, found in state.sealed.items():
        if seat not in state.names:
            yield f"{seat} has answered and does not sit here"
            continue
        if found.unknown:
            continue
        try:
            made = plan_half_day(state, seat, found.order)
        except (NotAllowed, LookupError, ValueError):
            yield f"the sealed answer of {seat} cannot be played"
            continue
        if (made.open is not None) != found.open:
            yield f"the sealed answer of {seat} says {'open' if found.open else 'complete'} and is not"
