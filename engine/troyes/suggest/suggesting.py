"""What is suggested for a refused line: the line with its words put right, then what is likest to what it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from operator import itemgetter
from typing import TypeAlias

from engine.chance import Blind, Chance, Unknown
from engine.errors import OrderRefused
from engine.game import Step
from engine.kit.nearness import MOST, is_talk, likest, playable, readings, respelled
from engine.kit.words import kebab
from engine.troyes import notation
from engine.troyes.board.words import typed
from engine.troyes.moves import legal
from engine.troyes.notation.words import DISTRICTS, KING, LINKS, ROLES, names_cube
from engine.troyes.state import orders
from engine.troyes.state.orders import Activate, Order
from engine.troyes.state.places import LYING, SUPPLY
from engine.troyes.state.state import TroyesState
from engine.troyes.suggest import candidates, vocabulary
from engine.troyes.suggest.bag import Bag
from engine.troyes.suggest.likeness import Likeness
from engine.troyes.suggest.naming import wish_of

Apply: TypeAlias = Callable[[TroyesState, str, Order, Chance], Step[TroyesState]]

_LEAST, _FEWER = 0.9, 0.5
"""What a line must name of an order of a turn, and of an answer to a smaller question, for any to be suggested."""
_HIRED = 4
_CUTS, _TRIED = 6, 2
"""Places to hire from that are tried for an order without; places at which a line may be cut in two, and those of them,
the likest, at which it is."""
_SAID = 0.6
"""How surely a verb must be said."""
_BEFORE = {"flip": orders.Flip, "recruit": orders.Recruit, "use": orders.Use, "counter": orders.Counter}
"""What may stand before another order of the same letter, and shows nothing."""
_OR = re.compile(r"\b((?:[a-z]+ )?[a-z]?[1-6](?: [a-z]+)?) (?:or|ou) ((?:[a-z]+ )?[a-z]?[1-6])\b", re.IGNORECASE)
"""Two dice of which one is meant: «R3 or Y5», «red 3 or yellow 5»."""
_MARK = re.compile(r"\s*[,;.:!]\s+")
_THEN = "|".join(word.replace("-", " ") for word, role in ROLES.items() if role == "then")
_AND = "|".join(word for word in LINKS if word.isalpha())
_CUT = re.compile(rf"\s*[,;.:!]\s+|\s+(?:{_THEN}|{_AND})\s+", re.IGNORECASE)
"""Where a line may go on to its second order."""


@dataclass(frozen=True)
class _At:
    """A position as the seat sees it, and how orders are tried there."""

    state: TroyesState
    seat: str
    apply: Apply
    language: str

    @cached_property
    def asked(self) -> str:
        """What the seat is asked."""
        return legal.asked_kind(self.state, self.seat)

    def plays(self, order: Order) -> bool:
        """Whether it is legal now."""
        return playable(self.apply, self.state, self.seat, order)

    def write(self, order: Order) -> str:
        return notation.write(self.state, self.seat, order, self.language)

    def after(self, order: Order) -> _At | None:
        """The position behind an order, where the seat is still asked and nothing was rolled."""
        try:
            state = self.apply(self.state, self.seat, order, Blind()).state
        except (OrderRefused, Unknown):
            return None
        return replace(self, state=state) if legal.asked_kind(state, self.seat) else None


def repairs(state: TroyesState, seat: str, line: str, apply: Apply, language: str) -> tuple[str, ...]:
    """Up to three legal orders, or two in a row, the nearest to a line first. `apply` plays an order."""
    at, written = _At(state, seat, apply, language), kebab(line)
    found: dict[str, None] = {}
    talks = is_talk(line, lambda word: vocabulary.is_known(state, word), vocabulary.is_die)
    # Who is asked for a place, and names one, does not talk.
    talks = talks and (at.asked == "turn" or not wish_of(state, seat, at.asked, line).places)
    likely = () if talks else chain(_read(at, line), nearest(state, seat, line, apply, language))
    for text in chain(likely, _in_parts(at, line)):
        if kebab(text) != written:
            found[text] = None
        if len(found) == MOST:
            break
    return tuple(found)


def _in_parts(at: _At, line: str) -> Iterator[str]:
    """The orders that parts of a line are by themselves, whatever stands beside them."""
    for part in islice(_MARK.split(line), _CUTS):
        with suppress(OrderRefused):
            order = notation.read(at.state, at.seat, part).order
            if at.plays(order):
                yield at.write(order)


def nearest(state: TroyesState, seat: str, line: str, apply: Apply, language: str) -> tuple[str, ...]:
    """The same by likeness alone: as if no sentence could be read."""
    at, line = _At(state, seat, apply, language), vocabulary.put_right(state, line)
    wish = wish_of(state, seat, at.asked, line)
    if wish.weight < (_LEAST if at.asked == "turn" else _FEWER):
        return ()
    rows = _in_a_row(at, line) if at.asked in ("turn", "counter") and _begins(wish) else ()
    return tuple(dict.fromkeys(chain(rows, map(at.write, islice(_likest(at, wish), MOST)))))[:MOST]


def _likest(at: _At, wish: Bag) -> Iterator[Order]:
    """Legal orders, the likest to a wish first; of equal ones the better option."""
    likeness = Likeness(at.state, at.seat, wish, answers=at.asked != "turn")
    some = candidates.like(at.state, at.seat, wish, likeness)
    if not wish.dice:
        some = chain(candidates.options(at.state, at.seat), some)
    return likest(dict.fromkeys(some), likeness.of, at.plays)


def _begins(wish: Bag) -> bool:
    """Whether what may stand before another order is named."""
    return wish.recruits or any(wish.verbs.get(verb, 0.0) >= _SAID for verb in _BEFORE)


def _goes_on(wish: Bag) -> bool:
    """Whether what ends a turn is named."""
    verbs = any(weight >= _SAID for verb, weight in wish.verbs.items() if verb not in _BEFORE)
    return verbs or any(weight > 0 for weight in wish.ids.values())


def _in_a_row(at: _At, line: str) -> Iterator[str]:
    """Two orders in two lines, where a line can be cut between what is named of each."""
    for head, rest in islice(_cut(at, line), _TRIED):
        order = next(_likest(at, head), None)
        after = at.after(order) if order is not None and isinstance(order, tuple(_BEFORE.values())) else None
        if order is None or after is None:
            continue
        then = wish_of(after.state, at.seat, after.asked, rest)
        if isinstance(order, orders.Recruit) and not then.places:
            then.places.append(SUPPLY)
        found = [f"{at.write(order)}\n{after.write(one)}" for one in islice(_likest(after, then), MOST - 1)]
        if then.aims >= _FEWER and found:
            yield from found
            return


def _cut(at: _At, line: str) -> list[tuple[Bag, str]]:
    """The ways to cut a line in what comes first and the rest, the cleanest and longest first."""
    rows: list[tuple[int, int, Bag, str]] = []
    for nth, cut in enumerate(islice(_CUT.finditer(line), _CUTS)):
        parts = line[: cut.start()], line[cut.end() :]
        first, second = (wish_of(at.state, at.seat, at.asked, part) for part in parts)
        for head, rest, text in ((first, second, parts[1]), (second, first, parts[0])):
            if _begins(head) or (at.asked == "counter" and head.dice):
                unclean = _goes_on(head) + _begins(rest) + (not _goes_on(rest))
                rows.append((unclean, -nth if text is parts[1] else 1, head, text))
    return [(head, text) for _, _, head, text in sorted(rows, key=itemgetter(0, 1))]


def _read(at: _At, line: str) -> Iterator[str]:
    """The orders that a line is once its unknown words are put right, the likest first; «or» is no slip."""
    if _OR.search(line):
        return
    here = vocabulary.words_here(at.state)
    districts = {*at.state.names, *DISTRICTS, *KING, typed(at.state.neutral)}

    def known(word: str) -> bool:
        if short := vocabulary.SHORT.fullmatch(word):
            return not short[1] or short[1] in districts or names_cube(short[1])
        return word in here or word in vocabulary.every_word() or word[0] in "0123456789+"

    for order in readings(respelled(line, known, here), lambda text: notation.read(at.state, at.seat, text).order):
        yield from (at.write(one) for one in _hired(at, order) if at.plays(one))


def _hired(at: _At, order: Order) -> Iterator[Order]:
    """The order; where it activates a card that must be hired on first, with the hiring: from the supply first, then of
    those who were expelled."""
    card = at.state.card(order.card) if isinstance(order, Activate) else None
    if not isinstance(order, Activate) or order.hiring or card is None or card.has(at.seat):
        yield order
        return
    sources = sorted(legal.sources(at.state, at.seat), key=lambda one: (one != SUPPLY, not one.endswith(LYING)))
    for source in sources[:_HIRED]:
        yield replace(order, hiring=source, space=notation.best_space(card))
