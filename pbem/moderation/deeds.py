"""What every repair of a table is made of, and the plain ones: hold, resume, end, abandon, remark.

A deed is a function from a game at rest to what is decided of it; `Desk.change` commits that and mails everybody.
Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.errors import NotAllowed, NotUnderstood
from engine.game import Seat
from pbem.desk import corrections
from pbem.desk.context import Context
from pbem.desk.history import told
from pbem.desk.result import Result
from pbem.desk.undo import DEED
from pbem.inbound.speech import relayed
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Status

LONGEST = 300
"""Characters of a reason."""


Deed = Callable[[Context], Result]


def reason(text: str) -> str:
    """A reason fit for a mail. Raises NotUnderstood when there is none."""
    found = relayed(text, LONGEST)
    if not found:
        raise NotUnderstood(T("A reason is needed; every player reads it."), possible=(T("because …"), T("--why …")))
    return found


def everyone(context: Context) -> tuple[Seat, ...]:
    """Every seat of the table."""
    return tuple(Seat(row.seat) for row in context.stored.table.seats)


def names(context: Context) -> dict[Seat, str]:
    """Seats with their display names."""
    return {Seat(row.seat): row.name for row in context.stored.table.seats}


def seat_of(context: Context, word: str) -> SeatRow:
    """The row of a seat, by handle or name. Raises NotUnderstood naming the seats there are."""
    wanted = word.strip().casefold()
    for row in context.stored.table.seats:
        if wanted in (row.seat, row.name.casefold()):
            return row
    seats = tuple(row.seat for row in context.stored.table.seats)
    raise NotUnderstood(T("No seat is called «{name}»; there are: {seats}.", name=relayed(word, 40), seats=seats))


def done(
    context: Context, data: Data, why: str = "", *, stored: Stored | None = None, state: Any = None, **more: Any
) -> Result:
    """A deed that everybody is told: `data` is what `corrections` makes a sentence of."""
    before = stored or context.stored
    also = {DEED: data, **more.pop("also", {})}
    told_names = {Seat(row.seat): row.name for row in before.table.seats}
    sentence = corrections.says(data, why, told_names)
    return Result(
        what=str(data["what"]),
        says=str(sentence),
        stored=before,
        state=context.state if state is None else state,
        told=() if sentence is None else (sentence,),
        concerned=more.pop("concerned", everyone(context)),
        note=why,
        also=also,
        **more,
    )


def told_of(context: Context, state: Any, entries: Any) -> tuple[Msg, ...]:
    """Entries as a spectator may read them."""
    return tuple(line.says for line in context.game.tell(state, entries, None, context.stored.table.entries + 1))


def undone(context: Context, after: int) -> tuple[Msg, ...]:
    """What the records after number `after` hold, as a spectator may read it."""
    if context.state is None:
        return ()
    return tuple(line.says for line in told(context.game, context.state, names(context), context.past(after), None, 0))


def _must_be(context: Context, *allowed: Status) -> None:
    status = context.stored.table.status
    if status not in allowed:
        raise NotAllowed(_is(status))


def _is(status: Status) -> Msg:
    words = {
        Status.GATHERING: T("The game has not begun."),
        Status.RUNNING: T("The game goes on already."),
        Status.HELD: T("The game is held already; «resume» lets it go on."),
        Status.ENDED: T("The game is over."),
        Status.ABANDONED: T("The game was given up; «resume» lets it go on."),
    }
    return words[status]


def hold(why: str) -> Deed:
    """Nobody has to answer until `resume`."""

    def deed(context: Context) -> Result:
        _must_be(context, Status.RUNNING)
        text = reason(why)
        return done(context, {"what": "hold"}, text, status=Status.HELD, reason=text)

    return deed


def resume(why: str = "") -> Deed:
    """A game that was held or given up goes on; who is asked is mailed anew."""

    def deed(context: Context) -> Result:
        _must_be(context, Status.HELD, Status.ABANDONED)
        status = Status.GATHERING if context.state is None else Status.RUNNING
        stored = asked_anew(context.stored)
        return done(context, {"what": "resume"}, relayed(why, LONGEST), stored=stored, status=status)

    return deed


def end(why: str) -> Deed:
    """The game is over without a result; its seed is published."""

    def deed(context: Context) -> Result:
        _must_be(context, Status.RUNNING, Status.HELD)
        text = reason(why)
        return done(context, {"what": "end"}, text, status=Status.ENDED, reason=text, marks=())

    return deed


def abandon(why: str) -> Deed:
    """The game is given up; its seed stays secret, and `resume` takes it up again."""

    def deed(context: Context) -> Result:
        _must_be(context, Status.GATHERING, Status.RUNNING, Status.HELD)
        text = reason(why)
        return done(context, {"what": "abandon"}, text, status=Status.ABANDONED, reason=text)

    return deed


def remark(text: str, now: bool = False) -> Deed:
    """A word of the moderator's to the table: in everybody's next mail, or with `now` in one of its own."""

    def deed(context: Context) -> Result:
        said = relayed(text, 1000)
        if not said:
            raise NotUnderstood(T("A remark needs a text."))
        return done(context, {"what": "remark", "text": said}, concerned=everyone(context) if now else ())

    return deed


def asked_anew(stored: Stored, seat: str = "") -> Stored:
    """The table as if nobody (or not `seat`) had been mailed what is asked."""

    def anew(row: SeatRow) -> SeatRow:
        kept = {name: part for name, part in row.also.items() if name != "asked"}
        return replace(row, also=kept) if not seat or row.seat == seat else row

    return replace(stored, table=replace(stored.table, seats=tuple(anew(row) for row in stored.table.seats)))
