"""How deniers, influence and points weigh against each other, as the game goes on."""

from __future__ import annotations

from dataclasses import dataclass

from engine.troyes.state.state import QueuedEvent, TroyesState


@dataclass(frozen=True, slots=True)
class Weights:
    """Deniers are worth less and points more the nearer the end is; `left` is how many rounds come after this."""

    denier: float
    influence: float
    point: float
    left: int


def weights(state: TroyesState) -> Weights:
    """The weights of this round."""
    left = max(0, state.box.board.rounds[state.players] - state.round)
    return Weights(
        denier=1.0 if left else 0.3, influence=0.9 if left else 0.35, point=2.2 if left > 1 else 2.8, left=left
    )


def cube_on(state: TroyesState, seat: str, threat: QueuedEvent, w: Weights) -> float:
    """One cube on an event: its influence, and a share of the reward."""
    event = state.event(threat.id)
    rivals = max((threat.cubes.count(owner) for owner in {*threat.cubes} - {seat}), default=0)
    lead = 0.8 if threat.cubes.count(seat) + 1 >= rivals else 0.45
    return w.influence + w.point * lead * (event.first + event.second / 2) / event.banners


def best_cube(state: TroyesState, seat: str, w: Weights) -> float:
    """A cube on the event where it is worth most."""
    return max(cube_on(state, seat, threat, w) for threat in state.queue)
