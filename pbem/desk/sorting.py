"""What each line of a letter is, before anything is played: order, chatter, signature, the tail of a sentence.

Contract, «How a letter is read». Nothing is decided about the game here; a line is an order if it begins like one or
the game can read it, once the one reader of lines has taken off what says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from engine.game import AnyGame
from engine.kit.words import folded, slip
from engine.reference import Gist
from pbem.desk import commands
from pbem.desk.commands.word import Does
from pbem.inbound.letter import MAX_LINE_LENGTH
from pbem.reading import kinds
from pbem.reading.asides import endings, is_aside, opening, reason
from pbem.reading.line import COSTS, PlainLine, further, read
from pbem.reading.numbered import numbered
from pbem.reading.signs import fold, untelegraphed

_PROSE = 3
"""Words that an order may have and be the end of a sentence."""


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
    """One line, folded, as written, and read; `joins` says that it stands directly under another of its paragraph."""

    line: str
    raw: str
    joins: bool
    what: Is
    read: PlainLine
    aside: str = ""
    """What stands behind the order in the line and is passed over."""

    @property
    def is_order(self) -> bool:
        """Whether it is carried out."""
        return self.what in (Is.ORDER, Is.NAME)

    @property
    def is_stray(self) -> bool:
        """Whether it cannot be passed over under an order."""
        return self.what is Is.OTHER or kinds.in_doubt(self.line)

    @property
    def order(self) -> str:
        """The order as it could be sent alone."""
        return commands.line_of(self.read) or self.read.text or self.read.whole


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
    below: tuple[SortedLine, ...] = ()
    """What stands under the orders and is none, but for courtesy and what the writer is known to sign with."""
    maybe: SortedLine | None = None
    """Where there is no order and no word of the game: the line with the only number, read as that."""
    told: SortedLine | None = None
    """There too: the only line that tells an option by its number; it is none of those passed over."""
    lone: SortedLine | None = None
    """There too: the only line at all, where it tells no option: it may mean an order without a word of our mails."""
    found: Gist | None = None
    """What that has been found to mean."""


@dataclass(frozen=True)
class Sorter:
    """What is known where a letter's lines are sorted."""

    game: AnyGame
    names: tuple[str, ...]
    """The people of the table, and the writer's own names."""
    reads: Callable[[str], str]
    """The order that the game understands a line as here, as it writes it; empty for none."""
    listed: Callable[[], Iterable[str]] = tuple
    """The options that were mailed, each with what it would do."""
    is_signed: Callable[[str], bool] = lambda line: False
    """Whether the writer has ended a letter with this line before."""
    several: Callable[[PlainLine], bool] = lambda line: False
    """Whether a line stands for several orders."""

    def sort(self, lines: Sequence[str], written: Sequence[str]) -> Sorted:
        """Sort a letter's lines (and the same as written)."""
        rows = self._rows(lines, written)
        orders = [at for at, row in enumerate(rows) if row.is_order]
        if not orders:
            rows = [row for row in rows if row.what not in (Is.COURTESY, Is.SIGNATURE)]
            others = tuple(row for row in rows if row.what is Is.OTHER)
            others = others or tuple(row for row in rows if self._is_formed(row))
            # A word alone that is nearly a command; short commands are near many words, so nothing may stand beside it.
            others = others or tuple(row for row in rows if len(rows) == 1 and slip(row.line.strip(), commands.words()))
            told = [row for row in rows if numbered(row.line, self.names) is not None]
            one = told[0] if len(told) == 1 and not others else None
            unread = tuple(row.raw for row in rows if row.what is Is.CHATTER and row not in (*others, one))
            lone = rows[0] if len(rows) == 1 and rows[0].what is Is.CHATTER and not (others or told) else None
            return Sorted(others, unread, maybe=None if others else _lone_number(rows), told=one, lone=lone)
        first = orders[0]
        signed = next((at for at in range(first, len(rows)) if rows[at].what is Is.SIGNATURE), len(rows))
        rows = rows[:signed]
        last = max(at for at in orders if at < signed)
        before, after = rows[:first], [self._under(row) for row in rows[last + 1 :]]
        below = tuple(row for row in after if row.what is not Is.COURTESY and not self.is_signed(row.line))
        stray = next((row for row in below if row.is_stray), None)
        if all(_plays_nothing(row) for row in rows[first : last + 1]):
            stray = None
        kept = [row for row in before if row.what is Is.OTHER]
        kept += [row for row in rows[first : last + 1] if row.what is not Is.COURTESY]
        tail = next(
            (at for at in orders if at < signed and at and self._is_tail(rows[at - 1], rows[at], at == first)), 0
        )
        return Sorted(
            tuple(kept),
            (
                *(row.aside for row in kept if row.aside),
                *(row.raw for row in (*before, *below) if row in below or row.what is Is.CHATTER),
            ),
            stray,
            rows[tail] if tail else None,
            rows[tail - 1].raw if tail else "",
            below,
        )

    def _rows(self, lines: Sequence[str], written: Sequence[str]) -> list[SortedLine]:
        rows: list[SortedLine] = []
        joins, at, items = False, 0, 1
        while at < len(lines):
            line, raw = untelegraphed(lines[at]), written[at]
            at += 1
            if not line.strip():
                joins = False
                continue
            while at < len(lines) and lines[at].strip() and self._goes_on(line, lines[at]):
                line, raw, at = f"{line} {lines[at]}", f"{raw} {written[at]}", at + 1
            one = read(line, self.names)
            one = further(one, self.names) if rows and rows[-1].is_order else one
            if one.counts and one.number == items and self._begins_order(item := read(one.item, self.names)):
                one, items = item, items + 1
            found = commands.command_of(commands.line_of(one))
            if found and found[0].does is Does.STOP and not found[1]:
                break
            if rows and rows[-1].read.is_number and one.sure and one.number == rows[-1].read.number:
                rows.pop()  # its number alone, and the option again in its words
            row = SortedLine(line, raw, joins, self._what(line, one), one)
            rows.append(row if found else self._parted(row))
            joins = True
        return rows

    def _parted(self, row: SortedLine) -> SortedLine:
        """A line that is an order and says something else behind it, or why before it, as the order alone."""
        if row.what not in (Is.ORDER, Is.OTHER) or row.read.sure or row.read.is_number or self._reads(row.read):
            return row
        for order, aside, ended in endings(row.line):
            if not is_aside(aside, self.names, self._verbs, self._known, commands.words()):
                continue
            one = read(order, self.names)
            if self._reads(one) or (one.is_number and not ended) or (one.number is None and self.several(one)):
                return replace(row, line=order, what=Is.ORDER, read=one, aside=aside)
        for (said, order), before in ((reason(row.line), True), (opening(row.line), False)):
            if order and is_aside(said, self.names, self._verbs, self._known, commands.words(), before=before):
                one = read(order, self.names)
                if self._reads(one):
                    return replace(row, line=order, what=Is.ORDER, read=one, aside=said)
        return row

    def _what(self, line: str, one: PlainLine) -> Is:
        if kinds.is_wish(line, self.names):
            return Is.COURTESY
        if self._begins_order(one):
            return Is.NAME if kinds.is_name(line, self.names) else Is.ORDER
        if kinds.is_closing(line, self.names):
            if kinds.is_name(line, self.names) and self._reads(one):
                return Is.NAME
            return Is.SIGNATURE if kinds.is_signature(line, self.names) else Is.COURTESY
        if kinds.is_greeting(line, self.names):
            return Is.COURTESY
        if kinds.is_courtesy(line):
            # What is left of courtesy alone is no order, whatever it looks like.
            return Is.ORDER if self.reads(one.whole) else Is.COURTESY
        if self._reads(one):
            return Is.ORDER
        return Is.CHATTER if kinds.is_chatter(line, self._verbs, self._known, commands.telling()) else Is.OTHER

    def _under(self, row: SortedLine) -> SortedLine:
        """A line under the orders, where a form of a verb is a word of the game too: it may be told of them."""
        tells = row.what is Is.CHATTER and kinds.tells(row.line, self._verbs)
        return replace(row, what=Is.OTHER) if tells else row

    def _begins_order(self, one: PlainLine) -> bool:
        """Whether a line is a command, a number, or begins with a verb: then it is no greeting."""
        if one.is_number or one.sure or commands.line_of(one):
            return True
        if (found := commands.command_of(one.text)) and found[0].only is None:
            return True
        return any(folded(text.split()[0]).rstrip(":,") in self._verbs for text in one.readings)

    def _is_formed(self, row: SortedLine) -> bool:
        """Whether a line without a verb is formed like an order: its number belongs to a word of the game, such as a
        colour, or to what is to be done with it; so it is no option's."""
        if kinds.is_formed(row.line) and row.read.number is None:
            return True
        told = (word for word in kinds.beside_number(row.line) if not read(f"{word} 1", self.names).is_number)
        return any(self.game.reference.explain(word) is not None for word in told)

    def _reads(self, one: PlainLine) -> bool:
        return any(self.reads(text) for text in one.readings)

    @cached_property
    def _verbs(self) -> frozenset[str]:
        return _folded(self.game.reference.verbs())

    @cached_property
    def _known(self) -> tuple[str, ...]:
        return self.game.reference.words()

    def _goes_on(self, line: str, below: str) -> bool:
        """Whether a program has broken a line here: an option of our mails, or an order that reads only as a whole."""
        joined = f"{line} {below}"
        if len(joined) > MAX_LINE_LENGTH:
            return False
        if (COSTS.strip() in line or line.startswith("[")) and any(
            option.startswith(_bare(joined)) for option in self._listed
        ):
            return True
        if len(line) + 1 + len(below.split()[0]) <= kinds.BREAKS:
            return False
        rest = read(below, self.names)
        if self._begins_order(rest) or self._reads(rest):
            return False
        return self._reads(read(joined, self.names))

    def _is_tail(self, above: SortedLine, row: SortedLine, first: bool) -> bool:
        """Whether an order of few words, or talk, may be the rest of the line above it.

        That line is one that is passed over, or talk so long that a program may have broken it.
        """
        found = commands.command_of(commands.line_of(row.read))
        if not row.joins or (found and found[0].does is Does.ASK):
            return False
        talks = found is not None and found[0].does is Does.SAY
        if row.read.number is None and not talks and not self._may_be_prose(row):
            return False
        if above.what is Is.CHATTER:
            return first and kinds.may_go_on(above.line, row.line)
        talk = commands.command_of(commands.line_of(above.read))
        if talk is None or talk[0].does is not Does.SAY:
            return False
        return not kinds.is_finished(above.line) and kinds.may_be_broken(above.line, row.line)

    def _may_be_prose(self, row: SortedLine) -> bool:
        """Whether an order may be the end of somebody's sentence: one word, or two or three that name no die and leave
        something to be filled in, such as a building and a number without what is to be done there."""
        words = row.order.split()
        if len(words) < 2:
            return True
        if len(words) > _PROSE or ":" in row.order or kinds.names_die(row.order):
            return False
        filled = [len(order.split()) > len(text.split()) for text in row.read.readings if (order := self.reads(text))]
        return bool(filled) and all(filled)

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        return tuple(map(_bare, self.listed()))


@lru_cache(maxsize=8)
def _folded(words: frozenset[str]) -> frozenset[str]:
    return frozenset(map(folded, words))


def _bare(line: str) -> str:
    """A listed option as it is compared, without its number."""
    text = fold(line)
    return folded(text.partition("]")[2] if text.startswith("[") else text).strip()


def _plays_nothing(row: SortedLine) -> bool:
    found = commands.command_of(commands.line_of(row.read))
    return found is not None and found[0].does in (Does.ASK, Does.TRY)


def _lone_number(rows: Sequence[SortedLine]) -> SortedLine | None:
    """The line with the only number of some lines that ask and doubt nothing, read as that number."""
    numbers = [(row, number) for row in rows for number in kinds.numbers(row.line)]
    if len(numbers) != 1 or any("?" in row.line or kinds.doubts(row.line) for row in rows):
        return None
    ((row, number),) = numbers
    return replace(row, read=PlainLine(row.line, row.line, "", number))
