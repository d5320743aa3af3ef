"""What is asked before anything is played: a line that may be no order, and a word of another moment or game."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused
from engine.kit.words import fold_text
from pbem.desk.commands import preferences
from pbem.desk.commands.clarification import AskedBack, as_choices
from pbem.desk.commands.command import Command, Does
from pbem.desk.commands.table_talk import NOTE, parse_message
from pbem.desk.core.request import Request
from pbem.desk.orders.line_types import LineType, SortedLetter, SortedLine
from pbem.desk.orders.session import Session
from pbem.desk.orders.suggestions import PASS
from pbem.desk.pregame import invitation_answer
from pbem.reading import courtesy
from pbem.reading.line_parser import COSTS, parse_line

_JOINING = 2
"""Words of a joining line at most: it may name one for the dice."""
_PRIVATE = T("The mail that you answer tells what was said to you alone: your line may answer that. «1» plays this.")


def confirm_line(session: Session, letter: SortedLetter, row: SortedLine) -> None:
    """Ask back a line that reads as an order and may be none. Raises AskedBack."""
    line, listed = row.order, session.request.listed
    choices = as_choices(line)
    if row.read.number is not None:
        # A number goes on to count in the list that it counts in now.
        choices = as_choices(*listed[0].choices) if len(listed) == 1 else ()
    if row is letter.tail:
        says = T("I saw «{order}» at the end of a sentence. If it is your order, send it alone.", order=line)
        raise AskedBack(says, choices)
    if row.what is LineType.NAME:
        says = T("«{line}» is a name at this table and an order too. I cannot tell which of them you mean.", line=line)
        raise AskedBack(says, choices)
    verb = session.verb(row.read)
    if "?" in row.line and verb and session.request.nothing is None and not row.command:
        says = T("«{line}» may ask. «1» plays it.", line=row.line)
        raise AskedBack(says, () if courtesy.denies(row.line) else choices)
    _confirm_pass(session, row)
    below = [one for one in letter.around(row)[1] if not (one.command or any(map(session.anytime, one.read.readings)))]
    if verb == PASS and any(session.verb(one.read) not in ("", PASS) for one in below):
        says = T("«{order}» ends your round, and another order stands beneath it.", order=line)
        raise AskedBack(says, choices)


def _confirm_pass(session: Session, row: SortedLine) -> None:
    """Ask about a pass that has more in its line, or may answer what was said to its writer alone; and about a bare
    «yes» to that. Raises AskedBack."""
    private = any(listed.private for listed in session.request.listed)
    if private and row.read.is_number and courtesy.is_assent(row.line):
        raise AskedBack(_PRIVATE, as_choices(*session.meant(row.read)))
    if row.read.is_number or not any(session.reads(text).partition(" ")[0] == PASS for text in row.read.readings):
        return
    line = session.request.worded(session.now.state, PASS)
    said = row.read.whole if row.read.number is None else row.read.front
    said += f" {row.line.partition(COSTS)[2].strip().removeprefix(row.read.does)}"  # «· +2 deniers for now»
    if not courtesy.only_passes(said, session.own):
        says = T("«{order}» ends your round, and more stands beside it on its line.", order=line)
        raise AskedBack(says, as_choices(line))
    if private and row.read.number is None:
        raise AskedBack(_PRIVATE, as_choices(line))


def check_argument(command: Command, argument: str) -> None:
    """Refuse a command with something behind it that takes nothing, or with nothing. Raises NotUnderstood."""
    if argument and not command.argument:
        raise NotUnderstood(T("«{word}» stands alone on its line.", word=command.name))
    if command.needs and not argument:
        raise NotUnderstood(T("«{word}» needs something after it: {usage}", word=command.name, usage=command.usage))


def check_command(request: Request, command: Command, argument: str) -> None:
    """Refuse a command that cannot be done, before an order beside it is played. Raises OrderRefused."""
    check_argument(command, argument)
    if command.does is Does.SAY and command.word != NOTE:
        parse_message(command, argument, request.names, request.seat)
    if command.does is Does.SET and request.now is not None and request.hours is not None:
        preferences.parse_setting(command, argument, request.table, request.seat, request.hours, request.now)


def misplaced_line(session: Session, letter: SortedLetter) -> tuple[SortedLine, OrderRefused] | None:
    """The only line of a letter, if it is an order of another moment or game, and why it does nothing."""
    raws = [*(row.raw for row in letter.rows), *letter.unread]
    if any(row.is_order for row in letter.rows) or len(letter.rows) > 1 or not raws:
        return None
    line = parse_line(raws[0], session.names)
    why: OrderRefused | None
    if not (words := fold_text(line.text).rstrip(".!").split()):
        return None
    if words[0] in invitation_answer.JOIN and len(words) <= _JOINING:
        why = NotAllowed(T("«{word}» answers an invitation; you have your seat already.", word=words[0]))
    elif (
        session.request.held is None
        and len(words) == 1
        and words[0] in (*invitation_answer.LEAVE, *invitation_answer.DECLINE)
    ):
        why = NotAllowed(T(
            "«{word}» answers an invitation, and this game has begun. «resign» leaves it: a computer plays on in "
            "your seat until somebody else has it, and «back» takes that back.",
            word=words[0],
        ))  # fmt: skip
    else:
        # What the game says of a line that it does not know at all is no more than «no order was found».
        why = session.refusal(line.text)
        if why and ((why.otherwise and letter.rows) or not (why.rule or isinstance(why, NotAllowed))):
            why = None
    return None if why is None else (SortedLine(line.text, raws[0], False, LineType.OTHER, line), why)
