"""A town as plain data, in two parts: what the table can see, and the secrets. And back, from any released schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.chronicle import Data
from engine.chronicle import copied
from engine.errors import PositionError
from engine.troyes import places
from engine.troyes.cards.box import load_box
from engine.troyes.state import BLANK
from engine.troyes.state import LE_ROY
from engine.troyes.state import Card
from engine.troyes.state import House
from engine.troyes.state import Threat
from engine.troyes.state import Tile
from engine.troyes.state import Town

SCHEMA = 1

MIGRATIONS: dict[int, Callable[[Data, Data], None]] = {}
"""Schema number to the step that brings tables of that number, in place, to the next one."""


DECKS = ("activities", "red", "yellow", "white", "unused_red")


def dump(town: Town) -> tuple[Data, Data]:
    """The public and the secret tables of a town."""
    public: Data = {
        "schema": SCHEMA,
        "round": town.round,
        "phase": town.phase,
        "start": town.start,
        "neutrals": town.neutrals,
        "number": town.number,
        "black": town.black[:],
        "options": dict(town.options),
        "seats": [
            {
                "seat": seat,
                "name": town.names[seat],
                "deniers": house.deniers,
                "influence": house.influence,
                "vp": house.vp,
                "supply": house.supply,
                "reserve": house.reserve,
                "coins": house.coins,
                "passed": house.passed,
                "won": house.won[:],
                **({"fought": house.fought[:]} if house.fought else {}),
                **({"guard": house.guard} if town.tiles else {}),
            }
            for seat, house in town.houses.items()
            if seat in town.names
        ],
        "dice": {owner: words[:] for owner, words in town.dice.items()},
        "palace": town.palace[:],
        "city_hall": [row[:] for row in town.rows[places.CITY_HALL]],
        "bishopric": [row[:] for row in town.rows[places.BISHOPRIC]],
        "lying": {building: lying[:] for building, lying in town.lying.items()},
        "cathedral": [level[:] for level in town.cathedral],
        "cards": [
            {"id": card.id, "spaces": card.spaces[:], "picture": card.picture[:], "cubes": dict(card.cubes)}
            for card in town.cards
        ],
        "queue": [
            {"id": threat.id, "cubes": threat.cubes[:], **({"held": threat.held[:]} if threat.held else {})}
            for threat in town.queue
        ],
        "draws": dict(town.draws),
        "asked": copied(town.asked),
        "agenda": copied(town.agenda),
        "box": town.box.to_data(),
    }
    # What only the Ladies have is written where it is played, so that other games are stored as they always were.
    if town.tiles:
        public["tiles"] = [{"id": tile.id, "cubes": dict(tile.cubes)} for tile in town.tiles]
        public["arrived"] = town.arrived[:]
    if town.open_characters:
        public["open_characters"] = town.open_characters[:]
    if town.solo:
        king = town.houses[LE_ROY]
        public["le_roy"] = {"vp": king.vp, "won": king.won[:], "pile": town.pile[:]}
    if town.scores:
        public["scores"] = {seat: dict(parts) for seat, parts in town.scores.items()}
    secret: Data = {
        "decks": {name: deck[:] for name, deck in town.decks.items()},
        "characters": {seat: held[:] for seat, held in town.characters.items()},
        "wishes": {seat: wanted[:] for seat, wanted in town.wishes.items()},
    }
    for name, answers in (("reacts", town.reacts), ("sealed", town.sealed)):
        if answers:
            secret[name] = copied(answers)
    return public, secret


def load(public: Data, secret: Data) -> Town:
    """The town that `dump` wrote. Raises PositionError naming the path of what is missing or of the wrong kind."""
    unseen = not secret
    public, secret = copied(public), copied(secret)
    _migrate(public, secret)
    if unseen:
        secret = {"decks": {name: [BLANK] for name in DECKS}, "characters": {}, "wishes": {}}
    path = ""
    try:
        path = "box"
        box = load_box(public["box"])
        path = "seats"
        names = {str(row["seat"]): str(row["name"]) for row in public["seats"]}
        houses = {row["seat"]: _house(row, f"seats.{row['seat']}") for row in public["seats"]}
        town = Town(box=box, options=dict(public["options"]), names=names, houses=houses)
        for path in ("start", "phase"):
            setattr(town, path, _kind(public[path], str, path))
        for path in ("round", "neutrals", "number"):
            setattr(town, path, _kind(public[path], int, path))
        for path in ("black", "palace", "cathedral", "asked", "agenda"):
            setattr(town, path, _kind(public[path], list, path))
        for path in ("dice", "lying", "draws"):
            setattr(town, path, _kind(public[path], dict, path))
        for path in (places.CITY_HALL, places.BISHOPRIC):
            town.rows[path] = _kind(public[path], list, path)
        path = "cards"
        town.cards = [Card(row["id"], row["spaces"], row["picture"], row["cubes"]) for row in public["cards"]]
        path = "queue"
        town.queue = [Threat(row["id"], row["cubes"], row.get("held", [])) for row in public["queue"]]
        path = "tiles"
        town.tiles = [Tile(row["id"], row["cubes"]) for row in public.get("tiles", ())]
        for path in ("arrived", "open_characters"):
            setattr(town, path, _kind(public.get(path, []), list, path))
        town.scores = public.get("scores", {})
        if town.solo:
            path = "le_roy"
            king = public["le_roy"]
            town.houses[LE_ROY] = House(vp=_kind(king["vp"], int, path), won=_kind(king["won"], list, path))
            town.pile = _kind(king["pile"], list, path)
        for path in ("decks", "characters", "wishes"):
            setattr(town, path, _kind(secret[path], dict, path))
        for path in ("reacts", "sealed"):
            setattr(town, path, _kind(secret.get(path, {}), dict, path))
        for seat, said in town.reacts.items():
            _kind(said, dict, f"reacts.{seat}")
    except PositionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise PositionError(f"{type(error).__name__}: {error}", path) from error
    return town


def _house(row: Data, path: str) -> House:
    counts = {
        name: _kind(row[name], int, f"{path}.{name}")
        for name in ("deniers", "influence", "vp", "supply", "reserve", "coins")
    }
    won: list[str] = _kind(row["won"], list, f"{path}.won")
    fought: list[str] = _kind(row.get("fought", []), list, f"{path}.fought")
    guard: int = _kind(row.get("guard", 0), int, f"{path}.guard")
    passed: bool = _kind(row["passed"], bool, f"{path}.passed")
    return House(**counts, passed=passed, won=won, fought=fought, guard=guard)


def _kind(value: Any, kind: type, path: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise PositionError(f"{value!r} is not a {kind.__name__}", path)
    return value


def _migrate(public: Data, secret: Data) -> None:
    schema = public.get("schema", 0)
    while schema != SCHEMA:
        step = MIGRATIONS.get(schema)
        if step is None:
            raise PositionError(f"schema {schema} is not known here; this engine reads up to {SCHEMA}", "schema")
        step(public, secret)
        schema = public["schema"] = schema + 1


def redacted(town: Town) -> Town:
    """The position with every hidden card blank and no private wishes; sizes stay."""
    blank = town.copy()
    blank.decks = {name: [BLANK] * len(deck) for name, deck in town.decks.items()}
    blank.characters = {seat: [BLANK] * len(held) for seat, held in town.characters.items()}
    blank.wishes, blank.reacts = {}, {}
    blank.sealed = dict.fromkeys(town.sealed, BLANK)
    return blank
