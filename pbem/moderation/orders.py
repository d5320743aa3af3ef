"""Orders that a moderator gives for a seat, and trials of orders. Neither shows what only the seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.desk.answering import answer
from pbem.desk.asking import passed_over
from pbem.desk.context import Context
from pbem.desk.request import Request
from pbem.desk.result import Result
from pbem.desk.undo import DEED
from pbem.inbound.speech import relayed
from pbem.moderation.deed import ORDER, SEAT_OF_ORDER, begun, deed, everyone, not_over, reason, seat_of, told_of
from pbem.outbound.mail import MailKind, Message, Said
from pbem.store.fields import write
from pbem.store.table import SeatRow


class Faulty(Exception):  # noqa: N818 - a refusal, not a defect
    """The orders were refused; `said` tells what became of each line."""

    def __init__(self, said: tuple[Said, ...], notes: tuple[Msg, ...]) -> None:
        super().__init__("refused")
        self.said, self.notes = said, notes


@dataclass(frozen=True, slots=True)
class Tried:
    """A trial: what each line would do, whether all could be given, and notes on lines that were not read."""

    said: tuple[Said, ...]
    stands: bool
    notes: tuple[Msg, ...] = ()


@deed(T("gives an order for a seat"), SEAT_OF_ORDER, ORDER, word="as", moment=True, at_terminal=False)
def given(context: Context, seat: str, orders: Sequence[str], why: str) -> Result:
    """Play orders for a seat; its holder gets the receipt, everybody is told. Raises Faulty when nothing was played.

    At a terminal it is `pbem orders --as`.
    """
    row, text = seat_of(context, seat), reason(why)
    begun(context)
    not_over(context)
    result = answer(_request(context, row, orders))
    mail = result.answer
    if mail is None or mail.kind is not MailKind.RECEIPT or not (result.entries or result.what == "undo"):
        raise _faulty(mail, orders)
    if result.effects.talk or mail.answers:
        raise Faulty((), (T("Only orders of the game can be given for a seat; nothing was done."),))
    told = told_of(context, result.state, result.entries)
    also = {**result.also, DEED: write(T("The moderator has given orders for {name}.", name=row.name))}
    return replace(result, note=text, also=also, concerned=everyone(context), told=told)


def tried(context: Context, seat: str, lines: Sequence[str]) -> Tried:
    """Try orders for a seat on a copy without secrets, up to the first thing that nobody can know."""
    row = seat_of(context, seat)
    begun(context)
    wanted = ["try", *(line for line in lines if line.strip().casefold() != "try")]
    # Not even the seat's own secrets are read, since the moderator may play, too.
    public = replace(context, state=context.game.load(context.stored.game, {}))
    mail = answer(_request(public, row, wanted)).answer
    if mail is None or mail.kind is not MailKind.TRIAL or mail.answers or not mail.said:
        raise _faulty(mail, lines)
    unread = passed_over(mail.notes)
    refused = any(line.reason is not None and not line.effects for line in mail.said)
    return Tried(mail.said, not refused and not unread, unread)


def _request(context: Context, row: SeatRow, lines: Sequence[str]) -> Request:
    return Request(context=context, seat=Seat(row.seat), lines=lines, written=lines, signed=(row.name,))


def _faulty(mail: Message | None, lines: Sequence[str]) -> Faulty:
    """The refusal without what is for the seat only («it is still your turn»)."""
    said = mail.said if mail else ()
    told_why = any(line.reason is not None for line in said)
    return Faulty(said if told_why else (), () if told_why else (_no_order(lines),))


def _no_order(lines: Sequence[str]) -> Msg:
    line = next((one.strip() for one in lines if one.strip()), "")
    return T("«{line}» is no order of the game.", line=relayed(line, 80))
