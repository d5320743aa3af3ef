"""What came out of a position against what its words expect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.chronicle import Data
from engine.kit import cases
from engine.kit.words import kebab
from engine.troyes.automaton import scenario as solo
from engine.troyes.board import scoring, threats
from engine.troyes.cases.laying import COUNTS, event_ids, id_of
from engine.troyes.entries import Play
from engine.troyes.entries.dice import DiceLeave
from engine.troyes.state.state import TroyesState


def compare(before: TroyesState, play: Play, expected: Data) -> Iterator[str]:
    """Every difference between what came out and what is expected, in words."""
    state = play.state
    if "delta" in expected:
        yield from _compare_counts(before, state, expected["delta"])
    if "gone" in expected:
        left = [f"{fact.owner}:{die}" for fact in play.facts if isinstance(fact, DiceLeave) for die in fact.dice]
        if Counter(left) != Counter(expected["gone"]):
            yield f"gone: {sorted(expected['gone'])} expected, {sorted(left)} found"
    for name, wanted in expected.get("after", {}).items():
        yield from _compare_after(state, name, wanted)
    yield from _compare_asked(state, expected.get("asks"))
    if expected.get("round_ends") and state.phase != "end of round":
        yield f"the round should have ended; phase is {state.phase}"
    for seat, parts in expected.get("scores", {}).items():
        for part, points in parts.items():
            found = state.scores.get(seat, {}).get(id_of(part))
            if found != points:
                yield f"scores.{seat}.{part}: {points} expected, {found} found"
    if "winner" in expected:
        yield from cases.compare_winner(expected["winner"], scoring.winners(state.scores), state.scores)
    yield from solo.compare(state.scores, expected)


def _compare_counts(before: TroyesState, state: TroyesState, delta: Data) -> Iterator[str]:
    for seat, house in state.houses.items():
        for name in COUNTS:
            if name == "reserve" and name not in delta.get(seat, {}):
                continue
            wanted = delta.get(seat, {}).get(name, 0)
            found = getattr(house, name) - getattr(before.houses[seat], name)
            if found != wanted:
                yield f"delta.{seat}.{name}: {wanted:+d} expected, {found:+d} found"


def _compare_asked(state: TroyesState, wanted: Any) -> Iterator[str]:
    asked = [(row["seat"], row["kind"]) for row in state.asked]
    wrong = tuple(cases.compare_asked(wanted, asked))
    yield from wrong
    if not wrong and isinstance(wanted, dict) and "choices" in wanted:
        found = [state.event(threat.id).word for threat in state.queue]
        if wanted["kind"] == "support":
            found = [state.event(id).word for id in threats.supportable(state, state.agenda[-1]["event"])]
        if found != list(wanted["choices"]):
            yield f"asks.choices: {wanted['choices']} expected, {found} found"


def _compare_after(state: TroyesState, name: str, wanted: Any) -> Iterator[str]:
    if name == "cards":
        yield from _compare_cards(state, wanted)
        return
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            found = _found(state, name, key)
            good = sorted(value) if name in ("lying", "dice") else value
            if found != good:
                yield f"after.{name}.{key}: {value} expected, {found} found"
        return
    found = _found(state, name, "")
    if name == "outdoor":
        wanted = [{"id": row["id"].replace("_", "-"), "cubes": row.get("cubes", {})} for row in wanted]
    if name == "events":
        wanted = [{"id": state.event(event_ids(row["id"])[0]).word, "cubes": row.get("cubes", [])} for row in wanted]
    if found != wanted:
        yield f"after.{name}: {wanted} expected, {found} found"


def _found(state: TroyesState, name: str, key: str) -> Any:
    """What stands there, in the words of a position."""
    match name:
        case "palace":
            return state.palace
        case "city_hall" | "bishopric":
            return state.rows[name]
        case "lying":
            return sorted(state.lying[id_of(key)])
        case "cathedral":
            return state.cathedral[int(key[1:]) - 1]
        case "dice":
            return sorted(state.dice[key])
        case "passed":
            return state.houses[key].coins if state.houses[key].passed else None
        case "won":
            return [state.event(id).word for id in state.houses[key].won]
        case "decks":
            return state.decks[key]
        case "events":
            return [{"id": state.event(threat.id).word, "cubes": threat.cubes} for threat in state.queue]
        case "neutrals_in_play":
            return state.all_neutrals - state.neutrals
        case "characters":
            return [kebab(id) for id in state.pile]
        case "start":
            return state.start
        case "guards":
            return state.houses[key].guard
        case "outdoor":
            return [{"id": tile.id.replace("_", "-"), "cubes": tile.cubes} for tile in state.tiles]
        case "arrived":
            return state.arrived
        case "black":
            return state.black
        case "possessed":
            return [owner for threat in state.queue for owner in threat.held]
    if name in COUNTS:
        return getattr(state.houses[key], name)
    raise ValueError(f"after.{name} is no word of a position")


def _compare_cards(state: TroyesState, wanted: list[Data]) -> Iterator[str]:
    for row in wanted:
        card = state.card(id_of(row["id"]))
        if card is None:
            yield f"after.cards: {row['id']} is not in play"
            continue
        for name, found in (("spaces", card.spaces), ("illustration", card.picture), ("cubes", card.cubes)):
            if name in row and found != row[name]:
                yield f"after.cards.{row['id']}.{name}: {row[name]} expected, {found} found"
