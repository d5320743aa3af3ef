"""A town as plain data, in two parts: what the table can see, and the secrets. And back, from any released schema."""

from __future__ import annotations

from collections.abc import Callable

from engine.chronicle import Data
from engine.chronicle import copied
from engine.errors import PositionError
from engine.shapes import checked
from engine.shapes import unfit
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
        "rolled": dict(town.rolled),
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
    path = ""
    try:
        public, secret = copied(public), copied(secret)
        _migrate(public, secret)
        if unseen:
            secret = {"decks": {name: [BLANK] for name in DECKS}, "characters": {}, "wishes": {}}
        path = "box"
        box = load_box(public["box"])
        path = "seats"
        names = {_text(row, "seat", path): _text(row, "name", path) for row in public["seats"]}
        houses = {row["seat"]: _house(row, f"seats.{row['seat']}") for row in public["seats"]}
        town = Town(box=box, options=checked(public["options"], {str: str}, "options"), names=names, houses=houses)
        for path, shape in PUBLIC.items():
            setattr(town, path, checked(public[path], shape, path))
        for path in (places.CITY_HALL, places.BISHOPRIC):
            town.rows[path] = checked(public[path], [[str]], path)
        path = "asked"
        town.asked = [
            {**row, "seat": _text(row, "seat", path), "kind": _text(row, "kind", path)}
            for row in checked(public["asked"], [dict], path)
        ]
        for row in town.asked:
            checked(row["number"], int, path)
        path = "agenda"
        town.agenda = [{**row, "step": _text(row, "step", path)} for row in checked(public["agenda"], [dict], path)]
        path = "cards"
        town.cards = [
            Card(
                _text(row, "id", path), checked(row["spaces"], [str], path), checked(row["picture"], [str], path),
                checked(row["cubes"], {str: int}, path),
            )
            for row in public["cards"]
        ]  # fmt: skip
        path = "queue"
        town.queue = [
            Threat(
                _text(row, "id", path), checked(row["cubes"], [str], path), checked(row.get("held", []), [str], path)
            )
            for row in public["queue"]
        ]  # fmt: skip
        path = "tiles"
        town.tiles = [
            Tile(_text(row, "id", path), checked(row["cubes"], {str: int}, path)) for row in public.get("tiles", ())
        ]
        for path in ("arrived", "open_characters"):
            setattr(town, path, checked(public.get(path, []), [str], path))
        path = "scores"
        town.scores = checked(public.get("scores", {}), {str: {str: int}}, path)
        if town.solo:
            path = "le_roy"
            king = public["le_roy"]
            town.houses[LE_ROY] = House(vp=checked(king["vp"], int, path), won=checked(king["won"], [str], path))
            town.pile = checked(king["pile"], [str], path)
        for path in ("decks", "characters", "wishes"):
            setattr(town, path, checked(secret[path], {str: [str]}, path))
        town.reacts = checked(secret.get("reacts", {}), {str: {str: str}}, "reacts")
        town.sealed = checked(secret.get("sealed", {}), {str: str}, "sealed")
    except PositionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise unfit(error, path) from error
    return town


PUBLIC = {
    "start": str,
    "phase": str,
    "round": int,
    "neutrals": int,
    "number": int,
    "black": [int],
    "palace": [str],
    "cathedral": [[str]],
    "dice": {str: [str]},
    "rolled": {str: int},
    "lying": {str: [str]},
    "draws": {str: int},
}
"""What stands in the tables as it does in a town."""


def _text(row: Data, name: str, path: str) -> str:
    return str(checked(row[name], str, path))


def _house(row: Data, path: str) -> House:
    counts = {
        name: checked(row[name], int, f"{path}.{name}")
        for name in ("deniers", "influence", "vp", "supply", "reserve", "coins")
    }
    won: list[str] = checked(row["won"], [str], f"{path}.won")
    fought: list[str] = checked(row.get("fought", []), [str], f"{path}.fought")
    guard: int = checked(row.get("guard", 0), int, f"{path}.guard")
    passed: bool = checked(row["passed"], bool, f"{path}.passed")
    return House(**counts, passed=passed, won=won, fought=fought, guard=guard)


def _migrate(public: Data, secret: Data) -> None:
    schema = checked(public.get("schema", 0), int, "schema")
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
