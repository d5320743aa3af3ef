"""Whole random games, seeded, for tests that want many real positions and entries."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice

from engine.chance import Chance, SeededChance
from engine.game import Seat, Step, find_game
from engine.troyes.state.troyes_state import TroyesState

GAME = find_game("troyes")

NAMES = {Seat("anna"): "Anna", Seat("faye"): "Faye", Seat("geoffrey"): "Geoffrey", Seat("emily"): "Emily"}

LONGEST = 900
"""Orders after which a random game should long be over (they take 60 to 250)."""


def chance_of(seed: int) -> SeededChance:
    """The dice of the seeded game."""
    return SeededChance(seed.to_bytes(8, "big"), [], "troyes-1")


def opening(
    players: int,
    seed: int,
    bonus: bool = False,
    *,
    names: Mapping[Seat, str] = NAMES,
    chance: Chance | None = None,
    options: Mapping[str, str] | None = None,
) -> Step:
    """The set-up of the seeded game, up to the first decision."""
    chosen = GAME.settle_options(players, {"bonus": "yes" if bonus else "no", **(options or {})})
    return GAME.start(dict(islice(names.items(), players)), chosen, chance or chance_of(seed))


def random_game(
    players: int,
    seed: int,
    bonus: bool = False,
    *,
    names: Mapping[Seat, str] = NAMES,
    chance: Chance | None = None,
    options: Mapping[str, str] | None = None,
) -> Iterator[tuple[TroyesState, Seat, str, Step]]:
    """A whole game order by order: the state before, who, the order's text, what it led to."""
    rng, dice = random.Random(seed), chance or chance_of(seed)
    step = opening(players, seed, bonus, names=names, chance=dice, options=options)
    for _ in range(LONGEST):
        asked = GAME.waiting(step.state)
        if not asked:
            return
        state, seat = step.state, asked[0].seat
        text = next(iter(GAME.reference.every(state, seat, [rng.randrange(1 << 30) for _ in range(64)])))
        reading = GAME.read(state, seat, text)
        assert text == reading.text, "read(write(order)) must give the order back"
        step = GAME.apply(state, seat, reading.order, dice)
        yield state, seat, text, step
    raise AssertionError(f"game {seed} did not end in {LONGEST} orders")
