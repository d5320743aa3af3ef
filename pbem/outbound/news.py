"""What happened since the last mail, folded so that a long absence can still be read on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby

from engine.catalog import Msg, T
from engine.game import Line

NEWS_SHOWN = 40
"""Lines of news told in full; of a longer absence the older ones are counted."""

NEWS_APART = 12
"""From more lines than this on, what one seat did in a row stands in one paragraph."""


@dataclass(frozen=True, slots=True)
class Fold:
    """One paragraph of news: sentences of one seat, told together; `more` counts what is left to `history`."""

    says: tuple[Msg, ...]
    mine: bool = False
    seat: str = ""
    more: int = 0


NEWS_ABOVE = 6
"""Paragraphs of news above the question; of more, the older ones that touch nobody stand below it."""


@dataclass(frozen=True, slots=True)
class News:
    """The news as a mail shows it: what stands above the question, what below it, and whether some is only counted."""

    above: tuple[Fold, ...]
    below: tuple[Fold, ...] = ()
    counted: bool = False

    @classmethod
    def of(cls, folds: tuple[Fold, ...]) -> News:
        """The last paragraphs and the reader's own above, in the order in which things happened."""
        above = [fold.mine or n > len(folds) - NEWS_ABOVE for n, fold in enumerate(folds, 1)]
        below = tuple(fold for fold, up in zip(folds, above, strict=True) if not up)
        return cls(tuple(compress(folds, above)), below, any(fold.more for fold in folds))


def folded(news: Sequence[Line]) -> tuple[Fold, ...]:
    """The news as paragraphs, in order. Nothing that touches the reader is ever folded away.

    Up to 12 lines stand alone. Of more, what one seat did in a row is one paragraph; of more than 40, only the
    last 40 and the reader's own are told, and the older ones are counted in one line. Equal neighbours are told once.
    """
    older, newest = news[:-NEWS_SHOWN], news[-NEWS_SHOWN:]
    touching = [line for line in older if line.mine]
    left = len(older) - len(touching)
    paragraphs = [Fold((), more=left)] if left else []
    for (says, mine, seat), equal in groupby((*touching, *newest), lambda line: (line.says, line.mine, line.seat)):
        times = len(tuple(equal))
        once = T("{says} ({n} time)", "{says} ({n} times)", says=says, n=times) if times > 1 else says
        before = paragraphs[-1] if paragraphs and len(news) > NEWS_APART else None
        if before and before.says and seat and (seat, mine) == (before.seat, before.mine):
            paragraphs[-1] = replace(before, says=(*before.says, once))
        else:
            paragraphs.append(Fold((once,), mine, seat))
    return tuple(paragraphs)
