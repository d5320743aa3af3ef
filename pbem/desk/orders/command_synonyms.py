"""Commands in people's own words, by the table of `pbem/reading`. A line that is a synonym of a question is answered,
since that changes nothing. Any other short letter without an order or a command is asked back as the commands nearest
to it, with a word, an order or dates of the line behind each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.catalog import T
from engine.errors import OrderRefused
from engine.kit.words import close_matches, fold_text
from pbem.desk import commands
from pbem.desk.commands import preferences
from pbem.desk.commands.command import Does
from pbem.desk.commands.info_commands import HINT
from pbem.desk.commands.table_talk import FOR_ME, excludes_somebody
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result, reply_result
from pbem.desk.orders import chat
from pbem.desk.orders.session import Session
from pbem.outbound.mail import Choice, MailKind, Message
from pbem.reading import courtesy
from pbem.reading.command_phrases import COMMAND_ROWS, CommandRow, LineWords, begins_asking, nearest_commands
from pbem.reading.courtesy import NUMBERS
from pbem.reading.line_parser import names_die, parse_line, talk_text
from pbem.reading.normalize import may_be_wrapped
from pbem.store.game_table import Status

MOST, BESIDE = 3, 2
"""Commands that a letter is asked back as, and beside orders, which are as many at most."""
ANYTHING = ("status", "options", "help")
"""What may answer a question of which nothing is known."""
_LINES, _LONG, _WORDS = 6, 300, 40
"""A letter of more lines, or longer ones, is no question."""
_LOOKED_AT = 20
"""Lines of a letter that may be a synonym."""
_SPAN, _NAME = 10, 4
"""Words of an argument at most, and of a name."""
_RULING = re.compile(r"[ADE]\d{1,3}")
_THAT = re.compile(r"^(?:that |que |qu')", re.IGNORECASE)
_SAID_THAT = re.compile(r": (?:that |que |qu')", re.IGNORECASE)
_OF_PEOPLE = ("say", "say all:")


def replace_synonyms(request: Request) -> Request:
    """The letter with each line that is a synonym of a question as that question."""
    reader = _Reader(request)
    lines = tuple(reader.question(line) or line for line in request.lines[:_LOOKED_AT])
    lines += tuple(request.lines[_LOOKED_AT:])
    return request if lines == tuple(request.lines) else replace(request, lines=lines)


def offer_commands(request: Request, result: Result) -> Result:
    """What becomes of a letter in which neither an order nor a command was found: it is asked back as the nearest."""
    answer = result.answer
    if answer is None or answer.kind is not MailKind.REFUSAL or result.lasts or result.reading.clear:
        return result
    rows, reader = _rows(request), _Reader(request)
    asks = any(map(begins_asking, rows))
    single = len(rows) == 1 and len(rows[0].split()) == 1 and bool(answer.repairs)
    known = any(commands.parse_command(talk_text(raw)) for raw in rows)
    sets = any(_does(talk_text(raw)) is Does.SET for raw in rows) and any(one.possible for one in answer.said)
    answered = answer.choices or len(rows) > 1 or sets
    if (known and answered) or (not asks and single) or any(map(reader.is_order, rows)):
        return result  # it was read, and has its answer; a single word is mended as a word
    if not asks and any(one.rule or one.reason == chat.NOT_YOURS for one in answer.said):
        return result  # it looks like an order, which cannot be given
    orders = _distinct((*answer.choices, *answer.repairs))
    found = [choices for raw in rows if (choices := reader.choices(raw))]
    if not found or not (asks or any(map(reader.begins, rows))):
        return result
    wishes = _distinct((*(one[0] for one in found), *(choice for one in found for choice in one)))
    likely = orders[: max(MOST, len(answer.choices))]
    # A setting whose hours or dates stand in the letter is likelier than an order.
    sets = any(map(reader.sets, rows))
    choices = _distinct((*wishes[:MOST], *likely) if sets else (*likely, *wishes[: BESIDE if orders else MOST]))
    says = T("This may be meant as one of the choices below, or as talk. One number says which.")
    # Why it is no order, or what is wrong with a setting, was said already.
    notes = (says, *answer.notes[-1:])
    return reply_result(request.context, replace(answer, notes=notes, choices=choices, repairs=(), brief=True))


def offer_absence(request: Request, told: Message) -> Message:
    """The answer to what may be an automatic note, with the absence that it tells as a choice."""
    row, reader = next(row for row in COMMAND_ROWS if row.line == "away"), _Reader(request)
    found = (reader.filled(row, LineWords(raw)) for raw in _rows(request))
    lines = [line for line in found if line.startswith("away ")][:1]
    return replace(told, choices=tuple(map(reader.choice, lines)), quiet=False, brief=True) if lines else told


def _distinct(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Choices, each text once."""
    return tuple({one.text: one for one in reversed(choices)}.values())[::-1]


def _rows(request: Request) -> list[str]:
    """The lines of a letter without greetings and closings, those joined that a program broke; none of a long one."""
    names, rows = (*request.names.values(), *request.signed), list[str]()
    for line, raw in zip(request.lines, request.written, strict=False):
        idle = courtesy.is_greeting(line, names) or courtesy.is_courtesy(line) or courtesy.is_closing(line, names)
        # «To all: have a nice game» is more than that wish.
        if not line.strip() or (idle and not any(row.line in _OF_PEOPLE for row, _ in LineWords(line).synonyms())):
            continue
        if rows and may_be_wrapped(rows[-1], line):
            rows[-1] = f"{rows[-1]} {raw.strip()}"
        else:
            rows.append(raw.strip())
    short = len(rows) <= _LINES and all(len(row) <= _LONG and len(row.split()) <= _WORDS for row in rows)
    return rows if short else []


class _Reader:
    """What lines mean at a table."""

    def __init__(self, request: Request) -> None:
        self.request, self.game = request, request.game.reference
        self.session = Session(request, request.state, request.entries)
        self.names = self.session.names

    def question(self, line: str) -> str:
        """The question, or the trial, that a whole line is a synonym of; empty for any other."""
        if not line.strip() or len(line) > _LONG or commands.command_line(one := parse_line(line, self.names)):
            return ""
        if one.number is not None or len(line.split()) > _WORDS or self._order(one.text):
            return ""
        names = line.rstrip().endswith("?") and one.text.rstrip(" ?") not in self.game.verbs()
        if names and (term := self._term(one.text)):
            return f"help {term}"
        for words in map(LineWords, dict.fromkeys((one.text, one.whole))):
            for row, at in words.synonyms():
                first, last = words.argument(at)
                if _does(row.line) not in (Does.ASK, Does.TRY) or row.line == HINT or (first < last and not row.takes):
                    continue
                if found := self._with(row, words.part(first, last)) if first < last else row.line:
                    return found
        return ""

    def is_order(self, raw: str) -> bool:
        """Whether a line is an order, whose turn it may be."""
        return any(map(self._order, parse_line(raw, self.names).readings))

    def begins(self, raw: str) -> bool:
        """Whether a line has all the words of a phrase, or a value of a setting, or is for somebody at the table."""
        whole = any(share == 1 for _, share in nearest_commands(raw)[:1]) or any(
            LineWords(talk_text(raw, self.names)).synonyms()
        )
        return whole or self.sets(raw) or bool(self._to_people(raw))

    def sets(self, raw: str) -> bool:
        """Whether the command nearest to a line is a setting, of which it has a value."""
        words, near = LineWords(talk_text(raw, self.names)), (row for row, _ in nearest_commands(raw)[:1])
        return any(_does(row.line) is Does.SET and self.filled(row, words) not in ("", row.line) for row in near)

    def choices(self, raw: str) -> tuple[Choice, ...]:
        """What a line may mean, the likest first."""
        words = LineWords(talk_text(raw, self.names))
        if people := self._to_people(raw):
            return people[:MOST]
        begun = [(row, at) for row, at in words.synonyms() if row.line not in _OF_PEOPLE]
        notes = [self._noted(words.behind(at)) for row, at in begun if row.line == "note"]
        near = [row for row, _ in nearest_commands(raw) if row.line not in _OF_PEOPLE]
        rows = dict.fromkeys((*(row for row, _ in begun), *near))
        found = [*notes, *(self.filled(row, words, first=not at) for at, row in enumerate(rows) if row.line != "note")]
        if begins_asking(raw):
            found += [*self._terms(words), *ANYTHING]
        known = commands.parse_command(talk_text(raw))  # which was refused
        lines = dict.fromkeys(line for line in found if line and self._can_be(line))
        lines = {line: None for line in lines if known is None or commands.parse_command(line) != known}
        return tuple(map(self.choice, lines))[:MOST]

    def choice(self, line: str) -> Choice:
        """A command, or an order, as its writer's language has it."""
        if found := commands.parse_command(line):
            return Choice(commands.translate_command(line, self.request.language), found[0].says)
        return Choice(self.request.worded(self.request.state, line))

    def filled(self, row: CommandRow, words: LineWords, *, first: bool = False) -> str:
        """The command of a row with the longest argument in the line; `help` for the `first` row where it lacks one."""
        if not row.takes:
            return row.line
        if row.line == "help":
            return next(self._terms(words), "help")
        size, count = min(_SPAN, len(words.words)), len(words.words)
        spans = ((at, at + long) for long in range(size, 0, -1) for at in range(count - long + 1))
        if row.line == "try":
            spans = ((at, count) for at in range(max(0, count - _SPAN), count))
        line = next((line for one in spans if (line := self._with(row, words.part(*one)))), "")
        command = commands.find_command(row.line.split()[0])
        if not line and (" " in row.line or not command.needs):
            return row.line if row.line not in ("try", "ruling") else ""
        return line or (f"help {commands.translate_command(command.word, self.request.language)}" if first else "")

    def _with(self, row: CommandRow, said: str) -> str:
        """The command with some words behind it; empty where it does not take them."""
        request, words = self.request, [fold_text(word) for word in said.split()]
        match row.line:
            case "help" | "card":
                said = self._term(said)
            case "options":
                told = all(word.isdigit() or names_die(word) or self._is_name(word) for word in words)
                said = said if told and not all(map(str.isdigit, words)) else ""
            case "history":
                known = {word for phrase in row.like for word in phrase.split()}
                number = words[0] if words[0].isdigit() else str(NUMBERS.get(words[0], ""))
                said = number if number and known.issuperset(words[1:]) else ""
            case "ruling":
                said = said.upper() if _RULING.fullmatch(said.upper()) else ""
            case "try":
                said = self._order(said)
            case _:
                found = commands.parse_command(f"{row.line} {said}")
                if found is None or request.now is None or request.hours is None:
                    return ""
                try:
                    preferences.parse_setting(*found, request.table, request.seat, request.hours, request.now)
                except OrderRefused:
                    return ""
        return f"{row.line} {said}" if said else ""

    def _term(self, said: str) -> str:
        """The card, place or word of the rules, or the command, that some words name."""
        word = "-".join(LineWords(said).words)
        if word in commands.command_words() or (not said.isdigit() and self._is_explained(word)):
            return word
        return next(
            filter(self._is_explained, close_matches(word, self.game.words(), 1, 0.85) if len(word) > 3 else ()), ""
        )

    def _is_explained(self, word: str) -> bool:
        return self.game.explain(word, self.request.state) is not None

    def _is_name(self, word: str) -> bool:
        return len(word) > 2 and self._is_explained(word)

    def _terms(self, words: LineWords) -> Iterator[str]:
        """`help` of the names in a line, the longest first; of the words that ask, none."""
        phrases = (phrase for row in COMMAND_ROWS if row.line == "help" for phrase in (*row.said, *row.like))
        asking, count = {word for phrase in phrases for word in phrase.split()}, len(words.words)
        for size in range(min(_NAME, count), 0, -1):
            for at in range(count - size + 1):
                small = len(words.words[at]) < 3 and not words.part(at, at + 1).isupper()
                idle = size == 1 and (small or words.words[at] in asking)
                if not idle and (term := self._term(" ".join(words.words[at : at + size]))):
                    yield f"help {term}"

    def _order(self, said: str) -> str:
        """The order that some words are, also where the verb has another ending; empty for none."""
        first, space, rest = said.partition(" ")
        verbs = (
            verb for verb in sorted(self.game.verbs()) if len(verb) > 3 and fold_text(first)[:4] == fold_text(verb)[:4]
        )
        orders = map(self.session.reads, (said, *(f"{verb}{space}{rest}" for verb in verbs)))
        return self.request.worded(self.request.state, next(filter(None, orders), ""))

    def _to_people(self, raw: str) -> tuple[Choice, ...]:
        """Words for somebody at the table, as lines that tell them: to one alone before to all."""
        words = LineWords(talk_text(raw, self.names))
        for row, at in words.synonyms():
            if row.line in _OF_PEOPLE and (said := words.behind(at)):
                if to_all := row.line == "say all:":
                    said = f"all {said}" if excludes_somebody(f"all {said}") else f"all: {said}"
                found = chat.asks_the_table(self.request, (said,))
                found = tuple(replace(one, text=_SAID_THAT.sub(": ", one.text, count=1)) for one in found)
                break
        else:
            found, to_all = chat.asks_the_table(self.request, (raw,)) if ":" in raw else (), False
        # What is only for all, as most of what people write, is none.
        first = commands.parse_command(found[0].text) if found else None
        return found if to_all or (first and first[0].word == "tell") else ()

    def _noted(self, said: str) -> str:
        line = f"note {_THAT.sub('', said)}"
        return line if commands.parse_command(line) else f"note {FOR_ME} {said}"

    def _can_be(self, line: str) -> bool:
        """Whether a command may do something at this table as it is, or an order is one here."""
        if (found := commands.parse_command(line)) is None:
            return bool(self._order(line))
        (command, argument), status = found, self.request.table.status
        if status is Status.ENDED and command.does in (Does.SET, Does.UNDO, Does.BACK):
            return command.word in (*preferences.PERSONAL, "again")
        return command.word != "vote" or command.meant(argument) != "resume" or status is Status.HELD


def _does(line: str) -> Does | None:
    """What a command does; None for an order of the game."""
    found = commands.parse_command(line)
    return found[0].does if found else None
