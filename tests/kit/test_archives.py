"""What both games write and read with the kit: exact at every step of a game, and no damage passes as anything else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.chance import SeededChance
from engine.errors import NotAllowed, PositionError
from engine.event_log import plain_copy
from engine.game import find_game

GAMES = (
    ("troyes", 3, {}),
    ("troyes", 4, {"ladies": "all", "bonus": "yes"}),
    ("troyes", 1, {}),
    ("troyes-dice", 3, {"expansion": "yes"}),
)
ALL = pytest.mark.parametrize(("kind", "players", "options"), GAMES)
JUNK: tuple[Any, ...] = (3, "x", True, 1.5, [], {}, [[]], {"x": []}, None)


def positions(kind: str, players: int, options: dict[str, str], steps: int) -> Iterator[Any]:
    """The positions of the first steps of a random game."""
    game, rng = find_game(kind), random.Random(players)
    seats: dict[Any, str] = {seat: seat.capitalize() for seat in ("anna", "faye", "geoffrey", "emily")[:players]}
    chance = SeededChance(b"kit", (), "archives")
    state = game.start(seats, game.settle_options(players, options), chance).state
    for _ in range(steps):
        yield state
        asked = game.waiting(state)
        if not asked:
            return
        seat = rng.choice([one for one in asked if not one.answered] or asked).seat
        line = next(iter(game.reference.every(state, seat, [rng.getrandbits(30) for _ in range(8)])))
        state = game.apply(state, seat, game.read(state, seat, line).order, chance).state


@ALL
def test_every_position_of_a_game_is_read_as_it_was_written(kind: str, players: int, options: dict[str, str]) -> None:
    game = find_game(kind)
    for state in positions(kind, players, options, 60):
        public, secret = game.dump(state)
        kept = plain_copy((public, secret))
        assert state == game.load(public, secret)
        assert kept == [public, secret], "reading changes nothing"


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of some tables."""
    for word, part in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, word)
        yield from paths(part, (*path, word))


@ALL
def test_what_is_asked_is_told_where_it_is_damaged(kind: str, players: int, options: dict[str, str]) -> None:
    """Also without the secrets, as tools read that may not open them."""
    game = find_game(kind)
    public, secret = game.dump(next(positions(kind, players, options, 1)))
    if isinstance(public["asked"], dict):
        (seat, *_), damaged = public["asked"], plain_copy(public)
        damaged["asked"][seat] = 7
        with pytest.raises(PositionError) as error:
            game.load(damaged, secret)
        assert f"asked.{seat}" == error.value.where
        return
    for word in ("seat", "kind"):
        damaged = plain_copy(public)
        del damaged["asked"][0][word]
        where = f"asked.{damaged['asked'][0].get('seat', 1)}.{word}"
        for hidden in (secret, {}):
            with pytest.raises(PositionError) as error:
                game.load(damaged, hidden)
            assert where == error.value.where


@ALL
def test_damage_is_told_as_damage(kind: str, players: int, options: dict[str, str]) -> None:
    """Whatever a person or a broken disk has put there: read, or refused with its path, never another error."""
    game, rng = find_game(kind), random.Random(7)
    *_, state = positions(kind, players, options, 12)
    whole = plain_copy(list(game.dump(state)))
    every = [path for path in paths(whole) if len(path) > 1 and (path[1] != "box" or rng.random() < 0.03)]
    told = 0
    for path in every:
        for junk in (*rng.sample(JUNK, 3), "gone"):
            damaged = plain_copy(whole)
            holder: Any = damaged
            for word in path[:-1]:
                holder = holder[word]
            if junk == "gone":
                del holder[path[-1]]
            else:
                holder[path[-1]] = junk
            try:
                game.load(*damaged)
            except PositionError as error:
                told += 1
                assert error.where, path
            except NotAllowed:
                assert "box" in path, path
    assert told > len(every)
