"""What would do instead of a refused line, and what a letter that came late may still mean.

What is proposed is legal here and now, and a whole order is a numbered choice of that very mail. Orders are looked for
in the position as the seat may see it, so that no choice tells a secret. Each is tried there before it is offered, with
what stands above and below the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from engine.catalog import Msg, T
from engine.errors import OrderRefused, TooLate, Unclear
from engine.kit.words import correct_typo, fold_text
from pbem.desk import commands
from pbem.desk.commands.clarification import AskedBack, as_choices, playable_alone
from pbem.desk.commands.command import Does
from pbem.desk.core.option_lists import offers_of
from pbem.desk.orders import chat
from pbem.desk.orders.line_types import SortedLetter, SortedLine
from pbem.desk.orders.session import Session, Trial
from pbem.desk.orders.session import game_has_gone_on as too_late
from pbem.inbound.sanitize import clean_text
from pbem.outbound.mail import Choice, LineAnswer
from pbem.outbound.translation import language_catalogue
from pbem.reading.line_parser import affirmed_clauses, names_die, names_pass, opposes, parse_line, talk_text

_WORD = re.compile(r"[\w.-]+")

PASS = "pass"
"""The order that gives a turn away, in every game that has one: it is never taken from a sentence."""
STILL = T("The game has gone on since the mail that you answer; what you wrote can still be done now.")
"""What is asked of a letter that came late, whose words can all be played now."""
MAX_SUGGESTED, MAX_MEANINGS = 3, 9
"""Orders that a refusal offers, and that words with several meanings are asked back as."""
MAX_COMPARED_LINES = 8
"""Lines of a letter without an order that are compared with orders."""


class StillPossible(TooLate):
    """A letter came late, and its words, as one choice, can all be played now."""

    def __init__(self, text: str) -> None:
        super().__init__(STILL)
        self.choice = Choice(text, None if "\n" in text else T("what you wrote"))


def suggest_orders(session: Session, line: str, refusal: OrderRefused) -> tuple[str, ...]:
    """Whole lines, or two in a row, that would do in this position instead of a refused one, the nearest first."""
    request, state = session.request, session.now.state
    if isinstance(refusal, AskedBack | TooLate):
        return ()
    if isinstance(refusal, Unclear) and refusal.orders:
        return tuple(dict.fromkeys(request.worded(state, text) for text in refusal.orders))[:MAX_MEANINGS]
    found = (*refusal.orders, *_command(line, session.game.reference.verbs()))
    command = commands.parse_command(line)
    order = affirmed_clauses(command[1] if command and command[0].does is Does.TRY else "" if command else line)
    plays = request.held is None and not request.late and session.decision() is not None
    if plays and order and not parse_line(order).is_number:
        found += _repaired(Trial(session), order, line)
    return tuple(dict.fromkeys(request.worded(state, text) for text in found))[:MAX_SUGGESTED]


def suggest_choices(session: Session, lines: Sequence[str], above: Sequence[str] = ()) -> tuple[Choice, ...]:
    """The orders nearest to the first of some lines that is near any, behind those above, which are not played yet."""
    request = session.request
    behind = Trial(session)
    if request.held is not None or request.late or behind.attempt(above) is None or behind.stopped:
        return ()
    if behind.decision() is None:
        return ()
    for line in lines[:MAX_COMPARED_LINES]:
        if playable := playable_choices(
            session, _repaired(behind, affirmed_clauses(line), line)[:MAX_SUGGESTED], above
        ):
            return playable
    return ()


def _repaired(trial: Trial, line: str, whole: str) -> tuple[str, ...]:
    """The orders nearest to what a line affirms: what was written, mended. None passes where the `whole` line does not
    say so, or denies something, and none does a thing twice."""
    state, request, kept = trial.now.state, trial.request, list[str]()
    for order in trial.game.reference.repairs(state, trial.seat, line, request.language) if line else ():
        verbs = [text.partition(" ")[0] for text in order.split("\n")]
        passes = request.worded(state, PASS) in order.split("\n") and not names_pass(whole)
        if len({*verbs}) == len(verbs) and not opposes(order, whole) and not passes:
            kept.append(order)
    return tuple(dict.fromkeys(request.worded(state, text) for text in kept))


def _command(line: str, verbs: frozenset[str]) -> tuple[str, ...]:
    """The line with its first word put right, if that was to be a command."""
    head, _, rest = line.strip().partition(" ")
    if not head or commands.parse_command(line) or fold_text(head) in verbs:
        return ()
    meant = correct_typo(head.rstrip(":"), commands.command_words() | verbs)
    found = commands.parse_command(meant)
    if found is None or found[0].does is Does.STOP:
        return ()
    command, text = found[0], rest.strip()
    # «hire» is no «dire», «one» no «zone».
    if command.does in (Does.SAY, Does.SET) and not fold_text(head).startswith(meant[0]):
        return ()
    return (f"{command.word} {text}".strip(),) if command.argument or not text else ()


def playable_choices(
    session: Session, texts: Sequence[str], above: Sequence[str] = (), below: Sequence[str] = ()
) -> tuple[Choice, ...]:
    """The texts that can be played, as choices: each behind the lines above, and before those below if it can be."""
    found = dict[tuple[str, ...], Choice]()
    for text in texts:
        own = (*above, *text.split("\n"))
        for lines in ((*own, *below), own):
            if (done := Trial(session).attempt(lines)) is not None:
                found.setdefault(comparable_words(_text(done)), Choice(_text(done), _says(done)))
                break
    return tuple(found.values())


def legal_choices(session: Session, found: Sequence[Choice]) -> tuple[Choice, ...]:
    """Those of some choices that can be played now, as orders are written; before the game, all."""
    if session.request.nothing is not None:
        return tuple(found)
    done = ((one, Trial(session).attempt(one.text.split("\n"))) for one in found)
    return tuple(replace(one, text=_text(tried)) for one, tried in done if tried is not None)


def trial_choices(session: Session, said: Sequence[LineAnswer]) -> tuple[Choice, ...]:
    """The choices after a trial: those of the answered mail as they stood, and what was tried, where no list has it."""
    found, orders = mailed_choices(session), "\n".join(one.understood for one in said)
    known = {*(choice.text for choice in found), *_options(session)}
    if not orders or not all(one.understood and one.reason is None for one in said) or orders in known:
        return found
    return (*found, Choice(orders, said[0].effects[0] if len(said) == 1 and said[0].effects else None))


def mailed_choices(session: Session) -> tuple[Choice, ...]:
    """What the answered mail listed of its own above the game's options: a number plays what it has just tried."""
    listed = session.request.listed
    own = listed[0].choices if len(listed) == 1 else ()
    options = _options(session) if own else []
    for count in range(len(own) + 1):
        if list(own[count:]) == [text for text in options if text not in own[:count]]:
            return tuple(Choice(text, _says(Trial(session).attempt(text.split("\n")))) for text in own[:count])
    return ()


def _text(done: Sequence[LineAnswer]) -> str:
    return "\n".join(line.understood for line in done)


def _says(done: Sequence[LineAnswer] | None) -> Msg | None:
    """What a choice does, where it is one line that can be played."""
    return next(iter(done[0].effects), T("")) if done and len(done) == 1 else None


def _options(session: Session) -> list[str]:
    """The options of the position that the letter answers."""
    request = session.request
    return [offer.text for offer in offers_of(session.game, request.state, session.seat, request.language)]


def text_of_rows(rows: Sequence[SortedLine]) -> tuple[str, ...]:
    """What rows of a letter say, a line each, as it could be sent alone; nothing where one of them is a number."""
    if any(row.read.number is not None for row in rows):
        return ()
    # A command stands as it was written: accents and capitals of talk are kept.
    said = ((row, talk_text(row.raw)) for row in rows)
    return tuple(clean_text(words, 0) if commands.parse_command(words) else row.order for row, words in said)


def as_trials(said: Sequence[LineAnswer], texts: Sequence[str]) -> tuple[Choice, ...]:
    """The texts as trials, after the trials above; a command as it stands."""
    before = [f"try {one.understood}" for one in said if one.understood]
    tried = (text if commands.parse_command(text) else f"try {text}".replace("\n", "\ntry ") for text in texts)
    return tuple(Choice("\n".join((*before, text)), None if before or "\n" in text else T("")) for text in tried)


def refused_line(raw: str, refusal: OrderRefused, repairs: tuple[Choice, ...], language: str) -> LineAnswer:
    """A refused line: why, and what else the game says would work beside the orders nearest to it."""
    say = language_catalogue(language).render
    ways = refusal.possible
    if repairs:
        known = {"with", "avec", *_WORD.findall(" ".join(choice.text for choice in repairs))}
        ways = tuple(way for way in ways if not known.issuperset(_WORD.findall(say(way))))
    return LineAnswer(raw, reason=refusal.reason, possible=ways, rule=refusal.rule)


def late_letter(session: Session, rows: Sequence[SortedLine]) -> OrderRefused:
    """Why a letter that answers an older mail plays nothing. Where its words can all be played now, it is asked."""
    lines = text_of_rows(rows)
    found = [command for command in map(commands.parse_command, lines) if command]
    fixed = not lines or any(command.does in (Does.TRY, Does.UNDO, Does.STOP) for command, _ in found)
    return too_late() if fixed or Trial(session).attempt(lines) is None else StillPossible("\n".join(lines))


def choices_beside(
    session: Session, letter: SortedLetter, orders: Sequence[str]
) -> tuple[tuple[Choice, ...], tuple[Msg, ...]]:
    """Choices and notes for orders with strange words beside them, which may be passed over, said or meant."""
    only = "\n".join(orders)
    said: tuple[str, ...] = ()
    if not all(map(commands.parse_command, orders)):
        said = tuple(f"{only}\n{one.text}" for one in chat.asks_the_table(session.request, letter.strange))
    found = as_choices(only, *said)
    if not has_undo(orders):
        whole = letter.rows[0].raw if len(letter.rows) == 1 and letter.rows[0].beside else ""
        others = suggest_choices(session, (whole,)) if whole else suggest_choices(session, letter.strange, orders)
        found = (
            *found,
            *tuple(one for one in others if comparable_words(one.text) != comparable_words(only))[: MAX_SUGGESTED - 1],
        )
    return found, playable_alone(len(letter.strange))


def comparable_words(text: str) -> tuple[str, ...]:
    """The words of an order; dice that stand beside each other in no order, as they may be named in any."""
    runs = groupby(fold_text(text).split(), names_die)
    return tuple(word for dice, run in runs for word in (sorted(run) if dice else run))


def has_undo(lines: Sequence[str]) -> bool:
    """Whether lines take orders back: what follows cannot be tried on the position as it is."""
    return any(found[0].does is Does.UNDO for line in lines if (found := commands.parse_command(line)))
