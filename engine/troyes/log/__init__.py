"""Entries as sentences: one for each thing that happened, in order, for one reader.

`tell` never looks at where things lie now: news are told long after, when the position has moved on. It uses names,
printed facts and what the entries themselves hold. `summary` says in a few words, for a commit, what a seat did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.chronicle import Entry
from engine.game import Line
from engine.troyes.log import happenings, king, ladies, orders
from engine.troyes.log.groups import Matter, grouped
from engine.troyes.log.happenings import part_name
from engine.troyes.log.phrases import Told, Voice
from engine.troyes.log.summary import summary
from engine.troyes.state.state import LE_ROY, TroyesState

__all__ = ["TOLD", "UNTOLD", "WITHIN", "part_name", "summary", "tell"]


def _order(voice: Voice, group: Matter) -> Iterator[Told]:
    yield king.tell(voice, group) if group.head.data["seat"] == LE_ROY else orders.tell(voice, group)


TOLD: dict[str, Callable[[Voice, Matter], Iterator[Told]]] = {
    "begins": happenings.begins,
    "order": _order,
    "resolves": happenings.resolves,
    "round": happenings.round_,
    "phase": happenings.phase,
    "activity": happenings.activity,
    "threat": happenings.threat,
    "black": happenings.black,
    "starts": happenings.starts,
    "scored": happenings.scored,
    "over": happenings.over,
    "edited": happenings.edited,
    "neutrals": happenings.neutrals,
    "waits": happenings.waits,
    "sealed": ladies.sealed,
    "unsealed": ladies.unsealed,
    "standing": ladies.standing,
}
"""Kind of group to what tells it: kinds of entries that head one, and two kinds found by what stands in them."""

WITHIN = frozenset(
    {"pays", "influence", "points", "collects", "passes"}
    | {"rolled", "leaves", "rerolled", "flipped", "shot", "fate", "black_gone"}
    | {"recruited", "moves", "wishes"}
    | {"cubes", "builds", "falls", "banner", "banner_off", "countered"}
    | {"acts", "judged"}
    | {"tile", "exchanged", "guard", "arrives", "reseated"}
)
"""Kinds told in the sentence of the heading they stand under."""

UNTOLD = frozenset({"agenda"})
"""Kinds that are nobody's news: what is pending is asked, not told."""


def tell(state: TroyesState, entries: Sequence[Entry], reader: str | None, first: int = 0) -> tuple[Line, ...]:
    """The entries as sentences for `reader` (None: a spectator); `first` is the number of the first entry.

    `state` is any later position of the same game.
    """
    voice = Voice(state, reader)
    lines: list[Line] = []
    sending: list[Matter] = []
    for group in grouped(entries, first):
        if group.kind == "resolves" and happenings.sends_only(group):
            sending.append(group)
            continue
        _send(voice, sending, lines)
        seat = group.head.data.get("seat", "")
        countered = (orders.counter(voice, counter, seat) for counter in group.counters)
        found = (*TOLD[group.kind](voice, group), *countered)
        # Le Roy is no player of the post room: what he does is the game's own doing there.
        lines.extend(Line(told.says, told.mine, group.last, told.seat.replace(LE_ROY, "")) for told in found)
    _send(voice, sending, lines)
    return tuple(lines)


def _send(voice: Voice, sending: list[Matter], lines: list[Line]) -> None:
    """Tell the events that have sent black dice, once the run of them ends."""
    if sending:
        lines.append(Line(happenings.sent(voice, sending).says, end=sending[-1].last))
        sending.clear()
