"""What a list promises is what comes: over random positions every number of every option, against the purses after it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import pytest

from engine.chance import UnknownDraw
from engine.errors import OrderRefused
from engine.game import Seat
from engine.troyes.actions.carry_out_order import try_order
from engine.troyes.state import orders
from engine.troyes.state.troyes_state import TroyesState
from tests.troyes import games, ladies
from tests.troyes.standing import middle

GAME = games.GAME
_NUMBER = re.compile(r"([+-]\d+) (denier|influence|VP)")
_COUNTED = {"denier": "deniers", "influence": "influence", "VP": "vp"}
_AT_THE_END = "at the end of the round"


def promised(state: TroyesState, seat: Seat, says: str) -> Counter[str]:
    """The seat's own numbers in an option's sentence: not in the parts that begin with somebody's name."""
    names = tuple(f"{name} " for other, name in state.names.items() if other != seat)
    own = "; ".join(part for part in says.split("; ") if not part.startswith(names))
    found: Counter[str] = Counter()
    for number, what in _NUMBER.findall(own):
        found[_COUNTED[what]] += int(number)
    return found


def comes(state: TroyesState, seat: Seat, order: orders.Order) -> Counter[str]:
    """What the seat has more and less after its order."""
    before, after = state.houses[seat], try_order(state, seat, order).state.houses[seat]
    return Counter({what: n for what in _COUNTED.values() if (n := getattr(after, what) - getattr(before, what))})


def checked(state: TroyesState, seat: Seat, met: Counter[str]) -> None:
    """Every option of a position."""
    for offer in GAME.offers(state, seat):
        order = GAME.read(state, seat, offer.text).order
        says = str(offer.says)
        if isinstance(order, orders.ANYTIME) or _AT_THE_END in says:
            continue
        try:
            found = comes(state, seat, order)
        except (UnknownDraw, OrderRefused):
            continue  # what is rolled, nobody can promise
        if state.asked[0].kind in ("react", "give", "discard", "release"):
            continue  # they are told by what happens to somebody's cube or citizen
        assert found == promised(state, seat, says), (offer.text, says, found)
        met[type(order).__name__] += 1


def positions(seeds: Iterable[int], every: int) -> Iterable[tuple[TroyesState, Seat]]:
    """Positions of many games, and the same with purses that are all but empty or full."""
    for seed in seeds:
        course = ladies.played(seed) if seed % 2 else games.random_game(2 + seed % 3, seed)
        for at, (state, seat, *_) in enumerate(course):
            if at % every or seat not in {asked.seat for asked in state.asked}:
                continue
            yield state, seat
            for influence, vp in ((state.box.board.influence_max - 1, 1), (2, 0)):
                edge = state.copy()
                edge.houses[seat].influence, edge.houses[seat].vp = influence, vp
                yield edge, seat


def told(seeds: Iterable[int], every: int) -> Counter[str]:
    """The law over some games."""
    met: Counter[str] = Counter()
    for state, seat in positions(seeds, every):
        checked(state, seat, met)
    print(sorted(met.items()))
    return met


def test_what_a_list_promises_is_what_comes() -> None:
    """With purses as they come, all but empty, and all but full."""
    met = told(range(8), 9)
    assert {"Counter", "Fight", "Build", "Activate", "Farm", "Station", "Recruit"} <= set(met)


@pytest.mark.soak
def test_what_a_list_promises_is_what_comes_in_many_games() -> None:
    """The full number."""
    assert told(range(100, 220), 3).total() > 20_000


@pytest.mark.parametrize(("vp", "says"), [(0, "you cannot beat the 6: no VP to lose"), (1, "you cannot beat the 6: -1 VP"), (2, "you cannot beat the 6: -2 VP")])
def test_nobody_is_promised_a_loss_of_what_he_has_not(vp: int, says: str) -> None:
    """Early in a game everybody has 0 VP: nothing is lost where no die can beat a black one."""
    state, seat = black([6], ["W1"])
    state.houses[seat].vp = vp
    assert says == str(next(offer.says for offer in GAME.offers(state, seat) if offer.text == "counter none"))


def test_nobody_is_promised_influence_that_there_is_no_room_for() -> None:
    """With 19 of 20, three black dice bring 1."""
    state, seat = black([6, 5, 1], ["R6", "W1"])
    state.houses[seat].influence = 19
    (says,) = [str(offer.says) for offer in GAME.offers(state, seat) if offer.text == "counter 6 5 1 with R6"]
    assert "+1 influence" in says and "+3" not in says


def black(dice: list[int], own: list[str]) -> tuple[TroyesState, Seat]:
    """A position in which black dice come to a seat."""
    state, seat = middle("counter", 0)
    state.black, state.dice[seat], state.houses[seat].influence = dice, own, 2
    return state, seat
