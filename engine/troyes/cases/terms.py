"""What a rule position of Troyes can say of a table: how each word is set up, and what is found there afterwards."""

from __future__ import annotations

from typing import Any

from engine.event_log import Data
from engine.kit import cases
from engine.kit.cases import Term
from engine.kit.words import kebab, table_id
from engine.troyes.card_data.item_names import activity_of, events_of
from engine.troyes.phases.event_phase import EFFECTS
from engine.troyes.phases.setup import begin_game, settle_options
from engine.troyes.state import dice, places
from engine.troyes.state.ladies_modules import ALL
from engine.troyes.state.serialization import DECKS
from engine.troyes.state.troyes_state import GRAY, LE_ROY, Card, QueuedEvent, Tile, TroyesState

SEATS = {"anna": "Anna", "faye": "Faye", "geoffrey": "Geoffrey", "emily": "Emily"}
COUNTS = ("deniers", "influence", "vp", "supply", "reserve")
DRAWS = ("workforce", "black", "reroll", "archer", "tile", "placement", "le_roy_action", "uprising_seats", *EFFECTS)
BONUS, SOLO = {"bonus": "yes"}, {"solo": "yes"}
LADIES = {"ladies": ALL}
GAMES: dict[str, dict[str, str]] = {
    "base": {},
    "base+bonus": BONUS,
    "solo": SOLO,
    "solo+bonus": SOLO | BONUS,
    "ladies": LADIES,
    "ladies+bonus": LADIES | BONUS,
}
"""What the `game` of a position stands for, as options."""


def lay_out_table(scenario: Data, facts: Data) -> TroyesState:
    """The state of a position; `facts` are the scenario's words over the file's defaults."""
    wanted: Data = scenario.get("position", {})
    players = {seat: SEATS[seat] for seat in list(SEATS)[: facts.get("players", 4)]}
    options = settle_options(len(players), {**GAMES[facts.get("game", "base")], **facts.get("options", {})})
    state = begin_game(players, options, cases.case_chance(), facts.get("facts"), facts.get("start", "anna")).begun()
    state.round, state.phase, state.draws = facts.get("round", 2), facts.get("phase", "actions"), {}
    state.open_characters, state.characters, state.pile = [], {seat: [] for seat in state.seats}, []
    cases.lay_out(TERMS, state, {word: facts[word] for word in (*COUNTS, "events") if word in facts})
    cases.lay_out(TERMS, state, {**wanted, "cards": _named(state, wanted.get("cards", []), facts.get("action", []))})
    if "neutrals_in_play" not in wanted:
        state.neutrals = state.all_neutrals - sum(1 for _ in state.whereabouts(state.neutral))
    return state


def event_ids(word: str) -> tuple[str, ...]:
    """The ids of the events so called. Raises ValueError for none."""
    ids = events_of(word)
    if not ids:
        raise ValueError(f"no event is called {word}")
    return ids


# What is laid.


def _named(state: TroyesState, rows: list[Data], lines: list[str]) -> list[Data]:
    """The rows of cards, and empty cards for those that only an order names."""
    words = (word for line in lines for word in line.replace(",", " ").split())
    laid = dict.fromkeys(table_id(row["id"]) for row in rows)
    named = {id for word in words if (id := activity_of(word)) in state.box.activities}
    return [*rows, *({"id": id} for id in sorted(named) if id not in laid)]


def _lay_cards(state: TroyesState, rows: list[Data]) -> None:
    """The cards, and the levels of the cathedral that come with them."""
    state.cards = []
    for row in rows:
        facts, spaces = state.activity(table_id(row["id"])), list(row.get("spaces", []))
        spaces += [""] * (len(facts.spaces) - len(spaces))
        state.cards.append(Card(facts.id, spaces, list(row.get("illustration", [])), dict(row.get("cubes", {}))))
        if facts.opens_level:
            state.cathedral.append([""] * state.box.board.columns)


def _lay_events(state: TroyesState, rows: list[Data]) -> None:
    """Set up the events. Copies that share a word are taken in the order of the box."""
    state.queue = []
    for row in rows:
        id = next(id for id in event_ids(row["id"]) if not state.threat(id))
        state.queue.append(QueuedEvent(id, list(row.get("cubes", []))))


def _lay_passed(state: TroyesState, passed: dict[str, int]) -> None:
    for seat, coins in passed.items():
        state.houses[seat].passed, state.houses[seat].coins = True, coins


def _lay_won(state: TroyesState, won: dict[str, list[str]]) -> None:
    """Set up won cards, as won by fighting unless `fought` says otherwise: only Scribe asks."""
    for seat, words in won.items():
        state.houses[seat].won = [event_ids(word)[0] for word in words]
    if state.has("activities"):
        _lay_fought(state, won)


def _lay_fought(state: TroyesState, fought: dict[str, list[str]]) -> None:
    for seat, words in fought.items():
        state.houses[seat].fought = [event_ids(word)[0] for word in words]


def _lay_characters(state: TroyesState, words: list[str]) -> None:
    held = list(map(table_id, words))
    if state.solo:
        state.pile = held
    else:
        state.characters[state.seats[0]] = held


def _lay_guards(state: TroyesState, guards: dict[str, int]) -> None:
    for seat, space in guards.items():
        state.houses[seat].guard = space


def _lay_possessed(state: TroyesState, owners: list[str]) -> None:
    for threat in state.queue:
        threat.held = list(owners) if threat.id == places.POSSESSION else []


def _lay_levels(state: TroyesState, levels: dict[str, list[str]]) -> None:
    for level, owners in levels.items():
        state.cathedral[int(level[1:]) - 1] = list(owners)


# What is found.


def _count(name: str) -> Term[TroyesState]:
    """A number that houses keep: one for all of them, or by seat. Le Roy has victory points alone."""

    def lay(state: TroyesState, wanted: Any) -> None:
        for seat, house in state.houses.items():
            value = wanted.get(seat) if isinstance(wanted, dict) else wanted
            if value is not None and (seat != LE_ROY or name == "vp"):
                setattr(house, name, value)

    return Term(lay, lambda _, after, seat: getattr(after.houses[seat], name), seats=True)


def _building(building: str) -> Term[TroyesState]:
    def lay(state: TroyesState, rows: list[list[str]]) -> None:
        state.rows[building] = [list(row) for row in rows]

    return Term(lay, lambda _, after, __: after.rows[building])


def _card_rows(state: TroyesState) -> dict[str, Data]:
    return {card.id: {"spaces": card.spaces, "illustration": card.picture, "cubes": card.cubes} for card in state.cards}


def _named_cards(state: TroyesState, rows: list[Data]) -> dict[str, Data]:
    """The cards in play, with the wanted values in place of those found."""
    found = _card_rows(state)
    for row in rows:
        card = found[table_id(row["id"])]
        found[table_id(row["id"])] = {**card, **{name: row[name] for name in card if name in row}}
    return found


def _event_rows(state: TroyesState, rows: list[Data]) -> list[Data]:
    return [{"id": state.event(event_ids(row["id"])[0]).word, "cubes": row.get("cubes", [])} for row in rows]


def _queue_rows(before: TroyesState, after: TroyesState, key: str) -> list[Data]:
    return [{"id": after.event(threat.id).word, "cubes": threat.cubes} for threat in after.queue]


def _tile_rows(before: TroyesState, after: TroyesState, key: str) -> list[Data]:
    return [{"id": kebab(tile.id), "cubes": tile.cubes} for tile in after.tiles]


def _sorted(state: TroyesState, wanted: list[str]) -> list[str]:
    return sorted(wanted)


TERMS: dict[str, Term[TroyesState]] = {
    **{name: _count(name) for name in COUNTS},
    "passed": Term(
        _lay_passed, lambda _, after, seat: after.houses[seat].coins if after.houses[seat].passed else None, seats=True
    ),
    "cards": Term(
        _lay_cards,
        lambda _, after, __: _card_rows(after),
        [dict.fromkeys(("id", "spaces", "illustration", "cubes"))],
        spelled=_named_cards,
    ),
    "palace": Term(lambda state, row: setattr(state, "palace", list(row)), lambda _, after, __: after.palace),
    **{building: _building(building) for building in (places.CITY_HALL, places.BISHOPRIC)},
    "lying": Term(
        lambda state, lying: state.lying.update({table_id(word): list(owners) for word, owners in lying.items()}),
        lambda _, after, building: sorted(after.lying[table_id(building)]),
        dict.fromkeys((*places.BUILDINGS, *map(kebab, places.BUILDINGS))),
        spelled=_sorted,
    ),
    "cathedral": Term(
        _lay_levels,
        lambda _, after, level: after.cathedral[int(level[1:]) - 1],
        dict.fromkeys(("L1", "L2", "L3", "L4")),
    ),
    "guards": Term(_lay_guards, lambda _, after, seat: after.houses[seat].guard, seats=True),
    "outdoor": Term(
        lambda state, rows: setattr(
            state, "tiles", [Tile(table_id(row["id"]), dict(row.get("cubes", {}))) for row in rows]
        ),
        _tile_rows,
        [dict.fromkeys(("id", "cubes"))],
        spelled=lambda _, rows: [{"id": kebab(row["id"]), "cubes": row.get("cubes", {})} for row in rows],
    ),
    "arrived": Term(lambda state, seats: setattr(state, "arrived", list(seats)), lambda _, after, __: after.arrived),
    "events": Term(_lay_events, _queue_rows, [dict.fromkeys(("id", "cubes"))], spelled=_event_rows),
    "possessed": Term(_lay_possessed, lambda _, after, __: [owner for threat in after.queue for owner in threat.held]),
    "dice": Term(
        lambda state, dice_: state.dice.update({owner: dice.sorted_dice(words) for owner, words in dice_.items()}),
        lambda _, after, owner: sorted(after.dice[owner]),
        seats=True,
        spelled=_sorted,
    ),
    "won": Term(_lay_won, lambda _, after, seat: [after.event(id).word for id in after.houses[seat].won], seats=True),
    "fought": Term(_lay_fought, seats=True),
    "characters": Term(_lay_characters, lambda _, after, __: list(map(kebab, after.pile))),
    "decks": Term(
        lambda state, decks: state.decks.update({name: list(map(table_id, deck)) for name, deck in decks.items()}),
        lambda _, after, deck: after.decks[deck],
        dict.fromkeys(DECKS),
    ),
    "neutrals_in_play": Term(
        lambda state, count: setattr(state, "neutrals", state.all_neutrals - count),
        lambda _, after, __: after.all_neutrals - after.neutrals,
    ),
    "black": Term(found=lambda _, after, __: after.black),
    "start": Term(found=lambda _, after, __: after.start),
}
"""What a position can say of a table."""

DEFAULTS: Data = cases.default_words(
    TERMS, *COUNTS, "game", "players", "options", "facts", "depends", "start", "turn", "phase", "round"
)
"""What a file may say for all of its positions."""


def scenario_words(facts: Data) -> Data:
    """What a position may say; who sits at the table follows from its `players` and its `game`."""
    neutral = LE_ROY if str(facts.get("game", "")).startswith("solo") else GRAY
    owners = [*list(SEATS)[: facts.get("players", 4)], neutral]
    counts, besides = dict.fromkeys(COUNTS), ("gone", "round_ends", "verdict")
    return cases.case_words(TERMS, DEFAULTS, owners, DRAWS, counts, besides)
