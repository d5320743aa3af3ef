"""Take back orders: the positions a game may go back to, and which recorded events still count.

The event log only grows. A record of `undo` names the last event that still counts; later events of earlier records
count no more for any reader. A record that goes back further, or forward again, names the record whose position it
restores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.event_log import Data, LogEntry
from engine.game import AnyGame
from pbem.desk.core.context import Context
from pbem.store.commit_record import Record
from pbem.store.game_repo import GameRepo
from pbem.store.game_table import UndoPoint
from pbem.store.state_file import StoredGame

UNDO = "undo"
"""In a record's `also`: what it takes back, `{restored, number}`."""

BACK = "back"
"""In a record's `also`: a rollback, `{record, commit, entry, number}`; the game stands as after `record`."""

NUMBERED = "numbered"
"""In a record's `also`: decisions count on from this number after its entries."""

EPOCH = "epoch"
"""In a record's `also`: the epoch of the dice from here on."""

DEFAULT = "default"
"""In a record's `private`: what the clock has played for a seat, `{seat, number, commit, entry, sealed, lists}`."""

ACTION_SENTENCE = "deed"
"""In a record's `also`: an action of a moderator or a player, as a sentence (`game_news.action_sentence`)."""

LOOKED = 50
"""Records that are looked through for what the clock has played."""


def restored_state(game: AnyGame, repo: GameRepo, mark: UndoPoint, public: bool = False) -> Any:
    """The position of an undo point, before its decisions are renumbered; without secrets if `public`."""
    stored = StoredGame.read_public(repo, mark.commit) if public else StoredGame.read(repo, mark.commit)
    state = game.load(stored.game, stored.hidden)
    if mark.entry > stored.table.entries:
        record = Record.read(repo, mark.record, secret=not public)
        state = game.fold(state, record.entries[: mark.entry - record.first + 1])
    return game.moderation.renumber(state, mark.number) if mark.number else state


def state_gone_back(game: AnyGame, before: Any, after: Any) -> tuple[Any, tuple[LogEntry, ...]]:
    """The position `after` going back, and the events that tell seats of standing orders lost or returned by it."""
    entries = game.moderation.gone_with(before, after)
    return (game.fold(after, entries) if entries else after), entries


def undo_of(record: Record) -> tuple[int, int] | None:
    """(last entry that still counts, number above which decisions count on) of a record that takes orders back."""
    found = record.also.get(UNDO)
    return (int(found["restored"]), int(found["number"])) if found else None


@dataclass(frozen=True, slots=True)
class EntryRun:
    """A run of events that still count. If `number` is not 0, decisions count on from there before them."""

    first: int
    entries: tuple[LogEntry, ...]
    number: int = 0
    seat: str = ""
    """Who took orders back just before them."""
    restored: int = 0
    action: Data = field(default_factory=dict)
    """An action just before them; told even if it is taken back later."""
    note: str = ""
    """The reason of the action."""
    by: str = ""
    """The player who did it; empty for the moderator."""


def surviving(records: Iterable[Record]) -> tuple[EntryRun, ...]:
    """The events of these records that still count, in order. An undo of earlier events leaves a marker alone."""
    pieces: tuple[EntryRun, ...] = ()
    after: dict[int, tuple[EntryRun, ...]] = {}
    for record in records:
        back, far = undo_of(record), record.also.get(BACK)
        action = dict(record.also.get(ACTION_SENTENCE, {}))
        if back is not None:
            pieces = tuple(kept for piece in pieces if (kept := _cut(piece, back[0])) is not None)
            # An action with words of its own tells of the undo itself.
            pieces += (EntryRun(record.first, (), back[1], "" if action else record.seat, back[0]),)
        if far is not None:
            stands = after.get(int(far["record"]), ())
            told = (piece for piece in pieces[len(_common(stands, pieces)) :] if piece.action)
            # Going forward again needs no word on having gone back.
            silent = record.what == "rollforward"
            pieces = stands + tuple(replace(piece, entries=(), number=0) for piece in told if not silent)
            number, entry = int(far["number"]), int(far["entry"])
            pieces += (EntryRun(record.first, (), number, restored=entry, action=action, note=record.note),)
        elif action:
            pieces += (EntryRun(record.first, (), action=action, note=record.note, by=record.seat),)
        if record.entries:
            pieces += (EntryRun(record.first, record.entries),)
        if number := int(record.also.get(NUMBERED, 0)):
            pieces += (EntryRun(record.first, (), number, restored=record.last),)
        after[record.number] = pieces
    return pieces


def changes_position(record: Record) -> bool:
    """True if a record has changed the position."""
    return bool(record.entries) or UNDO in record.also or BACK in record.also


def undone_records(records: Sequence[Record]) -> frozenset[int]:
    """The numbers of records all of whose events were taken back. Rollbacks are none: theirs only cancel plans."""
    counting = {piece.first + n for piece in surviving(records) for n in range(len(piece.entries))}
    return frozenset(
        record.number
        for record in records
        if record.entries and BACK not in record.also and not counting & set(range(record.first, record.last + 1))
    )


def _common(one: tuple[EntryRun, ...], other: tuple[EntryRun, ...]) -> tuple[EntryRun, ...]:
    """The longest common beginning."""
    count = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a is not b), min(len(one), len(other)))
    return one[:count]


def _cut(piece: EntryRun, last: int) -> EntryRun | None:
    """The run up to entry `last`. Markers stay while what they restored counts; actions always stay."""
    if piece.action:
        return piece if piece.restored <= last else replace(piece, number=0)
    if piece.number:
        return piece if piece.restored <= last else None
    if piece.first > last:
        return None
    return EntryRun(piece.first, piece.entries[: last - piece.first + 1])


def replay_records(game: AnyGame, records: Iterable[Record]) -> Any:
    """The position after all records of a game. Raises PositionError when they do not fit."""
    state: Any = None
    for piece in surviving(records):
        if piece.number:
            state = game.moderation.renumber(state, piece.number)
        if piece.entries:
            state = game.fold(state, piece.entries)
    return state


def undo_points_after(
    before: Sequence[UndoPoint], seat: str, base: UndoPoint, safe: int, last: int, *, revealed: bool, taken_back: bool
) -> tuple[UndoPoint, ...]:
    """The undo points once a seat has played a letter.

    `base` is the position before the letter (after its own undo), `safe` the last entry up to which something hidden
    was shown, `last` the letter's last entry.
    """
    if revealed:
        # Only orders after what was shown may be taken back.
        if safe == last or taken_back:
            return ()
        return (UndoPoint(seat, base.commit, base.record, safe),)
    return (*(mark for mark in before if mark.seat == seat), base)


def by_clock(context: Context) -> Iterator[dict[str, Any]]:
    """What the clock has played, the newest first: `DEFAULT` of each record, with its `record`, `at`, and `acted`.

    `acted` is true if somebody has acted since. The search ends where something was taken back.
    """
    table, acted_since = context.stored.table, False
    for number in range(table.records, max(0, table.records - LOOKED), -1):
        record = Record.read(context.repo, number, context.stored.commit)
        if DEFAULT in record.private:
            yield {**record.private[DEFAULT], "record": record.number, "at": record.at, "acted": acted_since}
        elif record.also.keys() & {UNDO, BACK}:
            return
        elif record.entries:
            acted_since = True
