"""The table of a position, laid from its words over what the file says for all of them."""

from __future__ import annotations

from engine.chronicle import Data
from engine.kit import cases
from engine.troyes import cards
from engine.troyes import dice
from engine.troyes import places
from engine.troyes import verbs
from engine.troyes.modules import ALL
from engine.troyes.setup import begins
from engine.troyes.setup import settle_options
from engine.troyes.state import LE_ROY
from engine.troyes.state import Card
from engine.troyes.state import Threat
from engine.troyes.state import Tile
from engine.troyes.state import Town

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


def lay(scenario: Data, facts: Data) -> Town:
    """The town of a position; `facts` are the scenario's words over the file's defaults."""
    wanted: Data = scenario.get("position", {})
    players = {seat: SEATS[seat] for seat in list(SEATS)[: facts.get("players", 4)]}
    options = settle_options(len(players), {**GAMES[facts.get("game", "base")], **facts.get("options", {})})
    town = verbs.begun(begins(players, options, cases.chance(), facts.get("facts"), facts.get("start", "anna")))
    town.round, town.phase = facts.get("round", 2), facts.get("phase", "actions")
    town.draws = {}
    for name in COUNTS:
        for seat, house in town.houses.items():
            if seat == LE_ROY and name != "vp":
                continue
            setattr(house, name, wanted.get(name, {}).get(seat, facts.get(name, getattr(house, name))))
    for seat, coins in wanted.get("passed", {}).items():
        town.houses[seat].passed, town.houses[seat].coins = True, coins
    _lay_cards(town, wanted, facts)
    _lay_buildings(town, wanted)
    _lay_ramparts(town, wanted)
    town.queue = _queue(wanted.get("events") or facts.get("events") or [{"id": "marauding"}])
    for threat in town.queue:
        threat.held = list(wanted.get("possessed", [])) if threat.id == places.POSSESSION else []
    for owner, words in wanted.get("dice", {}).items():
        town.dice[owner] = dice.tidy(words)
    for seat, won in wanted.get("won", {}).items():
        # How a card was won matters to Scribe alone; a position whose cards were not all fought for says which were.
        town.houses[seat].won = [event_ids(id)[0] for id in won]
        if town.has("activities"):
            town.houses[seat].fought = [event_ids(id)[0] for id in wanted.get("fought", {}).get(seat, won)]
    held = [id_of(id) for id in wanted.get("characters", [])]
    town.open_characters = []
    town.characters = {seat: held if at == 0 and not town.solo else [] for at, seat in enumerate(town.seats)}
    town.pile = held if town.solo else []
    town.decks |= {name: [id_of(id) for id in deck] for name, deck in wanted.get("decks", {}).items()}
    on_board = sum(1 for _ in town.whereabouts(town.neutral))
    town.neutrals = town.all_neutrals - wanted.get("neutrals_in_play", on_board)
    return town


def id_of(word: str) -> str:
    """The id that a word of a position means."""
    return word.replace("-", "_")


def event_ids(word: str) -> tuple[str, ...]:
    """The ids of the events so called. Raises ValueError for none."""
    ids = cards.events_of(word)
    if not ids:
        raise ValueError(f"no event is called {word}")
    return ids


def _queue(wanted: list[Data]) -> list[Threat]:
    """The events, copies of one word told apart in the order of the box."""
    queue: list[Threat] = []
    for row in wanted:
        taken = {threat.id for threat in queue}
        id = next(id for id in event_ids(row["id"]) if id not in taken)
        queue.append(Threat(id, list(row.get("cubes", []))))
    return queue


def _lay_buildings(town: Town, wanted: Data) -> None:
    if "palace" in wanted:
        town.palace = list(wanted["palace"])
    for building in (places.CITY_HALL, places.BISHOPRIC):
        if building in wanted:
            town.rows[building] = [list(row) for row in wanted[building]]
    for building, owners in wanted.get("lying", {}).items():
        town.lying[id_of(building)] = list(owners)
    for level, owners in wanted.get("cathedral", {}).items():
        town.cathedral[int(level[1:]) - 1] = list(owners)


def _lay_cards(town: Town, wanted: Data, facts: Data) -> None:
    """The cards listed, and those an order names, revealed with nobody on them."""
    town.cards = []
    for row in wanted.get("cards", []):
        id = id_of(row["id"])
        spaces = list(row.get("spaces", []))
        spaces += [""] * (len(town.activity(id).spaces) - len(spaces))
        town.cards.append(Card(id, spaces, list(row.get("illustration", [])), dict(row.get("cubes", {}))))
    for line in facts.get("action", []):
        for word in line.replace(",", " ").split():
            named = cards.activity_of(word)
            if named in town.box.activities and not town.card(named):
                town.cards.append(Card(named, [""] * len(town.activity(named).spaces)))
    if town.card("master_builder"):
        town.cathedral.append([""] * town.box.board.columns)


def _lay_ramparts(town: Town, wanted: Data) -> None:
    """Guards, tiles and those who have arrived, where the Ladies' ramparts are played."""
    for seat, space in wanted.get("guards", {}).items():
        town.houses[seat].guard = space
    if "outdoor" in wanted:
        town.tiles = [Tile(id_of(row["id"]), dict(row.get("cubes", {}))) for row in wanted["outdoor"]]
    town.arrived = list(wanted.get("arrived", []))
