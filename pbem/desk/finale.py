"""The end of a game in words: for each row of the scores the biggest turn, and what was decided by how much.

The turns are told by the game from its recorded entries, as far as they count in the end; the rest follows from the
scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.catalog import Msg, T
from engine.game import Ending
from pbem.desk.context import Context
from pbem.desk.undo import surviving
from pbem.store.record import Record


def story(context: Context, result: Ending, past: Iterable[Record]) -> tuple[tuple[str, tuple[Msg, ...]], ...]:
    """(row, sentences) from all records of the game, the highest total first."""
    entries = [entry for piece in surviving(past) for entry in piece.entries]
    turns = context.game.story(context.state, entries)
    called: dict[str, Msg | str] = {**result.names, **{str(seat): name for seat, name in context.names().items()}}
    ranked = sorted(result.totals, key=lambda row: -result.totals[row])
    found = []
    for row in ranked:
        told = tuple(one for one in (turns.get(row), decided(result, row, called)) if one is not None)
        found.append((str(row), told))
    return tuple(row for row in found if row[1])


def decided(result: Ending, row: str, called: Mapping[str, Msg | str]) -> Msg | None:
    """Against whom a row stands first or behind, by how much, and in which component most of it lies; None alone."""
    totals: dict[str, int] = {str(one): total for one, total in result.totals.items()}
    others = [one for one in totals if one != row]
    if not others:
        return None
    # Who is not first is held against the first, and who is against the next.
    rival = max(others, key=lambda one: totals[one])
    gap = totals[row] - totals[rival]
    if not gap:
        return T("Level with {who}.", who=called[rival])
    mine, theirs = ({str(one): part for one, part in result.scores.items()}[one] for one in (row, rival))
    sign = 1 if gap > 0 else -1
    part = max(dict.fromkeys([*mine, *theirs]), key=lambda part: sign * (mine.get(part, 0) - theirs.get(part, 0)))
    given = {"who": called[rival], "gap": abs(gap), "part": result.names.get(part, part)}
    one, other = mine.get(part, 0), theirs.get(part, 0)
    if gap > 0:
        return T("{gap} VP ahead of {who}, above all by {part}: {one} against {other}.", **given, one=one, other=other)
    return T("{gap} VP behind {who}, above all by {part}: {one} against {other}.", **given, one=one, other=other)
