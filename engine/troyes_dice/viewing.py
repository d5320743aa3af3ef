"""What one seat may see of the table, built field by field, for templates.

Sheets are public; the only secret is a seat's own sealed answer, and nobody learns who has answered.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes_dice import answers
from engine.troyes_dice.action import plan
from engine.troyes_dice.box.explain import side
from engine.troyes_dice.dice import Laid
from engine.troyes_dice.dice import laid
from engine.troyes_dice.dice import payable
from engine.troyes_dice.language.writing import answer_text
from engine.troyes_dice.scoring import characters
from engine.troyes_dice.scoring import multipliers
from engine.troyes_dice.scoring import total
from engine.troyes_dice.sheet import COLOUR
from engine.troyes_dice.sheet import COLOURS
from engine.troyes_dice.sheet import COLUMNS
from engine.troyes_dice.sheet import RESOURCES
from engine.troyes_dice.sheet import ROWS
from engine.troyes_dice.sheet import Sheet
from engine.troyes_dice.state import AFTERNOON
from engine.troyes_dice.state import MORNING
from engine.troyes_dice.state import NOTCHES
from engine.troyes_dice.state import SLOTS
from engine.troyes_dice.state import Plaza
from engine.troyes_dice.state import Table
from engine.troyes_dice.summary import effects
from engine.troyes_dice.summary import question
from engine.troyes_dice.words import colour_name
from engine.troyes_dice.words import named
from engine.troyes_dice.words import resources


@dataclass(frozen=True, slots=True)
class DieView:
    """A die on its plaza, `place` 1 to 4: its colour and value, its price, what the tile beside it does."""

    place: int
    says: Msg
    price: Msg
    tile: Msg | None
    usable: bool
    payable: bool


@dataclass(frozen=True, slots=True)
class SheetView:
    """One sheet in lines: resources, citizens, each row of buildings, each Cathedral, crossed dice."""

    seat: str
    name: str
    resources: tuple[Msg, ...]
    tracks: Msg
    citizens: Msg
    rows: tuple[Msg, ...]
    short: Msg
    """All buildings on one line, for the sheets of others."""
    cathedrals: tuple[Msg, ...]
    crossed: tuple[Msg, ...]
    points: int
    """What it would score now; everybody can count it."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat may know. `answer` and what follows it are its own secrets, empty before it has answered."""

    seat: str
    phase: str
    heading: Msg
    attacks: Msg
    numbering: str
    plain: bool
    """Whether column and number are the same everywhere."""
    dice: tuple[DieView, ...]
    next: tuple[Msg, ...]
    """The plazas of the next half day, cheapest place first."""
    asleep: Msg | None
    tiles: tuple[Msg, ...]
    mine: SheetView | None
    others: tuple[SheetView, ...]
    answer: str
    does: Msg | None
    open: Msg | None


def view(table: Table, seat: str | None) -> View:
    """The view of one seat, or of a spectator."""
    sheet = table.sheets.get(seat) if seat else None
    answer, does, missing = _answer(table, seat)
    return View(
        seat=seat or "",
        phase=table.phase,
        heading=heading(table),
        attacks=_attacks(table),
        numbering=" ".join(map(str, table.numbering)),
        plain=list(table.numbering) == list(COLUMNS),
        dice=tuple(_die(table, die, sheet) for die in laid(table)) if table.phase == "half day" else (),
        next=_next(table),
        asleep=_plaza(table.notches[(table.day - 1) % NOTCHES]) if table.day else None,
        tiles=tuple(_tile(table, plaza) for plaza in table.notches if plaza.tile),
        mine=_sheet(table, str(seat), sheet) if sheet is not None else None,
        others=tuple(_sheet(table, other, table.sheets[other]) for other in table.names if other != seat),
        answer=answer,
        does=does,
        open=missing,
    )


def heading(table: Table) -> Msg:
    """Where the game stands, in a few words."""
    if table.phase == "numbering":
        return T("numbering the columns")
    if table.phase == "over":
        return T("the game is over")
    if table.half == MORNING:
        return T("morning of day {day} of {days}", day=table.day, days=table.box.days)
    return T("afternoon of day {day} of {days}", day=table.day, days=table.box.days)


def _attacks(table: Table) -> Msg:
    if table.day < table.box.attacks_from:
        return T("The black die attacks sheets from day {day} on.", day=table.box.attacks_from)
    return T("The black die attacks every sheet, each half day.")


def _answer(table: Table, seat: str | None) -> tuple[str, Msg | None, Msg | None]:
    if not seat or seat not in table.sealed:
        return "", None, None
    given = answers.answer(table, seat)
    if given is None:
        return "", None, None
    made = plan(table, seat, given)
    return answer_text(table, given), effects(made.facts), question(made.open) if made.open is not None else None


def price(die: Laid) -> Msg:
    """What a die costs, in words."""
    parts: list[Msg] = []
    if die.any:
        parts.append(T("{n} resource of any kind", "{n} resources of one kind", n=die.any))
    parts += [resources(resource, amount) for resource, amount in die.price.items()]
    return T("{price}", price=tuple(parts)) if parts else T("free")


def _die(table: Table, die: Laid, sheet: Sheet | None) -> DieView:
    # The plaza stands before it, so two dice that are alike need no more to tell them apart.
    shown = f"{die.colour} {die.value}"
    word = T("{die}", die=shown)
    if not die.usable and die.black:
        word = T("black {value} on {colour}: destroyed", value=die.face, colour=colour_name(die.colour))
    elif not die.usable:
        word = T("{colour} {value}: destroyed", value=die.face, colour=colour_name(die.colour))
    elif die.black:
        word = T("{die}, the black die", die=shown)
    elif die.value != die.face:
        word = T("{die}, shows {face}", die=shown, face=die.face)
    which = "banquet" if die.banquet else "raid"
    tile = die.banquet or die.raid
    return DieView(
        die.slot + 1,
        word,
        price(die),
        side(table.box, tile, which) if tile else None,
        die.usable,
        sheet is None or payable(sheet, die),
    )


def _plaza(plaza: Plaza) -> Msg:
    """The colour that shows, the one behind it where it differs, and the tile beside it."""
    colour = colour_name(plaza.up)
    if plaza.tile:
        return T("{colour} ({tile})", colour=colour, tile=named(f"tile {plaza.tile}"))
    if plaza.up == plaza.down:
        return T("{colour}", colour=colour)
    return T("{colour} (behind it {back})", colour=colour, back=colour_name(plaza.down))


def _next(table: Table) -> tuple[Msg, ...]:
    """The four plazas of the next half day as they will lie then: the destroyed one turned over."""
    if table.phase != "half day" or (table.half == AFTERNOON and table.day == table.box.days):
        return ()
    day, start = (table.day, SLOTS) if table.half == MORNING else (table.day + 1, 0)
    return tuple(_plaza(_mended(table, (day + start + slot) % NOTCHES)) for slot in range(SLOTS))


def _mended(table: Table, notch: int) -> Plaza:
    plaza = table.notches[notch]
    destroyed = any(table.notch(slot) == notch and die.gone for slot, die in enumerate(table.dice))
    return Plaza(plaza.down, plaza.up, plaza.tile, plaza.side) if destroyed else plaza


def _tile(table: Table, plaza: Plaza) -> Msg:
    return T(
        "{tile}, at a {colour} plaza. {text}",
        tile=named(f"tile {plaza.tile}"),
        colour=colour_name(plaza.up),
        text=side(table.box, plaza.tile, plaza.side),
    )


def _sheet(table: Table, seat: str, sheet: Sheet) -> SheetView:
    box = table.box
    scored = characters(box, sheet)
    return SheetView(
        seat=seat,
        name=table.names[seat],
        resources=tuple(resources(resource, sheet.unspent(resource)) for resource in RESOURCES),
        tracks=T(
            "circled of {length}: influence {influence}, deniers {denier}, knowledge {knowledge}",
            length=box.track,
            **sheet.circled,
        ),
        citizens=T("red {red}, yellow {yellow}, white {white}", **sheet.citizens),
        rows=tuple(_row(sheet, row) for row in ROWS),
        short=T(
            "{rows}",
            rows=tuple(
                T("{row} {columns}", row=named(row), columns=_columns(sheet, row)) for row in ROWS if sheet.built[row]
            ),
        )
        if any(sheet.built.values())
        else T("nothing"),
        cathedrals=tuple(
            T(
                "{row}: {n} each, {points} VP now",
                row=named(box.cathedral[column - 1]),
                n=times,
                points=scored[column],
            )
            for column, times in multipliers(box, sheet).items()
        ),
        crossed=tuple(
            T("{colour} {columns}", colour=colour_name(colour), columns=" ".join(map(str, sorted(columns))))
            for colour in COLOURS
            if (columns := sheet.crossed[colour])
        ),
        points=total(box, sheet),
    )


def _columns(sheet: Sheet, row: str) -> str:
    return " ".join(map(str, sorted(sheet.built[row])))


def _row(sheet: Sheet, row: str) -> Msg:
    lost = [column for column in sheet.crossed[COLOUR[row]] if column not in sheet.built[row]]
    parts: list[Msg] = []
    if sheet.built[row]:
        parts.append(T("built {columns}", columns=_columns(sheet, row)))
    if sheet.open_columns(row):
        parts.append(T("open {columns}", columns=" ".join(map(str, sheet.open_columns(row)))))
    if lost:
        parts.append(T("lost {columns}", columns=" ".join(map(str, sorted(lost)))))
    return T("{row} ({colour}): {parts}", row=named(row), colour=colour_name(COLOUR[row]), parts=tuple(parts))
