"""Fold the news since the last mail, so that a long absence can be read on a phone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby

from engine.catalog import Msg, T
from engine.game import Line

NEWS_SHOWN = 40
"""Lines of news shown in full; older ones are counted."""

NEWS_APART = 12
"""With more lines than this, successive actions of a seat form one paragraph."""


@dataclass(frozen=True, slots=True)
class NewsParagraph:
    """One paragraph of news: sentences about one seat; `more` counts older lines, which `history` tells."""

    says: tuple[Msg, ...]
    mine: bool = False
    seat: str = ""
    more: int = 0


NEWS_ABOVE = 6
"""Paragraphs above the question; older ones that do not touch the reader go below it."""


@dataclass(frozen=True, slots=True)
class News:
    """The news above and below the question."""

    above: tuple[NewsParagraph, ...]
    below: tuple[NewsParagraph, ...] = ()

    @classmethod
    def of(cls, folds: tuple[NewsParagraph, ...]) -> News:
        """Place the last paragraphs and the reader's own above, and merge equal neighbours."""
        above = [fold.mine or n > len(folds) - NEWS_ABOVE for n, fold in enumerate(folds, 1)]
        below = (fold for fold, up in zip(folds, above, strict=True) if not up)
        return cls(_once(compress(folds, above)), _once(below))


def fold_news(news: Sequence[Line]) -> tuple[NewsParagraph, ...]:
    """The news as paragraphs, in order. Lines that touch the reader are always kept.

    Up to 12 lines stand alone; of more, successive actions of a seat form a paragraph. Of more than 40, only the last
    40 and the reader's own are shown, and the others counted.
    """
    older, newest = news[:-NEWS_SHOWN], news[-NEWS_SHOWN:]
    touching = [line for line in older if line.mine]
    left = len(older) - len(touching)
    paragraphs = [NewsParagraph((), more=left)] if left else []
    for line in (*touching, *newest):
        before = paragraphs[-1] if paragraphs and len(news) > NEWS_APART else None
        if before and before.says and line.seat and (line.seat, line.mine) == (before.seat, before.mine):
            paragraphs[-1] = replace(before, says=(*before.says, line.says))
        else:
            paragraphs.append(NewsParagraph((line.says,), line.mine, line.seat))
    return tuple(paragraphs)


def _once(folds: Iterable[NewsParagraph]) -> tuple[NewsParagraph, ...]:
    """Merge equal neighbours into one sentence with its number."""
    found: list[NewsParagraph] = []
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
