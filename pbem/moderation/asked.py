"""What a moderator asks and the desk answers, from what the whole table may know."""

from __future__ import annotations

from itertools import islice

from engine.catalog import Msg, T
from engine.reference import CardText
from pbem.desk.answering import Case
from pbem.desk.commands import gm
from pbem.desk.services import Services
from pbem.moderation import orders, travel
from pbem.moderation.deeds import undone
from pbem.moderation.spoken import seat_and_order, step

MOST = 200


def asked(case: Case, one: gm.GmLine, services: Services) -> tuple[CardText, ...]:
    """The titled blocks that answer a question; none for `status`, which is the position itself."""
    match one.command.word:
        case "log":
            return (steps(case, int(one.argument) if one.argument.isdecimal() else 20),)
        case "help":
            rows = tuple(T("«{usage}»: {says}", usage=known.usage, says=known.says) for known in gm.COMMANDS)
            return (CardText(T("What the moderator can write"), rows),)
        case "try":
            seat, order = seat_and_order(one)
            return (trial(case, seat, order),)
        case "rollback":
            return (preview(case, *step(one)),)
        case "fsck":
            return (health(case, services),)
        case _:
            return ()


def steps(case: Case, wanted: int) -> CardText:
    """The last steps, newest first."""
    found = islice(travel.points(case.repo, case.stored.commit), min(wanted, MOST))
    rows = tuple(
        T("{number}: {when}, {says}", number=one.record, when=one.at.strftime("%Y-%m-%d %H:%M"), says=one.says)
        for one in found
    )
    return CardText(T("The last {n} steps", n=len(rows)), rows)


def preview(case: Case, to: str) -> CardText:
    """What going back to a step would undo. Raises OrderRefused where it cannot be done."""
    target = travel.point(case, to)
    drawn = travel.rollback(str(target.record), "preview")(case)
    lost = undone(case, target.record)
    head = T(
        "Going back to step {number} ({when} UTC) would undo", number=target.record,
        when=drawn.stored.table.changed.strftime("%Y-%m-%d %H:%M"),
    )  # fmt: skip
    hint = T("To do it, add «because» and a reason. Nothing was done.")
    return CardText(head, (*lost, hint))


def trial(case: Case, seat: str, order: str) -> CardText:
    """What one order would do."""
    tried = orders.tried(case, seat, [order])
    lines: list[Msg] = []
    for said in tried.said:
        lines += said.effects
        lines += [T("Not played: {reason}", reason=said.reason)] if said.reason is not None else []
        lines += [T("Possible: {what}", what=way) for way in said.possible]
    return CardText(T("Only tried: {order}", order=order), tuple(lines) or (T("Nothing would change."),))


def health(case: Case, services: Services) -> CardText:
    """What `fsck` finds."""
    from pbem.moderation.check import inspected

    found = inspected(services, case.repo)
    rows = tuple(T("{what} {path}: {says}", what=one.what, path=one.path, says=one.says) for one in found)
    return CardText(T("The stored game"), rows or (T("It is sound."),))
