"""What must hold in every position: nothing appears from nowhere, nothing is lost, no limit is passed.

Used by `fsck`, by the moderator's edits, and by the property tests over whole games.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.troyes.phases.rounds import PHASES, STEPS
from engine.troyes.state import dice, ladies_modules, places
from engine.troyes.state.troyes_state import BLANK, NEUTRALS, TroyesState

QUESTIONS: dict[str, frozenset[str]] = {
    "initial placement": frozenset({"settle"}),
    "events": frozenset({"support", "give", "discard", "react", "release"}),
    "black dice": frozenset({"counter", "react", "release"}),
    "actions": frozenset({"turn", "target", "react", "release"}),
    "over": frozenset(),
}
"""The questions that each phase asks."""


def violations(state: TroyesState) -> tuple[str, ...]:
    """Every invariant the position breaks, in words; empty when it is sound."""
    if misfits := tuple(_frame(state)):
        return misfits
    return (
        *_course(state),
        *_citizens(state),
        *_counts(state),
        *_dice(state),
        *_cards(state),
        *_events(state),
        *_decks(state),
        *_ramparts(state),
        *_pending(state),
    )


def _frame(state: TroyesState) -> Iterator[str]:
    """The board has its spaces. The other checks depend on it."""
    if len(state.palace) != 6:
        yield f"the Palace has {len(state.palace)} spaces, not 6"
    for building, rows in state.rows.items():
        if [len(row) for row in rows] != [2, 2, 2]:
            yield f"the spaces of {building} are not three rows of two"
    if set(state.lying) != set(places.BUILDINGS):
        yield f"citizens lie in {', '.join(state.lying)}"
    known = state.box.activities
    levels = 3 + sum(known[card.id].opens_level for card in state.cards if card.id in known)
    if [len(level) for level in state.cathedral] != [6] * levels:
        yield f"the cathedral has levels of {', '.join(str(len(level)) for level in state.cathedral)} columns"


def _course(state: TroyesState) -> Iterator[str]:
    """Round, phase, questions, cards and events fit together, whenever somebody is asked."""
    last = state.box.board.rounds[state.players]
    if not 0 <= state.round <= last:
        yield f"it is round {state.round} of {last}"
    if (state.round == 0) != (state.phase == "initial placement"):
        yield f"round {state.round} stands at «{state.phase}»"
    kinds = QUESTIONS.get(state.phase)
    if kinds is None:
        yield f"no phase in which somebody is asked is called «{state.phase}»"
    for asked in state.asked:
        if kinds is not None and asked.kind not in kinds:
            yield f"{asked.seat} is asked «{asked.kind}», which is no question of «{state.phase}»"
    for frame in state.agenda:
        if frame["step"] not in STEPS:
            yield f"«{frame['step']}» is pending, which nobody knows how to do"
    if state.agenda and state.agenda[0].get("next") not in PHASES:
        yield f"«{state.agenda[0].get('next')}» comes next, which is no phase"
    for card in state.cards:
        facts = state.box.activities.get(card.id)
        if facts is not None and facts.level > state.round:
            yield f"{card.id} of level {facts.level} is in play in round {state.round}"
    if len(state.cards) != 3 * min(state.round, 3):
        yield f"{len(state.cards)} activities are in play in round {state.round}, not {3 * min(state.round, 3)}"
    reds, left = state.box.board.red_events[state.players], len(state.decks["red"])
    if state.decks["red"] != [BLANK] and left != reds - state.round:
        yield f"{reds - left} red events of the deck have come in round {state.round}; one comes in each round"


def _on_board(state: TroyesState, owner: str) -> int:
    return sum(1 for _ in state.whereabouts(owner))


def _citizens(state: TroyesState) -> Iterator[str]:
    for seat in state.names:
        house = state.houses[seat]
        count = house.supply + house.reserve + _on_board(state, seat) + sum(t.held.count(seat) for t in state.queue)
        if count != state.box.board.citizens:
            yield f"{seat} has {count} citizens, not {state.box.board.citizens}"
    count = state.neutrals + _on_board(state, state.neutral)
    if count != state.all_neutrals:
        yield f"there are {count} neutral citizens, not {state.all_neutrals}"
    if set(state.houses) != set(state.circle):
        yield f"houses are {', '.join(state.houses)}"
    if state.start not in state.circle:
        yield f"the start player is {state.start!r}, who does not play"
    owners = {*state.names, state.neutral, ""}
    for place in places.SPACES:
        if state.owner_at(place) not in owners:
            yield f"nobody is called {state.owner_at(place)!r}, who stands at {place}"
    for building, lying in state.lying.items():
        for owner in set(lying):
            if lying.count(owner) > 1:
                yield f"{lying.count(owner)} citizens of {owner} lie in {building}; one is the most (A43)"


def _counts(state: TroyesState) -> Iterator[str]:
    for seat, house in state.houses.items():
        for name in ("deniers", "influence", "vp", "supply", "reserve", "coins"):
            if getattr(house, name) < 0:
                yield f"{seat} has {getattr(house, name)} {name}"
        if house.influence > state.box.board.influence_max:
            yield f"{seat} has {house.influence} influence; {state.box.board.influence_max} is the most"


def _dice(state: TroyesState) -> Iterator[str]:
    if set(state.dice) != {*state.names, state.neutral}:
        yield f"districts are {', '.join(state.dice)}"
    for owner, words in state.dice.items():
        wrong = [word for word in words if word not in dice.FACES]
        if wrong:
            yield f"{owner} has {' '.join(wrong)} on the square, which are no dice"
        elif words != dice.sorted_dice(words):
            yield f"the dice of {owner} are not in order: {' '.join(words)}"
    for owner, words in state.dice.items():
        if len(words) > state.rolled.get(owner, 0):
            yield f"{owner} has {len(words)} dice on the square; {state.rolled.get(owner, 0)} were rolled this round"
        purple = sum(word[0] == "P" for word in words)
        if purple > (owner in state.names and state.has("head")):
            yield f"{owner} has {purple} purple dice"
    for colour in dice.COLOURS:
        count = sum(word[0] == dice.LETTERS[colour] for words in state.dice.values() for word in words)
        if count > len(places.SPACES) // 3:
            yield f"{count} {colour} dice lie on the square; there are 6"
    if any(not 1 <= number <= 6 for number in state.black) or state.black != sorted(state.black, reverse=True):
        yield f"black dice are {state.black}"


def _cards(state: TroyesState) -> Iterator[str]:
    for card in state.cards:
        facts = state.box.activities.get(card.id)
        if facts is None:
            yield f"no activity is called {card.id}"
            continue
        if len(card.spaces) != len(facts.spaces):
            yield f"{card.id} has {len(card.spaces)} spaces, not {len(facts.spaces)}"
        men = [owner for owner in (*card.spaces, *card.picture) if owner]
        for owner in set(men):
            if men.count(owner) > 1 and owner not in NEUTRALS:
                yield f"{owner} has {men.count(owner)} tradesmen on {card.id}"
        if card.cubes and not facts.keeps:
            yield f"cubes lie on {card.id}, which keeps none"
        if any(count < 1 for count in card.cubes.values()):
            yield f"{card.id} has a cube count below 1"
    if len({card.id for card in state.cards}) != len(state.cards):
        yield "an activity is in play twice"


def _events(state: TroyesState) -> Iterator[str]:
    if not state.queue or state.queue[0].id != "marauding":
        yield "Marauding is not first in the queue"
    for threat in state.queue:
        facts = state.box.events.get(threat.id)
        if facts is None:
            yield f"no event is called {threat.id}"
        elif threat.held and threat.id != places.POSSESSION:
            yield f"citizens were given to {threat.id}, which takes none"
        elif len(threat.cubes) >= facts.banners:
            yield f"{threat.id} holds {len(threat.cubes)} cubes on {facts.banners} banners and should have left"
    for column in range(6):
        levels = [bool(level[column]) for level in state.cathedral]
        if levels != sorted(levels, reverse=True):
            yield f"column {column + 1} of the cathedral hangs in the air"


def _decks(state: TroyesState) -> Iterator[str]:
    if any(BLANK in deck for deck in state.decks.values()):
        return
    sets = ladies_modules.event_sets(state.options)
    for colour in ("red", "yellow", "white"):
        out = state.decks[colour] + (state.decks["unused_red"] if colour == "red" else [])
        out += [threat.id for threat in state.queue if state.box.events[threat.id].color == colour]
        out += [id for house in state.houses.values() for id in house.won if state.box.events[id].color == colour]
        unknown = [id for id in out if id != "marauding" and id not in state.box.deck(colour, sets)]
        if unknown:
            yield f"{', '.join(unknown)} do not belong to the {colour} events"
        if len(set(out)) != len(out):
            yield f"a {colour} event is there twice"
    dealt = [id for held in (*state.characters.values(), state.open_characters) for id in held]
    each = 0 if state.solo else state.box.board.characters[len(state.names)]
    if len(set(state.pile)) != len(state.pile) or not set(state.pile) <= set(state.box.characters):
        yield f"the pile of characters is {', '.join(state.pile)}"
    if state.pile and not state.solo:
        yield "characters lie in a pile, which only the solo game has"
    if len(set(dealt)) != len(dealt) or any(len(held) != each for held in state.characters.values()):
        yield "characters are not dealt as the number of players asks"
    ids = [card.id for card in state.cards] + state.decks["activities"]
    if len(ids) != 9 or len(set(ids)) != 9:
        yield f"{len(set(ids))} different activities are in the game, not 9"


def _ramparts(state: TroyesState) -> Iterator[str]:
    """Tiles of levels I to IV, guards on the spaces that fit their arrival, cubes only where they may lie."""
    if bool(state.tiles) != state.has("ramparts"):
        yield "outdoor tiles lie there without the ramparts, or are missing"
    if not state.tiles:
        return
    levels = [state.outdoor(tile.id).level for tile in state.tiles]
    if levels != [1, 2, 3, 4]:
        yield f"outdoor tiles are of levels {levels}"
    for tile in state.tiles:
        if any(count < 1 for count in tile.cubes.values()) or set(tile.cubes) - set(state.names):
            yield f"cubes on {tile.id} are {tile.cubes}"
        if tile.cubes and state.outdoor(tile.id).when == "none":
            yield f"cubes lie on {tile.id}, which takes none"
        gate = state.box.board.gates[state.outdoor(tile.id).level - 1]
        for seat in tile.cubes:
            if seat in state.houses and state.houses[seat].guard < gate:
                yield f"{seat} has cubes on {tile.id}, and the guard stands on {state.houses[seat].guard}"
    last = state.box.board.ramparts
    there = {seat for seat, house in state.houses.items() if house.guard == last}
    if set(state.arrived) != there or len(set(state.arrived)) != len(state.arrived):
        arrived, guards = ", ".join(state.arrived) or "none", ", ".join(sorted(there)) or "none"
        yield f"arrived are {arrived}; guards on {last}: {guards}"
    if any(not 0 <= house.guard <= last for house in state.houses.values()):
        yield "a guard stands beside the ramparts"


def _pending(state: TroyesState) -> Iterator[str]:
    if state.phase == "over":
        if state.asked or state.agenda:
            yield "the game is over and something is pending"
    elif not state.asked:
        yield "nobody is asked anything"
    for asked in state.asked:
        if asked.seat not in state.names:
            yield f"{asked.seat} is asked and does not sit here"
        if asked.number > state.number:
            yield f"decision {asked.number} is open and {state.number} is the newest"
