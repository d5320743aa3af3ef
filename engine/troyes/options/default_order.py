"""The answer that does least, for every decision: given where one outcome is legal, and where nobody answers."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import TooLate
from engine.troyes.actions import countering
from engine.troyes.board.phrases import owner_name
from engine.troyes.options import legal
from engine.troyes.options.legal.legal_orders import asked_kind
from engine.troyes.options.ranked.offers import best_spaces
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState


def default_order(state: TroyesState, seat: str) -> Order:
    """Pass, the cheapest dice against a black one, no reaction, the best free space; else the first that is legal.

    Nothing is spent that need not be. Raises TooLate when the seat is not asked.
    """
    match asked_kind(state, seat):
        case "":
            raise TooLate(T("{name} is not asked.", name=owner_name(state, seat)))
        case "turn":
            return orders.Pass()
        case "counter":
            return countering.cheapest_counter(state, seat)
        case "react":
            return orders.React("")
        case "settle":
            return orders.Settle((best_spaces(state)[0],))
        case _:
            return next(legal.every_order(state, seat))
