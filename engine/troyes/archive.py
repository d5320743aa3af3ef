"""A town as plain data, in two parts: what the table can see, and the secrets. And back, from any released schema."""

from __future__ import annotations

from engine.chronicle import Data
from engine.chronicle import copied
from engine.kit import plain
from engine.troyes import places
from engine.troyes.cards.box import load_box
from engine.troyes.state import BLANK
from engine.troyes.state import LE_ROY
from engine.troyes.state import House
from engine.troyes.state import Town

SCHEMA = 1

MIGRATIONS: plain.Migrations = {}

DECKS = ("activities", "red", "yellow", "white", "unused_red")
PUBLIC = plain.Form(
    Town,
    "round phase start neutrals number black options dice rolled palace lying cathedral cards queue draws asked agenda "
    "tiles arrived open_characters scores",
)
SECRET = plain.Form(Town, "decks characters wishes reacts sealed")
HOUSE = plain.Form(House)
KING = plain.Form(House, "vp won")
ROWS = (places.CITY_HALL, places.BISHOPRIC)


def dump(town: Town) -> tuple[Data, Data]:
    """The public and the secret tables of a town. What only the Ladies have is written where it is played."""
    public: Data = {"schema": SCHEMA, **PUBLIC.write(town)}
    public["seats"] = plain.write_seats(town.names, town.houses, HOUSE)
    if town.tiles:
        public["arrived"] = town.arrived[:]
        for row in public["seats"]:
            row["guard"] = town.houses[row["seat"]].guard
    for building in ROWS:
        public[building] = copied(town.rows[building])
    if town.solo:
        public["le_roy"] = {**KING.write(town.houses[LE_ROY]), "pile": town.pile[:]}
    public["box"] = town.box.to_data()
    return public, SECRET.write(town)


def load(public: Data, secret: Data) -> Town:
    """The town that `dump` wrote. Raises PositionError naming the path of what is missing or of the wrong kind."""
    public, secret = dict(public), dict(secret)
    plain.migrate(public, secret, SCHEMA, MIGRATIONS)
    del public["schema"]
    secret = secret or {"decks": {name: [BLANK] for name in DECKS}, "characters": {}, "wishes": {}}
    box = load_box(plain.take(dict, public, "box"))
    names, houses = plain.take_seats(public, HOUSE)
    rows = {building: plain.take(list[list[str]], public, building) for building in ROWS}
    king = public.pop("le_roy", None)
    town = Town(box=box, names=names, houses=houses, rows=rows, **PUBLIC.values(public), **SECRET.values(secret))
    plain.need(town.asked, "asked", seat=str, kind=str, number=int)
    plain.need(town.agenda, "agenda", step=str)
    if town.solo:
        king = plain.read(Data, king, "le_roy")
        town.pile = plain.take(list[str], king, "pile", "le_roy")
        houses[LE_ROY] = KING.read(king, "le_roy")
    return town


def redacted(town: Town) -> Town:
    """The position with every hidden card blank and no private wishes; sizes stay."""
    blank = town.copy()
    blank.decks = {name: [BLANK] * len(deck) for name, deck in town.decks.items()}
    blank.characters = {seat: [BLANK] * len(held) for seat, held in town.characters.items()}
    blank.wishes, blank.reacts = {}, {}
    blank.sealed = dict.fromkeys(town.sealed, BLANK)
    return blank
