"""One letter read against the position, line by line, and what becomes of it. No file is touched and no mail sent.

A crash here leaves nothing: what is decided is a value, and only `sealing` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import NotAllowed
from engine.errors import NotUnderstood
from engine.errors import OrderRefused
from engine.errors import TooLate
from engine.errors import Unclear
from pbem import commands
from pbem.commands import questions
from pbem.commands import talk
from pbem.commands.talk import Message
from pbem.commands.word import AskedBack
from pbem.commands.word import Command
from pbem.commands.word import Does
from pbem.commands.word import folded
from pbem.desk import lines as kinds
from pbem.desk.hearing import Hearing
from pbem.desk.hearing import Ruling
from pbem.desk.sitting import Sitting
from pbem.desk.sitting import Trial
from pbem.desk.sitting import not_asked
from pbem.desk.sitting import undone
from pbem.mail import MailKind
from pbem.mail import Said
from pbem.undo import Mark

MOST_ORDERS = 60
"""Lines of orders and commands in one letter (contract, «What is assumed»)."""


def judge(hearing: Hearing, lines: Sequence[str], written: Sequence[str]) -> Ruling:
    """Read a letter's lines (and the same as written) and say what becomes of it. Raises only for defects."""
    return _Reader(hearing).read(lines, written)


class _Reader:
    """The state of one reading."""

    def __init__(self, hearing: Hearing) -> None:
        self.hearing = hearing
        self.sitting = self._sit(hearing.state)
        self.trial: Trial | None = None
        self.taken_back: Mark | None = None
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

    def _sit(self, state: Any) -> Sitting:
        hearing = self.hearing
        return Sitting(hearing.game, hearing.seat, state, hearing.chance, hearing.first, hearing.listed)

    def read(self, lines: Sequence[str], written: Sequence[str]) -> Ruling:
        names = tuple(self.hearing.names.values()) + self.hearing.closings
        count = 0
        for line, raw in zip(lines, written, strict=True):
            if not line.strip():
                continue
            found = commands.command_of(line)
            if found and found[0].does is Does.STOP and not found[1]:
                break
            if not found and not self._begins_order(line):
                if kinds.is_closing(line, names):
                    if self.begun:
                        break
                    continue
                if not self.begun and kinds.is_greeting(line, names):
                    continue
            try:
                count += 1
                if count > MOST_ORDERS:
                    raise NotAllowed(T("A letter has at most {n} orders.", n=MOST_ORDERS))
                if self.public:
                    raise NotAllowed(_ALONE)
                if found:
                    self._command(*found, line, raw)
                else:
                    self._order(line, raw)
            except OrderRefused as refusal:
                if self._passed_over(line, refusal, bool(found)):
                    count -= 1
                    continue
                return self._refused(raw, self._helped(line, refusal))
            self.begun = True
        return self._ruling()

    def _begins_order(self, line: str) -> bool:
        """Whether the line is a number or begins with a verb: then it is no greeting, whatever a player is called."""
        words = folded(line).split()
        return kinds.option_number(line) is not None or words[0] in self.hearing.game.verbs()

    def _passed_over(self, line: str, refusal: OrderRefused, command: bool) -> bool:
        """Whether a line that is no order may be skipped as chatter before the first order."""
        if self.begun or command or not isinstance(refusal, NotUnderstood | TooLate):
            return False
        if kinds.option_number(line) is not None:
            return False
        game = self.hearing.game
        return kinds.is_chatter(line, game.verbs(), game.words(), commands.words())

    def _helped(self, line: str, refusal: OrderRefused) -> OrderRefused:
        """The refusal with the nearest command suggested, when the game had nothing to suggest."""
        words = line.split()
        if not isinstance(refusal, NotUnderstood) or refusal.possible or not words:
            return refusal
        near = kinds.nearest(words[0], commands.words() | self.hearing.game.verbs())
        if not near or near == words[0].casefold():
            return refusal
        return NotUnderstood(refusal.reason, possible=(T("Did you mean «{word}»?", word=near),), rule=refusal.rule)

    def _order(self, line: str, raw: str) -> None:
        hearing = self.hearing
        if hearing.held is not None:
            raise TooLate(hearing.held)
        if self.trial is not None:
            if hearing.late and kinds.option_number(line) is not None:
                raise _late()
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
            raise _late() if hearing.late else not_asked(hearing.game, self.sitting.now.state)
        if hearing.late:
            raise _late()
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
        place = questions.Asked(
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
        if argument:
            if self.hearing.late and kinds.option_number(argument) is not None:
                raise _late()
            self.trial.try_out(argument, raw)

    def _undo(self, raw: str) -> None:
        hearing = self.hearing
        if hearing.held is not None:
            raise TooLate(hearing.held)
        if self.sitting.played or self.trial or self.taken_back or self.withdrawn:
            raise NotAllowed(T("«undo» stands before other orders, once in a letter."))
        if (step := hearing.game.withdraw(hearing.state, hearing.seat)) is not None:
            # Whether others have answered since is their secret: this undo asks nobody and moves nobody.
            self.withdrawn = True
            sitting = Sitting(
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

    def _refused(self, raw: str, refusal: OrderRefused) -> Ruling:
        """A line was refused: everything since the last commit point goes, what was shown stays."""
        bad = Said(raw, reason=refusal.reason, possible=refusal.possible)
        choices = refusal.choices if isinstance(refusal, AskedBack) else ()
        if self.trial is not None:
            said = (*self.aside, *self.trial.said, bad)
            return Ruling(MailKind.TRIAL, self.hearing.state, said, (_nothing(self.hearing),), choices=choices)
        lost = self.sitting.fall_back()
        why = T("A later line was refused.")
        stands = self.sitting.revealed
        talked = [line for line in self.aside if not (stands and line.understood == "undo")]
        kept = tuple(line for line in self.aside if line not in talked) + self.sitting.now.said
        said = (*kept, *undone((*talked, *lost), why), bad)
        if not stands:
            note = (_nothing(self.hearing),)
            return Ruling(MailKind.REFUSAL, self.hearing.state, said, note, position=not choices, choices=choices)
        still = self.sitting.decision() is not None
        notes = [T("«{order}» stands, because it showed something.", order=self.sitting.now.said[-1].understood)]
        notes.append(T("Nothing else was done; it is still your turn.") if still else T("Nothing else was done."))
        ruling = replace(self._ruling(), kind=MailKind.RECEIPT, said=said, notes=tuple(notes), choices=choices)
        return replace(ruling, messages=(), answers=())

    def _ruling(self) -> Ruling:
        sitting, hearing = self.sitting, self.hearing
        blocks = tuple(block for answered in self.answered for block in answered.blocks)
        if self.trial is not None:
            said, note = (*self.aside, *self.trial.said), T("Nothing was played.")
            return Ruling(MailKind.TRIAL, hearing.state, said, (note,), blocks, messages=tuple(self.messages))
        if not self.begun:
            nothing = T("No order was found in your letter. Write one order a line, or the number of an option.")
            return Ruling(MailKind.REFUSAL, hearing.state, (), (nothing, _nothing(hearing)), position=True)
        done = sitting.played or self.withdrawn or self.taken_back is not None or bool(self.messages)
        safe = hearing.first - 1 + len(sitting.safe.entries) if sitting.revealed else 0
        return Ruling(
            MailKind.RECEIPT if done else MailKind.ANSWER,
            sitting.now.state,
            (*self.aside, *sitting.now.said),
            (),
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


_ALONE = T("«board» stands alone in its letter, because its answer is made to be forwarded.")


def _late() -> TooLate:
    return TooLate(T("The game has gone on since the mail that you answer; here is the position now."))


def _nothing(hearing: Hearing) -> Msg:
    asked = next((one for one in hearing.game.waiting(hearing.state) if one.seat == hearing.seat), None)
    if asked is not None and asked.answered:
        return T("Nothing was done; your sealed answer stands as it was.")
    return T("Nothing was done; it is still your turn.") if asked else T("Nothing was done.")
