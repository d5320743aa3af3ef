"""The present position mailed again, to one seat or to all."""

from __future__ import annotations

from engine.catalog import T
from engine.game import Seat
from pbem.desk.answering import Case
from pbem.desk.changes import Changes
from pbem.desk.draft import Draft
from pbem.moderation.deeds import Deed, Drawn, asked_anew, everyone, seat_of
from pbem.outbound.mail import MailKind


def resend(seat: str = "") -> Deed:
    """Mail the position again. Who is asked has the options before it; an invitation is an invitation again."""

    def deed(case: Case) -> Drawn:
        row = seat_of(case, seat) if seat else None
        if row is None:
            says, stored = T("Everybody is sent the position again."), asked_anew(case.stored)
            invites = case.state is None
            change = Changes("resend", str(says), case.state, concerned=everyone(case), shows=True, invites=invites)
            return Drawn(stored, change, (says,))
        says = T("{name} is sent the position again.", name=row.name)
        asked = case.state is not None and any(one.seat == row.seat for one in case.game.waiting(case.state))
        kind = MailKind.TURN if asked else MailKind.NEWS
        draft = Draft(Seat(row.seat), MailKind.INVITATION if case.state is None else kind, position=True)
        return Drawn(case.stored, Changes("resend", str(says), case.state, answer=draft), (says,))

    return deed
