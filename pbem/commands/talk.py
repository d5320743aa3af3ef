"""Talk between the people of a table: `say` to everybody, `tell` to one seat (contract, «Private»)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import NotAllowed
from engine.errors import NotUnderstood
from engine.game import Seat
from pbem.commands.word import Command
from pbem.commands.word import Does
from pbem.commands.word import folded
from pbem.speech import MESSAGE_LIMIT
from pbem.speech import relayed

COMMANDS = (
    Command(
        "say",
        Does.SAY,
        "say TEXT",
        T("tells everybody at the table, on one line"),
        ("dire",),
        argument=True,
        needs=True,
    ),
    Command(
        "tell",
        Does.SAY,
        "tell anna: TEXT",
        T("tells one player only, on one line"),
        ("chuchoter",),
        argument=True,
        needs=True,
    ),
)


@dataclass(frozen=True, slots=True)
class Message:
    """What one person says: `to` empty is everybody."""

    to: Seat | None
    text: str


def message_of(command: Command, argument: str, names: Mapping[Seat, str], seat: Seat) -> Message:
    """Read the text after `say` or `tell`; `names` maps seats to display names.

    Raises NotUnderstood without a text or a known seat, NotAllowed for a text that is too long or to oneself.
    """
    to: Seat | None = None
    text = argument
    if command.word == "tell":
        to, text = _addressee(argument, names)
        if to == seat:
            raise NotAllowed(T("That is your own seat."), possible=_others(names, seat))
    text = relayed(text, 0)
    if not text:
        raise NotUnderstood(T("«{word}» needs a text on the same line.", word=command.word))
    if len(text) > MESSAGE_LIMIT:
        raise NotAllowed(
            T("A message has at most {most} characters; this one has {n}.", most=MESSAGE_LIMIT, n=len(text))
        )
    return Message(to, text)


def _addressee(argument: str, names: Mapping[Seat, str]) -> tuple[Seat, str]:
    match = re.match(r"([^:]{1,80}):", argument)
    if match:
        head, text = match[1].strip(), argument[match.end() :]
    else:
        head, _, text = argument.partition(" ")
    wanted = folded(head)
    for seat, name in names.items():
        if wanted in (seat, folded(name)):
            return seat, text
    seats = tuple(T("tell {seat}: …", seat=seat) for seat in names)
    raise NotUnderstood(T("No seat at this table is called «{name}».", name=relayed(head, 40)), possible=seats)


def _others(names: Mapping[Seat, str], seat: Seat) -> tuple[Msg, ...]:
    return tuple(T("tell {seat}: …", seat=other) for other in names if other != seat)
