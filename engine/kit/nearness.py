"""Which of many orders is nearest to what somebody wrote: words put right, and the likest orders tried.

All work is bounded by counts, never by time, so that the same line is always answered alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from heapq import nsmallest
from itertools import islice, product, takewhile
from operator import itemgetter
from typing import TypeVar

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
JUDGED, RIVAL = 60, 0.25
"""Orders that are tried at most, the likest first; and how like each must be, beside the likest of them."""

_MARKS = ",;:.!?«»\"'()[]"

_LONG, _LETTERS = re.compile(r"[^\W\d_]{3,}"), 4
"""Words in which a slip can be told, where they stand alone; and the letters that one among others must have."""
_FEW, _SLIPPED = 2, 0.74
"""How many of them there may be, and how alike one must be to a word of a position to be taken for it."""


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


def right(line: str, is_known: Callable[[str], bool], here: Callable[[], Collection[str]]) -> str:
    """The line with each word that is not known turned into the one, of `here`, that it is likely a slip of; as it is
    where these are more than a few: prose is not mistyped."""
    words = [found for found in _LONG.finditer(line) if len(found[0]) >= _LETTERS or found[0] == line]
    strange = [found for found in words if not is_known(kebab(found[0]))]
    for found in reversed(strange if len(strange) <= _FEW else []):
        meant = next(iter(near(found[0], here(), 1, _SLIPPED)), found[0])
        line = line[: found.start()] + meant + line[found.end() :]
    return line


def likest(orders: Iterable[O], like: Callable[[O], float], plays: Callable[[O], bool]) -> Iterator[O]:
    """The legal ones of some orders, the likest first; of equally like ones the first, so that the better ones may come
    first. None that has nothing in common with what is wanted, or much less than the likest."""
    rows = [(-like(order), nth, order) for nth, order in enumerate(orders)]
    enough = 0.0
    for less, _, order in nsmallest(JUDGED, rows, key=itemgetter(0, 1)):
        if -less <= enough:
            return
        if plays(order):
            enough = max(enough, -less * RIVAL)
            yield order


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
