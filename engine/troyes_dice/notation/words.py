"""The words orders are made of: for each meaning those of English and those of French; no word means two things.

The first word of each language is the one that orders are written with. Words are compared folded (lower case, no
accents); what is typed with hyphens, apostrophes or low lines is several words, and the longest run that means
something counts: `hôtel-de-ville` is `hotel de ville`.
"""

from __future__ import annotations

import re

from engine.kit.words import folded

Row = tuple[str, str]
"""The words of one meaning, English and French; a hyphen stands between the parts of one."""

TABLE: dict[str, dict[str, Row]] = {
    "colour": {
        "red": ("red", "rouge rouges"),
        "yellow": ("yellow", "jaune jaunes"),
        "white": ("white", "blanc blanche blancs blanches"),
    },
    "letter": {"red": ("r", "r"), "yellow": ("y", "j"), "white": ("w", "b")},
    "number": {
        "0": ("zero", "zéro"),
        "1": ("one", "un une"),
        "2": ("two", "deux"),
        "3": ("three", "trois"),
        "4": ("four", "quatre"),
        "5": ("five", "cinq"),
        "6": ("six", "six"),
    },
    "ordinal": {
        "1": ("first", "premier première"),
        "2": ("second", "deuxième second seconde"),
        "3": ("third", "troisième"),
        "4": ("fourth", "quatrième"),
        "5": ("fifth", "cinquième"),
        "6": ("sixth", "sixième"),
    },
    "resource": {
        "influence": ("influence points-of-influence", "influence influences points-d-influence point-d-influence"),
        "denier": ("deniers denier coins coin money", "deniers denier pièces pièce argent"),
        "knowledge": ("knowledge", "savoir savoirs connaissance connaissances"),
        "resources": ("resources resource", "ressources ressource"),
    },
    "building": {
        "fortress": ("fortress", "forteresse"),
        "great_hall": ("great-hall", "grande-halle halle grande-salle"),
        "cathedral": ("cathedral", "cathédrale"),
        "counts_palace": (
            "counts-palace count-s-palace count-palace palace",
            "palais-des-comtes palais-du-comte palais",
        ),
        "city_hall": ("city-hall town-hall", "hôtel-de-ville mairie"),
        "bishopric": ("bishopric", "évêché"),
    },
    "face": {"as": ("as into becomes become", "comme en devient")},
    "change": {
        "change": (
            "change changed changing turn turned turning make made making convert converted shift shifted modify "
            "modified adjust adjusted switch switched recolour recoloured recolor recolored",
            "changer change changez changée changeant transformer transforme transformez transformée transformant "
            "passer passe passez rendre rends rendu décaler décale décalée modifier modifie modifiée colorer colore "
            "colorée recolorer",
        )
    },
    "to": {"to": ("to", "au aux vers"), "a": ("a", "à")},
    "way": {
        "up": (
            "up plus upward upwards go-up going-up raise raised raising increase increased rising ascending",
            "croissant plus monter monte montez montant en-montant montée augmenter augmente augmentez augmentant "
            "en-augmentant augmentée vers-le-haut ascendant",
        ),
        "down": (
            "down minus downward downwards go-down going-down lower lowered lowering decrease decreased reduce "
            "reduced falling descending",
            "décroissant moins baisser baisse baissez baissant baissée descendre descends descendez descendu "
            "descendue descendant en-descendant en-baissant diminuer diminue diminuez diminuée réduit vers-le-bas",
        ),
    },
    "plaza": {"plaza": ("plaza plazas", "place places")},
    "column": {"column": ("column columns", "colonne colonnes")},
    "die": {"die": ("die dice", "dé dés")},
    "black": {"black": ("black", "noir")},
    "price": {
        "free": ("free", "gratuit"),
        "cheap": ("cheapest cheaper", "moins-cher"),
        "dear": ("dearest dearer most-expensive more-expensive", "plus-cher"),
    },
    "pay": {
        "pay": (
            "pay paying paid spend spending spent cost",
            "payer paye payez paie payant en-payant payée dépenser dépense dépensez dépensant en-dépensant dépensée "
            "coût",
        )
    },
    "with": {"with": ("with using from", "avec depuis utilisant en-utilisant grâce-à grâce-au")},
    "for": {"for": ("for", "pour contre")},
    "bonus": {"bonus": ("bonus bonuses", "bonus")},
    "citizen": {"citizen": ("citizen citizens", "habitant habitants")},
    "numbering": {
        "numbering": (
            "numbering number numbers others from-the-left",
            "numérotation numéroter numérote numérotez numéros autres de-gauche-à-droite depuis-la-gauche",
        )
    },
    "mark": {"and": ("and then", "et puis ensuite")},
    "nothing": {
        "article": ("the an my", "le la les l du d mon ma mes"),
        "where": ("at on in of by in-the-order", "sur dans à-partir-de dans-l-ordre"),
        "building": ("building with-it value", "bâtiment valeur"),
        "do": (
            "take use build construct erect get gain collect receive earn choose pick select play draw put buy grab "
            "fill fill-in circle go-for add do",
            "prendre prends prenez utiliser utilise utilisez construire construis construisez bâtir bâtis bâtissez "
            "en-construisant ériger édifier gagner gagne gagnez obtenir obtiens recevoir reçois récupérer récupère "
            "récupérez collecter choisir choisis choisissez sélectionner jouer joue jouez dessiner dessine cocher "
            "coche entourer entoure mettre mets mettez acheter achète achetez faire fais faites",
        ),
    },
}
"""Kind of word to meaning to its words. `mark` stands for a comma; `nothing` may stand between the parts."""

SIGNS = {**dict.fromkeys(":;,.()=", "mark"), "- ": "mark", **dict.fromkeys(("->", "=>", "→"), "to")}
"""Signs between the parts; which one stands where does not matter."""

_PARTS = re.compile("[ '_-]+")


def joined(word: str) -> str:
    """A word of the tables as it is looked up: `Hôtel-de-Ville` is `hotel de ville`."""
    return " ".join(_PARTS.split(folded(word)))


WORDS: dict[str, tuple[str, str]] = {
    joined(word): (kind, meaning)
    for kind, rows in TABLE.items()
    for meaning, row in rows.items()
    for words in row
    for word in words.split()
}
"""Every word with its kind and meaning."""

WIDTHS: dict[str, tuple[int, ...]] = {
    first: tuple(sorted({len(word.split()) for word in WORDS if word.split()[0] == first}, reverse=True))
    for first in {word.split()[0] for word in WORDS}
}
"""The first part of a word to how many parts words have that begin with it, the longest first."""

TELLING = ("colour", "resource", "building", "plaza", "pay", "bonus", "numbering")
"""Kinds of words that say what an order is about."""

EVERYDAY = frozenset(
    (
        *("money", "coin", "coins", "number", "numbers", "others", "spend", "spending", "spent", "paid"),
        *("cost", "cout"),
        *("argent", "piece", "pieces", "numeros", "autres", "depense", "depensez"),
    )
)
"""Those of them that a letter about anything may hold: they do not tell that a line is about the game."""

DICE = frozenset(f"{letter}{value}" for row in TABLE["letter"].values() for letter in row for value in range(7))


def spelled(*kinds: str) -> dict[str, str]:
    """The words of these kinds in kebab-case, with what they mean."""
    return {word.replace(" ", "-"): meaning for word, (kind, meaning) in WORDS.items() if kind in kinds}


VERBS = {"numbering": "numbering", "numerotation": "numbering", "bonus": "bonus", "bonuses": "bonus"}
"""First words of an order that does not begin with a die, and of hardly any other line."""

WRITTEN = {
    "fr": {
        row[0].split()[0]: row[1].split()[0]
        for kind in ("colour", "resource", "building", "face", "way", "plaza", "pay", "bonus", "numbering")
        for row in TABLE[kind].values()
    }
}
"""Language to the words that orders are written with in it; English ones are as they stand."""
