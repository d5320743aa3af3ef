"""What a mail to one seat says, before anybody decides how it looks.

The desk makes these; `pbem.outbound.render` turns them into messages through the templates. Everything in a `Mail` is
what that seat may know: sentences, offers and a frozen view made for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from engine.catalog import Msg
from engine.game import NO_KIND, Decision, Ending, Line, Offer, Seat
from engine.reference import CardText


class MailKind(StrEnum):
    """Why a person is written to."""

    INVITATION = "invitation"
    """A seat is offered; the word for the dice is asked."""
    WELCOME = "welcome"
    """The game has begun: who plays, how to answer, the secret character."""
    TURN = "turn"
    """The person must decide something."""
    REMINDER = "reminder"
    """The person has not answered yet."""
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
    `effects` what it did or would do, `assumed` what was filled in, `reason` and `possible` why it was not played, and
    `rule` the number of the ruling that decides.
    """

    written: str
    understood: str = ""
    effects: tuple[Msg, ...] = ()
    assumed: tuple[Msg, ...] = ()
    reason: Msg | None = None
    possible: tuple[Msg, ...] = ()
    rule: str = ""
    aside: bool = False
    """It is no order of the game: talk, `undo`, a setting."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What one mail is to say, as far as it cannot be read from the position again; it is kept with its record.

    A message and the commit it belongs to are enough to write the same mail again when the spool was lost.
    """

    kind: MailKind
    seat: Seat
    said: tuple[Said, ...] = ()
    notes: tuple[Msg, ...] = ()
    """Sentences of the desk itself: «Nothing was done; it is still your turn.»"""
    answers: tuple[CardText, ...] = ()
    """Titled blocks that answer questions: help, cards, history."""
    messages: tuple[Spoken, ...] = ()
    """What people said to this seat."""
    earned: tuple[Msg, ...] = ()
    """In the final mail: what the game adds to the reader's achievements."""
    choices: tuple[Choice, ...] = ()
    """Choices of the mail's own, in place of the game's options."""
    repairs: tuple[Choice, ...] = ()
    """Whole orders nearest to one that was refused, numbered before the game's options."""
    wait: tuple[Msg, ...] = ()
    """Until when there is time to answer, and who has."""
    heard: int = 0
    """Number of the record whose entries the seat was told last."""
    told: int = 0
    """Number of the last entry the seat was told before."""
    own: bool = False
    """The entries of its own record are told by `said`, and not again as news."""
    since: int = 0
    """With `own`: number of the last entry that `said` tells; later ones of the record are news. 0: it tells all."""
    position: bool = False
    """The position is shown whoever is asked."""
    brief: bool = False
    """The position is not shown, whatever the kind."""
    options: bool = False
    """The options are listed even to a seat that has answered."""
    public: bool = False
    """A view to forward, without token and options."""
    quiet: bool = False
    """No news, no position: for a mail that must not fail."""
    waited: bool = False
    """A mail to this seat was held back: what was said since its last one is told, too."""
    answering: str = ""
    """Message-ID of the letter it answers."""
    root: str = ""
    last: str = ""
    """Thread: the intents of its first and of its last mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceProof:
    """What invitation, welcome and final mails tell of the dice, so that everybody can check them."""

    commitment: str = ""
    """Hash over the secret seed and the host's word."""
    words: tuple[tuple[str, str], ...] = ()
    """From the welcome on: whose word (`host`, then the seats) and the word, which may be empty."""
    words_hash: str = ""
    seed: str = ""
    """The seed itself, in the final mail only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a mail suits its reader."""

    plain: bool = False
    """It has a text part alone."""
    keyed: bool = False
    """Its key stands in the subject, too."""
    shared: bool = False
    """Its address holds several seats of the table, so that the mail names the seat."""
    unspoken: bool = False
    """The reader has not chosen a language yet, and is told, in each, how that is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail(Message):
    """A message with all that is read from the position for it: what the templates show."""

    game: str
    """The table's name, `troyes-12`; not secret."""
    game_kind: str = ""
    name: str
    """The display name of the seat's holder."""
    heading: Msg
    """Where the game stands: «round 3 of 6»."""
    token: str = ""
    """`game.decision.key`, to be put in the reply address and the Message-ID."""
    stage: str = ""
    """The thread key: mails of one seat with the same stage form one thread."""
    news: tuple[Line, ...] = ()
    """Since the last mail to this seat."""
    decision: Decision | None = None
    waiting_for: tuple[str, ...] = ()
    """Display names of those the table waits for, when this seat is not asked."""
    offers: tuple[Offer, ...] = ()
    """The numbered options; where the mail has choices of its own, these."""
    examples: tuple[str, ...] = ()
    most: int = 0
    """How many of the offers the mail shows; 0 all of them, by their kinds. The rest keep their numbers."""
    legal: int = 0
    """How many orders are legal now; at least so many where `bounded`, 0 where nobody has counted."""
    bounded: bool = False
    view: Any = None
    """The game's own frozen view for this seat; None before there is anything to see."""
    before: Any = None
    """The same as it was when the reader was mailed last; None where there was nothing to see."""
    board: bool = False
    """The whole position is shown, and not the reader's own side alone."""
    full: bool = False
    """The text part holds every card's text, though this reader has read them before."""
    reader: Reader = Reader()
    result: Ending | None = None
    story: tuple[tuple[str, tuple[Msg, ...]], ...] = ()
    """In the final mail, for each row of the scores: the biggest turn, and what was decided by how much."""
    players: tuple[tuple[str, str], ...] = ()
    """(seat, display name), clockwise."""
    title: str = ""
    """Which game it is."""
    rules: tuple[tuple[Msg, Msg], ...] = ()
    """What its host chose: name, value and what it is about."""
    computers: tuple[Msg, ...] = ()
    """Seats that computers play, each with its level."""
    dice: DiceProof = DiceProof()
    spectator: bool = False
    """It is shown as the whole table sees it, and tells nobody how to answer."""
    over: bool = False
    """The game has ended: no order, and no taking back, is told of any more."""
    takes_over: bool = False
    """A welcome to somebody who sits down at a game that goes on."""

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders of the letter that were understood."""
        return tuple(one.understood for one in self.said if one.understood and not one.aside)

    @property
    def nearest(self) -> tuple[tuple[int, Offer], ...]:
        """The orders nearest to a refused one, with their numbers: they stand above the list, and begin its count."""
        return () if self.choices else tuple(enumerate(self.offers[: len(self.repairs)], 1))

    @property
    def shown(self) -> tuple[tuple[Msg, tuple[tuple[int, Offer], ...]], ...]:
        """The offers that stand in its list with their numbers, in groups; one group without a name where some are left
        out. Of those left out none is the best of its kind, as far as there is room.
        """
        near = len(self.nearest)
        rows, room = tuple(enumerate(self.offers, 1))[near:], self.most - near
        if self.most and len(rows) > room:
            first = {offer.kind: number for number, offer in reversed(rows) if offer.kind != NO_KIND}
            best = sorted(rows, key=lambda row: first.get(row[1].kind, row[0]) != row[0])[:room]
            return ((NO_KIND, tuple(sorted(best, key=lambda row: row[0]))),)
        if self.most or not self.options:
            return ((NO_KIND, rows),) if rows else ()
        groups: dict[Msg, list[tuple[int, Offer]]] = {}
        for row in rows:
            groups.setdefault(row[1].kind, []).append(row)
        return tuple((kind, tuple(found)) for kind, found in groups.items())

    def in_full(self) -> Mail:
        """The same for whoever wants everything, wherever something is asked."""
        asks = self.decision is not None and not self.decision.answered and not self.brief and not self.choices
        return replace(self, full=True, board=self.board or asks, most=0)

    @classmethod
    def of(cls, message: Message, **read: Any) -> Mail:
        """The mail of a message, with what was read for it."""
        return cls(**{name: getattr(message, name) for name in Message.__slots__}, **read)
