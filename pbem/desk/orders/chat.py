"""Offer to pass a letter on to the table, if no order was found in it and none is awaited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.catalog import T
from pbem.desk import commands
from pbem.desk.commands.clarification import NO_ORDER, AskedBack
from pbem.desk.commands.table_talk import parse_message
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.desk.core.seat_controller import COMPUTER
from pbem.inbound.sanitize import one_line
from pbem.outbound.mail import Choice, MailKind
from pbem.reading import courtesy
from pbem.reading.line_parser import parse_line
from pbem.store.game_table import Status

_TALKED_AT = (Status.RUNNING, Status.HELD, Status.ENDED)
"""States in which people talk; they also thank each other at the end."""
NOTHING = T("Nothing was done.")
LINES, LETTERS = 8, 400
"""Most lines and characters that are offered."""


def offer_as_chat(request: Request, result: Result) -> Result:
    """Add, as the last choice, the letter's words as a message to the table."""
    answer, asked = result.answer, request.asked
    if answer is None or answer.kind is not MailKind.REFUSAL or result.lasts or answer.repairs:
        return result
    if asked is not None and not asked.answered:
        return result
    if any(one.reason is not None for one in answer.said) or not (answer.choices or NO_ORDER in answer.notes):
        return result
    if not (choices := asks_the_table(request, request.written)):
        return result
    says = T("No order was found in your letter, and none is awaited. If it is talk, a number passes it on.")
    # Such a mail says already that nothing was done.
    notes = tuple(says if note == NO_ORDER else note for note in answer.notes if note != NOTHING)
    choices = tuple({one.text: one for one in (*answer.choices, *choices)}.values())
    return replace(result, answer=replace(answer, notes=notes, choices=choices, brief=True))


def asks_the_table(request: Request, written: Sequence[str]) -> tuple[Choice, ...]:
    """The words as `say` lines: to all, and first to one seat if they begin with its name; empty if nobody hears."""
    others = [row for row in request.table.seats if row.seat != request.seat and row.by != COMPUTER]
    if request.table.status not in _TALKED_AT or not others:
        return ()
    rows = [raw.strip() for raw in written if raw.strip()]
    names = (*request.names.values(), *request.signed)
    if len(rows) > 1 and courtesy.is_signature(rows[-1], names):
        rows.pop()
    text = one_line(" ".join(rows))
    if any(parse_line(row).is_number for row in rows):
        return ()
    if not text or len(rows) > LINES or len(text) > LETTERS or courtesy.is_name(text, names):
        return ()
    line = f"say {text}"
    if (known := commands.parse_command(line)) is None:
        return ()
    try:
        said = parse_message(*known, request.names, request.seat)
    except AskedBack as several:
        choices = several.choices
    else:
        choices = (Choice(line, T("to everybody at the table")),)
        if said.to is not None:  # «à Anna : …» is for one already
            choices = (Choice(f"tell {said.to}: {said.text}", T("only to {name}", name=request.names[said.to])),)
    return tuple(replace(one, text=commands.translate_command(one.text, request.language)) for one in choices)
