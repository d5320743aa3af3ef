"""Cubes on events, and what happens when the last banner is covered.

Rulebook, Combat the Events; rulings A17 to A22.
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed
from engine.troyes import influence
from engine.troyes import purse
from engine.troyes.state import GRAY
from engine.troyes.state import NEUTRALS
from engine.troyes.state import Threat
from engine.troyes.state import Town
from engine.troyes.verbs import Play
from engine.troyes.words import event_word
from engine.troyes.words import named


def find(town: Town, id: str) -> Threat:
    """The event in the queue. Raises NotAllowed naming those that are there."""
    threat = town.threat(id)
    if threat is None:
        here = tuple(event_word(town, other.id) for other in town.queue)
        raise NotAllowed(T("{event} is not in the queue; there are: {here}.", event=named(id), here=here))
    return threat


def place_cube(play: Play, owner: str, id: str) -> None:
    """One cube on an event: influence for a player, and the counter when it was the last banner (A19)."""
    threat = find(play.town, id)
    play.record("banner", event=id, owner=owner)
    if owner not in NEUTRALS:
        influence.gain(play, owner, play.town.box.board.cube_influence)
    if not play.town.free_banners(threat):
        _countered(play, threat)


def place_cubes(play: Play, owner: str, id: str, cubes: int) -> int:
    """As many of `cubes` as there are free banners; the rest is not placed. Returns how many were."""
    cubes = min(cubes, play.town.free_banners(find(play.town, id)))
    for _ in range(cubes):
        place_cube(play, owner, id)
    return cubes


def shares(cubes: list[str], first: int, second: int) -> tuple[dict[str, int], str]:
    """What each owner of cubes would gain by a counter, and who takes the card.

    Alone: both rewards. Tied for most: both rewards shared, others nothing. Otherwise the larger to the first and the
    smaller shared by those tied for second. Shares are rounded down; the neutral player takes part in all
    comparisons, and among the tied the earliest cube takes the card (A19, A20).
    """
    count = {owner: cubes.count(owner) for owner in dict.fromkeys(cubes)}
    most = max(count.values())
    leaders = [owner for owner in count if count[owner] == most]
    if len(count) == 1:
        return {leaders[0]: first + second}, leaders[0]
    if len(leaders) > 1:
        return {owner: (first + second) // len(leaders) for owner in leaders}, leaders[0]
    rest = {owner: n for owner, n in count.items() if n < most}
    next_most = max(rest.values())
    runners = [owner for owner, n in rest.items() if n == next_most]
    return {leaders[0]: first, **{owner: second // len(runners) for owner in runners}}, leaders[0]


def _countered(play: Play, threat: Threat) -> None:
    event = play.town.event(threat.id)
    gains, winner = shares(threat.cubes, event.first, event.second)
    if event.permanent:
        play.record("countered", event=threat.id, winner="", stays=True)
    else:
        play.record("countered", event=threat.id, winner=winner)
    for owner, gained in gains.items():
        if owner != GRAY:
            purse.points(play, owner, gained)
