"""Cubes on events, and what happens when the last banner is covered.

Rulebook, Combat the Events; rulings A17 to A22.
"""

from __future__ import annotations

from engine.catalog import T
from engine.errors import Gone, NotAllowed
from engine.troyes.board import possession, purse
from engine.troyes.board.phrases import event_typed
from engine.troyes.card_data.card_types import Activity
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.card_events import BannerCovered, EventCountered
from engine.troyes.events.dice_events import OUTLAW
from engine.troyes.events.play import Play
from engine.troyes.state import dice
from engine.troyes.state.troyes_state import GRAY, NEUTRALS, QueuedEvent, TroyesState


def find_threat(state: TroyesState, id: str) -> QueuedEvent:
    """The event in the queue. Raises Gone naming the events that are there."""
    if threat := state.threat(id):
        return threat
    here = tuple(event_typed(state, other.id) for other in state.queue)
    raise Gone(T("{event} is not in the queue; there are: {here}.", event=item_name(id), here=here))


def place_cube(play: Play, owner: str, id: str, freed: list[str] | None = None, *, fought: bool = False) -> None:
    """Put one cube on an event: influence for a player, and the counter with the last banner (A19).

    `freed` names whose citizens leave Possession, first to last. `fought` says that the cube comes by action 3.
    """
    find_threat(play.state, id)
    play.record(BannerCovered(id, owner))
    if owner not in NEUTRALS:
        purse.gain_influence(play, owner, play.state.box.board.cube_influence)
    if (threat := find_threat(play.state, id)).held:
        possession.free_citizen(play, threat, owner, freed)
        threat = find_threat(play.state, id)
    if not play.state.free_banners(threat):
        _countered(play, threat, fought)


def place_cubes(play: Play, owner: str, id: str, cubes: int) -> None:
    """Put `cubes` on an event, as far as banners are free."""
    for _ in range(min(cubes, play.state.free_banners(find_threat(play.state, id)))):
        place_cube(play, owner, id)


def open_to(threat: QueuedEvent, card: Activity) -> bool:
    """Whether this card may put cubes on an event. Chief Outlaw takes none from red cards of level I (A23)."""
    return threat.id != OUTLAW or card.color != dice.RED or card.level > 1


def check_open(state: TroyesState, id: str, card: Activity) -> None:
    """Raises NotAllowed unless the event is there and takes cubes from this card."""
    if not open_to(find_threat(state, id), card):
        raise NotAllowed(
            T(
                "{event} takes no cubes from {card}, a red card of level 1.",
                event=item_name(id),
                card=item_name(card.id),
            ),
            rule="A23",
        )


def event_rewards(cubes: list[str], first: int, second: int) -> tuple[dict[str, int], str]:
    """What each owner of cubes gains by a counter, and who takes the card.

    Alone: both rewards. Tied for most: both rewards shared, nothing for others. Otherwise the larger for the first, and
    the smaller shared by those tied for second. Shares are rounded down. The neutral player takes part in all
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


def _countered(play: Play, threat: QueuedEvent, fought: bool) -> None:
    event = play.state.event(threat.id)
    gains, winner = event_rewards(threat.cubes, event.first, event.second)
    for owner in threat.held[:]:
        possession.send_home(play, owner)
    if event.permanent:
        play.record(EventCountered(threat.id, stays=True))
    else:
        # How a card was completed matters to Scribe only.
        play.record(EventCountered(threat.id, winner, fought=fought and play.state.has("activities")))
    for owner, gained in gains.items():
        if owner != GRAY:
            purse.change_points(play, owner, gained)


def supportable(state: TroyesState, id: str) -> list[str]:
    """The events that Support may strengthen: those to its left (A17), never Chief Outlaw (A23)."""
    ids = [threat.id for threat in state.queue]
    return [other for other in ids[: ids.index(id)] if other != OUTLAW]
