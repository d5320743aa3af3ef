"""What would do instead of a line that was refused, and what may still be meant by a letter that came late.

Contract, «How a letter is read»: what a refusal proposes is legal here and now, and a whole order is a numbered choice
of that very mail. Orders are looked for in the position as the seat may see it, so that no choice tells a secret, and
each is tried there before it is offered, with what stands above and below the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.catalog import Msg, T
from engine.errors import OrderRefused, TooLate
from engine.kit.words import folded, slip
from pbem.desk import commands
from pbem.desk.asking import AskedBack, choices_of
from pbem.desk.commands.word import Does
from pbem.desk.context import asked_of
from pbem.desk.lines import option_number
from pbem.desk.request import Request
from pbem.desk.session import Session, Trial
from pbem.desk.sorting import SortedLine
from pbem.inbound.speech import relayed
from pbem.outbound.mail import Choice, Said

MOST = 3
"""Orders that a refusal offers."""


def nearest(request: Request, state: Any, line: str, refusal: OrderRefused) -> tuple[str, ...]:
    """Whole lines that would do instead of a refused one, the nearest first; `state` is the position it was read in."""
    if isinstance(refusal, AskedBack | TooLate):
        return ()
    game, seat = request.game, request.seat
    found = (*refusal.orders, *_command(line, game.reference.verbs()))
    command = commands.command_of(line)
    order = command[1] if command and command[0].does is Does.TRY else "" if command else line
    plays = request.held is None and not request.late and asked_of(game, state, seat) is not None
    if plays and order and option_number(order) is None:
        found += game.reference.repairs(game.moderation.redacted(state, seat), seat, order)
    return tuple(dict.fromkeys(found))[:MOST]


def _command(line: str, verbs: frozenset[str]) -> tuple[str, ...]:
    """The line with its first word put right, if that was to be a command."""
    head, _, rest = line.strip().partition(" ")
    if not head or commands.command_of(line) or folded(head) in verbs:
        return ()
    found = commands.command_of(slip(head.rstrip(":"), commands.words() | verbs))
    if found is None or found[0].does is Does.STOP:
        return ()
    command, text = found[0], rest.strip()
    return (f"{command.word} {text}".strip(),) if command.argument or not text else ()


def choices(
    request: Request, session: Session, texts: Sequence[str], above: Sequence[str], below: Sequence[str]
) -> tuple[Choice, ...]:
    """The texts as choices, each with the lines that stood above and below, as far as that can be played.

    `session` is what stands of the letter: the lines above are tried again on it.
    """
    found = []
    for text in texts:
        for lines in ((*above, text, *below), (*above, text)):
            effects = _tried(request, session, lines, len(above))
            if effects is not None:
                says = (effects[0] if effects else T("")) if len(lines) == 1 else None
                found.append(Choice("\n".join(lines), says))
                break
    return tuple(found)


def _tried(request: Request, session: Session, lines: Sequence[str], at: int) -> tuple[Msg, ...] | None:
    """What the line at a place does when they are tried in turn, nothing for a command; None where one is refused."""
    trial = Trial(request, session)
    effects: tuple[Msg, ...] = ()
    for number, line in enumerate(lines):
        if commands.command_of(line):
            continue
        try:
            trial.try_out(line, line)
        except OrderRefused:
            return None
        if number == at and trial.said:
            effects = trial.said[-1].effects
    return effects


def below(rows: Sequence[SortedLine]) -> tuple[str, ...]:
    """The lines under a refused one that may be carried out with it; none where one of them is no order in words."""
    if any(option_number(row.line) is not None for row in rows):
        return ()
    return tuple(relayed(row.raw, 0) if commands.command_of(row.line) else row.line for row in rows)


def tries(said: Sequence[Said], texts: Sequence[str]) -> tuple[Choice, ...]:
    """The texts as trials, after the trials above."""
    before = [f"try {one.understood}" for one in said if one.understood]
    return tuple(Choice("\n".join((*before, f"try {text}")), T("")) for text in texts)


def still_possible(request: Request, session: Session, rows: Sequence[SortedLine]) -> tuple[Choice, ...]:
    """The orders of a letter that came late as one choice, where its words can all be played now; else nothing."""
    lines = below(rows)
    found = [command for command in map(commands.command_of, lines) if command]
    if not lines or any(command.does in (Does.TRY, Does.UNDO, Does.STOP) for command, _ in found):
        return ()
    return choices_of("\n".join(lines)) if _tried(request, session, lines, 0) is not None else ()
