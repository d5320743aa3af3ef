"""From a moderator's line to the deed it asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.catalog import T
from engine.errors import NotUnderstood
from pbem.desk.commands import gm
from pbem.desk.context import Context
from pbem.desk.result import Result
from pbem.desk.services import Services
from pbem.moderation import deeds, orders, seats, travel, values
from pbem.moderation.deeds import Deed
from pbem.moderation.sending import resend


def deed_of(given: Sequence[gm.GmLine], services: Services) -> Deed:
    """The deed of one line, or of several orders for one seat. Raises OrderRefused."""
    one = given[0]
    people, words = services.people, one.argument.split()
    match one.command.word:
        case "undo":
            return travel.undo(one.why)
        case "rollback":
            return travel.rollback(*step(one), one.why, redraw="redraw" in words)
        case "rollforward":
            return travel.rollforward(one.why)
        case "as":
            return _as(given)
        case "set":
            return values.put(*_two(one), one.why)
        case "hold":
            return deeds.hold(one.why)
        case "resume":
            return deeds.resume(one.why)
        case "resend":
            return resend(one.argument)
        case "computer":
            return seats.computer(_first(one), one.why, on="off" not in words[1:])
        case "replace":
            seat, rest = _two(one)
            name, addresses = person(rest)
            return seats.replaced(people, seat, name, addresses, one.why)
        case "rename":
            return seats.rename(people, *_two(one), one.why)
        case "remark":
            return deeds.remark(one.argument)
        case "end":
            return deeds.end(one.why)
        case _:
            return deeds.abandon(one.why)


def step(one: gm.GmLine) -> tuple[str]:
    """The step that a line names: `rollback 17`, `rollback to 17`."""
    words = [word for word in one.argument.split() if word.casefold() not in ("to", "redraw")]
    if len(words) != 1:
        raise _usage(one)
    return (words[0],)


def seat_and_order(one: gm.GmLine) -> tuple[str, str]:
    """`anna: pass`, or `anna pass`."""
    head, colon, rest = one.argument.partition(":")
    if colon and " " not in head.strip():
        seat, order = head.strip(), rest.strip()
    else:
        seat, _, order = one.argument.partition(" ")
    if not seat or not order:
        raise _usage(one)
    return seat, order


def person(text: str) -> tuple[str, tuple[str, ...]]:
    """A name and addresses: `Zoe <zoe@example.org, z@example.org>`."""
    match = re.fullmatch(r"([^<>]*)(?:<([^<>]*)>)?\s*", text)
    if match is None:
        raise NotUnderstood(T("«{text}» is no person; write it so: Zoe <zoe@example.org>", text=text[:80]))
    addresses = tuple(one.strip() for one in (match[2] or "").split(",") if one.strip())
    return match[1].strip().strip('"'), addresses


def _as(given: Sequence[gm.GmLine]) -> Deed:
    found = [seat_and_order(one) for one in given]
    why = next((one.why for one in given if one.why), "")

    def deed(context: Context) -> Result:
        seats_ = {deeds.seat_of(context, seat).seat for seat, _ in found}
        if len(seats_) > 1:
            raise NotUnderstood(T("The orders of one letter are for one seat."))
        return orders.given(seats_.pop(), [order for _, order in found], why)(context)

    return deed


def _first(one: gm.GmLine) -> str:
    words = one.argument.split()
    if not words:
        raise _usage(one)
    return words[0]


def _two(one: gm.GmLine) -> tuple[str, str]:
    words = one.argument.split(None, 1)
    if len(words) != 2:
        raise _usage(one)
    return words[0], words[1].strip()


def _usage(one: gm.GmLine) -> NotUnderstood:
    return NotUnderstood(T("It is written otherwise."), possible=(T("{usage}", usage=one.command.usage),))
