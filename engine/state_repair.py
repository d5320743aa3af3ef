"""What a post room needs of a game beyond playing it: taking orders back, trying them, and repairing a state.

A game offers it as `Game.moderation`. Changes are log entries, so that a repaired state is still what its entries fold
to.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Protocol, TypeVar

from engine.event_log import LogEntry

S = TypeVar("S")


class StateRepair(Protocol[S]):
    """Repairs, ways back and blanked copies of the states of one game.

    Methods with a body suit a game without secrets or plans, whose states have a `number`.
    """

    def renumber(self, state: S, number: int) -> S:
        """Return the position with decision numbers above `number`, for this decision and all later ones.

        Used when orders are taken back: no token given out for them fits again.
        """
        changed: Any = deepcopy(state)
        changed.number = max(changed.number, number) + 1
        found: S = changed
        return found

    def redacted(self, state: S, seat: str | None = None) -> S:
        """Return the position with every secret replaced by an equal-sized blank, for trials and tools that may not
        look.

        `seat` keeps its own sealed answer, so that it can try what follows from it. `apply` on the result raises
        `engine.chance.UnknownDraw`, with the entries up to there, where it would need a secret.
        """
        return deepcopy(state)

    def violations(self, state: S) -> tuple[str, ...]:
        """List the invariants that the position breaks (citizens, cubes, decks, limits), in words; empty if it is
        sound."""
        return ()

    def settable(self, state: S) -> Mapping[str, Any]:
        """Return every single public value that a moderator may set alone, by its path (engine.data_paths).

        `anna.name` is the name of a seat, where the game keeps names.
        """

    def change(self, state: S, path: str, value: Any, reason: str = "") -> LogEntry:
        """Return the entry of kind `edited` that puts `value` at a path of `dump`'s tables. Raises NotAllowed.

        `engine.data_paths.NOTHING` removes the value. The entry shows only the path if it lies in the secret tables.
        Folding it changes nothing else: `violations` says whether the position is still sound.
        """

    def without_plans(self, state: S) -> tuple[LogEntry, ...]:
        """Return the entries that cancel all private plans and preferences, after a return to an older position.

        They depend on public data only, so that nobody can tell who had made plans.
        """
        return ()

    def gone_with(self, before: S, after: S) -> tuple[LogEntry, ...]:
        """Return the entries that follow on `after` when a seat takes its orders back and the game returns there from
        `before`.

        They tell each seat that loses a standing order by it. Their number is the same whoever has one, so that nobody
        can tell.
        """
        return ()
