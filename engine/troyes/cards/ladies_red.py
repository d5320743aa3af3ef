"""The military cards of the Ladies (appendix; A23, A33, A39, D14)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import T
from engine.errors import NotAllowed, Unclear
from engine.troyes.board import purse, threats
from engine.troyes.board.card_declaration import Activation, card
from engine.troyes.board.phrases import owner_name
from engine.troyes.board.scoring import ranked_points
from engine.troyes.card_data.item_names import item_name
from engine.troyes.events.money_events import InfluenceChanges
from engine.troyes.events.play import Play
from engine.troyes.state.troyes_state import TroyesState


@card(chooses="event", priced="cost")
def ransom(play: Play, act: Activation) -> None:
    """Deniers turned into cubes on events."""
    for event in act.targets:
        threats.place_cube(play, act.seat, event)


@card(chooses="event", several=True)
def catapult(play: Play, act: Activation) -> None:
    """For each cube of the card a pair on one event, or one where one banner is free (D14)."""
    for event in act.targets:
        threats.place_cubes(play, act.seat, event, act.card.numbers["cubes"])


@card(chooses="events", priced="cost")
def scout(play: Play, act: Activation) -> None:
    """A denier for each cube on an event of the queue."""
    for event in act.targets:
        threats.place_cube(play, act.seat, event)


@card(chooses="seat", optional=True)
def executioner(play: Play, act: Activation) -> None:
    """Influence from the supply, and from the opponent who has most, looked at anew each time (A39)."""
    names = list(act.targets)
    for _ in range(act.times):
        by = act.card.numbers["influence"]
        victim = _victim(play.state, act, names.pop(0) if names else "")
        if victim:
            taken = min(by, play.state.houses[victim].influence)
            play.record(InfluenceChanges(victim, -taken))
            by += taken
        purse.gain_influence(play, act.seat, by)


def richest(state: TroyesState, seat: str) -> list[str]:
    """The opponents with most influence; none when nobody has any."""
    most = max(state.houses[other].influence for other in state.others(seat))
    return [other for other in state.others(seat) if state.houses[other].influence == most and most]


def _victim(state: TroyesState, act: Activation, said: str) -> str:
    tied = richest(state, act.seat)
    if said and tied and said not in tied:
        raise NotAllowed(
            T(
                "{name} has not the most influence of your opponents: that is {tied}.",
                name=owner_name(state, said),
                tied=tuple(owner_name(state, other) for other in tied),
            ),
            rule="A39",
        )
    if not said and len(tied) > 1:
        raise Unclear(
            T(
                "{card}: {n} opponents have the most influence; name one for each activation.",
                card=item_name(act.card.id),
                n=len(tied),
            ),
            possible=tuple(T(": {seat}", seat=other) for other in tied),
        )
    return said if said in tied else (tied[0] if tied else "")


@card()
def squire(play: Play, act: Activation) -> None:
    """Cubes turned into influence."""
    purse.gain_influence(play, act.seat, act.number("influence"))


@card(priced="cost")
def marriage(play: Play, act: Activation) -> None:
    """Deniers turned into victory points."""
    purse.change_points(play, act.seat, act.number("points"))


def most_cubes(cubes: Mapping[str, int], numbers: Mapping[str, int]) -> dict[str, int]:
    """Points for whoever has most cubes (A38)."""
    return ranked_points(cubes, (numbers["points"],))


@card(end=most_cubes)
def princess(play: Play, act: Activation) -> None:
    """Only cubes, which count at the end."""


@card(end=most_cubes)
def fort(play: Play, act: Activation) -> None:
    """A cube for each die; points and influence by its value (A33)."""
    numbers = act.card.numbers
    gain = sum(numbers["high"] if value >= numbers["from"] else numbers["low"] for value in act.values)
    purse.change_points(play, act.seat, gain)
    purse.gain_influence(play, act.seat, gain)
