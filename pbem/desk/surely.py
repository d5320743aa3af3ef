"""How surely a line is a directive (`pbem.reading.directive`), with what bars it, at a table."""

from __future__ import annotations

import re
from typing import NamedTuple

from pbem.desk.request import Request
from pbem.desk.weighing import marked_words
from pbem.reading import directive
from pbem.reading.apart import Around
from pbem.reading.bars import every_bar, people_of
from pbem.reading.phrases import words_of
from pbem.reading.wants import Sentence

_BESIDE = directive.BESIDE | directive.WAVERING
_CLAUSES = re.compile(r"[.,;:!?()–—]+(?:\s+|$)|\s-\s")


class Surely(NamedTuple):
    """How surely a line is one, as a logit, and the kinds of what bars it; `turned`: what bars it may be said of what
    it names."""

    logit: float
    barred: frozenset[str]
    turned: bool

    @classmethod
    def of(cls, request: Request, line: str, said: str, around: Around) -> Surely:
        """Of a line, of which only something is `said` of the order."""
        sentence, barred = Sentence.of(line), frozenset(every_bar(said, around.names))
        logit = directive.directive(marked_words(request, sentence), sentence.raw, barred)
        turned = _heads(said, around) or any(_turns(clause, around) for clause in _CLAUSES.split(said))
        return cls(logit, barred, turned)

    @property
    def is_clear(self) -> bool:
        """Whether nothing bars it, and it may be one."""
        return not self.barred and self.logit >= directive.HARDLY

    @property
    def is_enough(self) -> bool:
        """Whether it is one surely enough for what it most likely means."""
        return self.logit >= directive.LEAST and not self.turned and self.barred <= _BESIDE

    @property
    def says(self) -> dict[str, float]:
        """What speaks for an order in it, and what against any."""
        return {"directive": self.logit, **{f"barred by {kind}": 1.0 for kind in self.barred}}


def _heads(said: str, around: Around) -> bool:
    """Whether what stands before a colon bars what stands behind it: «last time: pass»."""
    head, colon, _ = said.partition(":")
    return bool(colon) and not {"others"}.issuperset(every_bar(head, around.names))


def _turns(clause: str, around: Around) -> bool:
    """Whether what bars a clause may be said of an order: it names something, or wavers in a word or two."""
    barred = frozenset(every_bar(clause, around.names))
    words = [word for word, _, _ in words_of(clause)]
    if barred & directive.WAVERING and len(words) < directive.LONG:
        return True
    if not barred and directive.LEAVING.isdisjoint(words):
        return False
    people = people_of(around.names)
    return not around.names_nothing([word for word in words if word not in people])
