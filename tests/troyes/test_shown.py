"""The law «what an entry says was shown agrees with what the record shows», over every kind of game of Troyes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import PositionError
from engine.event_log import LogEntry
from engine.game import Seat, Step
from engine.troyes.board import threats
from engine.troyes.events.play import Play
from engine.troyes.state import places
from engine.troyes.state.troyes_state import QueuedEvent, TroyesState
from pbem.export.document_reader import read_document, records_of
from tests import shown as everywhere
from tests.troyes import games, ladies
from tests.troyes.shown import SAYINGS, misquoted, misspoken

SAMPLES = Path(__file__).parents[2] / "games" / "samples"
Played = Iterable[tuple[TroyesState, Seat, str, Step]]


def broken(opening: Step, played: Played, seed: int) -> Iterator[str]:
    """Every way in which the record of a game does not agree with itself or with the dice."""
    kept = everywhere.Kept()
    for before, step in [(None, opening), *((state, step) for state, _, _, step in played)]:
        kept.add(step.entries)
        yield from misspoken(before, step.entries)
        yield from everywhere.misdrawn(step.entries, games.chance_of(seed))
        if step.state.solo:
            yield from misquoted(step.state, step.entries)
    yield from kept.changed()


def seeds(sample: int, soak: int) -> list[Any]:
    """Those of the sample, and the rest for the soak."""
    return [*range(sample), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(sample, soak))]


def solo(seed: int) -> list[str]:
    bonus = seed % 2 == 1
    return list(broken(games.opening(1, seed, bonus), games.random_game(1, seed, bonus), seed))


@pytest.mark.parametrize("seed", range(8))
def test_what_le_roy_is_said_to_roll_is_what_he_rolled(seed: int) -> None:
    """His dice, his spaces, his sentences."""
    assert [] == solo(seed)


@pytest.mark.soak
def test_what_le_roy_is_said_to_roll_over_500_games() -> None:
    """The full number."""
    for seed in range(7000, 7500):
        assert [] == solo(seed), seed


@pytest.mark.parametrize("seed", seeds(6, 12))
def test_what_a_base_game_says_was_shown(seed: int) -> None:
    players, bonus = 2 + seed % 3, seed % 2 == 1
    assert [] == list(broken(games.opening(players, seed, bonus), games.random_game(players, seed, bonus), seed))


@pytest.mark.parametrize("seed", seeds(8, 16))
def test_what_a_game_of_the_ladies_says_was_shown(seed: int) -> None:
    assert [] == list(broken(ladies.opening(seed), ladies.played(seed), seed))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("troyes-[!d]*.json")), ids=lambda path: path.stem)
def test_a_shipped_sample_says_what_was_shown(path: Path) -> None:
    entries = [made for record in records_of(read_document(path)) for made in record.entries]
    assert [] == list(misspoken(None, entries))


def test_the_law_has_met_every_kind() -> None:
    """A kind that no game here records would be held by nothing."""
    met: set[str] = set()
    for seed in range(24):
        met |= {made.kind for *_, step in ladies.played(seed) for made in step.entries}
    for seed in range(4):
        met |= {made.kind for *_, step in games.random_game(1, seed) for made in step.entries}
    assert set(SAYINGS) <= met, set(SAYINGS) - met


def test_a_neutral_cube_on_possession_frees_by_a_draw_that_can_be_drawn_again() -> None:
    """As many sides as citizens are held; the entry says how many."""
    for seed in range(12):
        state: TroyesState = ladies.opening(seed, ladies.Table(3, {"ladies": "events"})).state.copy()
        state.queue.append(QueuedEvent(places.POSSESSION, [], ["anna", "faye", "geoffrey"]))
        play = Play(state, games.chance_of(seed))
        threats.place_cube(play, state.neutral, places.POSSESSION)
        assert 3 == next(made.data["sides"] for made in play.entries if made.kind == "fate")
        assert [] == list(everywhere.misdrawn(play.entries, games.chance_of(seed)))


LIES: dict[str, dict[str, object]] = {
    "acts": {"dice": ["R1", "R1", "Y1", "Y1", "W1", "W1"]},
    "rolled": {"shown": [7, 7, 7, 7, 7]},
    "black": {"shown": [7]},
    "leaves": {"dice": ["Y1"] * 9},
    "threat": {"event": "support"},
    "judged": {"character": "nobody"},
}


@pytest.mark.parametrize("kind", LIES)
def test_a_planted_lie_is_seen(kind: str) -> None:
    """One changed word in a true record, and the law says which."""
    lies = 0
    for before, _, _, step in games.random_game(1, 3):
        for at, made in enumerate(step.entries):
            if made.kind != kind or lies:
                continue
            lie = LogEntry(kind, made.data | LIES[kind])
            if lie == made:
                continue
            try:
                wrong = list(misspoken(before, [*step.entries[:at], lie]))
            except PositionError:
                wrong = ["it does not fit"]
            wrong += everywhere.misdrawn([lie], games.chance_of(3))
            assert wrong
            lies += 1
    assert lies
