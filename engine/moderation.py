"""What a post room needs of a game beyond playing it: to take orders back, to try them, and to put a state right.

A game offers it as `Game.moderation`. Changes are entries, so that a repaired state is still what its entries fold to.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Protocol, TypeVar

from engine.chronicle import Entry

S = TypeVar("S")


class Moderation(Protocol[S]):
    """Repairs, ways back and blanks, for the states of one game.

    Methods with a body do for a game in which nothing is hidden and no one plans, and whose states have a `number`.
    """

    def renumber(self, state: S, number: int) -> S:
        """The same position whose open decisions carry a number above `number`, and so all later ones.

        Used when orders are taken back: no token that was given out for the orders taken back fits again.
        """
        changed: Any = deepcopy(state)
        changed.number = max(changed.number, number) + 1
        found: S = changed
        return found

    def redacted(self, state: S, seat: str | None = None) -> S:
        """The same position with every secret replaced by an equal-sized blank, for trials and tools that may not look.

        `seat` keeps its own sealed answer, so that it can try what follows on it; what it keeps tells of nobody else.
        `apply` on it raises `engine.chance.Unknown`, with the entries up to there, where it would need a secret.
        """
        return deepcopy(state)

    def violations(self, state: S) -> tuple[str, ...]:
        """Which invariants the position breaks (citizens, cubes, decks, limits), in words; empty when it is sound."""
        return ()

    def settable(self, state: S) -> Mapping[str, Any]:
        """Every single public value that a moderator may put right alone, by its path (engine.editing).

        `anna.name` is what a seat is called, where the game keeps names.
        """

    def change(self, state: S, path: str, value: Any, reason: str = "") -> Entry:
        """The entry of kind `edited` that puts `value` at a path of `dump`'s tables. Raises NotAllowed.

        `engine.editing.NOTHING` takes the value away. Of a path in the secret tables the entry shows the path alone.
        Folding it changes nothing else: whether the position then keeps the invariants is for `violations` to say.
        """

    def without_plans(self, state: S) -> tuple[Entry, ...]:
        """The entries that cancel all private plans and preferences, as a position that was gone back to needs.

        Which there are depends on public facts only, so that nobody can tell who had made plans.
        """
        return ()

    def gone_with(self, before: S, after: S) -> tuple[Entry, ...]:
        """The entries that follow on `after`, to which `before` goes back because a seat takes its orders back: they
        tell each seat that loses a standing order by it. As many whoever has one, so that nobody can tell."""
        return ()
