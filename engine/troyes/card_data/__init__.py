"""The card box of Troyes: cards, events, characters and board as facts, their words, texts and house rules.

The tables beside this module hold the numbers with how sure each is; nothing here knows how a game is played.
"""

from __future__ import annotations

from engine.troyes.card_data.card_types import Activity, EventCard
from engine.troyes.card_data.corrections import check_corrections
from engine.troyes.card_data.explain import LEVELS, amount_text, card_text, explain
from engine.troyes.card_data.house_rules import Rules, read_rules, rule_options
from engine.troyes.card_data.item_names import (
    activity_of,
    events_of,
    ids_by_word,
    item_name,
    known_names,
    longest_name,
    outdoor_of,
    place_of,
    printed_name,
    typed_name,
)
from engine.troyes.card_data.proof import proof_rows
from engine.troyes.card_data.troyes_box import TroyesBox, load_box

__all__ = [
    "LEVELS",
    "Activity",
    "EventCard",
    "Rules",
    "TroyesBox",
    "activity_of",
    "amount_text",
    "card_text",
    "check_corrections",
    "events_of",
    "explain",
    "ids_by_word",
    "item_name",
    "known_names",
    "load_box",
    "longest_name",
    "outdoor_of",
    "place_of",
    "printed_name",
    "proof_rows",
    "read_rules",
    "rule_options",
    "typed_name",
]
