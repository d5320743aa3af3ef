"""Answer a letter: an automatic note, an answer to an invitation, or orders in a running game.

`orders.interpret_letter` reads it and says what was played. This module adds what that means for the table: undo
points, what its writer has said, and whether the game begins. All of it is one `Result`; nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.desk.clock.clock_actions import hides_who_is_late, without_default
from pbem.desk.clock.delivery_policy import is_cooling
from pbem.desk.commands.game_news import answered_action, prefixed_action
from pbem.desk.core.context import asked_of
from pbem.desk.core.game_start import beginning, is_complete, with_answer
from pbem.desk.core.request import Request
from pbem.desk.core.result import RETURNS, LetterReading, Result, reply_result
from pbem.desk.core.undo import ACTION_SENTENCE, by_clock, restored_state, undo_points_after
from pbem.desk.limits import auto_replies
from pbem.desk.orders import chat, command_synonyms, duplicates
from pbem.desk.orders.interpret_letter import interpret
from pbem.desk.pregame.gathering import Gathered, Gathering, as_game
from pbem.host.people import MODERATOR
from pbem.outbound.mail import MailKind, Message
from pbem.store.commit_record import Record
from pbem.store.data_codec import from_data
from pbem.store.game_table import MailedLists, UndoPoint

SUBJECT = 100
"""Characters of a commit's first line before it is cut at a sentence."""


def answer_request(request: Request) -> Result:
    """The result of a letter. Raises only for defects and StoreError."""
    if request.trouble is not None:
        result = _refusal(request, request.trouble)
    elif auto_replies.is_auto_reply(request):
        told = auto_replies.auto_reply_answer(request)
        told = command_synonyms.offer_absence(request, told) if told is not None and request.state is not None else told
        reading = LetterReading(noted=auto_replies.auto_reply_digest(request))
        result = reply_result(request.context, told, "an automatic note", request.seat, reading=reading)
    else:
        result = _gather(request) if request.state is None else _play(request)
        if request.attached:
            result = _noting(result, T("Not read, because only text is: {names}", names=request.attached[:5]))
    if result.answer is None:
        return result
    return replace(result, answer=replace(result.answer, answering=request.message_id))


def _noting(result: Result, *notes: Msg, first: bool = False) -> Result:
    """The result with sentences behind, or before, the notes of its answer, if it has one."""
    if (answer := result.answer) is None:
        return result
    return replace(result, answer=replace(answer, notes=(*notes, *answer.notes) if first else (*answer.notes, *notes)))


def _refusal(request: Request, *notes: Msg) -> Result:
    message = Message(kind=MailKind.REFUSAL, seat=request.seat, notes=notes, position=True)
    return reply_result(request.context, message, "a letter is refused")


def _gather(request: Request) -> Result:
    """A letter before the game; the last one who joins starts it."""
    context, seat = request.context, request.seat
    table = as_game(context)
    room, at = Gathering(context.game), table.state
    nothing = request.held or room.standing(at, seat)
    result = interpret(replace(request, context=table, nothing=nothing))
    if result.state is not at and (doubt := room.doubt(at, request.lines)) is not None:
        # A yes counts only if nothing else in the letter takes it back.
        refusal = Message(kind=MailKind.REFUSAL, seat=seat, said=(doubt,), notes=(nothing,))
        result = reply_result(table, refusal)
    message = result.answer
    if message is not None and message.kind is MailKind.REFUSAL:
        message = replace(message, choices=room.asked_back(at, seat, message.choices, context.language(seat)))
        if all(said.reason is None for said in message.said):
            message = replace(message, notes=(*room.unanswered(request.lines), nothing))
    after: Gathered = result.state
    result = replace(_public(request, result), state=None, entries=(), answer=message)
    result = result.with_effects(played=(), sealed=False)
    if (after.joined, after.declined) == (at.joined, at.declined) and after.word is None:
        return result
    stored = with_answer(context.stored, seat, after.joined, after.declined, after.word or "")
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
    return replace(result, what="start", says=says, answer=welcome, **beginning(context.game, stored))


def _declined(name: str, *, kept: bool) -> Message:
    """What the moderator is told; nothing of the letter. `kept`: no other player may take the seat."""
    says = T("{name} has declined the seat.", name=name)
    how = T("The game cannot begin before somebody else has it: «gm replace», by letter or at the terminal.")
    return Message(kind=MailKind.NEWS, seat=MODERATOR, notes=(says, how) if kept else (says,), position=True)


def _told_there(result: Result, says: Msg, joined: Sequence[str]) -> Result:
    """At a table that a player opened, tell those who have joined."""
    concerned = tuple(Seat(seat) for seat in joined if result.answer is None or seat != result.answer.seat)
    return replace(result, also={**result.also, ACTION_SENTENCE: answered_action(says)}, concerned=concerned)


def _play(request: Request) -> Result:
    """A letter in a running game."""
    if duplicates.is_duplicate(request):
        return _refusal(request, duplicates.REPEATED)
    clocked = _clocked(request)
    result = _in_time(request, clocked) or _instead(request) or understood_result(request)
    if clocked and clocked[-1]["acted"]:
        result = _gone_on(result)
    if result.entries and duplicates.is_stale(request):
        return _refusal(request, duplicates.OLDER, T("Nothing was done; what you wrote last stands."))
    said = duplicates.repeated_lines(request, result)
    result = _cooling(_with_marks(request, _public(request, result))).with_reading(said=said)
    sealed = result.effects.sealed and request.asked is not None and hides_who_is_late(request.table, request.asked)
    sealed = sealed or result.unnamed or (result.effects.sealed and result.effects.quiet)
    if not (sealed or result.effects.quiet):
        return result
    if result.status is not None or result.stored.table != request.table:
        # The commit would hold both, and the seats' rows are public.
        return _refusal(request, _BESIDE, T("Nothing was done."))
    # Who has answered is as secret as what, and so is who gave a standing order.
    says = "a sealed answer is given or taken back" if sealed else "a letter is answered"
    return replace(result, says=says, unnamed=True)


def understood_result(request: Request) -> Result:
    """What the lines of a letter do, or what is asked back."""
    result = interpret(command_synonyms.replace_synonyms(request))
    return chat.offer_as_chat(request, command_synonyms.offer_commands(request, result))


_BESIDE = T(
    "One line of your letter sets what all at the table see of you, and beside it they would see whose the secret "
    "answer or standing order is. Send that line in a letter of its own."
)

_APART = T(
    "Left out: all at the table see what it sets, and beside it they would see whose the secret answer is. Send this "
    "line again in a letter of its own."
)


def _clocked(request: Request) -> list[dict[str, Any]]:
    """What the clock has played since the default for the decision that this letter answers, the newest first.

    Empty unless the letter lay at our mail server before that default.
    """
    if request.received is None or not request.late or request.held:
        return []
    found = []
    for one in by_clock(request.context):
        found.append(one)
        if (one["seat"], one["number"]) == (request.seat, request.decision):
            return found if request.received < one["at"] else []
    return []


def _in_time(request: Request, clocked: Sequence[dict[str, Any]]) -> Result | None:
    """Play a letter that lay at our server before the clock played for its writer, if nobody has acted since.

    All that the clock has played from then on is taken back, for whomever, and the letter is read at that position.
    """
    if not clocked or clocked[-1]["acted"]:
        return None
    found = clocked[-1]
    mark = UndoPoint(request.seat, found["commit"], found["record"], found["entry"])
    secret = found.get("sealed") is True
    stored = without_default(request.context.stored, (one["seat"] for one in clocked))
    # Lines that cannot stand are left out, not refused: an answer sent again would be too late.
    request = replace(request, apart=_APART if secret else None, context=replace(request.context, stored=stored))
    result = _again_at(request, mark, from_data(MailedLists, found["lists"], "lists: "))
    if result is None:
        return None
    name = request.names[request.seat]
    says = T("The answer of {name} had come in time: what the clock had played is taken back.", name=name)
    if secret:
        says = T("An answer had come in time: what the clock had sealed for somebody is taken back.")
    also = {**result.also, ACTION_SENTENCE: prefixed_action(says, result.also.get(ACTION_SENTENCE, {}))}
    return replace(result, also=also, unnamed=secret).with_effects(taken_back=mark)


def _gone_on(result: Result) -> Result:
    """Tell the writer of a refused letter that came in time why it does not count all the same."""
    if result.answer is None or result.answer.kind is not MailKind.REFUSAL:
        return result
    says = T(
        "Your letter had come before the clock played for you; but the game has gone on since, and what others have "
        "done is not taken back for it. The moderator can go back to there."
    )
    return _noting(result, says, first=True)


def _instead(request: Request) -> Result | None:
    """Let a letter take the place of what its writer has just played, while others are not mailed (`Table.cooling`)."""
    mark, table, at = request.marks[-1] if request.marks else None, request.table, request.received or request.now
    if not table.cooling or at is None or request.held or request.asked is not None:
        return None
    if mark is None or mark.seat != request.seat:
        return None
    first = Record.read(request.context.repo, mark.record, request.context.stored.commit, secret=False)
    before = asked_of(request.game, restored_state(request.game, request.context.repo, mark), request.seat)
    known = (before.number if before else None, request.newest)
    if at >= first.at + timedelta(minutes=table.cooling) or request.decision not in known:
        return None
    if interpret(request).effects.quiet:
        # A standing order is added to what was played.
        return None
    result = _again_at(request, mark, request.context.stored.secrets.lists.get(request.seat, MailedLists()))
    if result is None:
        return None
    says = T("This takes the place of what you wrote before.")
    return _noting(result.with_effects(taken_back=mark), says, first=True)


def _again_at(request: Request, mark: UndoPoint, lists: MailedLists) -> Result | None:
    """What a letter plays at an earlier position; None if it plays nothing there. `lists` are those of the mails that
    it answers."""
    state, entries = request.back_to(mark)
    asked = asked_of(request.game, state, request.seat)
    if asked is None:
        return None
    secrets = request.context.stored.secrets
    lists = replace(lists, number=asked.number)
    stored = replace(request.context.stored, secrets=replace(secrets, lists={**secrets.lists, request.seat: lists}))
    context = replace(request.context, stored=stored, state=state)
    result = interpret(replace(request, context=context, decision=asked.number, entries=entries))
    return result if result.effects.played and result.effects.taken_back is None else None


def _cooling(result: Result) -> Result:
    """Say how long another letter may take the place of this one."""
    if not is_cooling(result):
        return result
    says = T(
        "For {n} minutes the others are not mailed yet: until then another answer takes the place of this one.",
        n=result.stored.table.cooling,
    )
    return _noting(result, says)


def _with_marks(request: Request, result: Result) -> Result:
    """Add the undo points, and the seats that must hear of orders taken back."""
    table, seat, back = request.table, request.seat, result.effects.taken_back
    before = request.marks
    base = UndoPoint(seat, request.context.stored.commit, table.records + 1, table.entries)
    if back is not None:
        before = before[:-1]
        base = UndoPoint(seat, back.commit, back.record, back.entry, table.decisions)
        rows = request.context.stored.rows
        concerned = tuple(Seat(row.seat) for row in rows if row.seat != seat and row.told > back.entry)
        result = replace(result, what="undo", concerned=concerned, marks=before)
    if result.effects.sealed:
        # Going back would take back what others have answered since.
        return replace(result, marks=())
    if not result.entries or (back is not None and not result.effects.played):
        return result
    if result.effects.quiet and before and before[-1].seat != seat:
        # Another seat's undo point must not tell that somebody gave a standing order.
        return result
    last = table.entries + len(result.entries)
    after = undo_points_after(
        before, seat, base, result.effects.safe, last, revealed=result.reveals, taken_back=back is not None
    )
    return replace(result, marks=after)


def _public(request: Request, result: Result) -> Result:
    """Add the first line of the commit, which is public."""
    if result.what == RETURNS:
        return result
    name = request.names[request.seat]
    parts = [f"{name} takes back the last orders."] if result.effects.taken_back else []
    if result.entries and request.state is not None:
        told = request.game.tell(result.state, result.entries, None, request.first)
        parts += [str(line.says) for line in told]
    if parts:
        return replace(result, says=_cut(parts))
    kind = result.answer.kind if result.answer else None
    if any(not one.is_note for one in result.effects.talk):
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
