"""The entries as sentences for one reader: what happened, in order, one sentence for each thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import editing
from engine.catalog import Msg, T
from engine.chronicle import Data, Entry
from engine.game import Line
from engine.troyes_dice.box.phrases import colour_name, named
from engine.troyes_dice.entries import SHEET_FOLDS
from engine.troyes_dice.log.summary import Fact, effects
from engine.troyes_dice.state.state import MORNING, DiceState


def tell(state: DiceState, entries: Sequence[Entry], reader: str | None, first: int = 0) -> tuple[Line, ...]:
    """Sentences for `reader` (None: anybody); `first` is the number of the first entry.

    Before a half day closes an answer is told to its own seat only; nobody is told that there is one.
    """
    return tuple(_lines(state, entries, reader, first))


def _lines(state: DiceState, entries: Sequence[Entry], reader: str | None, first: int) -> Iterator[Line]:
    closes = any(entry.kind == "shown" for entry in entries)
    half: Msg | None = None
    at = 0
    while at < len(entries):
        entry, begins = entries[at], at
        data = entry.data
        at += 1
        end = first + begins
        if entry.kind == "acts":
            facts, at = _of_sheet(entries, at)
            seat = data["seat"]
            yield Line(_acted(state, data, facts), seat == reader, first + at - 1, seat)
        elif entry.kind == "sealed":
            private = entry.only.get(reader, {}) if reader else {}
            if private and not closes:
                yield Line(_sealed(private), True, end, str(reader))
        elif entry.kind == "half_day":
            half = _half(data)
        elif entry.kind == "rolled":
            said = T("{half}: {dice}.", half=half or T("The dice"), dice=_dice(data))
            yield Line(said, False, end)
        elif entry.kind == "attack":
            yield from _attack(state, data, reader, end)
        else:
            other = _other(state, data, entry.kind)
            if other is not None:
                yield Line(other, entry.kind == "edited" and data["path"].startswith(f"{reader}."), end)


def _of_sheet(entries: Sequence[Entry], at: int) -> tuple[list[Fact], int]:
    """What one seat's answer did, and where the next thing begins."""
    facts: list[Fact] = []
    while at < len(entries) and entries[at].kind in SHEET_FOLDS and entries[at].kind != "acts":
        facts.append((entries[at].kind, entries[at].data))
        at += 1
    return facts, at


def _half(data: Data) -> Msg:
    if data["half"] == MORNING:
        return T("Day {day}, morning", day=data["day"])
    return T("Day {day}, afternoon", day=data["day"])


def _dice(data: Data) -> tuple[Msg, ...]:
    return tuple(
        T("black {value} on {colour}", value=value, colour=colour_name(colour))
        if slot == data["black"]
        else T("{colour} {value}", colour=colour_name(colour), value=value)
        for slot, (value, colour) in enumerate(zip(data["values"], data["colours"], strict=True))
    )


def _acted(state: DiceState, data: Data, facts: list[Fact]) -> Msg:
    name = state.names[data["seat"]]
    if data["forced"]:
        return T("{name} can pay for no die: {effects}.", name=name, effects=effects(facts))
    return T("{name}: «{order}»: {effects}.", name=name, order=data["order"], effects=effects(facts))


def _sealed(private: Data) -> Msg:
    if private.get("withdrawn"):
        return T("Your sealed answer is taken back; you have not answered.")
    facts = [(str(fact["kind"]), fact) for fact in private["does"]]
    if private["open"]:
        return T("A choice is still open; so far: {effects}.", effects=effects(facts))
    return T("Sealed until everybody has answered: {effects}.", effects=effects(facts))


def _attack(state: DiceState, data: Data, reader: str | None, end: int) -> Iterator[Line]:
    target = T("{colour} {number}", colour=colour_name(data["colour"]), number=data["number"])
    column = data["column"]
    crossed: dict[str, list[str]] = data["crossed"]
    if reader in crossed:
        yield Line(_cost(target, column, crossed[str(reader)]), True, end)
    elif reader in data["safe"]:
        said = T(
            "The black die attacks {target}: your Fortress keeps column {column} safe.", target=target, column=column
        )
        yield Line(said, True, end)
    elif reader is not None:
        yield Line(T("The black die attacks {target}, which you have crossed out already.", target=target), True, end)
    others = tuple(_victim(state, seat, lost) for seat, lost in crossed.items() if seat != reader)
    if others:
        said = T(
            "The black die attacks {target}, column {column}: {victims}.", target=target, column=column, victims=others
        )
        yield Line(said, False, end)
    elif reader is None:
        yield Line(T("The black die attacks {target}: nobody is hit.", target=target), False, end)


def _cost(target: Msg, column: int, lost: list[str]) -> Msg:
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


def _both(rows: list[str]) -> Msg:
    """One or both buildings of a die box."""
    names = [named(row) for row in rows]
    return T("{one} and {other}", one=names[0], other=names[1]) if len(names) == 2 else T("{one}", one=names[0])


def _victim(state: DiceState, seat: str, lost: list[str]) -> Msg:
    name = state.names[seat]
    if not lost:
        return T("{name} loses nothing", name=name)
    return T("{name} loses {lost}", name=name, lost=_both(lost))


def _other(state: DiceState, data: Data, kind: str) -> Msg | None:
    match kind:
        case "begins":
            if "first_number" in data:
                return T("The leftmost column is rolled: {n}.", n=data["first_number"])
            return None
        case "numbered":
            numbers = " ".join(map(str, data["numbers"]))
            if "seat" in data:
                return T("{name} numbers the columns {numbers}.", name=state.names[data["seat"]], numbers=numbers)
            return T("The columns are numbered {numbers}.", numbers=numbers)
        case "banquet":
            return T("The banquet at its plaza feeds the black die: it destroys nothing and can be used.")
        case "destroyed":
            if data["black"]:
                return None
            return T(
                "The raid at its plaza turns a {colour} die black: it strikes too.", colour=colour_name(data["colour"])
            )
        case "flips" if data["tiles"]:
            return T("Turned to its raid side: {tiles}.", tiles=tuple(named(f"tile {id_}") for id_ in data["tiles"]))
        case "scored":
            parts = data["parts"]
            return T(
                "{name}: {total} VP (characters {characters}, resources {resources}, citizens {citizens}).",
                name=state.names[data["seat"]],
                total=sum(parts.values()),
                characters=parts["characters"],
                resources=parts["resources"],
                citizens=parts["citizens"],
            )
        case "over":
            return T("The game is over.")
        case "forgets":
            return T("Sealed answers to this half day are forgotten; everybody answers anew.")
        case "edited":
            sides = editing.sides(data, T("nothing"))
            if sides is None:
                return T("The moderator put something right at {path}.", path=data["path"])
            before, after = sides
            return T(
                "The moderator changed {path}: it was {before}, it is {after}.",
                path=data["path"],
                before=before,
                after=after,
            )
    return None
