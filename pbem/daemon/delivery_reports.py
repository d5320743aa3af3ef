"""What becomes of mails that the outgoing server does not take: the moderator and the people of a table are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from engine.catalog import Msg, T
from pbem.desk.core.services import Services
from pbem.desk.limits.bounce_reports import unreachable_text
from pbem.host.people import Holder
from pbem.store.database import QueuedMail


class DeliveryReports:
    """Listens to the outbox. A mail may hold several, each of another table; `report` tells the moderator.

    `now` knows parts of seconds, as the spool does: no clock runs for what was asked before an address was refused.
    """

    def __init__(self, services: Services, now: Callable[[], datetime], report: Callable[[Msg, str], None]) -> None:
        self._services = services
        self._now = now
        self._report = report

    def undeliverable(self, mail: QueuedMail, reason: str, dead: bool) -> None:
        """The mail is given up; `dead`: the address is refused for good."""
        services = self._services
        for one in services.spool.parts(mail):
            if dead and one.kind == "follow":
                # A follower need not be written to, so no further mail goes there.
                services.followers.forget(one.rcpt)
            if not one.seat:
                continue
            self._report(T("A mail to {seat} cannot be delivered: {why}", seat=one.seat, why=reason), one.game)
            holder = self._holder(one) if dead else None
            if holder is not None and not holder.cut_off:
                now = self._now()
                why = unreachable_text("our server refuses the address", reason, now)
                services.people.change(one.game, replace(holder, unreachable=why, unreachable_since=now, refused=True))

    def late(self, mail: QueuedMail, reason: str) -> None:
        """The mail waits for a day."""
        for one in self._services.spool.parts(mail):
            says = T("A mail to {seat} has not gone out for a day: {why}", seat=one.seat, why=reason)
            self._report(says, one.game)

    def doubted(self, mail: QueuedMail, reason: str) -> None:
        """The server refuses the mail, and it is tried again."""
        for one in self._services.spool.parts(mail):
            says = T("The server refuses a mail to {seat}, which is tried again: {why}", seat=one.seat, why=reason)
            self._report(says, one.game)

    def delivered(self, mail: QueuedMail) -> None:
        """The server takes mail to an address that it had refused."""
        for one in self._services.spool.parts(mail):
            holder = self._holder(one) if one.seat else None
            if holder is not None and holder.refused:
                fresh = replace(holder, unreachable="", unreachable_since=None, refused=False)
                self._services.people.change(one.game, fresh)

    def _holder(self, part: QueuedMail) -> Holder | None:
        """Who holds the seat and has the address still. A mail of the day may be about a table that has moved since."""
        if not self._services.store.has(part.game):
            return None
        holder = self._services.people.holder(part.game, part.seat)
        return holder if part.rcpt in holder.addresses else None
