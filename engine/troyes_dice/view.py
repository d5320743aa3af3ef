"""What one seat may see of the table, built field by field, for templates.

Sheets are public. The only secrets are a seat's own sealed answer and standing orders; nobody learns who has answered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.catalog import Msg, T
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.actions.half_day import plan_half_day
from engine.troyes_dice.actions.scoring import characters, multipliers, total_score
from engine.troyes_dice.card_data import DiceBox
from engine.troyes_dice.card_data.explain import tile_side
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.phrases import colour_name, gain_text, resource_amount, resource_name
from engine.troyes_dice.card_data.sheet import (
    COLOUR,
    COLOUR_OF_RESOURCE,
    COLOURS,
    COLUMNS,
    RESOURCES,
    ROWS,
    WORKS,
    Sheet,
)
from engine.troyes_dice.news.effects import effects_text
from engine.troyes_dice.news.sentences import bonus_question
from engine.troyes_dice.news.standing_order_text import plan_duration
from engine.troyes_dice.notation.writing import answer_message, die_of, order_message
from engine.troyes_dice.state.dice import LaidDie, laid_dice, purchases
from engine.troyes_dice.state.dice_state import AFTERNOON, MORNING, NOTCHES, SLOTS, DiceState, Plaza


@dataclass(frozen=True, slots=True)
class DieView:
    """A die on its plaza, `place` 1 to 4: colour and value, price, and the effect of the tile beside it."""

    place: int
    says: Msg
    price: Msg
    tile: Msg | None
    usable: bool
    payable: bool
    word: str = ""
    """Colour and value, as they are typed."""
    black: bool = False


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box of the sheet: `open`, `built` or `lost`; and what its building brings, as short as on the sheet."""

    state: str
    brings: Msg


@dataclass(frozen=True, slots=True)
class RowView:
    """One row of buildings, `dye` the letter of its colour; `links` are pairs of columns with a bonus."""

    name: Msg
    dye: str
    boxes: tuple[BoxView, ...]
    links: tuple[Msg, ...]


@dataclass(frozen=True, slots=True)
class TrackView:
    """A resource track: how much is left, and how much was circled in all."""

    name: Msg
    dye: str
    left: int
    circled: int


@dataclass(frozen=True, slots=True)
class SheetView:
    """One sheet: resources, citizens, each row of buildings, each Cathedral, crossed dice."""

    seat: str
    name: str
    resources: tuple[Msg, ...]
    citizens: Msg
    rows: tuple[RowView, ...]
    resource_tracks: tuple[TrackView, ...]
    crowd: tuple[tuple[str, int], ...]
    """Citizens by the letter of their colour."""
    short: Msg
    """All buildings on one line, for the sheets of others."""
    cathedrals: tuple[Msg, ...]
    crossed: tuple[Msg, ...]
    points: int
    """What it would score now, which everybody can count."""


@dataclass(frozen=True, slots=True)
class DiceView:
    """All that a seat may know. `answer` and the fields after it are secrets of the seat, empty without an answer."""

    seat: str
    attacks: Msg
    numbering: str
    numbers: tuple[int, ...]
    """The number of each column from the left; empty before they are known."""
    track: int
    """Length of a resource track."""
    plain: bool
    """True if each column carries its own number."""
    dice: tuple[DieView, ...]
    next: tuple[Msg, ...]
    """The plazas of the next half day, the cheapest place first."""
    asleep: Msg | None
    tiles: tuple[Msg, ...]
    mine: SheetView | None
    others: tuple[SheetView, ...]
    answer: Msg | str
    does: Msg | None
    open: Msg | None
    plans: tuple[tuple[Msg, Msg], ...]
    """The seat's standing orders, each with how long it holds."""


def view(state: DiceState, seat: str | None) -> DiceView:
    """Return the view of one seat, or of a spectator (None)."""
    sheet = state.sheets.get(seat) if seat else None
    answer, does, missing = _answer(state, seat)
    return DiceView(
        seat=seat or "",
        attacks=_attacks(state),
        numbering=" ".join(map(str, state.numbering)),
        numbers=tuple(state.numbering),
        track=state.box.track,
        plain=list(state.numbering) == list(COLUMNS),
        dice=tuple(_die(state, die, sheet) for die in laid_dice(state)) if state.phase == "half day" else (),
        next=_next(state),
        asleep=_plaza(state.plazas[(state.day - 1) % NOTCHES]) if state.day else None,
        tiles=tuple(_tile(state, plaza) for plaza in state.plazas if plaza.tile),
        mine=_sheet(state, str(seat)) if sheet is not None else None,
        others=tuple(_sheet(state, other) for other in state.names if other != seat),
        answer=answer,
        does=does,
        open=missing,
        plans=tuple(
            (order_message(state, str(seat), plan.order), plan_duration(plan))
            for plan in state.plans.get(seat or "", ())
            if plan.kind == "later" or plan.holds(state.half_day, state.day)
        ),
    )


def heading(state: DiceState) -> Msg:
    """Return in a few words where the game stands."""
    if state.phase == "numbering":
        return T("numbering the columns")
    if state.phase == "over":
        return T("the game is over")
    if state.half == MORNING:
        return T("morning of day {day} of {days}", day=state.day, days=state.box.days)
    return T("afternoon of day {day} of {days}", day=state.day, days=state.box.days)


def _attacks(state: DiceState) -> Msg:
    if state.day < state.box.attacks_from:
        return T("The black die attacks sheets from day {day} on.", day=state.box.attacks_from)
    return T("The black die attacks every sheet, each half day.")


def _answer(state: DiceState, seat: str | None) -> tuple[Msg | str, Msg | None, Msg | None]:
    given = sealed_answers.sealed_answer(state, seat) if seat and seat in state.sealed else None
    if not seat or given is None:
        return "", None, None
    made = plan_half_day(state, seat, given)
    return (
        answer_message(given, die_of(state, given)),
        effects_text(made.facts),
        bonus_question(made.open) if made.open is not None else None,
    )


def die_price(die: LaidDie) -> Msg:
    """Return what a die costs, in words."""
    prices = {"any": die.any, **die.price}
    parts = tuple(resource_amount(resource, amount) for resource, amount in prices.items() if amount)
    return T("{price}", price=parts) if parts else T("free")


def _die(state: DiceState, die: LaidDie, sheet: Sheet | None) -> DieView:
    # The plaza stands before it, so two dice that are alike need no more to tell them apart.
    shown, colour = f"{die.colour} {die.value}", colour_name(die.colour)
    named_die = T("{colour} {value}", colour=colour, value=die.value)
    word = named_die
    if not die.usable:
        black = T("black {value} on {colour}: destroyed", value=die.face, colour=colour)
        word = black if die.black else T("{colour} {value}: destroyed", value=die.face, colour=colour)
    elif die.black:
        word = T("{die}, the black die", die=named_die)
    elif die.value != die.face:
        word = T("{die}, shows {face}", die=named_die, face=die.face)
    side = "banquet" if die.banquet else "raid"
    tile = tile_side(state.box, die.banquet or die.raid, side) if die.banquet or die.raid else None
    may = sheet is None or bool(purchases(sheet, die))
    return DieView(die.slot + 1, word, die_price(die), tile, die.usable, may, shown, die.black)


def _plaza(plaza: Plaza) -> Msg:
    """The colour that shows, the one behind it if it differs, and the tile beside it."""
    colour = colour_name(plaza.up)
    if plaza.tile:
        return T("{colour} ({tile})", colour=colour, tile=item_name(f"tile {plaza.tile}"))
    if plaza.up == plaza.down:
        return T("{colour}", colour=colour)
    return T("{colour} (behind it {back})", colour=colour, back=colour_name(plaza.down))


def _next(state: DiceState) -> tuple[Msg, ...]:
    """The four plazas of the next half day as they will lie then: the destroyed one turned over."""
    if state.phase != "half day" or (state.half == AFTERNOON and state.day == state.box.days):
        return ()
    day, start = (state.day, SLOTS) if state.half == MORNING else (state.day + 1, 0)
    gone = [state.notch(slot) for slot, die in enumerate(state.dice) if die.gone]
    plazas = [replace(one, up=one.down, down=one.up) if at in gone else one for at, one in enumerate(state.plazas)]
    return tuple(_plaza(plazas[(day + start + slot) % NOTCHES]) for slot in range(SLOTS))


def _tile(state: DiceState, plaza: Plaza) -> Msg:
    return T(
        "{tile}, at a {colour} plaza. {text}",
        tile=item_name(f"tile {plaza.tile}"),
        colour=colour_name(plaza.up),
        text=tile_side(state.box, plaza.tile, plaza.side),
    )


def _sheet(state: DiceState, seat: str) -> SheetView:
    """A sheet as everybody sees it."""
    box, sheet = state.box, state.sheets[seat]
    scored = characters(box, sheet)
    drawn = (row for row in ROWS if sheet.built[row])
    built = tuple(T("{row} {columns}", row=item_name(row), columns=_columns(sheet.built[row])) for row in drawn)
    return SheetView(
        seat=seat,
        name=state.names[seat],
        resources=tuple(resource_amount(resource, sheet.unspent(resource)) for resource in RESOURCES),
        citizens=T("red {red}, yellow {yellow}, white {white}", **sheet.citizens),
        rows=tuple(_row(state, sheet, row) for row in ROWS),
        resource_tracks=tuple(
            TrackView(resource_name(one), COLOUR_OF_RESOURCE[one][0], sheet.unspent(one), sheet.circled[one])
            for one in RESOURCES
        ),
        crowd=tuple((colour[0], sheet.citizens[colour]) for colour in COLOURS),
        short=T("{rows}", rows=built) if built else T("nothing"),
        cathedrals=tuple(
            T(
                "{row}: {n} each, {points} VP now",
                row=item_name(box.cathedral[column - 1]),
                n=times,
                points=scored[column],
            )
            for column, times in multipliers(box, sheet).items()
        ),
        crossed=tuple(
            T("{colour} {columns}", colour=colour_name(colour), columns=_columns(columns))
            for colour in COLOURS
            if (columns := sheet.crossed[colour])
        ),
        points=total_score(box, sheet),
    )


def _columns(columns: tuple[int, ...]) -> str:
    return " ".join(map(str, sorted(columns)))


def _row(state: DiceState, sheet: Sheet, row: str) -> RowView:
    box = state.box
    boxes = tuple(
        BoxView(
            "built" if column in sheet.built[row] else "open" if sheet.is_open(row, column) else "lost",
            _brings(box, row, column),
        )
        for column in COLUMNS
    )
    links = tuple(
        T("{one}-{other}: {gain}", one=one, other=other, gain=gain_text(link.gain, link.amount))
        for link in box.links
        if link.row == row
        for one, other in (tuple(_number(state, column) for column in link.columns),)
    )
    return RowView(item_name(row), COLOUR[row][0], boxes, links)


def _number(state: DiceState, column: int) -> int:
    """The number of a column, or its place before the numbers are known."""
    return state.numbering[column - 1] if state.numbering else column


def _brings(box: DiceBox, row: str, column: int) -> Msg:
    """What a building brings, as short as on the sheet."""
    if row in WORKS:
        return _gain(COLOUR[row], box.work)
    if row == "fortress":
        return _gain(*box.fortress[column - 1])
    if row == "great_hall":
        counts, gain, each = box.great_hall[column - 1]
        return T("{gain}/{die}", gain=_gain(gain, each), die=_letter(counts))
    return T("each {row}", row=item_name(box.cathedral[column - 1]))


def _letter(colour: str) -> Msg:
    """A colour of dice or citizens by its letter."""
    return {"red": T.of("a colour", "R"), "yellow": T.of("a colour", "Y"), "white": T.of("a colour", "W")}[colour]


def _gain(what: str, n: int) -> Msg:
    """So many citizens of a colour or of a resource, by the letter."""
    return {
        "red": T("{n}R", n=n),
        "yellow": T("{n}Y", n=n),
        "white": T("{n}W", n=n),
        "influence": T("{n}i", n=n),
        "denier": T("{n}d", n=n),
        "knowledge": T("{n}k", n=n),
    }[what]
