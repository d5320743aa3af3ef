"""`strong`: what its search finds and what it costs; budgets, and seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.chance import Chance, Purpose, SeededChance
from engine.errors import NotAllowed
from engine.game import find_game
from engine.levels import SEATED_LEVELS, Strong, find_level
from engine.levels.lookahead import PREPARED, look_ahead, prospects
from engine.levels.tree_search import LONGEST, Node, Search, interleave
from pbem.desk.core.seat_controller import _lasts, level_at, parse_level
from pbem.tournament import Contest, play_contest

# The search, on a game of its own.


@dataclass(frozen=True)
class Trail:
    """Orders given so far; `card` is hidden, 1 or 2."""

    done: tuple[str, ...] = ()
    card: int = 1
    rolled: int = 0


class Fork:
    """Two decisions of `me`, with one of `you` between: what promises much at first is a trap, what promises little
    leads on, and `guess` pays where the hidden card is a 1. An order called `no` is never allowed."""

    horizon = 1

    def __init__(self) -> None:
        self.thinking = self
        self.imagined_: list[int] = []

    def asked(self, state: Trail) -> tuple[str, str] | None:
        return (("me", "turn"), ("you", "turn"), ("me", "turn"), None)[len(state.done)]

    def ranked(self, state: Trail, seat: str) -> list[tuple[str, float]]:
        if state.done:
            return [("on", 1.0), ("back", 0.0)]
        return [("trap", 5.0), ("no", 4.0), ("guess", 3.0), ("long", 1.0)]

    def groups(self, state: Trail, seat: str) -> Sequence[Sequence[tuple[str, float]]]:
        return [[option] for option in self.ranked(state, seat)]

    def likely(self, state: Trail, seat: str) -> str:
        return self.ranked(state, seat)[0][0]

    def after(self, state: Trail, seat: str, order: str, chance: Chance) -> Trail:
        if order == "no":
            raise NotAllowed(SimpleNamespace(text="no"))  # type: ignore[arg-type]
        return replace(state, done=(*state.done, order), rolled=chance.roll(Purpose(0, "toss"))[0])

    def shown(self, state: Trail) -> int:
        return 0

    def imagined(self, state: Trail, seat: str, chance: Chance) -> Trail:
        self.imagined_.append(chance.roll(Purpose(0, "card"), 1, 2)[0])
        return replace(state, card=self.imagined_[-1])

    def rivals(self, state: Trail, seat: str) -> tuple[str, ...]:
        return ("you",)

    def stage(self, state: Trail) -> str:
        return ""

    def estimate(self, state: Trail, seat: str) -> float:
        if seat != "me" or not state.done:
            return 0.0
        answered = state.done[1:2] == ("on",)
        return {"trap": -5.0 if answered else 5.0, "guess": 6.0 if state.card == 1 else -8.0, "long": 2.0}[state.done[0]]


def choice(game: Any, simulations: int, state: Any = None) -> str:
    """What a search of that budget plays first."""
    return str(Strong(simulations).consider(game, state or Trail(), "me", SeededChance(b"fork", (), "x"))[0][0])


def test_a_search_sees_through_what_promises_most() -> None:
    """The answer of the other makes it a trap, and half of the cards make a gamble bad; one look is not enough."""
    assert "trap" == choice(Fork(), 1)
    assert "long" == choice(Fork(), 60)


def test_what_lies_face_down_is_dealt_anew_for_each_look() -> None:
    """The same order whatever really lies there; and every world is met, not one alone."""
    one, two = Fork(), Fork()
    assert choice(one, 60, Trail(card=1)) == choice(two, 60, Trail(card=2))
    assert one.imagined_ == two.imagined_
    assert {1, 2} == set(one.imagined_)
    assert len(one.imagined_) <= 60


def test_a_search_that_peeks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the real card in hand the gamble is none: the test before this one is no decoration."""
    monkeypatch.setattr(Fork, "imagined", lambda self, state, seat, chance: state)
    assert "guess" == choice(Fork(), 60, Trail(card=1))
    assert "guess" != choice(Fork(), 60, Trail(card=2))


def test_orders_that_are_not_allowed_fall_out_of_the_search() -> None:
    found = [order for order, _ in Strong(60).consider(Fork(), Trail(), "me", SeededChance(b"fork", (), "x"))]
    assert {"trap", "guess", "long"} == set(found)


def test_orders_of_groups_come_behind_the_list_the_likeliest_of_each_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """And none of them twice."""
    groups = [[("trap", 5.0), ("long", 1.0)], [("guess", 3.0)]]
    assert ["trap", "guess", "long"] == [order for order, _ in interleave(groups)]
    monkeypatch.setattr(Fork, "ranked", lambda self, state, seat: [("on", 1.0)] if state.done else [*groups[0][:1], *groups[1]])
    monkeypatch.setattr(Fork, "groups", lambda self, state, seat: [[("on", 1.0)]] if state.done else groups)
    found = [order for order, _ in Strong(60).consider(Fork(), Trail(), "me", SeededChance(b"fork", (), "x"))]
    assert ["guess", "long", "trap"] == sorted(found)


def searched(simulations: int, orders: Sequence[tuple[str, float]] = ()) -> Node:
    """The tree of `Fork` after so many simulations."""
    root = Node.of("me", orders or Fork().ranked(Trail(), "me"))
    Search(Fork(), Trail(), "me", SeededChance(b"fork", (), "x")).halve(root, simulations)  # type: ignore[arg-type]
    return root


def test_the_better_half_goes_on_and_has_been_looked_at_as_often() -> None:
    """The last two share what is left; those that went out earlier come behind, those never looked at last."""
    root = searched(64, [*(("long", 1.0 - n / 10) for n in range(8)), ("trap", 0.1), ("long", 0.05)])
    visits = [one.visits for one in root.branches]
    assert 64 == sum(visits)
    assert visits == sorted(visits, reverse=True)
    assert visits[0] == visits[1] > visits[2] > visits[-2] > visits[-1] == 0
    assert "trap" not in [one.order for one in root.branches[:5]]


def test_orders_that_stay_have_met_the_same_worlds() -> None:
    """So many as the most of them was looked at, and none dealt twice."""
    game = Fork()
    root = Node.of("me", game.ranked(Trail(), "me"))
    Search(game, Trail(), "me", SeededChance(b"fork", (), "x")).halve(root, 60)  # type: ignore[arg-type]
    assert len(game.imagined_) == max(one.visits for one in root.branches)


def test_a_simulation_adds_one_node() -> None:
    """Which is empty before another one comes to it."""
    def after(node: Node) -> list[Node]:
        return [node for one in node.branches for node in one.then.values()]

    (added,) = after(searched(1))
    assert not added.listed
    trap, *_ = searched(4).branches
    assert (2, 1) == (trap.visits, len(trap.then))
    (again,) = trap.then.values()
    assert 1 == again.visits
    assert [False] == [node.listed for node in after(again)]


def test_a_node_stands_for_what_everybody_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {1} == {len(one.then) for one in searched(60).branches}
    monkeypatch.setattr(Fork, "shown", lambda self, state: state.card)
    assert {2} == {len(one.then) for one in searched(60).branches if one.visits > 4}


def test_the_estimate_takes_over_at_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stage for every answer: the trap is seen through only if the answer of the other is played."""
    monkeypatch.setattr(Fork, "stage", lambda self, state: str(len(state.done)))
    assert "trap" == choice(Fork(), 60)
    monkeypatch.setattr(Fork, "horizon", 2)
    assert "long" == choice(Fork(), 60)


def test_a_simulation_ends_where_no_order_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the tree nor beyond it: the estimate says what is left."""
    ranked = Fork.ranked
    monkeypatch.setattr(Fork, "ranked", lambda self, state, seat: [("no", 1.0)] if state.done else ranked(self, state, seat))
    assert "trap" == choice(Fork(), 60)


def test_a_simulation_that_never_reaches_its_horizon_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    monkeypatch.setattr(Fork, "asked", lambda self, state: ("me", "turn") if len(state.done) < 3 * LONGEST else None)
    monkeypatch.setattr(Fork, "estimate", lambda self, state, seat: float(lengths.append(len(state.done)) or 0))
    choice(Fork(), 2)
    assert 1 + LONGEST == max(lengths)


def test_more_orders_are_looked_at_with_every_visit() -> None:
    """Progressive widening: the first few, then as many more as the root of the visits."""
    node = Node.of("me", [(str(n), 0.0) for n in range(40)])
    looked = set()
    for visits in range(100):
        branch = node.choose()
        assert branch is not None
        looked.add(branch.order)
        assert len(looked) <= 1 + visits**0.5
        node.learn(branch, -1.0)
    assert 10 == len(looked)


def test_an_order_that_was_never_taken_is_measured_by_what_the_others_brought() -> None:
    """What simulations bring on the whole says nothing for or against a single order."""
    for lift in (-20.0, 0.0, 20.0):
        node = Node.of("me", [("a", 1.0), ("b", 0.9)])
        for _ in range(4):
            node.learn(node.branches[0], 1.0 + lift)
        assert pytest.approx(0.1) == node.mean(node.branches[0]) - node.mean(node.branches[1])


def test_the_spread_is_the_standard_deviation() -> None:
    node = Node.of("me", [("a", 1.0)])
    for gain in (2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0):
        node.learn(node.branches[0], gain)
    assert pytest.approx(2.0) == node.spread
    assert pytest.approx(5.0 - 1.0) == node.off


@dataclass(frozen=True)
class Steps:
    """Orders given so far in `Prepare`."""

    done: tuple[str, ...] = ()


class Prepare:
    """Turns of `me` and `you`: `ready` leaves me at my turn and makes it worth more, `act` ends it. Two others answer."""

    turns = ("me", "you", "they", "me", "you", "they", "me")

    def __init__(self) -> None:
        self.thinking = self
        self.looked: list[str] = []

    def asked(self, state: Steps) -> tuple[str, str]:
        return self.turns[sum(order != "ready" for order in state.done)], "turn"

    def waiting(self, state: Steps) -> list[SimpleNamespace]:
        seat, kind = self.asked(state)
        return [SimpleNamespace(seat=seat, kind=kind, answered=False)]

    def ranked(self, state: Steps, seat: str) -> list[tuple[str, float]]:
        self.looked.append(seat)
        return [("act", 2.0), ("ready", 1.0)]

    def after(self, state: Steps, seat: str, order: str, chance: Chance) -> Steps:
        return Steps((*state.done, order))

    def rivals(self, state: Steps, seat: str) -> tuple[str, ...]:
        return ("you", "they")

    def estimate(self, state: Steps, seat: str) -> float:
        return 3.0 * ("ready" in state.done) + (state.done.count("act") > 0) if seat == "me" else 0.0


def test_what_only_prepares_a_turn_is_looked_at_to_the_end_of_that_turn() -> None:
    """As what ends it is: with the answers of both others, and one's own next turn."""
    game: Any = Prepare()
    assert pytest.approx(1.0 + 2.0) == look_ahead(game, Steps(), "me", "act", SeededChance(b"x", (), "x"))
    assert ["you", "they", "me"] == game.looked
    game.looked.clear()
    assert pytest.approx(3.0 + 1.0 + 2.0) == look_ahead(game, Steps(), "me", "ready", SeededChance(b"x", (), "x"))
    assert ["me", "you", "they", "me"] == game.looked


def test_a_turn_that_is_prepared_for_ever_is_looked_at_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = Prepare()
    ranked = Prepare.ranked
    monkeypatch.setattr(Prepare, "ranked", lambda self, state, seat: ranked(self, state, seat)[::-1])
    assert pytest.approx(3.0 + 1.0) == look_ahead(game, Steps(), "me", "ready", SeededChance(b"x", (), "x"))
    assert ["me"] * PREPARED == game.looked


def test_a_single_rivals_points_count_whole() -> None:
    """Where two play, what one loses the other has gained; of several others the mean counts a little."""
    worth: Any = SimpleNamespace(estimate=lambda state, seat: {"me": 10.0, "you": 4.0, "they": 8.0}[seat])
    assert {"me": 10.0} == prospects(worth, None, ("me",))
    assert {"me": 6.0, "you": -6.0} == prospects(worth, None, ("me", "you"))
    assert pytest.approx(10.0 - 0.3 * 6.0) == prospects(worth, None, ("me", "you", "they"))["me"]


# Budgets, and seats.


@pytest.mark.parametrize(
    "budget", ["0", "-1", "+5", "1.5", "", "many", "0x10", "²", "4001", "9" * 30, "120:120", "2s", "1 0"]
)
def test_a_budget_that_is_none_is_refused(budget: str) -> None:
    """With the budgets there are, and what was read."""
    with pytest.raises(NotAllowed) as odd:
        find_level(f"strong:{budget}", SEATED_LEVELS)
    assert "1 to 4000 simulations" in str(odd.value.reason)
    assert f"«{budget.strip()}»" in str(odd.value.reason)


def test_a_budget_is_part_of_the_name() -> None:
    assert "strong:1" == find_level(" Strong:1 ").name
    assert "strong:4000" == find_level("strong:4000").name
    assert find_level("strong").name == find_level(find_level("strong").name).name
    for other in ("steady:1", "novice:", "first:3"):
        with pytest.raises(NotAllowed, match="No level"):
            find_level(other)


def test_the_same_budget_gives_the_same_game() -> None:
    """And ends; another budget is another player."""
    ends = []
    for name in ("strong:40", "strong:40", "strong:1"):
        plan_ = Contest("troyes-dice", find_game("troyes-dice").settle_options(1, {}), (name,), 1, 5)
        ((part,),) = play_contest(plan_, 1)
        ends.append((part.points, part.decisions))
    assert ends[0] == ends[1]
    assert ends[0] != ends[2]


def test_a_search_ends_every_game_of_troyes_it_begins() -> None:
    options = find_game("troyes").settle_options(2, {"ladies": "all", "bonus": "yes"})
    ((one, two),) = play_contest(Contest("troyes", options, ("strong:1", "novice"), 1, 2), 1)
    assert one.decisions > 20
    assert two.decisions > 20


def test_seconds_become_simulations_when_a_seat_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured once, then a number; more seconds are more simulations."""
    ticks = iter((10.0, 10.0 + 24 / 128))
    monkeypatch.setattr("pbem.desk.core.seat_controller.time", SimpleNamespace(process_time=lambda: next(ticks)))
    dice = find_game("troyes-dice")
    assert "strong:256" == level_at(" Strong:2s", dice)
    assert "strong:64" == level_at("strong:0.5 s", dice)
    assert "strong:1" == level_at("strong:0.01s", dice)
    assert "strong:4000" == level_at("strong:999s", dice)
    assert "steady" == level_at("Steady", dice)


@pytest.fixture(autouse=True)
def _measured_anew() -> Any:
    """No test rests on what another one has measured."""
    _lasts.cache_clear()
    yield
    _lasts.cache_clear()


@pytest.mark.parametrize("text", ["strong:0s", "strong:s", "strong:-2s", "strong:1e3s", "strong:1234s", "strong:0"])
def test_seconds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(NotAllowed, match="simulations a decision"):
        parse_level(text)
