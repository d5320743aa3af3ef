"""Collect what a letter does while it is read, and build its `Result` with the answer. Nothing is written here."""

from __future__ import annotations

from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, TooLate
from engine.kit.words import fold_text
from engine.reference import CardText
from pbem.desk import commands
from pbem.desk.commands import clarification, info_commands, preferences
from pbem.desk.commands.clarification import AskedBack
from pbem.desk.commands.command import Command
from pbem.desk.commands.game_news import answered_action, player_action
from pbem.desk.commands.table_talk import NOTE, announces_talk, parse_message, parse_note, strip_signature
from pbem.desk.core.request import Request
from pbem.desk.core.result import RETURNS, LetterEffects, Result, Talk, reply_result
from pbem.desk.core.seat_controller import COMPUTER, by_person, return_text, with_row
from pbem.desk.core.undo import ACTION_SENTENCE, by_clock
from pbem.desk.orders import option_search
from pbem.desk.orders.session import Session, Trial
from pbem.host.people import MODERATOR
from pbem.inbound.sanitize import clean_text
from pbem.outbound.mail import Choice, LineAnswer, MailKind, Message
from pbem.store.game_table import Status, UndoPoint
from pbem.store.private_text import author_id

LARGEST = 36_000
"""Octets of the answers to questions in one mail; a whole mail has at most 60 kB."""
TAGS = 60
"""Octets of HTML around a line."""


class ReplyBuilder:
    """What a letter has done so far."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.game, self.seat = request.game, request.seat
        self.session = Session(request, request.state, request.entries)
        self.trial: Trial | None = None
        self.taken_back: UndoPoint | None = None
        self.withdrawn = False
        self.aside: list[LineAnswer] = []
        """Lines that are no orders: talk, `undo`, settings."""
        self.again: list[str] = []
        """The same lines as they could be sent again."""
        self.wanted = ""
        """The word of `options WORD`."""
        self.returns: Msg | None = None
        """What all are told when the writer takes the seat back from a computer."""
        self.talk: list[Talk] = []
        self.answers: list[CardText] = []
        self._explained: set[tuple[str, str]] = set()
        self.asked: list[str] = []
        """The questions that were answered."""
        self.settings: list[preferences.Setting] = []
        """Each holds the table after it."""

    @property
    def plays(self) -> bool:
        """True if the letter may play orders now."""
        request = self.request
        return request.held is None and not request.late and request.asked is not None

    def tells(self) -> None:
        """Claim the one sentence that a letter may tell all. Raises NotAllowed for a second one."""
        told = self.returns is not None or info_commands.HINT in self.asked
        if told or any(one.told for one in self.settings):
            raise NotAllowed(T("One letter sets one thing that all are told; send this line on its own."))

    def leaves_out(self, raw: str) -> bool:
        """Leave a line out that sets what all see of the seat, if this letter must stay secret; tells the writer."""
        if self.request.apart is None:
            return False
        self.aside.append(LineAnswer(raw, reason=self.request.apart))
        return True

    def undo(self, raw: str) -> None:
        """Take back a sealed answer, or the orders since the last undo point. Raises TooLate, NotAllowed."""
        request = self.request
        if request.held is not None:
            raise TooLate(request.held)
        if self.session.played or self.trial or self.taken_back or self.withdrawn:
            raise NotAllowed(T("«undo» stands before other orders, once in a letter."))
        if (step := self.game.withdraw(request.state, self.seat)) is not None:
            # Independent of what others answered since, which is their secret.
            self.withdrawn = True
            self.session = Session(request, step.state, step.entries)
            self.beside(raw, "undo", T("Your sealed answer is taken back; you have not answered now."))
            return
        mark = request.marks[-1] if request.marks else None
        if mark is None or mark.seat != self.seat:
            if any(one["seat"] == self.seat and not one["acted"] for one in by_clock(request.context)):
                raise NotAllowed(
                    T("What was played for you since you had not answered in time, you cannot take back yourself."),
                    possible=(T("Ask the moderator, who can take it back while nobody has acted since."),),
                )
            raise NotAllowed(
                T(
                    "There is nothing that you can take back: somebody else has acted since your last orders, or "
                    "something hidden was shown."
                )
            )
        self.taken_back = mark
        self.session = Session(request, *request.back_to(mark))
        self.beside(raw, "undo", T("Your last orders are taken back; it is as if they were never given."))

    def _worded(self, message: Message) -> Message:
        """Translate the commands in its choices; orders of the game are translated already."""

        def lines(choices: Sequence[Choice]) -> tuple[Choice, ...]:
            def text(one: Choice) -> str:
                lines = one.text.split("\n")
                return "\n".join(commands.translate_command(line, self.request.language) for line in lines)

            return tuple(replace(one, text=text(one)) for one in choices)

        return replace(message, choices=lines(message.choices), repairs=lines(message.repairs))

    @property
    def told(self) -> tuple[CardText, ...]:
        """The answers to its questions, as much as one mail has room for."""
        return fitting(self.answers)

    def explain(self, command: Command, argument: str) -> None:
        """Answer a question, once a letter, while the mail has room."""
        asked = (command.word, fold_text(argument).strip())
        if asked not in self._explained and size_of(self.answers) <= LARGEST:
            self.answers.extend(info_commands.answer_question(command, argument, self.request, commands.COMMANDS))
        self._explained.add(asked)

    def unplayed(
        self,
        kind: MailKind,
        said: tuple[LineAnswer, ...],
        notes: tuple[Msg, ...],
        talk: tuple[Talk, ...] = (),
        **words: Any,
    ) -> Result:
        """The result of a letter that plays nothing."""
        answer = self._worded(Message(kind=kind, seat=self.seat, said=said, notes=notes, **words))
        return reply_result(self.request.context, answer, effects=LetterEffects(talk=talk))

    def done(self, kind: MailKind, notes: tuple[Msg, ...], **words: Any) -> Result:
        """The result of all that the letter has done."""
        session = self.session
        found: dict[str, Any] = {"said": (*self.aside, *session.now.said), "position": "status" in self.asked, **words}
        if self.wanted:
            choices, told = option_search.options_with_word(self.request, session, self.wanted)
            found, notes = {"choices": choices, **found}, (*notes, told)
        answer = Message(
            kind=kind,
            seat=self.seat,
            notes=notes,
            answers=self.told,
            public="board" in self.asked,
            options="options" in self.asked,
            **found,
        )
        effects = LetterEffects(
            played=session.now.orders,
            talk=tuple(self.talk),
            taken_back=self.taken_back,
            safe=self.request.table.entries + len(session.safe.entries) if session.revealed else 0,
            sealed=self._is_sealed(),
            quiet=session.quiet and self.taken_back is None and not self.withdrawn,
            sets=bool(self.settings),
            personal={name: value for one in self.settings for name, value in one.personal.items()},
        )
        result = reply_result(
            self.request.context,
            self._worded(answer),
            state=session.now.state,
            entries=session.now.entries,
            reveals=session.revealed,
            effects=effects,
            **_set_by(self.request, self.settings),
        )
        return self.kept(result)

    @property
    def only_sets(self) -> bool:
        """True if it has only set what is the writer's alone."""
        own = self.settings and all(one.own and one.table == self.request.table for one in self.settings)
        return bool(own) and len(self.aside) == len(self.settings) and not (self.asked or self.session.played)

    def beside(self, raw: str, word: str, effect: Msg, again: str = "", argument: str = "") -> None:
        """Note a line that is no order and what it did; `again` is how to send it again, its word by default."""
        done = commands.find_command(word).written(argument, self.request.language)
        self.aside.append(LineAnswer(raw, done, (effect,), aside=True))
        self.again.append(again or word)

    def say(self, command: Command, argument: str, raw: str, again: str) -> None:
        """Say something to the table or to a seat, or note it for the writer alone. Raises OrderRefused."""
        if announces_talk(raw, again):
            says = T("You may only tell what you are going to say. «1» says it now.")
            raise AskedBack(says, clarification.as_choices(again))
        names, row = self.request.names, self.request.table.seat(self.seat)
        if command.word == NOTE:
            one = parse_note(command, argument, author_id(row.seat, row.generation))
            word, sent = NOTE, T("Kept for you alone («notes»); when the game is over the whole table reads it.")
        else:
            one = parse_message(command, argument, names, self.seat)
            word, sent = "say", T("Sent to everybody at the table.")
            if one.to:
                word, sent = "tell", T("Sent to {name} alone.", name=names[one.to])
            if self.request.table.anonymous:
                one = strip_signature(one, self.request.signed)
        self.talk.append(one)
        self.beside(raw, word, sent, again)

    def set(self, command: Command, argument: str, raw: str) -> None:
        """Set something of the writer's own, or what all ask for together. Raises OrderRefused."""
        request = self.request
        if request.now is None or request.hours is None:
            raise NotAllowed(T("«{word}» is for letters: it is its writer's own.", word=command.name))
        if self.trial is not None:
            raise NotAllowed(T("A letter either plays or tries; this one tries orders before this line."))
        before = self.settings[-1].table if self.settings else request.table
        if command.word not in preferences.PERSONAL:
            if request.state is None or before.status not in (Status.RUNNING, Status.HELD, Status.ENDED):
                raise TooLate(T("The game is not going on."))
            over = before.status is Status.ENDED
            if over != (command.word == "again"):
                raise TooLate(T("The game is over.") if over else T("The game is not over yet."))
        found = preferences.parse_setting(command, argument, before, self.seat, request.hours, request.now)
        if (found.table != before or found.status is not None) and self.leaves_out(raw):
            return
        again = f"{command.word} {clean_text(argument, 0)}".strip()
        if command.word in preferences.GIVES_AWAY and request.late:
            says = T("The mail that you answer is not your newest one, so you are asked before this is done.")
            raise AskedBack(says, (Choice(commands.translate_command(again, request.language)),))
        if found.told is not None:
            self.tells()
        self.settings.append(found)
        self.beside(raw, command.word, found.says, again, command.meant(clean_text(argument)))

    def back(self, raw: str) -> None:
        """Take the seat back from a computer, or end an absence. Raises NotAllowed where there is neither."""
        row, now = self.request.table.seat(self.seat), self.request.now
        if row.by != COMPUTER and now is not None and preferences.is_away(row, now):
            self.set(commands.find_command("away"), "off", raw)
            return
        if row.by != COMPUTER:
            raise NotAllowed(T("You play your seat yourself; no computer sits in it."))
        self.tells()
        self.returns = return_text(row.name)
        self.beside(raw, "back", T("You play again; the computer has left your seat."))

    def kept(self, result: Result) -> Result:
        """Add the hint or the seat taken back to a result: the seat's row, and what the table is told."""
        row = result.stored.table.seat(self.seat)
        if info_commands.HINT in self.asked:
            asked = self.request.asked
            told = player_action(T("{name} has asked for a hint.", name=row.name), T("You have asked for a hint."))
            row = replace(row, hinted=asked.number if asked is not None else 0)
            result = replace(result, stored=with_row(result.stored, row), also={**result.also, ACTION_SENTENCE: told})
        if (says := self.returns) is not None:
            stored = with_row(result.stored, replace(by_person(row), asked=0))
            others = tuple(seat for seat in self.request.names if seat != self.seat)
            also = {ACTION_SENTENCE: answered_action(says)}
            result = replace(result, what=RETURNS, says=str(says), stored=stored, also=also, concerned=others)
        return result

    def _is_sealed(self) -> bool:
        """True if it gave or took back a sealed answer: an undo point would then tell what others did.

        A standing order given while others seal answers counts as well, so that nobody can tell the two apart.
        """
        if self.withdrawn:
            return True
        if self.session.quiet and any(one.sealed for one in self.game.waiting(self.session.now.state)):
            return True
        return self.session.played and self.game.withdraw(self.session.now.state, self.seat) is not None

    def nothing(self) -> Msg:
        """Say that nothing was done."""
        if self.request.nothing is not None:
            return self.request.nothing
        asked = self.request.asked
        if asked is not None and asked.answered:
            return T("Nothing was done; your sealed answer stands as it was.")
        return T("Nothing was done; it is still your turn.") if asked else T("Nothing was done.")

    def nothing_else(self) -> Msg:
        """Say that nothing more was done, where some of the letter stands."""
        asks = self.session.decision()
        still = asks is not None and not asks.answered
        return T("Nothing else was done; it is still your turn.") if still else T("Nothing else was done.")


def _set_by(request: Request, settings: Sequence[preferences.Setting]) -> dict[str, Any]:
    """The fields of a `Result` that settings make."""
    if not settings:
        return {}
    told = next((one.told for one in settings if one.told is not None), None)
    aside = next((one.aside for one in settings if one.aside), ())
    return {
        "stored": replace(request.context.stored, table=settings[-1].table),
        "status": next((one.status for one in reversed(settings) if one.status is not None), None),
        "concerned": tuple(dict.fromkeys(seat for one in settings for seat in one.concerned)),
        "aside": Message(kind=MailKind.NEWS, seat=MODERATOR, notes=aside) if aside else None,
        "also": {ACTION_SENTENCE: answered_action(told)} if told is not None else {},
    }


def size_of(blocks: Sequence[CardText]) -> int:
    """Octets of these blocks in a mail, as text and as HTML together."""
    return sum(_octets(line) for block in blocks for line in (block.title, *block.lines))


def _octets(line: Msg) -> int:
    text = str(line)
    return len(b2a_qp(text.encode())) + len(b2a_qp(escape(text).encode())) + TAGS


def fitting(blocks: Sequence[CardText]) -> tuple[CardText, ...]:
    """As much of these blocks as one answer has room for; a last block counts the lines left out."""
    if size_of(blocks) <= LARGEST:
        return tuple(blocks)
    room, left, found = LARGEST, 0, list[CardText]()
    for block in blocks:
        kept: list[Msg] = []
        for line in block.lines:
            room -= _octets(line)
            if room > 0:
                kept.append(line)
        left += len(block.lines) - len(kept)
        found += [CardText(block.title, tuple(kept))] if kept else []
    says = T(
        "{n} line was left out, since one answer has no room for it. Ask for less in one letter.",
        "{n} lines were left out, since one answer has no room for them. Ask for less in one letter.",
        n=left,
    )  # fmt: skip
    return (*found, CardText(T("Left out"), (says,)))
