"""The answer that does least, for every decision: given where one outcome is legal, and where nobody answers."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import TooLate
from engine.troyes.actions import countering
from engine.troyes.board.words import who
from engine.troyes.moves import legal
from engine.troyes.moves.legal.answering import asked_kind
from engine.troyes.moves.options.offers import best_spaces
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.state import TroyesState


def default(state: TroyesState, seat: str) -> Order:
    """Pass, the cheapest dice against a black one, no reaction, the best free space; else the first that is legal.

    Nothing is spent that need not be. Raises TooLate when the seat is not asked.
    """
    match asked_kind(state, seat):
        case "":
            raise TooLate(T("{name} is not asked.", name=who(state, seat)))
        case "turn":
            return orders.Pass()
        case "counter":
            return countering.cheapest(state, seat)
        case "react":
            return orders.React("")
        case "settle":
            return orders.Settle((best_spaces(state)[0],))
        case _:
            return next(legal.every(state, seat))
