"""The parser of standing orders: `auto: pass`, `auto: counter`, `auto: place`, `auto: react`, `later: A | B | auto:
pass`, `cancel`, and their titles («Always counter for me», «Plan: farm with Y5, otherwise ask me»).

The orders of `later` are read in the position as if their seat were asked now.
"""

from __future__ import annotations

import re

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, TooLate, Unclear
from engine.game import Reading
from engine.kit.words import kebab
from engine.troyes.actions import reactions
from engine.troyes.actions.standing_orders import MAX_LATER_ORDERS, position_if_asked
from engine.troyes.notation.grammar import Grammar
from engine.troyes.notation.order_words import CLAUSES, STANDING, TABLES, VERBS
from engine.troyes.notation.writing import write_order
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState

_BEGINS = re.compile(r"\s*(plus tard|\S+?)\s*(:\s*|\s+|$)(.*)", re.IGNORECASE | re.DOTALL)
_KEEPS = re.compile(r"(.*)-([a-z]+)-(\d{1,2})(?:-(?:points-d-)?influences?|-points-of-influence)?")
_KINDS = {"pass": "pass", "counter": "counter", "place": "place", "settle": "place", "react": "react"}
"""Verbs to the kind of standing order."""


def _phrase(meaning: str) -> str:
    """The words of a table's row, as a pattern."""
    said = " ".join(TABLES["standing"][meaning].values()).split()
    return "|".join(word.replace("-", "[ ']") for word in said)


_ASKS = re.compile(rf"\s*,?\s*(?:{_phrase('ask_me')})\s*$", re.IGNORECASE)
_OR = re.compile(rf"\s*,?\s*(?:{_phrase('or_else')})\s+", re.IGNORECASE)
"""Patterns between the orders of a plan in its title, and behind them."""


def parse_order(state: TroyesState, seat: str, line: str) -> Reading[Order]:
    """Parse one line. Raises NotUnderstood, Unclear, NotAllowed, or TooLate where nobody is asked."""
    if not state.asked:
        raise TooLate(T("The game is over."))
    return _standing(state, seat, line) or Grammar(state, seat, line).read()


def _standing(state: TroyesState, seat: str, line: str) -> Reading[Order] | None:
    """Parse a standing order; None where the line is not one. Raises NotUnderstood, Unclear or NotAllowed."""
    first = line.lstrip().partition(" ")[0]
    if (first in VERBS and first != "auto") or (found := _BEGINS.fullmatch(line.strip().rstrip(".!"))) is None:
        return None
    word, colon, rest = kebab(found[1]), found[2].strip(), found[3].strip()
    try:
        match STANDING.get(word) or VERBS.get(word):
            case "later" if colon:  # «See you later!» is talk
                return _later(state, seat, " | ".join(_OR.split(_ASKS.sub("", rest))))
            case "cancel":
                return _reading(state, seat, _cancel(rest))
            case "auto":
                return _reading(state, seat, _auto(state, seat, rest))
            case "ever":
                return _for_ever(state, seat, rest)
    except OrderRefused as refused:
        refused.anytime = True
        raise
    return None


def _for_ever(state: TroyesState, seat: str, rest: str) -> Reading[Order] | None:
    """Parse the titles of standing orders that hold for ever, such as «Always counter for me»; else None."""
    words = kebab(rest.replace(",", " "))
    words, dieless = _without(words, "dieless")
    words, for_me = _without(words, "for_me")
    verb = VERBS.get(words)
    if for_me and verb == "counter" and not dieless:
        return _reading(state, seat, orders.AutoCounter(0, True))
    if for_me and verb == "pass" and dieless:
        return _reading(state, seat, orders.AutoPass(True, True))
    cursor = Grammar(state, seat, rest).cut()
    tile = cursor.my_cubes() if not (for_me or dieless) else ""
    return _reading(state, seat, orders.Auto("always", tile)) if tile else None


def _reading(state: TroyesState, seat: str, order: Order, assumed: tuple[Msg, ...] = ()) -> Reading[Order]:
    return Reading(order, write_order(state, seat, order), assumed, anytime=True)


def _auto(state: TroyesState, seat: str, text: str) -> Order:
    """Parse `pass when I have no die, every round`, `counter keep 4 influence`, `place palace 6`, `react I always`."""
    verb, _, rest = text.replace(",", " ").strip().partition(" ")
    words, always = _without(kebab(rest), "always")
    match _KINDS.get(VERBS.get(kebab(verb), "")):
        case "pass":
            words, dieless = _without(words, "dieless")
            if always and not dieless and not words:
                raise NotUnderstood(T("Every round only «auto: pass when I have no die, every round» may pass."))
            order: Order = orders.AutoPass(dieless, always)
        case "counter":
            keeps = _KEEPS.fullmatch(f"-{words}")
            keep = int(keeps[3]) if keeps and STANDING.get(keeps[2]) == "keep" else 0
            order, words = orders.AutoCounter(keep, always), keeps[1].strip("-") if keeps and keep else words
        case "place":
            return orders.AutoPlace(Grammar(state, seat, rest).cut().places())
        case "react":
            return _react(state, seat, rest)
        case _:
            raise NotUnderstood(standing_kinds())
    if words:
        raise NotUnderstood(standing_kinds())
    return order


def _react(state: TroyesState, seat: str, text: str) -> Order:
    """Parse `I always` or `never`."""
    *tile, last = text.split() or [""]
    said = CLAUSES.get(kebab(last), "")
    if said not in reactions.REACTION_RULES:
        raise NotUnderstood(
            T("A standing order about reactions is «auto: react I always», «never» or «ask»; without a tile for all.")
        )
    return orders.Auto(said, Grammar(state, seat, " ".join(tile)).cut().one_tile() if tile else "")


def standing_kinds() -> Msg:
    """The standing orders there are."""
    return T(
        "Standing orders are «auto: pass», «auto: pass when I have no die», «auto: counter», «auto: counter keep 4 "
        "influence», the last three also with «every round»; «auto: place palace 6, palace 5», «auto: react I always», "
        "and «later: farm Y5 | build with W3»."
    )


def _without(words: str, meaning: str) -> tuple[str, bool]:
    """Hyphenated words without those at their end that have this meaning, and whether there were any."""
    for said in sorted((said for said, means in STANDING.items() if means == meaning), key=len, reverse=True):
        if words == said or words.endswith(f"-{said}"):
            return words.removesuffix(said).strip("-"), True
    return words, False


def _cancel(text: str) -> orders.Cancel:
    word = kebab(text.replace(":", " "))
    word = word.removeprefix("auto-")
    what = "" if STANDING.get(word) == "all" else _KINDS.get(VERBS.get(word, "")) or STANDING.get(word, word)
    if what not in ("", "later", *_KINDS.values()):
        raise NotUnderstood(
            T("«cancel» takes back all your standing orders; «cancel pass», counter, place, react or later one kind.")
        )
    return orders.Cancel(what)


def _later(state: TroyesState, seat: str, text: str) -> Reading[Order]:
    lines = [part.strip() for part in text.split("|")]
    position_if_asked(state, seat)
    if not all(lines):
        raise Unclear(T("Say what is to be played when you are asked next, such as «later: farm Y5 | build with W3»."))
    if len(lines) > MAX_LATER_ORDERS:
        raise NotAllowed(T("One «later» holds at most {n} orders.", n=MAX_LATER_ORDERS))
    passes = len(lines) > 1 and _passes(state, seat, lines[-1])
    found: list[orders.PlannableOrder] = []
    assumed: tuple[Msg, ...] = ()
    for at, line in enumerate(lines[:-1] if passes else lines):
        try:
            kind = "counter" if VERBS.get(kebab(line.partition(" ")[0])) == "counter" else "turn"
            reading = parse_order(position_if_asked(state, seat, kind), seat, line)
        except OrderRefused as refused:
            # The possible meanings are orders for now; as choices they become part of the whole line.
            if isinstance(refused, Unclear):
                whole = (" | ".join((*lines[:at], order, *lines[at + 1 :])) for order in refused.orders)
                refused.orders = tuple(f"later: {said}" for said in whole)
            raise
        if not isinstance(reading.order, orders.PlannableOrder):
            says = T("«{order}» shows something first, or is no action: it cannot be said for later.", order=line)
            raise NotAllowed(says)
        found.append(reading.order)
        assumed += reading.assumed
    order = orders.Later(tuple(found), passes)
    if len(found) > 1 and orders.Pass() in found:
        before = order.orders[: found.index(orders.Pass())]
        ways = (orders.Later(before), orders.Later(before, True)) if before else (orders.Later((orders.Pass(),)),)
        if all(asked.seat != seat for asked in state.asked):
            says = T(
                "Passing ends your round, whatever dice you have left. When what stands before it is gone, are you to "
                "be asked, or to pass?"
            )
            raise Unclear(says, orders=tuple(write_order(state, seat, way) for way in ways))
        order = ways[-1]  # a seat that is asked now keeps nothing for later
    return _reading(state, seat, order, assumed)


def _passes(state: TroyesState, seat: str, line: str) -> bool:
    """Whether a line is `auto: pass`, for when nothing else can be played."""
    found = _BEGINS.fullmatch(line)
    if found is None or not found[2].strip() or VERBS.get(kebab(found[1])) != "auto":
        return False
    if _auto(state, seat, found[3].strip()) != orders.AutoPass():
        raise NotAllowed(T("Behind «|» only «auto: pass» may stand, without more words."))
    return True
