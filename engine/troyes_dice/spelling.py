"""How each order is written: from this position where the order could be given in it, else by an order to imitate."""

from __future__ import annotations

from engine.reference import Spelling
from engine.troyes_dice import notation
from engine.troyes_dice.actions import answers
from engine.troyes_dice.actions.acts import acts
from engine.troyes_dice.box.phrases import chosen
from engine.troyes_dice.box.sheet import RESOURCE
from engine.troyes_dice.moves import legal
from engine.troyes_dice.state.orders import RESOURCES_USE
from engine.troyes_dice.state.state import DiceState

USUAL = {
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
}
"""An order for each use of a die, and of each other kind."""


def spellings(state: DiceState, seat: str) -> tuple[Spelling, ...]:
    """What a die can be used for, and what else is ordered."""
    now: dict[str, str] = {}
    if answers.asked_kind(state, seat) == answers.HALF_DAY:
        for act in acts(state, seat):
            about = chosen(RESOURCE[act.colour] if act.use == RESOURCES_USE else act.use)
            for word in {about, "pay"} if act.pay else {about}:
                if word not in now:
                    now[word] = notation.write(state, seat, next(legal.complete(state, seat, act)))
    elif order := next(legal.every(state, seat), None):
        text = notation.write(state, seat, order)
        now[text.split()[0]] = text
    if changed := next((text for text in now.values() if " as " in text), ""):
        now["as"] = changed
    return tuple(Spelling(verb, now.get(verb, order), verb in now) for verb, order in USUAL.items())
