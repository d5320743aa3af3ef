"""What a mail to one seat says, before anybody decides how it looks.

The desk makes these; `pbem.outbound.render` turns them into messages through the templates. Everything in a `Mail` is
what that seat may know: sentences, offers and a frozen view made for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.catalog import Msg
from engine.game import Decision, Line, Offer, Result
from engine.reference import CardText


class MailKind(StrEnum):
    """Why a person is written to."""

    INVITATION = "invitation"
    """A seat is offered; the word for the dice is asked."""
    WELCOME = "welcome"
    """The game has begun: who plays, how to answer, the secret character."""
    TURN = "turn"
    """The person must decide something."""
    NEWS = "news"
    """Nothing is asked; a repair, a message, or a wish to be told."""
    RECEIPT = "receipt"
    """The person wrote orders and they were played."""
    TRIAL = "trial"
    """The person wrote `try`: what orders would do, not played."""
    REFUSAL = "refusal"
    """The person wrote, and nothing of it (since the last commit point) was played."""
    ANSWER = "answer"
    """The person asked a question (status, help, card, history, options)."""
    FINAL = "final"
    """The game is over."""


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a letter and what became of it.

    `written` is the person's own line, `understood` its canonical text (empty when it was not understood),
    `effects` what it did or would do, `assumed` what was filled in, `reason` and `possible` why it was not played.
    """

    written: str
    understood: str = ""
    effects: tuple[Msg, ...] = ()
    assumed: tuple[Msg, ...] = ()
    reason: Msg | None = None
    possible: tuple[Msg, ...] = ()


@dataclass(frozen=True, slots=True)
class Spoken:
    """What somebody at the table says to a seat, on one line; `alone` when nobody else is told."""

    who: str
    text: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """What a number of a mail stands for that is no option of the game: one or several lines of a letter.

    A number is read as if they had been written. `says` is what they do, where that is not plain.
    """

    text: str
    says: Msg | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail to one seat."""

    kind: MailKind
    game: str
    """The table's name, `troyes-12`; not secret."""
    game_kind: str
    seat: str
    name: str
    """The display name of the seat's holder."""
    heading: Msg
    """Where the game stands: «round 3 of 6»."""
    token: str = ""
    """`game.decision.key`, to be put in the reply address and the Message-ID."""
    stage: str = ""
    """The thread key: mails of one seat with the same stage form one thread."""
    said: tuple[Said, ...] = ()
    notes: tuple[Msg, ...] = ()
    """Sentences of the desk itself: «Nothing was done; it is still your turn.»"""
    answers: tuple[CardText, ...] = ()
    """Titled blocks that answer questions: help, cards, history."""
    messages: tuple[Spoken, ...] = ()
    """What people said to this seat."""
    news: tuple[Line, ...] = ()
    """Since the last mail to this seat."""
    decision: Decision | None = None
    waiting_for: tuple[str, ...] = ()
    """Display names of those the table waits for, when this seat is not asked."""
    offers: tuple[Offer, ...] = ()
    choices: tuple[Choice, ...] = ()
    """What the numbers of `offers` stand for when the mail made them itself."""
    examples: tuple[str, ...] = ()
    view: Any = None
    """The game's own frozen view for this seat; None when the position is not repeated."""
    result: Result | None = None
    players: tuple[tuple[str, str], ...] = ()
    """(seat, display name), clockwise."""
    commitment: str = ""
    """Hash over the secret seed and the host's word, in invitation, welcome and final mails."""
    words: tuple[tuple[str, str], ...] = ()
    """From the welcome on: whose word for the dice (`host`, then the seats) and the word, which may be empty."""
    words_hash: str = ""
    seed: str = ""
    """The seed itself, revealed in the final mail only."""
    earned: tuple[Msg, ...] = ()
    """In the final mail: what the game adds to the reader's achievements."""
    extra: dict[str, str] = field(default_factory=dict)
    """Plain values a template of this kind needs beside: documented in that template."""
