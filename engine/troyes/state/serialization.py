"""A state as plain data in two parts, public and secret, and back from any released schema."""

from __future__ import annotations

from engine.event_log import Data, plain_copy
from engine.kit import codec
from engine.troyes.card_data.house_rules import read_rules
from engine.troyes.card_data.troyes_box import load_box
from engine.troyes.state import places
from engine.troyes.state.troyes_state import BLANK, LE_ROY, House, TroyesState

SCHEMA = 1

MIGRATIONS: codec.Migrations = {}

DECKS = ("activities", "red", "yellow", "white", "unused_red")
PUBLIC_CODEC = codec.Codec(
    TroyesState,
    "round phase start neutrals number black options dice rolled palace lying cathedral cards queue draws asked agenda "
    "tiles arrived open_characters scores",
)
SECRET_CODEC = codec.Codec(TroyesState, "decks characters wishes reacts sealed")
PLANS_CODEC = codec.Codec(TroyesState, "plans", sparse=True)
"""Sparse, since orders hold much that is seldom set."""
HOUSE_CODEC = codec.Codec(House)
LE_ROY_CODEC = codec.Codec(House, "vp won")
ROWS = (places.CITY_HALL, places.BISHOPRIC)


def dump(state: TroyesState) -> tuple[Data, Data]:
    """The public and the secret tables of a state. Data of the Ladies is written only where they are played."""
    public: Data = {"schema": SCHEMA, **PUBLIC_CODEC.write(state)}
    public["seats"] = codec.write_seats(state.names, state.houses, HOUSE_CODEC)
    if state.tiles:
        public["arrived"] = state.arrived[:]
        for row in public["seats"]:
            row["guard"] = state.houses[row["seat"]].guard
    for building in ROWS:
        public[building] = plain_copy(state.rows[building])
    if state.solo:
        public["le_roy"] = {**LE_ROY_CODEC.write(state.houses[LE_ROY]), "pile": state.pile[:]}
    public["box"] = state.box.to_data()
    return public, SECRET_CODEC.write(state) | PLANS_CODEC.write(state)


def load(public: Data, secret: Data) -> TroyesState:
    """The state that `dump` wrote. Raises PositionError naming the path of what is missing or has the wrong type."""
    public, secret = dict(public), dict(secret)
    codec.migrate(public, secret, SCHEMA, MIGRATIONS)
    del public["schema"]
    secret = secret or {"decks": {name: [BLANK] for name in DECKS}, "characters": {}, "wishes": {}}
    box = load_box(codec.take_value(dict, public, "box"))
    names, houses = codec.take_seats(public, HOUSE_CODEC)
    rows = {building: codec.take_value(list[list[str]], public, building) for building in ROWS}
    king = public.pop("le_roy", None)
    plans = PLANS_CODEC.values({name: secret.pop(name) for name in ("plans",) if name in secret})
    said = {**PUBLIC_CODEC.values(public), **SECRET_CODEC.values(secret), **plans}
    state = TroyesState(box=box, names=names, houses=houses, rows=rows, **said)
    codec.require_values(state.agenda, "agenda", step=str)
    read_rules(state.options)  # names a damaged one here
    if state.solo:
        king = codec.read_value(Data, king, "le_roy")
        state.pile = codec.take_value(list[str], king, "pile", "le_roy")
        houses[LE_ROY] = LE_ROY_CODEC.read(king, "le_roy")
    return state


def redacted(state: TroyesState, seat: str | None = None) -> TroyesState:
    """The position with hidden cards blank, without lists and standing orders, and with no sealed answer but that of
    `seat`.

    The numbers of cards stay. Of the sealed answers not even the number does: in a trial a sealed decision never closes
    because others are ready.
    """
    blank = state.fork()
    blank.decks = {name: [BLANK] * len(deck) for name, deck in state.decks.items()}
    blank.characters = {owner: [BLANK] * len(held) for owner, held in state.characters.items()}
    blank.wishes, blank.reacts, blank.plans = {}, {}, {}
    blank.sealed = {owner: answer for owner, answer in state.sealed.items() if owner == seat}
    return blank
