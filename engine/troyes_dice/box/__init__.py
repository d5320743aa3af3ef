"""The card data of Troyes Dice: facts as tables with how sure we are of each, corrections, and words explained."""

from __future__ import annotations

from engine.troyes_dice.box.box import DiceBox, Link, load_box
from engine.troyes_dice.box.explain import achievement, explain
from engine.troyes_dice.box.proof import facts
from engine.troyes_dice.box.words import meaning, name, words

__all__ = ["DiceBox", "Link", "achievement", "explain", "facts", "load_box", "meaning", "name", "words"]
