"""The card box of Troyes: cards, events, characters and board as facts, their words, texts and house rules.

The tables beside this module hold the numbers with how sure each is; nothing here knows how a game is played.
"""

from __future__ import annotations

from engine.troyes.cards.box import VERSION
from engine.troyes.cards.box import Box
from engine.troyes.cards.box import load_box
from engine.troyes.cards.corrections import check_corrections
from engine.troyes.cards.explain import LEVELS
from engine.troyes.cards.explain import card_text
from engine.troyes.cards.explain import counted
from engine.troyes.cards.explain import explain
from engine.troyes.cards.faces import Activity
from engine.troyes.cards.faces import Board
from engine.troyes.cards.faces import Character
from engine.troyes.cards.faces import Event
from engine.troyes.cards.faces import Outdoor
from engine.troyes.cards.proof import facts
from engine.troyes.cards.proof import french
from engine.troyes.cards.rules import Rules
from engine.troyes.cards.rules import read_rules
from engine.troyes.cards.rules import rule_options
from engine.troyes.cards.words import activity_of
from engine.troyes.cards.words import events_of
from engine.troyes.cards.words import name
from engine.troyes.cards.words import outdoor_of
from engine.troyes.cards.words import place_of
from engine.troyes.cards.words import words

__all__ = [
    "LEVELS",
    "VERSION",
    "Activity",
    "Board",
    "Box",
    "Character",
    "Event",
    "Outdoor",
    "Rules",
    "activity_of",
    "card_text",
    "check_corrections",
    "counted",
    "events_of",
    "explain",
    "facts",
    "french",
    "load_box",
    "name",
    "outdoor_of",
    "place_of",
    "read_rules",
    "rule_options",
    "words",
]
