"""What each could expect and which turns cost most: true, and in full exports alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from engine.errors import OrderRefused
from engine.game import AnyGame, Seat
from engine.troyes.events.order_events import Ordered
from engine.troyes.events.play import read_entries
from engine.troyes.state import orders
from pbem.export.audience import Audience
from pbem.export.document import export_document
from pbem.export.game_source import GameSource
from pbem.export.replay_steps import ReplayStep, replay_chapters
from pbem.export.turn_costs import TurnCosts, steps_of
from tests.export.tables import KINDS, Pick, table
from tests.fakegame import GAME as TALLY


def marks(found: dict[str, Any], name: str) -> list[Any]:
    """Every value of that name in the steps of a document."""
    return [step[name] for row in found["records"] for step in row["steps"] if name in step]


@pytest.mark.parametrize("kind", KINDS)
def test_estimates_stand_in_the_full_view_alone(kind: str) -> None:
    """Beside each other they tell of hands: not to the public, to no seat, whether the game is over or not."""
    for source in (table(kind, 3, 21, stop=25), table(kind, 2, 22)):
        for view in ("public", *(f"seat:{seat}" for seat in source.seats)):
            told = export_document(source, Audience.parse(view, source.seats))
            assert [] == marks(told, "worth") + marks(told, "turn")
        full = export_document(source, Audience(full=True))
        assert len(marks(full, "worth")) > 10
        assert marks(full, "turn")


@pytest.mark.parametrize("kind", KINDS)
def test_the_line_of_a_seat_is_its_estimate(kind: str) -> None:
    """At every step, changes laid over each other, and at the end its score."""
    source = table(kind, 2, 23)
    chapters = replay_chapters(source, Audience(full=True))
    worths, shown = TurnCosts(source.game, source.seats).walk(chapters), dict[str, float]()
    for place, _, step in steps_of(chapters):
        shown |= worths.worth.get(place, {})
        if step.state is not None:
            assert shown == {seat: round(source.game.estimate(step.state, seat), 1) for seat in source.seats}
    ending = source.game.result(source.state())
    assert ending is not None
    assert shown == {str(seat): total for seat, total in ending.totals.items()}


def best(game: AnyGame, state: Any, seat: Seat, n: int) -> Any:
    return game.thinking.ranked(state, seat)[0][0]


def worst_at(*bad: int) -> Pick:
    """The best choice, but the worst at some records."""

    def pick(game: AnyGame, state: Any, seat: Seat, n: int) -> Any:
        return game.thinking.ranked(state, seat)[-1 if n in bad else 0][0]

    return pick


@pytest.mark.parametrize("kind", KINDS)
def test_who_always_takes_the_best_choice_is_charged_nothing(kind: str) -> None:
    """Whatever the dice do then: the letter says that it was the best."""
    source = table(kind, 2, 24, stop=40, pick=best)
    chapters = replay_chapters(source, Audience(full=True))
    assert {} == TurnCosts(source.game, source.seats).walk(chapters).turns
    unwritten = tuple(replace(one, record=replace(one.record, private={})) for one in chapters)
    assert {} == TurnCosts(source.game, source.seats).walk(unwritten).turns


def test_the_worst_choice_is_the_turn_that_costs_most() -> None:
    """Its cost is what the best choice promised and it did not bring, and the best choice is named."""
    source = table("troyes-dice", 1, 25, stop=12, pick=worst_at(7))
    game, seat, chapters = source.game, Seat("anna"), replay_chapters(source, Audience(full=True))
    ((place, turn),) = TurnCosts(game, source.seats).walk(chapters).turns.items()
    assert 7 == place[0]
    ranked, write = game.thinking.ranked(chapters[6].steps[-1].state, seat), game.write
    (first, promised), (_, worst) = ranked[0], ranked[-1]
    assert (write(chapters[6].steps[-1].state, seat, first, "en"), round(promised, 1)) == (turn["best"], turn["promised"])
    assert round(promised - worst, 1) == turn["cost"]


def test_an_order_of_ones_own_is_held_against_what_it_brought() -> None:
    """It stands in no list: all influence spent on re-rolls that nobody would think of. The turn that it began is told
    where that ends."""
    mine: list[int] = []

    def pick(game: AnyGame, state: Any, seat: Seat, n: int) -> Any:
        listed = [game.write(state, seat, order, "en") for order, _ in game.thinking.ranked(state, seat)]
        for text in ("recruit 1", "recruit 2", "flip Y1 R1", "reroll Y1", "reroll R1", "reroll W1"):
            if n > 28 and not mine and text not in listed:
                try:
                    order = game.read(state, seat, text).order
                except OrderRefused:
                    continue
                mine.append(n)
                return order
        return best(game, state, seat, n)

    source = table("troyes", 2, 26, stop=60, pick=pick)
    turns = TurnCosts(source.game, source.seats).walk(replay_chapters(source, Audience(full=True))).turns
    assert mine
    assert [at + 1 for at in mine] == [at for at, _ in turns]


def test_whole_turns_cost_something_and_nothing_that_happens_by_itself_does() -> None:
    """Not the flip before an action, and not the denier that whoever has passed gets while others go on."""

    def pick(game: AnyGame, state: Any, seat: Seat, n: int) -> Any:
        ranked = [order for order, _ in game.thinking.ranked(state, seat)]
        if n > 20 and n % 3 == 0:
            before = [order for order in ranked if isinstance(order, orders.BEFORE)]
            return (before or ranked)[-1]
        return ranked[min(n % 4, len(ranked) - 1)]

    blamed = 0
    for seed in (27, 28, 29):
        source = table("troyes", 3, seed, stop=90, pick=pick)
        chapters = replay_chapters(source, Audience(full=True))
        every = [(place, one) for place, _, step in steps_of(chapters) for one in _ordered(step)]
        before = {
            place for (place, one), (_, then) in pairwise(every)
            if isinstance(one.order, orders.BEFORE) and (one.seat, "") == (then.seat, then.given)
        }  # fmt: skip
        assert before
        places = TurnCosts(source.game, source.seats).walk(chapters).turns
        blamed += len(places)
        acted = {place: _ordered(step) for place, _, step in steps_of(chapters)}
        assert all(acted[place] for place in places), "somebody has ordered it"
        assert not before & {*places}
    assert blamed > 20


def _ordered(step: ReplayStep) -> list[Ordered]:
    return [fact for fact in read_entries(step.entries) if isinstance(fact, Ordered)]


def test_a_turn_taken_back_costs_nothing() -> None:
    source = table("troyes-dice", 1, 25, stop=12, pick=worst_at(7))
    chapters = replay_chapters(source, Audience(full=True))
    taken = tuple(replace(one, undone=True) for one in chapters)
    assert {} == TurnCosts(source.game, source.seats).walk(taken).turns


def test_a_game_without_an_estimate_has_none() -> None:
    source: GameSource = table("tally", 3, 4, game=TALLY)
    found = export_document(source, Audience(full=True))
    assert {0.0} == {value for row in marks(found, "worth") for value in row.values()}
    assert [] == marks(found, "turn")
