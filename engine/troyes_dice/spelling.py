"""How each order is written: from this position where the order could be given in it, else by an order to imitate."""

from __future__ import annotations

from engine.reference import Spelling
from engine.troyes_dice import notation
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.acts import acts
from engine.troyes_dice.box.phrases import chosen
from engine.troyes_dice.box.sheet import RESOURCE
from engine.troyes_dice.moves import legal
from engine.troyes_dice.notation.words import WRITTEN
from engine.troyes_dice.state.orders import RESOURCES_USE, Order
from engine.troyes_dice.state.state import DiceState

USUAL = {
    "en": {
        "influence": "red 4: influence",
        "deniers": "yellow 4: deniers",
        "knowledge": "white 4: knowledge",
        "fortress": "red 4: fortress",
        "great-hall": "yellow 4: great-hall",
        "cathedral": "white 4: cathedral",
        "counts-palace": "red 4: counts-palace",
        "city-hall": "yellow 4: city-hall",
        "bishopric": "white 4: bishopric",
        "as": "red 6 as white 5: cathedral",
        "pay": "white 2 plaza 1: knowledge; pay influence",
        "bonus": "bonus yellow, counts-palace 3",
        "numbering": "numbering 4 up",
        "later": "later: white 5+: cathedral | knowledge max 2",
        "auto": "auto: deniers, every day",
        "cancel": "cancel",
    },
    "fr": {
        "influence": "rouge 4: influence",
        "deniers": "jaune 4: deniers",
        "knowledge": "blanc 4: savoir",
        "fortress": "rouge 4: forteresse",
        "great-hall": "jaune 4: grande-halle",
        "cathedral": "blanc 4: cathédrale",
        "counts-palace": "rouge 4: palais-des-comtes",
        "city-hall": "jaune 4: hôtel-de-ville",
        "bishopric": "blanc 4: évêché",
        "as": "rouge 6 comme blanc 5: cathédrale",
        "pay": "blanc 2 place 1: savoir; payer influence",
        "bonus": "bonus jaune, palais-des-comtes 3",
        "numbering": "numérotation 4 croissant",
        "later": "ensuite: blanc 5+: cathédrale | savoir max 2",
        "auto": "auto: deniers, chaque jour",
        "cancel": "révoquer",
    },
}
"""By language an order for each use of a die, and of each other kind."""


def spellings(state: DiceState, seat: str, language: str = "en") -> tuple[Spelling, ...]:
    """What a die can be used for, and what else is ordered."""
    usual, words, now = USUAL.get(language, USUAL["en"]), WRITTEN.get(language, {}), dict[str, Order]()
    if answers.asked_kind(state, seat) == answers.HALF_DAY:
        for act in acts(state, seat):
            about = chosen(RESOURCE[act.colour] if act.use == RESOURCES_USE else act.use)
            for word in {about, "pay"} if act.pay else {about}:
                if word not in now:
                    now[word] = next(legal.complete(state, seat, act))
    elif order := next(legal.every(state, seat), None):
        now[notation.write(state, seat, order).split()[0]] = order
    if changed := next((one for one in now.values() if " as " in notation.write(state, seat, one)), None):
        now["as"] = changed

    def spelled(verb: str) -> Spelling:
        order = now.get(verb)
        text = usual[verb] if order is None else notation.write(state, seat, order, language)
        return Spelling(verb, words.get(verb, verb), text, order is not None)

    return tuple(map(spelled, usual))
