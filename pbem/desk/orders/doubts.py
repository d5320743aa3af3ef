"""What is asked before anything is played: an order that may be none, and a word of another moment or game.

Contract, «How a letter is read»: nothing here decides what such words mean.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.catalog import T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused
from engine.kit.words import folded
from pbem.desk import commands, consent
from pbem.desk.asking import AskedBack, choices_of
from pbem.desk.commands import hours
from pbem.desk.commands.talk import NOTE, message_of
from pbem.desk.commands.word import Command, Does
from pbem.desk.lists import Listed
from pbem.desk.orders.sort import Is, Sorted, SortedLine
from pbem.desk.orders.suggest import PASS, below
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.reading import courtesy
from pbem.reading.line import COSTS, read

_JOINING = 2
"""Words of a joining line at most: it may name one for the dice."""
_PRIVATE = T("The mail that you answer tells what was said to you alone: your line may answer that. «1» plays this.")


def look(request: Request, session: Session, letter: Sorted, row: SortedLine, own: Collection[str]) -> None:
    """Ask back what may be no order, though it reads as one. Raises AskedBack."""
    line = row.order
    choices = choices_of(line)
    if row.read.number is not None:
        # A number goes on to count in the list that it counts in now.
        choices = choices_of(*request.listed[0].choices) if len(request.listed) == 1 else ()
    if row is letter.tail:
        says = T("I saw «{order}» at the end of a sentence. If it is your order, send it alone.", order=line)
        raise AskedBack(says, choices)
    if row.what is Is.NAME:
        says = T("«{line}» is a name at this table and an order too. I cannot tell which of them you mean.", line=line)
        raise AskedBack(says, choices)
    reads = any(_reads(session, text) for text in row.read.readings)
    if "?" in row.line and reads and request.nothing is None and not commands.line_of(row.read):
        raise AskedBack(
            T("«{line}» may ask. «1» plays it.", line=row.line), () if courtesy.denies(row.line) else choices
        )
    _passes(request, session, row, own)
    if _verb(session, row) == PASS and any(_acts(session, one) for one in below(letter.rows, row)):
        says = T("«{order}» ends your round, and another order stands beneath it.", order=line)
        raise AskedBack(says, choices)


def _verb(session: Session, row: SortedLine) -> str:
    """The verb of the order that a line is; empty for none."""
    return next((verb for text in row.read.readings if (verb := _reads(session, text))), "")


def _acts(session: Session, row: SortedLine) -> bool:
    """Whether a line is an order for this turn: no command, no standing order, no further pass."""
    standing = any(session.anytime(text) for text in row.read.readings)
    return not commands.line_of(row.read) and not standing and _verb(session, row) not in ("", PASS)


def _passes(request: Request, session: Session, row: SortedLine, own: Collection[str]) -> None:
    """Ask about a line that passes and says something else as well, or may answer what was said to its writer alone;
    and about a bare «yes» to that. Raises AskedBack."""
    private = any(listed.private for listed in request.listed)
    if private and row.read.is_number and courtesy.is_assent(row.line):
        raise AskedBack(_PRIVATE, choices_of(*session.meant(row.read)))
    if row.read.is_number or not any(_reads(session, text) == PASS for text in row.read.readings):
        return
    line = request.worded(session.now.state, PASS)
    said = row.read.whole if row.read.number is None else row.read.front
    said += f" {row.line.partition(COSTS)[2].strip().removeprefix(row.read.does)}"  # «· +2 deniers for now»
    if not courtesy.only_passes(said, own):
        says = T("«{order}» ends your round, and more stands beside it on its line.", order=line)
        raise AskedBack(says, choices_of(line))
    if private and row.read.number is None:
        raise AskedBack(_PRIVATE, choices_of(line))


def _reads(session: Session, text: str) -> str:
    """The verb of the order that a text is; empty for none."""
    try:
        return session.understand(text).text.partition(" ")[0]
    except OrderRefused:
        return ""


def agreed(request: Request) -> int:
    """The number that a «yes» takes: the orders that were tried, or the first choice of a mail that refuses or asks; 0
    for none. What would be said needs its number."""
    listed = request.listed[0] if len(request.listed) == 1 else Listed()
    found = [commands.command_of(line) for line in listed.choices[0].split("\n")] if listed.choices else ()
    return listed.tried or int(bool(found) and not any(one and one[0].does is Does.SAY for one in found))


def fits(command: Command, argument: str) -> None:
    """Refuse a command with something behind it that takes nothing, or with nothing. Raises NotUnderstood."""
    if argument and not command.argument:
        raise NotUnderstood(T("«{word}» stands alone on its line.", word=command.name))
    if command.needs and not argument:
        raise NotUnderstood(T("«{word}» needs something after it: {usage}", word=command.name, usage=command.usage))


def foresee(request: Request, command: Command, argument: str) -> None:
    """Refuse a command that cannot be done before an order beside it is played. Raises OrderRefused."""
    fits(command, argument)
    if command.does is Does.SAY and command.word != NOTE:
        message_of(command, argument, request.names, request.seat)
    if command.does is Does.SET and request.now is not None and request.hours is not None:
        hours.setting(command, argument, request.table, request.seat, request.hours, request.now)


def elsewhere(
    letter: Sorted, names: tuple[str, ...], session: Session, *, goes_on: bool
) -> tuple[SortedLine, OrderRefused] | None:
    """The only line of a letter, which is no order of this moment, and why it does nothing, where more can be told than
    that it is none. `goes_on` tells whether the game does, so that it can be left."""
    raws = [*(row.raw for row in letter.rows), *letter.unread]
    if any(row.is_order for row in letter.rows) or len(letter.rows) > 1 or not raws:
        return None
    line = read(raws[0], names)
    words, why = folded(line.text).rstrip(".!").split(), None
    if not words:
        return None
    if words[0] in consent.JOIN and len(words) <= _JOINING:
        why = NotAllowed(T("«{word}» answers an invitation; you have your seat already.", word=words[0]))
    elif goes_on and len(words) == 1 and words[0] in (*consent.LEAVE, *consent.DECLINE):
        why = NotAllowed(T(
            "«{word}» answers an invitation, and this game has begun. «resign» leaves it: a computer plays on in "
            "your seat until somebody else has it, and «back» takes that back.",
            word=words[0],
        ))  # fmt: skip
    else:
        try:
            session.understand(line.text)
        except OrderRefused as refused:
            # What the game says of a line that it does not know at all is no more than «no order was found».
            if (refused.rule or isinstance(refused, NotAllowed)) and not (refused.otherwise and letter.rows):
                return SortedLine(line.text, raws[0], False, Is.OTHER, line), refused
    return None if why is None else (SortedLine(line.text, raws[0], False, Is.OTHER, line), why)
