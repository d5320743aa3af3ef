"""What is raised when an order is not played, one class for each outcome, and when a stored state is broken.

Players are told of the first four in a mail; each carries sentences, never a traceback. `PositionError` is for a
moderator or maintainer: a state or entry that does not hold together.
"""

from __future__ import annotations

from engine.catalog import Msg, T


class OrderRefused(Exception):  # noqa: N818 - players hear what happened to the order
    """An order was not played. `reason` says why, with its numbers; `possible` says what would work, may be empty."""

    word = "refused"

    def __init__(
        self, reason: Msg, *, possible: tuple[Msg, ...] = (), orders: tuple[str, ...] = (), rule: str = ""
    ) -> None:
        super().__init__(reason.text)
        self.reason = reason
        self.possible = possible
        self.orders = orders
        """Whole orders as `Game.write` writes them that are legal here and would do, the nearest first: each may
        be played as it stands, so they become numbered choices. What `possible` says is words to read."""
        self.anytime = False
        """True if it was meant as a standing order, which answers no decision: the reason counts whoever is asked."""
        self.otherwise = False
        """True if the words may mean something else: this is said only if nothing else reads them."""
        self.rule = rule
        """The ruling that decides, such as `A29`; empty where the rulebook does."""


class NotUnderstood(OrderRefused):
    """The words are no order. `Reference.repairs` suggests what they may mean."""

    word = "unreadable"


class NotAllowed(OrderRefused):
    """The order was understood, and the rules or the means forbid it. Nothing was changed."""

    word = "illegal"


class Gone(NotAllowed):
    """A die, event, space, citizen or cube that the order names does not exist, or no longer does."""


class Unclear(OrderRefused):
    """The words have several meanings here; `orders` lists them as complete orders, `possible` as words to choose from.
    """

    word = "unclear"


class TooLate(OrderRefused):
    """The order answers a decision that is no longer open."""

    word = "late"


class PositionError(Exception):
    """A stored state or entry does not hold together. `where` is the path of the wrong value."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


def unknown_word(word: str, line: str) -> NotUnderstood:
    """The refusal for a word that means nothing where it stands."""
    return NotUnderstood(T("«{word}» is not understood in «{line}».", word=word, line=line))


def no_verb(word: str) -> NotUnderstood:
    """The refusal for a line whose first word begins no order."""
    return NotUnderstood(T("«{word}» begins no order.", word=word))


def no_order(line: str) -> NotUnderstood:
    """The refusal for a line without a word."""
    return NotUnderstood(T("There is no order in «{line}».", line=line))
