"""How surely a line is a directive (`pbem.reading.directive`), with what bars it, at a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, dropwhile
from typing import NamedTuple

from pbem.desk.request import Request
from pbem.desk.weighing import marked_words
from pbem.reading import directive
from pbem.reading.apart import leaves
from pbem.reading.around import Around
from pbem.reading.bars import begins_with_others, every_bar, people_of, stands_at_edge
from pbem.reading.phrases import words_of
from pbem.reading.wants import Sentence

_BESIDE = directive.BESIDE | directive.WAVERING
_ASKS = frozenset("?¿❓❔")
_CLAUSES = re.compile(r"[.,;:!?()–—]+(?:\s+|$)|\s-\s")


class Surely(NamedTuple):
    """How surely a line is one, as a logit, and the kinds of what bars it; `turned`: the kinds of what bars it and may
    be said of what it names."""

    logit: float
    barred: frozenset[str]
    turned: frozenset[str]

    @classmethod
    def of(cls, request: Request, line: str, said: str, around: Around) -> Surely:
        """Of a line, of which only something is `said` of the order."""
        sentence, barred = Sentence.of(line), frozenset(every_bar(said, around.names))
        logit = directive.directive(marked_words(request, sentence), sentence.raw, barred)
        turned = frozenset(chain(_heads(said, around), *(_turns(one, around, barred) for one in _CLAUSES.split(said))))
        turned |= {"question sign"} if not _ASKS.isdisjoint(said) else set()
        return cls(logit, barred, turned)

    @property
    def is_clear(self) -> bool:
        """Whether nothing bars it, and it may be one."""
        return not self.barred and self.logit >= directive.HARDLY

    @property
    def is_enough(self) -> bool:
        """Whether it is one surely enough for what it most likely means: the more surely the more bars it."""
        if not self.barred <= _BESIDE | directive.AROUND or not self.turned <= directive.AROUND:
            return False
        if self.turned <= directive.WITHIN and self.barred <= _BESIDE:
            return self.logit >= (directive.SURELY if self.turned else directive.LEAST)
        return self.logit >= directive.CERTAINLY

    @property
    def says(self) -> dict[str, float]:
        """What speaks for an order in it, and what against any."""
        return {"directive": self.logit, **{f"barred by {kind}": 1.0 for kind in self.barred}}


def _heads(said: str, around: Around) -> Iterator[str]:
    """What bars what stands before a colon, and so what stands behind it: «last time: pass»."""
    head, colon, _ = said.partition(":")
    if colon and not {"others"}.issuperset(every_bar(head, around.names)):
        yield "heading"


def _turns(clause: str, around: Around, whole: Collection[str]) -> Collection[str]:
    """What bars a clause, and the `whole` line, and may be said of an order, as it names something, or wavers in a word
    or two."""
    words = [word for word, _, _ in words_of(clause)]
    barred = frozenset(every_bar(clause, around.names)).intersection(whole)
    if "others" in barred and _is_of_another(words, around):
        barred |= {"another"}
    people = people_of(around.names)
    if barred and (stands_at_edge(words) or not people.isdisjoint(words[-1:])):
        barred |= {"edge"}
    if len(words) < directive.LONG and (barred & directive.WAVERING or not directive.ALSO.isdisjoint(words[-1:])):
        return barred
    if leaves(words):
        barred |= {"leaving"}
    names = not around.names_nothing([word for word in words if word not in people])
    return barred if barred and names else frozenset()


def _is_of_another(words: Sequence[str], around: Around) -> bool:
    """Whether a clause begins with who does something: «he builds with it», «OK you pass», «Faye builds»."""
    rest = list(dropwhile(directive.JOINING.__contains__, words))
    return bool(rest) and (rest[0] in people_of(around.names) or begins_with_others(rest))
