"""Tell a reader the game's past as sentences: events, talk and actions of people, without what was taken back.

An action (`ACTION_SENTENCE` in a record's `also`) is kept as a sentence. A sentence with `{text}` open stands for the
note itself; any other takes the note as its reason. What a player did is kept twice: as the others read it and as the
player does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.event_log import Data
from engine.game import AnyGame, Line, Seat
from pbem.desk.core.context import Context
from pbem.desk.core.undo import ACTION_SENTENCE, UNDO, surviving
from pbem.outbound.mail import Message, TableMessage
from pbem.store.commit_record import Record
from pbem.store.data_codec import from_data, to_data

PAST = 200
"""Records that `history` looks through at most."""

OWN = "own"
"""Key in an action: the sentence that the player who did it reads; empty where the answer to the letter told it."""


def news_since_mail(context: Context, message: Message) -> tuple[Line, ...]:
    """Tell everything since the reader's last mail, except what the mail itself answers."""
    records: Iterable[Record] = context.past(message.heard)
    if message.own:
        number = context.stored.table.records
        records = [_unanswered(record, message) if record.number == number else record for record in records]
    return news_lines(context.game, context.state, context.names(), records, message.seat, message.told)


def talk_since_mail(context: Context, message: Message, upto: int) -> tuple[TableMessage, ...]:
    """Talk to a seat since its last mail, up to record `upto`, that was held back with that mail."""
    found: list[TableMessage] = []
    for record in context.past(message.heard) if message.waited else ():
        if record.number <= upto and record.seat != message.seat:
            who = context.names().get(Seat(record.seat), record.seat)
            found += (TableMessage(who, text) for text in record.also.get("says", ()))
            tells = record.private.get("tells", ())
            found += (TableMessage(who, one["text"], True) for one in tells if one["to"] == message.seat)
    return tuple(found)


def _unanswered(record: Record, message: Message) -> Record:
    """The mail's own record without what its `said` tells."""
    entries = record.entries[message.since - record.first + 1 :] if message.since and record.entries else ()
    answered = {UNDO, ACTION_SENTENCE} if record.also.get(ACTION_SENTENCE, {}).get(OWN) == "" else {UNDO}
    also = {name: part for name, part in record.also.items() if name not in answered}
    return replace(record, first=message.since + 1, entries=entries, also=also)


def news_lines(
    game: AnyGame, state: Any, names: dict[Seat, str], records: Iterable[Record], seat: Seat | None, before: int
) -> tuple[Line, ...]:
    """Tell these records to one reader, who knows the entries up to number `before`.

    Orders taken back are left out; the reader hears of the undo only if they had heard of the orders.
    """
    lines: list[Line] = []
    for piece in surviving(records):
        if piece.action:
            lines.append(Line(action_sentence(piece.action, piece.note, own=piece.by == seat), mine=True))
        elif piece.number and piece.seat:
            if piece.restored < before and piece.seat != seat:
                name = names.get(Seat(piece.seat), piece.seat)
                says = T("{name} took back the last orders; they are as if never given.", name=name)
                lines.append(Line(says, mine=True, seat=piece.seat))
        elif piece.entries:
            lines.extend(game.tell(state, piece.entries, seat, piece.first))
    return tuple(lines)


def last_lines(context: Context, seat: Seat | None, wanted: int) -> tuple[Line, ...]:
    """The last `wanted` lines of the game as a seat may see them, from at most about `PAST` records."""
    if context.state is None or not wanted:
        return ()
    last, look = context.stored.table.records, 16
    while True:
        after = max(0, last - look)
        lines = news_lines(context.game, context.state, context.names(), context.past(after), seat, 0)
        if len(lines) >= wanted or after == 0 or look >= PAST:
            return lines[-wanted:]
        look *= 2


def player_action(says: Msg, own: Msg) -> Data:
    """A player's action, in words for the others and for the player."""
    return {**to_data(says), OWN: to_data(own)}


def answered_action(says: Msg) -> Data:
    """A player's action as the others read it; the answer to the letter tells the player."""
    return {**to_data(says), OWN: ""}


def prefixed_action(first: Msg, action: Data) -> Data:
    """An action, which may be empty, with a sentence before it that everybody reads."""
    if not action:
        return {**to_data(first)}
    said = (action_sentence(action, "", own=own) for own in (False, True))
    others, doer = (T("{first} {then}", first=first, then=then) for then in said)
    return {**to_data(others), **({OWN: to_data(doer)} if action.get(OWN) else {})}


def action_sentence(action: Data, note: str, *, own: bool = False) -> Msg:
    """An action with its note, as a reader sees it; `own` for the player who did it."""
    kept = {name: part for name, part in action.items() if name != OWN}
    says = from_data(Msg, action[OWN] if own and action.get(OWN) else kept, "deed")
    if "{text}" in says.text and not says.args:
        return replace(says, args=(("text", note),)) if note else T("The moderator writes to the table.")
    return T("{sentence} Reason: «{reason}»", sentence=says, reason=note) if note else says
