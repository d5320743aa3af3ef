"""Where random numbers come from.

A draw is derived from a secret seed and from the *purpose* of the draw, not from the count of draws before it: taking
back an order or choosing another cannot shift anybody's luck. The numbers that came out are recorded as events; the
seed is needed only to check them afterwards.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as numbers
from typing import Protocol

from engine.event_log import LogEntry
from engine.values import fixed


@fixed
class Purpose:
    """What a draw is for: the round (0 before the first), its kind, its seat, and the n-th of that kind."""

    round: int
    kind: str
    seat: str = ""
    n: int = 1

    def __str__(self) -> str:
        return f"{self.round}/{self.kind}/{self.seat or '-'}/{self.n}"

    @classmethod
    def parse(cls, text: str) -> Purpose:
        """Read what `str` wrote. Raises ValueError on anything else."""
        number, kind, seat, n = text.split("/")
        return cls(int(number), kind, "" if seat == "-" else seat, int(n))


@fixed
class Draw:
    """A draw that the rules make: its purpose, how many dice, and their `sides`; 0 sides is a shuffle of `count`
    things."""

    purpose: Purpose
    count: int = 1
    sides: int = 6


class Chance(Protocol):
    """A source of dice and shuffles."""

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        """Return `dice` numbers from 1 to `sides`."""
        ...

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        """Return the numbers 0 to `count` - 1 in a random order: a shuffle."""
        ...


class UnknownDraw(Exception):  # noqa: N818 - not an error: what follows cannot be known before it is played
    """Raised in a trial that comes to a roll or a card face down. `entries` is what was recorded up to there, if known.
    """

    def __init__(self, what: str = "") -> None:
        super().__init__(what)
        self.entries: tuple[LogEntry, ...] = ()


class BlindChance:
    """The chance of trials: it has no numbers, so none can leak."""

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        raise UnknownDraw(str(purpose))

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        raise UnknownDraw(str(purpose))


class FixedRoll:
    """The chance in which every die shows the same number: the mean over all numbers is the worth of one die."""

    def __init__(self, number: int) -> None:
        self._number = number

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        return (min(self._number, sides),) * dice

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        raise UnknownDraw(str(purpose))


class SubStream:
    """A stream of its own within another: its draws never meet those of a stream with another name."""

    def __init__(self, chance: Chance, name: str) -> None:
        self._chance, self._name = chance, name

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        return self._chance.roll(replace(purpose, kind=f"{self._name}-{purpose.kind}"), dice, sides)

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        return self._chance.order(replace(purpose, kind=f"{self._name}-{purpose.kind}"), count)


class SeededChance:
    """Numbers derived by HMAC-SHA-256 from the seed, the players' words, the game, the epoch and the purpose.

    The key is the seed followed by every word in seat order, each with its length, so that no two lists of words give
    the same key. The message is `game/epoch/purpose/block`; each block gives 32 bytes, used from left to right. A byte
    that would favour some faces is skipped (rejection sampling).
    """

    def __init__(self, seed: bytes, words: Sequence[str], game: str, epoch: int = 0) -> None:
        self.key = _hashed("dice", seed, *(word.encode() for word in words)).digest()
        self.prefix = f"{game}/{epoch}/"

    def _bytes(self, purpose: Purpose) -> Iterator[int]:
        for block in numbers():
            yield from hmac.digest(self.key, f"{self.prefix}{purpose!s}/{block}".encode(), "sha256")

    @staticmethod
    def _below(limit: int, source: Iterator[int]) -> int:
        fair = 256 - 256 % limit
        return next(value for value in source if value < fair) % limit

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        source = self._bytes(purpose)
        return tuple([1 + self._below(sides, source) for _ in range(dice)])

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        """Fisher-Yates from the last place down; `count` is at most 256."""
        source = self._bytes(purpose)
        places = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self._below(last + 1, source)
            places[last], places[other] = places[other], places[last]
        return tuple(places)


class ScriptedChance:
    """Numbers given beforehand by kind of draw, for positions and tests; other kinds come from `rest`.

    Raises LookupError when the numbers of a scripted kind have run out.
    """

    def __init__(self, numbers: Mapping[str, Sequence[int]], rest: Chance | None = None) -> None:
        self._left = {kind: list(values) for kind, values in numbers.items()}
        self._rest = rest

    def roll(self, purpose: Purpose, dice: int = 1, sides: int = 6) -> tuple[int, ...]:
        left = self._left.get(purpose.kind)
        if left is None:
            if self._rest is None:
                raise LookupError(f"no number is scripted for {purpose}")
            return self._rest.roll(purpose, dice, sides)
        if len(left) < dice:
            raise LookupError(f"{purpose} needs {dice} numbers, {len(left)} are scripted")
        taken, left[:dice] = tuple(left[:dice]), []
        return taken

    def order(self, purpose: Purpose, count: int) -> tuple[int, ...]:
        """A scripted order is given as `count` numbers from 1, as a person counts."""
        left = self._left.get(purpose.kind)
        if left is not None:
            if sorted(left[:count]) != list(range(1, count + 1)):
                raise LookupError(f"{purpose} needs the numbers 1 to {count} in some order")
            taken, left[:count] = tuple(number - 1 for number in left[:count]), []
            return taken
        return self._rest.order(purpose, count) if self._rest else tuple(range(count))


def commitment(seed: bytes, host_word: str) -> str:
    """Return the hash over the seed and the host's word, hexadecimal: published before any player's word is known.

    Neither can be changed later. The seed has 32 random bytes, so nobody can find the word by trying.
    """
    return _hashed("seed", seed, host_word.encode()).hexdigest()


def words_hash(words: Sequence[str]) -> str:
    """Return a hash over every word, the host's first, then the seats' in order: published once all words are fixed."""
    return _hashed("words", *(word.encode() for word in words)).hexdigest()


def _hashed(purpose: str, *parts: bytes) -> hashlib._Hash:
    """Return SHA-256 of a fixed text and the parts, each after its length, so that no two lists of parts hash alike."""
    found = hashlib.sha256(f"troyes-by-mail {purpose} 1".encode())
    for part in parts:
        found.update(len(part).to_bytes(4, "big") + part)
    return found
