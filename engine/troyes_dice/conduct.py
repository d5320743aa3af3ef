"""The course of a game: numbering, sixteen half days in which everybody answers at once, and the scores.

An answer is sealed until the last one is in and can be replaced until then; all are applied in one step. Whether an
answer still lacks a choice is as secret as the answer itself: the entry of an answer names nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalog import T
from engine.chance import Blind
from engine.chance import Chance
from engine.chance import Purpose
from engine.chance import Unknown
from engine.chronicle import Data
from engine.errors import NotAllowed
from engine.errors import TooLate
from engine.game import Step
from engine.troyes_dice import orders
from engine.troyes_dice.action import plan
from engine.troyes_dice.action import settled
from engine.troyes_dice.answers import BONUS
from engine.troyes_dice.answers import HALF_DAY
from engine.troyes_dice.answers import NUMBERING
from engine.troyes_dice.answers import answer
from engine.troyes_dice.answers import asked_kind
from engine.troyes_dice.answers import has_answered
from engine.troyes_dice.answers import is_unknown
from engine.troyes_dice.answers import not_asked
from engine.troyes_dice.box import load_box
from engine.troyes_dice.dice import affordable
from engine.troyes_dice.dice import laid
from engine.troyes_dice.dice import ordered
from engine.troyes_dice.language.writing import answer_text
from engine.troyes_dice.orders import Act
from engine.troyes_dice.orders import Bonus
from engine.troyes_dice.orders import Fallback
from engine.troyes_dice.orders import Numbering
from engine.troyes_dice.orders import Order
from engine.troyes_dice.scoring import parts
from engine.troyes_dice.setup import begins
from engine.troyes_dice.setup import cyclic
from engine.troyes_dice.state import AFTERNOON
from engine.troyes_dice.state import MORNING
from engine.troyes_dice.state import SLOTS
from engine.troyes_dice.state import Table
from engine.troyes_dice.verbs import Course
from engine.troyes_dice.verbs import begun
from engine.troyes_dice.verbs import lost_rows


def start(
    players: Mapping[Any, str],
    options: Mapping[str, str],
    chance: Chance,
    facts: Mapping[str, Any] | None,
    first: str | None,
) -> Step:
    """Set up and run to the first decision."""
    box = load_box(facts)
    opening = begins(players, options, chance, box, first)
    play = Course(begun(opening, box), chance, [opening], reveals=True)
    mode, fixed = options["numbering"], options["numbers"]
    if mode == "first" or fixed:
        if mode == "crier":
            numbers = cyclic(play.table.first_number, fixed)
        else:
            numbers = tuple(map(int, fixed.split())) or tuple(range(1, 7))
        _number(play, numbers, "")
    else:
        _ask(play, [{"seat": play.table.crier, "kind": NUMBERING}])
    return play.step()


def apply(table: Table, seat: str, order: Order, chance: Chance) -> Step:
    """Take one order. Raises NotAllowed, then nothing has happened; TooLate when the seat is not asked; Unknown in
    trials."""
    kind = asked_kind(table, seat)
    if not kind:
        raise TooLate(not_asked(table, seat))
    play = Course(table.copy(), chance)
    try:
        if isinstance(order, Numbering):
            if kind != NUMBERING:
                raise NotAllowed(T("The columns are numbered already."))
            _number(play, order.numbers, seat)
        else:
            if kind == NUMBERING:
                raise NotAllowed(T("First the columns must be numbered."))
            seal(play, seat, order)
            _close_if_complete(play)
    except Unknown as unknown:
        unknown.entries = tuple(play.entries)
        raise
    return play.step()


def withdraw(table: Table, seat: str) -> Step | None:
    """Take back a seat's sealed answer, complete or not. The entry is one of an answer, as far as others see it."""
    if seat not in table.sealed or is_unknown(table, seat):
        return None
    play = Course(table.copy(), Blind())
    play.record("sealed", only={seat: {"withdrawn": True}})
    return play.step()


def renumber(table: Table, number: int) -> Table:
    """The same position whose open decisions are numbered above `number`, so that older answers are late."""
    changed = table.copy()
    changed.number = max(table.number, number) + 1
    return changed


def _ask(play: Course, asked: list[dict[str, str]]) -> None:
    play.record("asks", asked=asked, number=play.table.number + 1)


def _number(play: Course, numbers: tuple[int, ...], seat: str) -> None:
    by: Data = {"seat": seat} if seat else {}
    play.record("numbered", numbers=list(numbers), **by)
    _open(play, 1, MORNING)


# One half day.


def _open(play: Course, day: int, half: str) -> None:
    """Roll, let the black die strike, and ask everybody who can pay for a die."""
    play.record("half_day", day=day, half=half)
    rolled = play.roll(Purpose(play.table.half_day, "dice"), SLOTS)
    *clear, darkest = rolled.numbers
    values, black = ordered(clear, darkest)
    colours = [play.table.plaza(slot).up for slot in range(SLOTS)]
    play.record("rolled", rolled, values=values, black=black, colours=colours)
    event(play)
    ask_everybody(play)


def event(play: Course, *, attacks: bool = True) -> None:
    """The black die destroys its plaza and, from the third day on, attacks every sheet (E6, E7)."""
    for die in laid(play.table):
        if die.black and die.banquet == "black_die":
            play.record("banquet", slot=die.slot)
        elif die.black or die.raid == "black_die":
            play.record("destroyed", slot=die.slot, colour=die.colour, black=die.black)
            if attacks and play.table.day >= play.table.box.attacks_from:
                _attack(play, die.face, die.colour)


def _attack(play: Course, number: int, colour: str) -> None:
    table = play.table
    column = table.column(number)
    crossed: dict[str, list[str]] = {}
    safe: list[str] = []
    for seat, sheet in table.sheets.items():
        if column in sheet.crossed[colour]:
            continue
        if column in sheet.built["fortress"]:
            safe.append(seat)
        else:
            crossed[seat] = lost_rows(sheet, colour, column)
    play.record("attack", number=number, colour=colour, column=column, crossed=crossed, safe=safe)


def ask_everybody(play: Course) -> None:
    """Open the half day's decision. Seats that can pay for no die are asked only for the choices of what they gain."""
    table = play.table
    asked: list[dict[str, str]] = []
    for seat, sheet in table.sheets.items():
        if affordable(table, sheet):
            asked.append({"seat": seat, "kind": HALF_DAY})
        elif plan(table, seat, Fallback()).open is not None:
            asked.append({"seat": seat, "kind": BONUS})
    _ask(play, asked)
    _close_if_complete(play)


def seal(play: Course, seat: str, order: Act | Fallback | Bonus) -> None:
    """Keep an answer, or the missing choices of the one that is kept. Raises NotAllowed."""
    table = play.table
    if isinstance(order, Bonus):
        if is_unknown(table, seat):
            raise Unknown("a sealed answer")
        before = answer(table, seat)
        if before is None or has_answered(table, seat):
            raise NotAllowed(T("No choice of a bonus is open."))
        found, made = settled(table, seat, replace(before, bonus=(*before.bonus, *order.choices)))
    else:
        if not isinstance(order, Act) or next(row for row in table.asked if row["seat"] == seat)["kind"] == BONUS:
            raise NotAllowed(not_asked(table, seat))
        found, made = settled(table, seat, order)
    private: Data = orders.sealed(found) | {"open": made.open is not None}
    private["does"] = [{"kind": kind, **data} for kind, data in made.facts]
    play.record("sealed", only={seat: private})


def _close_if_complete(play: Course) -> None:
    table = play.table
    if table.phase == "half day" and all(has_answered(table, row["seat"]) for row in table.asked):
        _close(play)


def _close(play: Course) -> None:
    """Apply every answer, mend the plazas, and go on to the next half day or to the scores."""
    table = play.table
    answers = {seat: answer(table, seat) or Fallback() for seat in table.names}
    texts = {seat: answer_text(table, given) for seat, given in answers.items()}
    play.reveals = True
    play.record("shown", answers=texts)
    for seat, given in answers.items():
        facts = plan(table, seat, given).facts
        play.record("acts", seat=seat, order=texts[seat], forced=isinstance(given, Fallback))
        for kind, data in facts:
            play.record(kind, **data)
    end_of_half_day(play)
    if table.half == MORNING:
        _open(play, table.day, AFTERNOON)
    elif table.day < table.box.days:
        _open(play, table.day + 1, MORNING)
    else:
        final(play)


def end_of_half_day(play: Course) -> None:
    """Destroyed plazas come back turned over, their tiles on the raid side (E6, E8)."""
    table = play.table
    destroyed = [die.slot for die in laid(table) if not die.usable]
    met = [*destroyed, *(die.slot for die in laid(table) if die.black and die.usable)]
    raids = [table.notch(slot) for slot in met if table.plaza(slot).side == "banquet"]
    notches = [table.notch(slot) for slot in destroyed]
    tiles = [table.notches[notch].tile for notch in raids]
    play.record("flips", notches=notches, raids=raids, tiles=tiles)


def final(play: Course) -> None:
    """Count every sheet."""
    for seat, sheet in play.table.sheets.items():
        play.record("scored", seat=seat, parts=parts(play.table.box, sheet))
    play.record("over")
