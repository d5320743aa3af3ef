"""The gist of a line that the grammar refuses: the one order that explains each of its words (`engine.kit.gist`).

What a line may mean is heard without the words that have no place in it, once as it stands and once without the parts
that only tell what an order costs or brings. What is heard is then held against every word of the line (`explaining`):
its dice, whose they are, names, places, verbs and numbers are the order's own or follow from it, and nothing of the
order is unsaid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from engine.errors import OrderRefused
from engine.game import Step
from engine.kit.gist import HARMLESS, Role, passed_over
from engine.reference import Gist
from engine.troyes.notation.everyday import understood
from engine.troyes.notation.explaining import LOOSE_VERBS, PARTING, Explained, Word, addresses, parts_of, tells
from engine.troyes.notation.lexicon import Wordlet, spread
from engine.troyes.notation.reading import read
from engine.troyes.notation.writing import write
from engine.troyes.state.orders import Order
from engine.troyes.state.state import TroyesState

_THINGS = ("die", "dice", "colour", "activity", "event", "place")
"""Those of them without which a part of a line only tells what it costs or brings."""
_COUNTING = frozenset(("number", "numero", "option", "choice", "choix", "nr", "no", "num"))
"""What stands before the number of an option."""


def gist(state: TroyesState, seat: str, line: str, after: Callable[[Order], Step[TroyesState] | None]) -> Gist | None:
    """The one order that a line means, legal now; None where that is not certain.

    `after` gives what comes of an order, as far as it can be known; None for one that is not legal.
    """
    words = list(spread(state, line))
    addressed = [text for part in parts_of(words) if addresses(part) for text, _ in part]
    unread = passed_over([(text, _role(text, None if text in addressed else token)) for text, token in words])
    if unread is None or any(_is_dark(text, token) for text, token in words):
        return None
    found: dict[str, Order] = {}
    for order in _heard(state, seat, line, words):
        said = Explained(state, seat, order, words)
        if said.is_said() and (then := after(order)) is not None and said.is_true(then):
            found[write(state, seat, order)] = order
    return Gist(tuple(found), unread) if len(found) == 1 else None


def _role(text: str, token: Wordlet | None) -> Role:
    if text in PARTING:
        return Role.MARK
    if token is None:
        return Role.HARMLESS if text in HARMLESS else Role.UNKNOWN
    return Role.EVIDENCE if tells(token) else Role.HARMLESS


def _is_dark(text: str, token: Wordlet | None) -> bool:
    """Whether words mean two things at once, the contrary of what one of them says, or an option of a list."""
    if token is None:
        return " " in text or text in _COUNTING
    return bool(token.of("against") or token.of("plural"))


def _heard(state: TroyesState, seat: str, line: str, words: Sequence[Word]) -> Iterator[Order]:
    """The orders that may be heard in a line. Nothing where it is not clear whose a die is."""
    short = " , ".join(" ".join(text for text, _ in part) for part in parts_of(words) if _names_thing(part))
    for text in dict.fromkeys((short, line)):
        meant = understood(state, seat, text, loose=True) if text else None
        for one in meant.lines if meant is not None and not meant.doubt else ():
            with suppress(OrderRefused):
                yield read(state, seat, one).order


def _names_thing(part: Sequence[Word]) -> bool:
    """Whether a part of a line names more than an amount."""
    things = any(token is not None and tells(token) and any(map(token.of, _THINGS)) for _, token in part)
    verbs = {token.of("verb") for _, token in part if token is not None} - {"", *LOOSE_VERBS}
    return things or bool(verbs)
