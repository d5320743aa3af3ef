"""Suggestions for a refused line: the legal orders most like it, with its typos corrected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TypeAlias

from engine.chance import BlindChance, Chance, UnknownDraw
from engine.errors import OrderRefused
from engine.game import Step
from engine.kit.suggest import MAX_SUGGESTED, correct_spelling, is_playable, rank_legal
from engine.kit.words import kebab
from engine.troyes.card_data.item_names import ids_by_word
from engine.troyes.notation import lexicon
from engine.troyes.notation.order_words import CLAUSES, DISTRICTS, LINKS, ROLES, VERBS
from engine.troyes.notation.writing import write_order
from engine.troyes.options.legal_orders import asked_kind
from engine.troyes.options.offers import offered_orders
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.places import SUPPLY
from engine.troyes.state.troyes_state import TroyesState
from engine.troyes.suggest import candidate_orders
from engine.troyes.suggest.line_parts import LineParts, read_line_parts
from engine.troyes.suggest.similarity import Similarity

Apply: TypeAlias = Callable[[TroyesState, str, Order, Chance], Step[TroyesState]]

_LEAST, _FEWER = 0.9, 0.5
"""How much a line must name for suggestions, in a turn and for a smaller question."""
_CUTS = 3  # places at which a line may be cut in two
_BEFORE = {"flip": orders.Flip, "recruit": orders.Recruit, "use": orders.Use, "counter": orders.Counter}
"""Orders that may stand before another one in a letter, and show nothing."""
_THEN = "|".join(word.replace("-", " ") for word, role in ROLES.items() if role == "then")
_AND = "|".join(word for word in LINKS if word.isalpha())
_CUT = re.compile(rf"\s*[,;.:!]\s+|\s+(?:{_THEN}|{_AND})\s+", re.IGNORECASE)
"""Where a second order may begin in a line."""


@dataclass(frozen=True)
class _At:
    """A position as the seat sees it, and how orders are tried there."""

    state: TroyesState
    seat: str
    apply: Apply
    language: str

    @property
    def asked(self) -> str:
        """What the seat is asked."""
        return asked_kind(self.state, self.seat)

    def said(self, line: str) -> LineParts:
        """What a line says here."""
        return read_line_parts(self.state, self.seat, self.asked, line)

    def likest(self, wish: LineParts) -> Iterator[Order]:
        """Legal orders, the most similar first; of equal ones the better option."""
        likeness = Similarity(self.state, self.seat, wish)
        some = candidate_orders.candidates_like(likeness)
        if not wish.dice:
            some = chain((order for order, _ in offered_orders(self.state, self.seat)), some)
        plays = lambda order: is_playable(self.apply, self.state, self.seat, order)  # noqa: E731
        return rank_legal(dict.fromkeys(some), likeness.of, plays)

    def write(self, order: Order) -> str:
        return write_order(self.state, self.seat, order, self.language)

    def after(self, order: Order) -> _At | None:
        """The position after an order, where the seat is still asked and nothing was rolled; else None."""
        try:
            state = self.apply(self.state, self.seat, order, BlindChance()).state
        except (OrderRefused, UnknownDraw):
            return None
        return replace(self, state=state) if asked_kind(state, self.seat) else None


def suggested_orders(state: TroyesState, seat: str, line: str, apply: Apply, language: str) -> tuple[str, ...]:
    """Up to three legal orders, or two in a row, the nearest to a line first. `apply` plays an order."""
    at, written, line = _At(state, seat, apply, language), kebab(line), _put_right(state, line)
    wish = at.said(line)
    if wish.weight < (_LEAST if at.asked == "turn" else _FEWER):
        return ()
    begins = any(wish.verbs.get(verb, 0.0) > 0.5 for verb in _BEFORE)
    rows = _in_a_row(at, line) if begins and at.asked in ("turn", "counter") else ()
    found = chain(rows, map(at.write, islice(at.likest(wish), MAX_SUGGESTED + 1)))
    return tuple(text for text in dict.fromkeys(found) if kebab(text) != written)[:MAX_SUGGESTED]


def _in_a_row(at: _At, line: str) -> Iterator[str]:
    """Two orders in two lines, where the line can be cut between them."""
    for cut in islice(_CUT.finditer(line), _CUTS):
        parts = line[: cut.start()], line[cut.end() :]
        for first, rest in (parts, parts[::-1]):
            head = at.said(first)
            verb = max(head.verbs, key=head.verbs.__getitem__, default="counter" if head.dice else "")
            order = next(at.likest(head), None) if verb in _BEFORE else None
            after = at.after(order) if order is not None and isinstance(order, _BEFORE[verb]) else None
            if order is None or after is None:
                continue
            then = after.said(rest)
            if verb == "recruit" and not then.places:
                then.places.append(SUPPLY)
            found = [f"{at.write(order)}\n{after.write(one)}" for one in islice(after.likest(then), MAX_SUGGESTED - 1)]
            if then.aims >= _FEWER and found:
                yield from found
                return


def _put_right(state: TroyesState, line: str) -> str:
    """The line with each unknown word replaced by the word in play that it is probably a typo of."""
    ids = {one.id for rows in (state.cards, state.queue, state.tiles) for one in rows}

    def known(word: str) -> bool:
        return bool(lexicon.tokenize(state, word, loose=True))

    def here() -> list[str]:
        kinds = ("activity", "event", "outdoor", "place")
        rows = ((kind, word, among) for kind in kinds for word, among in ids_by_word(kind).items())
        named = (word for kind, word, among in rows if kind == "place" or not ids.isdisjoint(among))
        parts = {part for word in named for part in (word, *word.split("-"))}
        return [one for one in {*VERBS, *CLAUSES, *DISTRICTS, *state.names, *parts} if len(one) > 3]

    return correct_spelling(line, known, here)
