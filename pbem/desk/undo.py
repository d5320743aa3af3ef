"""Taking back orders: where a game may go back to, and what its records amount to once orders were taken back.

The chronicle only ever grows. A record of `undo` names the last entry that still counts; the entries after it, of
earlier records, count no more, whoever reads the chronicle: the next mail, `history`, or a check that folds it all.
A record that goes back further, or forward again, names the record after which the game stands as it stood then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.chronicle import Data, Entry
from engine.game import AnyGame
from pbem.store.record import Record
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.table import UndoPoint

UNDO = "undo"
"""Name of the table in a record's `also` that says what it takes back: `{restored, number}`."""

BACK = "back"
"""The same for a moderator's `{record, commit, entry, number}`: the game stands as after that record."""

NUMBERED = "numbered"
"""In a record's `also`: after its entries, decisions count on from this number."""

EPOCH = "epoch"
"""In a record's `also`: from here on the dice are drawn with this epoch."""

DEFAULT = "default"
"""In a record's `private`: what the clock has played for a seat: `{seat, number, commit, entry}`."""

DEED = "deed"
"""In a record's `also`: a moderator's repair, as the sentence that is told of it (`pbem.desk.corrections`)."""


def restored(game: AnyGame, repo: GameRepo, mark: UndoPoint, public: bool = False) -> Any:
    """The position of a mark, before its open decisions are renumbered for the present undo; as the table can see it
    where it is to be `public`."""
    stored = Stored.read_public(repo, mark.commit) if public else Stored.read(repo, mark.commit)
    state = game.load(stored.game, stored.hidden)
    if mark.entry > stored.table.entries:
        record = Record.read(repo, mark.record, secret=not public)
        state = game.fold(state, record.entries[: mark.entry - record.first + 1])
    return game.moderation.renumber(state, mark.number) if mark.number else state


def gone_back(game: AnyGame, before: Any, after: Any) -> tuple[Any, tuple[Entry, ...]]:
    """The position `after` going back, and the word to those whose standing orders are others by that."""
    entries = game.moderation.gone_with(before, after)
    return (game.fold(after, entries) if entries else after), entries


def undoing(record: Record) -> tuple[int, int] | None:
    """(last entry that still counts, number that decisions rise above) of a record that takes orders back."""
    found = record.also.get(UNDO)
    return (int(found["restored"]), int(found["number"])) if found else None


@dataclass(frozen=True, slots=True)
class Piece:
    """Entries that still count, in one run. `number` is not 0 when decisions are counted on from there before them."""

    first: int
    entries: tuple[Entry, ...]
    number: int = 0
    seat: str = ""
    """Who took back, when an undo stands before them."""
    restored: int = 0
    deed: Data = field(default_factory=dict)
    """A moderator's deed that stands before them; it is told, whatever comes to count later."""
    note: str = ""
    """The reason of the deed."""
    by: str = ""
    """The seat that has done it, where it was a player."""


def surviving(records: Iterable[Record]) -> tuple[Piece, ...]:
    """What counts of these records, in order. An undo of entries before the first record leaves a mere marker."""
    pieces: tuple[Piece, ...] = ()
    after: dict[int, tuple[Piece, ...]] = {}
    for record in records:
        back, far = undoing(record), record.also.get(BACK)
        deed = dict(record.also.get(DEED, {}))
        if back is not None:
            pieces = tuple(kept for piece in pieces if (kept := _cut(piece, back[0])) is not None)
            # What says so in words of its own is told in them.
            pieces += (Piece(record.first, (), back[1], "" if deed else record.seat, back[0]),)
        if far is not None:
            stands = after.get(int(far["record"]), ())
            told = (piece for piece in pieces[len(_common(stands, pieces)) :] if piece.deed)
            # One that went forward again needs no word on the one that went back.
            silent = record.what == "rollforward"
            pieces = stands + tuple(replace(piece, entries=(), number=0) for piece in told if not silent)
            number, entry = int(far["number"]), int(far["entry"])
            pieces += (Piece(record.first, (), number, restored=entry, deed=deed, note=record.note),)
        elif deed:
            pieces += (Piece(record.first, (), deed=deed, note=record.note, by=record.seat),)
        if record.entries:
            pieces += (Piece(record.first, record.entries),)
        if number := int(record.also.get(NUMBERED, 0)):
            pieces += (Piece(record.first, (), number, restored=record.last),)
        after[record.number] = pieces
    return pieces


def acted(record: Record) -> bool:
    """Whether a record has changed the position."""
    return bool(record.entries) or UNDO in record.also or BACK in record.also


def undone(records: Sequence[Record]) -> frozenset[int]:
    """The numbers of the records of which nothing counts in the end, because all of it was taken back.

    One that itself goes back is none: what it holds beside cancels plans.
    """
    counting = {piece.first + n for piece in surviving(records) for n in range(len(piece.entries))}
    return frozenset(
        record.number
        for record in records
        if record.entries and BACK not in record.also and not counting & set(range(record.first, record.last + 1))
    )


def _common(one: tuple[Piece, ...], other: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """What both begin with."""
    count = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a is not b), min(len(one), len(other)))
    return one[:count]


def _cut(piece: Piece, last: int) -> Piece | None:
    """The piece up to entry `last`. Markers stay while what they restored still counts; deeds are told all the same."""
    if piece.deed:
        return piece if piece.restored <= last else replace(piece, number=0)
    if piece.number:
        return piece if piece.restored <= last else None
    if piece.first > last:
        return None
    return Piece(piece.first, piece.entries[: last - piece.first + 1])


def replay(game: AnyGame, records: Iterable[Record]) -> Any:
    """The position that the records of a whole game fold to. Raises PositionError when they do not fit."""
    state: Any = None
    for piece in surviving(records):
        if piece.number:
            state = game.moderation.renumber(state, piece.number)
        if piece.entries:
            state = game.fold(state, piece.entries)
    return state


def after_letter(
    before: Sequence[UndoPoint], seat: str, base: UndoPoint, safe: int, last: int, *, revealed: bool, taken_back: bool
) -> tuple[UndoPoint, ...]:
    """The marks once a seat has played a letter.

    `base` is the position at the letter's beginning (after its own undo, if any), `safe` the last entry that the
    last commit point of the letter shows, `last` the letter's last entry.
    """
    if revealed:
        # What was shown cannot be taken back; only what was played after it may be.
        if safe == last or taken_back:
            return ()
        return (UndoPoint(seat, base.commit, base.record, safe),)
    return (*(mark for mark in before if mark.seat == seat), base)
