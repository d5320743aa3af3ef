"""A letter for a game, under the game's lock: read it, decide, draw up the change. `Desk` commits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from engine.catalog import Msg, T
from engine.chronicle import Entry
from engine.game import CardText, Decision, Game, Line, Seat
from pbem.desk import earlier, noting
from pbem.desk.changes import Changes
from pbem.desk.compose import MailContext, history
from pbem.desk.draft import Draft
from pbem.desk.interpreter import judge
from pbem.desk.joining import Gathered, Gathering, gathered
from pbem.desk.lists import Listed, listed_in
from pbem.desk.request import Hearing, Ruling
from pbem.desk.start import answered, chance_of, missing_words, start
from pbem.desk.undo import UNDO, after_letter, restored
from pbem.host.people import MODERATOR
from pbem.outbound.mail import MailKind, Spoken
from pbem.store.record import Record, records
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.table import Heard, Lists, Status, UndoPoint
from pbem.store.words import Words, filled, reason

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


@dataclass(frozen=True, slots=True)
class Case:
    """A game at rest: repository (locked), what is stored, and its position (None before it begins)."""

    game: Game
    repo: GameRepo
    stored: Stored
    state: Any
    listing: Callable[[Seat], tuple[CardText, ...]] | None = None
    """The achievements of a seat's holder; None where no people are known."""
    words: Words | None = None
    """What people have written."""

    def achievements(self, seat: Seat) -> Callable[[], tuple[CardText, ...]]:
        """Those of one seat, read only when they are asked for."""
        listing = self.listing
        return tuple if listing is None else lambda: listing(seat)

    def past(self, after: int) -> Sequence[Record]:
        """The records after number `after`."""
        name, found = self.stored.table.game, records(self.repo, after, self.stored.table.records, self.stored.commit)
        return tuple(filled(self.words, name, record) for record in found)


def answer(case: Case, post: Post) -> tuple[Stored, Changes]:
    """The change that a letter makes, and what it changes (with one more word, when a seat joins)."""
    if post.trouble is not None:
        return case.stored, _refusal(case, post, post.trouble)
    table = case.stored.table
    if noting.is_note(case.game, table, case.state is not None, post.subject, post.lines):
        row = table.seat(post.seat)
        note = noting.told(row, post.day, post.message_id)
        says = f"{row.name}: an automatic note"
        return case.stored, Changes("letter", says, case.state, post.seat, answer=note, noted=True)
    if case.state is None:
        stored, change = _gather(case, post)
    else:
        stored, change = case.stored, _play(case, post)
    if post.attached and change.answer is not None:
        ignored = T("Not read, because only text is: {names}", names=post.attached[:5])
        change = replace(change, answer=replace(change.answer, notes=(*change.answer.notes, ignored)))
    return stored, change


def _refusal(case: Case, post: Post, *notes: Msg) -> Changes:
    draft = Draft(post.seat, MailKind.REFUSAL, notes=notes, position=True, answering=post.message_id)
    name = case.stored.table.seat(post.seat).name
    return Changes("letter", f"{name}: a letter is refused", case.state, post.seat, answer=draft)


def _gather(case: Case, post: Post) -> tuple[Stored, Changes]:
    """A letter before the game; the last one who joins starts it."""
    # The reader asks no more of a game than what a table before its game has (tests/desk/test_gathering.py).
    room, at = Gathering(case.game), gathered(case.stored)
    seat, row = post.seat, case.stored.table.seat(post.seat)
    nothing = _held(case) or room.standing(at, seat)
    ruling = _judged(case, post, cast(Game, room), at, nothing)
    if ruling.state is not at and (doubt := room.doubt(at, post.lines)) is not None:
        # A person's yes counts only where nothing else in the letter takes it back.
        ruling = Ruling(MailKind.REFUSAL, at, (doubt,), (nothing,))
    after: Gathered = ruling.state
    if ruling.kind is MailKind.REFUSAL:
        ruling = replace(ruling, choices=room.asked_back(at, seat, ruling.choices))
        if all(said.reason is None for said in ruling.said):
            ruling = replace(ruling, notes=(*room.unanswered(post.lines), nothing))
    change = replace(_change(case, post, replace(ruling, entries=(), sealed=False)), state=None)
    if (after.joined, after.declined) == (at.joined, at.declined) and after.word is None:
        return case.stored, change
    stored = answered(case.stored, seat, after.joined, after.declined, after.word or "")
    if seat in after.declined:
        return stored, replace(change, what="decline", says=f"{row.name} declines", aside=_declined(row.name))
    if seat not in after.joined:
        return stored, replace(change, what="decline", says=f"{row.name} takes the answer back")
    if missing_words(stored):
        return stored, replace(change, what="join", says=f"{row.name} joins")
    step = start(case.game, stored)
    draft = None if change.answer is None else change.answer.retold(MailKind.WELCOME)
    return stored, replace(
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


def _declined(name: str) -> Draft:
    """What the moderator is told; nothing of the letter (contract, «Private»)."""
    notes = (
        T("{name} has declined the seat.", name=name),
        T("The game cannot begin before somebody else has it: «gm replace», by letter or at the terminal."),
    )
    return Draft(MODERATOR, MailKind.NEWS, notes=notes, position=True)


def _play(case: Case, post: Post) -> Changes:
    """A letter in a running game."""
    asked = next((one for one in case.game.waiting(case.state) if one.seat == post.seat), None)
    if _comes_again(case, post, asked):
        return _refusal(case, post, earlier.repeated())
    ruling = _judged(case, post, case.game, case.state)
    if _is_older(case, post, asked) and ruling.entries:
        return _refusal(case, post, earlier.older(), T("Nothing was done; what you wrote last stands."))
    number = case.stored.table.decisions if asked is None else asked.number
    return replace(_change(case, post, ruling), said=_said(case, post, number, ruling))


def _judged(case: Case, post: Post, game: Game, state: Any, nothing: Msg | None = None) -> Ruling:
    """What becomes of a letter, in a game or before it; `nothing` is what is told when nothing was done."""
    table = case.stored.table
    seat, names = post.seat, {Seat(row.seat): row.name for row in table.seats}
    number = next((asked.number for asked in game.waiting(state) if asked.seat == seat), table.decisions)
    context = MailContext(case.game, case.stored, case.state, case.past)

    def told(wanted: int) -> Sequence[Line]:
        return history(context, seat, wanted)

    hearing = Hearing(
        game,
        seat,
        names,
        state,
        chance_of(case.stored),
        table.entries + 1,
        table.decisions,
        post.decision is not None and post.decision != number,
        _listed(case, post) if post.decision is not None else (),
        table.undo,
        lambda mark: restored(game, case.repo, mark),
        told,
        post.signed,
        _held(case),
        case.achievements(seat),
        nothing,
    )
    return judge(hearing, post.lines, post.written)


def _listed(case: Case, post: Post) -> tuple[Listed, ...]:
    """The lists that a number in a letter may count in."""
    lists = case.stored.secrets.lists.get(post.seat, Lists())
    return listed_in(lists, case.stored.table.game, post.seat, post.record, case.words)


def _comes_again(case: Case, post: Post, asked: Decision | None) -> bool:
    """Whether a letter repeats the orders that closed the decision it answers."""
    if post.decision is None or (asked is not None and asked.number == post.decision):
        return False
    words = earlier.heard(_words(case, post.seat), post.decision)
    return words is not None and earlier.repeats(words, post.written, case.game.verbs())


def _is_older(case: Case, post: Post, asked: Decision | None) -> bool:
    """Whether the seat has said something newer on a sealed decision that is still open."""
    if post.decision is None or asked is None or not asked.sealed:
        return False
    words = earlier.heard(_words(case, post.seat), asked.number)
    return words is not None and earlier.is_older(words, post.date, post.record)


def _words(case: Case, seat: Seat) -> tuple[Heard, ...]:
    return case.stored.secrets.said.get(seat, ())


def _said(case: Case, post: Post, number: int, ruling: Ruling) -> tuple[Heard, ...] | None:
    """What the seat has said, with this letter; None when it has played nothing."""
    kept = _words(case, post.seat)
    if ruling.taken_back is not None:
        return earlier.forgotten(kept, ruling.taken_back.record)
    if not ruling.entries:
        return None
    played = [said.written for said in ruling.said if said.reason is None and ruling.played]
    answered = number if post.decision is None else post.decision
    record = case.stored.table.records + 1
    return earlier.also_said(kept, answered, post.date, record, played, anew=ruling.sealed)


def _held(case: Case) -> Msg | None:
    table = case.stored.table
    if table.status is Status.HELD:
        return T("The moderator holds the game: {reason}", reason=reason(case.words, table) or T("no reason given"))
    if table.status is Status.ABANDONED:
        return T("This game was given up.")
    if table.status is Status.ENDED:
        return T("The game is over.")
    return None


def _change(case: Case, post: Post, ruling: Ruling) -> Changes:
    table, seat = case.stored.table, post.seat
    last = table.entries + len(ruling.entries)
    draft = Draft(
        seat,
        ruling.kind,
        ruling.said,
        ruling.notes,
        ruling.answers,
        position=ruling.position,
        public=ruling.public,
        options="options" in ruling.asked,
        answering=post.message_id,
        choices=ruling.choices,
        brief=ruling.brief,
    )
    change = Changes(
        "letter", _subject(case, seat, ruling), ruling.state, seat, ruling.entries, ruling.revealed, draft
    )
    private: dict[str, Any] = {"orders": list(ruling.played)} if ruling.played else {}
    if tells := [{"to": str(m.to), "text": m.text} for m in ruling.messages if m.to]:
        private["tells"] = tells
    also: dict[str, Any] = {}
    if says := [m.text for m in ruling.messages if not m.to]:
        also["says"] = says
    change = replace(change, private=private, also=also, messages=_relayed(case, seat, ruling))
    before = table.undo
    base = UndoPoint(seat, case.stored.commit, table.records + 1, table.entries)
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


def _relayed(case: Case, seat: Seat, ruling: Ruling) -> Mapping[Seat, tuple[Spoken, ...]]:
    name = case.stored.table.seat(seat).name
    found: dict[Seat, tuple[Spoken, ...]] = {}
    for message in ruling.messages:
        for row in case.stored.table.seats:
            other = Seat(row.seat)
            if other != seat and message.to in (None, other):
                found[other] = (*found.get(other, ()), Spoken(name, message.text, message.to is not None))
    return found


def _subject(case: Case, seat: Seat, ruling: Ruling) -> str:
    """The public first line of the commit: what the whole table may read."""
    name = case.stored.table.seat(seat).name
    parts = [f"{name} takes back the last orders."] if ruling.taken_back else []
    if ruling.entries:
        parts += _told(case.game, ruling.state, ruling.entries, case.stored.table.entries + 1)
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
