"""Phrases that several rooms use when they speak to a person."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engine.catalog import Msg, T
from engine.troyes.card_data.item_names import item_name, typed_name
from engine.troyes.state import dice, places
from engine.troyes.state.kept_plans import StandingPlan
from engine.troyes.state.troyes_state import GRAY, LE_ROY, TroyesState


def owner_name(state: TroyesState, seat: str) -> Msg | str:
    """The name of a seat, or the neutral player's."""
    if seat == LE_ROY:
        return T("le Roy")
    return T("gray") if seat == GRAY else state.names[seat]


def typed_text(id: str) -> str:
    """An id or place as people type it."""
    return id.replace("_", "-")


def typed_place(place: str) -> Msg:
    """A card or place as people type it, in every language: `bishopric 3.1`."""
    on, _, spot = place.partition(" ")
    others = {
        language: f"{words.get(on) or typed_name(on, language)} {words.get(spot, spot)}".strip()
        for language, words in places.WRITTEN.items()
    }
    return T.each(typed_text(place), **others)


def event_word(state: TroyesState, id: str) -> str:
    """The shortest word that names this event in the queue: its own, or `event-2` where copies share one."""
    word = state.event(id).word
    same = [threat.id for threat in state.queue if state.event(threat.id).word == word]
    if same == [id] or id not in same:
        return word
    return f"event-{[threat.id for threat in state.queue].index(id) + 1}"


def event_typed(state: TroyesState, id: str) -> Msg:
    """The word that names this event in the queue, in the reader's language."""
    typed_here = event_word(state, id)
    word, _, number = typed_here.partition("-")
    if word == "event" and number.isdecimal():
        return T("event-{n}", n=int(number))
    return T.each(typed_here, **{language: typed_name(id, language) for language in places.WRITTEN})


def colour_name(colour: str) -> Msg:
    """A colour of dice in words."""
    return {"yellow": T("yellow"), "white": T("white"), "red": T("red"), "purple": T("purple")}[colour]


def reaction_text(tile: str, said: str) -> Msg:
    """What a seat's cubes on an outdoor tile do by its standing answer."""
    return {
        "always": T("{tile}: your cubes react whenever they can, and you are not asked.", tile=item_name(tile)),
        "never": T("{tile}: your cubes do not react, and you are not asked.", tile=item_name(tile)),
        "ask": T("{tile}: you are asked each time before a cube of yours reacts.", tile=item_name(tile)),
    }[said]


def plan_duration(plan: StandingPlan) -> Msg:
    """How long a standing order holds, and how it is taken back."""
    kind = {
        "pass": T.of("a standing order", "pass"),
        "counter": T.of("a standing order", "counter"),
        "later": T.of("a standing order", "later"),
    }[plan.kind]
    if plan.always:
        return T("It holds in every round, until something surprises it or you write «cancel {kind}».", kind=kind)
    return T("It holds until the end of round {n}, or you write «cancel {kind}».", n=plan.round, kind=kind)


def dice_text(words: Iterable[str]) -> Msg | str:
    """Dice side by side; empty for none."""
    return _listed(" ".join(words))


@lru_cache(4096)
def _listed(found: str) -> Msg | str:
    return (
        T.each(found, **{language: dice.dice_in_language(found, language) for language in dice.WRITTEN})
        if found
        else ""
    )


def die_text(word: str) -> Msg | str:
    """A die in the reader's language."""
    return _listed(word)
