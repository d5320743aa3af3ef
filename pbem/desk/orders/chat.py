"""Offer to pass a letter on to the table, if no order was found in it and none is awaited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.catalog import T
from engine.errors import NotUnderstood, OrderRefused
from engine.kit.words import fold_text
from pbem.desk import commands
from pbem.desk.commands.clarification import NO_ORDER, AskedBack
from pbem.desk.commands.table_talk import parse_message
from pbem.desk.core.request import Request
from pbem.desk.core.result import Result
from pbem.desk.core.seat_controller import COMPUTER
from pbem.desk.orders.session import Session
from pbem.desk.pregame import invitation_answer
from pbem.desk.pregame.invitation_answer import Means
from pbem.inbound.sanitize import one_line
from pbem.outbound.mail import Choice, MailKind
from pbem.reading import courtesy
from pbem.reading.line_parser import parse_line
from pbem.store.game_table import Status

_TALKED_AT = (Status.RUNNING, Status.HELD, Status.ENDED)
"""States in which people talk; they also thank each other at the end."""
NOT_YOURS = T("It is not your turn.")
NOTHING = T("Nothing was done.")
_MORE = frozenset(("again", "rematch", "revanche", "rejouer", "rejoue", "rejouons"))
"""Words for another game."""
LINES, LETTERS = 8, 400
"""Most lines and characters that are offered."""


def offer_as_chat(request: Request, result: Result) -> Result:
    """Add, as the last choice, the letter's words as a message to the table."""
    answer, asked = result.answer, request.asked
    if answer is None or answer.kind is not MailKind.REFUSAL or result.lasts or answer.repairs:
        return result
    if asked is not None and not asked.answered:
        return result
    if any(one.reason is not None for one in answer.said):
        if any(one.reason != NOT_YOURS for one in answer.said) or _orders(request):
            return result
        # «pas mal» is no order, though it looks like «passe».
        bare = tuple(replace(one, reason=None) for one in answer.said)
        answer = replace(answer, said=bare, notes=(NO_ORDER, *answer.notes))
    if not (answer.choices or NO_ORDER in answer.notes):
        return result
    if not (choices := asks_the_table(request, request.written)):
        return result
    says = T("No order was found in your letter, and none is awaited. If it is talk, a number passes it on.")
    # Such a mail says already that nothing was done.
    notes = tuple(says if note == NO_ORDER else note for note in answer.notes if note != NOTHING)
    first: tuple[Choice, ...] = answer.choices
    if request.table.status is Status.ENDED and _agrees(request):
        again = commands.find_command("again")
        first = (Choice(commands.translate_command(again.word, request.language), again.says), *first)
    known: dict[str, Choice] = {}
    for choice in (*first, *choices):
        known.setdefault(choice.text, choice)
    choices = tuple(known.values())
    return replace(result, answer=replace(answer, notes=notes, choices=choices, brief=True))


def _agrees(request: Request) -> bool:
    """True if words after the end may ask for another game: they say so, or answer somebody who has."""
    names = tuple(request.names.values())
    lines = [line for line in request.lines if line.strip()]
    if any(not _MORE.isdisjoint(re.findall(r"[a-z]+", fold_text(line))) for line in lines):
        return True
    joins = (invitation_answer.parse_invitation_answer(line, names).means is Means.JOINS for line in lines)
    return bool(request.table.again) and any(joins)


def _orders(request: Request) -> bool:
    """True if a line is or begins an order: it would tell what its writer is about to do."""
    verbs = {fold_text(verb) for verb in request.game.reference.verbs()}
    session = Session(request, request.state, request.entries)
    for line in filter(str.strip, request.lines):
        one = parse_line(line, tuple(request.names.values()))
        for text in one.readings:
            if not verbs.isdisjoint(word.strip(",.:!") for word in fold_text(text).split()[:1]):
                return True
            try:
                session.understand(text)
            except NotUnderstood:
                continue
            except OrderRefused:
                pass  # an order, of which something is wrong
            return True
    return False


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
