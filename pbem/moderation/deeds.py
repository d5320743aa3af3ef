"""What every repair of a table is made of, and the plain ones: hold, resume, end, abandon, remark.

A deed is a function from a game at rest to the change it makes; `Desk.change` commits it and mails everybody. Nothing
is written here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.catalog import Msg, T
from engine.chronicle import Data
from engine.errors import NotAllowed, NotUnderstood
from engine.game import Seat
from pbem.desk import corrections
from pbem.desk.answering import Case
from pbem.desk.changes import Changes
from pbem.desk.compose import told
from pbem.desk.undo import DEED
from pbem.inbound.speech import relayed
from pbem.store.stored import Stored
from pbem.store.table import SeatRow, Status

LONGEST = 300
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A deed drawn up: the table it begins from, its change, and what the moderator is told, which is public."""

    stored: Stored
    change: Changes
    told: tuple[Msg, ...] = ()


Deed = Callable[[Case], Drawn]


def reason(text: str) -> str:
    """A reason fit for a mail. Raises NotUnderstood when there is none."""
    found = relayed(text, LONGEST)
    if not found:
        raise NotUnderstood(T("A reason is needed; every player reads it."), possible=(T("because …"), T("--why …")))
    return found


def everyone(case: Case) -> tuple[Seat, ...]:
    """Every seat of the table."""
    return tuple(Seat(row.seat) for row in case.stored.table.seats)


def names(case: Case) -> dict[Seat, str]:
    """Seats with their display names."""
    return {Seat(row.seat): row.name for row in case.stored.table.seats}


def seat_of(case: Case, word: str) -> SeatRow:
    """The row of a seat, by handle or name. Raises NotUnderstood naming the seats there are."""
    wanted = word.strip().casefold()
    for row in case.stored.table.seats:
        if wanted in (row.seat, row.name.casefold()):
            return row
    seats = tuple(row.seat for row in case.stored.table.seats)
    raise NotUnderstood(T("No seat is called «{name}»; there are: {seats}.", name=relayed(word, 40), seats=seats))


def done(
    case: Case, data: Data, why: str = "", *, stored: Stored | None = None, state: Any = None, **more: Any
) -> Drawn:
    """A deed that everybody is told: `data` is what `corrections` makes a sentence of."""
    before = stored or case.stored
    also = {DEED: data, **more.pop("also", {})}
    told_names = {Seat(row.seat): row.name for row in before.table.seats}
    sentence = corrections.says(data, why, told_names)
    change = Changes(
        str(data["what"]),
        # The reason is nobody's business who reads the history: it lies outside the repository.
        str(corrections.says(data, "", told_names)),
        case.state if state is None else state,
        concerned=more.pop("concerned", everyone(case)),
        note=why,
        also=also,
        **more,
    )
    return Drawn(before, change, () if sentence is None else (sentence,))


def told_of(case: Case, state: Any, entries: Any) -> tuple[Msg, ...]:
    """Entries as a spectator may read them."""
    return tuple(line.says for line in case.game.tell(state, entries, None, case.stored.table.entries + 1))


def undone(case: Case, after: int) -> tuple[Msg, ...]:
    """What the records after number `after` hold, as a spectator may read it."""
    if case.state is None:
        return ()
    return tuple(line.says for line in told(case.game, case.state, names(case), case.past(after), None, 0))


def _must_be(case: Case, *allowed: Status) -> None:
    status = case.stored.table.status
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

    def deed(case: Case) -> Drawn:
        _must_be(case, Status.RUNNING)
        text = reason(why)
        return done(case, {"what": "hold"}, text, status=Status.HELD, reason=text)

    return deed


def resume(why: str = "") -> Deed:
    """A game that was held or given up goes on; who is asked is mailed anew."""

    def deed(case: Case) -> Drawn:
        _must_be(case, Status.HELD, Status.ABANDONED)
        status = Status.GATHERING if case.state is None else Status.RUNNING
        return done(case, {"what": "resume"}, relayed(why, LONGEST), stored=asked_anew(case.stored), status=status)

    return deed


def end(why: str) -> Deed:
    """The game is over without a result; its seed is published."""

    def deed(case: Case) -> Drawn:
        _must_be(case, Status.RUNNING, Status.HELD)
        text = reason(why)
        return done(case, {"what": "end"}, text, status=Status.ENDED, reason=text, marks=())

    return deed


def abandon(why: str) -> Deed:
    """The game is given up; its seed stays secret, and `resume` takes it up again."""

    def deed(case: Case) -> Drawn:
        _must_be(case, Status.GATHERING, Status.RUNNING, Status.HELD)
        text = reason(why)
        return done(case, {"what": "abandon"}, text, status=Status.ABANDONED, reason=text)

    return deed


def remark(text: str, now: bool = False) -> Deed:
    """A word of the moderator's to the table: in everybody's next mail, or with `now` in one of its own."""

    def deed(case: Case) -> Drawn:
        said = relayed(text, 1000)
        if not said:
            raise NotUnderstood(T("A remark needs a text."))
        return done(case, {"what": "remark"}, said, concerned=everyone(case) if now else ())

    return deed


def asked_anew(stored: Stored, seat: str = "") -> Stored:
    """The table as if nobody (or not `seat`) had been mailed what is asked."""

    def anew(row: SeatRow) -> SeatRow:
        return replace(row, asked=0) if not seat or row.seat == seat else row

    return replace(stored, table=replace(stored.table, seats=tuple(anew(row) for row in stored.table.seats)))
