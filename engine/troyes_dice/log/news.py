"""The entries as sentences for one reader: what happened, in order, one sentence for each thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.game import Line
from engine.kit.facts import Fact
from engine.troyes_dice.box.phrases import colour_name
from engine.troyes_dice.box.words import name
from engine.troyes_dice.entries import (
    Acts,
    Attacks,
    Course,
    DiceLaid,
    HalfDayOpens,
    OnSheet,
    Sealed,
    Shows,
    TableEdited,
)
from engine.troyes_dice.log.phrases import effects, happening
from engine.troyes_dice.notation.writing import answer_text
from engine.troyes_dice.state.orders import Fallback
from engine.troyes_dice.state.state import MORNING, DiceState


def tell(state: DiceState, entries: Sequence[Entry], reader: str | None, first: int = 0) -> tuple[Line, ...]:
    """Sentences for `reader` (None: anybody); `first` is the number of the first entry.

    Before a half day closes an answer is told to its own seat only; nobody is told that there is one.
    """
    return tuple(_lines(state, tuple(Course.kinds.read(entries)), reader, first))


def _lines(state: DiceState, facts: Sequence[Fact[DiceState]], reader: str | None, first: int) -> Iterator[Line]:
    closes = any(isinstance(fact, Shows) for fact in facts)
    half = T("The dice")
    for end, fact in enumerate(facts, first):
        match fact:
            case Acts():
                does = list(_of_sheet(islice(facts, end - first + 1, None)))
                yield Line(_acted(state, fact, effects(does)), fact.seat == reader, end + len(does), fact.seat)
            case Sealed() if reader is not None and not closes:
                if said := _sealed(fact, reader):
                    yield Line(said, True, end, reader)
            case HalfDayOpens(day=day, half=half_):
                half = T("Day {day}, morning", day=day) if half_ == MORNING else T("Day {day}, afternoon", day=day)
            case DiceLaid():
                yield Line(T("{half}: {dice}.", half=half, dice=_dice(fact)), False, end)
            case Attacks():
                yield from (Line(said, mine, end) for said, mine in _attacked(state, fact, reader))
            case _:
                if other := happening(state, fact):
                    yield Line(other, isinstance(fact, TableEdited) and fact.path.startswith(f"{reader}."), end)


def _of_sheet(facts: Iterable[Fact[DiceState]]) -> Iterator[OnSheet]:
    """What one seat's answer did, up to the next thing."""
    for fact in facts:
        if not isinstance(fact, OnSheet):
            return
        yield fact


def _dice(fact: DiceLaid) -> tuple[Msg, ...]:
    return tuple(
        T("black {value} on {colour}", value=value, colour=colour_name(colour))
        if slot == fact.black
        else T("{colour} {value}", colour=colour_name(colour), value=value)
        for slot, (value, colour) in enumerate(zip(fact.values, fact.colours, strict=True))
    )


def _acted(state: DiceState, fact: Acts, does: Msg) -> Msg:
    name = state.names[fact.seat]
    if isinstance(fact.order, Fallback):
        return T("{name} can pay for no die: {effects}.", name=name, effects=does)
    return T("{name}: «{order}»: {effects}.", name=name, order=answer_text(fact.order, fact.die), effects=does)


def _sealed(fact: Sealed, reader: str) -> Msg | None:
    if reader in fact.withdrawn:
        return T("Your sealed answer is taken back; you have not answered.")
    if reader not in fact.answers:
        return None
    does = effects(fact.does[reader])
    if fact.answers[reader].open:
        return T("A choice is still open; so far: {effects}.", effects=does)
    return T("Sealed until everybody has answered: {effects}.", effects=does)


def _attacked(state: DiceState, fact: Attacks, reader: str | None) -> Iterator[tuple[Msg, bool]]:
    """What it costs the reader, if it is a seat; then what it costs others."""
    target = T("{colour} {number}", colour=colour_name(fact.colour), number=fact.number)
    column = fact.column
    if reader in fact.crossed:
        yield _cost(target, column, fact.crossed[str(reader)]), True
    elif reader in fact.safe:
        yield (
            T(
                "The black die attacks {target}: your Fortress keeps column {column} safe.",
                target=target,
                column=column,
            ),
            True,
        )
    elif reader is not None:
        yield T("The black die attacks {target}, which you have crossed out already.", target=target), True
    others = tuple(_victim(state.names[seat], lost) for seat, lost in fact.crossed.items() if seat != reader)
    if others:
        yield (
            T(
                "The black die attacks {target}, column {column}: {victims}.",
                target=target,
                column=column,
                victims=others,
            ),
            False,
        )
    elif reader is None:
        yield T("The black die attacks {target}: nobody is hit.", target=target), False


def _cost(target: Msg, column: int, lost: Sequence[str]) -> Msg:
    if not lost:
        return T(
            "The black die attacks {target}: you cross out that die in column {column}; both buildings stand.",
            target=target,
            column=column,
        )
    return T(
        "The black die attacks {target}: in column {column} you lose {lost}.",
        target=target,
        column=column,
        lost=_both(lost),
    )


def _both(rows: Sequence[str]) -> Msg:
    """One or both buildings of a die box."""
    names = [name(row) for row in rows]
    return T("{one} and {other}", one=names[0], other=names[1]) if len(names) == 2 else T("{one}", one=names[0])


def _victim(name: str, lost: Sequence[str]) -> Msg:
    return T("{name} loses {lost}", name=name, lost=_both(lost)) if lost else T("{name} loses nothing", name=name)
