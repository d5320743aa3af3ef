"""The law «what an entry says was shown agrees with what the record shows», over every kind of game of Troyes Dice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.event_log import LogEntry
from engine.troyes_dice.state.dice_state import DiceState
from tests import shown as everywhere
from tests.dice.games import begin, options_of, steps
from tests.dice.shown import SAYINGS, misspoken


def broken(seed: int) -> Iterator[str]:
    """Every way in which the record of a game does not agree with itself or with the dice."""
    players, options = options_of(seed)
    run = begin(players, seed, **options)
    kept = everywhere.Kept()
    kept.add(run.entries)
    yield from misspoken(None, run.entries)
    before: DiceState = run.state
    done = len(run.entries)
    for _ in steps(run, seed):
        yield from _step(before, run.entries[done:])
        kept.add(run.entries[done:])
        before, done = run.state, len(run.entries)
    yield from _step(before, run.entries[done:])
    yield from everywhere.misdrawn(run.entries, run.chance)
    yield from kept.changed()


def _step(before: DiceState, entries: list[LogEntry]) -> Iterator[str]:
    yield from misspoken(before, entries) if entries else ()


@pytest.mark.parametrize("seed", range(12))
def test_what_a_game_says_was_shown(seed: int) -> None:
    """Every roll, plaza, attack, gain and turned tile."""
    assert [] == list(broken(seed))


@pytest.mark.soak
def test_what_500_games_say_was_shown() -> None:
    for seed in range(7000, 7500):
        assert [] == list(broken(seed)), seed


def test_the_law_has_met_every_kind() -> None:
    met: set[str] = set()
    for seed in range(4):
        players, options = options_of(seed)
        run = begin(players, seed, **options)
        for _ in steps(run, seed):
            pass
        met |= {made.kind for made in run.entries}
    assert set(SAYINGS) <= met, set(SAYINGS) - met


@pytest.mark.parametrize(
    ("kind", "lie"),
    [
        ("rolled", {"shown": [1, 1, 1, 1], "values": [1, 1, 1, 2]}),
        ("destroyed", {"colour": "green"}),
        ("attack", {"column": 9}),
        ("shown", {"seats": []}),
        ("flips", {"notches": [8, 7, 6]}),
    ],
)
def test_a_planted_lie_is_seen(kind: str, lie: dict[str, object]) -> None:
    """One changed word in a true record, and the law says which."""
    run = begin(2, 1)
    for _ in steps(run, 1):
        pass
    at = next(at for at, made in enumerate(run.entries) if made.kind == kind)
    false = LogEntry(kind, run.entries[at].data | lie)
    assert [*misspoken(None, [*run.entries[:at], false])]
