"""What would do instead of a line that was refused, and what may still be meant by a letter that came late.

Contract, «How a letter is read»: what a refusal proposes is legal here and now, and a whole order is a numbered choice
of that very mail. Orders are looked for in the position as the seat may see it, so that no choice tells a secret, and
each is tried there before it is offered, with what stands above and below the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import Any

from engine.catalog import Msg, T
from engine.errors import NotUnderstood, OrderRefused, TooLate, Unclear
from engine.kit.words import folded, slip
from pbem.desk import chat, commands
from pbem.desk.asking import AskedBack, alone, choices_of
from pbem.desk.commands.word import Command, Does
from pbem.desk.context import asked_of
from pbem.desk.lists import offered
from pbem.desk.orders.sort import Sorted, SortedLine
from pbem.desk.request import Request
from pbem.desk.session import Session, Trial
from pbem.desk.session import late as too_late
from pbem.inbound.speech import relayed
from pbem.outbound.catalogue import catalogue
from pbem.outbound.mail import Choice, Said
from pbem.reading.line import affirmed, is_chatter, names_die, names_pass, opposes, read, spoken

_WORD = re.compile(r"[\w.-]+")

PASS = "pass"
"""The order that gives a turn away, in every game that has one: it is never taken from a sentence."""

STILL = T("The game has gone on since the mail that you answer; what you wrote can still be done now.")
"""What is asked of a letter that came late, whose words can all be played now."""

MOST = 3
"""Orders that a refusal offers."""

AROUND = 8
"""Words around an order that are left out at most."""

MOST_LOOKED_AT = 8
"""Lines of a letter without an order that are compared with orders."""

MOST_MEANT = 9
"""Orders that words with several meanings are asked back as."""


class StillPossible(TooLate):
    """A letter came late, and its words, as one choice, can all be played now."""

    def __init__(self, text: str) -> None:
        super().__init__(STILL)
        self.choice = Choice(text, None if "\n" in text else T("what you wrote"))


def nearest(request: Request, state: Any, line: str, refusal: OrderRefused) -> tuple[str, ...]:
    """Whole lines, or two in a row, that would do instead of a refused one, the nearest first.

    `state` is the position it was read in.
    """
    if isinstance(refusal, AskedBack | TooLate):
        return ()
    if isinstance(refusal, Unclear) and refusal.orders:
        return tuple(dict.fromkeys(request.worded(state, text) for text in refusal.orders))[:MOST_MEANT]
    game, seat = request.game, request.seat
    found = (*refusal.orders, *_command(line, game.reference.verbs()))
    command = commands.command_of(line)
    order = affirmed(command[1] if command and command[0].does is Does.TRY else "" if command else line)
    plays = request.held is None and not request.late and asked_of(game, state, seat) is not None
    if plays and order and not read(order).is_number:
        found += _repaired(request, game.moderation.redacted(state, seat), order, line)
    return tuple(dict.fromkeys(request.worded(state, text) for text in found))[:MOST]


def near(
    request: Request, session: Session, lines: Sequence[str], above: Sequence[str] = ()
) -> tuple[Choice, ...]:
    """The orders nearest to the first of some lines that is near any, none of which reads as one, behind those above.

    `session` is what stands of the letter, without the lines above.
    """
    game, seat = request.game, request.seat
    if request.held is not None or request.late or (state := _after(request, session, above)) is None:
        return ()
    if asked_of(game, state, seat) is None:
        return ()
    for line in lines[:MOST_LOOKED_AT]:
        found = _repaired(request, state, affirmed(line), line, beside=bool(above))
        texts = tuple(dict.fromkeys(request.worded(state, text) for text in found))[:MOST]
        if playable := choices(request, session, NotUnderstood(T("")), texts, above, ()):
            return playable
    return ()


def _repaired(request: Request, state: Any, line: str, whole: str, *, beside: bool = False) -> tuple[str, ...]:
    """The orders nearest to what a line affirms: what was written, mended. None passes where the `whole` line does not
    say so, or denies something, and none does a thing twice."""
    found = request.game.reference.repairs(state, request.seat, line, request.language) if line else ()
    found = found if beside else (*_named(request, state, line), *found)
    passing = request.worded(state, PASS)
    verbs = ([text.partition(" ")[0] for text in order.split("\n")] for order in found)
    once = (order for order, said in zip(found, verbs, strict=True) if len({*said}) == len(said))
    once = (order for order in once if not opposes(order, whole))
    return tuple(order for order in once if passing not in order.split("\n") or names_pass(whole))


def _named(request: Request, state: Any, line: str) -> tuple[str, ...]:
    """The order that stands whole in a line, between words that say nothing of the game."""
    words, game = line.split(), request.game
    verbs = frozenset(map(folded, game.reference.verbs()))
    for less in range(1, min(len(words) - 1, AROUND) + 1):
        for first in range(less + 1):
            last = len(words) - less + first
            if is_chatter(" ".join((*words[:first], *words[last:])), verbs, game.reference.words(), frozenset()):
                with suppress(OrderRefused):
                    found = game.read(state, request.seat, " ".join(words[first:last]))
                    return () if found.anytime else (found.text,)
    return ()


def _after(request: Request, session: Session, lines: Sequence[str]) -> Any:
    """The position behind some lines, as the seat may see it; None where they cannot be tried to their end."""
    trial = Trial(request, session)
    for line in lines:
        try:
            if not commands.command_of(line):
                trial.try_out(line, line)
        except OrderRefused:
            return None
    return None if trial.stopped else trial.now.state


def _command(line: str, verbs: frozenset[str]) -> tuple[str, ...]:
    """The line with its first word put right, if that was to be a command.

    That it was to be talk or a setting is not said of a word that begins otherwise: «hire» is no «dire», «one» no
    «zone».
    """
    head, _, rest = line.strip().partition(" ")
    if not head or commands.command_of(line) or folded(head) in verbs:
        return ()
    meant = slip(head.rstrip(":"), commands.words() | verbs)
    found = commands.command_of(meant)
    if found is None or found[0].does is Does.STOP:
        return ()
    command, text = found[0], rest.strip()
    if command.does in (Does.SAY, Does.SET) and not folded(head).startswith(meant[0]):
        return ()
    return (f"{command.word} {text}".strip(),) if command.argument or not text else ()


def choices(
    request: Request,
    session: Session,
    refusal: OrderRefused,
    texts: Sequence[str],
    above: Sequence[str],
    below: Sequence[str],
) -> tuple[Choice, ...]:
    """The texts as choices, each with the lines that stood above and below, as far as that can be played.

    `session` is what stands of the letter: the lines above are tried again on it.
    """
    if isinstance(refusal, StillPossible):
        return (refusal.choice,)
    found = dict[tuple[str, ...], Choice]()
    for text in texts:
        own = text.split("\n")
        for lines in ((*above, *own, *below), (*above, *own)):
            done = _done(request, session, lines, len(above))
            if done is not None:
                written, effects = done
                says = (effects[0] if effects else T("")) if len(lines) == 1 else None
                whole = "\n".join(written)
                found.setdefault(alike(whole), Choice(whole, says))
                break
    return tuple(found.values())


def tried(request: Request, session: Session, lines: Sequence[str]) -> tuple[Msg, ...] | None:
    """What the first line does when they are tried in turn, nothing for a command; None where one is refused."""
    done = _done(request, session, lines, 0)
    return None if done is None else done[1]


def legal(request: Request, session: Session, found: Sequence[Choice]) -> tuple[Choice, ...]:
    """Those of some choices that can be played now, as orders are written; before the game, all."""
    if request.nothing is not None:
        return tuple(found)
    done = ((one, _done(request, session, one.text.split("\n"), 0)) for one in found)
    return tuple(replace(one, text="\n".join(written[0])) for one, written in done if written is not None)


def tells(request: Request, session: Session, order: str, does: str) -> bool:
    """Whether our mails tell this, folded, of what an order does."""
    say = catalogue(request.language).render
    return any(folded(say(effect)).startswith(does) for effect in tried(request, session, (order,)) or ())


def _done(
    request: Request, session: Session, lines: Sequence[str], at: int
) -> tuple[tuple[str, ...], tuple[Msg, ...]] | None:
    """The lines as their reader's language has them, and what the one at a place does; None where one is refused."""
    trial = Trial(request, session)
    effects: tuple[Msg, ...] = ()
    written: list[str] = []
    for number, line in enumerate(lines):
        if command := commands.command_of(line):
            if not _can(request, *command):
                return None
            written.append(line)
            continue
        try:
            if trial.stopped:
                trial.understand(line)  # what is no order now is none behind what it shows
            trial.try_out(line, line)
        except NotUnderstood:
            return None
        except OrderRefused:
            if not trial.stopped:
                return None
            trial.try_out(line, line)
        written.append(canonical(request, trial, line))
        if number == at and trial.said:
            effects = trial.said[-1].effects
    return tuple(written), effects


def _can(request: Request, command: Command, argument: str) -> bool:
    """Whether a command can be done: it has what it needs, and there is something to take back."""
    if command.does is Does.UNDO:
        own = bool(request.marks) and request.marks[-1].seat == request.seat
        return own or request.game.withdraw(request.state, request.seat) is not None
    return bool(argument) or not (command.needs or command.does in (Does.SAY, Does.TRY))


def canonical(request: Request, trial: Trial, line: str) -> str:
    """The line that was tried last, as its writer's language has it; also where what it shows is not known."""
    if not trial.stopped and trial.said:
        return trial.said[-1].understood
    try:
        order = request.game.read(trial.now.state, request.seat, line)
    except OrderRefused:
        return line
    one = request.language
    return order.text if one == "en" else request.game.write(trial.now.state, request.seat, order.order, one)


def tried_out(request: Request, session: Session, said: Sequence[Said]) -> tuple[Choice, ...]:
    """The choices after a trial: those of the answered mail as they stood, and what was tried, where no list has it."""
    found, orders = shown(request, session), "\n".join(one.understood for one in said)
    offers = offered(request.game, request.state, request.seat, request.language)
    known = {*(choice.text for choice in found), *(offer.text for offer in offers)}
    if not orders or not all(one.understood and one.reason is None for one in said) or orders in known:
        return found
    return (*found, Choice(orders, said[0].effects[0] if len(said) == 1 and said[0].effects else None))


def shown(request: Request, session: Session) -> tuple[Choice, ...]:
    """What the answered mail listed of its own above the game's options, while these are the same: after a trial of one
    a number is to play what it has just tried."""
    own = request.listed[0].choices if len(request.listed) == 1 else ()
    if not own:
        return ()
    options = [offer.text for offer in offered(request.game, request.state, request.seat, request.language)]
    for count in range(len(own) + 1):
        if list(own[count:]) == [text for text in options if text not in own[:count]]:
            effects = (None if "\n" in text else tried(request, session, (text,)) for text in own[:count])
            told = (None if one is None else one[0] if one else T("") for one in effects)
            return tuple(Choice(text, says) for text, says in zip(own, told, strict=False))
    return ()


def below(rows: Sequence[SortedLine], row: SortedLine) -> Sequence[SortedLine]:
    """The rows under one of them."""
    return rows[next((at for at, other in enumerate(rows, 1) if other is row), 0) :]


def lines_of(rows: Sequence[SortedLine]) -> tuple[str, ...]:
    """What rows of a letter say, a line each, as it could be sent alone; nothing where one of them is a number."""
    if any(row.read.number is not None for row in rows):
        return ()
    return tuple(_talk(row.raw) or row.order for row in rows)


def _talk(raw: str) -> str:
    """A command as it was written: accents and capitals of talk are kept."""
    words = spoken(raw)
    return relayed(words, 0) if commands.command_of(words) else ""


def tries(said: Sequence[Said], texts: Sequence[str]) -> tuple[Choice, ...]:
    """The texts as trials, after the trials above; a command as it stands."""
    before = [f"try {one.understood}" for one in said if one.understood]
    tried = (text if commands.command_of(text) else f"try {text}".replace("\n", "\ntry ") for text in texts)
    return tuple(Choice("\n".join((*before, text)), None if before or "\n" in text else T("")) for text in tried)


def told(raw: str, refusal: OrderRefused, repairs: tuple[Choice, ...], language: str) -> Said:
    """A refused line: why, and what else the game says would work beside the orders nearest to it."""
    say = catalogue(language).render
    ways = refusal.possible
    if repairs:
        known = {"with", "avec", *_WORD.findall(" ".join(choice.text for choice in repairs))}
        ways = tuple(way for way in ways if not known.issuperset(_WORD.findall(say(way))))
    return Said(raw, reason=refusal.reason, possible=ways, rule=refusal.rule)


def late(request: Request, session: Session, rows: Sequence[SortedLine]) -> OrderRefused:
    """Why a letter that answers an older mail plays nothing. Where its words can all be played now, it is asked."""
    lines = lines_of(rows)
    found = [command for command in map(commands.command_of, lines) if command]
    fixed = not lines or any(command.does in (Does.TRY, Does.UNDO, Does.STOP) for command, _ in found)
    if fixed or tried(request, session, lines) is None:
        return too_late()
    return StillPossible("\n".join(lines))


def beside(
    request: Request, session: Session, letter: Sorted, orders: Sequence[str]
) -> tuple[tuple[Choice, ...], tuple[Msg, ...]]:
    """Choices and notes for orders with something strange beside them: the orders alone, with those words said to the
    table, and what the words may mean."""
    only = "\n".join(orders)
    said: tuple[str, ...] = ()
    if not all(map(commands.command_of, orders)):
        said = tuple(f"{only}\n{one.text}" for one in chat.to_the_table(request, letter.strange))
    found = choices_of(only, *said)
    if not undoes(orders):
        whole = letter.rows[0].raw if len(letter.rows) == 1 and letter.rows[0].beside else ""
        others = near(request, session, (whole,) if whole else letter.strange, () if whole else orders)
        found = (*found, *tuple(one for one in others if alike(one.text) != alike(only))[: MOST - 1])
    return found, alone(len(letter.strange))


def alike(text: str) -> tuple[str, ...]:
    """The words of an order; dice that stand beside each other in no order, as they may be named in any."""
    runs = groupby(folded(text).split(), names_die)
    return tuple(word for dice, run in runs for word in (sorted(run) if dice else run))


def undoes(lines: Sequence[str]) -> bool:
    """Whether lines take orders back: what follows cannot be tried on the position as it is."""
    return any(found[0].does is Does.UNDO for line in lines if (found := commands.command_of(line)))
