"""Whole random games with the Ladies: every combination of modules, standing orders now and then, sealed answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from engine.chance import SeededChance
from engine.game import Seat, Step
from engine.troyes.card_data.explain import LEVELS
from engine.troyes.state.ladies_modules import MODULES
from engine.troyes.state.troyes_state import TroyesState
from tests.troyes.games import GAME, NAMES, chance_of

LONGEST = 1500
"""Orders after which a random game should long be over (they take 60 to 400)."""


@dataclass(frozen=True, slots=True)
class Table:
    """A seeded table: how many play, and with which options."""

    players: int
    options: dict[str, str]


ALL = Table(3, {"ladies": "all"})


def table_of(seed: int) -> Table:
    """Players and options of the seeded game; every seventh plays all modules."""
    rng = random.Random(seed)
    players = 2 + seed % 3
    chosen = list(MODULES) if seed % 7 == 0 else [module for module in MODULES if rng.random() < 0.6]
    options = {"bonus": rng.choice(("no", "yes")), "ladies": ",".join(chosen) or "none"}
    if "activities" in chosen:
        options["activities"] = rng.choice(("mixed", "alone"))
    if "characters" in chosen:
        options["open-character"] = rng.choice(("no", "yes"))
    if players > 2:
        options["tournament"] = rng.choice(("no", "yes"))
    return Table(players, options)


def opening(seed: int, table: Table | None = None) -> Step:
    """The seeded game up to its first decision."""
    table = table or table_of(seed)
    seated = dict(islice(NAMES.items(), table.players))
    return GAME.start(seated, GAME.settle_options(table.players, table.options), chance_of(seed))


def played(seed: int, table: Table | None = None) -> Iterator[tuple[TroyesState, Seat, str, Step]]:
    """A whole random game: the state before, who, the order's text, what it led to."""
    rng, chance = random.Random(seed), chance_of(seed)
    step = opening(seed, table)
    for _ in range(LONGEST):
        asked = [decision for decision in GAME.waiting(step.state) if not decision.answered]
        if not asked:
            return
        state, seat = step.state, rng.choice(asked).seat
        text = _text(state, seat, rng)
        if state.answering and rng.random() < 0.03:
            seat = rng.choice(state.seats)
            level = rng.choice(("", *(f"{LEVELS[state.outdoor(tile).level]} " for tile in state.answering)))
            text = f"auto: react {level}{rng.choice(('always', 'never', 'ask'))}"
        step = apply(state, seat, text, chance)
        yield state, seat, text, step
    raise AssertionError(f"game {seed} did not end in {LONGEST} orders")


def _text(state: TroyesState, seat: Seat, rng: random.Random) -> str:
    return next(iter(GAME.reference.every(state, seat, [rng.randrange(1 << 30) for _ in range(64)])))


def apply(state: TroyesState, seat: Seat, text: str, chance: SeededChance) -> Step:
    """Read and play one order; it is read back as it is written."""
    reading = GAME.read(state, seat, text)
    assert text == reading.text, "read(write(order)) must give the order back"
    assert reading.order == GAME.read(state, seat, reading.text).order
    return GAME.apply(state, seat, reading.order, chance)
