"""Who is written to after a commit, and why: one function without files, mail or clock.

Contract, «Mail volume», setting `my-turn`: a person is mailed when they must decide, when they wrote, and when a
repair, a message or the end concerns them; one letter in causes at most one mail per person; the rest waits for
«since your last mail».
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from engine.game import Decision, Seat
from pbem.outbound.mail import MailKind


@dataclass(frozen=True, slots=True)
class Happened:
    """What one commit did, as far as it matters to the post.

    `asked` gives per seat the number of the decision it was last mailed about (0: none); `waiting` the decisions
    that are open now; `answer` the kind of mail that answers the writer.
    """

    seats: Sequence[Seat]
    waiting: Sequence[Decision] = ()
    asked: Mapping[Seat, int] = field(default_factory=dict)
    writer: Seat | None = None
    answer: MailKind | None = None
    concerned: Collection[Seat] = ()
    """Seats that a message, an undo or a repair concerns."""
    began: bool = False
    ended: bool = False


def addressees(happened: Happened) -> dict[Seat, MailKind]:
    """The one mail each seat gets, in seat order; a seat without an entry gets none."""
    due: dict[Seat, MailKind] = {}
    numbers = {decision.seat: decision.number for decision in happened.waiting}
    for seat in happened.seats:
        if happened.ended:
            due[seat] = MailKind.FINAL
        elif happened.began:
            due[seat] = MailKind.WELCOME
        elif seat == happened.writer and happened.answer is not None:
            due[seat] = happened.answer
        elif seat in numbers and numbers[seat] != happened.asked.get(seat, 0):
            due[seat] = MailKind.TURN
        elif seat in happened.concerned:
            due[seat] = MailKind.NEWS
    return due
