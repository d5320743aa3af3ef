"""The table of a position, laid from its words over what the file says for all of them."""

from __future__ import annotations

from engine.chronicle import Data
from engine.kit import cases
from engine.troyes import box
from engine.troyes.phases.setup import begins, settle_options
from engine.troyes.state import dice, places
from engine.troyes.state.modules import ALL
from engine.troyes.state.state import LE_ROY, Card, QueuedEvent, Tile, TroyesState

SEATS = {"anna": "Anna", "faye": "Faye", "geoffrey": "Geoffrey", "emily": "Emily"}
COUNTS = ("deniers", "influence", "vp", "supply", "reserve")
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


def lay(scenario: Data, facts: Data) -> TroyesState:
    """The state of a position; `facts` are the scenario's words over the file's defaults."""
    wanted: Data = scenario.get("position", {})
    players = {seat: SEATS[seat] for seat in list(SEATS)[: facts.get("players", 4)]}
    options = settle_options(len(players), {**GAMES[facts.get("game", "base")], **facts.get("options", {})})
    state = begins(players, options, cases.chance(), facts.get("facts"), facts.get("start", "anna")).begun()
    state.round, state.phase = facts.get("round", 2), facts.get("phase", "actions")
    state.draws = {}
    for name in COUNTS:
        for seat, house in state.houses.items():
            if seat == LE_ROY and name != "vp":
                continue
            setattr(house, name, wanted.get(name, {}).get(seat, facts.get(name, getattr(house, name))))
    for seat, coins in wanted.get("passed", {}).items():
        state.houses[seat].passed, state.houses[seat].coins = True, coins
    _lay_cards(state, wanted, facts)
    _lay_buildings(state, wanted)
    _lay_ramparts(state, wanted)
    state.queue = _queue(wanted.get("events") or facts.get("events") or [{"id": "marauding"}])
    for threat in state.queue:
        threat.held = list(wanted.get("possessed", [])) if threat.id == places.POSSESSION else []
    for owner, words in wanted.get("dice", {}).items():
        state.dice[owner] = dice.tidy(words)
    for seat, won in wanted.get("won", {}).items():
        # How a card was won matters to Scribe alone; a position whose cards were not all fought for says which were.
        state.houses[seat].won = [event_ids(id)[0] for id in won]
        if state.has("activities"):
            state.houses[seat].fought = [event_ids(id)[0] for id in wanted.get("fought", {}).get(seat, won)]
    held = [id_of(id) for id in wanted.get("characters", [])]
    state.open_characters = []
    state.characters = {seat: held if at == 0 and not state.solo else [] for at, seat in enumerate(state.seats)}
    state.pile = held if state.solo else []
    state.decks |= {name: [id_of(id) for id in deck] for name, deck in wanted.get("decks", {}).items()}
    on_board = sum(1 for _ in state.whereabouts(state.neutral))
    state.neutrals = state.all_neutrals - wanted.get("neutrals_in_play", on_board)
    return state


def id_of(word: str) -> str:
    """The id that a word of a position means."""
    return word.replace("-", "_")


def event_ids(word: str) -> tuple[str, ...]:
    """The ids of the events so called. Raises ValueError for none."""
    ids = box.events_of(word)
    if not ids:
        raise ValueError(f"no event is called {word}")
    return ids


def _queue(wanted: list[Data]) -> list[QueuedEvent]:
    """The events, copies of one word told apart in the order of the box."""
    queue: list[QueuedEvent] = []
    for row in wanted:
        taken = {threat.id for threat in queue}
        id = next(id for id in event_ids(row["id"]) if id not in taken)
        queue.append(QueuedEvent(id, list(row.get("cubes", []))))
    return queue


def _lay_buildings(state: TroyesState, wanted: Data) -> None:
    if "palace" in wanted:
        state.palace = list(wanted["palace"])
    for building in (places.CITY_HALL, places.BISHOPRIC):
        if building in wanted:
            state.rows[building] = [list(row) for row in wanted[building]]
    for building, owners in wanted.get("lying", {}).items():
        state.lying[id_of(building)] = list(owners)
    for level, owners in wanted.get("cathedral", {}).items():
        state.cathedral[int(level[1:]) - 1] = list(owners)


def _lay_cards(state: TroyesState, wanted: Data, facts: Data) -> None:
    """The cards listed, and those an order names, revealed with nobody on them."""
    state.cards = []
    for row in wanted.get("cards", []):
        id = id_of(row["id"])
        spaces = list(row.get("spaces", []))
        spaces += [""] * (len(state.activity(id).spaces) - len(spaces))
        state.cards.append(Card(id, spaces, list(row.get("illustration", [])), dict(row.get("cubes", {}))))
    for line in facts.get("action", []):
        for word in line.replace(",", " ").split():
            named = box.activity_of(word)
            if named in state.box.activities and not state.card(named):
                state.cards.append(Card(named, [""] * len(state.activity(named).spaces)))
    if state.card("master_builder"):
        state.cathedral.append([""] * state.box.board.columns)


def _lay_ramparts(state: TroyesState, wanted: Data) -> None:
    """Guards, tiles and those who have arrived, where the Ladies' ramparts are played."""
    for seat, space in wanted.get("guards", {}).items():
        state.houses[seat].guard = space
    if "outdoor" in wanted:
        state.tiles = [Tile(id_of(row["id"]), dict(row.get("cubes", {}))) for row in wanted["outdoor"]]
    state.arrived = list(wanted.get("arrived", []))
