"""Phrases that several rooms of the game use when they speak to a person."""

from __future__ import annotations

from collections.abc import Iterable

from engine.catalog import Msg
from engine.catalog import T
from engine.troyes import cards
from engine.troyes.state import GRAY
from engine.troyes.state import LE_ROY
from engine.troyes.state import Town


def who(town: Town, seat: str) -> Msg | str:
    """The name of a seat, or the neutral player's."""
    if seat == LE_ROY:
        return T("le Roy")
    return T("gray") if seat == GRAY else town.names[seat]


def typed(id: str) -> str:
    """An id or place as people type it."""
    return id.replace("_", "-")


def event_word(town: Town, id: str) -> str:
    """The shortest word that names this event in the queue: its own, or `event-2` where copies share one."""
    word = town.event(id).word
    same = [threat.id for threat in town.queue if town.event(threat.id).word == word]
    if same == [id] or id not in same:
        return word
    return f"event-{[threat.id for threat in town.queue].index(id) + 1}"


def colour_name(colour: str) -> Msg:
    """A colour of dice in words."""
    return {"yellow": T("yellow"), "white": T("white"), "red": T("red"), "purple": T("purple")}[colour]


def named(id: str) -> Msg:
    """The name of a card, event, character or building."""
    return cards.name(id)


def listed(words: Iterable[str]) -> str:
    """Dice or other words people type, side by side."""
    return " ".join(words)


def deniers(n: int) -> Msg:
    """So many deniers."""
    return T("{n} denier", "{n} deniers", n=n)
