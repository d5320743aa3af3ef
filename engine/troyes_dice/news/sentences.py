"""Sentences about events, and the news made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from engine import data_paths
from engine.catalog import Msg, T
from engine.event_log import LogEntry
from engine.game import Line
from engine.kit.events import Event
from engine.troyes_dice import events as did
from engine.troyes_dice.actions.bonus_chain import BonusChoice, choice_texts
from engine.troyes_dice.actions.scoring import winners
from engine.troyes_dice.card_data.item_names import item_name
from engine.troyes_dice.card_data.phrases import colour_name
from engine.troyes_dice.events import DicePlay
from engine.troyes_dice.news import standing_order_text
from engine.troyes_dice.news.effects import effects_text
from engine.troyes_dice.notation.writing import answer_message
from engine.troyes_dice.state.dice_state import MORNING, DiceState
from engine.troyes_dice.state.orders import Fallback


def tell_news(state: DiceState, entries: Sequence[LogEntry], reader: str | None, first: int = 0) -> tuple[Line, ...]:
    """Return sentences for `reader` (None: a spectator); `first` is the number of the first entry.

    Before a half day closes only its own seat is told of an answer; nobody else learns that there is one.
    """
    return tuple(_lines(state, tuple(DicePlay.kinds.read(entries)), reader, first))


def _lines(state: DiceState, facts: Sequence[Event[DiceState]], reader: str | None, first: int) -> Iterator[Line]:
    closes = any(isinstance(fact, did.Shows) for fact in facts)
    half = T("The dice")
    for end, fact in enumerate(facts, first):
        match fact:
            case did.Acts():
                behind = islice(facts, end - first + 1, None)
                does = list(takewhile(lambda one: isinstance(one, did.SheetChange), behind))
                yield Line(
                    _acted(state, fact, effects_text(does), reader), fact.seat == reader, end + len(does), fact.seat
                )
            case did.Sealed() if reader is not None:
                # An answer that closes the half day is told with what it does.
                fired = [standing_order_text.fired_text(fact.why[reader])] if reader in fact.why else []
                answered = fired if closes else _sealed(fact, reader)
                yield from (
                    Line(said, True, end, reader) for said in (*answered, *standing_order_text.kept_text(fact, reader))
                )
            case did.Asks() if reader is not None:
                yield from (Line(said, True, end, reader) for said in standing_order_text.opening_text(fact, reader))
            case did.HalfDayOpens(day=day, half=half_):
                half = T("Day {day}, morning", day=day) if half_ == MORNING else T("Day {day}, afternoon", day=day)
            case did.DiceLaid():
                yield Line(T("{half}: {dice}.", half=half, dice=_dice(fact)), False, end)
            case did.Attacks():
                yield from (Line(said, mine, end) for said, mine in _attacked(state, fact, reader))
            case _:
                if other := event_sentence(state, fact, reader):
                    yield Line(
                        other,
                        isinstance(fact, did.TableEdited) and fact.path.startswith(f"{reader}."),
                        end,
                        final=isinstance(fact, did.Scored | did.Over),
                    )


def _dice(fact: did.DiceLaid) -> tuple[Msg, ...]:
    return tuple(
        T("black {value} on {colour}", value=value, colour=colour_name(colour))
        if slot == fact.black
        else T("{colour} {value}", colour=colour_name(colour), value=value)
        for slot, (value, colour) in enumerate(zip(fact.values, fact.colours, strict=True))
    )


def _acted(state: DiceState, fact: did.Acts, does: Msg, reader: str | None) -> Msg:
    if fact.seat == reader:
        if isinstance(fact.order, Fallback):
            return T("You can pay for no die: {effects}.", effects=does)
        return T("You: «{order}»: {effects}.", order=answer_message(fact.order, fact.die), effects=does)
    who = state.names[fact.seat]
    if isinstance(fact.order, Fallback):
        return T("{name} can pay for no die: {effects}.", name=who, effects=does)
    return T("{name}: «{order}»: {effects}.", name=who, order=answer_message(fact.order, fact.die), effects=does)


def _sealed(fact: did.Sealed, reader: str) -> Iterator[Msg]:
    if reader in fact.withdrawn:
        yield T("Your sealed answer is taken back; you have not answered.")
    if reader not in fact.answers:
        return
    does = effects_text(fact.does[reader])
    if fact.answers[reader].open:
        yield T("A choice is still open; so far: {effects}.", effects=does)
    elif reader in fact.why:
        yield standing_order_text.sealed_text(fact.why[reader], does)
    else:
        yield T("Sealed until everybody has answered: {effects}.", effects=does)


def _attacked(state: DiceState, fact: did.Attacks, reader: str | None) -> Iterator[tuple[Msg, bool]]:
    """What the attack costs the reader, if it is a seat; then what it costs others."""
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
    names = [item_name(row) for row in rows]
    return T("{one} and {other}", one=names[0], other=names[1]) if len(names) == 2 else T("{one}", one=names[0])


def _victim(who: str, lost: Sequence[str]) -> Msg:
    return T("{name} loses {lost}", name=who, lost=_both(lost)) if lost else T("{name} loses nothing", name=who)


def event_sentence(state: DiceState, fact: Event[DiceState], reader: str | None) -> Msg | None:
    """Return what `reader` is told of an event that stands alone; None if nothing."""
    match fact:
        case did.Begins(first_number=n) if n:
            return T("The leftmost column is rolled: {n}.", n=n)
        case did.Numbered(numbers=numbers, seat=seat):
            line = " ".join(map(str, numbers))
            if seat and seat == reader:
                return T("You number the columns {numbers}.", numbers=line)
            if seat:
                return T("{name} numbers the columns {numbers}.", name=state.names[seat], numbers=line)
            return T("The columns are numbered {numbers}.", numbers=line)
        case did.Feeds():
            return T("The banquet at its plaza feeds the black die: it destroys nothing and can be used.")
        case did.Destroys(colour=colour, black=False):
            return T("The raid at its plaza turns a {colour} die black: it strikes too.", colour=colour_name(colour))
        case did.Flips(tiles=tiles) if tiles:
            return T("Turned to its raid side: {tiles}.", tiles=tuple(item_name(f"tile {id_}") for id_ in tiles))
        case did.Scored(seat=seat, parts=parts):
            return T(
                "{name}: {total} VP (characters {characters}, resources {resources}, citizens {citizens}).",
                name=state.names[seat],
                total=sum(parts.values()),
                **parts,
            )
        case did.Over():
            return _over(state, reader)
        case did.Forgets():
            return T("Sealed answers to this half day are forgotten; everybody answers anew.")
        case did.TableEdited():
            return _edited(state, fact, reader)
    return None


def _over(state: DiceState, reader: str | None) -> Msg:
    """Who has won; alone there is nobody to win against."""
    won = winners(state.scores)
    if len(state.scores) < 2:
        return T("The game is over.")
    if won == [reader]:
        return T("The game is over: you have won.")
    who = tuple(T("you") if seat == reader else state.names[seat] for seat in won)
    if len(won) > 1:
        return T("The game is over: {who} share the victory.", who=who)
    return T("The game is over: {who} has won.", who=who)


COUNTS = {
    "citizens.red": T("red citizens"), "citizens.yellow": T("yellow citizens"), "citizens.white": T("white citizens"),
    "circled.influence": T("influence, circled"), "circled.denier": T("deniers, circled"),
    "circled.knowledge": T("knowledge, circled"), "spent.influence": T("influence, spent"),
    "spent.denier": T("deniers, spent"), "spent.knowledge": T("knowledge, spent"),
}  # fmt: skip
"""The counts of a sheet that a repair can change."""


def _edited(state: DiceState, fact: did.TableEdited, reader: str | None) -> Msg | None:
    if fact.path.endswith(".name") and not fact.reason:
        # Whoever renames a seat says so in words of the post room.
        return None
    there = {side: value for side in ("before", "after") if (value := getattr(fact, side)) is not data_paths.NOTHING}
    seat, _, rest = fact.path.partition(".")
    what: Msg | str = fact.path
    if seat in state.names and (count := COUNTS.get(rest)) is not None:
        mine = seat == reader
        what = T("your {count}", count=count) if mine else T("{count} of {who}", count=count, who=state.names[seat])
    says = data_paths.correction_text(what, data_paths.edit_sides(there, T("nothing")))
    return T("{sentence} Reason: «{reason}»", sentence=says, reason=fact.reason) if fact.reason else says


def bonus_question(choice: BonusChoice) -> Msg:
    """Return what a bonus asks."""
    options = choice_texts(choice)
    match choice.kind:
        case "work":
            return T("Choose the work building that your bonus brings: {options}.", options=options)
        case "prestige":
            return T("Choose the prestige building that your bonus brings: {options}.", options=options)
        case "banquet":
            return T("Choose the colour of the banquet's second citizen: {options}.", options=options)
    return T("That citizen track is full; choose another for your citizen: {options}.", options=options)
