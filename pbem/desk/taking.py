"""What the desk takes from a letter: its lines and what it answers, and the mark by which it is known again."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.catalog import T
from pbem.desk import notices
from pbem.desk.answering import Post
from pbem.desk.identity import Who
from pbem.host.keys import Keys
from pbem.host.people import Holder
from pbem.inbound.letter import Kind, Letter
from pbem.store.record import LetterMark


def post_of(letter: Letter, who: Who, holder: Holder, now: datetime) -> Post:
    """A letter of a seat's holder, as the game's room reads it at a time."""
    lines, written = letter.lines, letter.raw_lines
    if not lines:
        lines = written = letter.turn_file
    trouble = who.trouble or letter.trouble
    if trouble is None and letter.kind is Kind.FORWARD:
        trouble = T("This is a forwarded mail, so nothing of it was done. Please answer the mail itself.")
    return Post(
        holder.seat,
        lines,
        written,
        who.decision,
        notices.usable(letter.message_id),
        (holder.name, letter.sender_name),
        letter.attached,
        trouble,
        who.record,
        letter.date,
        letter.asks_subject,
        now.date().isoformat(),
    )


def named(mark: LetterMark, letter: Letter, keys: Keys) -> LetterMark:
    """The mark of a letter whose writer is proven: its Message-ID is taken once, or its content without one."""
    told = letter.message_id or f"content {letter.content or letter.digest}"
    return replace(mark, name=keys.letter(letter.sender, told))
