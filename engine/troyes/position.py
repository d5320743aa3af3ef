"""Rule positions: a few facts of a table, an order, the numbers that the dice showed, and what must have changed.

They are data (design: positions) that a person who knows the rules can read and write; this module lays the table,
plays the orders and compares. A position holds only what matters and need not be reachable in a game, so nothing
here asks whether it is sound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.agenda import Step
from engine.chance import Derived
from engine.chance import Scripted
from engine.chronicle import Data
from engine.errors import NotUnderstood
from engine.errors import OrderRefused
from engine.errors import TooLate
from engine.game import Verdict
from engine.troyes import archive
from engine.troyes import cards
from engine.troyes import conduct
from engine.troyes import dice
from engine.troyes import invaders
from engine.troyes import language
from engine.troyes import places
from engine.troyes import rounds
from engine.troyes import scoring
from engine.troyes import verbs
from engine.troyes.le_roy import scenario as solo
from engine.troyes.setup import begins
from engine.troyes.setup import settle_options
from engine.troyes.state import GRAY
from engine.troyes.state import LE_ROY
from engine.troyes.state import Card
from engine.troyes.state import Frame
from engine.troyes.state import Threat
from engine.troyes.state import Town
from engine.troyes.verbs import Play

SEATS = {"anna": "Anna", "faye": "Faye", "geoffrey": "Geoffrey", "emily": "Emily"}
COUNTS = ("deniers", "influence", "vp", "supply", "reserve")
BONUS, SOLO = {"bonus": "yes"}, {"solo": "yes"}
GAMES: dict[str, dict[str, str]] = {"base": {}, "base+bonus": BONUS, "solo": SOLO, "solo+bonus": SOLO | BONUS}


def judge(scenario: Data, defaults: Data) -> Verdict:
    """Play one position and compare. `unsupported` for games this engine does not have."""
    id = str(scenario.get("id", "?"))
    if scenario.get("game", "base") not in GAMES:
        return Verdict(id, "unsupported", (f"no game is called {scenario.get('game')}",))
    try:
        differences = tuple(_differences(scenario, {**defaults, **scenario}))
    except (LookupError, ValueError, TypeError) as error:
        return Verdict(id, "fail", (f"the position cannot be laid out: {type(error).__name__}: {error}",))
    return Verdict(id, "fail" if differences else "pass", differences)


# Laying the table.


def lay(scenario: Data, facts: Data) -> Town:
    """The town of a position; `facts` are the scenario's words over the file's defaults."""
    wanted: Data = scenario.get("position", {})
    players = {seat: SEATS[seat] for seat in list(SEATS)[: facts.get("players", 4)]}
    options = settle_options(len(players), {**GAMES[facts.get("game", "base")], **facts.get("options", {})})
    chance = Derived(b"a position", (), "position")
    town = verbs.begun(begins(players, options, chance, facts.get("facts"), facts.get("start", "anna")))
    town.round, town.phase = facts.get("round", 2), facts.get("phase", "actions")
    town.draws = {}
    for name in COUNTS:
        for seat, house in town.houses.items():
            if seat == LE_ROY and name != "vp":
                continue
            setattr(house, name, wanted.get(name, {}).get(seat, facts.get(name, getattr(house, name))))
    for seat, coins in wanted.get("passed", {}).items():
        town.houses[seat].passed, town.houses[seat].coins = True, coins
    _lay_buildings(town, wanted)
    _lay_cards(town, wanted, facts)
    town.queue = _queue(wanted.get("events") or facts.get("events") or [{"id": "marauding"}])
    for owner, words in wanted.get("dice", {}).items():
        town.dice[owner] = dice.tidy(words)
    for seat, won in wanted.get("won", {}).items():
        town.houses[seat].won = [_event_ids(id)[0] for id in won]
    held = [_id(id) for id in wanted.get("characters", [])]
    town.characters = {seat: held if at == 0 and not town.solo else [] for at, seat in enumerate(town.seats)}
    town.pile = held if town.solo else []
    town.decks |= {name: [_id(id) for id in deck] for name, deck in wanted.get("decks", {}).items()}
    on_board = sum(1 for _ in town.whereabouts(town.neutral))
    town.neutrals = town.all_neutrals - wanted.get("neutrals_in_play", on_board)
    return town


def _id(word: str) -> str:
    return word.replace("-", "_")


def _event_ids(word: str) -> tuple[str, ...]:
    ids = cards.events_of(word)
    if not ids:
        raise ValueError(f"no event is called {word}")
    return ids


def _queue(wanted: list[Data]) -> list[Threat]:
    """The events, copies of one word told apart in the order of the box."""
    queue: list[Threat] = []
    for row in wanted:
        taken = {threat.id for threat in queue}
        id = next(id for id in _event_ids(row["id"]) if id not in taken)
        queue.append(Threat(id, list(row.get("cubes", []))))
    return queue


def _lay_buildings(town: Town, wanted: Data) -> None:
    if "palace" in wanted:
        town.palace = list(wanted["palace"])
    for building in (places.CITY_HALL, places.BISHOPRIC):
        if building in wanted:
            town.rows[building] = [list(row) for row in wanted[building]]
    for building, owners in wanted.get("lying", {}).items():
        town.lying[_id(building)] = list(owners)
    for level, owners in wanted.get("cathedral", {}).items():
        town.cathedral[int(level[1:]) - 1] = list(owners)


def _lay_cards(town: Town, wanted: Data, facts: Data) -> None:
    """The cards listed, and those an order names, revealed with nobody on them."""
    town.cards = []
    for row in wanted.get("cards", []):
        id = _id(row["id"])
        spaces = list(row.get("spaces", []))
        spaces += [""] * (len(town.activity(id).spaces) - len(spaces))
        town.cards.append(Card(id, spaces, list(row.get("illustration", [])), dict(row.get("cubes", {}))))
    for line in facts.get("action", []):
        for word in line.replace(",", " ").split():
            named = cards.activity_of(word)
            if named and not town.card(named):
                town.cards.append(Card(named, [""] * len(town.activity(named).spaces)))


# Playing.


def _differences(scenario: Data, facts: Data) -> Iterator[str]:
    expected = scenario["expected"]
    before, play, outcome, said = _played(scenario, facts, spare=False)
    if _emptied(play, facts) and not expected.get("round_ends") and not play.town.solo:
        before, play, outcome, said = _played(scenario, facts, spare=True)
    if outcome == "ok" and expected["result"] == "asks" and play.town.asked:
        outcome = "asks"
    if outcome != expected["result"]:
        yield f"result: {expected['result']} expected, {outcome} found{said}"
    elif outcome in ("ok", "asks"):
        yield from _compare(before, play, expected)


def _played(scenario: Data, facts: Data, *, spare: bool) -> tuple[Town, Play, str, str]:
    """The town before, the play after, the outcome, and what a refusal said. A refused line changes nothing."""
    town, scripted = lay(scenario, facts), scenario.get("scripted", {})
    if spare:
        town.dice[GRAY] = dice.tidy([*town.dice[GRAY], _spare(town)])
    before = town.copy()
    play = Play(town, Scripted(scripted, Derived(b"a position", (), "position")))
    _open(play, facts, scripted)
    for line in scenario["action"]:
        was = archive.dump(play.town)
        try:
            play = _act(play, line, facts, scenario["expected"])
        except OrderRefused as refusal:
            if archive.dump(play.town) != was:
                return before, play, "changed", f" ({line}: refused, and yet something changed)"
            return before, play, refusal.word, f" ({line}: {refusal.reason})"
    return before, play, "ok", ""


def _emptied(play: Play, facts: Data) -> bool:
    return facts.get("phase", "actions") == "actions" and play.town.no_dice


def _spare(town: Town) -> str:
    """A gray die beside those the position has, so that the square does not run empty."""
    return next(word for word in ("W1", "R1", "Y1") if word not in town.dice[GRAY])


def _open(play: Play, facts: Data, scripted: Data) -> None:
    """What is pending when the first order is read."""
    town, phase = play.town, facts.get("phase", "actions")
    if phase == "initial placement":
        start = town.box.board.start_citizens[town.players] * len(town.seats)
        turn = start - sum(house.supply for house in town.houses.values())
        if town.solo:
            turn += 1 + max(0, turn - 1) // town.box.solo.placed_by_player
        town.agenda = [{"step": "course", "next": "activities"}, {"step": "settle", "turn": turn}]
    elif phase in ("events", "black dice"):
        town.agenda = [{"step": "course", "next": "actions"}]
        if "black" in scripted:
            town.black = sorted(scripted["black"], reverse=True)
            town.agenda.append({"step": "counter", "seat": town.start})
    else:
        seat = facts.get("turn", town.start)
        town.agenda = [{"step": "course", "next": "end of round"}, {"step": "turns", "seat": seat}]
    if not any(line.startswith("system>") for line in facts["action"][:1]):
        conduct.rest(play, _steps(facts, {}))


def _steps(facts: Data, expected: Data) -> dict[str, Step[Play]]:
    """The engine's steps, but the course of the game rests where the position's interest ends."""

    def course(play: Play, frame: Frame) -> bool:
        stops = {"activities"} if expected.get("round_ends") else {"activities", "end of round"}
        if frame["next"] in stops:
            play.town.asked = []
            return True
        return rounds.course(play, frame)

    return {**solo.held_back(rounds.STEPS, facts.get("scripted", {})), "course": course}


def _act(play: Play, line: str, facts: Data, expected: Data) -> Play:
    """One line. A line that is refused leaves the town as it was."""
    seat, arrow, text = line.partition(">")
    if not arrow:
        seat, text = facts.get("turn", play.town.start), line
    seat, text = seat.strip(), text.strip()
    trial = Play(play.town.copy(), play.chance, play.entries[:])
    if seat == "system":
        _system(trial, text, facts, expected)
        return trial
    if _given_already(play, seat, text):
        return play
    if not any(asked["seat"] == seat for asked in trial.town.asked):
        raise TooLate(conduct.not_asked(trial.town))
    order = language.read(trial.town, seat, text).order
    conduct.obey(trial, seat, order)
    conduct.rest(trial, _steps(facts, expected))
    return trial


def _given_already(play: Play, seat: str, text: str) -> bool:
    """Whether the engine has just made this very order for the seat, as the only legal one."""
    made = [entry.data for entry in play.entries if entry.kind == "order" and entry.data["given"] == "only"]
    return any(data["seat"] == seat and data["text"] == text for data in made[-2:])


def _system(play: Play, text: str, facts: Data, expected: Data) -> None:
    """What nobody orders."""
    town = play.town
    town.asked = []
    verb, _, rest = text.partition(" ")
    if verb == "resolve":
        threat = next(threat for threat in town.queue if threat.id in _event_ids(rest))
        town.agenda = [{"step": "course", "next": "activities"}, {"step": "queue", "left": [threat.id], "black": 0}]
        conduct.rest(play, _steps(facts, expected))
    elif text == "income":
        rounds.PHASES["income"](play)
    elif text == "workforce":
        rounds.PHASES["workforce"](play)
    elif text == "reveal events":
        invaders.reveal(play)
    elif text == "end of round":
        town.agenda = [{"step": "course", "next": "end of round"}]
        conduct.rest(play, _steps(facts, {"round_ends": True}))
    elif text in solo.SYSTEM:
        solo.SYSTEM[text](play)
    elif text == "final scoring":
        scoring.final(play)
    elif text == "score characters only":
        for seat in town.circle:
            town.scores[seat] = {id: scoring.character(town, seat, id) for id in scoring.dealt(town)}
    else:
        raise NotUnderstood(conduct.questions("turn"))


# Comparing.


def _compare(before: Town, play: Play, expected: Data) -> Iterator[str]:
    town = play.town
    if "delta" in expected:
        yield from _compare_counts(before, town, expected["delta"])
    if "gone" in expected:
        left = [f"{e.data['owner']}:{die}" for e in play.entries if e.kind == "leaves" for die in e.data["dice"]]
        if Counter(left) != Counter(expected["gone"]):
            yield f"gone: {sorted(expected['gone'])} expected, {sorted(left)} found"
    for name, wanted in expected.get("after", {}).items():
        yield from _compare_after(town, name, wanted)
    yield from _compare_asked(town, expected.get("asks"))
    if expected.get("round_ends") and town.phase != "end of round":
        yield f"the round should have ended; phase is {town.phase}"
    for seat, parts in expected.get("scores", {}).items():
        for part, points in parts.items():
            found = town.scores.get(seat, {}).get(_id(part))
            if found != points:
                yield f"scores.{seat}.{part}: {points} expected, {found} found"
    if "winner" in expected:
        wanted = expected["winner"]
        winners = scoring.winners(town.scores)
        if winners != (wanted if isinstance(wanted, list) else [wanted]):
            totals = {seat: sum(parts.values()) for seat, parts in town.scores.items()}
            yield f"winner: {wanted} expected, {winners} found ({totals})"
    yield from solo.compare(town.scores, expected)


def _compare_counts(before: Town, town: Town, delta: Data) -> Iterator[str]:
    for seat, house in town.houses.items():
        for name in COUNTS:
            if name == "reserve" and name not in delta.get(seat, {}):
                continue
            wanted = delta.get(seat, {}).get(name, 0)
            found = getattr(house, name) - getattr(before.houses[seat], name)
            if found != wanted:
                yield f"delta.{seat}.{name}: {wanted:+d} expected, {found:+d} found"


def _compare_asked(town: Town, wanted: Any) -> Iterator[str]:
    if wanted is None:
        return
    asked = [(row["seat"], row["kind"]) for row in town.asked]
    if isinstance(wanted, str):
        if not any(seat in wanted for seat, _ in asked):
            yield f"asks: {wanted!r} expected, {asked} found"
        return
    if (wanted["seat"], wanted["kind"]) not in asked:
        yield f"asks: {wanted['seat']} {wanted['kind']} expected, {asked} found"
        return
    if "choices" in wanted:
        found = [town.event(threat.id).word for threat in town.queue]
        if wanted["kind"] == "support":
            found = [town.event(id).word for id in invaders.supportable(town, town.agenda[-1]["event"])]
        if found != list(wanted["choices"]):
            yield f"asks.choices: {wanted['choices']} expected, {found} found"


def _compare_after(town: Town, name: str, wanted: Any) -> Iterator[str]:
    if name == "cards":
        yield from _compare_cards(town, wanted)
        return
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            found = _found(town, name, key)
            good = sorted(value) if name in ("lying", "dice") else value
            if found != good:
                yield f"after.{name}.{key}: {value} expected, {found} found"
        return
    found = _found(town, name, "")
    if name == "events":
        wanted = [{"id": town.event(_event_ids(row["id"])[0]).word, "cubes": row.get("cubes", [])} for row in wanted]
    if found != wanted:
        yield f"after.{name}: {wanted} expected, {found} found"


def _found(town: Town, name: str, key: str) -> Any:
    """What stands there, in the words of a position."""
    match name:
        case "palace":
            return town.palace
        case "city_hall" | "bishopric":
            return town.rows[name]
        case "lying":
            return sorted(town.lying[_id(key)])
        case "cathedral":
            return town.cathedral[int(key[1:]) - 1]
        case "dice":
            return sorted(town.dice[key])
        case "passed":
            return town.houses[key].coins if town.houses[key].passed else None
        case "won":
            return [town.event(id).word for id in town.houses[key].won]
        case "decks":
            return town.decks[key]
        case "events":
            return [{"id": town.event(threat.id).word, "cubes": threat.cubes} for threat in town.queue]
        case "neutrals_in_play":
            return town.all_neutrals - town.neutrals
        case "characters":
            return [cards.fold_word(id) for id in town.pile]
        case "start":
            return town.start
    if name in COUNTS:
        return getattr(town.houses[key], name)
    raise ValueError(f"after.{name} is no word of a position")


def _compare_cards(town: Town, wanted: list[Data]) -> Iterator[str]:
    for row in wanted:
        card = town.card(_id(row["id"]))
        if card is None:
            yield f"after.cards: {row['id']} is not in play"
            continue
        for name, found in (("spaces", card.spaces), ("illustration", card.picture), ("cubes", card.cubes)):
            if name in row and found != row[name]:
                yield f"after.cards.{row['id']}.{name}: {row[name]} expected, {found} found"
