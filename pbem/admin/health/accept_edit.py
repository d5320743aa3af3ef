"""Accepts a change made by hand as a repair that everybody sees; rebuilds position and people from the history."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import data_paths
from engine.catalog import T
from engine.errors import OrderRefused, PositionError
from engine.game import Seat
from pbem.admin.actions.position_values import correct_position, corrections_of, renumbered
from pbem.admin.admin_action import MAX_REASON, action_result, checked_reason
from pbem.desk.core.context import Context
from pbem.desk.core.result import Result
from pbem.desk.core.undo import replay_records
from pbem.desk.desk import Desk
from pbem.host.people import Holder, PeopleError
from pbem.inbound.sanitize import clean_text
from pbem.store.audit import Fault
from pbem.store.commit_record import read_records
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import SECRET_FILE, STATE_FILE, StoredGame


def accept_hand_edit(desk: Desk, repo: GameRepo, fault: Fault, why: str) -> str:
    """Turn a change made by hand into a repair with a reason. Raises StoreError when it cannot be one."""
    try:
        text = required_reason(why)
        base, after, over = _sides(desk, repo, fault)
        return _taken_over(desk, repo, base, after, over, text)
    except OrderRefused as refusal:
        parts = "; ".join(str(one) for one in refusal.possible)
        raise StoreError(f"{refusal.reason} possible: {parts}" if parts else str(refusal.reason)) from None
    except PositionError as odd:
        where = odd.where if "secret" not in odd.where else SECRET_FILE
        raise StoreError(f"what was changed is no position: {where}") from None


def required_reason(why: str) -> str:
    """The reason as it is mailed. Raises StoreError without one."""
    try:
        return checked_reason(why)
    except OrderRefused:
        raise StoreError("a reason is needed, since every player reads it: --why '…'") from None


def _sides(desk: Desk, repo: GameRepo, fault: Fault) -> tuple[StoredGame, StoredGame, tuple[str, ...]]:
    """The position of the history, the changed one, and the work files that hold it."""
    head = StoredGame.read(repo)
    if fault.what == "file":
        over = tuple(change.path for change in repo.status() if change.how == "changed")
        raw = {name: repo.work(name) if name in over else repo.read(name) for name in (STATE_FILE, SECRET_FILE)}
        after = StoredGame.from_toml(raw[STATE_FILE], raw[SECRET_FILE])
        if (head.table, head.secrets) != (after.table, after.secrets):
            raise StoreError(
                "the edit changes the table and not only the position; status, seats, names have commands of their own"
            )
        return head, after, over
    if fault.what == "hand":
        base = StoredGame.read(repo, repo.last_written)
        repo.point_at(repo.head)
        return replace(base, commit=head.commit), head, ()
    game = desk.services.find(head.table.kind)
    public, hidden = game.dump(replay_records(game, read_records(repo, upto=head.table.records)))
    return replace(head, game=public, hidden=hidden), head, ()


def fix_result(context: Context, why: str, **more: Any) -> Result:
    """The result that tells everybody of mended files; `more` are other fields of it."""
    says = T("The moderator has mended the files of the game; the position is what the history says.")
    return action_result(context, "mend", says, clean_text(why, MAX_REASON), **more)


def _taken_over(
    desk: Desk, repo: GameRepo, base: StoredGame, after: StoredGame, over: tuple[str, ...], why: str
) -> str:
    edits = [
        (path, value)
        for one, other in ((base.game, after.game), (base.hidden, after.hidden))
        for path, _, value in data_paths.differences(one, other)
    ]

    def taken(context: Context) -> Result:
        before = replace(context, stored=base, state=context.game.load(base.game, base.hidden))
        if not edits:
            nothing = T("nothing of the position was changed by hand")
            return replace(fix_result(before, why, concerned=(), over=over), told=(nothing,))
        return correct_position(before, corrections_of(context.game, before.state, edits, why), why, over)

    told = desk.change(repo.name, "mend", taken, check=False).told
    return f"the change made by hand is a repair now: {' '.join(str(one) for one in told)}"


def rebuild_position(desk: Desk, repo: GameRepo, why: str) -> str:
    """Make the position what the records fold to. Raises StoreError without a reason."""
    text = required_reason(why)

    def folded(context: Context) -> Result:
        state = replay_records(context.game, read_records(context.repo, upto=context.stored.table.records))
        return fix_result(context, text, marks=(), shows=True, **renumbered(context, state))

    desk.change(repo.name, "mend", folded, check=False)
    return "the position is what the records fold to"


def rebuild_people(desk: Desk, repo: GameRepo) -> str:
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
    for row in StoredGame.read_public(repo).table.seats:
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
