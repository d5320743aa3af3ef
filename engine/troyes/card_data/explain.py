"""Cards, places and rule words explained in sentences with the numbers of the game asked about."""

from __future__ import annotations

from engine.catalog import Arg, Msg, T
from engine.kit.card_data import fill_numbers
from engine.reference import CardText
from engine.troyes.card_data.card_types import Activity, Character, EventCard, Outdoor, Solo
from engine.troyes.card_data.item_names import find_meanings, item_name
from engine.troyes.card_data.tables import shipped_numbers, shipped_tables, solo_texts
from engine.troyes.card_data.troyes_box import PLURALS, TroyesBox, load_box

_UNITS = {"cost": "deniers", "hire": "deniers", "first": "points", "second": "points", "arrival": "points"}
"""Numbers whose names do not say what they count."""

LEVELS = {1: "I", 2: "II", 3: "III", 4: "IV"}
"""Levels of outdoor tiles as they are written."""


def amount_text(unit: str, n: int) -> Msg | int:
    """A number with its unit; a plain number where the unit has no word."""
    match _UNITS.get(unit, unit):
        case "deniers":
            return T("{n} denier", "{n} deniers", n=n)
        case "points":
            return T("{n} VP", "{n} VP", n=n)
        case "influence":
            return T("{n} influence", "{n} influence", n=n)
        case "cubes":
            return T("{n} cube", "{n} cubes", n=n)
        case "men":
            return T("{n} tradesman", "{n} tradesmen", n=n)
        case "black_dice":
            return T("{n} black die", "{n} black dice", n=n)
    return n


def card_text(card: Activity | EventCard | Outdoor, solo: Solo | None = None) -> Msg:
    """The effect of a card in a sentence with its numbers, with those of a solo game where `solo` is given."""
    numbers: dict[str, int] = dict(card.numbers)
    if isinstance(card, EventCard):
        numbers["black_dice"] = card.black_dice
    filled: dict[str, Arg] = {field: amount_text(field, n) for field, n in numbers.items()}
    if isinstance(card, Outdoor):
        filled["prizes"] = card.prizes
    changed = solo_texts().get(card.id) if solo is not None else None
    if solo is None or changed is None:
        return fill_numbers(card.text_en, filled)
    return fill_numbers(changed["text_en"], filled | _solo_numbers(solo))


def explain(word: str, box: TroyesBox | None = None, *, solo: bool = False) -> CardText | None:
    """The card, place or rule word of that name, with the numbers of `box` (None: the shipped ones).

    `solo` explains cards as they work against le Roy. A word that names cards of two kinds explains both, the second
    under its own name.
    """
    found = find_meanings(word)
    if not found:
        return None
    box = box or load_box()
    lines: list[Msg] = []
    for kind, id_ in found:
        if lines:
            lines.append(item_name(id_))
        lines.extend(_lines(kind, id_, box, box.solo if solo else None))
    return CardText(item_name(found[0][1]), tuple(lines))


def _lines(kind: str, id_: str, box: TroyesBox, solo: Solo | None) -> tuple[Msg, ...]:
    if kind in PLURALS and id_ not in getattr(box, PLURALS[kind]):
        box = load_box()  # a card that is not in this game, as shipped
    numbers = _board_numbers(box)
    more = tuple(fill_numbers(text, numbers) for text in shipped_tables(kind)[id_].get("more_en", ()))
    if kind == "activity":
        return *_activity(box.activities[id_], solo), *more
    if kind == "event":
        return *_event(box.events[id_], box, solo), *more
    if kind == "character":
        return _character(box.characters[id_])
    if kind == "outdoor":
        return T("Outdoor tile of level {level}", level=LEVELS[box.outdoor[id_].level]), card_text(box.outdoor[id_])
    return tuple(fill_numbers(text, numbers) for text in shipped_tables(kind)[id_]["text_en"])


def _activity(card: Activity, solo: Solo | None) -> tuple[Msg, ...]:
    dice = tuple(T(color) for color in card.dice)
    hire = T(
        "Hire: {price}. Spaces: {spaces} VP, then the illustration.",
        price=amount_text(card.currency, card.hire),
        spaces=card.spaces,
    )
    if not card.divisor:
        works = T("One cube per die; {dice} dice.", dice=dice)
    elif card.kind in ("delayed", "endgame"):
        works = T("One cube per {divisor} of the total of {dice} dice.", divisor=card.divisor, dice=dice)
    else:
        works = T("Once per {divisor} of the total of {dice} dice.", divisor=card.divisor, dice=dice)
    return _kind_of(card), hire, works, card_text(card, solo)


_COLOURS = {
    "yellow": T.of("an activity", "Yellow"),
    "white": T.of("an activity", "White"),
    "red": T.of("an activity", "Red"),
}


_EVENT_COLOURS = {
    "yellow": T.of("an event", "Yellow"),
    "white": T.of("an event", "White"),
    "red": T.of("an event", "Red"),
}


def _kind_of(card: Activity) -> Msg:
    color, level = _COLOURS[card.color], card.level
    match card.kind:
        case "delayed":
            return T("{color} activity, level {level}, delayed", color=color, level=level)
        case "mixed":
            return T("{color} activity, level {level}, mixed", color=color, level=level)
        case "endgame":
            return T("{color} activity, level {level}, for the end of the game", color=color, level=level)
    return T("{color} activity, level {level}, immediate", color=color, level=level)


def _event(card: EventCard, box: TroyesBox, solo: Solo | None) -> tuple[Msg, ...]:
    color = _EVENT_COLOURS[card.color]
    copies = [other for other in box.events.values() if other.word == card.word]
    if card.permanent:
        title = T("Printed on the board, first in the queue")
    elif card.calls and len(copies) == 1:
        title = T("{color} event, calls a {calls} one", color=color, calls=T(card.calls))
    else:
        title = T("{color} event", color=color)
    lines = [
        title,
        T(
            "One cube per {divisor} of the total of {dice} dice; {banners} banner; most cubes {first}, next {second}.",
            "One cube per {divisor} of the total of {dice} dice; {banners} banners; most cubes {first}, next {second}.",
            n=card.banners,
            divisor=card.divisor,
            dice=tuple(T(color) for color in card.dice),
            banners=card.banners,
            first=amount_text("points", card.first),
            second=amount_text("points", card.second),
        ),
        card_text(card, solo),
    ]
    if len(copies) > 1:
        calls = tuple(T(other.calls) for other in copies)
        lines.append(T("{count} copies are in the box; they call: {calls}.", count=len(copies), calls=calls))
    return tuple(lines)


def _character(card: Character) -> tuple[Msg, ...]:
    lines = [
        T(card.text_en),
        T("From {thresholds} on it earns {points} VP.", thresholds=card.thresholds, points=card.points),
    ]
    if card.two_player_thresholds != card.thresholds:
        lines.append(
            T(
                "With two players from {thresholds} on it earns {points} VP.",
                thresholds=card.two_player_thresholds,
                points=card.points,
            )
        )
    lines.append(T("Every player is judged by every character in the game."))
    return tuple(lines)


def _board_numbers(box: TroyesBox) -> dict[str, Arg]:
    """The board's numbers by their names in the tables, each with what it counts."""
    found: dict[str, Arg] = {}
    for field, table in shipped_numbers("board").items():
        value = box.number(field)
        if isinstance(value, int):
            found[field] = amount_text(table.get("unit", ""), value)
        elif isinstance(value, tuple):
            found[field] = tuple(item for item in value if not isinstance(item, tuple))
    return found | _solo_numbers(box.solo)


def _solo_numbers(solo: Solo) -> dict[str, Arg]:
    """The numbers of the solo game with their units, by name; `citizens` is there `le_roy_citizens`."""
    found: dict[str, Arg] = {}
    for field, table in shipped_numbers("solo").items():
        value = getattr(solo, field)
        if isinstance(value, int):
            found["le_roy_citizens" if field == "citizens" else field] = amount_text(table.get("unit", ""), value)
    return found
