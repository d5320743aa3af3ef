"""What a rule position expects, held against the table after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.chronicle import Data, Entry
from engine.kit import cases
from engine.kit.words import kebab
from engine.troyes_dice.actions import answers, scoring
from engine.troyes_dice.actions.half_day import plan
from engine.troyes_dice.box.phrases import chosen
from engine.troyes_dice.box.sheet import COLOUR, COLOURS, RESOURCES, ROWS, Sheet
from engine.troyes_dice.box.tables import shipped
from engine.troyes_dice.cases.laying import RESOURCE_WORDS, lay_sheet
from engine.troyes_dice.state.state import SLOTS, DiceState


def compare(before: DiceState, after: DiceState, entries: Sequence[Entry], expected: Data) -> Iterator[str]:
    """Every difference. A quantity that `delta` does not name must not have changed."""
    if "delta" in expected:
        for seat in after.names:
            yield from _delta(before, after, seat, expected["delta"].get(seat, {}))
    if "slots" in expected:
        found = [(die.value, die.black) for die in after.dice]
        wanted = [_slot(item) for item in expected["slots"]]
        if len(found) != len(wanted) or not all(_fits(w, f) for w, f in zip(wanted, found, strict=True)):
            yield f"slots: {expected['slots']} expected, {[('black ' if b else '') + str(v) for v, b in found]} found"
    if "destroyed_slot" in expected:
        gone = [slot for slot, die in enumerate(after.dice) if die.gone]
        gone = gone or [entry.data["slot"] for entry in entries if entry.kind == "destroyed"]
        wanted_slots = expected["destroyed_slot"]
        if gone != (wanted_slots if isinstance(wanted_slots, list) else [wanted_slots]):
            yield f"destroyed_slot: {wanted_slots} expected, {gone} found"
    for name, wanted_after in expected.get("after", {}).items():
        yield from _after(before, after, name, wanted_after)
    yield from _asks(after, expected.get("asks"))
    yield from _scores(after, expected)


def _slot(item: Any) -> tuple[int | None, bool | None]:
    """Value and blackness as far as they are given: `3`, `"black"`, `"black 3"`, `{ value = 3, black = true }`."""
    if isinstance(item, int):
        return item, None
    if isinstance(item, str):
        digits = "".join(letter for letter in item if letter.isdecimal())
        return int(digits) if digits else None, item.lower().startswith("b")
    return item.get("value"), item.get("black", False)


def _fits(wanted: tuple[int | None, bool | None], found: tuple[int, bool]) -> bool:
    return all(w is None or w == f for w, f in zip(wanted, found, strict=True))


def _delta(before: DiceState, after: DiceState, seat: str, wanted: Data) -> Iterator[str]:
    old, new = before.sheets[seat], after.sheets[seat]
    given = {RESOURCE_WORDS[word]: value for word, value in wanted.items() if word in RESOURCE_WORDS}
    for resource in RESOURCES:
        value = given.get(resource, 0)
        if isinstance(value, dict):
            for part in ("circled", "spent"):
                found = getattr(new, part)[resource] - getattr(old, part)[resource]
                if found != value.get(part, 0):
                    yield f"delta.{seat}.{resource}.{part}: {value.get(part, 0):+d} expected, {found:+d} found"
            continue
        found = new.unspent(resource) - old.unspent(resource)
        if found != value:
            yield f"delta.{seat}.{resource}: {value:+d} expected, {found:+d} found"
    citizens = wanted.get("citizens", {})
    if isinstance(citizens, int):
        found = sum(new.citizens.values()) - sum(old.citizens.values())
        if found != citizens:
            yield f"delta.{seat}.citizens: {citizens:+d} expected, {found:+d} found"
    else:
        for colour in COLOURS:
            found = new.citizens[colour] - old.citizens[colour]
            if found != citizens.get(colour, 0):
                yield f"delta.{seat}.citizens.{colour}: {citizens.get(colour, 0):+d} expected, {found:+d} found"
    built = _by_row(wanted.get("built", {}))
    for row in ROWS:
        fresh = sorted(set(new.built[row]) - set(old.built[row]))
        if fresh != sorted(built.get(row, [])):
            yield f"delta.{seat}.built.{row}: {built.get(row, [])} expected, {fresh} found"
    unknown = set(wanted) - {"citizens", "built", *RESOURCE_WORDS}
    if unknown:
        yield f"delta.{seat}: {', '.join(sorted(unknown))} cannot be compared"


def _by_row(wanted: Any) -> dict[str, list[int]]:
    """Buildings as `{ fortress = [1, 2] }` or as `["fortress 1", "fortress 2"]`."""
    if isinstance(wanted, dict):
        return {kebab(row).replace("-", "_"): list(columns) for row, columns in wanted.items()}
    found: dict[str, list[int]] = {}
    for word in wanted:
        row, _, column = str(word).rpartition(" ")
        found.setdefault(kebab(row).replace("-", "_"), []).append(int(column))
    return found


def _after(before: DiceState, after: DiceState, name: str, wanted: Any) -> Iterator[str]:
    match name:
        case "day" | "half" | "phase":
            if getattr(after, name) != wanted:
                yield f"after.{name}: {wanted} expected, {getattr(after, name)} found"
        case "numbering":
            if list(after.numbering) != list(wanted):
                yield f"after.numbering: {wanted} expected, {list(after.numbering)} found"
        case "plazas" | "tile_backs":
            side = "up" if name == "plazas" else "down"
            found = [getattr(after.notches[before.notch(slot)], side) for slot in range(SLOTS)]
            if found != list(wanted):
                yield f"after.{name}: {wanted} expected, {found} found"
        case "tiles":
            for slot, tile in wanted.items():
                plaza = after.notches[before.notch(int(slot))]
                if (plaza.tile, plaza.side) != (kebab(tile["id"]).replace("-", "_"), tile["side"]):
                    yield f"after.tiles.{slot}: {tile} expected, {plaza.tile} {plaza.side} found"
        case "crossed" | "lost" | "multipliers" | "sheet":
            for seat, value in wanted.items():
                yield from _sheet(after, seat, name, value)
        case _:
            yield f"after.{name} cannot be compared"


def _sheet(after: DiceState, seat: str, name: str, wanted: Any) -> Iterator[str]:
    sheet = after.sheets[seat]
    if name == "sheet":
        if lay_sheet(after, wanted) != sheet:
            yield f"after.sheet.{seat}: {lay_sheet(after, wanted)} expected, {sheet} found"
        return
    found: Any
    if name == "crossed":
        wanted = _by_row(wanted)
        found = {
            colour: sorted(sheet.crossed[colour]) for colour in COLOURS if colour in wanted or sheet.crossed[colour]
        }
        wanted = {colour: sorted(columns) for colour, columns in wanted.items()}
    elif name == "lost":
        found = lost(sheet)
        wanted = sorted(kebab(f"{row} {column}") for row, at in _by_row(wanted).items() for column in at)
        found = sorted(kebab(word) for word in found)
    else:
        found = {kebab(after.box.cathedral[c - 1]): n for c, n in scoring.multipliers(after.box, sheet).items()}
        wanted = {_scored(after, word): n for word, n in wanted.items()}
    if found != wanted:
        yield f"after.{name}.{seat}: {wanted} expected, {found} found"


def _scored(after: DiceState, word: str) -> str:
    """The buildings a Cathedral counts, by its column, by their name, or by the first name of its character."""
    folded = kebab(str(word))
    for column, row in enumerate(after.box.cathedral, start=1):
        name = kebab(shipped()["cathedral"][str(column)]["en"])
        if folded in (str(column), kebab(row), name, name.partition("-")[0]):
            return kebab(row)
    return folded


def lost(sheet: Sheet) -> list[str]:
    """The buildings that can no longer be built."""
    return [
        f"{row} {column}"
        for row, colour in COLOUR.items()
        for column in sheet.crossed[colour]
        if column not in sheet.built[row]
    ]


def _asks(after: DiceState, wanted: Any) -> Iterator[str]:
    asked = [(row["seat"], answers.asked_kind(after, row["seat"])) for row in after.asked]
    if isinstance(wanted, str):
        # Only whoever lacks a choice is said to be asked by name alone.
        asked = [(seat, kind) for seat, kind in asked if kind == answers.BONUS]
    wrong = tuple(cases.compare_asked(wanted, asked))
    yield from wrong
    if not wrong and isinstance(wanted, dict) and "choices" in wanted:
        given = answers.answer(after, wanted["seat"])
        missing = plan(after, wanted["seat"], given).open if given is not None else None
        found = [chosen(option) for option in missing.options] if missing else []
        if sorted(found) != sorted(wanted["choices"]):
            yield f"asks.choices: {wanted['choices']} expected, {found} found"


def _scores(after: DiceState, expected: Data) -> Iterator[str]:
    for seat, parts in expected.get("scores", {}).items():
        found = dict(after.scores.get(seat, {}))
        found["total"] = sum(found.values())
        for part, points in parts.items():
            if found.get(part) != points:
                yield f"scores.{seat}.{part}: {points} expected, {found.get(part)} found"
    if "winner" in expected:
        totals = {seat: sum(parts.values()) for seat, parts in after.scores.items()}
        winners = [seat for seat, total in totals.items() if total == max(totals.values())]
        yield from cases.compare_winner(expected["winner"], winners, after.scores)
    for seat, ids in expected.get("achieved", {}).items():
        found_ids = [id_.replace("_", "-") for id_ in scoring.achieved(after, seat)]
        if found_ids != list(ids):
            yield f"achieved.{seat}: {ids} expected, {found_ids} found"
