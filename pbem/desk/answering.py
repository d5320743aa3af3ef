"""What becomes of a letter: an automatic note, an answer to an invitation, or orders in a running game.

`orders.letter` reads it and says what was played; here follows what that means for the table: who may go back to
where, what its writer has said, and whether the game begins. A crash leaves nothing: all of it is one `Result`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.desk import automatic, chat, corrections, earlier, synonyms
from pbem.desk.context import asked_of
from pbem.desk.joining import Gathered, Gathering, as_game
from pbem.desk.orders.letter import interpret
from pbem.desk.request import Request
from pbem.desk.result import RETURNS, Result, replied
from pbem.desk.start import answered, begins, is_complete
from pbem.desk.timing import by_clock, is_secret, uncounted
from pbem.desk.undo import DEED, after_letter, restored
from pbem.desk.volume import is_cooling
from pbem.host.people import MODERATOR
from pbem.outbound.mail import MailKind, Message
from pbem.store.fields import read
from pbem.store.record import Record
from pbem.store.table import Heard, Lists, UndoPoint

SUBJECT = 100
"""Characters of a commit's first line before it is cut at a sentence."""


def answer(request: Request) -> Result:
    """What becomes of a letter. Raises only for defects and StoreError."""
    result = _answer(request)
    if result.answer is None:
        return result
    notes = result.answer.notes
    if request.attached and request.trouble is None and not result.noted:
        notes += (T("Not read, because only text is: {names}", names=request.attached[:5]),)
    return replace(result, answer=replace(result.answer, notes=notes, answering=request.message_id))


def _answer(request: Request) -> Result:
    if request.trouble is not None:
        return _refusal(request, request.trouble)
    if automatic.is_note(request):
        told = automatic.told(request)
        told = synonyms.proposed(request, told) if told is not None and request.state is not None else told
        return replied(request.context, told, "an automatic note", request.seat, noted=automatic.mark(request))
    return _gather(request) if request.state is None else _play(request)


def _refusal(request: Request, *notes: Msg) -> Result:
    message = Message(kind=MailKind.REFUSAL, seat=request.seat, notes=notes, position=True)
    return replied(request.context, message, "a letter is refused")


def _gather(request: Request) -> Result:
    """A letter before the game; the last one who joins starts it."""
    # Reading a letter asks no more of a game than what a table before its game has (tests/desk/test_gathering.py).
    context, seat = request.context, request.seat
    table = as_game(context)
    room, at = Gathering(context.game), table.state
    nothing = request.held or room.standing(at, seat)
    result = interpret(replace(request, context=table, nothing=nothing))
    if result.state is not at and (doubt := room.doubt(at, request.lines)) is not None:
        # A person's yes counts only where nothing else in the letter takes it back.
        refusal = Message(kind=MailKind.REFUSAL, seat=seat, said=(doubt,), notes=(nothing,))
        result = replied(table, refusal)
    message = result.answer
    if message is not None and message.kind is MailKind.REFUSAL:
        message = replace(message, choices=room.asked_back(at, seat, message.choices, context.language(seat)))
        if all(said.reason is None for said in message.said):
            message = replace(message, notes=(*room.unanswered(request.lines), nothing))
    after: Gathered = result.state
    result = replace(_public(request, result), state=None, entries=(), played=(), sealed=False, answer=message)
    if (after.joined, after.declined) == (at.joined, at.declined) and after.word is None:
        return result
    stored = answered(context.stored, seat, after.joined, after.declined, after.word or "")
    result, name = replace(result, stored=stored), request.names[seat]
    if seat in after.declined:
        told = _declined(name, kept=not stored.table.wish)
        result = replace(result, what="decline", says=f"{name} declines", aside=told)
        declined = T("{name} has declined the seat.", name=name)
        return _told_there(result, declined, after.joined) if stored.table.wish else result
    if seat not in after.joined:
        return replace(result, what="decline", says=f"{name} takes the answer back")
    if not is_complete(stored):
        result = replace(result, what="join", says=f"{name} joins")
        again = stored.table.wish and seat in at.declined
        return _told_there(result, T("{name} has joined after all.", name=name), after.joined) if again else result
    welcome = None if message is None else replace(message, kind=MailKind.WELCOME)
    if stored.table.wish:
        result = _told_there(result, T("All are here, and the game begins."), ())
    says = f"{name} joins; the game begins"
    return replace(result, what="start", says=says, answer=welcome, **begins(context.game, stored))


def _declined(name: str, *, kept: bool) -> Message:
    """What the moderator is told; nothing of the letter (contract, «Private»). `kept`: nobody else may take it."""
    says = T("{name} has declined the seat.", name=name)
    how = T("The game cannot begin before somebody else has it: «gm replace», by letter or at the terminal.")
    return Message(kind=MailKind.NEWS, seat=MODERATOR, notes=(says, how) if kept else (says,), position=True)


def _told_there(result: Result, says: Msg, joined: Sequence[str]) -> Result:
    """At a table of the players' own those who have joined hear of a place that is free: they know whom to ask."""
    concerned = tuple(Seat(seat) for seat in joined if result.answer is None or seat != result.answer.seat)
    return replace(result, also={**result.also, DEED: corrections.answered(says)}, concerned=concerned)


def _play(request: Request) -> Result:
    """A letter in a running game."""
    if _comes_again(request):
        return _refusal(request, earlier.repeated())
    clocked = _clocked(request)
    result = _in_time(request, clocked) or _instead(request) or understood(request)
    if clocked and clocked[-1]["acted"]:
        result = _gone_on(result)
    if result.entries and _is_older(request):
        return _refusal(request, earlier.older(), T("Nothing was done; what you wrote last stands."))
    result = _cooling(replace(_with_marks(request, _public(request, result)), said=_said(request, result)))
    sealed = result.sealed and request.asked is not None and is_secret(request.table, request.asked)
    sealed = sealed or result.unnamed or (result.sealed and result.quiet)
    if not (sealed or result.quiet):
        return result
    if result.status is not None or result.stored.table != request.table:
        # Its commit would hold both, and the seats' rows are public.
        return _refusal(request, _BESIDE, T("Nothing was done."))
    # Who has answered is as sealed as what: the history tells neither, nor that somebody has said something for later.
    says = "a sealed answer is given or taken back" if sealed else "a letter is answered"
    return replace(result, says=says, unnamed=True)


def understood(request: Request) -> Result:
    """What the lines of a letter do, or what they are asked back as."""
    result = interpret(synonyms.spelled(request))
    return chat.offered(request, synonyms.offered(request, result))


_BESIDE = T(
    "One line of your letter sets what all at the table see of you, and beside it they would see whose the secret "
    "answer or standing order is. Send that line in a letter of its own."
)

_APART = T(
    "Left out: all at the table see what it sets, and beside it they would see whose the secret answer is. Send this "
    "line again in a letter of its own."
)


def _clocked(request: Request) -> list[dict[str, Any]]:
    """What the clock has played, the newest first, down to what it played for the letter's writer on what the letter
    answers, although that lay at our server before; nothing where there is no such thing."""
    if request.received is None or not request.late or request.held:
        return []
    found = []
    for one in by_clock(request.context):
        found.append(one)
        if (one["seat"], one["number"]) == (request.seat, request.decision):
            return found if request.received < one["at"] else []
    return []


def _in_time(request: Request, clocked: Sequence[dict[str, Any]]) -> Result | None:
    """What becomes of a letter that lay at our server before the clock played for its writer, if it plays anything.

    Nobody has acted since: what the clock has played from then on is taken back, whomever for, and the letter read
    where it was to be played.
    """
    if not clocked or clocked[-1]["acted"]:
        return None
    found = clocked[-1]
    mark = UndoPoint(request.seat, found["commit"], found["record"], found["entry"])
    secret = found.get("sealed") is True
    stored = uncounted(request.context.stored, (one["seat"] for one in clocked))
    # Nothing of it may be refused: an answer that is sent again would be too late.
    request = replace(request, apart=_APART if secret else None, context=replace(request.context, stored=stored))
    result = _again_at(request, mark, read(Lists, found["lists"], "lists: "))
    if result is None:
        return None
    name = request.names[request.seat]
    says = T("The answer of {name} had come in time: what the clock had played is taken back.", name=name)
    if secret:
        says = T("An answer had come in time: what the clock had sealed for somebody is taken back.")
    also = {**result.also, DEED: corrections.after(says, result.also.get(DEED, {}))}
    return replace(result, taken_back=mark, also=also, unnamed=secret)


def _gone_on(result: Result) -> Result:
    """A refused letter that had come in time, with why it does not count all the same."""
    if result.answer is None or result.answer.kind is not MailKind.REFUSAL:
        return result
    says = T(
        "Your letter had come before the clock played for you; but the game has gone on since, and what others have "
        "done is not taken back for it. The moderator can go back to there."
    )
    return replace(result, answer=replace(result.answer, notes=(says, *result.answer.notes)))


def _instead(request: Request) -> Result | None:
    """What becomes of a letter that comes while the next player is not mailed yet (`Table.cooling`), if it plays
    anything in the place of what its writer has played before."""
    mark, table, at = request.marks[-1] if request.marks else None, request.table, request.received or request.now
    if not table.cooling or at is None or request.held or request.asked is not None:
        return None
    if mark is None or mark.seat != request.seat:
        return None
    first = Record.read(request.context.repo, mark.record, request.context.stored.commit, secret=False)
    before = asked_of(request.game, restored(request.game, request.context.repo, mark), request.seat)
    known = (before.number if before else None, request.newest)
    if at >= first.at + timedelta(minutes=table.cooling) or request.decision not in known:
        return None
    if interpret(request).quiet:
        # What may be said whoever is asked stands beside what was played, though it could have answered as well.
        return None
    result = _again_at(request, mark, request.context.stored.secrets.lists.get(request.seat, Lists()))
    if result is None or result.answer is None:
        return None
    notes = (T("This takes the place of what you wrote before."), *result.answer.notes)
    return replace(result, taken_back=mark, answer=replace(result.answer, notes=notes))


def _again_at(request: Request, mark: UndoPoint, lists: Lists) -> Result | None:
    """What a letter plays at a position that is gone back to; None if it plays nothing there.

    Its numbers are those of the mails that it answers, not of what has been asked since.
    """
    state, entries = request.back_to(mark)
    asked = asked_of(request.game, state, request.seat)
    if asked is None:
        return None
    secrets = request.context.stored.secrets
    lists = replace(lists, number=asked.number)
    stored = replace(request.context.stored, secrets=replace(secrets, lists={**secrets.lists, request.seat: lists}))
    context = replace(request.context, stored=stored, state=state)
    result = interpret(replace(request, context=context, decision=asked.number, entries=entries))
    return result if result.played and result.taken_back is None else None


def _cooling(result: Result) -> Result:
    """With a word on how long another letter may take the place of this one."""
    if not is_cooling(result) or result.answer is None:
        return result
    says = T(
        "For {n} minutes the others are not mailed yet: until then another answer takes the place of this one.",
        n=result.stored.table.cooling,
    )
    return replace(result, answer=replace(result.answer, notes=(*result.answer.notes, says)))


def _comes_again(request: Request) -> bool:
    """Whether a letter repeats the orders that closed the decision it answers."""
    if request.decision is None or (request.asked is not None and request.asked.number == request.decision):
        return False
    words = earlier.heard(_words(request), request.decision)
    if words is None or (request.record > words.record and any(one.choices for one in request.listed)):
        # A number counts in the choices of a mail that has come since.
        return False
    return earlier.repeats(words, request.written, request.game.reference.verbs())


def _is_older(request: Request) -> bool:
    """Whether the seat has said something newer on a sealed decision that is still open."""
    if request.decision is None or request.asked is None or not request.asked.sealed:
        return False
    words = earlier.heard(_words(request), request.asked.number)
    return words is not None and earlier.is_older(words, request.date, request.record)


def _words(request: Request) -> tuple[Heard, ...]:
    return request.context.stored.secrets.said.get(request.seat, ())


def _said(request: Request, result: Result) -> tuple[Heard, ...] | None:
    """What the seat has said, with this letter; None when it has played nothing."""
    kept = _words(request)
    if result.taken_back is not None:
        return earlier.forgotten(kept, result.taken_back.record)
    if not result.entries or result.answer is None:
        return None
    told = [said for said in result.answer.said if said.written and said.reason is None]
    played = [said.written for said in told if result.played]
    number = request.newest if request.decision is None else request.decision
    record = request.table.records + 1
    return earlier.also_said(kept, number, request.date, record, played, anew=result.sealed)


def _with_marks(request: Request, result: Result) -> Result:
    """With the positions that may be gone back to, and who is told of orders that were taken back."""
    table, seat, back = request.table, request.seat, result.taken_back
    before = request.marks
    base = UndoPoint(seat, request.context.stored.commit, table.records + 1, table.entries)
    if back is not None:
        before = before[:-1]
        base = UndoPoint(seat, back.commit, back.record, back.entry, table.decisions)
        # Whoever was told of what is taken back must know, above all the one whose turn had come.
        rows = request.context.stored.rows
        concerned = tuple(Seat(row.seat) for row in rows if row.seat != seat and row.told > back.entry)
        result = replace(result, what="undo", concerned=concerned, marks=before)
    if result.sealed:
        # Going back to a position from before would take back what others have answered since.
        return replace(result, marks=())
    if not result.entries or (back is not None and not result.played):
        return result
    if result.quiet and before and before[-1].seat != seat:
        # What another seat may take back does not tell whether somebody has said something for later.
        return result
    last = table.entries + len(result.entries)
    after = after_letter(
        before, seat, base, result.safe, last, revealed=result.reveals, taken_back=back is not None
    )
    return replace(result, marks=after)


def _public(request: Request, result: Result) -> Result:
    """With the first line of the commit: what the whole table may read."""
    if result.what == RETURNS:
        return result
    name = request.names[request.seat]
    parts = [f"{name} takes back the last orders."] if result.taken_back else []
    if result.entries and request.state is not None:
        told = request.game.tell(result.state, result.entries, None, request.first)
        parts += [str(line.says) for line in told]
    if parts:
        return replace(result, says=_cut(parts))
    kind = result.answer.kind if result.answer else None
    if any(not one.is_note for one in result.talk):
        says = f"{name} writes to the table"
    elif kind is MailKind.TRIAL:
        says = f"{name} tries orders"
    else:
        says = f"{name}: a letter is {'refused' if kind is MailKind.REFUSAL else 'answered'}"
    return replace(result, says=says)


def _cut(parts: Sequence[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        if len(text) + len(part) > SUBJECT:
            return f"{text} …"
        text = f"{text} {part}"
    return text
