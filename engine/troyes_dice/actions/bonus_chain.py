"""What one order does to one sheet: payment, use, and the bonuses it sets off.

Section 4.5 of the rulings: a batch of gains is finished first. Then the bonuses it triggered come first in, first out;
of those that a batch triggers together the column bonus comes first, then the tracks red, yellow, white, then the
links. Events are found here and recorded later (plan, then do).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import NotAllowed
from engine.troyes_dice.card_data import DiceBox, Link
from engine.troyes_dice.card_data.phrases import typed_text
from engine.troyes_dice.card_data.sheet import COLOUR, COLOUR_OF_RESOURCE, COLOURS, RESOURCES, WORK, WORKS, Sheet
from engine.troyes_dice.events import Builds, Circles, Citizens, Rewarded, SheetEvent
from engine.troyes_dice.state.dice import LaidDie, count_dice
from engine.values import fixed

Gain = tuple[str, int]
"""A resource, a colour of citizens, or `CHOSEN`; and how many."""
CHOSEN = "chosen"
"""Citizens of one of `CHOSEN_FROM`."""
CHOSEN_FROM = ("yellow", "white")

Trigger = tuple[str, str, int]
"""Kind of bonus, its colour or link, and its place on the track."""
CitizenCounts = tuple[int, int, int]
"""Citizens of each of `COLOURS`."""


@fixed
class BonusChoice:
    """A choice that a bonus leaves: `kind` is work, prestige, banquet or overflow; `options` are its words."""

    kind: str
    options: tuple[str, ...]


class Undecided(Exception):  # noqa: N818 - a question, no error
    """Raised when the order leaves a choice open."""

    def __init__(self, choice: BonusChoice) -> None:
        super().__init__(choice.kind)
        self.choice = choice


class BonusChain:
    """Gains and bonuses on a sheet. `facts` are the events found; `used` counts the `given` choices taken.

    With `explicit`, a choice with one legal outcome takes a given word too, if it is that outcome.
    """

    __slots__ = ("_links", "_seen", "box", "dice", "explicit", "facts", "given", "seat", "sheet", "taken", "used")

    def __init__(
        self,
        box: DiceBox,
        seat: str,
        sheet: Sheet,
        dice: Sequence[LaidDie],
        given: Sequence[str],
        explicit: bool = False,
    ) -> None:
        self.box, self.seat, self.dice, self.given, self.explicit = box, seat, dice, given, explicit
        self.sheet = sheet.copy()
        self.facts: list[SheetEvent] = []
        self.taken: list[str] = []
        self.used = 0
        self._seen = sheet.citizens
        self._links: list[Trigger] = []

    def record(self, fact: SheetEvent) -> None:
        """Find one event and apply it."""
        fact.mark(self.sheet)
        self.facts.append(fact)

    # Gains.

    def gain(self, resource: str, amount: int) -> None:
        """Circle resources, and the citizens at their places; what is beyond the track is lost (A11)."""
        if not amount:
            return
        at = self.sheet.circled[resource]
        to = min(at + amount, self.box.track)
        self.record(Circles(self.seat, resource, to - at, at + amount - to))
        for place in self.box.citizen_places:
            if at < place <= to:
                self.citizens(COLOUR_OF_RESOURCE[resource], 1)

    def citizens(self, colour: str, amount: int) -> None:
        """Circle citizens; one too many goes on another track of the player's choice (A12)."""
        fits = min(amount, self.box.crowd - self.sheet.citizens[colour])
        if fits > 0:
            self.record(Citizens(self.seat, colour, fits))
        for _ in range(amount - max(fits, 0)):
            free = tuple(other for other in COLOURS if self.sheet.citizens[other] < self.box.crowd)
            other = self.choose(BonusChoice("overflow", free)) if free else ""
            self.record(Citizens(self.seat, other, 1, colour) if free else Citizens(self.seat, colour, 0, lost=1))

    def any_gain(self, gain: str, amount: int) -> None:
        """Gain resources, or citizens of a colour."""
        if gain in RESOURCES:
            self.gain(gain, amount)
        else:
            self.citizens(gain, amount)

    def each(self, amount: int) -> None:
        """Gain so many of each resource."""
        for resource in RESOURCES:
            self.gain(resource, amount)

    # Buildings.

    def build(self, row: str, column: int, die: LaidDie | None = None) -> None:
        """Draw a building and take what it brings; `die` builds it, None for a bonus (E5)."""
        box = self.box
        number = box.multipliers[len(self.sheet.built[row])] if row == "cathedral" else 0
        self.record(Builds(self.seat, row, column, number))
        for what, n in building_gains(box, self.dice, row, column, die.banquet if die is not None else ""):
            if what != CHOSEN:
                self.any_gain(what, n)
            elif n:
                self.citizens(self.choose(BonusChoice("banquet", CHOSEN_FROM)), n)
        self._links += [("link", link.id, 0) for link in completed_links(box, self.sheet, row, column)]

    # Bonuses.

    def settle(self) -> None:
        """Resolve every bonus that the gains set off, and those that follow. Raises Undecided."""
        queue = self._triggered()
        for kind, what, at in queue:
            self._bonus(kind, what, at)
            # The list is gone through to its end, which moves: first in, first out.
            queue += self._triggered()

    def _triggered(self) -> list[Trigger]:
        """Return the bonuses that the last batch set off, in the ruled order."""
        before, now, completed = self._seen, self.sheet.citizens, self._links
        if before is now and not completed:
            return []
        self._seen, self._links = now, []
        return [*bonuses_reached(self.box, citizen_counts(before), citizen_counts(now)), *completed]

    def _bonus(self, kind: str, what: str, at: int) -> None:
        box = self.box
        if kind == "link":
            link = next(link for link in box.links if link.id == what)
            self.record(Rewarded(seat=self.seat, bonus=kind, row=link.row, columns=link.columns))
            self.any_gain(link.gain, link.amount)
        elif kind == "resources":
            self.record(Rewarded(seat=self.seat, bonus=kind, at=at))
            self.each(box.resources_each)
        elif kind == "full":
            self.record(Rewarded(seat=self.seat, bonus=kind, colour=what, at=at))
            for colour in COLOURS:
                if colour != what:
                    self.citizens(colour, box.full_each[what])
        else:
            rows = tuple(WORK.values()) if kind == "work" else box.prestige[what]
            options = tuple(f"{row} {column}" for row in rows for column in self.sheet.open_columns(row))
            colour = "" if kind == "work" else what
            row, _, column = (self.choose(BonusChoice(kind, options)) if options else "").partition(" ")
            self.record(Rewarded(seat=self.seat, bonus=kind, colour=colour, at=at, lost=not options))
            if options:
                self.build(row, int(column))

    def choose(self, choice: BonusChoice) -> str:
        """Return the next given word, or the only legal one, which is not asked.

        Raises Undecided if none is given, NotAllowed for a wrong one.
        """
        more = self.used < len(self.given)
        if len(choice.options) == 1:
            if self.explicit and more and self.given[self.used] == choice.options[0]:
                self.used += 1
            return choice.options[0]
        if not more:
            raise Undecided(choice)
        word = self.given[self.used]
        if word not in choice.options:
            raise NotAllowed(
                T(
                    "The bonus cannot be {word}; it can be: {options}.",
                    word=typed_text(word),
                    options=choice_texts(choice),
                )
            )
        self.used += 1
        self.taken.append(word)
        return word


def choice_texts(choice: BonusChoice) -> tuple[Msg, ...]:
    """Return the options of a choice as people type them; buildings of a row together: `city-hall 1, 3, 4`."""
    if not choice.options[0].partition(" ")[2]:
        return tuple(map(typed_text, choice.options))
    rows: dict[str, list[str]] = {}
    for option in choice.options:
        row, _, column = option.partition(" ")
        rows.setdefault(row, []).append(column)
    return tuple(typed_text(f"{row} {'/'.join(columns)}") for row, columns in rows.items())


# What a building brings by itself, and which bonuses are reached.


def building_gains(box: DiceBox, dice: Sequence[LaidDie], row: str, column: int, banquet: str) -> tuple[Gain, ...]:
    """Return what a building brings, in its order; `banquet` feeds the die that builds it."""
    tile = box.banquets[banquet] if banquet else {}
    if row == "great_hall":
        counts, gain, each = box.great_hall[column - 1]
        return ((gain, each * (count_dice(dice, counts) + (tile["dice"] if banquet == "great_hall" else 0))),)
    if row in WORKS:
        return ((COLOUR[row], box.work + (tile["citizens"] if banquet == "work" else 0)),)
    if row == "fortress":
        more = (("red", tile["red"]), (CHOSEN, tile["other"])) if banquet == "fortress" else ()
        return (box.fortress[column - 1], *more)
    return tuple((one, tile["each"]) for one in RESOURCES) if banquet == "cathedral" else ()


def citizen_counts(citizens: Mapping[str, int]) -> CitizenCounts:
    """Return how many citizens there are, from the table of a sheet."""
    return citizens["red"], citizens["yellow"], citizens["white"]


@lru_cache(20_000)
def bonuses_reached(box: DiceBox, before: CitizenCounts, now: CitizenCounts) -> tuple[Trigger, ...]:
    """Return the bonuses that one batch of citizens sets off, in the ruled order."""
    low, high = min(before), min(now)
    columns = [(at, "resources") for at in box.resources_at] + [(at, "work") for at in box.work_at]
    found: list[Trigger] = [(kind, "column", at) for at, kind in sorted(columns) if low < at <= high]
    for colour, was, is_ in zip(COLOURS, before, now, strict=True):
        for kind, at in (("prestige", box.prestige_at[colour]), ("full", box.full_at[colour])):
            if was < at <= is_:
                found.append((kind, colour, at))
    return tuple(found)


def completed_links(box: DiceBox, sheet: Sheet, row: str, column: int) -> list[Link]:
    """Return the links that a building completes, drawn already or not."""
    found, drawn = box.linked.get((row, column), ()), (column, *sheet.built[row])
    return [link for link in found if link.columns[0] in drawn and link.columns[1] in drawn]
