"""A letter for a game, under the game's lock: read it, decide, draw up the change. `Desk` commits it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.game import Decision, Game, Line, Seat
from pbem.desk import earlier, noting
from pbem.desk.compose import history
from pbem.desk.context import Context
from pbem.desk.interpreter import judge
from pbem.desk.joining import Gathered, Gathering, gathered
from pbem.desk.lists import listed_in
from pbem.desk.request import Hearing, Ruling
from pbem.desk.result import Result
from pbem.desk.start import answered, chance_of, missing_words, start
from pbem.desk.undo import UNDO, UndoPoint, after_letter, marks, restored
from pbem.host.people import MODERATOR
from pbem.outbound.mail import MailKind, Message, Spoken
from pbem.store.stored import Stored
from pbem.store.table import Status

SUBJECT = 100
"""Characters of a commit's first line before it is cut at a sentence."""


@dataclass(frozen=True, slots=True)
class Post:
    """What a seat sent, by mail or as a turn file. `decision` is the number it answers; None is the newest."""

    seat: Seat
    lines: Sequence[str]
    written: Sequence[str]
    decision: int | None = None
    message_id: str = ""
    signed: tuple[str, ...] = ()
    """Names the writer signs with."""
    attached: tuple[str, ...] = ()
    """Names of attachments that were not read."""
    trouble: Msg | None = None
    """Why the lines are not to be read; says that nothing was done."""
    record: int = 0
    """The record that the answered mail belongs to; 0 when the letter does not tell."""
    date: datetime | None = None
    """When its writer says it was written."""
    subject: str = ""
    """What the letter says it is about, without marks of answering."""
    day: str = ""
    """The day on which it is read (ISO 8601)."""


def answer(context: Context, post: Post) -> Result:
    """What becomes of a letter."""
    if post.trouble is not None:
        return _refusal(context, post, post.trouble)
    table = context.stored.table
    if noting.is_note(context.game, table, context.state is not None, post.subject, post.lines):
        row = table.seat(post.seat)
        note = noting.told(row, post.day, post.message_id)
        says = f"{row.name}: an automatic note"
        return Result(
            what="letter", says=says, stored=context.stored, state=context.state, seat=post.seat, answer=note,
            noted=True,
        )  # fmt: skip
    result = _gather(context, post) if context.state is None else _play(context, post)
    if post.attached and result.answer is not None:
        ignored = T("Not read, because only text is: {names}", names=post.attached[:5])
        result = replace(result, answer=replace(result.answer, notes=(*result.answer.notes, ignored)))
    return result


def _refusal(context: Context, post: Post, *notes: Msg) -> Result:
    answer = Message(seat=post.seat, kind=MailKind.REFUSAL, notes=notes, position=True, answering=post.message_id)
    says = f"{context.stored.table.seat(post.seat).name}: a letter is refused"
    stored = context.stored
    return Result(what="letter", says=says, stored=stored, state=context.state, seat=post.seat, answer=answer)


def _gather(context: Context, post: Post) -> Result:
    """A letter before the game; the last one who joins starts it."""
    # The reader asks no more of a game than what a table before its game has (tests/desk/test_gathering.py).
    room, at = Gathering(context.game), gathered(context.stored)
    seat, row = post.seat, context.stored.table.seat(post.seat)
    nothing = _held(context.stored) or room.standing(at, seat)
    ruling = _judged(context, post, cast(Game, room), at, nothing)
    if ruling.state is not at and (doubt := room.doubt(at, post.lines)) is not None:
        # A person's yes counts only where nothing else in the letter takes it back.
        ruling = Ruling(MailKind.REFUSAL, at, (doubt,), (nothing,))
    after: Gathered = ruling.state
    if ruling.kind is MailKind.REFUSAL:
        ruling = replace(ruling, choices=room.asked_back(at, seat, ruling.choices))
        if all(said.reason is None for said in ruling.said):
            ruling = replace(ruling, notes=(*room.unanswered(post.lines), nothing))
    change = replace(_change(context, post, replace(ruling, entries=(), sealed=False)), state=None)
    if (after.joined, after.declined) == (at.joined, at.declined) and after.word is None:
        return change
    stored = answered(context.stored, seat, after.joined, after.declined, after.word or "")
    change = replace(change, stored=stored)
    if seat in after.declined:
        return replace(change, what="decline", says=f"{row.name} declines", aside=_declined(row.name))
    if seat not in after.joined:
        return replace(change, what="decline", says=f"{row.name} takes the answer back")
    if missing_words(stored):
        return replace(change, what="join", says=f"{row.name} joins")
    step = start(context.game, stored)
    draft = None if change.answer is None else replace(change.answer, kind=MailKind.WELCOME)
    return replace(
        change,
        what="start",
        says=f"{row.name} joins; the game begins",
        state=step.state,
        entries=step.entries,
        reveals=True,
        answer=draft,
        began=True,
        marks=(),
    )


def _declined(name: str) -> Message:
    """What the moderator is told; nothing of the letter (contract, «Private»)."""
    notes = (
        T("{name} has declined the seat.", name=name),
        T("The game cannot begin before somebody else has it: «gm replace», by letter or at the terminal."),
    )
    return Message(seat=MODERATOR, kind=MailKind.NEWS, notes=notes, position=True)


def _play(context: Context, post: Post) -> Result:
    """A letter in a running game."""
    asked = next((one for one in context.game.waiting(context.state) if one.seat == post.seat), None)
    if _comes_again(context, post, asked):
        return _refusal(context, post, earlier.repeated())
    ruling = _judged(context, post, context.game, context.state)
    if _is_older(context, post, asked) and ruling.entries:
        return _refusal(context, post, earlier.older(), T("Nothing was done; what you wrote last stands."))
    number = context.stored.table.decisions if asked is None else asked.number
    return replace(_change(context, post, ruling), said=_said(context, post, number, ruling))


def _judged(context: Context, post: Post, game: Game, state: Any, nothing: Msg | None = None) -> Ruling:
    """What becomes of a letter, in a game or before it; `nothing` is what is told when nothing was done."""
    table, secrets = context.stored.table, context.stored.secrets
    seat, names = post.seat, {Seat(row.seat): row.name for row in table.seats}
    number = next((asked.number for asked in game.waiting(state) if asked.seat == seat), table.decisions)

    def told(wanted: int) -> Sequence[Line]:
        return history(context, seat, wanted)

    hearing = Hearing(
        game,
        seat,
        names,
        state,
        chance_of(context.stored),
        table.entries + 1,
        table.decisions,
        post.decision is not None and post.decision != number,
        listed_in(secrets.also.get("lists", {}).get(seat, {}), post.record) if post.decision is not None else (),
        marks(table),
        lambda mark: restored(game, context.repo, mark),
        told,
        post.signed,
        _held(context.stored),
        context.achievements(seat),
        nothing,
    )
    return judge(hearing, post.lines, post.written)


def _comes_again(context: Context, post: Post, asked: Decision | None) -> bool:
    """Whether a letter repeats the orders that closed the decision it answers."""
    if post.decision is None or (asked is not None and asked.number == post.decision):
        return False
    words = earlier.heard(_words(context, post.seat), post.decision)
    return words is not None and earlier.repeats(words, post.written, context.game.verbs())


def _is_older(context: Context, post: Post, asked: Decision | None) -> bool:
    """Whether the seat has said something newer on a sealed decision that is still open."""
    if post.decision is None or asked is None or not asked.sealed:
        return False
    words = earlier.heard(_words(context, post.seat), asked.number)
    return words is not None and earlier.is_older(words, post.date, post.record)


def _words(context: Context, seat: Seat) -> Sequence[earlier.Words]:
    found: Sequence[earlier.Words] = context.stored.secrets.also.get(earlier.SAID, {}).get(seat, [])
    return found


def _said(context: Context, post: Post, number: int, ruling: Ruling) -> Sequence[earlier.Words] | None:
    """What the seat has said, with this letter; None when it has played nothing."""
    kept = _words(context, post.seat)
    if ruling.taken_back is not None:
        return earlier.forgotten(kept, ruling.taken_back.record)
    if not ruling.entries:
        return None
    played = [said.written for said in ruling.said if said.reason is None and ruling.played]
    answered = number if post.decision is None else post.decision
    record = context.stored.table.records + 1
    return earlier.also_said(kept, answered, post.date, record, played, anew=ruling.sealed)


def _held(stored: Stored) -> Msg | None:
    table = stored.table
    if table.status is Status.HELD:
        return T("The moderator holds the game: {reason}", reason=table.reason or T("no reason given"))
    if table.status is Status.ABANDONED:
        return T("This game was given up.")
    if table.status is Status.ENDED:
        return T("The game is over.")
    return None


def _change(context: Context, post: Post, ruling: Ruling) -> Result:
    table, seat = context.stored.table, post.seat
    last = table.entries + len(ruling.entries)
    draft = Message(
        seat=seat,
        kind=ruling.kind,
        said=ruling.said,
        notes=ruling.notes,
        answers=ruling.answers,
        position=ruling.position,
        public=ruling.public,
        options="options" in ruling.asked,
        answering=post.message_id,
        choices=ruling.choices,
        brief=ruling.brief,
    )
    change = Result(
        what="letter", says=_subject(context, seat, ruling), stored=context.stored, state=ruling.state, seat=seat,
        entries=ruling.entries, reveals=ruling.revealed, answer=draft,
    )  # fmt: skip
    private: dict[str, Any] = {"orders": list(ruling.played)} if ruling.played else {}
    if tells := [{"to": str(m.to), "text": m.text} for m in ruling.messages if m.to]:
        private["tells"] = tells
    also: dict[str, Any] = {}
    if says := [m.text for m in ruling.messages if not m.to]:
        also["says"] = says
    change = replace(change, private=private, also=also, messages=_relayed(context, seat, ruling))
    before = marks(table)
    base = UndoPoint(seat, context.stored.commit, table.records + 1, table.entries)
    back = ruling.taken_back
    if back is not None:
        before = before[:-1]
        base = UndoPoint(seat, back.commit, back.record, back.entry, table.decisions)
        # Whoever was told of what is taken back must know, above all the one whose turn had come.
        concerned = tuple(Seat(row.seat) for row in table.seats if row.seat != seat and row.told > back.entry)
        undone = {UNDO: {"restored": back.entry, "number": table.decisions}}
        change = replace(change, what="undo", concerned=concerned, also={**also, **undone}, marks=before)
    if ruling.sealed:
        # Going back to a position from before would take back what others have answered since.
        change = replace(change, marks=())
    elif ruling.entries:
        after = after_letter(
            before, seat, base, ruling.safe, last, revealed=ruling.revealed, taken_back=back is not None
        )
        change = replace(change, marks=after)
    return change


def _relayed(context: Context, seat: Seat, ruling: Ruling) -> Mapping[Seat, tuple[Spoken, ...]]:
    name = context.stored.table.seat(seat).name
    found: dict[Seat, tuple[Spoken, ...]] = {}
    for message in ruling.messages:
        for row in context.stored.table.seats:
            other = Seat(row.seat)
            if other != seat and message.to in (None, other):
                found[other] = (*found.get(other, ()), Spoken(name, message.text, message.to is not None))
    return found


def _subject(context: Context, seat: Seat, ruling: Ruling) -> str:
    """The public first line of the commit: what the whole table may read."""
    name = context.stored.table.seat(seat).name
    parts = [f"{name} takes back the last orders."] if ruling.taken_back else []
    if ruling.entries:
        parts += _told(context.game, ruling.state, ruling.entries, context.stored.table.entries + 1)
    if parts:
        text = parts[0]
        for part in parts[1:]:
            if len(text) + len(part) > SUBJECT:
                return f"{text} …"
            text = f"{text} {part}"
        return text
    if ruling.messages:
        return f"{name} writes to the table"
    if ruling.kind is MailKind.TRIAL:
        return f"{name} tries orders"
    return f"{name}: a letter is {'refused' if ruling.kind is MailKind.REFUSAL else 'answered'}"


def _told(game: Game, state: Any, entries: tuple[Entry, ...], first: int) -> list[str]:
    return [str(line.says) for line in game.tell(state, entries, None, first)]
