"""What is asked before anything is played: an order that may be none, and what stands beside orders on no list.

Contract, «How a letter is read»: nothing here decides what such words mean. The order alone is the first choice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.catalog import Msg, T
from engine.errors import NotUnderstood, OrderRefused
from pbem.desk import asking, chat, commands, repairing
from pbem.desk.asking import AskedBack, choices_of
from pbem.desk.commands import hours
from pbem.desk.commands.talk import NOTE, message_of
from pbem.desk.commands.word import Command, Does
from pbem.desk.lists import Listed
from pbem.desk.repairing import PASS
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.desk.sorting import Is, Sorted, SortedLine
from pbem.desk.standing import undoes
from pbem.outbound.mail import Choice
from pbem.reading import kinds
from pbem.reading.line import COSTS


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
    _passes(request, session, row, own)


def _passes(request: Request, session: Session, row: SortedLine, own: Collection[str]) -> None:
    """Ask about a line that passes and says something else as well, or may answer what was said to its writer alone;
    and about a bare «yes» to that. Raises AskedBack."""
    private = any(listed.private for listed in request.listed)
    if private and row.read.is_number and kinds.is_assent(row.line):
        raise AskedBack(_PRIVATE, choices_of(*session.meant(row.read)))
    if row.read.is_number or not any(_reads(session, text) == PASS for text in row.read.readings):
        return
    line = request.worded(session.now.state, PASS)
    said = row.line.partition(COSTS)[0] if row.read.number is None else row.read.front
    if not kinds.only_passes(said, own):
        says = T("«{order}» ends your round, and more stands beside it on its line.", order=line)
        raise AskedBack(says, choices_of(line))
    if private and row.read.number is None:
        raise AskedBack(_PRIVATE, choices_of(line))


_PRIVATE = T("The mail that you answer tells what was said to you alone: your line may answer that. «1» plays this.")


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


def beside(
    request: Request, session: Session, letter: Sorted, orders: Sequence[str]
) -> tuple[tuple[Choice, ...], tuple[Msg, ...]]:
    """Choices and notes for orders with something strange beside them: the orders alone, with those words said to the
    table, and what the words may mean."""
    alone = "\n".join(orders)
    said: tuple[str, ...] = ()
    if not all(map(commands.command_of, orders)):
        said = tuple(f"{alone}\n{one.text}" for one in chat.to_the_table(request, letter.strange))
    choices = choices_of(alone, *said)
    if not undoes(orders):
        whole = letter.rows[0].raw if len(letter.rows) == 1 and letter.rows[0].beside else ""
        near = repairing.near(request, session, (whole,) if whole else letter.strange, () if whole else orders)
        choices = (*choices, *tuple(one for one in near if one.text != alone)[: repairing.MOST - 1])
    return choices, asking.alone(len(letter.strange))
