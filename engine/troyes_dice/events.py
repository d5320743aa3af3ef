"""What happens in a game, a class for each kind of event (engine.kit.events): the only code that changes a table.

An event holds exact numbers (losses at the end of a track, where each die lay), so applying it needs no rule. Kinds are
never renamed once released.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, TypeAlias

from engine.chance import Draw, Purpose
from engine.errors import PositionError
from engine.event_log import LogEntry
from engine.kit.edits import Edited
from engine.kit.events import ONLY, Beginning, Event, EventTypes
from engine.kit.rolls import Rolled
from engine.kit.transaction import Transaction
from engine.troyes_dice.card_data import DiceBox, load_box
from engine.troyes_dice.card_data.sheet import RESOURCES, Sheet
from engine.troyes_dice.state import edits
from engine.troyes_dice.state.dice import sorted_dice
from engine.troyes_dice.state.dice_state import SLOTS, DiceState, Die, Plaza
from engine.troyes_dice.state.kept_plans import BrokenPlan, KeptPlan
from engine.troyes_dice.state.orders import Answer, SealedAnswer
from engine.values import fixed


@fixed(kw_only=True)
class Begins(Beginning[DiceState]):
    """Seats, facts and plazas; `first_number` is that of the leftmost column, 0 if none was rolled."""

    seats: dict[str, str]
    options: dict[str, str]
    crier: str
    plazas: tuple[Plaza, ...]
    first_number: int = 0
    draws: list[Any]
    box: dict[str, Any]

    def begun(self, box: DiceBox | None = None) -> DiceState:
        """Return the table; `box` is the one that the entry holds, if it is at hand."""
        box = box or load_box(self.box)
        sheets = {seat: Sheet(circled=dict.fromkeys(RESOURCES, box.start)) for seat in self.seats}
        return DiceState(
            box=box, options=dict(self.options), names=dict(self.seats), crier=self.crier,
            first_number=self.first_number, plazas=self.plazas, sheets=sheets,
        )  # fmt: skip


# The wheel.


@fixed
class Numbered(Event[DiceState]):
    """The numbers of the columns from the left; `seat` is the crier who chose them."""

    kind = "numbered"
    numbers: tuple[int, ...]
    seat: str = ""

    def apply(self, state: DiceState) -> None:
        state.numbering = self.numbers


@fixed
class HalfDayOpens(Event[DiceState]):
    """A morning or an afternoon."""

    kind = "half_day"
    day: int
    half: str

    def apply(self, state: DiceState) -> None:
        state.phase, state.day, state.half, state.dice = "half day", self.day, self.half, ()


@fixed
class DiceLaid(Event[DiceState]):
    """Values and plazas by slot; `black` is the slot of the black die. A rule position lays them without a roll."""

    kind = "rolled"
    draws_for = ("dice",)
    values: tuple[int, ...]
    black: int
    colours: tuple[str, ...]
    rolled: Rolled | None = None

    def draw(self, state: DiceState, past: Sequence[LogEntry]) -> Draw:
        one, up = self.rolled, tuple([plaza.up for plaza in state.row()])
        if one and (*sorted_dice(one.numbers[:-1], one.numbers[-1]), up) != (self.values, self.black, self.colours):
            raise PositionError("the dice are not laid as they were rolled")
        return Draw(Purpose(state.half_day, "dice"), SLOTS)

    def apply(self, state: DiceState) -> None:
        state.dice = tuple([Die(value, slot == self.black) for slot, value in enumerate(self.values)])


@fixed
class Feeds(Event[DiceState]):
    """A banquet keeps the black die from destroying its plaza."""

    kind = "banquet"
    slot: int


@fixed
class Destroys(Event[DiceState]):
    """A plaza is destroyed, by the black die or by one that a raid has turned black."""

    kind = "destroyed"
    slot: int
    colour: str
    black: bool

    def apply(self, state: DiceState) -> None:
        dice = list(state.dice)
        dice[self.slot] = replace(dice[self.slot], gone=True)
        state.dice = tuple(dice)


@fixed
class Attacks(Event[DiceState]):
    """A die box is crossed out for the seats in `crossed`, who lose these rows; a Fortress keeps some `safe`."""

    kind = "attack"
    number: int
    colour: str
    column: int
    crossed: dict[str, tuple[str, ...]]
    safe: tuple[str, ...]

    def apply(self, state: DiceState) -> None:
        sheets = dict(state.sheets)
        for seat in self.crossed:
            sheets[seat] = sheet = sheets[seat].copy()
            sheet.crossed = {**sheet.crossed, self.colour: (*sheet.crossed[self.colour], self.column)}
        state.sheets = sheets


@fixed
class Flips(Event[DiceState]):
    """Plazas come back turned over, and `tiles` at those in `raids` show their raid side."""

    kind = "flips"
    notches: tuple[int, ...]
    raids: tuple[int, ...]
    tiles: tuple[str, ...]

    def apply(self, state: DiceState) -> None:
        plazas = list(state.plazas)
        for notch in self.notches:
            plazas[notch] = replace(plazas[notch], up=plazas[notch].down, down=plazas[notch].up)
        for notch in self.raids:
            plazas[notch] = replace(plazas[notch], side="raid")
        state.plazas = tuple(plazas)


# What an answer does to one sheet, or would do when an order is only looked at.


@fixed
class SheetChange(Event[DiceState]):
    """An event that changes one seat's sheet."""

    seat: str

    def mark(self, sheet: Sheet) -> None:
        """Change a sheet that no position holds yet; tables that change are replaced."""

    def apply(self, state: DiceState) -> None:
        sheet = state.sheets[self.seat].copy()
        self.mark(sheet)
        state.sheets = {**state.sheets, self.seat: sheet}


@fixed
class Spends(SheetChange):
    """All that is paid."""

    kind = "spends"
    influence: int = 0
    denier: int = 0
    knowledge: int = 0

    def mark(self, sheet: Sheet) -> None:
        sheet.spent = {resource: n + getattr(self, resource) for resource, n in sheet.spent.items()}


@fixed
class Circles(SheetChange):
    """Resources gained; `lost` are those beyond the end of the track."""

    kind = "circles"
    resource: str
    by: int
    lost: int = 0

    def mark(self, sheet: Sheet) -> None:
        sheet.circled = {**sheet.circled, self.resource: sheet.circled[self.resource] + self.by}


@fixed
class Citizens(SheetChange):
    """Citizens gained, maybe `instead` of those of a full track; one may be `lost`."""

    kind = "citizens"
    colour: str
    by: int
    instead: str = ""
    lost: int = 0

    def mark(self, sheet: Sheet) -> None:
        sheet.citizens = {**sheet.citizens, self.colour: sheet.citizens[self.colour] + self.by}


@fixed
class Builds(SheetChange):
    """A building is drawn; a Cathedral counts `number` for each building of its row."""

    kind = "builds"
    row: str
    column: int
    number: int = 0

    def mark(self, sheet: Sheet) -> None:
        if not sheet.is_open(self.row, self.column):
            raise PositionError("cannot be drawn", f"{self.row} {self.column}")
        sheet.built = {**sheet.built, self.row: (*sheet.built[self.row], self.column)}


@fixed(kw_only=True)
class Rewarded(SheetChange):
    """A bonus, whose gains follow: a link of a row, or one `at` so many citizens of one colour or of all."""

    kind = "bonus"
    bonus: str
    row: str = ""
    columns: tuple[int, ...] = ()
    colour: str = ""
    at: int = 0
    lost: bool = False


SheetEvent: TypeAlias = Spends | Circles | Citizens | Builds | Rewarded


# Who is asked, and answers.


@fixed
class Asks(Event[DiceState]):
    """Who is asked what, under one number; and, for each seat alone, the answer that its standing order has given.

    `why` names the standing order and its goal (`later 2`, `auto 1`, `bonus`); `cancelled` says why one no longer
    holds.
    """

    kind = "asks"
    asked: dict[str, str]
    number: int
    answers: dict[str, SealedAnswer] = field(default_factory=dict, metadata=ONLY)
    does: dict[str, tuple[SheetEvent, ...]] = field(default_factory=dict, metadata=ONLY)
    why: dict[str, str] = field(default_factory=dict, metadata=ONLY)
    plans: dict[str, tuple[KeptPlan, ...]] = field(default_factory=dict, metadata=ONLY)
    """Standing orders that still hold."""
    cancelled: dict[str, BrokenPlan] = field(default_factory=dict, metadata=ONLY)

    def apply(self, state: DiceState) -> None:
        state.asked, state.number = dict(self.asked), self.number
        if self.answers:
            state.sealed = state.sealed | self.answers
        state.plans = dict(self.plans)


@fixed
class Sealed(Event[DiceState]):
    """An answer with what it does, or that it is `withdrawn`: for its own seat alone; others see no seat.

    It may hold instead what its seat has `said` for later, with its `plans` after that: the kind of the standing order,
    `cancel`, `cancel later` (the seat is asked nothing now), or `undo`. `why` as in `Asks`.
    """

    kind = "sealed"
    answers: dict[str, SealedAnswer] = field(default_factory=dict, metadata=ONLY)
    does: dict[str, tuple[SheetEvent, ...]] = field(default_factory=dict, metadata=ONLY)
    withdrawn: dict[str, bool] = field(default_factory=dict, metadata=ONLY)
    said: dict[str, str] = field(default_factory=dict, metadata=ONLY)
    plans: dict[str, tuple[KeptPlan, ...]] = field(default_factory=dict, metadata=ONLY)
    why: dict[str, str] = field(default_factory=dict, metadata=ONLY)

    def apply(self, state: DiceState) -> None:
        state.sealed = {
            seat: answer for seat, answer in (state.sealed | self.answers).items() if seat not in self.withdrawn
        }
        if self.plans:
            kept = {seat: plans for seat, plans in state.plans.items() if seat not in self.plans}
            state.plans = kept | {seat: plans for seat, plans in self.plans.items() if plans}


@fixed
class Shows(Event[DiceState]):
    """The answers of these seats are opened; what each does follows."""

    kind = "shown"
    shows = True
    seats: tuple[str, ...]

    def apply(self, state: DiceState) -> None:
        state.sealed, state.asked = {}, {}


@fixed
class Acts(Event[DiceState]):
    """The order of a seat, and its `die` in the words that tell it apart. What it does follows."""

    kind = "acts"
    seat: str
    order: Answer
    die: str = ""


@fixed
class Forgets(Event[DiceState]):
    """Everybody has to answer anew, and all standing orders are cancelled."""

    kind = "forgets"

    def apply(self, state: DiceState) -> None:
        state.sealed, state.plans = {}, {}


class TableEdited(Edited):
    """A moderator's repair; answers that rest on what it changes are forgotten."""

    __slots__ = ()
    repairs = edits.REPAIRS

    def apply(self, state: DiceState) -> None:
        self.repairs.fold(state, self)
        edits.forget_answers(state, self.path)


# The end.


@fixed
class Scored(Event[DiceState]):
    """One seat's points by component."""

    kind = "scored"
    seat: str
    parts: dict[str, int]

    def apply(self, state: DiceState) -> None:
        state.scores = {**state.scores, self.seat: dict(self.parts)}


@fixed
class Over(Event[DiceState]):
    """The game is over."""

    kind = "over"

    def apply(self, state: DiceState) -> None:
        state.phase, state.asked, state.plans = "over", {}, {}


class DicePlay(Transaction[DiceState]):
    """A run of the rules on one table."""

    __slots__ = ()
    kinds = EventTypes(sys.modules[__name__])

    def carry_out(self, acts: Acts, does: Sequence[SheetChange], sheet: Sheet) -> None:
        """Record an answer and what it does; `sheet` is the sheet after it, worked out on this position."""
        self.facts += (acts, *does)
        self.state.sheets = {**self.state.sheets, acts.seat: sheet}

    @classmethod
    def follows(cls, state: DiceState, past: Sequence[LogEntry], fact: Event[DiceState]) -> None:
        if (past[-1].kind == HalfDayOpens.kind) is not isinstance(fact, DiceLaid):
            raise PositionError("dice are rolled when a half day opens, and only then")


def fold(state: DiceState | None, entries: Sequence[LogEntry]) -> DiceState:
    """Return the table after `entries`; `state` stays as it was. Raises PositionError if one does not fit."""
    return DicePlay.fold(state and state.copy(), entries)
