"""The present position mailed again, to one seat or to all."""

from __future__ import annotations

from engine.catalog import T
from engine.game import Seat
from pbem.desk.context import Context
from pbem.desk.result import Result
from pbem.moderation.deeds import Deed, asked_anew, everyone, seat_of
from pbem.outbound.mail import MailKind, Message


def resend(seat: str = "") -> Deed:
    """Mail the position again. Who is asked has the options before it; an invitation is an invitation again."""

    def deed(context: Context) -> Result:
        row = seat_of(context, seat) if seat else None
        if row is None:
            says, stored = T("Everybody is sent the position again."), asked_anew(context.stored)
            invites = context.state is None
            return Result(
                what="resend", says=str(says), stored=stored, state=context.state, concerned=everyone(context),
                shows=True, invites=invites, told=(says,),
            )  # fmt: skip
        says = T("{name} is sent the position again.", name=row.name)
        asked = context.state is not None and any(one.seat == row.seat for one in context.game.waiting(context.state))
        kind = MailKind.TURN if asked else MailKind.NEWS
        kind = MailKind.INVITATION if context.state is None else kind
        answer = Message(seat=Seat(row.seat), kind=kind, position=True)
        return Result(
            what="resend", says=str(says), stored=context.stored, state=context.state, answer=answer, told=(says,)
        )

    return deed
