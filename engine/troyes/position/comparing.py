"""What came out of a position against what its words expect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.chronicle import Data
from engine.kit import cases
from engine.kit.words import kebab
from engine.troyes import invaders
from engine.troyes import scoring
from engine.troyes.le_roy import scenario as solo
from engine.troyes.position.laying import COUNTS
from engine.troyes.position.laying import event_ids
from engine.troyes.position.laying import id_of
from engine.troyes.state import Town
from engine.troyes.verbs import Play


def compare(before: Town, play: Play, expected: Data) -> Iterator[str]:
    """Every difference between what came out and what is expected, in words."""
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
            found = town.scores.get(seat, {}).get(id_of(part))
            if found != points:
                yield f"scores.{seat}.{part}: {points} expected, {found} found"
    if "winner" in expected:
        yield from cases.compare_winner(expected["winner"], scoring.winners(town.scores), town.scores)
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
    asked = [(row["seat"], row["kind"]) for row in town.asked]
    wrong = tuple(cases.compare_asked(wanted, asked))
    yield from wrong
    if not wrong and isinstance(wanted, dict) and "choices" in wanted:
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
    if name == "outdoor":
        wanted = [{"id": row["id"].replace("_", "-"), "cubes": row.get("cubes", {})} for row in wanted]
    if name == "events":
        wanted = [{"id": town.event(event_ids(row["id"])[0]).word, "cubes": row.get("cubes", [])} for row in wanted]
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
            return sorted(town.lying[id_of(key)])
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
            return [kebab(id) for id in town.pile]
        case "start":
            return town.start
        case "guards":
            return town.houses[key].guard
        case "outdoor":
            return [{"id": tile.id.replace("_", "-"), "cubes": tile.cubes} for tile in town.tiles]
        case "arrived":
            return town.arrived
        case "black":
            return town.black
        case "possessed":
            return [owner for threat in town.queue for owner in threat.held]
    if name in COUNTS:
        return getattr(town.houses[key], name)
    raise ValueError(f"after.{name} is no word of a position")


def _compare_cards(town: Town, wanted: list[Data]) -> Iterator[str]:
    for row in wanted:
        card = town.card(id_of(row["id"]))
        if card is None:
            yield f"after.cards: {row['id']} is not in play"
            continue
        for name, found in (("spaces", card.spaces), ("illustration", card.picture), ("cubes", card.cubes)):
            if name in row and found != row[name]:
                yield f"after.cards.{row['id']}.{name}: {row[name]} expected, {found} found"
