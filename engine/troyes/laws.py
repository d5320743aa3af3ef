"""What must hold in every position: nothing appears from nowhere, nothing is lost, no limit is passed.

Used by `fsck`, by the moderator's edits, and by the property tests over whole games.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.troyes import dice
from engine.troyes import modules
from engine.troyes import places
from engine.troyes.rounds import PHASES
from engine.troyes.rounds import STEPS
from engine.troyes.state import BLANK
from engine.troyes.state import NEUTRALS
from engine.troyes.state import Town

QUESTIONS: dict[str, frozenset[str]] = {
    "initial placement": frozenset({"settle"}),
    "events": frozenset({"support", "give", "discard", "react", "release"}),
    "black dice": frozenset({"counter", "react", "release"}),
    "actions": frozenset({"turn", "target", "react", "release"}),
    "over": frozenset(),
}
"""What can be asked in each phase in which somebody is asked."""


def broken(town: Town) -> tuple[str, ...]:
    """Every law the position breaks, in words; empty when it is sound."""
    if misfits := tuple(_frame(town)):
        return misfits
    return (
        *_course(town),
        *_citizens(town),
        *_counts(town),
        *_dice(town),
        *_cards(town),
        *_events(town),
        *_decks(town),
        *_ramparts(town),
        *_pending(town),
    )


def _frame(town: Town) -> Iterator[str]:
    """The board has the spaces it has; the other laws count on it."""
    if len(town.palace) != 6:
        yield f"the Palace has {len(town.palace)} spaces, not 6"
    for building, rows in town.rows.items():
        if [len(row) for row in rows] != [2, 2, 2]:
            yield f"the spaces of {building} are not three rows of two"
    if set(town.lying) != set(places.BUILDINGS):
        yield f"citizens lie in {', '.join(town.lying)}"
    levels = 3 + any(card.id == "master_builder" for card in town.cards)
    if [len(level) for level in town.cathedral] != [6] * levels:
        yield f"the cathedral has levels of {', '.join(str(len(level)) for level in town.cathedral)} columns"


def _course(town: Town) -> Iterator[str]:
    """Round, phase, questions, cards and events that belong together at every moment at which somebody is asked."""
    last = town.box.board.rounds[town.players]
    if not 0 <= town.round <= last:
        yield f"it is round {town.round} of {last}"
    if (town.round == 0) != (town.phase == "initial placement"):
        yield f"round {town.round} stands at «{town.phase}»"
    kinds = QUESTIONS.get(town.phase)
    if kinds is None:
        yield f"no phase in which somebody is asked is called «{town.phase}»"
    for asked in town.asked:
        if kinds is not None and asked["kind"] not in kinds:
            yield f"{asked['seat']} is asked «{asked['kind']}», which is no question of «{town.phase}»"
    for frame in town.agenda:
        if frame["step"] not in STEPS:
            yield f"«{frame['step']}» is pending, which nobody knows how to do"
    if town.agenda and town.agenda[0].get("next") not in PHASES:
        yield f"«{town.agenda[0].get('next')}» comes next, which is no phase"
    for card in town.cards:
        facts = town.box.activities.get(card.id)
        if facts is not None and facts.level > town.round:
            yield f"{card.id} of level {facts.level} is in play in round {town.round}"
    if len(town.cards) != 3 * min(town.round, 3):
        yield f"{len(town.cards)} activities are in play in round {town.round}, not {3 * min(town.round, 3)}"
    reds, left = town.box.board.red_events[town.players], len(town.decks["red"])
    if town.decks["red"] != [BLANK] and left != reds - town.round:
        yield f"{reds - left} red events of the deck have come in round {town.round}; one comes in each round"


def _on_board(town: Town, owner: str) -> int:
    return sum(1 for _ in town.whereabouts(owner))


def _citizens(town: Town) -> Iterator[str]:
    for seat in town.names:
        house = town.houses[seat]
        count = house.supply + house.reserve + _on_board(town, seat) + sum(t.held.count(seat) for t in town.queue)
        if count != town.box.board.citizens:
            yield f"{seat} has {count} citizens, not {town.box.board.citizens}"
    count = town.neutrals + _on_board(town, town.neutral)
    if count != town.all_neutrals:
        yield f"there are {count} neutral citizens, not {town.all_neutrals}"
    if set(town.houses) != set(town.circle):
        yield f"houses are {', '.join(town.houses)}"
    if town.start not in town.circle:
        yield f"the start player is {town.start!r}, who does not play"
    owners = {*town.names, town.neutral, ""}
    for place in places.SPACES:
        if town.owner_at(place) not in owners:
            yield f"nobody is called {town.owner_at(place)!r}, who stands at {place}"
    for building, lying in town.lying.items():
        for owner in set(lying):
            if lying.count(owner) > 1:
                yield f"{lying.count(owner)} citizens of {owner} lie in {building}; one is the most (A43)"


def _counts(town: Town) -> Iterator[str]:
    for seat, house in town.houses.items():
        for name in ("deniers", "influence", "vp", "supply", "reserve", "coins"):
            if getattr(house, name) < 0:
                yield f"{seat} has {getattr(house, name)} {name}"
        if house.influence > town.box.board.influence_max:
            yield f"{seat} has {house.influence} influence; {town.box.board.influence_max} is the most"


def _dice(town: Town) -> Iterator[str]:
    if set(town.dice) != {*town.names, town.neutral}:
        yield f"districts are {', '.join(town.dice)}"
    for owner, words in town.dice.items():
        wrong = [word for word in words if word not in dice.FACES]
        if wrong:
            yield f"{owner} has {' '.join(wrong)} on the square, which are no dice"
        elif words != dice.tidy(words):
            yield f"the dice of {owner} are not in order: {' '.join(words)}"
    for owner, words in town.dice.items():
        if len(words) > town.rolled.get(owner, 0):
            yield f"{owner} has {len(words)} dice on the square; {town.rolled.get(owner, 0)} were rolled this round"
        purple = sum(word[0] == "P" for word in words)
        if purple > (owner in town.names and town.has("head")):
            yield f"{owner} has {purple} purple dice"
    for colour in dice.COLOURS:
        count = sum(word[0] == dice.LETTERS[colour] for words in town.dice.values() for word in words)
        if count > len(places.SPACES) // 3:
            yield f"{count} {colour} dice lie on the square; there are 6"
    if any(not 1 <= number <= 6 for number in town.black) or town.black != sorted(town.black, reverse=True):
        yield f"black dice are {town.black}"


def _cards(town: Town) -> Iterator[str]:
    for card in town.cards:
        facts = town.box.activities.get(card.id)
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
    if len({card.id for card in town.cards}) != len(town.cards):
        yield "an activity is in play twice"


def _events(town: Town) -> Iterator[str]:
    if not town.queue or town.queue[0].id != "marauding":
        yield "Marauding is not first in the queue"
    for threat in town.queue:
        facts = town.box.events.get(threat.id)
        if facts is None:
            yield f"no event is called {threat.id}"
        elif threat.held and threat.id != places.POSSESSION:
            yield f"citizens were given to {threat.id}, which takes none"
        elif len(threat.cubes) >= facts.banners:
            yield f"{threat.id} holds {len(threat.cubes)} cubes on {facts.banners} banners and should have left"
    for column in range(6):
        levels = [bool(level[column]) for level in town.cathedral]
        if levels != sorted(levels, reverse=True):
            yield f"column {column + 1} of the cathedral hangs in the air"


def _decks(town: Town) -> Iterator[str]:
    if any(BLANK in deck for deck in town.decks.values()):
        return
    sets = modules.event_sets(town.options)
    for colour in ("red", "yellow", "white"):
        out = town.decks[colour] + (town.decks["unused_red"] if colour == "red" else [])
        out += [threat.id for threat in town.queue if town.box.events[threat.id].color == colour]
        out += [id for house in town.houses.values() for id in house.won if town.box.events[id].color == colour]
        unknown = [id for id in out if id != "marauding" and id not in town.box.deck(colour, sets)]
        if unknown:
            yield f"{', '.join(unknown)} do not belong to the {colour} events"
        if len(set(out)) != len(out):
            yield f"a {colour} event is there twice"
    dealt = [id for held in (*town.characters.values(), town.open_characters) for id in held]
    each = 0 if town.solo else town.box.board.characters[len(town.names)]
    if len(set(town.pile)) != len(town.pile) or not set(town.pile) <= set(town.box.characters):
        yield f"the pile of characters is {', '.join(town.pile)}"
    if town.pile and not town.solo:
        yield "characters lie in a pile, which only the solo game has"
    if len(set(dealt)) != len(dealt) or any(len(held) != each for held in town.characters.values()):
        yield "characters are not dealt as the number of players asks"
    ids = [card.id for card in town.cards] + town.decks["activities"]
    if len(ids) != 9 or len(set(ids)) != 9:
        yield f"{len(set(ids))} different activities are in the game, not 9"


def _ramparts(town: Town) -> Iterator[str]:
    """Tiles of levels I to IV, guards that have gone as far as they arrived, cubes where they may lie."""
    if bool(town.tiles) != town.has("ramparts"):
        yield "outdoor tiles lie there without the ramparts, or are missing"
    if not town.tiles:
        return
    levels = [town.outdoor(tile.id).level for tile in town.tiles]
    if levels != [1, 2, 3, 4]:
        yield f"outdoor tiles are of levels {levels}"
    for tile in town.tiles:
        if any(count < 1 for count in tile.cubes.values()) or set(tile.cubes) - set(town.names):
            yield f"cubes on {tile.id} are {tile.cubes}"
        if tile.cubes and town.outdoor(tile.id).when == "none":
            yield f"cubes lie on {tile.id}, which takes none"
        gate = town.box.board.gates[town.outdoor(tile.id).level - 1]
        for seat in tile.cubes:
            if seat in town.houses and town.houses[seat].guard < gate:
                yield f"{seat} has cubes on {tile.id}, and the guard stands on {town.houses[seat].guard}"
    last = town.box.board.ramparts
    there = {seat for seat, house in town.houses.items() if house.guard == last}
    if set(town.arrived) != there or len(set(town.arrived)) != len(town.arrived):
        yield f"arrived are {', '.join(town.arrived) or 'none'}; guards on {last}: {', '.join(sorted(there)) or 'none'}"
    if any(not 0 <= house.guard <= last for house in town.houses.values()):
        yield "a guard stands beside the ramparts"


def _pending(town: Town) -> Iterator[str]:
    if town.phase == "over":
        if town.asked or town.agenda:
            yield "the game is over and something is pending"
    elif not town.asked:
        yield "nobody is asked anything"
    for asked in town.asked:
        if asked["seat"] not in town.names:
            yield f"{asked['seat']} is asked and does not sit here"
        if asked["number"] > town.number:
            yield f"decision {asked['number']} is open and {town.number} is the newest"
