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
    "en": {
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
    },
    "fr": {
        "settle": "installer palais 6",
        "activate": "activer marchand engageant de réserve avec J5 J4",
        "build": "construire avec B5 gris:B4",
        "fight": "combattre brigands avec R4 R2",
        "place": "placer R3 de palais 4",
        "farm": "cultiver J4 J2",
        "pass": "passer",
        "reroll": "relancer J2",
        "flip": "retourner J2 B1",
        "recruit": "recruter 1",
        "counter": "contrer 6 avec R4",
        "support": "soutenir brigands, guerre",
        "target": "cible guerre",
        "give": "donner réserve",
        "discard": "défausser herboriste",
        "release": "libérer anna",
        "guard": "garde J4 +2: avancer 3, cube I, cube II",
        "use": "utiliser III",
        "react": "réagir I",
        "auto": "auto: passer quand je n'ai plus de dé, à chaque manche",
        "later": "ensuite: cultiver J4 J2 | passer",
        "cancel": "révoquer",
    },
}
"""By language an order of each verb, in the words of the rules."""

_OUTDOOR = ("guard", "use", "react", "discard")
"""Verbs of the Ladies' ramparts, which other games do not have."""


def spellings(state: TroyesState, seat: str, language: str = "en") -> tuple[Spelling, ...]:
    """Every verb that this game has."""
    usual, now = USUAL.get(language, USUAL["en"]), dict[str, Order]()
    for order in _open(state, seat):
        now.setdefault(notation.write(state, seat, order).split()[0].rstrip(":"), order)

    def spelled(verb: str) -> Spelling:
        order = now.get(verb)
        text = usual[verb] if order is None else notation.write(state, seat, order, language)
        return Spelling(verb, text.split()[0].rstrip(":"), text, order is not None)

    return tuple(spelled(verb) for verb in usual if state.tiles or verb not in _OUTDOOR)


def _open(state: TroyesState, seat: str) -> Iterator[Order]:
    """A legal order of each kind, if there is one."""
    if legal.asked_kind(state, seat) != "turn":
        yield from islice(legal.every(state, seat), LOOKED)
        return
    for verb in legal.ACTIONS:
        found = islice(legal.candidates(state, seat, (verb,)), LOOKED)
        yield from islice((order for order in found if legal.legal(state, seat, order)), 1)
    yield from legal.plain(state, seat)
