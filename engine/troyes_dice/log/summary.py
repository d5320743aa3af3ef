"""What an answer does, in a few phrases: for receipts, offers and news."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.troyes_dice.actions.chain import BonusChoice, shown
from engine.troyes_dice.box.phrases import citizens, named, resources
from engine.troyes_dice.box.sheet import RESOURCES

Fact = tuple[str, Data]


def phrases(facts: Iterable[Fact]) -> tuple[Msg, ...]:
    """One phrase for each payment, building and kind of gain, gains of one kind added up, in the order they began."""
    found: dict[tuple[str, str], tuple[str, Data]] = {}
    sums: dict[tuple[str, str], int] = {}
    for at, (kind, data) in enumerate(facts):
        if kind == "circles":
            key = (kind, data["resource"])
            sums[key] = sums.get(key, 0) + data["by"]
            if data.get("lost"):
                sums["lost", data["resource"]] = sums.get(("lost", data["resource"]), 0) + data["lost"]
        elif kind == "citizens":
            key = (kind, data["colour"])
            sums[key] = sums.get(key, 0) + data["by"]
        else:
            key = (kind, str(at))
        found.setdefault(key, (kind, data))
    said: list[Msg] = []
    for key, (kind, data) in found.items():
        said.extend(_phrase(kind, data, sums.get(key, 0), sums.get(("lost", key[1]), 0)))
    return tuple(said)


def _phrase(kind: str, data: Data, n: int, lost: int) -> list[Msg]:
    if kind == "spends":
        return [T("pays {price}", price=tuple(resources(r, data[r]) for r in RESOURCES if r in data))]
    if kind == "circles":
        gained = [T("+{gain}", gain=resources(data["resource"], n))] if n else []
        wasted = [T("{lost} lost at the end of the track", lost=resources(data["resource"], lost))] if lost else []
        return [*gained, *wasted]
    if kind == "citizens":
        return [T("+{gain}", gain=citizens(data["colour"], n))] if n else [T("a citizen finds no place")]
    if kind == "builds":
        building = T("{building} {column}", building=named(data["row"]), column=data["column"])
        if "number" in data:
            return [T("builds {building}, counting {n} each", building=building, n=data["number"])]
        return [T("builds {building}", building=building)]
    return [_bonus(data)] if kind == "bonus" else []


def _bonus(data: Data) -> Msg:
    if data.get("lost"):
        return T("a bonus at {at} citizens finds no building and is lost", at=data["at"])
    if data["bonus"] == "link":
        return T(
            "link {row} {first}-{second}", row=named(data["row"]), first=data["columns"][0], second=data["columns"][1]
        )
    if data["bonus"] in ("resources", "work"):
        return T("bonus at {at} citizens of every colour", at=data["at"])
    return T("bonus at {at} citizens of one colour", at=data["at"])


def effects(facts: Sequence[Fact]) -> Msg:
    """All of it as one phrase; something is said even when nothing is gained."""
    said = phrases(facts)
    return T("{effects}", effects=said) if said else T("nothing gained")


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
