"""One letter read against the position, line by line, and what becomes of it. No file is touched and no mail sent.

A crash here leaves nothing: what is decided is a value, and only `commit` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from engine.kit.words import slip
from pbem.desk import asking, commands, meaning
from pbem.desk import lines as kinds
from pbem.desk.asking import AskedBack
from pbem.desk.commands import questions, talk
from pbem.desk.commands.talk import Message
from pbem.desk.commands.word import Command, Does
from pbem.desk.request import Hearing, Ruling
from pbem.desk.session import Session, Trial, late, not_asked, undone
from pbem.desk.sorting import Is, Sorted, SortedLine, sort
from pbem.inbound.speech import relayed
from pbem.outbound.mail import MailKind, Said
from pbem.store.table import UndoPoint

MOST_ORDERS = 60
"""Lines of orders and commands in one letter (contract, «How a letter is read»)."""

MOST_SHOWN = 12
"""Lines that a letter without an order is shown back."""


def judge(hearing: Hearing, lines: Sequence[str], written: Sequence[str]) -> Ruling:
    """Read a letter's lines (and the same as written) and say what becomes of it. Raises only for defects."""
    return _LineReader(hearing).read(lines, written)


class _LineReader:
    """The state of one reading."""

    def __init__(self, hearing: Hearing) -> None:
        self.hearing = hearing
        self.sitting = self._sit(hearing.state)
        self.trial: Trial | None = None
        self.taken_back: UndoPoint | None = None
        self.withdrawn = False
        self.complete = False
        """Whether a sealed decision was answered completely: a second answer would mean two things."""
        self.aside: list[Said] = []
        """Lines that are no orders: talk, `undo`."""
        self.messages: list[Message] = []
        self.answered: list[questions.Answered] = []
        self.asked: list[str] = []
        self.begun = False
        self.public = False
        self.letter = Sorted()

    def _sit(self, state: Any) -> Session:
        hearing = self.hearing
        return Session(hearing.game, hearing.seat, state, hearing.chance, hearing.first, hearing.listed)

    def read(self, lines: Sequence[str], written: Sequence[str]) -> Ruling:
        hearing = self.hearing
        names = tuple(hearing.names.values()) + hearing.closings
        self.letter = letter = sort(lines, written, hearing.game, names, self._reads)
        if letter.stray is not None:
            return self._stray(letter.stray)
        for count, row in enumerate(letter.rows, 1):
            try:
                _count(count)
                if self.public:
                    raise NotAllowed(_ALONE)
                meaning.doubt(self.hearing, self.letter, row)
                for line in self._meant(row.line):
                    self._line(line, row.raw)
            except OrderRefused as refusal:
                return self._refused(row, self._helped(row.line, refusal))
            self.begun = True
        return self._ruling(tuple(raw for raw in written if raw.strip()))

    def _reads(self, line: str) -> bool:
        try:
            self.hearing.game.read(self.sitting.now.state, self.hearing.seat, line)
        except OrderRefused:
            return False
        return True

    def _meant(self, line: str) -> tuple[str, ...]:
        nothing = self.complete or (self.trial is not None and self.trial.stopped)
        return (line,) if nothing else meaning.meant(self.hearing, self.trial or self.sitting, line)

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

    def _stray(self, stray: SortedLine) -> Ruling:
        """A line under the orders that is none: nothing is played, and the orders are offered without that line."""
        above: list[str] = []
        trial = Trial(self.sitting)
        for count, row in enumerate(self.letter.rows, 1):
            try:
                _count(count)
                meaning.doubt(self.hearing, self.letter, row)
                for line in self._meant(row.line):
                    found = commands.command_of(line)
                    if not found and self.hearing.held is not None:
                        raise TooLate(self.hearing.held)
                    if not found and self.hearing.late and not self.sitting.anytime(line):
                        raise late()
                    if not found and not self._undoes(above):
                        trial.try_out(line, row.raw)
                    above.append(relayed(row.raw, 0) if found else line)
            except OrderRefused as refusal:
                return self._refused(row, self._helped(row.line, refusal))
        choices = asking.choices_of("\n".join(above))
        said = (
            *(Said(row.raw) for row in self.letter.rows),
            Said(stray.raw, reason=asking.line_below()),
        )
        notes = (*asking.ways_on(choices), _nothing(self.hearing))
        return Ruling(MailKind.REFUSAL, self.hearing.state, said, notes, choices=choices, brief=True)

    def _helped(self, line: str, refusal: OrderRefused) -> OrderRefused:
        """The refusal with the nearest command suggested, when the game had nothing to suggest."""
        words = line.split()
        if not isinstance(refusal, NotUnderstood) or refusal.possible or not words:
            return refusal
        near = slip(words[0], commands.words() | self.hearing.game.verbs())
        if not near or near == words[0].casefold():
            return refusal
        return NotUnderstood(refusal.reason, possible=(T("Did you mean «{word}»?", word=near),), rule=refusal.rule)

    def _order(self, line: str, raw: str) -> None:
        hearing = self.hearing
        if hearing.held is not None:
            raise TooLate(hearing.held)
        if self.trial is not None:
            self.trial.try_out(line, raw)
            return
        # A standing order answers nothing: it may come whoever is asked, and with any token of the seat.
        if (hearing.late or self.sitting.decision() is None) and self.sitting.anytime(line):
            self.sitting.play(line, raw)
            return
        if self.complete:
            if kinds.option_number(line) is None:
                with suppress(NotAllowed, Unclear, TooLate):
                    # A line that is no order at all is told as such.
                    hearing.game.read(self.sitting.now.state, hearing.seat, line)
            raise NotAllowed(T("Your answer was complete before this line, and one letter gives one answer."))
        before = self.sitting.decision()
        if before is None:
            if self.sitting.played:
                raise NotAllowed(T("Your turn was over before this line."))
            if hearing.nothing is not None:
                # Before the game everybody may still change their mind: what is in doubt is asked back.
                hearing.game.read(self.sitting.now.state, hearing.seat, line)
            raise late() if hearing.late else not_asked(hearing.game, self.sitting.now.state)
        if hearing.late:
            raise late()
        self.sitting.play(line, raw)
        after = self.sitting.decision()
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
        hearing = self.hearing
        if command.word == "board":
            if self.begun:
                raise NotAllowed(_ALONE)
            self.public = True
        place = questions.Question(
            hearing.game, hearing.state, hearing.seat, hearing.history, commands.COMMANDS, hearing.achievements
        )
        self.answered.append(questions.answer(command, argument, place))
        self.asked.append(command.word)

    def _say(self, command: Command, raw: str) -> None:
        # The text is taken from the line as it was written: accents and quotation marks are the writer's.
        found = commands.command_of(raw)
        argument = found[1] if found else ""
        message = talk.message_of(command, argument, self.hearing.names, self.hearing.seat)
        self.messages.append(message)
        sent = T("Sent to everybody at the table.")
        if message.to:
            sent = T("Sent to {name} alone.", name=self.hearing.names[message.to])
        self.aside.append(Said(raw, "tell" if message.to else "say", (sent,)))

    def _try(self, argument: str, raw: str) -> None:
        if self.hearing.held is not None:
            raise TooLate(self.hearing.held)
        if self.sitting.played or self.taken_back or self.withdrawn:
            raise NotAllowed(T("A letter either plays or tries; this one has played orders before «try»."))
        if self.trial is None:
            self.trial = Trial(self.sitting)
        for line in self._meant(argument) if argument else ():
            self.trial.try_out(line, raw)

    def _undo(self, raw: str) -> None:
        hearing = self.hearing
        if hearing.held is not None:
            raise TooLate(hearing.held)
        if self.sitting.played or self.trial or self.taken_back or self.withdrawn:
            raise NotAllowed(T("«undo» stands before other orders, once in a letter."))
        if (step := hearing.game.withdraw(hearing.state, hearing.seat)) is not None:
            # Whether others have answered since is their secret: this undo asks nobody and moves nobody.
            self.withdrawn = True
            sitting = Session(
                hearing.game, hearing.seat, step.state, hearing.chance, hearing.first, hearing.listed, step.entries
            )
            self.sitting = sitting
            self.aside.append(Said(raw, "undo", (T("Your sealed answer is taken back; you have not answered now."),)))
            return
        mark = hearing.marks[-1] if hearing.marks else None
        if mark is None or mark.seat != hearing.seat:
            raise NotAllowed(
                T(
                    "There is nothing that you can take back: somebody else has acted since your last orders, or "
                    "something hidden was shown."
                )
            )
        self.taken_back = mark
        state = hearing.game.renumber(hearing.back_to(mark), hearing.decisions)
        self.sitting = self._sit(state)
        effect = T("Your last orders are taken back; it is as if they were never given.")
        self.aside.append(Said(raw, "undo", (effect,)))

    def _refused(self, row: SortedLine, refusal: OrderRefused) -> Ruling:
        """A line was refused: everything since the last commit point goes, what was shown stays."""
        bad: tuple[Said, ...] = (Said(row.raw, reason=refusal.reason, possible=refusal.possible),)
        asked = isinstance(refusal, AskedBack)
        choices = refusal.choices if isinstance(refusal, AskedBack) else ()
        if asked and row is self.letter.tail:
            bad = (Said(self.letter.above), *bad)
        if self.trial is not None:
            said = (*self.aside, *self.trial.said, *bad)
            nothing = (_nothing(self.hearing),)
            return Ruling(MailKind.TRIAL, self.hearing.state, said, nothing, choices=choices, brief=asked)
        lost = self.sitting.fall_back()
        stands = self.sitting.revealed
        talked = [line for line in self.aside if not (stands and line.understood == "undo")]
        above = [relayed(line.written, 0) if line in self.aside else line.understood for line in (*talked, *lost)]
        without = asking.choices_of("\n".join(above)) if above else ()
        ways: tuple[Msg, ...] = ()
        if asked and row.what is Is.NAME:
            choices = without + choices
        elif self.begun and isinstance(refusal, NotUnderstood) and row is self.letter.rows[-1]:
            choices, ways = without, asking.ways_on(without)
        kept = tuple(line for line in self.aside if line not in talked) + self.sitting.now.said
        said = (*kept, *undone((*talked, *lost), T("A later line was refused.")), *bad)
        brief = asked or bool(choices)
        if stands:
            return replace(self._stood(ways), said=said, choices=choices, brief=brief)
        notes = (*ways, _nothing(self.hearing))
        return Ruling(
            MailKind.REFUSAL, self.hearing.state, said, notes, position=not brief, choices=choices, brief=brief
        )

    def _stood(self, ways: tuple[Msg, ...]) -> Ruling:
        """What stands although a later line was refused."""
        still = self.sitting.decision() is not None
        stood = T("«{order}» stands, because it showed something.", order=self.sitting.now.said[-1].understood)
        rest = T("Nothing else was done; it is still your turn.") if still else T("Nothing else was done.")
        return replace(self._ruling(), kind=MailKind.RECEIPT, notes=(stood, *ways, rest), messages=(), answers=())

    def _ruling(self, written: Sequence[str] = ()) -> Ruling:
        sitting, hearing = self.sitting, self.hearing
        blocks = tuple(block for answered in self.answered for block in answered.blocks)
        unread = asking.not_read(self.letter.unread)
        if self.trial is not None:
            said = (*self.aside, *self.trial.said)
            notes = (T("Nothing was played."), *unread)
            return Ruling(MailKind.TRIAL, hearing.state, said, notes, blocks, messages=tuple(self.messages))
        if not self.begun:
            nothing = T("No order was found in your letter. Write one order a line, or the number of an option.")
            read = tuple(Said(line) for line in written[:MOST_SHOWN])
            return Ruling(MailKind.REFUSAL, hearing.state, read, (nothing, _nothing(hearing)), position=True)
        done = sitting.played or self.withdrawn or self.taken_back is not None or bool(self.messages)
        safe = hearing.first - 1 + len(sitting.safe.entries) if sitting.revealed else 0
        return Ruling(
            MailKind.RECEIPT if done else MailKind.ANSWER,
            sitting.now.state,
            (*self.aside, *sitting.now.said),
            unread,
            blocks,
            any(answered.position for answered in self.answered),
            self.public,
            sitting.now.entries,
            safe,
            sitting.revealed,
            tuple(self.messages),
            self.taken_back,
            tuple(said.understood for said in sitting.now.said),
            tuple(self.asked),
            self._is_sealed(),
        )

    def _is_sealed(self) -> bool:
        """Whether the letter has left or taken back a sealed answer: then a mark to go back to would tell of others."""
        if self.withdrawn:
            return True
        return self.sitting.played and self.hearing.game.withdraw(self.sitting.now.state, self.hearing.seat) is not None


def _count(orders: int) -> None:
    if orders > MOST_ORDERS:
        raise NotAllowed(T("A letter has at most {n} orders.", n=MOST_ORDERS))


_ALONE = T("«board» stands alone in its letter, because its answer is made to be forwarded.")


def _nothing(hearing: Hearing) -> Msg:
    if hearing.nothing is not None:
        return hearing.nothing
    asked = next((one for one in hearing.game.waiting(hearing.state) if one.seat == hearing.seat), None)
    if asked is not None and asked.answered:
        return T("Nothing was done; your sealed answer stands as it was.")
    return T("Nothing was done; it is still your turn.") if asked else T("Nothing was done.")
