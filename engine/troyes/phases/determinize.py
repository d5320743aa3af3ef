"""A position that a seat may be in, as it sees the game: decks and hands dealt anew from the cards it has not seen.

Sizes are public. Which cards are still in the box is not, so every unseen card of the sets in play may come. A card
that went to the neutral player counts as unseen. No red event comes that would call one from an empty deck.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from engine.chance import Chance, Purpose
from engine.troyes.state import dice, ladies_modules
from engine.troyes.state.troyes_state import TroyesState


def determinized(state: TroyesState, seat: str, chance: Chance) -> TroyesState:
    """A position that the seat may be in. Only the seat's own secrets of `state` are used."""
    found = state.fork()
    found.wishes = {seat: state.wishes.get(seat, [])}
    found.reacts = {seat: state.reacts.get(seat, {})}
    found.plans = {}
    found.sealed = {owner: answer for owner, answer in state.sealed.items() if owner == seat}
    found.characters = _hands(state, seat, chance)
    found.decks = {"activities": _activities(state, len(state.decks["activities"]), chance)} | _events(state, chance)
    return found


def _shuffled(chance: Chance, kind: str, cards: Iterable[str]) -> list[str]:
    left = list(cards)
    return [left[at] for at in chance.order(Purpose(0, f"imagined-{kind}"), len(left))]


def _hands(state: TroyesState, seat: str, chance: Chance) -> dict[str, list[str]]:
    own = state.characters.get(seat, [])
    seen: Collection[str] = {*own, *state.open_characters}
    rest = iter(_shuffled(chance, "characters", (id for id in state.box.characters if id not in seen)))
    return {owner: own[:] if owner == seat else [next(rest) for _ in held] for owner, held in state.characters.items()}


def _activities(state: TroyesState, size: int, chance: Chance) -> list[str]:
    """One card of each colour for every level that has not been turned up."""
    sets = ladies_modules.activity_sets(state.options)
    found = [
        _shuffled(chance, f"{colour}-{level}", state.box.pile(colour, level, sets))[0]
        for level in (1, 2, 3)
        for colour in dice.COLOURS
        if level > state.round
    ]
    return found[:size]


def _events(state: TroyesState, chance: Chance) -> dict[str, list[str]]:
    sets = ladies_modules.event_sets(state.options)
    seen = {threat.id for threat in state.queue} | {id for house in state.houses.values() for id in house.won}
    found = {
        colour: _shuffled(chance, colour, (id for id in state.box.deck(colour, sets) if id not in seen))
        for colour in ("red", "yellow", "white")
    }
    decks = {name: len(state.decks[name]) for name in ("red", "yellow", "white", "unused_red")}
    found["red"] = _called(state, found["red"], decks)
    found["unused_red"] = found["red"][decks["red"] :]
    return {name: found[name][:size] for name, size in decks.items()}


def _called(state: TroyesState, reds: list[str], sizes: Mapping[str, int]) -> list[str]:
    """Red events in an order in which those to come, and one more, call no more of a colour than its deck holds."""
    left, fits, others = {colour: sizes[colour] for colour in ("yellow", "white")}, list[str](), list[str]()
    for id in reds:
        calls = state.event(id).calls
        come = len(fits) <= sizes["red"] and left.get(calls, 1) > 0
        (fits if come else others).append(id)
        if come and calls in left:
            left[calls] -= 1
    return fits + others
