"""The orders of one letter, played on a working position: all or nothing, up to what has been shown.

No file is touched here. A `Session` takes a position and plays lines; in the end it tells which position, entries and
sentences stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.catalog import T
from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate
from engine.event_log import LogEntry
from engine.game import Decision, Reading
from engine.kit.words import fold_text
from pbem.desk import commands
from pbem.desk.commands.clarification import AskedBack, as_choices
from pbem.desk.commands.command import Command, Does
from pbem.desk.core.context import asked_of
from pbem.desk.core.option_lists import OptionList, offers_mark, offers_of
from pbem.desk.core.request import Request
from pbem.outbound.mail import LineAnswer
from pbem.outbound.translation import languages
from pbem.reading.line_parser import PlainLine, is_part, parse_line


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What stands so far: the position, the letter's entries, and for each line its sentences and canonical order."""

    state: Any
    entries: tuple[LogEntry, ...] = ()
    said: tuple[LineAnswer, ...] = ()
    orders: tuple[str, ...] = ()


class Session:
    """The working position of one letter. `entries` are those that led to `state` already."""

    def __init__(
        self, request: Request, state: Any, entries: tuple[LogEntry, ...] = (), chance: Chance | None = None
    ) -> None:
        self.request, self.game, self.seat = request, request.game, request.seat
        self.own = (request.names[request.seat], *request.signed)
        """The writer's names."""
        self.names = (*request.names.values(), *request.signed)
        """The names of everybody at the table, and the writer's."""
        self.now = Checkpoint(state, entries)
        self.safe = self.now
        """What stands whatever the next lines are: the beginning, or the last commit point."""
        self.revealed = False
        self.answered = False
        """Whether anything but standing orders was played."""
        self._chance = chance or request.chance
        self._first = request.first
        self._begun = state
        self._since: list[Any] = []
        self._heard: tuple[Any, dict[str, Reading[Any] | OrderRefused]] = (None, {})

    @property
    def played(self) -> bool:
        """Whether any order is in force now."""
        return bool(self.now.said)

    @property
    def quiet(self) -> bool:
        """Whether only standing orders were given, and nobody is asked anything else for it."""
        return self.played and not self.answered and self.game.waiting(self._begun) == self.game.waiting(self.now.state)

    def decision(self) -> Decision | None:
        """What the seat is asked in the working position."""
        return asked_of(self.game, self.now.state, self.seat)

    def play(self, line: str, written: str) -> None:
        """Read one line in the working position and play it. Raises OrderRefused; then nothing has changed."""
        if self.decision() is None and not self.anytime(line):
            raise self.not_asked()
        reading, now = self.understand(line), self.now
        order = reading.order
        if (mistake := self.game.suspicious(self.safe.state, self.seat, (*self._since, order))) is not None:
            raise NotAllowed(mistake)
        step = self.game.apply(now.state, self.seat, order, self._chance)
        told = self.game.tell(step.state, step.entries, self.seat, self._first + len(now.entries))
        # What ends the game is told by the final mail, which takes the place of this answer.
        effects = tuple(line.says for line in told if not line.final)
        said = LineAnswer(written, self._written(reading), effects, reading.assumed)
        self.now = Checkpoint(step.state, (*now.entries, *step.entries), (*now.said, said), (*now.orders, reading.text))
        self._since.append(order)
        self.answered = self.answered or not reading.anytime
        if step.reveals:
            self.safe, self.revealed = self.now, True
            self._since.clear()

    def fall_back(self) -> tuple[LineAnswer, ...]:
        """Take back what was played since the last commit point, and return its lines."""
        lost, self.now = self.now.said[len(self.safe.said) :], self.safe
        self._since.clear()
        return lost

    def understand(self, line: str) -> Reading[Any]:
        """Read a line in the working position, once however often it is asked for. Raises OrderRefused."""
        if self._heard[0] is not self.now.state:
            self._heard = (self.now.state, self.request.readings if self.now.state is self.request.state else {})
        state, heard = self._heard
        if line not in heard:
            try:
                heard[line] = self.game.read(state, self.seat, line)
            except OrderRefused as refused:
                heard[line] = refused
        found = heard[line]
        if isinstance(found, OrderRefused):
            raise found.with_traceback(None)
        return found

    def refusal(self, line: str) -> OrderRefused | None:
        """Why the game refuses a line; None for an order."""
        try:
            self.understand(line)
        except OrderRefused as refused:
            return refused
        return None

    def reads(self, line: str) -> str:
        """The order that a line is, as the game writes it; empty for none."""
        refused = self.refusal(line)
        # A standing order with a fault counts as it stands: nothing else begins so.
        return self.understand(line).text if refused is None else line if refused.anytime else ""

    def verb(self, line: PlainLine) -> str:
        """The verb of the order that a line is; empty for none."""
        return next(filter(None, map(self.reads, line.readings)), "").partition(" ")[0]

    def is_faulty(self, line: str) -> bool:
        """Whether the game finds an order in a line, and something wrong with it."""
        return not isinstance(self.refusal(line), NotUnderstood | None)

    def check_is_order(self, line: str) -> None:
        """Raise NotUnderstood for a line that is no order, whether it can be played or not."""
        if not (parse_line(line).is_number or self.is_faulty(line)):
            self.understand(line)

    def anytime(self, line: str) -> bool:
        """Whether a line is an order that answers no decision, and so may come whoever is asked."""
        return (self.refusal(line) or self.understand(line)).anytime

    def covers(self, line: str) -> bool:
        """Whether no grammar reads a line, and it names one order whole."""
        return not self.refusal(line) and self.understand(line).covered

    def not_asked(self) -> OrderRefused:
        """Why the seat, which is not asked in the working position, cannot play one more line."""
        if self.played:
            return NotAllowed(T("Your turn was over before this line."))
        if self.game.result(self.now.state) is not None:
            return TooLate(T("The game is over."))
        return TooLate(T("It is not your turn."))

    def yes_number(self) -> int:
        """The option that a bare «yes» takes: what was tried, or the first choice of a mail's own; 0 for none."""
        listed = self.request.listed[0] if len(self.request.listed) == 1 else OptionList()
        found = [commands.parse_command(line) for line in listed.choices[0].split("\n")] if listed.choices else ()
        # Talk needs its number.
        return listed.tried or int(bool(found) and not any(one and one[0].does is Does.SAY for one in found))

    def meant(self, line: PlainLine) -> tuple[str, ...]:
        """The orders and commands that a line stands for: an option by its number or its words, or itself. Raises
        OrderRefused for a number without meaning, AskedBack for one that may not have been meant."""
        request, number = self.request, line.number
        if number is None:
            return (self._words_meant(line),)
        own = any(listed.choices for listed in request.listed)
        words = line.words if line.words and self.reads(line.words) else line.text
        words = line.front if commands.parse_command(line.front) else words
        # A choice of a mail's own may be talk, which is never too late; its lines are refused where they are.
        if not own and (request.held is not None or self.decision() is None):
            return (words or line.whole,)
        if not own and request.late:
            raise game_has_gone_on()
        if not words:
            return tuple(self._option(number).split("\n"))
        if not line.sure and self.reads(line.whole) and not self.reads(words):
            return (line.whole,)
        marked = re.search(rf"\b{number}\s*[\])(.:=-]", line.whole) is not None
        return tuple(self._agreed(number, words, marked=marked).split("\n"))

    def _words_meant(self, line: PlainLine) -> str:
        """The reading of a line without a number that is an order, or else the one whose refusal says most."""
        if found := [text for text in line.readings if self.reads(text)]:
            # What the grammar reads without courtesy goes before what only the whole line names.
            return next((text for text in found if not self.covers(text)), found[0])
        return next(filter(self.is_faulty, line.readings), line.text)

    def _option(self, number: int) -> str:
        """What a number stands for: an order, or several lines. Raises OrderRefused where it stands for nothing."""
        if self.played and self.decision() is None:
            raise self.not_asked()
        offers = self._offers(self._begun)
        now, begun = self.now.state, self._begun
        if self.played and (self._kind(now) != self._kind(begun) or self._offers(now) != offers):
            raise NotAllowed(
                T("«{n}» counts in the list of the mail you answer, which the lines before it have changed.", n=number),
                possible=(T("Send the lines before it alone; the answer brings the new list."),),
            )
        mark = offers_mark(offers)
        mailed = self.request.listed or (OptionList(mark),)
        lists = [one.choices or (offers if one.mark == mark else self._offers_marked(one.mark)) for one in mailed]
        if all(one is None for one in lists):
            raise TooLate(T("The list of options has changed since your mail was sent."))
        texts = [None if one is None else one[number - 1] if 1 <= number <= len(one) else "" for one in lists]
        # Lists of one decision may be written in two languages: what they order is compared.
        orders = {tuple(self.reads(line) or line for line in text.split("\n")): text for text in texts if text}
        found = tuple(orders.values())
        if not found:
            most = max(len(one) for one in lists if one is not None)
            raise NotUnderstood(T("There is no option {n}; the list has {most}.", n=number, most=most))
        if len(found) > 1 or not all(texts):
            raise AskedBack(T(
                "Your letter does not tell which of my mails it answers, and «{n}» is not the same in all.", n=number,
            ), as_choices(*found))  # fmt: skip
        if not any(one.shows(number) for one in mailed):
            says = T("The mail that you answer does not show option {n}, which is this.", n=number)
            raise AskedBack(says, as_choices(*found))
        return found[0]

    def _agreed(self, number: int, words: str, *, marked: bool) -> str:
        """What an option's number and the words beside it order together: the words are all of the option, its
        beginning, or some of it where the number is `marked` as one («2) palace»). Raises AskedBack for two orders."""
        if not any(map(str.isalnum, words)):
            says = T("«{line}» may ask. «1» plays it.", line=f"{number} {words}")
            raise AskedBack(says, as_choices(self._option(number)))
        try:
            text = self._option(number)
        except (TooLate, NotAllowed):
            # Of a list that is gone the words alone are left, and they are a whole order.
            return words
        except NotUnderstood:
            text = ""
        except AskedBack as several:
            if same := [choice.text for choice in several.choices if fold_text(words) == fold_text(choice.text)]:
                return same[0]
            raise
        said, first = fold_text(words), fold_text(text.partition("\n")[0])
        if marked and text and is_part(said, first):
            return text
        if said == first or (first.startswith(f"{said} ") and not self.reads(words)):
            return text
        own = self._canonical(words)
        if not text or self._canonical(text) != own:
            says = T("The words beside «{n}» are not option {n} of the mail that you answer.", n=number)
            own = self.request.worded(self.now.state, own)
            raise AskedBack(says, as_choices(own, text) if text else as_choices(own))
        return words

    def _canonical(self, text: str) -> str:
        """An order as it is written; several, and commands, as they stand. Raises OrderRefused."""
        return text if "\n" in text or commands.parse_command(text) else self.understand(text).text

    def _written(self, reading: Reading[Any]) -> str:
        """An order in its writer's language."""
        one = self.request.language
        return reading.text if one == "en" else self.game.write(self.now.state, self.seat, reading.order, one)

    def _offers(self, state: Any, language: str = "") -> tuple[str, ...]:
        return tuple(one.text for one in offers_of(self.game, state, self.seat, language or self.request.language))

    def _offers_marked(self, mark: str) -> tuple[str, ...] | None:
        """The options with a mark in another language, which their reader had until now; None where there are none."""
        others = (self._offers(self._begun, one) for one in languages() if one != self.request.language)
        return next((texts for texts in others if offers_mark(texts) == mark), None)

    def _kind(self, state: Any) -> str:
        asked = asked_of(self.game, state, self.seat)
        return asked.kind if asked else ""


class Trial(Session):
    """Orders on a redacted copy, up to the first unknown. Nothing of it is stored, and no number is drawn."""

    def __init__(self, session: Session) -> None:
        request = session.request
        super().__init__(
            request, request.game.moderation.redacted(session.now.state, request.seat), chance=BlindChance()
        )
        self._first = 1
        self.said: tuple[LineAnswer, ...] = ()
        self.stopped = False

    def try_out(self, line: str, written: str) -> None:
        """Try one more line. Raises OrderRefused; after something unknown, lines are only shown back."""
        if self.stopped:
            self.said = (*self.said, LineAnswer(written, reason=T("Not tried: what comes before it is not known yet.")))
            return
        try:
            self.play(line, written)
        except UnknownDraw as unknown:
            self._stop(line, written, unknown.entries)
            return
        if self.revealed:
            # The step showed something hidden without a draw (sealed answers): its entries must not be told.
            self._stop(line, written)
            return
        self.said = self.now.said

    def canonical(self, line: str) -> str:
        """The line that was tried last, in its writer's language, also where what it shows is not known."""
        if not self.stopped and self.said:
            return self.said[-1].understood
        return line if self.refusal(line) else self._written(self.understand(line))

    def attempt(self, lines: Sequence[str]) -> tuple[LineAnswer, ...] | None:
        """Try lines in turn: each in its writer's language, with what it does. None where one is refused."""
        said = list[LineAnswer]()
        for line in lines:
            if command := commands.parse_command(line):
                if not _can(self.request, *command):
                    return None
                said.append(LineAnswer(line, line))
                continue
            try:
                if self.stopped:
                    self.check_is_order(line)
                self.try_out(line, line)
            except OrderRefused:
                return None
            said.append(replace(self.said[-1], understood=self.canonical(line)))
        return tuple(said)

    def _stop(self, line: str, written: str, before: tuple[LogEntry, ...] = ()) -> None:
        """End the trial at the unknown; what comes before it is told."""
        reason = T("What follows shows something that nobody knows before it is played; the trial ends here.")
        told = self.game.tell(self.now.state, before, self.seat, 1) if before else ()
        self.stopped = True
        self.said = (*self.said, LineAnswer(written, line, tuple(one.says for one in told), reason=reason))


def _can(request: Request, command: Command, argument: str) -> bool:
    """Whether a command can be done: it has what it needs, and there is something to take back."""
    if command.does is Does.UNDO:
        own = bool(request.marks) and request.marks[-1].seat == request.seat
        return own or request.game.withdraw(request.state, request.seat) is not None
    return bool(argument) or not (command.needs or command.does in (Does.SAY, Does.TRY))


def game_has_gone_on() -> OrderRefused:
    """Why an answer to an older mail is not played."""
    return TooLate(T("The game has gone on since the mail that you answer; here is the position now."))
