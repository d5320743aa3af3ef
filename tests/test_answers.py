"""What every game promises of its orders, over whole games: written for any reader they are read back, and every open
decision has a default answer that is legal."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine.chance import BlindChance, SeededChance, UnknownDraw
from engine.errors import TooLate
from engine.game import AnyGame, Decision, Seat, Step, games
from tests.fakegame import GAME as TALLY

TABLES: tuple[tuple[str, int, Mapping[str, str]], ...] = (
    ("tally", 3, {}),
    ("troyes", 1, {}),
    ("troyes", 3, {"bonus": "yes"}),
    ("troyes", 4, {"ladies": "all"}),
    ("troyes-dice", 1, {"numbering": "expert"}),
    ("troyes-dice", 3, {"expansion": "yes", "numbering": "crier"}),
)
LANGUAGES = ("en", "fr", "xx")


@pytest.fixture(params=TABLES, ids=lambda row: f"{row[0]}-{row[1]}")
def table(request: pytest.FixtureRequest) -> tuple[AnyGame, int, dict[str, str]]:
    kind, players, options = request.param
    game = TALLY if kind == "tally" else games()[kind]
    return game, players, game.settle_options(players, options)


def begin(game: AnyGame, players: int, options: Mapping[str, str], seed: int) -> tuple[Step[Any], SeededChance]:
    chance = SeededChance(bytes([seed]) * 32, ("a", "b"), "answers")
    names = ("Anna", "Bob", "Cleo", "Dan")[:players]
    return game.start({Seat(name.lower()): name for name in names}, options, chance), chance


def open_ones(game: AnyGame, state: Any) -> list[Decision]:
    return [asked for asked in game.waiting(state) if not asked.answered]


def course(game: AnyGame, players: int, options: Mapping[str, str], seed: int) -> Iterator[tuple[Any, Seat]]:
    """A whole game at random: each state with the seat that is next to answer."""
    rng = random.Random(seed)
    step, chance = begin(game, players, options, seed)
    while asked := open_ones(game, step.state):
        seat = rng.choice(asked).seat
        yield step.state, seat
        text = next(iter(game.reference.every(step.state, seat, [rng.randrange(1 << 30) for _ in range(64)])))
        step = game.apply(step.state, seat, game.read(step.state, seat, text).order, chance)


def test_no_game_is_forgotten() -> None:
    assert {"tally", *games()} == {kind for kind, _, _ in TABLES}


def test_an_order_is_read_as_it_was_written_in_every_language(table: tuple[AnyGame, int, dict[str, str]]) -> None:
    """A receipt in French can be sent back, and what a language lacks is written in English."""
    game, players, options = table
    written = dict.fromkeys(LANGUAGES, 0)
    for state, seat in course(game, players, options, 3):
        rng = random.Random(str(seat) + game.stage(state))
        picks = [next(iter(game.reference.every(state, seat, [rng.randrange(1 << 30) for _ in range(64)])))]
        for text in {*picks, *(offer.text for offer in game.offers(state, seat))}:
            order = game.read(state, seat, text).order
            for language in LANGUAGES:
                said = game.write(state, seat, order, language)
                assert order == game.read(state, seat, said).order, said
                written[language] += said != game.write(state, seat, order, "en")
    assert 0 == written["en"] == written["xx"]
    assert written["fr"] or game is TALLY


def test_options_are_in_the_readers_language(table: tuple[AnyGame, int, dict[str, str]]) -> None:
    game, players, options = table
    state, seat = next(course(game, players, options, 5))
    orders = [game.read(state, seat, offer.text).order for offer in game.offers(state, seat)]
    for language in LANGUAGES:
        written = [game.write(state, seat, order, language) for order in orders]
        assert written == [offer.text for offer in game.offers(state, seat, language)]


def test_every_open_decision_has_a_default_that_is_legal(table: tuple[AnyGame, int, dict[str, str]]) -> None:
    """Nobody waits for ever: what is given where nobody answers can be played, and read when it is written."""
    game, players, options = table
    for state, seat in course(game, players, options, 7):
        order = game.default(state, seat)
        assert order == game.read(state, seat, game.write(state, seat, order, "en")).order
        with contextlib.suppress(UnknownDraw):
            game.apply(state, seat, order, BlindChance())


def test_a_game_of_defaults_comes_to_its_end(table: tuple[AnyGame, int, dict[str, str]]) -> None:
    """A table that everybody has left is not stuck."""
    game, players, options = table
    step, chance = begin(game, players, options, 9)
    while asked := open_ones(game, step.state):
        step = game.apply(step.state, asked[0].seat, game.default(step.state, asked[0].seat), chance)
    assert game.result(step.state) is not None


@pytest.mark.parametrize("kind", sorted(games()))
def test_nobody_has_a_default_who_is_not_asked(kind: str) -> None:
    game = games()[kind]
    step, chance = begin(game, 2, game.settle_options(2, {}), 1)
    while asked := open_ones(game, step.state):
        step = game.apply(step.state, asked[0].seat, game.default(step.state, asked[0].seat), chance)
    with pytest.raises(TooLate):
        game.default(step.state, Seat("anna"))
