"""What is kept of a standing order until it fires: what its owner was told of it, and what it was given against."""

from __future__ import annotations

from dataclasses import field

from engine.kit.plain import OPTIONAL
from engine.troyes.state.orders import AutoCounter, AutoPass, Counter, Kept, Later
from engine.values import fixed

KINDS: dict[type, str] = {Later: "later", AutoPass: "pass", AutoCounter: "counter"}
"""Standing orders to what their kind is called. A seat has one of a kind; the first here is the first to fire."""


@fixed
class Promise:
    """What an order was to bring its owner, net, when it was given. `does` is a mark of all else that it does: with
    which dice, cards, spaces and persons."""

    does: str
    deniers: int = field(default=0, metadata=OPTIONAL)
    influence: int = field(default=0, metadata=OPTIONAL)
    vp: int = field(default=0, metadata=OPTIONAL)
    shows: bool = field(default=False, metadata=OPTIONAL)
    """Whether it ends at what nobody knows before."""

    def less_than(self, told: Promise) -> bool:
        """Whether it brings less of anything than was told."""
        return self.deniers < told.deniers or self.influence < told.influence or self.vp < told.vp


CANCELLED = "surprised"
"""Cancelled; kept until its owner has answered, as whoever surprised it may take that back."""
SILENT = "silent"
"""It holds, but another one of its owner's was surprised: it fires no sooner than he has answered himself."""


@fixed
class StandingPlan:
    """A standing order that is kept. `dice` are those that passing leaves; one promise for each order of `later`, which
    are kept as they were written: what was not said of them is filled in when they fire."""

    order: Kept
    round: int
    dice: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    promises: tuple[Promise, ...] = field(default=(), metadata=OPTIONAL)
    off: str = field(default="", metadata=OPTIONAL)
    """Why it does not fire: `SURPRISED` or `SILENT`."""

    @property
    def kind(self) -> str:
        """What its kind is called."""
        return KINDS[type(self.order)]

    @property
    def always(self) -> bool:
        """Whether it holds longer than the round it was given in."""
        return not isinstance(self.order, Later) and self.order.always

    @property
    def answers(self) -> str:
        """The kind of decision that a `later` answers: black dice (`counter`) or a `turn`."""
        return "counter" if isinstance(self.order, Later) and isinstance(self.order.orders[0], Counter) else "turn"

    def lasts(self, round_: int) -> bool:
        """Whether it was given for a round, or for all."""
        return self.always or self.round == round_

    def holds(self, round_: int, passed: bool) -> bool:
        """Whether it still holds in a round, in which its owner, who has `passed`, is asked nothing more."""
        return self.off != CANCELLED and (self.always or (self.round == round_ and not passed))


@fixed
class Cancellation:
    """Why a standing order was cancelled instead of fired: `why` is `other`, `none`, `refused`, `differs`, `shows`,
    `pass`, `dice` or `unbeaten`.

    `nth` is which order of `later`, `then` what it was to do, `now` what it would have done.
    """

    kind: str
    why: str
    nth: int = field(default=0, metadata=OPTIONAL)
    then: Promise | None = field(default=None, metadata=OPTIONAL)
    now: Promise | None = field(default=None, metadata=OPTIONAL)
