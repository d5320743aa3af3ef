"""Replay a game record by record and step by step; a step covers one sentence of the news.

Positions between commits are rebuilt from the entries, without rules and dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import PositionError
from engine.event_log import LogEntry
from engine.game import Seat
from pbem.desk.commands.game_news import action_sentence
from pbem.desk.core.undo import ACTION_SENTENCE, BACK, NUMBERED, UNDO, replay_records, undo_of, undone_records
from pbem.export.audience import Audience
from pbem.export.game_source import GameSource
from pbem.store.commit_record import Record

SILENT_RECORDS = frozenset({"letter", "join", "resend", "reminder", "late"})
"""Records that say nothing but their entries."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """Some entries of a record, their sentences for each reader (None: the table), and the position after them."""

    first: int
    entries: tuple[LogEntry, ...]
    lines: Mapping[str | None, tuple[Msg | str, ...]]
    state: Any
    seat: str = ""
    """The seat that acted; empty for the game itself."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One record and its steps. `undone`: it was taken back later."""

    record: Record
    steps: tuple[ReplayStep, ...]
    undone: bool = False


def replay_chapters(source: GameSource, sight: Audience) -> tuple[Chapter, ...]:
    """Everything that happened, as far as the reader may see it. Raises PositionError if the records do not fit.

    Orders that their player took back are in the full view only: nobody else may have seen them.
    """
    chapters = tuple(_walk(source, sight))
    state = chapters[-1].steps[-1].state if chapters else None
    if state is not None and source.game.dump(state)[0] != source.stored.game:
        raise PositionError(
            f"the records of {source.stored.table.game} do not fold to its position; `pbem fsck` says more, "
            "and nothing was exported"
        )
    return tuple(chapter for chapter in chapters if sight.full or _speaks(source, chapter, sight))


def is_plain_record(record: Record) -> bool:
    """Whether a record changes the position by its entries only."""
    return not {UNDO, BACK, NUMBERED} & record.also.keys()


def _walk(source: GameSource, sight: Audience) -> Iterator[Chapter]:
    game, count, state, last = source.game, 0, None, source.state()
    kept, gone = _kept(source.records), undone_records(source.records)
    for at, record in enumerate(source.records):
        entries = record.entries if sight.full else record.entries[: max(0, kept[at] - count)]
        count += len(record.entries)
        if record.entries and not entries:
            continue
        if not is_plain_record(record):
            also = {key: value for key, value in record.also.items() if key != NUMBERED}
            bare = replace(record, entries=(), also=also)
            state = replay_records(game, [*source.records[:at], bare])
        says = None if _unheard(source, sight, at) else _aside(source, record)
        steps = list(_steps(source, sight, record, entries, says, state, last))
        if NUMBERED in record.also:
            steps[-1] = replace(steps[-1], state=replay_records(game, source.records[: at + 1]))
        yield Chapter(record, tuple(steps), record.number in gone)
        state = steps[-1].state


def _kept(chronicle: Sequence[Record]) -> list[int]:
    """For each record the number of its last entry that no player has taken back."""
    count = 0
    ends: list[int] = []
    for record in chronicle:
        back = undo_of(record)
        if back is not None:
            ends = [min(end, back[0]) for end in ends]
        count += len(record.entries)
        ends.append(count)
    return ends


def _steps(
    source: GameSource,
    sight: Audience,
    record: Record,
    entries: tuple[LogEntry, ...],
    says: Msg | str | None,
    state: Any,
    last: Any,
) -> Iterator[ReplayStep]:
    game, readers = source.game, sight.readers(source.seats)
    if says:
        seat = record.seat if undo_of(record) is not None and not record.unnamed else ""
        yield ReplayStep(record.first, (), dict.fromkeys(readers, (says,)), state, seat)
    elif not entries:
        yield ReplayStep(record.first, (), {}, state)
    if not entries:
        return
    begin, final = record.first, record.first + len(entries) - 1
    told = {
        reader: [
            (line.end if begin <= line.end <= final else final, line)
            for line in game.tell(last, entries, Seat(reader) if reader else None, begin)
        ]
        for reader in readers
    }
    marks = {end for lines in told.values() for end, _ in lines}
    ends = sorted(marks | {final})
    if len(ends) > 1 and final not in marks:
        ends.pop(-2)  # entries behind the last sentence belong to it
    for end in ends:
        part = entries[begin - record.first : end - record.first + 1]
        state = game.fold(state, part)
        here = {reader: [line for at, line in lines if begin <= at <= end] for reader, lines in told.items()}
        says_here = {reader: tuple(line.says for line in lines) for reader, lines in here.items()}
        seat = next((line.seat for lines in here.values() for line in lines if line.seat), "")
        yield ReplayStep(begin, part, says_here, state, seat)
        begin = end + 1


def _unheard(source: GameSource, sight: Audience, at: int) -> bool:
    """Whether a record takes back only what the reader could not see, so that it is itself secret."""
    record = source.records[at]
    back = undo_of(record)
    if back is None or sight.full or sight.seat == record.seat:
        return False
    lost = (entry for one in source.records[:at] for n, entry in enumerate(one.entries) if one.first + n > back[0])
    return not any(is_visible(entry, sight.seat or None) for entry in lost)


def _aside(source: GameSource, record: Record) -> Msg | str | None:
    """What a record says besides its entries: an undo, a repair, a look at secrets."""
    if undo_of(record) is not None and record.seat and ACTION_SENTENCE not in record.also:
        name = next((row.name for row in source.stored.table.seats if row.seat == record.seat), record.seat)
        return T("{name} took back the last orders; they are as if never given.", name=name)
    if ACTION_SENTENCE in record.also:
        return action_sentence(record.also[ACTION_SENTENCE], record.note)
    if record.what in SILENT_RECORDS or record.entries:
        return None
    _, subject = source.commits.get(record.number, ("", ""))
    return subject or record.note or None


def _speaks(source: GameSource, chapter: Chapter, sight: Audience) -> bool:
    """Whether a reader may know of a record. A rival's letter without visible effect would reveal a sealed answer."""
    reader = sight.seat or None
    if any(step.lines.get(reader) for step in chapter.steps):
        return True
    if any(is_visible(entry, reader) for step in chapter.steps for entry in step.entries):
        return True
    return bool(table_talk(source, chapter.record, sight))


def is_visible(entry: LogEntry, reader: str | None) -> bool:
    """Whether the reader may see anything of an entry. Even its kind alone could reveal a rival's wishes."""
    return bool(entry.seen_by(reader))


def table_talk(source: GameSource, record: Record, sight: Audience) -> list[dict[str, str]]:
    """Messages of a record to the reader, as `{to, text}`. The public sees none.

    Notes (`to` names the author's seat with a dot) are open to the table when the game is over. Who took over a seat
    sees no private messages from before.
    """
    if not (sight.full or sight.seat):
        return []
    found = [{"to": "", "text": str(text)} for text in record.also.get("says", ())]
    own, over = not sight.full and record.number >= source.since(sight.seat), source.over
    heard = (
        one
        for one in record.private.get("tells", ())
        if sight.full or (own and sight.seat in (one["to"], record.seat)) or (over and "." in one["to"])
    )
    return [*found, *({"to": str(one["to"]), "text": str(one["text"])} for one in heard)]
