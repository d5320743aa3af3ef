"""The words orders are made of, English and French together; a test proves that no word means two things.

Words are compared folded: lower case, without accents, in kebab-case.
"""

from __future__ import annotations


def _by_word(names: dict[str, str]) -> dict[str, str]:
    return {word: meant for meant, words in names.items() for word in words.split()}


COLOURS = _by_word({"red": "red rouge", "yellow": "yellow jaune", "white": "white blanc"})
"""Colours of dice and citizens."""

LETTERS = {"r": "red", "y": "yellow", "j": "yellow", "w": "white", "b": "white"}
"""Colour letters of a short die such as `R6`, English and French."""

VERBS = _by_word({"numbering": "numbering numerotation", "bonus": "bonus bonuses"})
"""First words of an order that does not begin with a die."""

USES = _by_word(
    {
        "influence": "influence",
        "denier": "denier deniers",
        "knowledge": "knowledge savoir savoirs connaissance connaissances",
        "resources": "resources resource ressources ressource",
        "fortress": "fortress forteresse",
        "great_hall": "great-hall grande-halle halle",
        "cathedral": "cathedral cathedrale",
        "counts_palace": "counts-palace count-s-palace palace palais palais-des-comtes",
        "city_hall": "city-hall town-hall hotel-de-ville mairie",
        "bishopric": "bishopric eveche",
    }
)
"""What a die can be used for, and what a bonus can build."""

CLAUSES = _by_word(
    {
        "as": "as comme en",
        "plaza": "plaza place",
        "pay": "pay paying payer paye payez",
        "up": "up croissant",
        "down": "down decroissant",
    }
)
"""Words that open a part of an order, and the ways of numbering."""

NOISE = frozenset(
    ("the", "a", "at", "on", "to", "for", "in", "le", "la", "les", "un", "une", "sur", "pour", "column", "colonne")
)
"""Words that may stand between the parts and say nothing."""

WIDEST = 3
"""No name of a building has more words."""

DICE = frozenset(f"{letter}{value}" for letter in LETTERS for value in range(7))
