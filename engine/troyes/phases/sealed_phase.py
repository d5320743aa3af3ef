"""The phase in which all seats answer at once: who is asked, and what the answers do once the last one is in.

They are applied in the order of play from the start player. A seat with one way only is not asked, one with none is
passed over.
"""

from __future__ import annotations

from engine.troyes.actions.sealed_answers import SEALED, is_complete, possible_answers
from engine.troyes.board import possession, purse
from engine.troyes.events import Play
from engine.troyes.events.card_events import CubesChange, TileCubes
from engine.troyes.events.order_events import AnswersShown, Ordered
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import Frame


def ask_sealed(play: Play, frame: Frame) -> bool:
    """Ask everybody who has a choice; when all have answered, show and apply the answers.

    Who has no citizen to give loses points (A15, A24).
    """
    state, kind = play.state, SEALED[frame["event"]]
    if not is_complete(state):
        waiting = [seat for seat in state.around(state.start) if len(possible_answers(state, kind, seat)) > 1]
        if waiting:
            play.ask_all(waiting, kind)
            return True
    state.agenda.pop()
    state.asked = []
    answers = dict(state.sealed)
    play.record(AnswersShown(frame["event"]))
    order = state.around(state.start)
    for seat in order:
        if kind == "give" and not possible_answers(state, kind, seat):
            purse.change_points(play, seat, -state.box.board.unresolved_loss)
    for seat in order:
        _apply(play, kind, seat, answers.get(seat, ""))
    return False


def _apply(play: Play, kind: str, seat: str, answered: str) -> None:
    """One answer, or the only way there was."""
    state = play.state
    only = possible_answers(state, kind, seat)
    given = "" if answered else "only"
    if not answered and only:
        answered = only[0]
    if not answered:
        return
    order = orders.Give(answered) if kind == "give" else orders.Discard(answered)
    play.record(Ordered(seat, order, given))
    if isinstance(order, orders.Give):
        possession.give_citizen(play, seat, order)
    elif state.tile(order.on) is not None:
        play.record(TileCubes(order.on, seat, -1))
    else:
        play.record(CubesChange(order.on, seat, -1))
