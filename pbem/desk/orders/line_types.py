"""What each line of a letter is, before anything is played: order, chatter, signature, the tail of a sentence.

A line is an order if it begins like one or the game can read it, once what says nothing is taken off. Nothing about the
game is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice

from engine.kit.words import correct_typo, fold_text
from pbem.desk import commands
from pbem.desk.commands.command import Does
from pbem.desk.core.option_lists import offers_of
from pbem.desk.orders import duplicates
from pbem.desk.orders.session import Session, Trial
from pbem.inbound.incoming_letter import MAX_LINE_LENGTH
from pbem.outbound.translation import language_catalogue
from pbem.reading import courtesy
from pbem.reading.courtesy import NUMBERS
from pbem.reading.line_parser import COSTS, PlainLine, is_chatter, names_die, numbers_in, parse_further_line, parse_line
from pbem.reading.normalize import BREAKS, may_be_wrapped, normalize_line

_CLAUSE = re.compile(
    r"(?P<ends>[.!?…]+)\s+(?=\S)|\s*[,;:]\s+(?=\S)|\s*\(\s*(?=\S)|\s+[-–—]\s+(?=\S)|"
    r"\s+(?=(?:so|but|because|since|as|if|when|though|unless|or|mais|donc|car|puisque|si|ou|quand|sauf|sinon)\s)",
    re.IGNORECASE,
)
"""Where a clause of a line may begin."""
_THEN = re.compile(
    r"\s*(?:;|->|=>|→)\s*(?:(?:and\s+|et\s+)?(?:then|puis|ensuite)\b[\s,]*)?|[\s,.]+(?:and\s+|et\s+)?(?:then|puis|ensuite)\b[\s,]+",
    re.IGNORECASE,
)
"""What parts two orders of one line."""
_QUESTION = re.compile(r"[^.!?]*\?")
_FORMED = re.compile(r"\W*[a-z]+ *[0-9]+ *: *[a-z]")
"""A line formed like an order: a word, a number, a colon, and what is to be done with it."""
_CLAUSES, _FEW = 6, 2
"""Clauses of a line that are looked at; words of a line that was to be an order by its verb alone."""
_CANCEL = "cancel"
"""The order that takes standing orders back, all of them where it says no more."""


class LineType(StrEnum):
    """What a line is."""

    ORDER = "order"
    """An order, a command or a number: something to be carried out, or refused."""
    NAME = "name"
    """The same, and a name of the table as well."""
    COURTESY = "courtesy"
    """A greeting, thanks: all of it stands in the closed list."""
    SIGNATURE = "signature"
    """Its writer's name, or regards."""
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
    what: LineType
    read: PlainLine
    beside: tuple[str, ...] = ()
    """What else the line says beside the order, and no table knows."""

    @property
    def is_order(self) -> bool:
        """Whether it is carried out."""
        return self.what in (LineType.ORDER, LineType.NAME)

    @property
    def command(self) -> str:
        """The line of the command that it is; empty for any other."""
        return commands.command_line(self.read)

    @property
    def does(self) -> Does | None:
        """What it does where it is a command."""
        found = commands.parse_command(self.command)
        return found[0].does if found else None

    @property
    def order(self) -> str:
        """The order as it could be sent alone."""
        return self.command or self.read.text or self.read.whole


@dataclass(frozen=True, slots=True)
class SortedLetter:
    """A letter's lines: `rows` to be carried out in order, and those passed over as they were written."""

    rows: tuple[SortedLine, ...] = ()
    unread: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    """What stands beside the orders, in lines of its own or in theirs, and is not on the closed list: it asks back."""
    tail: SortedLine | None = None
    """An order that may be the rest of the talk in the row above it."""
    below: tuple[str, ...] = ()
    """How the letter ends: all lines under the orders, or all above them; none where anything else is strange."""
    maybe: tuple[PlainLine, ...] = ()
    """Where there is no order: the numbers that its lines name, each as if it stood alone."""

    def around(self, row: SortedLine) -> tuple[tuple[SortedLine, ...], tuple[SortedLine, ...]]:
        """The rows above one of them and those under it."""
        at = next((at for at, other in enumerate(self.rows) if other is row), -1)
        return self.rows[: max(at, 0)], self.rows[at + 1 :]


class Sorter:
    """Sorts the lines of a letter, in the position that its session has."""

    def __init__(self, session: Session) -> None:
        self.session, self.names, self.own = session, session.names, session.own
        self._verbs = frozenset(map(fold_text, session.game.reference.verbs()))
        self._known = session.game.reference.words()

    def sort(self, lines: Sequence[str], written: Sequence[str]) -> SortedLetter:
        """Sort a letter's lines (and the same as written)."""
        rows = self._rows(lines, written)
        if not any(row.is_order for row in rows):
            rows = self._agreed(rows)
        picks = {row.read.number: row.read for row in rows if row.read.is_number}
        if len(picks) > 1:
            return SortedLetter(maybe=tuple(picks.values()))
        orders = [at for at, row in enumerate(rows) if row.is_order]
        if not orders:
            rows = [row for row in rows if row.what not in (LineType.COURTESY, LineType.SIGNATURE)]
            others = tuple(row for row in rows if row.what is LineType.OTHER or _FORMED.match(fold_text(row.line)))
            # A word alone that is nearly a command; short commands are near many words, so nothing may stand beside it.
            others = others or tuple(
                row for row in rows if len(rows) == 1 and correct_typo(row.line.strip(), commands.command_words())
            )
            unread = tuple(row.raw for row in rows if row.what is LineType.CHATTER and row not in others)
            return SortedLetter(others, unread, maybe=tuple(_numbered(rows)))
        if len(orders) > 1:
            # «We cancel all that» is not only a word of standing orders, nor is «First» above an order only an option.
            rows = [replace(row, what=LineType.OTHER) if self._takes_back(row) else row for row in rows]
            if any(row.is_order and not _counts(row) for row in rows):
                rows = [replace(row, what=LineType.OTHER) if _counts(row) else row for row in rows]
            orders = [at for at, row in enumerate(rows) if row.is_order] or orders
        first, last = min(orders), max(orders)
        kept = tuple(row for row in rows if row.is_order or self._is_attempt(row))
        strange = tuple(row for row in rows if row not in kept and row.what in (LineType.CHATTER, LineType.OTHER))
        beside = tuple(text for row in rows for text in (row.beside or (row.raw,) * (row in strange)))
        tries = rows[orders[0]].does is Does.TRY  # and so are the orders under it
        if all(rows[at].does in (Does.ASK, Does.TRY, None if tries else Does.ASK) for at in orders):
            kept = tuple(
                row for at, row in enumerate(rows) if row in kept or (at < last and row.what is LineType.OTHER)
            )
            return SortedLetter(kept, tuple(row.raw for row in strange if row not in kept))
        # A signature stands under the order; who answers below the quotation has it above the order.
        ends = rows[:first] if any(row in strange for row in rows[:last]) else rows[last + 1 :]
        if any(row in strange and row not in ends for row in rows) or any(row.beside for row in kept):
            ends = []
        block = tuple(row.raw for row in ends if row.what is not LineType.COURTESY)
        if strange and block and self._is_signed(block, chosen=all(row.read.is_number for row in kept)):
            beside = ()
        tail = next((at for at in orders if at and self._is_tail(rows[at - 1], rows[at])), 0)
        return SortedLetter(kept, (), beside, rows[tail] if tail else None, block if strange else ())

    def _agreed(self, rows: list[SortedLine]) -> list[SortedLine]:
        """The lines of a letter without an order; a «yes» that is alone among them takes a choice."""
        said = [row for row in rows if courtesy.is_assent(row.line, self.names)]
        if len(said) != 1 or not (number := self.session.yes_number()):
            return rows
        first = replace(said[0], what=LineType.ORDER, read=PlainLine(said[0].line, said[0].line, "", number))
        return [first if row is said[0] else row for row in rows]

    def _rows(self, lines: Sequence[str], written: Sequence[str]) -> list[SortedLine]:
        rows: list[SortedLine] = []
        joins, at, items = False, 0, 1
        while at < len(lines):
            line, raw = lines[at], written[at]
            at += 1
            if not line.strip():
                joins = False
                continue
            while at < len(lines) and lines[at].strip() and self._goes_on(line, lines[at]):
                line, raw, at = f"{line} {lines[at]}", f"{raw} {written[at]}", at + 1
            for part, words in self._orders(line, raw):
                one = parse_line(part, self.names)
                one = parse_further_line(one, self.names) if rows and rows[-1].is_order else one
                if one.counts and one.number == items and self._begins_order(item := parse_line(one.item, self.names)):
                    one, items = item, items + 1
                found = commands.parse_command(commands.command_line(one))
                if found and found[0].does is Does.STOP and not found[1]:
                    return rows
                if rows and rows[-1].read.is_number and one.sure and one.number == rows[-1].read.number:
                    rows.pop()  # its number alone, and the option again in its words
                row = SortedLine(part, words, joins, self._what(part, one), one)
                rows.append(row if found else self._parted(row))
                joins = True
        return rows

    def _orders(self, line: str, raw: str) -> Sequence[tuple[str, str]]:
        """The whole orders that «then» or a semicolon parts, or the line; each with the line as it was written."""
        parts = _THEN.split(line)
        whole, each = parse_line(line, self.names), [parse_line(part, self.names) for part in parts]
        if len(parts) == 1 or commands.command_line(whole) or self._is_any(whole):
            return ((line, raw),)
        # Of what is read as the one order that it names whole, a line holds one.
        if any(one.is_number or not self._is_any(one) or self._is_covered(one) for one in each):
            return ((line, raw),)
        return tuple((part, raw) for part in parts)

    def _parted(self, row: SortedLine) -> SortedLine:
        """A line that says something else beside an order, as that order; what else it says is kept beside it."""
        if row.read.does and not self._tells(row.read):
            row = replace(row, beside=(row.read.does,))
        if (
            row.what in (LineType.NAME, LineType.COURTESY, LineType.SIGNATURE)
            or row.read.number is not None
            or self._is_any(row.read)
        ):
            return row
        line = row.read.text or row.line
        for cut in islice(_CLAUSE.finditer(line), _CLAUSES):
            head, tail = line[: cut.start()], line[cut.end() :]
            for order, said in ((head, tail), (tail, head)):
                one = parse_line(order, self.names)
                if "?" in line[: cut.end()] or one.is_number or not self._reads(one):
                    continue
                # Two orders are asked about as one choice.
                if not (self._is_courteous(said) or self._reads(parse_line(said, self.names))):
                    return replace(row, line=order, what=LineType.ORDER, read=one, beside=(said, *row.beside))
        return row

    def _tells(self, one: PlainLine) -> bool:
        """Whether what stands behind an order is what our mails say of it."""
        orders = [order for text in one.readings if (order := self.session.reads(text))]
        does, say = fold_text(one.does).rstrip("!.;, "), language_catalogue(self.session.request.language).render
        for order in orders:
            tried = Trial(self.session).attempt((order,))
            if tried and any(fold_text(say(effect)).startswith(does) for effect in tried[0].effects):
                return True
        listed = (option.partition(COSTS) for option in self._listed if does in option)
        return any(does in told and self.session.reads(text) in orders for text, _, told in listed)

    def _is_courteous(self, text: str) -> bool:
        """Whether all of it is courtesy; who is called by name may be told to do something, and a question asks."""
        known = courtesy.is_greeting(text, self.names) or courtesy.is_closing(text, self.names)
        return "?" not in text and ((known and not self._calls(text)) or courtesy.is_courtesy(text))

    def _calls(self, line: str) -> bool:
        """Whether a line is nothing but the names of others: they may be told to do something."""
        return courtesy.is_name(line, self.names) and not courtesy.is_name(line, self.own)

    def _what(self, line: str, one: PlainLine) -> LineType:
        if courtesy.is_wish(line, self.names):
            return LineType.COURTESY
        if self._begins_order(one):
            return LineType.NAME if courtesy.is_name(line, self.names) else LineType.ORDER
        if courtesy.is_signature(line, self.names) and not self._calls(line):
            return LineType.NAME if courtesy.is_name(line, self.names) and self._reads(one) else LineType.SIGNATURE
        if self._is_courteous(line):
            # What is left of courtesy alone is no order, whatever it looks like.
            return LineType.ORDER if courtesy.is_courtesy(line) and self.session.reads(one.whole) else LineType.COURTESY
        if self._reads(one):
            return LineType.ORDER
        return LineType.CHATTER if is_chatter(line, self._verbs, self._known, commands.game_words()) else LineType.OTHER

    def _begins_order(self, one: PlainLine) -> bool:
        """Whether a line is a command, a number, or begins with a verb: then it is no greeting."""
        if one.is_number or one.sure or commands.command_line(one):
            return True
        if (found := commands.parse_command(one.text)) and found[0].only is None:
            return one.number is None or one.counts  # «8 options and no idea»
        return any(fold_text(text.split()[0]).rstrip(":,") in self._verbs for text in one.readings)

    def _takes_back(self, row: SortedLine) -> bool:
        """Whether a line takes back every standing order, by a word that may be meant of what stands beside it."""
        return row.is_order and any(self.session.reads(text) == _CANCEL for text in row.read.readings)

    def _is_attempt(self, row: SortedLine) -> bool:
        """Whether a line was to be an order: it names a die, or its verb has a slip."""
        words = row.read.text.split()
        slipped = 0 < len(words) <= _FEW and correct_typo(words[0], self._verbs)
        return row.what is LineType.OTHER and (names_die(row.line) or bool(slipped))

    def _reads(self, one: PlainLine) -> bool:
        return any(map(self.session.reads, one.readings))

    def _is_any(self, one: PlainLine) -> bool:
        """Whether a line is an order, or one with a fault."""
        return self._reads(one) or any(map(self.session.is_faulty, one.readings))

    def _is_covered(self, one: PlainLine) -> bool:
        """Whether a line is an order only by what it names."""
        found = [self.session.covers(text) for text in one.readings if self.session.reads(text)]
        return bool(found) and all(found)

    def _is_signed(self, block: tuple[str, ...], *, chosen: bool) -> bool:
        """Whether the writer is known to end letters so; `chosen`: all else in the letter is numbers."""
        request = self.session.request
        return duplicates.signature_lines(
            request.ends, block, chosen=chosen and any(one.choices for one in request.listed)
        )

    def _goes_on(self, line: str, below: str) -> bool:
        """Whether a program has broken a line here: an option of our mails, or an order that reads only as a whole."""
        joined = f"{line} {below}"
        if len(joined) > MAX_LINE_LENGTH:
            return False
        if (COSTS.strip() in line or line.startswith("[")) and any(
            option.startswith(_bare(joined)) for option in self._listed
        ):
            return True
        if len(line) + 1 + len(below.split()[0]) <= BREAKS:
            return False
        rest = parse_line(below, self.names)
        if self._begins_order(rest) or self._reads(rest):
            return False
        return self._reads(parse_line(joined, self.names))

    def _is_tail(self, above: SortedLine, row: SortedLine) -> bool:
        """Whether an order may be the rest of the talk above it, which is so long that a program may have broken it."""
        return (
            row.joins and above.does is Does.SAY and row.does is not Does.ASK and may_be_wrapped(above.line, row.line)
        )

    @cached_property
    def _listed(self) -> tuple[str, ...]:
        """The options of the position as mails list them, each with what it would do, as they are compared."""
        session, language = self.session, self.session.request.language
        if session.decision() is None:
            return ()
        offers, say = (
            offers_of(session.game, session.now.state, session.seat, language),
            language_catalogue(language).render,
        )
        return tuple(_bare(f"{text} · {say(offer.says)}") for offer in offers for text in (offer.title, offer.text))


def _bare(line: str) -> str:
    """A listed option as it is compared, without its number."""
    text = normalize_line(line)
    return fold_text(text.partition("]")[2] if text.startswith("[") else text).strip()


def _counts(row: SortedLine) -> bool:
    """Whether a line is a number in one word, which may count the orders of a letter."""
    return row.read.is_number and fold_text(row.read.whole) in NUMBERS


def _numbered(rows: Sequence[SortedLine]) -> Iterator[PlainLine]:
    """The numbers of some lines that deny nothing, outside questions, the line that names it read as each."""
    if not any(courtesy.denies(row.line) for row in rows):
        for row in rows:
            for number in dict.fromkeys(filter(None, numbers_in(_QUESTION.sub("", row.line)))):
                yield PlainLine(row.raw, row.line, "", number)
