"""What an option is worth is what it leads to when tried, estimated from nothing, less what is there: to the last bit.

Options are estimated by what trying them has touched, which may not be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest

from engine.chance import BlindChance, UnknownDraw
from engine.troyes.actions.carry_out_order import try_order
from engine.troyes.events.card_events import BannerCovered
from engine.troyes.events.play import Play
from engine.troyes.options import turn_options
from engine.troyes.options.estimate import Prospect, expected_points
from engine.troyes.options.legal_orders import asked_kind, every_order
from engine.troyes.options.offers import offered_orders, ranked_orders
from engine.troyes.options.turn_candidates import Thinker
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import QueuedEvent, TroyesState
from tests.troyes import games, ladies
from tests.troyes.ladies import Table
from tests.troyes.test_wordings import position

TABLES: dict[str, tuple[int, dict[str, str]]] = {
    "base": (3, {}),
    "of two": (2, {"bonus": "yes"}),
    "ladies": (4, {"ladies": "all"}),
    "solo": (1, {}),
}


def decisions(table: str, seeds: range) -> Iterator[tuple[TroyesState, str, str]]:
    """Positions of random games, with who is asked and what."""
    players, options = TABLES[table]
    for seed in seeds:
        played = ladies.played(seed, Table(players, options)) if options else games.random_game(players, seed)
        for state, seat, *_ in played:
            yield state, seat, asked_kind(state, seat)


def worth(state: TroyesState, seat: str, order: Order) -> float | None:
    """What an order is worth, with nothing shared; None where it ends at a roll."""
    try:
        return expected_points(try_order(state, seat, order).state, seat) - expected_points(state, seat)
    except UnknownDraw:
        return None


@pytest.mark.parametrize("table", TABLES)
def test_an_option_is_worth_what_it_leads_to(table: str) -> None:
    """Of every kind of decision; what leaves the question open is worth no more than what answers it."""
    seen: Counter[str] = Counter()
    for state, seat, kind in decisions(table, range(2)):
        for order, promised in ranked_orders(state, seat) if kind != "settle" else ():
            alone = None if isinstance(order, orders.Recruit) else worth(state, seat, order)
            if alone is not None:
                assert promised == alone or (isinstance(order, orders.BEFORE) and promised < alone), order
                seen[kind] += 1
    assert seen["turn"] > 200 and seen["counter"] > 10


def test_what_follows_on_an_order_is_estimated_alike() -> None:
    """A citizen hired first, and then what he opens."""
    for state, seat, kind in decisions("base", range(2)):
        if kind == "turn":
            hired = try_order(state, seat, orders.Pass()).state
            prospect = Prospect(state, seat)
            assert prospect.of(hired) == expected_points(hired, seat)
            found = (each.order(each.best()[1]) for each in Thinker(hired, seat).kinds())
            for order in found:
                then = try_order(hired, seat, order).state
                assert prospect.of(then) == expected_points(then, seat)


def test_a_fact_that_changed_what_others_share_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a cube laid down on an event that other positions have too."""
    position = next(state for state, _, kind in decisions("base", range(1)) if kind == "turn" and state.round > 1)
    seat = position.asked[0].seat

    def covers(self: BannerCovered, state: TroyesState) -> None:
        state.queue[0].cubes.append(self.owner)

    monkeypatch.setattr(BannerCovered, "apply", covers)
    prospect, play = Prospect(position, seat), Play(position.fork(), BlindChance())
    play.record(BannerCovered(position.queue[0].id, seat))
    assert prospect.of(play.state) != expected_points(play.state, seat)


def test_the_best_of_each_kind_is_tried() -> None:
    """Every kind of which there is a candidate has one on the list, up to the number that is tried."""
    for state, seat, kind in chain(decisions("base", range(1)), decisions("ladies", range(1))):
        if kind == "turn":
            listed = {idea.order for idea in turn_options.turn_ideas(state, seat)}
            kinds = sorted(Thinker(state, seat).kinds(), key=lambda each: -each.best()[0])
            if not state.tiles:
                assert {each.order(each.best()[1]) for each in kinds[: turn_options.TRIED_ORDERS]} <= listed


def test_ten_pairs_are_listed_for_support_the_best_first() -> None:
    """A pair that counters nothing says where the cubes lie."""
    state = position("answers", "support")
    almost = QueuedEvent("heresy", ["anna"] * (state.event("heresy").banners - 1), [])
    state.queue[-1:-1] = [QueuedEvent("drought", [], []), almost]
    told = [str(says() if callable(says) else says) for _, says in offered_orders(state, "anna")]
    assert ("+3 VP, counters Heresy", "a neutral cube on Marauding, Brigands") == (told[5], told[6])
    assert 10 == len(told) == len(ranked_orders(state, "anna")) < len(list(every_order(state, "anna")))
