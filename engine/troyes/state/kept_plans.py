"""What is kept of a standing order until it fires: what its owner was told, and in which position it was given."""

from __future__ import annotations

from dataclasses import field

from engine.kit.codec import OPTIONAL
from engine.troyes.state.orders import AutoCounter, AutoPass, Counter, Kept, Later
from engine.values import fixed

KINDS: dict[type, str] = {Later: "later", AutoPass: "pass", AutoCounter: "counter"}
"""Standing orders to their kind. A seat has one of a kind, and the first here fires first."""


@fixed
class Promise:
    """What an order was to bring its owner, net, when it was given; `does` is a hash of all else that it does."""

    does: str
    deniers: int = field(default=0, metadata=OPTIONAL)
    influence: int = field(default=0, metadata=OPTIONAL)
    vp: int = field(default=0, metadata=OPTIONAL)
    shows: bool = field(default=False, metadata=OPTIONAL)
    """Whether it ends at a roll or a hidden card."""

    def less_than(self, told: Promise) -> bool:
        """Whether it brings less of anything than was promised."""
        return self.deniers < told.deniers or self.influence < told.influence or self.vp < told.vp


CANCELLED = "surprised"
"""It was cancelled. It is kept until its owner has answered, because the cause may be taken back."""
SILENT = "silent"
"""It holds, but another one of the same owner was cancelled. It fires only after the owner has answered."""


@fixed
class StandingPlan:
    """A standing order that is kept.

    `dice` are those that passing leaves. There is one promise for each order of `later`. The orders are kept as they
    were written, and filled in when they fire.
    """

    order: Kept
    round: int
    dice: tuple[str, ...] = field(default=(), metadata=OPTIONAL)
    promises: tuple[Promise, ...] = field(default=(), metadata=OPTIONAL)
    off: str = field(default="", metadata=OPTIONAL)
    """Why it does not fire: `CANCELLED` or `SILENT`."""

    @property
    def kind(self) -> str:
        """Its kind: `later`, `pass` or `counter`."""
        return KINDS[type(self.order)]

    @property
    def always(self) -> bool:
        """Whether it holds beyond the round in which it was given."""
        return not isinstance(self.order, Later) and self.order.always

    @property
    def answers(self) -> str:
        """The kind of decision that a `later` answers: black dice (`counter`) or a `turn`."""
        return "counter" if isinstance(self.order, Later) and isinstance(self.order.orders[0], Counter) else "turn"

    def lasts(self, round_: int) -> bool:
        """Whether it was given for this round, or for all."""
        return self.always or self.round == round_

    def holds(self, round_: int, passed: bool) -> bool:
        """Whether it still holds in this round. A seat that has `passed` is asked nothing more."""
        return self.off != CANCELLED and (self.always or (self.round == round_ and not passed))


@fixed
class Cancellation:
    """Why a standing order was cancelled: `other`, `none`, `refused`, `differs`, `shows`, `pass`, `dice`, `unbeaten`.

    `nth` is the order of `later`, `then` what it was to do, `now` what it would have done.
    """

    kind: str
    why: str
    nth: int = field(default=0, metadata=OPTIONAL)
    then: Promise | None = field(default=None, metadata=OPTIONAL)
    now: Promise | None = field(default=None, metadata=OPTIONAL)
