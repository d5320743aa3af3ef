"""Accepts a change made by hand as a repair that everybody sees; rebuilds position and people from the history."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import editing
from engine.catalog import T
from engine.errors import OrderRefused, PositionError
from engine.game import Seat
from pbem.desk.context import Context
from pbem.desk.desk import Desk
from pbem.desk.result import Result
from pbem.desk.undo import replay
from pbem.host.people import Holder, PeopleError
from pbem.inbound.speech import relayed
from pbem.moderation.deed import LONGEST, done, reason
from pbem.moderation.values import corrected, entries_of, numbered
from pbem.store.audit import Fault
from pbem.store.record import records
from pbem.store.repo import GameRepo
from pbem.store.stored import SECRET, STATE, Stored
from pbem.store.trouble import StoreError


def adopt(desk: Desk, repo: GameRepo, fault: Fault, why: str) -> str:
    """Turn a change made by hand into a repair with a reason. Raises StoreError when it cannot be one."""
    try:
        text = reason_of(why)
        base, after, over = _sides(desk, repo, fault)
        return _taken_over(desk, repo, base, after, over, text)
    except OrderRefused as refusal:
        parts = "; ".join(str(one) for one in refusal.possible)
        raise StoreError(f"{refusal.reason} possible: {parts}" if parts else str(refusal.reason)) from None
    except PositionError as odd:
        where = odd.where if "secret" not in odd.where else SECRET
        raise StoreError(f"what was changed is no position: {where}") from None


def reason_of(why: str) -> str:
    """The reason as it is mailed. Raises StoreError without one."""
    try:
        return reason(why)
    except OrderRefused:
        raise StoreError("a reason is needed, since every player reads it: --why '…'") from None


def _sides(desk: Desk, repo: GameRepo, fault: Fault) -> tuple[Stored, Stored, tuple[str, ...]]:
    """The position of the history, the changed one, and the work files that hold it."""
    head = Stored.read(repo)
    if fault.what == "file":
        over = tuple(change.path for change in repo.status() if change.how == "changed")
        raw = {name: repo.work(name) if name in over else repo.read(name) for name in (STATE, SECRET)}
        after = Stored.from_toml(raw[STATE], raw[SECRET])
        if (head.table, head.secrets) != (after.table, after.secrets):
            raise StoreError(
                "the edit changes the table and not only the position; status, seats, names have commands of their own"
            )
        return head, after, over
    if fault.what == "hand":
        base = Stored.read(repo, repo.last_written)
        repo.point_at(repo.head)
        return replace(base, commit=head.commit), head, ()
    game = desk.services.find(head.table.kind)
    public, hidden = game.dump(replay(game, records(repo, upto=head.table.records)))
    return replace(head, game=public, hidden=hidden), head, ()


def mended(context: Context, why: str, **more: Any) -> Result:
    """The result that tells everybody of mended files; `more` are other fields of it."""
    says = T("The moderator has mended the files of the game; the position is what the history says.")
    return done(context, "mend", says, relayed(why, LONGEST), **more)


def _taken_over(desk: Desk, repo: GameRepo, base: Stored, after: Stored, over: tuple[str, ...], why: str) -> str:
    edits = [
        (path, value)
        for one, other in ((base.game, after.game), (base.hidden, after.hidden))
        for path, _, value in editing.differences(one, other)
    ]

    def taken(context: Context) -> Result:
        before = replace(context, stored=base, state=context.game.load(base.game, base.hidden))
        if not edits:
            nothing = T("nothing of the position was changed by hand")
            return replace(mended(before, why, concerned=(), over=over), told=(nothing,))
        return corrected(before, entries_of(context.game, before.state, edits, why), why, over)

    told = desk.change(repo.name, "mend", taken, check=False).told
    return f"the change made by hand is a repair now: {' '.join(str(one) for one in told)}"


def refold(desk: Desk, repo: GameRepo, why: str) -> str:
    """Make the position what the records fold to. Raises StoreError without a reason."""
    text = reason_of(why)

    def folded(context: Context) -> Result:
        state = replay(context.game, records(context.repo, upto=context.stored.table.records))
        return mended(context, text, marks=(), shows=True, **numbered(context, state))

    desk.change(repo.name, "mend", folded, check=False)
    return "the position is what the records fold to"


def people(desk: Desk, repo: GameRepo) -> str:
    """Write the people of a game anew: names from the table, addresses from where their mail went last.

    What the file still tells of the present holders is kept.
    """
    services, name = desk.services, repo.name
    try:
        known = {holder.seat: holder for holder in services.people.holders(name)}
    except PeopleError:
        known = {}
    went = {row.seat: row.rcpt for row in services.spool.rows(name) if row.rcpt and row.seat}
    found = []
    for row in Stored.read_public(repo).table.seats:
        seat, generation = Seat(row.seat), row.generation
        old = known.get(seat)
        if old is not None and old.generation == generation:
            found.append(old)
        else:
            addresses = (went[seat],) if seat in went else ()
            found.append(Holder(seat, row.name, addresses, generation))
    services.people.register(name, found)
    without = ", ".join(holder.seat for holder in found if not holder.addresses)
    missing = f"; no address is known of {without}: `pbem replace` names one" if without else ""
    return f"the people of the table are written anew, one address each{missing}"
