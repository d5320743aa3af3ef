"""One letter read against the position, line by line, and what becomes of it. No file is touched and no mail sent.

A crash here leaves nothing: what is decided is a value, and only `commit` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from engine.kit.words import slip
from engine.reference import CardText
from pbem.desk import asking, commands
from pbem.desk import lines as kinds
from pbem.desk.asking import AskedBack
from pbem.desk.commands import questions, talk
from pbem.desk.commands.talk import Talk
from pbem.desk.commands.word import Command, Does
from pbem.desk.request import Request
from pbem.desk.result import Result, replied
from pbem.desk.session import Session, Trial, late, not_asked, undone
from pbem.desk.sorting import Is, Sorted, SortedLine, sort
from pbem.inbound.speech import relayed
from pbem.outbound.mail import MailKind, Message, Said
from pbem.store.table import UndoPoint

MOST_ORDERS = 60
"""Lines of orders and commands in one letter (contract, «How a letter is read»)."""

MOST_SHOWN = 12
"""Lines that a letter without an order is shown back."""


def interpret(request: Request) -> Result:
    """Read a letter's lines and say what becomes of it. Raises only for defects."""
    return _Interpreter(request).read()


class _Interpreter:
    """The state of one reading."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.game, self.seat = request.game, request.seat
        self.session = Session(request, request.state)
        self.trial: Trial | None = None
        self.taken_back: UndoPoint | None = None
        self.withdrawn = False
        self.complete = False
        """Whether a sealed decision was answered completely: a second answer would mean two things."""
        self.aside: list[Said] = []
        """Lines that are no orders: talk, `undo`."""
        self.talk: list[Talk] = []
        self.answers: list[CardText] = []
        self.asked: list[str] = []
        """The questions that were answered."""
        self.begun = False
        self.letter = Sorted()

    def read(self) -> Result:
        request = self.request
        names = tuple(request.names.values()) + request.signed
        self.letter = letter = sort(request.lines, request.written, self.game, names, self._reads)
        if letter.stray is not None:
            return self._stray(letter.stray)
        for count, row in enumerate(letter.rows, 1):
            try:
                self._check(count, row)
                for line in self._meant(row.line):
                    self._line(line, row.raw)
            except OrderRefused as refusal:
                return self._refused(row, self._helped(row.line, refusal))
            self.begun = True
        if self.trial is not None:
            notes = (T("Nothing was played."), *asking.not_read(letter.unread))
            said = (*self.aside, *self.trial.said)
            return self._unplayed(MailKind.TRIAL, said, notes, answers=tuple(self.answers), talk=tuple(self.talk))
        if not self.begun:
            nothing = T("No order was found in your letter. Write one order a line, or the number of an option.")
            read = tuple(Said(raw) for raw in request.written if raw.strip())[:MOST_SHOWN]
            return self._unplayed(MailKind.REFUSAL, read, (nothing, self._nothing()))
        done = self.session.played or self.withdrawn or self.taken_back is not None or bool(self.talk)
        return self._done(MailKind.RECEIPT if done else MailKind.ANSWER, asking.not_read(letter.unread))

    def _check(self, count: int, row: SortedLine) -> None:
        """Refuse a line for its place in the letter, or ask it back. Raises NotAllowed, AskedBack."""
        if count > MOST_ORDERS:
            raise NotAllowed(T("A letter has at most {n} orders.", n=MOST_ORDERS))
        if "board" in self.asked:
            raise NotAllowed(_ALONE)
        self._doubt(row)

    def _doubt(self, row: SortedLine) -> None:
        """Ask back what may be no order, though it reads as one. Raises AskedBack.

        What a letter could not play is not asked about: it is refused for that.
        """
        request = self.request
        plays = request.held is None and not request.late and request.asked is not None
        if not (plays or commands.command_of(row.line)):
            return
        choices = asking.choices_of(row.line)
        if kinds.option_number(row.line) is not None:
            # A number goes on to count in the list that it counts in now.
            choices = asking.choices_of(*request.listed[0].choices) if len(request.listed) == 1 else ()
        line = row.line
        if row is self.letter.tail:
            says = T("I saw «{order}» at the end of a sentence. If it is your order, send it alone.", order=line)
        elif row.what is Is.NAME:
            says = T(
                "«{line}» is a name at this table and an order too. I cannot tell which of them you mean.", line=line
            )
        else:
            return
        raise AskedBack(says, choices)

    def _reads(self, line: str) -> bool:
        try:
            self.game.read(self.session.now.state, self.seat, line)
        except OrderRefused:
            return False
        return True

    def _meant(self, line: str) -> tuple[str, ...]:
        nothing = self.complete or (self.trial is not None and self.trial.stopped)
        return (line,) if nothing else (self.trial or self.session).meant(line)

    def _line(self, line: str, raw: str) -> None:
        if found := commands.command_of(line):
            # Talk is taken from the line as written, unless a number stands for it.
            self._command(*found, line, raw if commands.command_of(raw) else line)
        else:
            self._order(line, raw)

    @staticmethod
    def _undoes(lines: Sequence[str]) -> bool:
        """Whether lines take orders back: what follows cannot be tried on the position as it is."""
        return any(found[0].does is Does.UNDO for line in lines if (found := commands.command_of(line)))

    def _stray(self, stray: SortedLine) -> Result:
        """A line under the orders that is none: nothing is played, and the orders are offered without that line."""
        above: list[str] = []
        trial = Trial(self.request, self.session)
        for count, row in enumerate(self.letter.rows, 1):
            try:
                self._check(count, row)
                for line in self._meant(row.line):
                    found = commands.command_of(line)
                    if not found and self.request.held is not None:
                        raise TooLate(self.request.held)
                    if not found and self.request.late and not self.session.anytime(line):
                        raise late()
                    if not found and not self._undoes(above):
                        trial.try_out(line, row.raw)
                    above.append(relayed(row.raw, 0) if found else line)
            except OrderRefused as refusal:
                return self._refused(row, self._helped(row.line, refusal))
        choices = asking.choices_of("\n".join(above))
        below = T("This line is no order, and it may change what the lines above it mean.")
        said = (*(Said(row.raw) for row in self.letter.rows), Said(stray.raw, reason=below))
        notes = (*asking.ways_on(choices), self._nothing())
        return self._unplayed(MailKind.REFUSAL, said, notes, choices=choices, brief=True)

    def _helped(self, line: str, refusal: OrderRefused) -> OrderRefused:
        """The refusal with the nearest command suggested, when the game had nothing to suggest."""
        words = line.split()
        if not isinstance(refusal, NotUnderstood) or refusal.possible or not words:
            return refusal
        near = slip(words[0], commands.words() | self.game.reference.verbs())
        if not near or near == words[0].casefold():
            return refusal
        return NotUnderstood(refusal.reason, possible=(T("Did you mean «{word}»?", word=near),), rule=refusal.rule)

    def _order(self, line: str, raw: str) -> None:
        request = self.request
        if request.held is not None:
            raise TooLate(request.held)
        if self.trial is not None:
            self.trial.try_out(line, raw)
            return
        # A standing order answers nothing: it may come whoever is asked, and with any token of the seat.
        if (request.late or self.session.decision() is None) and self.session.anytime(line):
            self.session.play(line, raw)
            return
        if self.complete:
            if kinds.option_number(line) is None:
                with suppress(NotAllowed, Unclear, TooLate):
                    # A line that is no order at all is told as such.
                    self.game.read(self.session.now.state, self.seat, line)
            raise NotAllowed(T("Your answer was complete before this line, and one letter gives one answer."))
        before = self.session.decision()
        if before is None:
            if self.session.played:
                raise NotAllowed(T("Your turn was over before this line."))
            if request.nothing is not None:
                # Before the game everybody may still change their mind: what is in doubt is asked back.
                self.game.read(self.session.now.state, self.seat, line)
            raise late() if request.late else not_asked(self.game, self.session.now.state)
        if request.late:
            raise late()
        self.session.play(line, raw)
        after = self.session.decision()
        goes_on = after is not None and after.number == before.number and not after.answered
        self.complete = before.sealed and not goes_on

    def _command(self, command: Command, argument: str, line: str, raw: str) -> None:
        if argument and not command.argument:
            raise NotUnderstood(T("«{word}» stands alone on its line.", word=command.word))
        if command.needs and not argument:
            raise NotUnderstood(T("«{word}» needs something after it: {usage}", word=command.word, usage=command.usage))
        match command.does:
            case Does.ASK:
                self._ask(command, argument)
            case Does.SAY:
                self._say(command, raw)
            case Does.TRY:
                self._try(argument, raw)
            case Does.UNDO:
                self._undo(raw)
            case _:
                raise NotUnderstood(T("«{word}» stands alone on its line.", word=command.word))

    def _ask(self, command: Command, argument: str) -> None:
        if command.word == "board" and self.begun:
            raise NotAllowed(_ALONE)
        self.answers.extend(questions.answer(command, argument, self.request, commands.COMMANDS))
        self.asked.append(command.word)

    def _say(self, command: Command, raw: str) -> None:
        # The text is taken from the line as it was written: accents and quotation marks are the writer's.
        found = commands.command_of(raw)
        argument = found[1] if found else ""
        message = talk.message_of(command, argument, self.request.names, self.seat)
        self.talk.append(message)
        sent = T("Sent to everybody at the table.")
        if message.to:
            sent = T("Sent to {name} alone.", name=self.request.names[message.to])
        self.aside.append(Said(raw, "tell" if message.to else "say", (sent,)))

    def _try(self, argument: str, raw: str) -> None:
        if self.request.held is not None:
            raise TooLate(self.request.held)
        if self.session.played or self.taken_back or self.withdrawn:
            raise NotAllowed(T("A letter either plays or tries; this one has played orders before «try»."))
        if self.trial is None:
            self.trial = Trial(self.request, self.session)
        for line in self._meant(argument) if argument else ():
            self.trial.try_out(line, raw)

    def _undo(self, raw: str) -> None:
        request = self.request
        if request.held is not None:
            raise TooLate(request.held)
        if self.session.played or self.trial or self.taken_back or self.withdrawn:
            raise NotAllowed(T("«undo» stands before other orders, once in a letter."))
        if (step := self.game.withdraw(request.state, self.seat)) is not None:
            # Whether others have answered since is their secret: this undo asks nobody and moves nobody.
            self.withdrawn = True
            self.session = Session(request, step.state, step.entries)
            self.aside.append(Said(raw, "undo", (T("Your sealed answer is taken back; you have not answered now."),)))
            return
        mark = request.marks[-1] if request.marks else None
        if mark is None or mark.seat != self.seat:
            raise NotAllowed(
                T(
                    "There is nothing that you can take back: somebody else has acted since your last orders, or "
                    "something hidden was shown."
                )
            )
        self.taken_back = mark
        self.session = Session(request, request.back_to(mark))
        effect = T("Your last orders are taken back; it is as if they were never given.")
        self.aside.append(Said(raw, "undo", (effect,)))

    def _refused(self, row: SortedLine, refusal: OrderRefused) -> Result:
        """A line was refused: everything since the last commit point goes, what was shown stays."""
        bad: tuple[Said, ...] = (Said(row.raw, reason=refusal.reason, possible=refusal.possible),)
        asked = isinstance(refusal, AskedBack)
        choices = refusal.choices if isinstance(refusal, AskedBack) else ()
        if asked and row is self.letter.tail:
            bad = (Said(self.letter.above), *bad)
        if self.trial is not None:
            said = (*self.aside, *self.trial.said, *bad)
            return self._unplayed(MailKind.TRIAL, said, (self._nothing(),), choices=choices, brief=asked)
        lost = self.session.fall_back()
        stands = self.session.revealed
        talked = [line for line in self.aside if not (stands and line.understood == "undo")]
        above = [relayed(line.written, 0) if line in self.aside else line.understood for line in (*talked, *lost)]
        without = asking.choices_of("\n".join(above)) if above else ()
        ways: tuple[Msg, ...] = ()
        if asked and row.what is Is.NAME:
            choices = without + choices
        elif self.begun and isinstance(refusal, NotUnderstood) and row is self.letter.rows[-1]:
            choices, ways = without, asking.ways_on(without)
        kept = tuple(line for line in self.aside if line not in talked) + self.session.now.said
        said = (*kept, *undone((*talked, *lost), T("A later line was refused.")), *bad)
        brief = asked or bool(choices)
        if not stands:
            notes = (*ways, self._nothing())
            late = isinstance(refusal, TooLate)
            return self._unplayed(MailKind.REFUSAL, said, notes, position=late, choices=choices, brief=brief)
        # What was shown stands, although a later line was refused.
        still = self.session.decision() is not None
        stood = T("«{order}» stands, because it showed something.", order=self.session.now.said[-1].understood)
        rest = T("Nothing else was done; it is still your turn.") if still else T("Nothing else was done.")
        self.talk, self.answers = [], []
        return self._done(MailKind.RECEIPT, (stood, *ways, rest), said=said, choices=choices, brief=brief)

    def _unplayed(
        self, kind: MailKind, said: tuple[Said, ...], notes: tuple[Msg, ...], talk: tuple[Talk, ...] = (), **words: Any
    ) -> Result:
        """A letter that plays nothing, and its answer."""
        answer = Message(kind=kind, seat=self.seat, said=said, notes=notes, **words)
        return replied(self.request.context, answer, talk=talk)

    def _done(self, kind: MailKind, notes: tuple[Msg, ...], **words: Any) -> Result:
        """What stands of a letter."""
        session = self.session
        answer = Message(
            kind=kind,
            seat=self.seat,
            notes=notes,
            answers=tuple(self.answers),
            position="status" in self.asked,
            public="board" in self.asked,
            options="options" in self.asked,
            **{"said": (*self.aside, *session.now.said), **words},
        )
        return replied(
            self.request.context,
            answer,
            state=session.now.state,
            entries=session.now.entries,
            reveals=session.revealed,
            safe=self.request.table.entries + len(session.safe.entries) if session.revealed else 0,
            talk=tuple(self.talk),
            taken_back=self.taken_back,
            played=tuple(said.understood for said in session.now.said),
            sealed=self._is_sealed(),
        )

    def _is_sealed(self) -> bool:
        """Whether the letter has left or taken back a sealed answer: then a mark to go back to would tell of others."""
        if self.withdrawn:
            return True
        return self.session.played and self.game.withdraw(self.session.now.state, self.seat) is not None

    def _nothing(self) -> Msg:
        """What is told when nothing was done."""
        if self.request.nothing is not None:
            return self.request.nothing
        asked = self.request.asked
        if asked is not None and asked.answered:
            return T("Nothing was done; your sealed answer stands as it was.")
        return T("Nothing was done; it is still your turn.") if asked else T("Nothing was done.")


_ALONE = T("«board» stands alone in its letter, because its answer is made to be forwarded.")
