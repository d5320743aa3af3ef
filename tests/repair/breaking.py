"""Orders as fingers spoil them, and positions of random games to spoil them in, for the laws of repairs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from engine.chance import BlindChance, UnknownDraw
from engine.errors import OrderRefused
from engine.game import AnyGame
from tests.dice import games as dice
from tests.troyes import games as troyes

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def slip(rng: random.Random, word: str) -> str:
    """A word with one letter missing, too much, wrong, or swapped with the next."""
    at, letter = rng.randrange(len(word)), rng.choice(LETTERS)
    return rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at:],
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
        )
    )


def one_slip(rng: random.Random, line: str) -> str:
    """A line with a slip in one of its words."""
    words = line.split()
    at = rng.randrange(len(words))
    words[at] = slip(rng, words[at])
    return " ".join(words)


def spoilt(rng: random.Random, line: str) -> str:
    """A line with a slip, a word less, a word twice, another number, two words in one, or words of nothing."""
    words = line.split()
    at = rng.randrange(len(words))
    match rng.randrange(7):
        case 0:
            return one_slip(rng, line)
        case 1:
            del words[at]
        case 2:
            words.insert(at, words[at])
        case 3:
            words[at] = "".join(rng.choice("123456") if char.isdecimal() else char for char in words[at])
        case 4:
            words[at : at + 2] = ["".join(words[at : at + 2])]
        case 5:
            words[at] = "nonsense"
        case _:
            rng.shuffle(words)
    return " ".join(words)


def refuses(game: AnyGame, state: Any, seat: str, line: str) -> bool:
    """Whether a line is no order that can be played now."""
    try:
        game.apply(state, seat, game.read(state, seat, line).order, BlindChance())
    except OrderRefused:
        return True
    except UnknownDraw:
        return False
    return False


def positions(seed: int, every: int) -> Iterator[tuple[AnyGame, Any, str, str]]:
    """Game, state, seat and an order given there, one in so many of random games of each kind."""
    kinds: tuple[dict[str, Any], ...] = ({}, {"bonus": True}, {"options": {"ladies": "all"}})
    rows = islice(troyes.random_game(2 + seed % 3, seed, **kinds[seed % 3]), 250)
    yield from ((troyes.GAME, state, seat, text) for state, seat, text, _ in islice(rows, seed % every, None, every))
    players, options = dice.options_of(seed)
    run = dice.begin(players, seed, **{name: value for name, value in options.items() if "." not in name})
    for seat, text in islice(dice.steps(run, seed), seed % every, None, every):
        yield dice.GAME, run.state, seat, text
