"""What was reached stays as it was: positions, steps and options that nobody has read yet, whatever goes on from them.

Positions share what nothing has happened to, and sentences and entries are written when somebody reads them. So each
is compared, once a whole game is over, with a copy that was taken and read on the way; what goes on from it, with what
goes on from the same position as it is stored, for which nothing has been worked out before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from typing import Any

import pytest

from engine.chance import SeededChance, UnknownDraw
from engine.errors import OrderRefused, PositionError
from engine.game import Seat, Step, find_game

NAMES = {Seat(name.lower()): name for name in ("Anna", "Faye", "Geoffrey")}
TABLES: dict[str, tuple[str, int, dict[str, str]]] = {
    "base": ("troyes", 2, {}),
    "bonus": ("troyes", 3, {"bonus": "yes"}),
    "ladies": ("troyes", 3, {"ladies": "all", "bonus": "yes"}),
    "ladies of two": ("troyes", 2, {"ladies": "all", "open-character": "yes"}),
    "solo": ("troyes", 1, {}),
    "dice": ("troyes-dice", 3, {"numbering": "crier"}),
    "expansion": ("troyes-dice", 3, {"expansion": "yes"}),
}
LATER = (
    "auto: pass when I have no die",
    "auto: counter",
    "auto: place palace 5, city hall 3.1, bishopric 2.1",
    "auto: react always",
    "later: pass",
    "auto: deniers, every day",
    "later: white 3+: cathedral | knowledge | influence",
    "auto: bonus yellow, red",
    "cancel",
)
"""Standing orders; a game refuses those that it does not have."""


class Kept:
    """One game, and all that was reached in it."""

    def __init__(self, table: str, seed: int) -> None:
        name, players, options = TABLES[table]
        self.game, self.rng = find_game(name), random.Random(seed)
        self.chance = SeededChance(seed.to_bytes(8, "big"), (), table)
        seated = dict(islice(NAMES.items(), players))
        begun = self.game.start(seated, self.game.settle_options(players, options), self.chance)
        self.positions: list[tuple[Any, Any]] = []
        self.unread: list[tuple[Any, Any]] = []
        self.state = self.keep(begun.state)

    def keep(self, state: Any) -> Any:
        """A position, which others may go on from."""
        self.positions.append((state, deepcopy(state)))
        return state

    def stored(self, state: Any) -> Any:
        """The position as it comes back from its file."""
        return self.game.load(*self.game.dump(state))

    def order(self, state: Any, seat: Seat, order: Any) -> Any:
        """What an order leads to, read at the end; and beside it the same from what is stored, read at once."""
        step: Step[Any] = self.game.apply(state, seat, order, self.chance)
        beside = self.game.apply(self.stored(state), seat, order, self.chance)
        self.unread.append((lambda: (step.entries, step.reveals), (deepcopy(beside.entries), beside.reveals)))
        assert step.state == beside.state
        return self.keep(step.state)

    def look(self, seat: Seat) -> None:
        """All that is asked of a position between two orders."""
        game, state = self.game, self.state
        copy = self.stored(state)
        offers = game.offers(state, seat)
        self.unread.append((lambda: offers, deepcopy([(one.text, one.says, one.kind) for one in game.offers(copy, seat)])))
        for reader in (seat, None):
            game.view(state, reader)
        game.estimate(state, seat)
        trial = game.moderation.redacted(state, seat)
        for offer in offers[:4]:
            with suppress(OrderRefused, UnknownDraw):
                order = game.read(trial, seat, offer.text).order
                game.thinking.after(trial, str(seat), order, SeededChance(b"other", (), "trial"))
        self.keep(trial)
        self.keep(game.thinking.imagined(state, seat, SeededChance(b"imagined", (), str(len(self.positions)))))
        self.keep(game.moderation.renumber(state, 999))
        self.edit()
        back = game.moderation.without_plans(state)
        self.keep(game.fold(state, back))
        if (withdrawn := game.withdraw(state, seat)) is not None:
            self.keep(withdrawn.state)

    def edit(self) -> None:
        """A moderator puts one value right, of those that can be."""
        state, moderation = self.state, self.game.moderation
        found = [(path, value) for path, value in moderation.settable(state).items() if value not in ("", None)]
        path, value = self.rng.choice(found)
        with suppress(OrderRefused, PositionError):
            self.keep(self.game.fold(state, [moderation.change(state, path, value + 1 if type(value) is int else value)]))

    def speak(self) -> None:
        """Somebody says something for later, the first of some lines that can be said."""
        seat = self.rng.choice(list(self.state.names))
        for text in self.rng.sample(LATER, len(LATER)):
            with suppress(OrderRefused):
                self.state = self.order(self.state, seat, self.game.read(self.state, seat, text).order)
                return

    def play(self, every: int) -> Iterator[Seat]:
        """To the end, or 900 orders; each `every` orders all is looked at."""
        for number in range(900):
            asked = [one.seat for one in self.game.waiting(self.state) if not one.answered]
            if not asked:
                return
            if self.rng.random() < 0.2:
                self.speak()
                continue
            seat = self.rng.choice(asked)
            if number % every == 0:
                self.look(seat)
            sample = [self.rng.randrange(1 << 30) for _ in range(64)]
            text = next(iter(self.game.reference.every(self.state, seat, sample)))
            self.state = self.order(self.state, seat, self.game.read(self.state, seat, text).order)
            yield seat


def hold(table: str, seed: int, every: int) -> None:
    """The law over one game."""
    kept = Kept(table, seed)
    assert sum(1 for _ in kept.play(every)) > 10
    for state, was in kept.positions:
        assert was == state
        assert kept.game.dump(was) == kept.game.dump(state)
    for read, was in kept.unread:
        found = read()
        assert was == ([(one.text, one.says, one.kind) for one in found] if isinstance(was, list) else found)


@pytest.mark.parametrize("table", TABLES)
def test_what_was_reached_stays_as_it_was(table: str) -> None:
    """Positions, steps, options."""
    hold(table, 3, 6)


@pytest.mark.soak
@pytest.mark.parametrize("table", TABLES)
def test_what_was_reached_stays_as_it_was_in_many_games(table: str) -> None:
    """The same at every second order."""
    for seed in range(100, 140):
        hold(table, seed, 2)
