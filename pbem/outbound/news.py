"""What happened since the last mail, folded so that a long absence can still be read on a phone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    """The news as a mail shows it: what stands above the question, and what below it."""

    above: tuple[Fold, ...]
    below: tuple[Fold, ...] = ()

    @classmethod
    def of(cls, folds: tuple[Fold, ...]) -> News:
        """The last paragraphs and the reader's own above, in order, and equal neighbours once."""
        above = [fold.mine or n > len(folds) - NEWS_ABOVE for n, fold in enumerate(folds, 1)]
        below = (fold for fold, up in zip(folds, above, strict=True) if not up)
        return cls(_once(compress(folds, above)), _once(below))


def folded(news: Sequence[Line]) -> tuple[Fold, ...]:
    """The news as paragraphs, in order. Nothing that touches the reader is ever folded away.

    Up to 12 lines stand alone. Of more, what one seat did in a row is one paragraph; of more than 40, only the
    last 40 and the reader's own are told, and the older ones are counted in one line.
    """
    older, newest = news[:-NEWS_SHOWN], news[-NEWS_SHOWN:]
    touching = [line for line in older if line.mine]
    left = len(older) - len(touching)
    paragraphs = [Fold((), more=left)] if left else []
    for line in (*touching, *newest):
        before = paragraphs[-1] if paragraphs and len(news) > NEWS_APART else None
        if before and before.says and line.seat and (line.seat, line.mine) == (before.seat, before.mine):
            paragraphs[-1] = replace(before, says=(*before.says, line.says))
        else:
            paragraphs.append(Fold((line.says,), line.mine, line.seat))
    return tuple(paragraphs)


def _once(folds: Iterable[Fold]) -> tuple[Fold, ...]:
    """The same paragraphs, where nothing is told twice in a row: what is told so often has its number."""
    found: list[Fold] = []
    for fold in folds:
        before = found[-1] if found else fold
        if found and len({*before.says, *fold.says}) == 1 and fold == replace(before, says=fold.says):
            found[-1] = replace(before, says=before.says + fold.says)
        else:
            found.append(fold)
    return tuple(replace(fold, says=tuple(_counted(fold.says))) for fold in found)


def _counted(says: Iterable[Msg]) -> Iterator[Msg]:
    for one, equal in groupby(says):
        n = len([*equal])
        yield T("{says} ({n} time)", "{says} ({n} times)", says=one, n=n) if n > 1 else one
