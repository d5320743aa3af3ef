"""One letter read against the position, line by line, and what becomes of it. No file is touched and no mail sent.

A crash here leaves nothing: what is decided is a value, and only `commit` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from pbem.desk import asking, commands, earlier
from pbem.desk.asking import NO_ORDER, AskedBack, undone
from pbem.desk.commands import questions
from pbem.desk.commands.word import Command, Does
from pbem.desk.consent import Means, heard
from pbem.desk.lists import offered
from pbem.desk.orders import doubts, suggest
from pbem.desk.orders.sort import Is, Sorted, SortedLine, Sorter
from pbem.desk.request import Request
from pbem.desk.result import Result
from pbem.desk.session import Trial, late
from pbem.desk.standing import Standing
from pbem.inbound.speech import WRITTEN_LIMIT, relayed
from pbem.outbound.catalogue import catalogue
from pbem.outbound.mail import MailKind, Said
from pbem.reading.line import PlainLine, read, spoken
from pbem.store.table import Ends

MOST_ORDERS = 60
"""Lines of orders and commands in one letter (contract, «How a letter is read»)."""

MOST_SHOWN = 8
"""Lines that a letter without an order is shown back."""


def interpret(request: Request) -> Result:
    """Read a letter's lines and say what becomes of it. Raises only for defects."""
    result = (reading := _Interpreter(request)).read()
    result = result.with_reading(unread=reading.letter.unread)
    answer, known = result.answer, request.ends
    if result.reading.ends is None and known.asked and answer is not None and (answer.choices or answer.repairs):
        # A number of this answer passes over nothing that an earlier letter was asked back for.
        return result.with_reading(ends=replace(known, asked=()))
    return result


class _Interpreter(Standing):
    """The state of one reading."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.complete = False
        """Whether a sealed decision was answered completely: a second answer would mean two things."""
        self.begun = False
        self.own = (request.names[request.seat], *request.signed)
        self.names = (*request.names.values(), *request.signed)
        self.letter = Sorted()

    def read(self) -> Result:
        request = self.request
        sorter = Sorter(
            self.game, self.names, self.own, self._reads, self._is_faulty, self.session.covers, self._listed,
            self._signed, partial(suggest.tells, request, self.session), doubts.agreed(request),
        )  # fmt: skip
        self.letter = letter = sorter.sort(request.lines, request.written)
        if request.nothing is not None:
            # Before the game people say a friendly word above or below their answer, and may still change their mind.
            own = {text for row in letter.rows for text in row.beside}
            unsure = tuple(one for one in letter.strange if one in own or heard(one, self.names).means is Means.UNSURE)
            self.letter = letter = replace(letter, strange=unsure)
        if (asked := self._beforehand()) is not None:
            return asked
        told = doubts.elsewhere(letter, self.names, self.session, goes_on=request.held is None)
        if told is not None:
            return self._refused(*told)
        for count, row in enumerate(letter.rows, 1):
            try:
                self._do(count, row)
            except OrderRefused as refusal:
                result = self._refused(row, refusal)
                found = (one.choices or one.repairs for one in (result.answer,) if one is not None)
                return result if any(found) or row.read.number is None else self._perhaps() or result
            self.begun = True
        if self.trial is not None:
            said, notes = (*self.aside, *self.trial.said), (T("Nothing was played."), *asking.not_read(letter.unread))
            repairs = suggest.tried_out(request, self.session, self.trial.said)
            more = {"answers": self.told, "repairs": repairs}
            return self.kept(self.unplayed(MailKind.TRIAL, said, notes, tuple(self.talk), **more))
        if not self.begun:
            if (asked := self._perhaps()) is not None:
                return asked
            read = tuple(Said(raw) for raw in request.written if raw.strip())[:MOST_SHOWN]
            why = NO_ORDER
            if not read:
                why = T(
                    "No order was found: nothing of your own is in your letter, and what your program quotes of a mail "
                    "is not read. Write above or below it, one order a line, or the number of an option."
                )
            near = suggest.near(request, self.session, request.lines)
            return self.unplayed(MailKind.REFUSAL, read, (why, self.nothing()), repairs=near)
        changed = self.withdrawn or self.taken_back is not None or self.returns is not None
        done = self.session.played or changed or bool(self.talk or self.settings)
        result = self.done(MailKind.RECEIPT if done else MailKind.ANSWER, asking.not_read(self.letter.unread))
        return result.with_reading(ends=ends) if done and (ends := self._ends(asked=False)) is not None else result

    def _do(self, count: int, row: SortedLine) -> None:
        """Do what a line says. Raises OrderRefused."""
        # The orders of one line are told with it once.
        raw = "" if count > 1 and row.raw is self.letter.rows[count - 2].raw else row.raw
        self._check(count, row)
        for line in self._meant(row.read):
            self._line(line, raw)
            raw = ""

    def _ends(self, *, asked: bool) -> Ends | None:
        """How this person's letters end, with this one; None where it tells nothing new."""
        request = self.request
        own = any(listed.choices for listed in request.listed)
        passed = own and any(row.read.is_number and row.read.number == 1 for row in self.letter.rows)
        ends = earlier.ended(request.ends, self.letter.below, self.own, asked=asked, passed=passed)
        return None if ends == request.ends else ends

    def _check(self, count: int, row: SortedLine) -> None:
        """Refuse a line for its place in the letter, or ask it back. Raises NotAllowed, AskedBack."""
        if count > MOST_ORDERS:
            raise NotAllowed(T("A letter has at most {n} orders.", n=MOST_ORDERS))
        if "board" in self.asked:
            raise NotAllowed(_ALONE)
        # What a letter could not play is not asked about: it is refused for that.
        if self.plays or commands.line_of(row.read):
            doubts.look(self.request, self.session, self.letter, row, self.own)

    def _perhaps(self) -> Result | None:
        """Ask which of the numbers among words that are no order is the order."""
        found: dict[str, PlainLine] = {}
        for line in self.letter.maybe if self.plays else ():
            with suppress(OrderRefused):
                found.setdefault("\n".join(self._meant(line)), line)
        if not found:
            return None
        line = next(iter(found.values()))
        says = T(
            "«{line}» is no order. Only its «{n}» can mean something: option {n}, «{order}», which «1» plays. Or write "
            "an order as the mail's list does.",
            line=relayed(line.whole, WRITTEN_LIMIT // 2), n=line.number or 0,
            order=next(iter(found)).partition("\n")[0],
        )  # fmt: skip
        if len(found) > 1:
            says = _WHICH
        said = (Said(line.whole, reason=says),)
        choices = asking.choices_of(*found)[: suggest.MOST]
        return self.unplayed(MailKind.REFUSAL, said, (self.nothing(),), choices=choices, brief=True)

    def _is_faulty(self, line: str) -> bool:
        try:
            self.session.understand(line)
        except NotUnderstood:
            return False
        except OrderRefused:
            return True
        return False

    def _reads(self, line: str) -> str:
        """The order that a line is here, as the game writes it; empty for none."""
        try:
            return self.session.understand(line).text
        except OrderRefused as refused:
            # A standing order with a fault is answered like an order: nothing else begins so.
            return line if refused.anytime else ""

    def _listed(self) -> tuple[str, ...]:
        """The options of the position, as mails list them."""
        if self.session.decision() is None:
            return ()
        offers = offered(self.game, self.session.now.state, self.seat, self.request.language)
        say = catalogue(self.request.language).render
        return tuple(f"{text} · {say(offer.says)}" for offer in offers for text in (offer.title, offer.text))

    def _signed(self, lines: tuple[str, ...], chosen: bool) -> bool:
        asked = any(listed.choices for listed in self.request.listed)
        return earlier.signs(self.request.ends, lines, chosen=chosen and asked)

    def _meant(self, line: PlainLine) -> tuple[str, ...]:
        if command := commands.line_of(line):
            return (command,)
        if self.complete or (self.trial is not None and self.trial.stopped):
            return (line.text or line.whole,)
        return (self.trial or self.session).meant(line)

    def _spoken(self, raw: str, line: str) -> str:
        """A command; talk as it was written, where it stands in what was written: accents and marks are kept."""
        words = spoken(raw, self.names)
        found = commands.command_of(words)
        return words if found and found[0].does in (Does.SAY, Does.TRY) else line

    def _line(self, line: str, raw: str) -> None:
        if found := commands.command_of(line):
            self._command(*found, line, raw)
        else:
            self._order(line, raw)

    def _beforehand(self) -> Result | None:
        """What is asked before anything is played: what a line means that is no order at all, though what stands above
        it may show something; and whether the orders stand, where no table knows what is beside them."""
        letter, orders = self.letter, list[str]()
        plays = any(row.read.is_number or any(map(self._reads, row.read.readings)) for row in letter.rows)
        if not letter.strange and (len(letter.rows) < 2 or not plays):
            return None
        trial = Trial(self.request, self.session)
        for count, row in enumerate(letter.rows, 1):
            try:
                self._check(count, row)
                for line in self._meant(row.read):
                    found = commands.command_of(line)
                    if found and plays:
                        doubts.foresee(self.request, *found)
                    if not found and not suggest.undoes(orders):
                        self._foresee(trial, line, row)
                        line = suggest.canonical(self.request, trial, line)
                    orders.append(relayed(self._spoken(row.raw, line), 0) if found else line)
            except OrderRefused as refusal:
                is_none = isinstance(refusal, NotUnderstood) or row.what is Is.OTHER or "?" in row.raw
                is_none = is_none or count > MOST_ORDERS
                return self._refused(row, refusal, orders) if letter.strange or (self.plays and is_none) else None
        return self._beside(orders) if letter.strange else None

    def _foresee(self, trial: Trial, line: str, row: SortedLine) -> None:
        """Try an order. Raises OrderRefused; behind something unknown only for a line that is none, or asks."""
        if self.request.held is not None:
            raise TooLate(self.request.held)
        if self.request.late and not self.session.anytime(line):
            raise late()
        if trial.stopped and (row.what is Is.OTHER or "?" in row.raw):
            self.session.understand(line)
        elif trial.stopped:
            self._is_any(line)
        trial.try_out(line, row.raw)

    def _beside(self, orders: Sequence[str]) -> Result:
        """What stands beside the orders is on no list: nothing is played, and it is asked about."""
        letter = self.letter
        choices, notes = suggest.beside(self.request, self.session, letter, orders)
        shown = (
            *(Said(row.raw) for row in letter.rows[-MOST_SHOWN:] if not row.beside),
            *(Said(text, reason=T("This may change what stands beside it.")) for text in letter.strange[:MOST_SHOWN]),
        )
        result = self.unplayed(MailKind.REFUSAL, shown, (*notes, self.nothing()), choices=choices, brief=True)
        return result.with_reading(ends=self._ends(asked=True), clear=True)

    def _order(self, line: str, raw: str) -> None:
        request = self.request
        if request.held is not None:
            raise TooLate(request.held)
        if self.trial is not None:
            self.trial.try_out(line, raw)
            return
        # A standing order answers nothing: it may come whoever is asked, and with any token of the seat.
        if (request.late or self.complete or self.session.decision() is None) and self.session.anytime(line):
            self.session.play(line, raw)
            return
        if self.complete:
            self._is_any(line)
            raise NotAllowed(T("Your answer was complete before this line, and one letter gives one answer."))
        before = self.session.decision()
        if before is None:
            if self.session.played:
                self._is_any(line)
                raise self.session.not_asked()
            if request.nothing is not None:
                # Before the game everybody may still change their mind: what is in doubt is asked back.
                self.session.understand(line)
            raise late() if request.late else self.session.not_asked()
        if request.late:
            rows = self.letter.rows[len(self.settings) :]
            raise suggest.late(request, self.session, rows) if self.only_sets or not self.begun else late()
        self.session.play(line, raw)
        after = self.session.decision()
        goes_on = after is not None and after.number == before.number and not after.answered
        self.complete = before.sealed and not goes_on

    def _is_any(self, line: str) -> None:
        """See that a line is an order at all, whether it can be played or not. Raises NotUnderstood."""
        if not read(line).is_number:
            with suppress(NotAllowed, Unclear, TooLate):
                self.session.understand(line)

    def _command(self, command: Command, argument: str, line: str, raw: str) -> None:
        doubts.fits(command, argument)
        match command.does:
            case Does.ASK:
                self._ask(command, argument, raw)
            case Does.SAY:
                self._say(command, line, raw)
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
        if command.word == questions.HINT not in self.asked:
            if self.leaves_out(raw):
                return
            self.tells()
        if command.word == "options" and argument:
            if self.session.decision() is None:
                raise self.session.not_asked()
            self.wanted = argument
        self.explain(command, argument)
        self.asked.append(command.word)

    def _say(self, command: Command, line: str, raw: str) -> None:
        words = self._spoken(raw, line)
        found = commands.command_of(words)
        self.say(command, found[1] if found else "", raw, relayed(words, 0))

    def _try(self, argument: str, raw: str) -> None:
        if self.request.held is not None:
            raise TooLate(self.request.held)
        if self.session.played or self.taken_back or self.withdrawn or self.settings:
            raise NotAllowed(T("A letter either plays or tries; this one has played orders before «try»."))
        if self.trial is None:
            self.trial = Trial(self.request, self.session)
        for line in self._meant(read(argument)) if argument else ():
            command, order = commands.command_of(line) or (None, line)
            if command is not None and command.does is not Does.TRY:
                # Of the list that the number counts in, this one is no order.
                raise AskedBack(T("«{line}» is no order: there is nothing to try.", line=line), asking.choices_of(line))
            self.trial.try_out(order, raw)
            raw = ""

    def _refused(self, row: SortedLine, refusal: OrderRefused, before: Sequence[str] = ()) -> Result:
        """A line was refused: everything since the last commit point goes, what was shown stays. `before`: the orders
        above it of which nothing is played yet."""
        asked, gone = isinstance(refusal, AskedBack), T("A later line was refused.")
        choices = refusal.choices if isinstance(refusal, AskedBack) else ()
        if self.trial is not None:
            choices = suggest.tries(self.trial.said, tuple(choice.text for choice in choices))
        state = (self.trial or self.session).now.state
        texts = () if self.complete else suggest.nearest(self.request, state, row.order, refusal)
        if self.trial is not None:
            repairs = () if self.trial.stopped else suggest.tries(self.trial.said, texts)
            bad = suggest.told(row.raw, refusal, repairs, self.request.language)
            said = (*undone(self.aside, gone), *self.trial.said, bad)
            return self.unplayed(
                MailKind.TRIAL, said, (self.nothing(),), choices=choices, repairs=repairs, brief=asked
            )
        lost, stands = self.session.fall_back(), self.session.revealed
        choices = suggest.legal(self.request, self.session, choices)
        talked = [line for line in self.aside if not (stands and suggest.undoes((line.understood,)))]
        above = [again for again in self.again if not (stands and suggest.undoes((again,)))]
        above += [*before, *(line.understood for line in lost)]
        below = suggest.lines_of(suggest.below(self.letter.rows, row))
        repairs = suggest.choices(self.request, self.session, refusal, texts, above, below)
        bad = suggest.told(row.raw, refusal, repairs, self.request.language)
        tail = (Said(self.letter.above),) if asked and row is self.letter.tail else ()
        strange = row.what is Is.OTHER or isinstance(refusal, NotUnderstood)
        others = [*above, *below]
        others = others if strange and suggest.tried(self.request, self.session, others) is not None else above
        without = asking.choices_of("\n".join(others)) if others else ()
        ways: tuple[Msg, ...] = ()
        if asked and row.what is Is.NAME:
            choices = without + choices
        elif without and strange:
            # The line may have been meant, so that what it could mean comes before passing it over.
            choices, repairs = asking.choices_of(*(choice.text for choice in repairs)) + without, ()
            ways = asking.alone(1, len(choices))
        kept = tuple(line for line in self.aside if line not in talked) + self.session.now.said
        said = (*kept, *undone((*talked, *lost), gone), *tail, bad)
        brief = asked or bool(choices)
        shown: dict[str, Any] = {"choices": choices, "repairs": repairs, "brief": brief}
        if not stands:
            shown["position"] = unseen = isinstance(refusal, TooLate)
            if unseen and self.only_sets and self.request.nothing is None:
                # What a person has set does not hang on how far the game has come.
                return self.done(MailKind.REFUSAL, (*ways, self.nothing_else()), said=(*self.aside, bad), **shown)
            return self.unplayed(MailKind.REFUSAL, said, (*ways, self.nothing()), **shown)
        # What was shown stands, although a later line was refused.
        stood = T("«{order}» stands, because it showed something.", order=self.session.now.said[-1].understood)
        self.talk, self.answers, self.settings, self.returns, self.wanted = [], [], [], None, ""
        self.asked = [word for word in self.asked if word != questions.HINT]
        return self.done(MailKind.RECEIPT, (stood, *ways, self.nothing_else()), said=said, **shown)


_WHICH = T("Your letter names more than one number. Which of them is your move?")
_ALONE = T("«board» stands alone in its letter, because its answer is made to be forwarded.")
