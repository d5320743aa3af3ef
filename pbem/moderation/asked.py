"""What a moderator asks and the desk answers, from what the whole table may know."""

from __future__ import annotations

from itertools import islice

from engine.catalog import Msg, T
from engine.reference import CardText
from pbem.desk.commands import gm
from pbem.desk.context import Context
from pbem.desk.services import Services
from pbem.moderation import orders, travel
from pbem.moderation.deeds import undone
from pbem.moderation.spoken import seat_and_order, step

MOST = 200


def asked(context: Context, one: gm.GmLine, services: Services) -> tuple[CardText, ...]:
    """The titled blocks that answer a question; none for `status`, which is the position itself."""
    match one.command.word:
        case "log":
            return (steps(context, int(one.argument) if one.argument.isdecimal() else 20),)
        case "help":
            rows = tuple(T("«{usage}»: {says}", usage=known.usage, says=known.says) for known in gm.COMMANDS)
            return (CardText(T("What the moderator can write"), rows),)
        case "try":
            seat, order = seat_and_order(one)
            return (trial(context, seat, order),)
        case "rollback":
            return (preview(context, *step(one)),)
        case "fsck":
            return (health(context, services),)
        case _:
            return ()


def steps(context: Context, wanted: int) -> CardText:
    """The last steps, newest first."""
    found = islice(travel.points(context.repo, context.stored.commit), min(wanted, MOST))
    rows = tuple(
        T("{number}: {when}, {says}", number=one.record, when=one.at.strftime("%Y-%m-%d %H:%M"), says=one.says)
        for one in found
    )
    return CardText(T("The last {n} steps", n=len(rows)), rows)


def preview(context: Context, to: str) -> CardText:
    """What going back to a step would undo. Raises OrderRefused where it cannot be done."""
    target = travel.point(context, to)
    result = travel.rollback(str(target.record), "preview")(context)
    lost = undone(context, target.record)
    head = T(
        "Going back to step {number} ({when} UTC) would undo", number=target.record,
        when=result.stored.table.changed.strftime("%Y-%m-%d %H:%M"),
    )  # fmt: skip
    hint = T("To do it, add «because» and a reason. Nothing was done.")
    return CardText(head, (*lost, hint))


def trial(context: Context, seat: str, order: str) -> CardText:
    """What one order would do."""
    tried = orders.tried(context, seat, [order])
    lines: list[Msg] = []
    for said in tried.said:
        lines += said.effects
        lines += [T("Not played: {reason}", reason=said.reason)] if said.reason is not None else []
        lines += [T("Possible: {what}", what=way) for way in said.possible]
    return CardText(T("Only tried: {order}", order=order), tuple(lines) or (T("Nothing would change."),))


def health(context: Context, services: Services) -> CardText:
    """What `fsck` finds."""
    from pbem.moderation.check import inspected

    found = inspected(services, context.repo)
    rows = tuple(T("{what} {path}: {says}", what=one.what, path=one.path, says=one.says) for one in found)
    return CardText(T("The stored game"), rows or (T("It is sound."),))
