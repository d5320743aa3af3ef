"""Orders that a moderator gives for a seat, and trials of orders. Neither shows what only the seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.catalog import Msg, T
from engine.game import Seat
from pbem.admin.admin_action import (
    ORDER,
    SEAT_OF_ORDER,
    admin_action,
    all_seats,
    checked_reason,
    find_row,
    public_lines,
    require_begun,
    require_not_over,
)
from pbem.desk.answering import answer_request
from pbem.desk.commands.clarification import unread_notes
from pbem.desk.core.context import Context
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.desk.core.undo import ACTION_SENTENCE
from pbem.inbound.sanitize import clean_text
from pbem.outbound.mail import LineAnswer, MailKind, Message
from pbem.store.data_codec import to_data
from pbem.store.game_table import SeatRow


class RejectedOrders(Exception):  # noqa: N818 - a refusal, not a defect
    """The orders were refused; `said` tells what became of each line."""

    def __init__(self, said: tuple[LineAnswer, ...], notes: tuple[Msg, ...]) -> None:
        super().__init__("refused")
        self.said, self.notes = said, notes


@dataclass(frozen=True, slots=True)
class TrialResult:
    """A trial: what each line would do, whether all could be given, and notes on lines that were not read."""

    said: tuple[LineAnswer, ...]
    stands: bool
    notes: tuple[Msg, ...] = ()


@admin_action(T("gives an order for a seat"), SEAT_OF_ORDER, ORDER, word="as", moment=True, at_terminal=False)
def give_orders(context: Context, seat: str, orders: Sequence[str], why: str) -> Result:
    """Play orders for a seat; its holder gets the receipt, everybody is told. Raises Faulty when nothing was played.

    At a terminal it is `pbem orders --as`.
    """
    row, text = find_row(context, seat), checked_reason(why)
    require_begun(context)
    require_not_over(context)
    result = answer_request(_request(context, row, orders))
    mail = result.answer
    if mail is None or mail.kind is not MailKind.RECEIPT or not (result.entries or result.what == "undo"):
        raise _faulty(mail, orders)
    if result.effects.talk or mail.answers:
        raise RejectedOrders((), (T("Only orders of the game can be given for a seat; nothing was done."),))
    told = public_lines(context, result.state, result.entries)
    also = {**result.also, ACTION_SENTENCE: to_data(T("The moderator has given orders for {name}.", name=row.name))}
    return replace(result, note=text, also=also, concerned=all_seats(context), told=told)


def try_orders(context: Context, seat: str, lines: Sequence[str]) -> TrialResult:
    """Try orders for a seat on a copy without secrets, up to the first thing that nobody can know."""
    row = find_row(context, seat)
    require_begun(context)
    wanted = ["try", *(line for line in lines if line.strip().casefold() != "try")]
    # Not even the seat's own secrets are read, since the moderator may play, too.
    public = replace(context, state=context.game.load(context.stored.game, {}))
    mail = answer_request(_request(public, row, wanted)).answer
    if mail is None or mail.kind is not MailKind.TRIAL or mail.answers or not mail.said:
        raise _faulty(mail, lines)
    unread = unread_notes(mail.notes)
    refused = any(line.reason is not None and not line.effects for line in mail.said)
    return TrialResult(mail.said, not refused and not unread, unread)


def _request(context: Context, row: SeatRow, lines: Sequence[str]) -> Request:
    return Request(context=context, seat=Seat(row.seat), lines=lines, written=lines, signed=(row.name,))


def _faulty(mail: Message | None, lines: Sequence[str]) -> RejectedOrders:
    """The refusal without what is for the seat only («it is still your turn»)."""
    said = mail.said if mail else ()
    told_why = any(line.reason is not None for line in said)
    return RejectedOrders(said if told_why else (), () if told_why else (_no_order(lines),))


def _no_order(lines: Sequence[str]) -> Msg:
    line = next((one.strip() for one in lines if one.strip()), "")
    return T("«{line}» is no order of the game.", line=clean_text(line, 80))
