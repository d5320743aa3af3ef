"""Two events of the Ladies that throw a black die each round: Uprising and Monk (A23, A25, A26)."""

from __future__ import annotations

from engine.troyes import cards
from engine.troyes import dice
from engine.troyes import places
from engine.troyes.places import Place
from engine.troyes.state import GRAY
from engine.troyes.state import Threat
from engine.troyes.state import Town
from engine.troyes.threats import OUTLAW
from engine.troyes.verbs import Play

RISES = (places.BISHOPRIC, places.PALACE, places.CITY_HALL)
SETTLES = (dice.WHITE, dice.YELLOW, dice.RED)
"""Where an uprising breaks out, and on which colour the monk settles, for a die of 1-2, 3-4, 5-6."""


def raise_(town: Town) -> int:
    """What Chief Outlaw adds to every black die while he is in the queue."""
    return town.event(OUTLAW).numbers["plus"] if town.threat(OUTLAW) else 0


def raised(town: Town, number: int) -> int:
    """A black die with what is added to it: 6 at most."""
    return min(6, number + raise_(town))


def _die(play: Play, threat: Threat) -> int:
    rolled = play.rolls(threat.id, play.town.start)
    play.record("fate", rolled, event=threat.id)
    if cards.read_rules(play.town.options).chief_outlaw_raises == "all":
        return raised(play.town, rolled.numbers[0])
    return rolled.numbers[0]


def uprising(play: Play, threat: Threat) -> None:
    """All in a building are seated anew by lot, with those who lie there, or else with a neutral citizen (A25)."""
    town = play.town
    building = RISES[(_die(play, threat) - 1) // 2]
    lying = town.lying[building]
    comes = 0 if lying else min(1, town.neutrals)
    citizens = [*town.standing(building), *lying, *[GRAY] * comes]
    spaces = [place for place in places.SPACES if place.on == building]
    rolled = play.shuffles("uprising_seats", town.start, max(len(spaces), len(citizens)))
    seats, down = [""] * len(spaces), []
    for owner, at in zip(citizens, rolled.numbers, strict=False):
        if at < len(spaces):
            seats[at] = owner
        else:
            down.append(owner)
    play.record("reseated", rolled, building=building, seats=seats, lying=down, neutrals=comes)


def monk(play: Play, threat: Threat) -> None:
    """A neutral tradesman takes the dearest free space of a colour, on the card of the lowest level (A26)."""
    town = play.town
    colour = SETTLES[(_die(play, threat) - 1) // 2]
    free = [
        (-worth, facts.level, card.id, number)
        for card in town.cards
        if (facts := town.activity(card.id)).color == colour
        for number, worth in enumerate(facts.spaces, start=1)
        if not card.spaces[number - 1]
    ]
    if not town.neutrals or not free:
        return
    *_, id, number = min(free, key=lambda found: found[:2])
    play.move(GRAY, places.SUPPLY, Place(id, str(number)))
