"""Answers that came too fast to go one by one, and wait in the game's secrets until they are sent in one mail.

They were decided when their letters came and played nothing; here they are only told. A crash leaves them waiting.
"""

from __future__ import annotations

from engine.catalog import T
from engine.game import CardText, Seat
from pbem.desk.answering import Case
from pbem.desk.budgets import FAST
from pbem.desk.changes import Changes
from pbem.desk.draft import Draft, unpack
from pbem.host.people import Holder
from pbem.outbound.mail import MailKind, Said


def drawn(case: Case, holder: Holder) -> Changes:
    """The change that sends what waits for the holder of a seat; what a former holder asked is dropped."""
    rows = case.stored.secrets.later.get(holder.seat, ())
    full = case.words.mail if case.words else dict
    drafts = tuple(unpack(full(row.mail)) for row in rows if row.handed == holder.generation - 1)
    answer = together(holder.seat, drafts) if drafts else None
    says = f"{case.stored.table.seat(holder.seat).name}: letters are answered together"
    return Changes("letter", says, case.state, holder.seat, answer=answer, together=True)


def together(seat: Seat, drafts: tuple[Draft, ...]) -> Draft:
    """One answer for several, which came too fast to be answered one by one."""
    head = T(
        "{n} letter of yours is answered here, because more than {most} came within ten minutes. It played nothing.",
        "{n} letters of yours are answered here together, because more than {most} came within ten minutes. None of "
        "them played anything.",
        n=len(drafts),
        most=FAST,
    )
    said = tuple(said for draft in drafts if draft.kind is not MailKind.TRIAL for said in draft.said)
    tried = tuple(_tried(said) for draft in drafts if draft.kind is MailKind.TRIAL for said in draft.said)
    notes = dict.fromkeys(note for draft in drafts for note in draft.notes)
    blocks = dict.fromkeys((*tried, *(block for draft in drafts for block in draft.answers)))
    return Draft(
        seat,
        MailKind.ANSWER,
        said,
        (head, *notes),
        tuple(blocks),
        position=any(draft.position for draft in drafts),
        options=any(draft.options for draft in drafts),
        quiet=all(draft.quiet for draft in drafts),
        answering=drafts[-1].answering,
    )


def _tried(said: Said) -> CardText:
    """A line that was tried, so that nobody takes it for one that was played."""
    lines = (*said.effects, *said.assumed)
    if said.reason is not None:
        lines += (said.reason,)
    lines += tuple(T("Possible: {what}", what=way) for way in said.possible)
    return CardText(T("Only tried: {order}", order=said.written), lines or (T("Nothing would change."),))
