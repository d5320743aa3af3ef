"""The gist of a line that the grammar refuses: the one order that explains each of its words (`engine.kit.gist`).

What a line may mean is heard without the words that have no place in it, once as it stands and once without the parts
that only tell what an order costs or brings; where nothing of that will do, the orders likest to it are looked at.
Each is held against every word of the line (`explaining`): its dice, whose they are, names, places, verbs and numbers
are the order's own or follow from it, and nothing of the order is unsaid (`covering`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from engine.errors import OrderRefused
from engine.game import Step
from engine.kit.gist import HARMLESS, Role, passed_over
from engine.reference import Gist
from engine.troyes.notation.amounting import are_true, unit_at
from engine.troyes.notation.everyday import understood
from engine.troyes.notation.explaining import LOOSE_VERBS, Explained, addresses, parts_of
from engine.troyes.notation.lexicon import Wordlet, spread
from engine.troyes.notation.picked import PARTING, Word, tells
from engine.troyes.notation.reading import read
from engine.troyes.notation.writing import write
from engine.troyes.state.orders import Counter, Order, Pass
from engine.troyes.state.state import TroyesState

_THINGS = ("die", "dice", "colour", "activity", "event", "place")
"""Those of them without which a part of a line only tells what it costs or brings."""
_COUNTING = frozenset(("number", "numero", "option", "choice", "choix", "nr", "no", "num"))
"""What stands before the number of an option."""


def gist(
    state: TroyesState,
    seat: str,
    line: str,
    after: Callable[[Order], Step[TroyesState] | None],
    like: Callable[[], Iterable[Order]] = tuple,
) -> Gist | None:
    """The one order that a line means, legal now; None where that is not certain.

    `after` gives what comes of an order, as far as it can be known; None for one that is not legal. `like` are the
    legal orders likest to what the line names, held against it where none explains it that is heard.
    """
    words = list(numbered(spread(state, line)))
    unread = passed_over(list(_roles(words)))
    if unread is None or any(is_dark(text, token) for text, token in words):
        return None
    clear = not any(_is_strange(part) for part in parts_of(words))
    # «The black dice fear my red 6» counters nothing; where each word is known, it says what is done.
    never = Pass if not unread else Pass | Counter
    alike = (one for one in (like() if clear else ()) if not isinstance(one, never))
    for orders in (heard(state, seat, words), alike):
        found = dict.fromkeys(_explaining(state, seat, orders, words, after))
        if found:
            return Gist(tuple(found), unread) if len(found) == 1 else None
    return None


def _roles(words: Sequence[Word]) -> Iterator[tuple[str, Role]]:
    """What each word is to an order; who is spoken to is nothing to it, and an amount that stands alone as little."""
    addressed = {id(token) for part in parts_of(words) if addresses(part) for _, token in part}
    counting = {id(token) for part in parts_of(words) if _only_counts(part) for _, token in part}
    for text, token in words:
        counts = token is not None and id(token) in counting
        yield text, Role.HARMLESS if counts else role(text, None if id(token) in addressed else token)


def _is_strange(part: Sequence[Word]) -> bool:
    """Whether a part of a line that names something has a word that means nothing."""
    names = any(token is not None and tells(token) for _, token in part)
    return names and any(role(text, token) is Role.UNKNOWN for text, token in part)


def _explaining(
    state: TroyesState,
    seat: str,
    orders: Iterable[Order],
    words: Sequence[Word],
    after: Callable[[Order], Step[TroyesState] | None],
) -> Iterator[str]:
    """Those of some orders that explain the words, as they are written."""
    for order in orders:
        if isinstance(order, Pass):
            if only_passes(state, seat, words) and after(order) is not None:
                yield write(state, seat, order)
            continue
        said, text = Explained(state, seat, order, words), write(state, seat, order)
        then = after(order) if said.counts_so(text) and said.is_said() else None
        if then is not None and are_true(state, seat, order, said.tokens, then):
            yield text


def numbered(words: Iterable[Word]) -> Iterator[Word]:
    """The words of a line; a number that an unknown one stands before is told by that, and no die: «it grows to 4»."""
    unknown = False
    for text, token in words:
        told = unknown and token is not None and token.of("number") and not token.of("noise")
        yield text, Wordlet(text, {"told": token.of("number")}) if told and token is not None else token
        unknown = token is None and text not in HARMLESS


def role(text: str, token: Wordlet | None) -> Role:
    """What a word is to an order (`engine.kit.gist.Role`)."""
    if text in PARTING:
        return Role.MARK
    if token is None:
        return Role.HARMLESS if text in HARMLESS else Role.UNKNOWN
    return Role.EVIDENCE if tells(token) else Role.HARMLESS


def is_dark(text: str, token: Wordlet | None) -> bool:
    """Whether words mean two things at once, the contrary of what one of them says, or an option of a list."""
    if token is None:
        return " " in text or text in _COUNTING
    return bool(token.of("against"))


def heard(state: TroyesState, seat: str, words: Sequence[Word]) -> Iterator[Order]:
    """The orders that may be heard in a line. Nothing where it is not clear whose a die is."""
    short = " , ".join(" ".join(text for text, _ in part) for part in parts_of(words) if _names_thing(part))
    whole = " ".join(text for text, token in words if token is None or not token.of("told"))
    for text in dict.fromkeys((short, whole)):
        meant = understood(state, seat, text, loose=True) if text else None
        for one in meant.lines if meant is not None and not meant.doubt else ():
            with suppress(OrderRefused):
                yield read(state, seat, one).order


def only_passes(state: TroyesState, seat: str, words: Sequence[Word]) -> bool:
    """Whether each part of a line that says something says that one passes; what stands in the same sentence is known,
    or tells that there is nothing to do: «passer, c'est pour les lâches» orders nothing."""
    for sentence in parts_of(words, PARTING - {","}):
        parts = list(parts_of(sentence, frozenset(",")))
        telling = [part for part in parts if any(token is not None and tells(token) for _, token in part)]
        if not all(_passes(state, seat, part) for part in telling):
            return False
        others = [part for part in parts if part not in telling] if telling else []
        if any(_says_more(part) for part in others):
            return False
    return True


def _says_more(part: Sequence[Word]) -> bool:
    """Whether a part of a line has words that mean nothing, and does not begin with «nothing»."""
    first = part[0][1]
    unknown = any(role(text, token) is Role.UNKNOWN for text, token in part)
    return unknown and (first is None or first.of("clause") != "none")


def _passes(state: TroyesState, seat: str, part: Sequence[Word]) -> bool:
    """Whether a part of a line says that and nothing else: «pass me the rules» does not."""
    with suppress(OrderRefused):
        return isinstance(read(state, seat, " ".join(text for text, _ in part)).order, Pass)
    return False


def _only_counts(part: Sequence[Word]) -> bool:
    """Whether a part of a line names an amount and nothing else: «two deniers well spent»."""
    tokens = [token for _, token in part if token is not None]
    units = any(unit_at(tokens, at + 1) for at, token in enumerate(tokens) if token.of("number"))
    return units and not any(tells(token) and not token.of("number") for token in tokens)


def _names_thing(part: Sequence[Word]) -> bool:
    """Whether a part of a line names more than an amount."""
    things = any(token is not None and tells(token) and any(map(token.of, _THINGS)) for _, token in part)
    verbs = {token.of("verb") for _, token in part if token is not None} - {"", *LOOSE_VERBS}
    return things or bool(verbs)
