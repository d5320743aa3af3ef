"""The mails of a day, once every table has laid down its own: one for each address (`pbem.outbound.daily`).

A crash before leaves them gathered, and they are bound at the next look; they are bound in one step. Where the spool
was lost meanwhile each goes again alone, as any other mail.
"""

from __future__ import annotations

from collections.abc import Sequence
from email.headerregistry import Address
from itertools import groupby

from pbem.desk.services import Services
from pbem.host.keys import message_id
from pbem.outbound.daily import Bound, bound, in_sizes
from pbem.outbound.mail import MailKind
from pbem.store.database import Outgoing, Queued


def bind(services: Services) -> int:
    """Let the mails go that were gathered, those to one address in one; how many go."""
    count = 0
    for _, found in groupby(sorted(services.spool.gathered(), key=lambda row: row.rcpt), key=lambda row: row.rcpt):
        rows = list(found)
        for parts in in_sizes([Bound.of(row.raw, asks=row.kind == MailKind.TURN) for row in rows]):
            _bind(services, rows[: len(parts)], parts)
            rows, count = rows[len(parts) :], count + 1
    return count


def _bind(services: Services, rows: Sequence[Queued], parts: Sequence[Bound]) -> None:
    names = [row.message_id for row in rows]
    if len(rows) == 1:
        services.spool.bind(names)
        return
    first, host = rows[0], services.renderer.host
    holder = next(one for one in services.people.holders(first.game) if one.seat == first.seat)
    name = services.keys.mail("pbem", "daily", " ".join(names))
    ident, to = message_id(name, host.domain), Address(holder.name, addr_spec=first.rcpt)
    raw = bound(services.renderer, parts, to, ident, services.clock(), services.people.read_by(holder))
    # A report on it comes back to the first of its tables.
    services.spool.bind(names, Outgoing(f"daily.{name}", "", first.rcpt, raw, "daily", first.mail_from))
