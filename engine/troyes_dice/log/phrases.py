"""What facts say in a few words: the one table of phrases, for news, receipts, offers and trials; and what is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine import editing
from engine.catalog import Msg, T
from engine.kit.facts import Fact
from engine.troyes_dice.actions.chain import BonusChoice, shown
from engine.troyes_dice.box.phrases import citizens, colour_name, resources
from engine.troyes_dice.box.sheet import RESOURCES
from engine.troyes_dice.box.words import name
from engine.troyes_dice.entries import (
    Begins,
    Builds,
    Circles,
    Citizens,
    Destroys,
    Feeds,
    Flips,
    Forgets,
    Numbered,
    OnSheet,
    Over,
    Rewarded,
    Scored,
    Spends,
    TableEdited,
)
from engine.troyes_dice.state.state import DiceState


def effects(facts: Iterable[OnSheet]) -> Msg:
    """All that an answer does as one phrase; something is said even when nothing is gained."""
    said = tuple(phrase for fact in _added(facts) for phrase in _phrases(fact))
    return T("{effects}", effects=said) if said else T("nothing gained")


def _added(facts: Iterable[OnSheet]) -> Iterable[OnSheet]:
    """The facts in the order in which they began, gains of one kind added up."""
    found: dict[object, OnSheet] = {}
    for at, fact in enumerate(facts):
        match fact:
            case Circles(resource=key) | Citizens(colour=key):
                before = found.get(key)
            case _:
                key, before = str(at), None
        if isinstance(before, Circles | Citizens) and isinstance(fact, Circles | Citizens):
            fact = replace(before, by=before.by + fact.by, lost=before.lost + fact.lost)
        found[key] = fact
    return found.values()


def _phrases(fact: OnSheet) -> Iterator[Msg]:
    match fact:
        case Spends():
            bill = {resource: getattr(fact, resource) for resource in RESOURCES}
            yield T("pays {price}", price=tuple(resources(resource, n) for resource, n in bill.items() if n))
        case Circles(resource=resource, by=n, lost=lost):
            if n:
                yield T("+{gain}", gain=resources(resource, n))
            if lost:
                yield T("{lost} lost at the end of the track", lost=resources(resource, lost))
        case Citizens(colour=colour, by=n):
            yield T("+{gain}", gain=citizens(colour, n)) if n else T("a citizen finds no place")
        case Builds(row=row, column=column, number=n):
            building = T("{building} {column}", building=name(row), column=column)
            counting = T("builds {building}, counting {n} each", building=building, n=n)
            yield counting if n else T("builds {building}", building=building)
        case Rewarded(at=at, lost=True):
            yield T("a bonus at {at} citizens finds no building and is lost", at=at)
        case Rewarded(bonus="link", row=row, columns=(first, second)):
            yield T("link {row} {first}-{second}", row=name(row), first=first, second=second)
        case Rewarded(bonus="resources" | "work", at=at):
            yield T("bonus at {at} citizens of every colour", at=at)
        case Rewarded(at=at):
            yield T("bonus at {at} citizens of one colour", at=at)


def happening(state: DiceState, fact: Fact[DiceState]) -> Msg | None:
    """What everybody is told of a fact that stands alone; None where nobody is."""
    match fact:
        case Begins(first_number=n) if n:
            return T("The leftmost column is rolled: {n}.", n=n)
        case Numbered(numbers=numbers, seat=seat):
            line = " ".join(map(str, numbers))
            if seat:
                return T("{name} numbers the columns {numbers}.", name=state.names[seat], numbers=line)
            return T("The columns are numbered {numbers}.", numbers=line)
        case Feeds():
            return T("The banquet at its plaza feeds the black die: it destroys nothing and can be used.")
        case Destroys(colour=colour, black=False):
            return T("The raid at its plaza turns a {colour} die black: it strikes too.", colour=colour_name(colour))
        case Flips(tiles=tiles) if tiles:
            return T("Turned to its raid side: {tiles}.", tiles=tuple(name(f"tile {id_}") for id_ in tiles))
        case Scored(seat=seat, parts=parts):
            return T(
                "{name}: {total} VP (characters {characters}, resources {resources}, citizens {citizens}).",
                name=state.names[seat],
                total=sum(parts.values()),
                **parts,
            )
        case Over():
            return T("The game is over.")
        case Forgets():
            return T("Sealed answers to this half day are forgotten; everybody answers anew.")
        case TableEdited():
            return _edited(fact)
    return None


def _edited(fact: TableEdited) -> Msg:
    there = {side: value for side in ("before", "after") if (value := getattr(fact, side)) is not editing.NOTHING}
    sides = editing.sides(there, T("nothing"))
    if sides is None:
        return T("The moderator put something right at {path}.", path=fact.path)
    before, after = sides
    return T(
        "The moderator changed {path}: it was {before}, it is {after}.", path=fact.path, before=before, after=after
    )


def question(choice: BonusChoice) -> Msg:
    """What a bonus asks."""
    options = shown(choice)
    match choice.kind:
        case "work":
            return T("Choose the work building that your bonus brings: {options}.", options=options)
        case "prestige":
            return T("Choose the prestige building that your bonus brings: {options}.", options=options)
        case "banquet":
            return T("Choose the colour of the banquet's second citizen: {options}.", options=options)
    return T("That citizen track is full; choose another for your citizen: {options}.", options=options)
