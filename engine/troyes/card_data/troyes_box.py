"""The card box: every card by its id with the numbers that one game plays with.

A game keeps its numbers. `to_data` writes all of them, not only what a host changed, so that a later change of the
shipped tables cannot reach a running game. Each card becomes one short line such as `"level 1, hire 4, spaces 2 1,
divisor 2, deniers 2"`, which a person can read and correct in the state file. What is not a number (colours, texts,
which places a card forbids) stays in the shipped tables. `VERSION` is stored with them and grows when fields are added;
a field that older data lacks takes the shipped number.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields as dataclass_fields
from functools import cache, lru_cache
from typing import Any

from engine.errors import PositionError
from engine.event_log import Data, plain_copy
from engine.kit.card_data import Value, WrongValue, frozen
from engine.kit.words import kebab
from engine.troyes.card_data.card_types import Activity, Board, Character, EventCard, Outdoor, Solo
from engine.troyes.card_data.corrections import check_corrections
from engine.troyes.card_data.fields import Numbers, card_defaults, card_fields, single_defaults, single_fields
from engine.troyes.card_data.tables import shipped_numbers, shipped_tables
from engine.values import fixed

VERSION = 1

PLURALS = {"activity": "activities", "event": "events", "character": "characters", "outdoor": "outdoor"}
"""Kind of card to its field of the box."""
_BY_PLAYERS = ("start_citizens", "rounds", "red_events", "characters")


@fixed(eq=False)
class TroyesBox:
    """All cards of one game. Boxes with the same numbers are one object, so they compare and hash by identity."""

    version: int
    activities: dict[str, Activity]
    events: dict[str, EventCard]
    characters: dict[str, Character]
    outdoor: dict[str, Outdoor]
    board: Board
    solo: Solo

    def pile(self, color: str, level: int, sets: Collection[str]) -> tuple[str, ...]:
        """Ids of the Activity cards of a colour, level and of some sets, in the order of the tables."""
        return tuple(
            card.id
            for card in self.activities.values()
            if card.color == color and card.level == level and card.set in sets
        )

    def deck(self, color: str, sets: Collection[str]) -> tuple[str, ...]:
        """Ids of the Event cards of a colour and of some sets, Marauding excepted."""
        return tuple(
            card.id for card in self.events.values() if card.color == color and not card.permanent and card.set in sets
        )

    @property
    def ladies(self) -> bool:
        """Whether it holds any card of the Ladies."""
        return any(
            card.set == "ladies"
            for cards in (self.activities, self.events, self.characters, self.outdoor)
            for card in cards.values()
        )

    def with_modules(self, modules: Collection[str]) -> TroyesBox:
        """The same numbers with only those cards of the Ladies whose modules are played."""
        belongs = {"activities": "activities", "events": "events", "characters": "characters", "outdoor": "ramparts"}
        data = self.to_data()
        for plural, module in belongs.items():
            if module not in modules:
                data[plural] = {
                    id_: line for id_, line in data[plural].items() if getattr(self, plural)[id_].set != "ladies"
                }
        return load_box(data)

    def to_data(self) -> Data:
        """Every number as plain data; `load_box` restores exactly this box from it."""
        found: Data = plain_copy(_written(self))
        return found

    def number(self, name: str) -> Value:
        """A number of the board by its name in the tables: `salary_palace`, `rounds` (one for 2, 3, 4 players), …"""
        place = name.removeprefix("salary_")
        value: Value | dict[int, int] = self.board.salary[place] if place != name else getattr(self.board, name)
        return tuple(value.values()) if isinstance(value, dict) else value

    def __deepcopy__(self, memo: object) -> TroyesBox:
        return self

    def __reduce__(self) -> tuple[Any, tuple[dict[str, Any]]]:
        return load_box, (self.to_data(),)


@cache
def _written(box: TroyesBox) -> Data:
    """What `to_data` copies. It is cached, since every position that is written holds a box."""
    found: dict[str, Any] = {"version": box.version}
    for kind, plural in PLURALS.items():
        found[plural] = {
            id_: ", ".join(
                f"{name} {card_fields(kind, id_)[name].write(v)}" for name, v in _numbers(kind, card).items()
            )
            for id_, card in getattr(box, plural).items()
        }
    # A game without the Ladies keeps no number of theirs.
    found["board"] = {
        name: field.write(box.number(name))
        for name, field in single_fields("board").items()
        if box.ladies or shipped_numbers("board")[name].get("set") != "ladies"
    }
    if not found["outdoor"]:
        del found["outdoor"]
    found["solo"] = {name: field.write(getattr(box.solo, name)) for name, field in single_fields("solo").items()}
    return found


def load_box(corrections: Mapping[str, Any] | None = None) -> TroyesBox:
    """The box with the shipped numbers, with a host's corrections, or as a game has stored it (`to_data`).

    Corrections are tables like `{"activity": {"merchant": {"divisor": 3}}, "board": {"income": 9}}`. Raises
    CorrectionsRefused if one does not fit, PositionError if stored data is damaged.
    """
    if corrections and "version" in corrections:
        return _stored(json.dumps(corrections, sort_keys=True, default=str))
    return _corrected(json.dumps(check_corrections(corrections), sort_keys=True) if corrections else "{}")


@lru_cache(maxsize=64)
def _corrected(key: str) -> TroyesBox:
    changes: dict[str, Any] = json.loads(key)
    numbers: dict[str, dict[str, Numbers]] = {
        kind: {
            id_: card_defaults(kind, id_) | _frozen(changes.get(kind, {}).get(id_, {})) for id_ in shipped_tables(kind)
        }
        for kind in PLURALS
    }
    board, solo = (single_defaults(name) | _frozen(changes.get(name, {})) for name in ("board", "solo"))
    return _build(numbers, board, solo)


@lru_cache(maxsize=64)
def _stored(key: str) -> TroyesBox:
    data: dict[str, Any] = json.loads(key)
    if not isinstance(data["version"], int) or not 1 <= data["version"] <= VERSION:
        raise PositionError(
            f"the card box has version {data['version']!r}; this program reads 1 to {VERSION}", "facts.version"
        )
    numbers: dict[str, dict[str, Numbers]] = {}
    for kind, plural in PLURALS.items():
        lines = _table(data, plural)
        for id_ in lines:
            if id_ not in shipped_tables(kind):
                raise PositionError(f"no {kind} is called {id_!r}", f"facts.{plural}.{id_}")
        numbers[kind] = {
            id_: card_defaults(kind, id_) | _line(kind, id_, str(lines[id_]))
            for id_ in shipped_tables(kind)
            if id_ in lines
        }
    return _build(numbers, _read(data, "board"), _read(data, "solo"))


def _read(data: Data, group: str) -> Numbers:
    """The stored numbers of the board or the solo game, over the shipped ones."""
    found, known = dict(single_defaults(group)), single_fields(group)
    for name, text in _table(data, group).items():
        if name not in found:
            raise PositionError(f"the {group} has no number {name!r}", f"facts.{group}.{name}")
        try:
            found[name] = known[name].parse(str(text))
        except WrongValue as wrong:
            raise PositionError(f"it is {text!r} and must be {wrong.right}", f"facts.{group}.{name}") from None
    return found


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise PositionError(f"it is {found!r} and must be a table", f"facts.{name}")
    return found


def _line(kind: str, id_: str, line: str) -> Numbers:
    """Read one card's stored line."""
    found: Numbers = {}
    for part in filter(None, (part.strip() for part in line.split(","))):
        name, _, text = part.partition(" ")
        where = f"facts.{PLURALS[kind]}.{id_}"
        field = card_fields(kind, id_).get(name)
        if field is None:
            raise PositionError(f"{name!r} is no number of it; it has {', '.join(card_fields(kind, id_))}", where)
        try:
            found[name] = field.parse(text)
        except WrongValue as wrong:
            raise PositionError(f"{name} is {text!r} and must be {wrong.right}", where) from None
    return found


def _frozen(values: Mapping[str, Any]) -> Numbers:
    return {name: frozen(value) for name, value in values.items()}


def _numbers(kind: str, card: Activity | EventCard | Character | Outdoor) -> Numbers:
    own: Mapping[str, int] = {} if isinstance(card, Character) else card.numbers
    found: dict[str, Value] = {}
    for name in card_fields(kind, card.id):
        found[name] = own[name] if name in own else getattr(card, name)
    return found


FACES: dict[str, type] = {"activity": Activity, "event": EventCard, "character": Character, "outdoor": Outdoor}
_boxes: dict[str, TroyesBox] = {}
"""Stored form to the one box with these numbers."""


def _build(numbers: Mapping[str, Mapping[str, Numbers]], board: Numbers, solo: Numbers) -> TroyesBox:
    cards = {PLURALS[kind]: {id_: _face(kind, id_, own) for id_, own in numbers[kind].items()} for kind in PLURALS}
    printed: Data = {name: frozen(table["value"]) for name, table in shipped_numbers("solo").items()}
    box = TroyesBox(VERSION, **cards, board=_board(board), solo=Solo(**(printed | dict(solo))))
    return _boxes.setdefault(json.dumps(box.to_data(), sort_keys=True), box)


OPTIONAL_FACTS: Data = {
    "forbids": (),
    "prizes": (),
    "becomes": "",
    "calls": "",
    "currency": "deniers",
    "opens_level": False,
    "permanent": False,
}
"""Facts that a row may leave out."""


def _face(kind: str, id_: str, numbers: Numbers) -> Any:
    """A card: what is printed, with this game's numbers."""
    table = shipped_tables(kind)[id_]
    own = {name: numbers[name] for name in table.get("numbers", {})}
    given = {"word": kebab(id_), **OPTIONAL_FACTS, **table, **numbers, "name": table["name_en"], "numbers": own}
    return FACES[kind](**{one.name: _tuple(given[one.name]) for one in dataclass_fields(FACES[kind])})


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _board(numbers: Numbers) -> Board:
    values: Data = {name: frozen(table["value"]) for name, table in shipped_numbers("board").items()} | dict(numbers)
    salary = {place: values.pop(f"salary_{place}") for place in ("palace", "bishopric", "city_hall")}
    by_players = {name: dict(zip((2, 3, 4), values[name], strict=True)) for name in _BY_PLAYERS}
    return Board(**(values | by_players), salary=salary)
