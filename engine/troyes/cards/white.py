"""The religious cards of the base game (rulebook, appendix)."""

from __future__ import annotations

from engine.troyes.board import purse
from engine.troyes.board.card_declaration import Activation, card
from engine.troyes.events.play import Play


@card()
def pilgrimage(play: Play, act: Activation) -> None:
    """Victory points, for a group of any colours."""
    purse.change_points(play, act.seat, act.number("points"))


@card()
def procession(play: Play, act: Activation) -> None:
    """Victory points to whoever has most dice left, and all who tie; the neutral district does not count (A40)."""
    count = {seat: len(play.state.dice[seat]) for seat in play.state.clockwise(act.seat)}
    most = max(count.values())
    for seat, there in count.items():
        if there and there == most:
            purse.change_points(play, seat, act.number("points"))


@card()
def glassblower(play: Play, act: Activation) -> None:
    """Victory points for every full pair of own cubes on the cathedral."""
    pairs = play.state.cubes_on_cathedral(act.seat) // act.card.numbers["cubes"]
    purse.change_points(play, act.seat, pairs * act.number("points"))
