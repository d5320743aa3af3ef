"""One letter read against the position, line by line, and what becomes of it. No file is touched and no mail sent.

A crash here leaves nothing: what is decided is a value, and only `commit` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate
from pbem.desk import commands
from pbem.desk.commands import clarification, info_commands
from pbem.desk.commands.clarification import NO_ORDER, AskedBack, as_choices, retracted_lines
from pbem.desk.commands.command import Command, Does
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.desk.orders import confirmation, duplicates, suggestions
from pbem.desk.orders.line_types import LineType, SortedLetter, SortedLine, Sorter
from pbem.desk.orders.reply_builder import ReplyBuilder
from pbem.desk.orders.session import Trial, game_has_gone_on
from pbem.desk.pregame.invitation_answer import Means, parse_invitation_answer
from pbem.inbound.sanitize import WRITTEN_LIMIT, clean_text
from pbem.outbound.mail import LineAnswer, MailKind
from pbem.reading.line_parser import PlainLine, parse_line, talk_text
from pbem.store.game_table import LetterEndings

MAX_ORDERS, MAX_SHOWN = 60, 8
"""Orders and commands in one letter; lines that a letter without an order is shown back."""
_WHICH = T("Your letter names more than one number. Which of them is your move?")
_ALONE = T("«board» stands alone in its letter, because its answer is made to be forwarded.")


def interpret(request: Request) -> Result:
    """Read a letter's lines and say what becomes of it. Raises only for defects."""
    result = (reading := _Interpreter(request)).read()
    result = result.with_reading(unread=reading.letter.unread)
    answer, known = result.answer, request.ends
    if result.reading.ends is None and known.asked and answer is not None and (answer.choices or answer.repairs):
        # A number of this answer passes over nothing that an earlier letter was asked back for.
        return result.with_reading(ends=replace(known, asked=()))
    return result


class _Interpreter(ReplyBuilder):
    """The state of one reading."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.complete = False
        """Whether a sealed decision was answered completely: a second answer would mean two things."""
        self.begun = False
        self.names = self.session.names
        self.letter = Sorter(self.session).sort(request.lines, request.written)
        if request.nothing is not None:
            self.letter = replace(self.letter, strange=self._unsure(self.letter))

    def read(self) -> Result:
        if (asked := self._beforehand()) is not None:
            return asked
        if (told := confirmation.misplaced_line(self.session, self.letter)) is not None:
            return self._refused(*told)
        for count, row in enumerate(self.letter.rows, 1):
            try:
                self._do(count, row)
            except OrderRefused as refusal:
                result = self._refused(row, refusal)
                answer = result.answer
                mended = answer is not None and (answer.choices or answer.repairs)
                return result if mended or row.read.number is None else self._perhaps() or result
            self.begun = True
        unread = clarification.unread_note(self.letter.unread)
        if self.trial is not None:
            said, notes = (*self.aside, *self.trial.said), (T("Nothing was played."), *unread)
            more = {"answers": self.told, "repairs": suggestions.trial_choices(self.session, self.trial.said)}
            return self.kept(self.unplayed(MailKind.TRIAL, said, notes, tuple(self.talk), **more))
        if not self.begun:
            return self._perhaps() or self._no_order()
        changed = self.withdrawn or self.taken_back is not None or self.returns is not None
        done = self.session.played or changed or bool(self.talk or self.settings)
        result = self.done(MailKind.RECEIPT if done else MailKind.ANSWER, unread)
        return result.with_reading(ends=ends) if done and (ends := self._ends(asked=False)) is not None else result

    def _unsure(self, letter: SortedLetter) -> tuple[str, ...]:
        """What is asked about before the game, when people say friendly words and may still change their mind."""
        own = {text for row in letter.rows for text in row.beside}
        return tuple(
            one
            for one in letter.strange
            if one in own or parse_invitation_answer(one, self.names).means is Means.UNSURE
        )

    def _beforehand(self) -> Result | None:
        """What is asked before anything is played: about lines that are no orders at all, though what stands above may
        show something, and about what stands beside the orders."""
        letter, orders = self.letter, list[str]()
        plays = any(row.read.is_number or any(map(self.session.reads, row.read.readings)) for row in letter.rows)
        if not letter.strange and (len(letter.rows) < 2 or not plays):
            return None
        trial = Trial(self.session)
        for count, row in enumerate(letter.rows, 1):
            try:
                self._check(count, row)
                for line in self._meant(row.read):
                    found = commands.parse_command(line)
                    if found and plays:
                        confirmation.check_command(self.request, *found)
                    if not found and not suggestions.has_undo(orders):
                        self._foresee(trial, line, row)
                        line = trial.canonical(line)
                    orders.append(clean_text(self._spoken(row.raw, line), 0) if found else line)
            except OrderRefused as refusal:
                is_none = isinstance(refusal, NotUnderstood) or row.what is LineType.OTHER or "?" in row.raw
                if letter.strange or (self.plays and (is_none or count > MAX_ORDERS)):
                    return self._refused(row, refusal, orders)
                return None
        return self._beside(orders) if letter.strange else None

    def _foresee(self, trial: Trial, line: str, row: SortedLine) -> None:
        """Try an order. Raises OrderRefused; behind something unknown only for a line that is none, or asks."""
        if self.request.held is not None:
            raise TooLate(self.request.held)
        if self.request.late and not self.session.anytime(line):
            raise game_has_gone_on()
        if trial.stopped and (row.what is LineType.OTHER or "?" in row.raw):
            self.session.understand(line)
        elif trial.stopped:
            self.session.check_is_order(line)
        trial.try_out(line, row.raw)

    def _beside(self, orders: Sequence[str]) -> Result:
        """What stands beside the orders is on no list: nothing is played, and it is asked about."""
        letter = self.letter
        choices, notes = suggestions.choices_beside(self.session, letter, orders)
        shown = (
            *(LineAnswer(row.raw) for row in letter.rows[-MAX_SHOWN:] if not row.beside),
            *(
                LineAnswer(text, reason=T("This may change what stands beside it."))
                for text in letter.strange[:MAX_SHOWN]
            ),
        )
        result = self.unplayed(MailKind.REFUSAL, shown, (*notes, self.nothing()), choices=choices, brief=True)
        return result.with_reading(ends=self._ends(asked=True), clear=True)

    def _ends(self, *, asked: bool) -> LetterEndings | None:
        """How this person's letters end, with this one; None where it tells nothing new."""
        request = self.request
        own = any(listed.choices for listed in request.listed)
        passed = own and any(row.read.is_number and row.read.number == 1 for row in self.letter.rows)
        ends = duplicates.remember_ending(request.ends, self.letter.below, self.session.own, asked=asked, passed=passed)
        return None if ends == request.ends else ends

    def _perhaps(self) -> Result | None:
        """Ask which of the numbers among words that are no order is the order."""
        found: dict[str, PlainLine] = {}
        for line in self.letter.maybe if self.plays else ():
            with suppress(OrderRefused):
                found.setdefault("\n".join(self._meant(line)), line)
        if not found:
            return None
        order, line = next(iter(found.items()))
        says = T(
            "«{line}» is no order. Only its «{n}» can mean something: option {n}, «{order}», which «1» plays. Or write "
            "an order as the mail's list does.",
            line=clean_text(line.whole, WRITTEN_LIMIT // 2), n=line.number or 0, order=order.partition("\n")[0],
        )  # fmt: skip
        said = (LineAnswer(line.whole, reason=_WHICH if len(found) > 1 else says),)
        choices = as_choices(*found)[: suggestions.MAX_SUGGESTED]
        return self.unplayed(MailKind.REFUSAL, said, (self.nothing(),), choices=choices, brief=True)

    def _no_order(self) -> Result:
        read, why = tuple(LineAnswer(raw) for raw in self.request.written if raw.strip())[:MAX_SHOWN], NO_ORDER
        if not read:
            why = T(
                "No order was found: nothing of your own is in your letter, and what your program quotes of a mail "
                "is not read. Write above or below it, one order a line, or the number of an option."
            )
        near = suggestions.suggest_choices(self.session, self.request.lines)
        return self.unplayed(MailKind.REFUSAL, read, (why, self.nothing()), repairs=near)

    def _do(self, count: int, row: SortedLine) -> None:
        """Do what a line says. Raises OrderRefused."""
        # The orders of one line are told with it once.
        raw = "" if count > 1 and row.raw is self.letter.rows[count - 2].raw else row.raw
        self._check(count, row)
        for line in self._meant(row.read):
            if found := commands.parse_command(line):
                self._command(*found, line, raw)
            else:
                self._order(line, raw)
            raw = ""

    def _check(self, count: int, row: SortedLine) -> None:
        """Refuse a line for its place in the letter, or ask it back. Raises NotAllowed, AskedBack."""
        if count > MAX_ORDERS:
            raise NotAllowed(T("A letter has at most {n} orders.", n=MAX_ORDERS))
        if "board" in self.asked:
            raise NotAllowed(_ALONE)
        # What a letter could not play is not asked about: it is refused for that.
        if self.plays or row.command:
            confirmation.confirm_line(self.session, self.letter, row)

    def _meant(self, line: PlainLine) -> tuple[str, ...]:
        if command := commands.command_line(line):
            return (command,)
        if self.complete or (self.trial is not None and self.trial.stopped):
            return (line.text or line.whole,)
        return (self.trial or self.session).meant(line)

    def _spoken(self, raw: str, line: str) -> str:
        """A command; talk as it was written, where it stands in what was written: accents and marks are kept."""
        words = talk_text(raw, self.names)
        found = commands.parse_command(words)
        return words if found and found[0].does in (Does.SAY, Does.TRY) else line

    def _order(self, line: str, raw: str) -> None:
        request, session = self.request, self.session
        if request.held is not None:
            raise TooLate(request.held)
        if self.trial is not None:
            self.trial.try_out(line, raw)
            return
        before = session.decision()
        # A standing order answers nothing: it may come whoever is asked, and with any token of the seat.
        if (request.late or self.complete or before is None) and session.anytime(line):
            session.play(line, raw)
            return
        if self.complete:
            self.session.check_is_order(line)
            raise NotAllowed(T("Your answer was complete before this line, and one letter gives one answer."))
        if before is None:
            if session.played:
                self.session.check_is_order(line)
                raise session.not_asked()
            if request.nothing is not None:
                # Before the game everybody may still change their mind: what is in doubt is asked back.
                session.understand(line)
            raise game_has_gone_on() if request.late else session.not_asked()
        if request.late:
            rows = self.letter.rows[len(self.settings) :]
            raise suggestions.late_letter(session, rows) if self.only_sets or not self.begun else game_has_gone_on()
        session.play(line, raw)
        after = session.decision()
        goes_on = after is not None and after.number == before.number and not after.answered
        self.complete = before.sealed and not goes_on

    def _command(self, command: Command, argument: str, line: str, raw: str) -> None:
        confirmation.check_argument(command, argument)
        match command.does:
            case Does.ASK:
                self._ask(command, argument, raw)
            case Does.SAY:
                words = self._spoken(raw, line)
                found = commands.parse_command(words)
                self.say(command, found[1] if found else "", raw, clean_text(words, 0))
            case Does.TRY:
                self._try(argument, raw)
            case Does.UNDO:
                self.undo(raw)
            case Does.BACK:
                self.back(raw)
            case Does.SET:
                self.set(command, argument, raw)
            case _:
                raise NotUnderstood(T("«{word}» stands alone on its line.", word=command.name))

    def _ask(self, command: Command, argument: str, raw: str) -> None:
        if command.word == "board" and self.begun:
            raise NotAllowed(_ALONE)
        if command.word == info_commands.HINT not in self.asked:
            if self.leaves_out(raw):
                return
            self.tells()
        if command.word == "options" and argument:
            if self.session.decision() is None:
                raise self.session.not_asked()
            self.wanted = argument
        self.explain(command, argument)
        self.asked.append(command.word)

    def _try(self, argument: str, raw: str) -> None:
        if self.request.held is not None:
            raise TooLate(self.request.held)
        if self.session.played or self.taken_back or self.withdrawn or self.settings:
            raise NotAllowed(T("A letter either plays or tries; this one has played orders before «try»."))
        if self.trial is None:
            self.trial = Trial(self.session)
        for line in self._meant(parse_line(argument)) if argument else ():
            command, order = commands.parse_command(line) or (None, line)
            if command is not None and command.does is not Does.TRY:
                # Of the list that the number counts in, this one is no order.
                raise AskedBack(T("«{line}» is no order: there is nothing to try.", line=line), as_choices(line))
            self.trial.try_out(order, raw)
            raw = ""

    def _refused(self, row: SortedLine, refusal: OrderRefused, before: Sequence[str] = ()) -> Result:
        """A line was refused: everything since the last commit point goes, what was shown stays. `before` are the
        orders above it of which nothing is played yet."""
        texts = () if self.complete else suggestions.suggest_orders(self.trial or self.session, row.order, refusal)
        if self.trial is not None:
            return self._refused_trial(self.trial, row, refusal, texts)
        asked, ways = isinstance(refusal, AskedBack), tuple[Msg, ...]()
        lost, stands = self.session.fall_back(), self.session.revealed
        choices = suggestions.legal_choices(self.session, refusal.choices if isinstance(refusal, AskedBack) else ())
        talked = [line for line in self.aside if not (stands and suggestions.has_undo((line.understood,)))]
        above = [again for again in self.again if not (stands and suggestions.has_undo((again,)))]
        above += [*before, *(line.understood for line in lost)]
        below = suggestions.text_of_rows(self.letter.around(row)[1])
        repairs = suggestions.playable_choices(self.session, texts, above, below)
        if isinstance(refusal, suggestions.StillPossible):
            repairs = (refusal.choice,)
        bad = suggestions.refused_line(row.raw, refusal, repairs, self.request.language)
        strange = row.what is LineType.OTHER or isinstance(refusal, NotUnderstood)
        others = [*above, *below]
        others = others if strange and Trial(self.session).attempt(others) is not None else above
        without = as_choices("\n".join(others)) if others else ()
        if asked and row.what is LineType.NAME:
            choices = without + choices
        elif without and strange:
            # The line may have been meant, so that what it could mean comes before passing it over.
            choices, repairs = as_choices(*(choice.text for choice in repairs)) + without, ()
            ways = clarification.playable_alone(1, len(choices))
        gone = T("A later line was refused.")
        tail = (LineAnswer(self.letter.around(row)[0][-1].raw),) if asked and row is self.letter.tail else ()
        kept = tuple(line for line in self.aside if line not in talked) + self.session.now.said
        said = (*kept, *retracted_lines((*talked, *lost), gone), *tail, bad)
        shown: dict[str, Any] = {"choices": choices, "repairs": repairs, "brief": asked or bool(choices)}
        if stands:
            stood = T("«{order}» stands, because it showed something.", order=self.session.now.said[-1].understood)
            self.talk, self.answers, self.settings, self.returns, self.wanted = [], [], [], None, ""
            self.asked = [word for word in self.asked if word != info_commands.HINT]
            return self.done(MailKind.RECEIPT, (stood, *ways, self.nothing_else()), said=said, **shown)
        shown["position"] = unseen = isinstance(refusal, TooLate)
        if unseen and self.only_sets and self.request.nothing is None:
            # What a person has set does not hang on how far the game has come.
            return self.done(MailKind.REFUSAL, (*ways, self.nothing_else()), said=(*self.aside, bad), **shown)
        return self.unplayed(MailKind.REFUSAL, said, (*ways, self.nothing()), **shown)

    def _refused_trial(self, trial: Trial, row: SortedLine, refusal: OrderRefused, texts: Sequence[str]) -> Result:
        """A line of a trial was refused; what was tried above it is shown."""
        asked = refusal.choices if isinstance(refusal, AskedBack) else ()
        choices = suggestions.as_trials(trial.said, tuple(choice.text for choice in asked))
        repairs = () if trial.stopped else suggestions.as_trials(trial.said, texts)
        bad = suggestions.refused_line(row.raw, refusal, repairs, self.request.language)
        said = (*retracted_lines(self.aside, T("A later line was refused.")), *trial.said, bad)
        more: dict[str, Any] = {"choices": choices, "repairs": repairs, "brief": isinstance(refusal, AskedBack)}
        return self.unplayed(MailKind.TRIAL, said, (self.nothing(),), **more)
