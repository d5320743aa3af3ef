"""What becomes of an automatic note that only its words give away: it plays nothing and gets one line a day.

Nothing is written here; a crash leaves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.catalog import T
from engine.game import Game, Seat
from engine.kit.words import folded
from pbem.desk import commands, consent
from pbem.desk.automatic import Note, note_in
from pbem.desk.consent import Means
from pbem.desk.draft import Draft
from pbem.desk.lines import option_number
from pbem.outbound.mail import MailKind
from pbem.store.table import SeatRow, Table


def is_note(game: Game, table: Table, begun: bool, subject: str, lines: Sequence[str]) -> bool:
    """Whether a program wrote a letter, as far as its words tell.

    An order, a number or a command in it makes it a person's, unless it says of itself what it is.
    """
    names = tuple(row.name for row in table.seats)
    note = note_in(subject, lines, names)
    if note is not Note.LIKELY:
        return note is Note.SURE
    return not any(_is_order(game, line, begun, names) for line in lines if line.strip())


def _is_order(game: Game, line: str, begun: bool, names: Sequence[str]) -> bool:
    if option_number(line) is not None or commands.command_of(line) is not None:
        return True
    if not begun and consent.heard(line, names).means in (Means.JOINS, Means.DECLINES):
        return True
    return folded(line.split()[0]).rstrip(":,.!") in game.verbs()


def told(row: SeatRow, day: str, answering: str) -> Draft | None:
    """The answer to a note; None when one was sent on that day."""
    if row.noted == day:
        return None
    says = T("I took this for an automatic note; nothing of it was done. If you wrote it yourself, write it otherwise.")
    return Draft(Seat(row.seat), MailKind.REFUSAL, notes=(says,), quiet=True, answering=answering)
