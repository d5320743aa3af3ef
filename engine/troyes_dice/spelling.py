"""How each order is written: an order of this position where it could be given, else one to imitate."""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.reference import Spelling
from engine.troyes_dice import notation
from engine.troyes_dice.actions import sealed_answers
from engine.troyes_dice.actions.half_day import die_orders
from engine.troyes_dice.card_data.phrases import choice_word
from engine.troyes_dice.card_data.sheet import RESOURCE
from engine.troyes_dice.notation.order_words import WRITTEN
from engine.troyes_dice.options import legal_orders
from engine.troyes_dice.state.dice_state import DiceState
from engine.troyes_dice.state.orders import RESOURCES_USE, Order

USUAL: dict[str, Msg] = {
    "influence": T.each("red 4: influence", fr="rouge 4: influence"),
    "deniers": T.each("yellow 4: deniers", fr="jaune 4: deniers"),
    "knowledge": T.each("white 4: knowledge", fr="blanc 4: savoir"),
    "fortress": T.each("red 4: fortress", fr="rouge 4: forteresse"),
    "great-hall": T.each("yellow 4: great-hall", fr="jaune 4: grande-halle"),
    "cathedral": T.each("white 4: cathedral", fr="blanc 4: cathédrale"),
    "counts-palace": T.each("red 4: counts-palace", fr="rouge 4: palais-des-comtes"),
    "city-hall": T.each("yellow 4: city-hall", fr="jaune 4: hôtel-de-ville"),
    "bishopric": T.each("white 4: bishopric", fr="blanc 4: évêché"),
    "as": T.each("red 6 as white 5: cathedral", fr="rouge 6 comme blanc 5: cathédrale"),
    "pay": T.each("white 2 plaza 1: knowledge; pay influence", fr="blanc 2 place 1: savoir; payer influence"),
    "bonus": T.each("bonus yellow, counts-palace 3", fr="bonus jaune, palais-des-comtes 3"),
    "numbering": T.each("numbering 4 up", fr="numérotation 4 croissant"),
    "later": T.each("later: white 5+: cathedral | knowledge max 2", fr="ensuite: blanc 5+: cathédrale | savoir max 2"),
    "auto": T.each("auto: deniers, every day", fr="auto: deniers, chaque jour"),
    "cancel": T.each("cancel", fr="révoquer"),
}
"""An order to imitate for each use of a die and each other kind, by language."""


def spellings(state: DiceState, seat: str) -> tuple[Spelling, ...]:
    """Return the uses of a die, and the other kinds of orders."""
    now: dict[str, Order] = {}
    if sealed_answers.asked_kind(state, seat) == sealed_answers.HALF_DAY:
        for act in die_orders(state, seat):
            about = choice_word(RESOURCE[act.colour] if act.use == RESOURCES_USE else act.use)
            for word in {about, "pay"} if act.pay else {about}:
                if word not in now:
                    now[word] = next(legal_orders.completions(state, seat, act))
    elif order := next(legal_orders.every_order(state, seat), None):
        now[notation.write_order(state, seat, order).split()[0]] = order
    if changed := next((one for one in now.values() if " as " in notation.write_order(state, seat, one)), None):
        now["as"] = changed
    return tuple(
        Spelling.of(
            verb, notation.order_message(state, seat, now[verb]) if verb in now else usual, verb in now, WRITTEN
        )
        for verb, usual in USUAL.items()
    )
