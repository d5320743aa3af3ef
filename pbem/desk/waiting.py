"""Answers that came too fast to go one by one, and wait in the game's secrets until they are sent in one mail.

They were decided when their letters came and played nothing; here they are only told. A crash leaves them waiting.
"""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import T
from engine.game import Seat
from engine.reference import CardText
from pbem.desk.asking import unnumbered
from pbem.desk.budgets import FAST, MANY
from pbem.desk.context import Context
from pbem.desk.result import Result, replied
from pbem.host.people import Holder
from pbem.outbound.mail import MailKind, Message, Said
from pbem.store.fields import read


def answered(context: Context, holder: Holder) -> Result:
    """What is sent of what waits for the holder of a seat; what a former holder asked is dropped."""
    rows = context.stored.secrets.later.get(holder.seat, ())
    full = context.words.mail if context.words else dict
    mails = tuple(read(Message, full(row.mail), "mail") for row in rows if row.handed == holder.generation - 1)
    answer = together(holder.seat, mails) if mails else None
    return replied(context, answer, "letters are answered together", holder.seat, together=True)


def together(seat: Seat, mails: tuple[Message, ...]) -> Message:
    """One answer for several, which came too fast to be answered one by one."""
    head = T(
        "{n} letter of yours is answered here, because more than {most} were refused within ten minutes, or more than "
        "{many} in a day played nothing. It played nothing.",
        "{n} letters of yours are answered here together, because more than {most} were refused within ten minutes, or "
        "more than {many} in a day played nothing. None of them played anything.",
        n=len(mails),
        most=FAST,
        many=MANY,
    )
    # Each numbered what would do in a list of its own, which this mail does not have.
    mails = tuple(map(_unnumbered, mails))
    said = tuple(said for mail in mails if mail.kind is not MailKind.TRIAL for said in mail.said)
    tried = tuple(_tried(said) for mail in mails if mail.kind is MailKind.TRIAL for said in mail.said)
    notes = dict.fromkeys(note for mail in mails for note in mail.notes)
    blocks = dict.fromkeys((*tried, *(block for mail in mails for block in mail.answers)))
    return Message(
        seat=seat,
        kind=MailKind.ANSWER,
        said=said,
        notes=(head, *notes),
        answers=tuple(blocks),
        position=any(mail.position for mail in mails),
        options=any(mail.options for mail in mails),
        quiet=all(mail.quiet for mail in mails),
        answering=mails[-1].answering,
    )


def _unnumbered(mail: Message) -> Message:
    if not (mail.repairs or mail.choices):
        return mail
    return replace(mail, notes=unnumbered(mail.notes))


def _tried(said: Said) -> CardText:
    """A line that was tried, so that nobody takes it for one that was played."""
    lines = (*said.effects, *said.assumed)
    if said.reason is not None:
        lines += (said.reason,)
    lines += tuple(T("Possible: {what}", what=way) for way in said.possible)
    return CardText(T("Only tried: {order}", order=said.written), lines or (T("Nothing would change."),))
