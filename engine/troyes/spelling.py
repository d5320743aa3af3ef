"""How each order is written: from this position where the order could be given in it, else by an order to imitate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.reference import Spelling
from engine.troyes import notation
from engine.troyes.moves import legal
from engine.troyes.state.orders import Order
from engine.troyes.state.state import TroyesState

LOOKED = 60
"""Candidates of a verb that are looked at for one that is legal."""

USUAL = {
    "settle": "settle palace 6",
    "activate": "activate merchant hiring from supply with Y5 Y4",
    "build": "build with W5 gray:W4",
    "fight": "fight brigands with R4 R2",
    "place": "place R3 from palace 4",
    "farm": "farm Y4 Y2",
    "pass": "pass",
    "reroll": "reroll Y2",
    "flip": "flip Y2 W1",
    "recruit": "recruit 1",
    "counter": "counter 6 with R4",
    "support": "support brigands, war",
    "target": "target war",
    "give": "give supply",
    "discard": "discard herbalist",
    "release": "release anna",
    "guard": "guard Y4 +2: advance 3, cube I, cube II",
    "use": "use III",
    "react": "react I",
    "auto": "auto: pass when I have no die, every round",
    "later": "later: farm Y4 Y2 | pass",
    "cancel": "cancel",
}
"""An order of each verb, in the words of the rules."""

_OUTDOOR = ("guard", "use", "react", "discard")
"""Verbs of the Ladies' ramparts, which other games do not have."""


def spellings(state: TroyesState, seat: str) -> tuple[Spelling, ...]:
    """Every verb that this game has."""
    now: dict[str, str] = {}
    for order in _open(state, seat):
        text = notation.write(state, seat, order)
        now.setdefault(text.split()[0].rstrip(":"), text)
    verbs = [verb for verb in USUAL if state.tiles or verb not in _OUTDOOR]
    return tuple(Spelling(verb, now.get(verb, USUAL[verb]), verb in now) for verb in verbs)


def _open(state: TroyesState, seat: str) -> Iterator[Order]:
    """A legal order of each kind, if there is one."""
    if legal.asked_kind(state, seat) != "turn":
        yield from islice(legal.every(state, seat), LOOKED)
        return
    for verb in legal.ACTIONS:
        found = islice(legal.candidates(state, seat, (verb,)), LOOKED)
        yield from islice((order for order in found if legal.legal(state, seat, order)), 1)
    yield from legal.plain(state, seat)
