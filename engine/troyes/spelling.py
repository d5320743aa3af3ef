"""How each order is written: a legal order of this position where there is one, else an example."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.catalog import Msg, T
from engine.reference import Spelling
from engine.troyes.actions.carry_out_order import is_legal
from engine.troyes.notation.order_words import WRITTEN
from engine.troyes.notation.writing import order_message, write_order
from engine.troyes.options.action_orders import ACTIONS, action_candidates
from engine.troyes.options.legal_orders import asked_kind, every_order, simple_orders
from engine.troyes.state.orders import Order
from engine.troyes.state.troyes_state import TroyesState

LOOKED = 60
"""How many candidates of a verb are tried to find a legal one."""

USUAL: dict[str, Msg] = {
    "settle": T.each("settle palace 6", fr="installer palais 6"),
    "activate": T.each(
        "activate merchant hiring from supply with Y5 Y4", fr="activer marchand engageant de réserve avec J5 J4"
    ),
    "build": T.each("build with W5 gray:W4", fr="construire avec B5 gris:B4"),
    "fight": T.each("fight brigands with R4 R2", fr="combattre brigands avec R4 R2"),
    "place": T.each("place R3 from palace 4", fr="placer R3 de palais 4"),
    "farm": T.each("farm Y4 Y2", fr="cultiver J4 J2"),
    "pass": T.each("pass", fr="passer"),
    "reroll": T.each("reroll Y2", fr="relancer J2"),
    "flip": T.each("flip Y2 W1", fr="retourner J2 B1"),
    "recruit": T.each("recruit 1", fr="recruter 1"),
    "counter": T.each("counter 6 with R4", fr="contrer 6 avec R4"),
    "support": T.each("support brigands, war", fr="soutenir brigands, guerre"),
    "target": T.each("target war", fr="cible guerre"),
    "give": T.each("give supply", fr="donner réserve"),
    "discard": T.each("discard herbalist", fr="défausser herboriste"),
    "release": T.each("release anna", fr="libérer anna"),
    "guard": T.each("guard Y4 +2: advance 3, cube I, cube II", fr="garde J4 +2: avancer 3, cube I, cube II"),
    "use": T.each("use III", fr="utiliser III"),
    "react": T.each("react I", fr="réagir I"),
    "auto": T.each(
        "auto: pass when I have no die, every round", fr="auto: passer quand je n'ai plus de dé, à chaque manche"
    ),
    "later": T.each("later: farm Y4 Y2 | build with W3", fr="ensuite: cultiver J4 J2 | construire avec B3"),
    "cancel": T.each("cancel", fr="révoquer"),
}
"""An example of each verb, in the words of orders."""

_OUTDOOR = ("guard", "use", "react", "discard")
"""Verbs of the Ladies' ramparts, which other games do not have."""


def spellings(state: TroyesState, seat: str) -> tuple[Spelling, ...]:
    """Every verb of this game."""
    now: dict[str, Order] = {}
    for order in _open(state, seat):
        now.setdefault(write_order(state, seat, order).split()[0].rstrip(":"), order)
    return tuple(
        Spelling.of(verb, order_message(state, seat, now[verb]) if verb in now else usual, verb in now, WRITTEN)
        for verb, usual in USUAL.items()
        if state.tiles or verb not in _OUTDOOR
    )


def _open(state: TroyesState, seat: str) -> Iterator[Order]:
    """A legal order of each kind, if there is one."""
    if asked_kind(state, seat) != "turn":
        yield from islice(every_order(state, seat), LOOKED)
        return
    for verb in ACTIONS:
        found = islice(action_candidates(state, seat, (verb,)), LOOKED)
        yield from islice((order for order in found if is_legal(state, seat, order)), 1)
    yield from simple_orders(state, seat)
