"""Two events of the Ladies that throw a black die each round: Uprising and Monk (A23, A25, A26)."""

from __future__ import annotations

from engine.troyes import box
from engine.troyes.board.threats import OUTLAW
from engine.troyes.entries import Play
from engine.troyes.entries.citizens import BuildingReseated
from engine.troyes.entries.dice import FateRolled
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.state import GRAY, QueuedEvent, TroyesState

RISES = (places.BISHOPRIC, places.PALACE, places.CITY_HALL)
SETTLES = (dice.WHITE, dice.YELLOW, dice.RED)
"""Where an uprising breaks out, and on which colour the monk settles, for a die of 1-2, 3-4, 5-6."""


def raise_(state: TroyesState) -> int:
    """What Chief Outlaw adds to every black die while he is in the queue."""
    return state.event(OUTLAW).numbers["plus"] if state.threat(OUTLAW) else 0


def raised(state: TroyesState, number: int) -> int:
    """A black die with what is added to it: 6 at most."""
    return min(6, number + raise_(state))


def _die(play: Play, threat: QueuedEvent) -> int:
    rolled = play.rolls(threat.id, play.state.start)
    play.record(FateRolled(rolled, threat.id))
    if box.read_rules(play.state.options).chief_outlaw_raises == "all":
        return raised(play.state, rolled.numbers[0])
    return rolled.numbers[0]


def uprising(play: Play, threat: QueuedEvent) -> None:
    """All in a building are seated anew by lot, with those who lie there, or else with a neutral citizen (A25)."""
    state = play.state
    building = RISES[(_die(play, threat) - 1) // 2]
    lying = state.lying[building]
    comes = 0 if lying else min(1, state.neutrals)
    citizens = [*state.standing(building), *lying, *[GRAY] * comes]
    spaces = places.spaces_of(building)
    rolled = play.shuffles("uprising_seats", state.start, max(len(spaces), len(citizens)))
    seats, down = [""] * len(spaces), []
    for owner, at in zip(citizens, rolled.numbers, strict=False):
        if at < len(spaces):
            seats[at] = owner
        else:
            down.append(owner)
    play.record(
        BuildingReseated(rolled=rolled, building=building, seats=tuple(seats), lying=tuple(down), neutrals=comes)
    )


def monk(play: Play, threat: QueuedEvent) -> None:
    """A neutral tradesman takes the dearest free space of a colour, on the card of the lowest level (A26)."""
    state = play.state
    colour = SETTLES[(_die(play, threat) - 1) // 2]
    free = [
        (-worth, facts.level, card.id, number)
        for card in state.cards
        if (facts := state.activity(card.id)).color == colour
        for number, worth in enumerate(facts.spaces, start=1)
        if not card.spaces[number - 1]
    ]
    if not state.neutrals or not free:
        return
    *_, id, number = min(free, key=lambda found: found[:2])
    play.move(GRAY, Place(places.SUPPLY), Place(id, str(number)))
