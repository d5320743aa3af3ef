"""Dice on the city square, the black ones, and rolls that only decide what follows."""

from __future__ import annotations

from engine.kit.facts import Fact
from engine.kit.rolls import Rolled
from engine.troyes.entries.finding import without
from engine.troyes.state import dice
from engine.troyes.state.state import TroyesState
from engine.values import fixed


def _lay(state: TroyesState, owner: str, words: list[str]) -> None:
    """The dice of a district, anew."""
    state.dice = {**state.dice, owner: words}


@fixed
class DiceRolled(Fact[TroyesState]):
    """Dice rolled into a district."""

    kind = "rolled"
    rolled: Rolled
    owner: str
    dice: tuple[str, ...]

    def apply(self, state: TroyesState) -> None:
        _lay(state, self.owner, dice.tidy([*state.dice[self.owner], *self.dice]))
        state.rolled = {**state.rolled, self.owner: state.rolled.get(self.owner, 0) + len(self.dice)}


@fixed
class DiceLeave(Fact[TroyesState]):
    """Dice taken off a district, by a seat or at the end of the round."""

    kind = "leaves"
    owner: str
    dice: tuple[str, ...]
    by: str = ""

    def apply(self, state: TroyesState) -> None:
        _lay(state, self.owner, without(state.dice[self.owner], *self.dice))


@fixed
class DiceRerolled(Fact[TroyesState]):
    """Own dice rolled again for influence: what they were and are."""

    kind = "rerolled"
    rolled: Rolled
    seat: str
    dice: tuple[str, ...]
    now: tuple[str, ...]

    def apply(self, state: TroyesState) -> None:
        _turn(state, self.seat, self.dice, self.now)


@fixed
class DiceFlipped(Fact[TroyesState]):
    """Own dice turned to their opposite faces for influence."""

    kind = "flipped"
    seat: str
    dice: tuple[str, ...]
    now: tuple[str, ...]

    def apply(self, state: TroyesState) -> None:
        _turn(state, self.seat, self.dice, self.now)


def _turn(state: TroyesState, seat: str, were: tuple[str, ...], now: tuple[str, ...]) -> None:
    district = state.dice[seat]
    for was, is_ in zip(were, now, strict=True):
        district = [*without(district, was), is_]
    _lay(state, seat, dice.tidy(district))


@fixed
class DiceExchanged(Fact[TroyesState]):
    """An own die for one of another district (outdoor tile)."""

    kind = "exchanged"
    seat: str
    owner: str
    gives: str
    takes: str

    def apply(self, state: TroyesState) -> None:
        for owner, loses, gains in ((self.seat, self.gives, self.takes), (self.owner, self.takes, self.gives)):
            _lay(state, owner, dice.tidy([*without(state.dice[owner], loses), gains]))


@fixed
class BlackRolled(Fact[TroyesState]):
    """The black dice, with what is `raised` on each (Chief Outlaw); `seat` counters first."""

    kind = "black"
    rolled: Rolled
    seat: str
    dice: tuple[int, ...]
    raised: int = 0

    def apply(self, state: TroyesState) -> None:
        state.black = sorted(self.dice, reverse=True)


@fixed
class BlackGone(Fact[TroyesState]):
    """Black dice that a seat has beaten or could not beat."""

    kind = "black_gone"
    seat: str
    dice: tuple[int, ...]
    beaten: bool

    def apply(self, state: TroyesState) -> None:
        state.black = without(state.black, *self.dice)


@fixed
class ArrowShot(Fact[TroyesState]):
    """A roll of the Archer, and the event it was meant for."""

    kind = "shot"
    rolled: Rolled
    seat: str
    hit: bool
    target: str = ""


@fixed
class FateRolled(Fact[TroyesState]):
    """A die that an event throws."""

    kind = "fate"
    rolled: Rolled
    event: str


@fixed
class KingActs(Fact[TroyesState]):
    """Solo: le Roy's roll, the action it makes him do, and the dice he settles with."""

    kind = "acts"
    rolled: Rolled
    action: str
    dice: tuple[str, ...] = ()
