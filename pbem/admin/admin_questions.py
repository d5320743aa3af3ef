"""Questions that a moderator asks by mail, answered from what the whole table may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from engine.catalog import Msg, T
from engine.game import Seat
from engine.reference import CardText
from pbem.admin.actions import rollback
from pbem.admin.actions.seat_orders import try_orders
from pbem.admin.admin_action import (
    ORDER,
    SEAT_OF_ORDER,
    AdminAction,
    Argument,
    ArgumentKind,
    admin_question,
    undone_lines,
)
from pbem.admin.health.game_health import check_game
from pbem.clocks.dates import local_time
from pbem.desk.clock.clock_text import deadlines_of
from pbem.desk.core.context import Context, hours_of
from pbem.desk.core.services import Services

MAX_STEPS = 200


@admin_question(T("the position as the table sees it, and who has time until when"))
def status(context: Context, services: Services) -> tuple[CardText, ...]:
    """The mail itself shows the position."""
    rows = tuple(_waits(context, services))
    return (CardText(T("The wait"), rows),) if rows else ()


def _waits(context: Context, services: Services) -> Iterator[Msg]:
    """Who is waited for until when, who is away, and whose mail comes back."""
    table = context.stored.table
    holders = {holder.seat: holder for holder in services.people.holders(table.game)}
    until = deadlines_of(services, table, holders.values())
    if table.wait is not None and table.wait.answered:
        yield T("{n} of {all} have answered.", n=table.wait.answered, all=len(table.wait.asked))
    for row in table.seats:
        holder = holders.get(Seat(row.seat))
        if row.seat in until:
            yield T("{name}: until {when}", name=row.name, when=local_time(until[row.seat], services.zone))
        if hours_of(services.zone, holder, row).is_away(services.clock()):
            yield T("{name} is away.", name=row.name)
        if holder is not None and holder.unreachable:
            yield T("Mail to {name} comes back: {why}", name=row.name, why=holder.unreachable)


@admin_question(
    T("the last steps with their numbers"),
    Argument(name="count", takes=ArgumentKind.NUMBER, shown="20", optional=True), costs=True,
)  # fmt: skip
def log(context: Context, count: str) -> tuple[CardText, ...]:
    """The last steps, newest first."""
    wanted = min(int(count) if count.isdecimal() else 20, MAX_STEPS)
    rows = tuple(
        T("{number}: {when}, {says}", number=one.record, when=one.at.strftime("%Y-%m-%d %H:%M"), says=one.says)
        for one in islice(rollback.game_steps(context.repo, context.stored.commit), wanted)
    )
    return (CardText(T("The last {n} steps", n=len(rows)), rows),)


@admin_question(T("what an order would do; nothing is played"), SEAT_OF_ORDER, ORDER, word="try", costs=True)
def trial_question(context: Context, seat: str, orders: Sequence[str]) -> tuple[CardText, ...]:
    """What one order would do."""
    lines: list[Msg] = []
    for said in try_orders(context, seat, orders).said:
        lines += said.effects
        lines += [T("Not played: {reason}", reason=said.reason)] if said.reason is not None else []
        lines += [T("Possible: {what}", what=way) for way in said.possible]
    shown = tuple(lines) or (T("Nothing would change."),)
    return (CardText(T("Only tried: {order}", order=orders[0]), shown),)


@admin_question(T("looks through the stored game for damage"), word="fsck", costs=True)
def fsck_question(context: Context, services: Services) -> tuple[CardText, ...]:
    """What `fsck` finds."""
    found = check_game(services, context.repo)
    rows = tuple(T("{what} {path}: {says}", what=one.what, path=one.path, says=one.says) for one in found)
    return (CardText(T("The stored game"), rows or (T("It is sound."),)),)


def rollback_preview(context: Context, action: AdminAction[...], values: Mapping[str, Any]) -> CardText:
    """What going back would undo. Raises OrderRefused where it cannot be done."""
    target = rollback.rollback_target(context, action, values)
    when = target.at.strftime("%Y-%m-%d %H:%M")
    head = T("Going back to step {number} ({when} UTC) would undo", number=target.record, when=when)
    hint = T("To do it, add «because» and a reason. Nothing was done.")
    return CardText(head, (*undone_lines(context, target.record), hint))
