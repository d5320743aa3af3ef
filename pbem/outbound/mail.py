"""The content of a mail to one seat: sentences, options and a frozen view, all of which the seat may know.

The desk makes it; `pbem.outbound.render` writes it with the templates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from engine.catalog import Msg
from engine.game import NO_KIND, Decision, Ending, Line, Offer, Seat
from engine.reference import CardText


class MailKind(StrEnum):
    """Why a person is written to: offer of a seat, begin, decision, reminder, and so on."""

    INVITATION = "invitation"
    WELCOME = "welcome"
    TURN = "turn"
    REMINDER = "reminder"
    NEWS = "news"
    """Asks nothing: a repair, a message, or news on request."""
    RECEIPT = "receipt"
    TRIAL = "trial"
    """Answers `try`: what orders would do."""
    REFUSAL = "refusal"
    """Nothing of the letter (since the last commit point) was played."""
    ANSWER = "answer"
    """Answers a question: status, help, card, history, options."""
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """What became of one line of a letter.

    `written` is the line, `understood` its canonical text (empty if not understood), `effects` what it did or would do,
    `assumed` what was filled in, `reason` and `possible` why it was not played, `rule` the number of the ruling.
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
class TableMessage:
    """A message of somebody at the table, on one line; `alone`: to this seat only."""

    who: str
    text: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A numbered choice that is no option of the game: its number is read as if these lines had been written.

    `says` explains what they do, if that is not obvious.
    """

    text: str
    says: Msg | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The part of a mail that cannot be derived from the position; it is stored with its record.

    From a message and its commit the same mail can be written again if the spool is lost.
    """

    kind: MailKind
    seat: Seat
    said: tuple[LineAnswer, ...] = ()
    notes: tuple[Msg, ...] = ()
    """Sentences of the desk: «Nothing was done; it is still your turn.»"""
    answers: tuple[CardText, ...] = ()
    """Titled answers to questions: help, cards, history."""
    messages: tuple[TableMessage, ...] = ()
    """Messages of people to this seat."""
    earned: tuple[Msg, ...] = ()
    """In the final mail: new achievements of the reader."""
    choices: tuple[Choice, ...] = ()
    """Numbered choices that replace the game's options."""
    repairs: tuple[Choice, ...] = ()
    """The orders nearest to a refused one, numbered before the game's options."""
    wait: tuple[Msg, ...] = ()
    """Who has time until when."""
    heard: int = 0
    """The last record whose entries the seat has been told."""
    told: int = 0
    """The last entry that the seat has been told."""
    own: bool = False
    """The entries of its own record are in `said`, and not repeated as news."""
    since: int = 0
    """With `own`: the last entry in `said`; later ones of the record are news. 0: all are in `said`."""
    position: bool = False
    """Show the position in any case."""
    brief: bool = False
    """Never show the position."""
    options: bool = False
    """List the options even to a seat that has answered."""
    public: bool = False
    """A view to pass on, without token and options."""
    quiet: bool = False
    """Without news and position: for a mail that must not fail."""
    waited: bool = False
    """A mail to this seat was held back, so messages since its last one are repeated."""
    answering: str = ""
    """Message-ID of the answered letter."""
    root: str = ""
    last: str = ""
    """The intents of the first and the last mail of its thread."""


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
    """A message with everything that the templates show."""

    game: str
    """The table's name, `troyes-12`; not secret."""
    game_kind: str = ""
    name: str
    """The display name of the seat's holder."""
    heading: Msg
    """Where the game stands: «round 3 of 6»."""
    token: str = ""
    """`game.decision.key`, for the reply address."""
    stage: str = ""
    """Mails of one seat with the same stage form one thread."""
    news: tuple[Line, ...] = ()
    """Since the last mail to this seat."""
    decision: Decision | None = None
    waiting_for: tuple[str, ...] = ()
    """Display names of those the table waits for, if this seat is not asked."""
    offers: tuple[Offer, ...] = ()
    """The numbered options, or the choices that replace them."""
    examples: tuple[str, ...] = ()
    most: int = 0
    """Offers to show at most; 0: all, grouped by kind. The others keep their numbers."""
    legal: int = 0
    """Number of legal orders; a lower bound if `bounded`, 0 if not counted."""
    bounded: bool = False
    view: Any = None
    """The game's view for this seat; None before the game begins."""
    before: Any = None
    """The view at the reader's last mail; None if there was none."""
    board: bool = False
    """Show the whole position, not only the reader's own part."""
    full: bool = False
    """The text part repeats the texts of all cards."""
    reader: Reader = Reader()
    result: Ending | None = None
    story: tuple[tuple[str, tuple[Msg, ...]], ...] = ()
    """In the final mail, for each row of the scores: the biggest turn, and what decided."""
    players: tuple[tuple[str, str], ...] = ()
    """(seat, display name), clockwise."""
    title: str = ""
    rules: tuple[tuple[Msg, Msg], ...] = ()
    """The options of the table: name with value, and explanation."""
    computers: tuple[Msg, ...] = ()
    """Seats of computers with their levels."""
    dice: DiceProof = DiceProof()
    spectator: bool = False
    """Shown as the table sees it, without instructions how to answer."""
    over: bool = False
    """The game has ended: neither orders nor `undo` are mentioned."""
    takes_over: bool = False
    """Welcomes somebody to a running game."""

    @property
    def orders(self) -> tuple[str, ...]:
        """The understood orders of the letter."""
        return tuple(one.understood for one in self.said if one.understood and not one.aside)

    @property
    def nearest(self) -> tuple[tuple[int, Offer], ...]:
        """The orders nearest to a refused one, with the first numbers of the list."""
        return () if self.choices else tuple(enumerate(self.offers[: len(self.repairs)], 1))

    @property
    def shown(self) -> tuple[tuple[Msg, tuple[tuple[int, Offer], ...]], ...]:
        """The listed offers with their numbers, by kind. If some are left out it is one group without a name, with the
        best of each kind as far as there is room."""
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
        """The same mail for a reader who wants everything in full."""
        asks = self.decision is not None and not self.decision.answered and not self.brief and not self.choices
        return replace(self, full=True, board=self.board or asks, most=0)

    @classmethod
    def of(cls, message: Message, **read: Any) -> Mail:
        """Make the mail of a message, with the values read for it."""
        return cls(**{name: getattr(message, name) for name in Message.__slots__}, **read)
