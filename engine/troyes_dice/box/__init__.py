"""The box of Troyes Dice: facts as tables with how sure we are of each, a host's corrections, and words explained."""

from __future__ import annotations

from engine.troyes_dice.box.box import Box
from engine.troyes_dice.box.box import Link
from engine.troyes_dice.box.box import load_box
from engine.troyes_dice.box.explain import achievement
from engine.troyes_dice.box.explain import explain
from engine.troyes_dice.box.proof import facts
from engine.troyes_dice.box.proof import french
from engine.troyes_dice.box.words import meaning
from engine.troyes_dice.box.words import name
from engine.troyes_dice.box.words import words

__all__ = [
    "Box",
    "Link",
    "achievement",
    "explain",
    "facts",
    "french",
    "load_box",
    "meaning",
    "name",
    "words",
]
