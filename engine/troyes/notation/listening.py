"""The dice of a line and whose they are, and what its numbers count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.troyes.board import declared
from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.saying import NamedCube, NamedDie, Saying, Unplaced
from engine.troyes.state.state import TroyesState

_BETWEEN = ("die", "district")
"""What may stand between an owner and a die."""
UNITS = {"cubes": "cubes", "times": "times"}


class Listening:
    """A line that is passed once, as far as it is of dice and numbers."""

    def __init__(
        self, state: TroyesState, seat: str, asked: str, tokens: Sequence[Wordlet], *, behind: bool = False
    ) -> None:
        self.state = state
        self.seat = seat
        self.asked = asked
        self.tokens = tokens
        self.behind = behind
        """Whether an owner between two dice is the first one's: «W4 gray W6» can be said of either."""
        self.either = False
        """Whether there was such an owner."""
        self.at = 0
        self.said = Saying()
        self.before = ""
        """The small word that counts: with, from, on, using, for, as."""
        self.run = 0
        self.glued = ""
        """What the last word was: a die, a source of an owner, a cube."""
        self.owner = ""
        """Whose the next die is."""
        self.column = self.buying = self.swapping = self.advancing = False
        self.in_part = False
        """Whether something is only named in part."""

    def _next(self, ahead: int = 0) -> Wordlet:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Wordlet("")

    def _once(self, slot: str, value: Any) -> None:
        """Say a thing that can be said once."""
        if getattr(self.said, slot):
            raise Unplaced
        setattr(self.said, slot, value)

    def _lead(self, before: str) -> None:
        """A small word begins a part; after a die or a cube it may belong to that."""
        self.glued = f"{self.glued} from" if before == "from" and self.glued in ("die", "cube") else ""
        self.before = before
        if not self.glued:
            self.run += 1

    # Dice and their owners.

    def _die_follows(self) -> bool:
        """Whether the next word that says something is a die, or a number that can be one."""
        ahead = 0
        while (token := self._next(ahead)).of("noise") or token.of("role") in _BETWEEN or token.of("mark") == "owns":
            ahead += 1
        return bool(token.of("die")) or (1 <= token.of("number", 0) <= 6 and not self._unit(ahead + 1))

    def _unit(self, ahead: int = 0) -> bool:
        token = self._next(ahead)
        return token.of("clause") in UNITS or token.of("role") in ("citizen", "steps", "black")

    def _owner(self, owner: str) -> None:
        follows, last = self._die_follows(), self.said.dice[-1] if self.glued.startswith("die") else None
        between = self._is_between(last)
        self.either = self.either or between
        if last is not None and (self.glued == "die from" or not follows or (between and self.behind)):
            if last.owner:
                raise Unplaced
            adjective, last.owner = self.glued == "die", owner
            self.glued = "owned"
            if between:
                self.run += 1
            elif not (adjective and last.alone):
                self._share(owner, last.run)
        elif self.owner:
            raise Unplaced
        elif follows:
            self.owner = owner
            self.glued = ""
        else:
            self.said.seats.append(owner)
            self.glued = ""

    def _is_between(self, last: NamedDie | None) -> bool:
        """Whether an owner stands between two dice, and each of them may be his."""
        die = self._next().of("die")
        return last is not None and not last.owner and bool(die) and die != f"{last.letter}{last.value}"

    def _share(self, owner: str, run: int) -> None:
        for die in self.said.dice:
            if die.run == run and not die.owner:
                die.shared = owner

    def _die(self, die: NamedDie) -> None:
        said = self.said
        last = said.used[-1] if said.used else None
        if self.owner and die.owner:
            raise Unplaced
        if self.owner:
            die.owner, self.owner = self.owner, ""
        elif die.run == self.run and said.dice and said.dice[-1].run == self.run:
            named = [other.owner for other in said.dice if other.run == self.run and other.owner]
            die.shared = next((owner for owner in named if owner != self.seat), "")
        die.bought, self.buying = self.buying, False
        if self.swapping and last is not None:
            last.swaps[-1] = (last.swaps[-1][0], die)
            self.swapping = False
            said.dice.append(die)  # so that an owner behind it finds it; taken out when the line is written
        elif self.before == "on" and last is not None and last.die is None and self._asks_a_die(last):
            last.die = die
            said.dice.append(die)
        else:
            said.dice.append(die)
        self.glued = "die"

    def _asks_a_die(self, cube: NamedCube) -> bool:
        if cube.kind == "outdoor":
            return cube.ids == ("flip_bought_die",)
        return all(declared.of(id).names for id in cube.ids)

    # Numbers.

    def _number(self, number: int) -> None:
        said, unit = self.said, self._next()
        if self.column:
            said.columns.append(number)
            self.column = False
        elif unit.of("clause") in UNITS:
            self.at += 1
            self._once(UNITS[unit.of("clause")], number)
            self.glued = "cube" if unit.of("clause") == "cubes" else ""
        elif unit.of("role") == "citizen":
            self._once("citizens", 0 if number == 1 else number)
        elif unit.of("clause") in ("influence", "vp"):
            self.at += 1
            said.gains += [unit.of("clause")] * number
        elif self.advancing or unit.of("role") == "steps":
            self.advancing, self.glued = False, ""
            self._once("advance", number)
        elif self._counts_black() or self.before == "on" or said.verb in ("recruit", "settle"):
            said.numbers.append(number)
        elif (self.owner or self.before == "with") and 1 <= number <= 6:
            self._die(NamedDie("", number, self.run))
        else:
            said.numbers.append(number)

    def _counts_black(self) -> bool:
        return self.asked == "counter" and self.said.verb in ("", "counter", "use", "fight") and not self.owner
