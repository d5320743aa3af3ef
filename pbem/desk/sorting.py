"""What each line of a letter is, before anything is played: order, chatter, signature, the tail of a sentence.

Contract, «How a letter is read». Nothing is decided about the game here; a line is an order if it begins like one or
the game can read it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.game import AnyGame
from engine.kit.words import folded
from pbem.desk import commands
from pbem.desk import lines as kinds
from pbem.desk.commands.word import Does


class Is(StrEnum):
    """What a line is."""

    ORDER = "order"
    """An order, a command or a number: something to be carried out, or refused."""
    NAME = "name"
    """The same, and a name of the table as well."""
    COURTESY = "courtesy"
    """A greeting, thanks."""
    SIGNATURE = "signature"
    """A name or regards: what follows is no part of the letter."""
    CHATTER = "chatter"
    """No word of the game."""
    OTHER = "other"
    """Words of the game that make no order."""


@dataclass(frozen=True, slots=True)
class SortedLine:
    """One line, folded and as written; `joins` says that it stands directly under another line of its paragraph."""

    line: str
    raw: str
    joins: bool
    what: Is


@dataclass(frozen=True, slots=True)
class Sorted:
    """A letter's lines: `rows` to be carried out in order, and those passed over as they were written."""

    rows: tuple[SortedLine, ...] = ()
    unread: tuple[str, ...] = ()
    stray: SortedLine | None = None
    """The first line under the orders that is none and cannot be passed over; none where nothing is to be played."""
    tail: SortedLine | None = None
    """An order that may be the rest of the sentence above it."""
    above: str = ""
    """The line above the tail, as it was written."""


def sort(
    lines: Sequence[str], written: Sequence[str], game: AnyGame, names: Collection[str], reads: Callable[[str], bool]
) -> Sorted:
    """Sort a letter's lines (and the same as written). `reads` says whether the game understands a line here."""
    rows = _rows(lines, written, _Reader(game, names, reads))
    orders = [at for at, row in enumerate(rows) if row.what in (Is.ORDER, Is.NAME)]
    if not orders:
        rows = [row for row in rows if row.what not in (Is.COURTESY, Is.SIGNATURE)]
        unread = tuple(row.raw for row in rows if row.what is Is.CHATTER)
        return Sorted(tuple(row for row in rows if row.what is Is.OTHER), unread)
    first = orders[0]
    signed = next((at for at in range(first, len(rows)) if rows[at].what is Is.SIGNATURE), len(rows))
    rows = rows[:signed]
    last = max(at for at in orders if at < signed)
    before, after = rows[:first], rows[last + 1 :]
    passed = [row for row in before if row.what is Is.CHATTER]
    passed += [row for row in after if row.what is not Is.COURTESY]
    stray = next(
        (row for row in after if row.what is Is.OTHER or (row.what is Is.CHATTER and kinds.in_doubt(row.line))), None
    )
    if all(_plays_nothing(row.line) for row in rows[first : last + 1]):
        stray = None
    kept = [row for row in before if row.what is Is.OTHER]
    kept += [row for row in rows[first : last + 1] if row.what is not Is.COURTESY]
    tail = next((at for at in orders if at < signed and at and _is_tail(rows[at - 1], rows[at], at == first)), 0)
    return Sorted(
        tuple(kept),
        tuple(row.raw for row in passed),
        stray,
        rows[tail] if tail else None,
        rows[tail - 1].raw if tail else "",
    )


def _rows(lines: Sequence[str], written: Sequence[str], reader: _Reader) -> list[SortedLine]:
    rows: list[SortedLine] = []
    joins = False
    for line, raw in zip(lines, written, strict=True):
        if not line.strip():
            joins = False
            continue
        found = commands.command_of(line)
        if found and found[0].does is Does.STOP and not found[1]:
            break
        rows.append(SortedLine(line, raw, joins, reader.what(line)))
        joins = True
    return rows


def _plays_nothing(line: str) -> bool:
    found = commands.command_of(line)
    return found is not None and found[0].does in (Does.ASK, Does.TRY)


def _is_tail(above: SortedLine, row: SortedLine, first: bool) -> bool:
    """Whether an order of one word may be the rest of the line above it.

    That line is one that is passed over, or talk so long that a program may have broken it.
    """
    if not row.joins or (kinds.option_number(row.line) is None and len(row.line.split()) > 1):
        return False
    found = commands.command_of(row.line)
    if found and found[0].does is Does.ASK:
        return False
    if above.what is Is.CHATTER:
        return first and kinds.may_go_on(above.line, row.line)
    talk = commands.command_of(above.line)
    if talk is None or talk[0].does is not Does.SAY:
        return False
    return not kinds.is_finished(above.line) and kinds.may_be_broken(above.line, row.line)


class _Reader:
    """Says what single lines are."""

    def __init__(self, game: AnyGame, names: Collection[str], reads: Callable[[str], bool]) -> None:
        self.names = names
        self.reads = reads
        self.verbs = frozenset(folded(verb) for verb in game.reference.verbs())
        self.known = game.reference.words()
        self.commands = commands.words()

    def what(self, line: str) -> Is:
        if self._begins_order(line):
            return Is.NAME if kinds.is_name(line, self.names) else Is.ORDER
        if kinds.is_closing(line, self.names):
            return Is.SIGNATURE if kinds.is_signature(line, self.names) else Is.COURTESY
        if kinds.is_greeting(line, self.names):
            return Is.COURTESY
        if self.reads(line):
            return Is.ORDER
        return Is.CHATTER if kinds.is_chatter(line, self.verbs, self.known, self.commands) else Is.OTHER

    def _begins_order(self, line: str) -> bool:
        """Whether the line is a command, a number, or begins with a verb: then it is no greeting."""
        if commands.command_of(line) or kinds.option_number(line) is not None or kinds.pasted_option(line):
            return True
        words = folded(line).split()
        return bool(words) and words[0] in self.verbs
