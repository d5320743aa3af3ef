"""What stands of a letter while it is read, and the answer that tells it: orders, talk, questions, what was taken back.

A crash here leaves nothing: what is made is a value, and only `commit` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotAllowed, TooLate
from engine.kit.words import folded
from engine.reference import CardText
from pbem.desk import asking, commands, listing
from pbem.desk.asking import AskedBack
from pbem.desk.commands import hours, questions
from pbem.desk.commands.talk import NOTE, Talk, is_coming, message_of, note_of, unsigned
from pbem.desk.commands.word import Command
from pbem.desk.corrections import answered, deed
from pbem.desk.request import Request
from pbem.desk.result import RETURNS, Result, replied
from pbem.desk.seated import COMPUTER, by_person, returns, with_row
from pbem.desk.session import Session, Trial
from pbem.desk.sizes import LARGEST, fitting, size_of
from pbem.desk.timing import by_clock
from pbem.desk.undo import DEED
from pbem.host.people import MODERATOR
from pbem.inbound.speech import relayed
from pbem.outbound.mail import Choice, MailKind, Message, Said
from pbem.store.table import Status, UndoPoint
from pbem.store.words import author_of


class Standing:
    """All that a letter has done so far."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.game, self.seat = request.game, request.seat
        self.session = Session(request, request.state, request.entries)
        self.trial: Trial | None = None
        self.taken_back: UndoPoint | None = None
        self.withdrawn = False
        self.aside: list[Said] = []
        """Lines that are no orders: talk, `undo`."""
        self.again: list[str] = []
        """The same as they could be sent again."""
        self.wanted = ""
        """What is looked for among the legal orders."""
        self.returns: Msg | None = None
        """That the writer takes the seat back from a computer, as everybody is told."""
        self.talk: list[Talk] = []
        self.answers: list[CardText] = []
        self._explained: set[tuple[str, str]] = set()
        self.asked: list[str] = []
        """The questions that were answered."""
        self.settings: list[hours.Setting] = []
        """What was set, the table after it in each."""

    @property
    def plays(self) -> bool:
        """Whether a letter could play something."""
        request = self.request
        return request.held is None and not request.late and request.asked is not None

    def tells(self) -> None:
        """Let the letter do something that all are told. Raises NotAllowed if it has: a record holds one such word."""
        told = self.returns is not None or questions.HINT in self.asked
        if told or any(one.told for one in self.settings):
            raise NotAllowed(T("One letter sets one thing that all are told; send this line on its own."))

    def leaves_out(self, raw: str) -> bool:
        """Whether a line that sets what all see of the seat is left out of this letter; its writer is told."""
        if self.request.apart is None:
            return False
        self.aside.append(Said(raw, reason=self.request.apart))
        return True

    def undo(self, raw: str) -> None:
        """Take back a sealed answer, or the orders since the last mark. Raises TooLate, NotAllowed."""
        request = self.request
        if request.held is not None:
            raise TooLate(request.held)
        if self.session.played or self.trial or self.taken_back or self.withdrawn:
            raise NotAllowed(T("«undo» stands before other orders, once in a letter."))
        if (step := self.game.withdraw(request.state, self.seat)) is not None:
            # Whether others have answered since is their secret: this undo asks nobody and moves nobody.
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
        """With the commands of its choices as the writer's language has them; orders of the game have its words."""
        if not (message.choices or message.repairs):
            return message

        def lines(choices: Sequence[Choice]) -> tuple[Choice, ...]:
            each = ([commands.worded(line, self.request.language) for line in one.text.split("\n")] for one in choices)
            return tuple(replace(one, text="\n".join(text)) for one, text in zip(choices, each, strict=True))

        return replace(message, choices=lines(message.choices), repairs=lines(message.repairs))

    @property
    def told(self) -> tuple[CardText, ...]:
        """What answers its questions, as much as one mail has room for."""
        return fitting(self.answers)

    def explain(self, command: Command, argument: str) -> None:
        """Answer a question: the same one once a letter, and none once the answer is full."""
        asked = (command.word, folded(argument).strip())
        if asked not in self._explained and size_of(self.answers) <= LARGEST:
            self.answers.extend(questions.answer(command, argument, self.request, commands.COMMANDS))
        self._explained.add(asked)

    def unplayed(
        self, kind: MailKind, said: tuple[Said, ...], notes: tuple[Msg, ...], talk: tuple[Talk, ...] = (), **words: Any
    ) -> Result:
        """A letter that plays nothing, and its answer."""
        answer = self._worded(Message(kind=kind, seat=self.seat, said=said, notes=notes, **words))
        return replied(self.request.context, answer, talk=talk)

    def done(self, kind: MailKind, notes: tuple[Msg, ...], **words: Any) -> Result:
        """What stands of a letter."""
        session = self.session
        choices: tuple[Choice, ...] = ()
        if self.wanted:
            choices, told = listing.holding(self.request, session, self.wanted)
            notes += (told,)
        answer = Message(
            kind=kind,
            seat=self.seat,
            notes=notes,
            answers=self.told,
            public="board" in self.asked,
            options="options" in self.asked,
            **{
                "said": (*self.aside, *session.now.said), "choices": choices, "position": "status" in self.asked,
                **words,
            },
        )
        result = replied(
            self.request.context,
            self._worded(answer),
            **_set_by(self.request, self.settings),
            state=session.now.state,
            entries=session.now.entries,
            reveals=session.revealed,
            safe=self.request.table.entries + len(session.safe.entries) if session.revealed else 0,
            talk=tuple(self.talk),
            taken_back=self.taken_back,
            played=session.now.orders,
            sealed=self._is_sealed(),
            quiet=session.quiet and self.taken_back is None and not self.withdrawn,
        )
        return self.kept(result)

    @property
    def only_sets(self) -> bool:
        """Whether all that it has done is to set what is its writer's alone."""
        own = self.settings and all(one.own and one.table == self.request.table for one in self.settings)
        return bool(own) and len(self.aside) == len(self.settings) and not (self.asked or self.session.played)

    def beside(self, raw: str, word: str, effect: Msg, again: str = "", argument: str = "") -> None:
        """A line that is no order has done something; `again` is it as it could be sent again, if not by its word."""
        done = commands.named(word).written(argument, self.request.language)
        self.aside.append(Said(raw, done, (effect,), aside=True))
        self.again.append(again or word)

    def say(self, command: Command, argument: str, raw: str, again: str) -> None:
        """Something is said to the table or to a seat, or noted for its writer alone. Raises OrderRefused."""
        if is_coming(raw, again):
            says = T("You may only tell what you are going to say. «1» says it now.")
            raise AskedBack(says, asking.choices_of(again))
        names, row = self.request.names, self.request.table.seat(self.seat)
        if command.word == NOTE:
            one = note_of(command, argument, author_of(row.seat, row.generation))
            word, sent = NOTE, T("Kept for you alone («notes»); when the game is over the whole table reads it.")
        else:
            one = message_of(command, argument, names, self.seat)
            word, sent = "say", T("Sent to everybody at the table.")
            if one.to:
                word, sent = "tell", T("Sent to {name} alone.", name=names[one.to])
            if self.request.table.anonymous:
                one = unsigned(one, self.request.signed)
        self.talk.append(one)
        self.beside(raw, word, sent, again)

    def set(self, command: Command, argument: str, raw: str) -> None:
        """What a line sets is the writer's own, or what all ask for together. Raises OrderRefused."""
        request = self.request
        if request.now is None or request.hours is None:
            raise NotAllowed(T("«{word}» is for letters: it is its writer's own.", word=command.name))
        if self.trial is not None:
            raise NotAllowed(T("A letter either plays or tries; this one tries orders before this line."))
        before = self.settings[-1].table if self.settings else request.table
        if command.word not in hours.OWN:
            if request.state is None or before.status not in (Status.RUNNING, Status.HELD, Status.ENDED):
                raise TooLate(T("The game is not going on."))
            over = before.status is Status.ENDED
            if over != (command.word == "again"):
                raise TooLate(T("The game is over.") if over else T("The game is not over yet."))
        found = hours.setting(command, argument, before, self.seat, request.hours, request.now)
        if (found.table != before or found.status is not None) and self.leaves_out(raw):
            return
        again = f"{command.word} {relayed(argument, 0)}".strip()
        if command.word in hours.GIVES_AWAY and request.late:
            says = T("The mail that you answer is not your newest one, so you are asked before this is done.")
            raise AskedBack(says, (Choice(commands.worded(again, request.language)),))
        if found.told is not None:
            self.tells()
        self.settings.append(found)
        self.beside(raw, command.word, found.says, again, command.meant(relayed(argument)))

    def back(self, raw: str) -> None:
        """The writer plays their seat again, or is here before an absence ends. Raises NotAllowed for neither."""
        row, now = self.request.table.seat(self.seat), self.request.now
        if row.by != COMPUTER and now is not None and hours.is_away(row, now):
            self.set(commands.named("away"), "off", raw)
            return
        if row.by != COMPUTER:
            raise NotAllowed(T("You play your seat yourself; no computer sits in it."))
        self.tells()
        self.returns = returns(row.name)
        self.beside(raw, "back", T("You play again; the computer has left your seat."))

    def kept(self, result: Result) -> Result:
        """With what the table is told of a letter that played or only tried: a hint, a seat that is taken back."""
        if questions.HINT in self.asked:
            result = self._hinted(result)
        return result if self.returns is None else self._returned(result, self.returns)

    def _hinted(self, result: Result) -> Result:
        """The writer had a hint for this decision, and the table is told."""
        row, asked = result.stored.table.seat(self.seat), self.request.asked
        told = deed(T("{name} has asked for a hint.", name=row.name), T("You have asked for a hint."))
        fresh = replace(row, hinted=asked.number if asked is not None else 0)
        return replace(result, stored=with_row(result.stored, fresh), also={**result.also, DEED: told})

    def _returned(self, result: Result, says: Msg) -> Result:
        """The writer has the seat again: its row, and what everybody reads."""
        row = replace(by_person(result.stored.table.seat(self.seat)), asked=0)
        others, stored = tuple(seat for seat in self.request.names if seat != self.seat), with_row(result.stored, row)
        return replace(
            result, what=RETURNS, says=str(says), stored=stored, also={DEED: answered(says)}, concerned=others
        )

    def _is_sealed(self) -> bool:
        """Whether the letter has left or taken back a sealed answer: then a mark to go back to would tell of others.

        What is said for later while others seal answers looks like one of these, so that nobody can tell it from them.
        """
        if self.withdrawn:
            return True
        if self.session.quiet and any(one.sealed for one in self.game.waiting(self.session.now.state)):
            return True
        return self.session.played and self.game.withdraw(self.session.now.state, self.seat) is not None

    def nothing(self) -> Msg:
        """What is told when nothing was done."""
        if self.request.nothing is not None:
            return self.request.nothing
        asked = self.request.asked
        if asked is not None and asked.answered:
            return T("Nothing was done; your sealed answer stands as it was.")
        return T("Nothing was done; it is still your turn.") if asked else T("Nothing was done.")

    def nothing_else(self) -> Msg:
        """What is told when some of a letter stands, and the rest does not."""
        asks = self.session.decision()
        still = asks is not None and not asks.answered
        return T("Nothing else was done; it is still your turn.") if still else T("Nothing else was done.")


def _set_by(request: Request, settings: Sequence[hours.Setting]) -> dict[str, Any]:
    """What settings are in a result; all are told what concerns them."""
    if not settings:
        return {}
    last, told = settings[-1], next((one.told for one in settings if one.told is not None), None)
    found: dict[str, Any] = {
        "sets": True,
        "stored": replace(request.context.stored, table=last.table),
        "personal": {name: value for one in settings for name, value in one.personal.items()},
        "status": next((one.status for one in reversed(settings) if one.status is not None), None),
        "concerned": tuple(dict.fromkeys(seat for one in settings for seat in one.concerned)),
    }
    if aside := next((one.aside for one in settings if one.aside), ()):
        found["aside"] = Message(kind=MailKind.NEWS, seat=MODERATOR, notes=aside)
    if told is not None:
        found["also"] = {DEED: answered(told)}
    return found
