"""The card box of Troyes: cards, events, characters and board as facts, their words, texts and house rules.

The tables beside this module hold the numbers with how sure each is; nothing here knows how a game is played.
"""

from __future__ import annotations

from engine.troyes.box.box import TroyesBox, load_box
from engine.troyes.box.corrections import check_corrections
from engine.troyes.box.explain import LEVELS, card_text, counted, explain
from engine.troyes.box.faces import Activity, Event
from engine.troyes.box.proof import facts
from engine.troyes.box.rules import Rules, read_rules, rule_options
from engine.troyes.box.words import (
    activity_of,
    called,
    events_of,
    meanings,
    name,
    outdoor_of,
    place_of,
    spelled,
    widest,
    words,
)

__all__ = [
    "LEVELS",
    "Activity",
    "Event",
    "Rules",
    "TroyesBox",
    "activity_of",
    "called",
    "card_text",
    "check_corrections",
    "counted",
    "events_of",
    "explain",
    "facts",
    "load_box",
    "meanings",
    "name",
    "outdoor_of",
    "place_of",
    "read_rules",
    "rule_options",
    "spelled",
    "widest",
    "words",
]
