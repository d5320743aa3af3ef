"""Two events of the Ladies that throw a black die each round: Uprising and Monk (A23, A25, A26)."""

from __future__ import annotations

from engine.troyes.events import Play
from engine.troyes.events.citizen_events import BuildingReseated, lot_count, uprising_building
from engine.troyes.events.dice_events import FateRolled, thrown_die
from engine.troyes.state import dice, places
from engine.troyes.state.places import Place
from engine.troyes.state.troyes_state import GRAY, QueuedEvent

SETTLES = (dice.WHITE, dice.YELLOW, dice.RED)
"""On which colour the monk settles, for a die of 1-2, 3-4, 5-6."""


def _die(play: Play, threat: QueuedEvent) -> int:
    """What the event throws."""
    rolled = play.rolls(threat.id, play.state.start)
    play.record(FateRolled(rolled, threat.id))
    return rolled.numbers[0]


def uprising(play: Play, threat: QueuedEvent) -> None:
    """All in a building are seated anew by lot (A25)."""
    state = play.state
    building = uprising_building(state, _die(play, threat))
    rolled = play.shuffles("uprising_seats", state.start, lot_count(state, building))
    play.record(BuildingReseated.by_lot(rolled, state, building))


def monk(play: Play, threat: QueuedEvent) -> None:
    """A neutral tradesman takes the dearest free space of a colour, on the card of the lowest level (A26)."""
    state = play.state
    colour = SETTLES[(thrown_die(state, _die(play, threat)) - 1) // 2]
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
