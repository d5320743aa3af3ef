"""Which of many orders is nearest to what somebody wrote: words put right, and orders compared part by part.

All work is bounded by counts, never by time, so that the same line is always answered alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice, product, takewhile
from typing import Generic, TypeVar

from engine.chance import Blind, Chance, Unknown
from engine.errors import OrderRefused
from engine.kit.words import folded, kebab, near, within

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - an order

MOST = 3
"""Orders that are suggested at most."""
WRONG, SPELLINGS, READ = 5, 5, 24
"""Unknown words of a line that may be slips; words looked at for each of them; lines read with words put right."""
SENTENCE, STRANGE = 8, 3
"""Words of a line that is a sentence, and those of them that mean nothing, where it names no die: it is talk."""
COMPARED, JUDGED = 600, 60
"""Orders compared with a line; those of them that are tried, the nearest first."""

COMMON, RIVAL = 1.0, 0.6
"""What a line and an order must share, by weight, for the order to be suggested: a name or a die, or most of one;
and how much, of what the best of them shares with it."""

_MARKS = ",;:.!?«»\"'()[]"
_NEARLY = 0.7
"""How alike two words must be to be taken for one."""

Weight = tuple[float, float]
"""What a part counts for an order where the line holds it, and against it where the line does not."""

Parts = Sequence[str]
"""A line taken apart by its game: verb, names, dice, numbers, each as one word, the same in every language."""


def is_talk(line: str, is_known: Callable[[str], bool], is_die: Callable[[str], bool]) -> bool:
    """Whether a line is talk beyond doubt, so that no order is looked for: it names no die, not even by its colour, and
    more of its words mean nothing than could be slips, or several in a whole sentence."""
    words = [word for core in line.split() if (word := kebab(core.strip(_MARKS)))]
    strange = sum(not is_known(word) for word in words)
    talks = strange > WRONG or (strange >= STRANGE and len(words) >= SENTENCE)
    return talks and not any(map(is_die, words))


def respelled(line: str, is_known: Callable[[str], bool], here: Collection[str]) -> Iterator[str]:
    """The line with its unknown words put right, the likeliest first; nothing where every word is known.

    `here` are the words that mean something in the position.
    """
    words = line.split()
    cores = [word.strip(_MARKS) for word in words]
    # What nothing is left of, such as a dash, is no word.
    wrong = [at for at, core in enumerate(cores) if (word := kebab(core)) and not is_known(word)]
    if not 0 < len(wrong) <= WRONG:
        return
    ways = list(takewhile(bool, (_spellings(cores[at], here) for at in wrong)))
    if len(ways) < len(wrong):
        return
    for chosen in islice(product(*ways), READ):
        fresh = list(words)
        for at, word in zip(wrong, chosen, strict=True):
            fresh[at] = words[at].replace(cores[at], word, 1)
        yield " ".join(fresh)


def _spellings(word: str, here: Collection[str]) -> tuple[str, ...]:
    """The words that may have been meant; a short one, such as a die, by one slip."""
    if len(word) > 3:
        return near(word, here, SPELLINGS)
    wanted = folded(word)
    return tuple(islice((one for one in sorted(here) if len(one) < 4 and within(wanted, one, 1)), 2 * SPELLINGS))


def likeness(wish: Parts, order: Parts, weigh: Callable[[str], Weight]) -> tuple[float, float]:
    """How near an order is to a wish, and how much they share; what the order has beside that counts against it."""
    left, rest, shared, beside = list(wish), [], 0.0, 0.0
    for part in order:
        if part in left:
            left.remove(part)
            shared += weigh(part)[0]
        else:
            rest.append(part)
    for part in rest:
        best = max(left, key=lambda one: alike(one, part), default="")
        share = alike(best, part) if best else 0.0
        if share:
            left.remove(best)
        counts, costs = weigh(part)
        shared += counts * share
        beside += costs * (1 - share)
    return shared - beside, shared


@lru_cache(maxsize=1 << 14)
def alike(one: str, other: str) -> float:
    """How likely one part was written for another, from 0 to 1."""
    if any(map(str.isdigit, one + other)):
        # A number is not mistyped for another, but a die elsewhere, or one of the same colour, may do instead.
        if not (one[:-1] and other[:-1]):
            return 0.0
        if one.endswith(other) or other.endswith(one):
            return 0.5
        same = one[:-1] == other[:-1] and one[-1].isdecimal() and other[-1].isdecimal()
        return 0.25 - 0.02 * abs(int(one[-1]) - int(other[-1])) if same else 0.0
    share = SequenceMatcher(None, one, other).ratio()
    return share * share if share >= _NEARLY else 0.0


@lru_cache(maxsize=1 << 12)
def _most(part: str, words: frozenset[str], weigh: Callable[[str], Weight]) -> float:
    """The most that a part of a line can count for any order made of these words; enough where it holds a digit."""
    if any(map(str.isdigit, part)):
        return COMMON
    match, most = SequenceMatcher(None, "", part), 0.0
    for word in words:
        match.set_seq1(word)
        # Bounds that are much cheaper than to compare.
        if match.real_quick_ratio() >= _NEARLY and match.quick_ratio() >= _NEARLY:
            most = max(most, weigh(word)[0] * alike(part, word))
    return most


@dataclass(frozen=True, slots=True)
class Nearness(Generic[O]):
    """What a game says of its orders so that they can be compared with a line."""

    text: Callable[[O], str]
    parts: Callable[[str], Parts]
    weigh: Callable[[str], Weight]
    words: frozenset[str]
    """All that parts of its orders may be, those with a digit aside."""
    plays: Callable[[O], bool]
    """Whether an order is legal now."""

    def nearest(self, line: str, right: Iterable[O], *others: Iterable[O]) -> tuple[O, ...]:
        """The legal orders nearest to a line, at most `MOST`, none of them the line itself.

        Those that are the line put `right` come first; then the likest of the `others`, which come best first. None of
        them is even made where the line has too little of any order, as most talk has, and those after the first kind
        only where nothing was found yet.
        """
        wish, written = self.parts(line), kebab(line)
        found: dict[str, O] = {}

        def take(order: O, text: str) -> bool:
            fits = len(found) < MOST and text not in found and kebab(text) != written and self.plays(order)
            if fits:
                found[text] = order
            return fits

        for order in right:
            take(order, self.text(order))
            if len(found) == MOST:  # what else the line may be is not even read
                break
        if len(found) == MOST or sum(_most(part, self.words, self.weigh) for part in wish) < COMMON:
            return tuple(found.values())
        best = 0.0
        for at, some in enumerate(others):
            if at and found:
                break
            for shared, order, text in self._likest(wish, some):
                if shared >= RIVAL * best and take(order, text):
                    best = max(best, shared)
        return tuple(found.values())

    def _likest(self, wish: Parts, orders: Iterable[O]) -> list[tuple[float, O, str]]:
        """Orders that share enough with a wish, the likest first: what they share, and their texts."""
        scored = []
        for order in islice(orders, COMPARED):
            text = self.text(order)
            like, shared = likeness(wish, self.parts(text), self.weigh)
            if shared >= COMMON:
                scored.append((like, shared, order, text))
        return [row[1:] for row in sorted(scored, key=lambda row: -row[0])[:JUDGED]]


def playable(apply: Callable[[S, str, O, Chance], object], state: S, seat: str, order: O) -> bool:
    """Whether an order is legal now, as far as can be known before it is played: up to what is rolled."""
    try:
        apply(state, seat, order, Blind())
    except OrderRefused:
        return False
    except Unknown:
        return True
    return True


def readings(lines: Iterable[str], read: Callable[[str], O]) -> Iterator[O]:
    """Those of the lines that are orders."""
    for line in lines:
        with suppress(OrderRefused):
            yield read(line)
