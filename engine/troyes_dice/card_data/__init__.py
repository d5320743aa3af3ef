"""The card data of Troyes Dice: facts as tables with how sure we are of each, corrections, and words explained."""

from __future__ import annotations

from engine.troyes_dice.card_data.dice_box import DiceBox, Link, load_box
from engine.troyes_dice.card_data.explain import achievement_text, explain
from engine.troyes_dice.card_data.item_names import find_meaning, item_name, known_names
from engine.troyes_dice.card_data.proof import proof_rows

__all__ = [
    "DiceBox",
    "Link",
    "achievement_text",
    "explain",
    "find_meaning",
    "item_name",
    "known_names",
    "load_box",
    "proof_rows",
]
