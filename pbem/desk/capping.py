"""Letters that play nothing are answered only so often, lest two machines answer each other for ever.

Nothing is written here; a crash leaves nothing.
"""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import T
from pbem.desk import notices
from pbem.desk.answering import Case
from pbem.desk.answering import refusal_mark
from pbem.desk.drawing import Change
from pbem.desk.office import ANSWERS_A_DAY
from pbem.desk.office import SAME_REFUSALS
from pbem.desk.office import Office
from pbem.mail import MailKind


def capped(office: Office, case: Case, change: Change) -> Change | None:
    """The change with its counts, or None when this seat's letters have been answered often enough."""
    draft = change.answer
    if draft is None:
        return change
    row = case.stored.table.seat(draft.seat)
    day, count = row.also.get("answers", ["", 0])
    if day == office.clock().date().isoformat():
        if count >= ANSWERS_A_DAY:
            return None
        if count == ANSWERS_A_DAY - 1:
            last = T("This was answer {n} today; the next letter that plays nothing gets none.", n=ANSWERS_A_DAY)
            change = replace(change, answer=replace(draft, notes=(*draft.notes, last)))
    if draft.kind is not MailKind.REFUSAL:
        return replace(change, strike=("", 0))
    mark = refusal_mark(draft)
    before, times = case.stored.secrets.also.get("strikes", {}).get(draft.seat, ["", 0])
    times = times + 1 if mark == before else 1
    if times > SAME_REFUSALS:
        notices.same_again(office, case.stored.table.game, draft.seat, mark)
        return None
    return replace(change, strike=(mark, times))
