"""What a line names of an order, without being understood: a bag of verbs, cards, events, places, dice and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.troyes.state.picks import Pick


@dataclass(frozen=True, slots=True)
class DieWish:
    """One die as it is called: `letter` is empty and `value` 0 where they are not said, `owner` where nobody is."""

    letter: str = ""
    value: int = 0
    owner: str = ""

    def is_so(self, word: str) -> bool:
        """Whether a die, `Y5`, is called so."""
        return self.letter in ("", word[0]) and self.value in (0, int(word[1:]))

    def likes(self, pick: Pick, seat: str, has: bool) -> float:
        """How likely a die is meant, from 0 to 1; `has`: the seat has such a die of its own."""
        share = 1.0
        if self.letter and pick.die[0] != self.letter:
            return 0.0
        if self.value and int(pick.die[1:]) != self.value:
            share = 0.2
        if self.owner:
            return share if pick.owner == self.owner else share * 0.25
        if pick.owner == seat:
            return share
        return share * (0.3 if has else 0.8)


@dataclass(slots=True)
class Bag:
    """What a line names. Weights are from 0 to 1: how surely it is named; below 0 where it is denied."""

    verbs: dict[str, float] = field(default_factory=dict)
    ids: dict[str, float] = field(default_factory=dict)
    """Cards, events and tiles."""
    used: set[str] = field(default_factory=set)
    """Those of which it is said that they are used."""
    places: list[str] = field(default_factory=list)
    dice: list[DieWish] = field(default_factory=list)
    every: list[DieWish] = field(default_factory=list)
    """Colours that are told for all dice of somebody's that show them; these stand in `dice`."""
    unwanted: list[DieWish] = field(default_factory=list)
    owners: set[str] = field(default_factory=set)
    numbers: list[int] = field(default_factory=list)
    """Those that are neither a die's nor a price."""
    levels: list[int] = field(default_factory=list)
    """Of outdoor tiles."""
    flags: set[str] = field(default_factory=set)
    """What the small words do, by the tables of the order language."""
    pips: list[int] = field(default_factory=list)
    """What is added to a die."""
    recruits: bool = False
    """Whether citizens are counted, or more of them wanted."""
    counts_as: str = ""
    """The colour that a die is said to count as."""

    def verb(self, word: str, weight: float) -> None:
        """A verb is named, more or less surely."""
        self.verbs[word] = max(self.verbs.get(word, 0.0), weight, key=abs)

    @property
    def weight(self) -> float:
        """How much of an order it names at all."""
        return self.aims + sum(1.0 if die.value else 0.5 for die in self.dice)

    @property
    def aims(self) -> float:
        """The same without its dice."""
        goals = max((abs(weight) for weight in self.ids.values()), default=0.0)
        verbs = max((abs(weight) for weight in self.verbs.values()), default=0.0)
        spots = 1.0 if any(" " in place or "." in place for place in self.places) else 0.5 * bool(self.places)
        return goals + verbs + spots + bool(self.levels)
