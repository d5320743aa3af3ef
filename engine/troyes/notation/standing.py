"""Standing orders read: `auto: pass`, `auto: counter`, `auto: place`, `later: A | B | auto: pass`, `cancel`.

What reacts (`auto: react`) is an order of the same verb, and read with the others. The orders of `later` are read
against the position as if their seat were asked now.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from engine.catalog import Msg, T
from engine.errors import NotAllowed, NotUnderstood, OrderRefused, Unclear
from engine.game import Reading
from engine.kit.words import kebab
from engine.troyes.actions.standing import MOST, if_asked
from engine.troyes.notation.cursor import Wording
from engine.troyes.notation.words import SPEECH, STANDING, VERBS
from engine.troyes.notation.writing import write
from engine.troyes.state import orders
from engine.troyes.state.orders import Order
from engine.troyes.state.state import TroyesState

_BEGINS = re.compile(r"\s*(plus tard|\S+?)\s*(:\s*|\s+|$)(.*)", re.IGNORECASE | re.DOTALL)
_KEEPS = re.compile(r"(.*)-([a-z]+)-(\d{1,2})(?:-(?:points-d-)?influences?|-points-of-influence)?")
_KEEPS_ON = re.compile(r"-(?:(?:then-)?(?:keep|keep-on|go-on)-([a-z]+)ing|continue[rz]?-(?:de|a)-([a-z]+))-")
_AND = ("and", "et")
_KINDS = {"pass": "pass", "counter": "counter", "place": "place", "settle": "place", "react": "react"}
"""Verbs to the kind of standing order about them."""

_FOR_EVER = {
    said: STANDING[said]
    for said in sorted(STANDING, key=len, reverse=True)
    if STANDING[said] in ("always", "ever", "hence", "dieless", "for_me", "cheaply")
}
"""What a sentence says of a standing order beside its verb, to what that means; the longest first."""

_LASTING = frozenset(said.rpartition("-")[2] for said, means in _FOR_EVER.items() if means in ("hence", "for_me"))
"""The last words of those without which a sentence says nothing of every round."""

Reads = Callable[[TroyesState, str, str], Reading[Order]]
"""How one line is read."""


def read(state: TroyesState, seat: str, line: str, reads: Reads) -> Reading[Order] | None:
    """A standing order; None where the line is none of these. Raises NotUnderstood, Unclear or NotAllowed."""
    found = _BEGINS.fullmatch(line.strip().rstrip(".!"))
    if found is None:
        return None
    if (told := _told_for_ever(line)) is not None:
        return _reading(state, seat, told)
    word, colon, rest = kebab(found[1]), found[2].strip(), found[3].strip()
    try:
        match STANDING.get(word) or VERBS.get(word):
            case "later" if colon:  # «See you later!» is talk
                return _later(state, seat, rest, reads)
            case "cancel":
                return _reading(state, seat, _cancel(rest))
            case "auto" if (order := _auto(state, seat, rest)) is not None:
                return _reading(state, seat, order)
    except OrderRefused as refused:
        refused.anytime = True
        raise
    return None


@lru_cache(maxsize=1024)
def _told_for_ever(line: str) -> Order | None:
    """What a sentence says of every round: «always counter for me», «pass for me every round when I have no dice»."""
    words, found = f"-{kebab(line.replace(',', ' ').strip().rstrip('.!'))}-", set[str]()
    if _LASTING.isdisjoint(words.split("-")):
        return None
    for said in _FOR_EVER:
        if f"-{said}-" in words:
            words = words.replace(f"-{said}-", "-")
            found.add(_FOR_EVER[said])
    if kept := _KEEPS_ON.search(words):
        words = words.replace(kept[0], f"-{kept[1] or kept[2]}-")
        found.add("ever")
    verbs = {VERBS.get(word) for word in words.strip("-").split("-") if word not in _AND}
    verb = VERBS.get(words.strip("-")) or (verbs.pop() if len(verbs) == 1 else None)
    # «I always counter» tells a habit.
    if not ("hence" in found or ("for_me" in found and found & {"always", "ever"})):
        return None
    if verb == "pass" and "dieless" in found:
        return orders.AutoPass(True, True)
    return orders.AutoCounter(0, True) if verb == "counter" and "dieless" not in found else None


def _reading(state: TroyesState, seat: str, order: Order) -> Reading[Order]:
    return Reading(order, write(state, seat, order), anytime=True)


def _auto(state: TroyesState, seat: str, text: str) -> Order | None:
    """`pass when I have no die, every round`, `counter keep 4 influence`, `place palace 6, palace 5`; None else."""
    if not text:
        raise NotUnderstood(kinds())
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
            cursor = Wording(state, seat, text, rest.split())
            spaces = [cursor.place()]
            while cursor.words:
                spaces.append(cursor.place())
            return orders.AutoPlace(tuple(spaces))
        case _:
            return None
    if words:
        raise NotUnderstood(kinds())
    return order


def kinds() -> Msg:
    """What there is to say for later."""
    return T(
        "Standing orders are «auto: pass», «auto: pass when I have no die», «auto: counter», «auto: counter keep 4 "
        "influence», the last three also with «every round»; «auto: place palace 6, palace 5», «auto: react I always», "
        "and «later: farm Y5 | build with W3»."
    )


def limit(cursor: Wording, meaning: str) -> int:
    """The number behind a word of the table of standing orders, if that is next; else 0: `until 4+`, `max 3`."""
    if len(cursor.words) < 2 or STANDING.get(cursor.folded()) != meaning:
        return 0
    _, number = cursor.words.pop(0), cursor.words.pop(0).removesuffix("+")
    if cursor.words and STANDING.get(cursor.folded()) == "influence":
        cursor.words.pop(0)
    return int(number) if number.isdecimal() else 0


def _without(words: str, meaning: str) -> tuple[str, bool]:
    """Words joined by hyphens without those at their end that mean this, and whether there were any."""
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


def _later(state: TroyesState, seat: str, text: str, reads: Reads) -> Reading[Order]:
    lines = [part.strip() for part in text.split("|")]
    if_asked(state, seat)
    if not all(lines):
        raise Unclear(T("Say what is to be played when you are asked next, such as «later: farm Y5 | build with W3»."))
    if len(lines) > MOST:
        raise NotAllowed(T("One «later» holds at most {n} orders.", n=MOST))
    passes = len(lines) > 1 and _passes(state, seat, lines[-1])
    found: list[orders.Deed] = []
    assumed: tuple[Msg, ...] = ()
    for at, line in enumerate(lines[:-1] if passes else lines):
        try:
            reading = _told(state, seat, line, reads)
        except OrderRefused as refused:
            # What could be meant is an order of now, and a part of what was said: as a choice it stands in its place.
            if isinstance(refused, Unclear):
                whole = (" | ".join((*lines[:at], order, *lines[at + 1 :])) for order in refused.orders)
                refused.orders = tuple(f"later: {said}" for said in whole)
            raise
        if not isinstance(reading.order, orders.Deed):
            says = T("«{order}» shows something first, or is no action: it cannot be said for later.", order=line)
            raise NotAllowed(says)
        found.append(reading.order)
        assumed += reading.assumed
    order = orders.Later(tuple(found), passes)
    if len(found) > 1 and orders.Pass() in found:
        before = order.orders[: found.index(orders.Pass())]
        ways = (orders.Later(before), orders.Later(before, True)) if before else (orders.Later((orders.Pass(),)),)
        if all(asked["seat"] != seat for asked in state.asked):
            raise _asked_of_passing(state, seat, ways)
        order = ways[-1]  # whoever is asked now keeps nothing for later
    return Reading(order, write(state, seat, order), assumed, anytime=True)


def _passes(state: TroyesState, seat: str, line: str) -> bool:
    """Whether a line says `auto: pass`, for when nothing else can be played."""
    found = _BEGINS.fullmatch(line)
    if found is None or not found[2].strip() or VERBS.get(kebab(found[1])) != "auto":
        return False
    if _auto(state, seat, found[3].strip()) != orders.AutoPass():
        raise NotAllowed(T("Behind «|» only «auto: pass» may stand, without more words."))
    return True


def _asked_of_passing(state: TroyesState, seat: str, ways: tuple[orders.Later, ...]) -> Unclear:
    """What asks back whoever wrote `A | pass`: to be asked where A is gone, or to be out of the round."""
    return Unclear(
        T(
            "Passing ends your round, whatever dice you have left. When what stands before it is gone, are you to be "
            "asked, or to pass?"
        ),
        orders=tuple(write(state, seat, way) for way in ways),
    )


def _told(state: TroyesState, seat: str, line: str, reads: Reads) -> Reading[Order]:
    """An order of `later`, read where its seat would be asked for one of its kind: black dice are countered before the
    turns, in which «counter» fights events. Raises OrderRefused."""
    first = kebab(line.partition(" ")[0])
    if "counter" not in (VERBS.get(first), SPEECH.get(first)):
        return reads(if_asked(state, seat, "turn"), seat, line)
    try:
        return reads(if_asked(state, seat, "counter"), seat, line)
    except OrderRefused as refused:
        try:
            reading = reads(if_asked(state, seat, "turn"), seat, line)
        except OrderRefused:
            raise refused from None
        if isinstance(reading.order, orders.Counter):
            raise refused from None
        return reading
