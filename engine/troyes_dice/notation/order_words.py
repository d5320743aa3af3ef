"""The words of orders: for each meaning those of English and those of French; no word means two things.

The first word of each language is the one that orders are written with. Words are compared folded (lower case, no
accents). Hyphens, apostrophes and low lines part words, and the longest run that means something counts:
`hôtel-de-ville` is `hotel de ville`.
"""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter

from engine.kit.words import fold_text, kebab

Row = tuple[str, str]
"""The words of one meaning, English and French; a hyphen stands between the parts of one."""


def french_forms(*stems: str) -> str:
    """Return the forms of French verbs in -er by which people say what they do or want; folded."""
    ends = ("er", "e", "ez", "ons", "ant", "erai", "erons", "ee", "es", "ees")
    soft = (f"{stem}e" if stem.endswith("g") and end[0] in "ao" else stem for stem in stems for end in ends)
    return " ".join(stem + end for stem, end in zip(soft, ends * len(stems), strict=True))


def english_forms(verbs: str) -> str:
    """Return English verbs with their -ing."""
    return " ".join(f"{verb} {_bare(verb)}ing" for verb in verbs.split())


_DOUBLED = re.compile("[^aeiou]+[aeiou][^aeiouwxy]|commit")
"""Verbs that double their last letter: short ones with a single vowel, or stressed at the end."""


def _bare(verb: str) -> str:
    if verb.endswith("e"):
        return verb[:-1]
    return verb + verb[-1] if _DOUBLED.fullmatch(verb) else verb


TABLE: dict[str, dict[str, Row]] = {
    "colour": {
        "red": ("red reds", "rouge rouges"),
        "yellow": ("yellow yellows", "jaune jaunes"),
        "white": ("white whites", "blanc blanche blancs blanches"),
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
        "influence": (
            "influence points-of-influence inf infl",
            "influence influences points-d-influence point-d-influence",
        ),
        "denier": ("deniers denier coins coin money cash den", "deniers denier pièces pièce argent sous sou"),
        "knowledge": ("knowledge", "savoir savoirs connaissance connaissances"),
        "resources": ("resources resource", "ressources ressource"),
    },
    "building": {
        "fortress": ("fortress fort", "forteresse"),
        "great_hall": ("great-hall gh", "grande-halle grand-hall halle grande-salle grand-halle grand-salle gs"),
        "cathedral": ("cathedral cath", "cathédrale"),
        "counts_palace": (
            "counts-palace count-s-palace count-palace palace cp",
            "palais-des-comtes palais-du-comte palais",
        ),
        "city_hall": ("city-hall town-hall ch", "hôtel-de-ville mairie hdv"),
        "bishopric": ("bishopric bish bishops-palace bishop-s-palace", "évêché palais-de-l-évêque palais-épiscopal"),
    },
    "face": {
        "as": (
            "as into becomes become counts-as count-as counting-as so-that-it-is so-it-is so-that-it-becomes",
            "comme en devient devienne devenu devenue en-tant-que",
        )
    },
    "change": {
        "change": (
            english_forms(
                "change turn convert shift modify adjust switch recolour recolor paint repaint flip dye push nudge"
            )
            + " swap swapping changed turned converted shifted modified adjusted switched recoloured recolored painted"
            " repainted dyed pushed nudged swapped transform transforming transformed coloured colored",
            "peindre peins peint peinte repeindre repeins repeint repeinte teindre teins teint convertir convertis "
            + french_forms("ramen", "pouss", "tourn", "chang", "transform", "pass", "decal", "color", "recolor"),
        ),
        "make": (
            english_forms("make bring") + " made brought",
            "faire fais fait faites faisons ferai rendre rends rendu",
        ),
    },
    "to": {"to": ("to", "au aux vers jusqu-à jusqu-au"), "a": ("a", "à")},
    "way": {
        "up": (
            english_forms("raise increase bump boost lift add")
            + " up plus upward upwards higher raised lifted increased bumped ascending",
            "croissant plus plus-haut en-montant en-augmentant vers-le-haut ascendant ajouter ajoute ajoutant rehausser"
            " rehausse " + french_forms("mont", "augment", "hauss", "relev", "elev"),
        ),
        "down": (
            english_forms("lower decrease reduce drop")
            + " down dn minus downward downwards lowered decreased reduced dropped descending",
            "décroissant moins plus-bas descendre descend descends descendez descendu descendue descendant"
            " en-descendant en-baissant réduit réduire réduis réduisant vers-le-bas enlever enlève "
            + french_forms("baiss", "diminu", "abaiss"),
        ),
    },
    "plaza": {"plaza": ("plaza plazas", "place places")},
    "column": {"column": ("column columns box boxes space spaces spot", "colonne colonnes case cases emplacement")},
    "die": {"die": ("die dice", "dé dés")},
    "black": {"black": ("black", "noir")},
    "price": {
        "free": ("free no-cost at-no-cost for-free free-of-charge gratis", "gratuit gratuite"),
        "cheap": ("cheapest cheaper cheap", "moins-cher moins-chère bon-marché"),
        "dear": ("dearest dearer most-expensive more-expensive expensive", "plus-cher plus-chère"),
    },
    "pay": {
        "pay": (
            english_forms("pay spend") + " pays paid spent cost costs costing expending",
            french_forms("pay", "depens", "regl") + " en-payant paie paies paierai en-dépensant coût coûte coûtant",
        )
    },
    "with": {
        "with": (
            "with using from via through thanks-to employing utilising utilizing",
            "avec av depuis via utilisant en-utilisant grâce-à grâce-au à-l-aide-de à-l-aide-du",
        )
    },
    "for": {"for": ("for", "pour pr pour-que")},
    "bonus": {"bonus": ("bonus bonuses", "bonus")},
    "citizen": {"citizen": ("citizen citizens", "habitant habitants")},
    "numbering": {
        "numbering": (
            "numbering number numbers others from-the-left",
            "numérotation numéroter numérote numérotez numéros numéro autres depuis-la-gauche",
        )
    },
    "mark": {"and": ("and then", "et puis ensuite")},
    "article": {
        "the": (
            "the an on in of my this that at this-morning this-afternoon this-half-day",
            "le la les l du d mon ma mes notre ce cette sur dans à-partir-de ce-matin cet-après-midi",
        ),
        "do": (
            english_forms("build take gain get collect choose pick construct erect receive earn draw grab give claim")
            + " use",
            "prendre prends prenez prenons construire construis construisez construisons bâtir bâtis bâtissez choisir"
            " choisis choisissez utiliser utilise obtenir obtiens recevoir reçois "
            + french_forms("gagn", "collect", "recuper", "donn", "encaiss", "ramass", "touch", "empoch"),
        ),
    },
}
"""Kind of word to meaning to its words. `mark` stands for a comma; `article` may stand between the parts."""

STANDING: dict[str, Row] = {
    "later": ("later", "ensuite plus-tard"),
    "auto": ("auto", "auto"),
    "cancel": ("cancel", "révoquer révoque révoquez"),
    "every-day": ("every-day each-day", "chaque-jour tous-les-jours"),
    "max": ("max maximum at-most", "max maximum au-plus"),
    "all": ("all everything", "tout"),
}
"""Words that standing orders alone have."""

SIGNS = {
    **dict.fromkeys((*':;,.()=!&|@#[]·•«»"', "- ", "..."), ("mark", "and")),
    **dict.fromkeys(("->", "=>", ">", "→", "➔", "➜"), ("to", "to")),
    "w/": ("with", "with"),
    "+": ("way", "up"),
    "-": ("way", "down"),
}
"""Signs between the parts; it does not matter which mark stands where."""

_PARTS = re.compile("[ '_-]+")


def lookup_key(word: str) -> str:
    """Return a word of the tables as it is looked up: `Hôtel-de-Ville` is `hotel de ville`."""
    return " ".join(_PARTS.split(fold_text(word)))


WORDS: dict[str, tuple[str, str]] = {
    lookup_key(word): (kind, meaning)
    for kind, rows in TABLE.items()
    for meaning, row in rows.items()
    for words in row
    for word in words.split()
}
"""Every word with its kind and meaning."""

WIDTHS: dict[str, tuple[int, ...]] = {
    first: tuple(sorted({len(word) for word in words}, reverse=True))
    for first, words in groupby(sorted(word.split() for word in WORDS), itemgetter(0))
}
"""First part of a word to the numbers of parts of words that begin with it, the longest first."""

TELLING = ("colour", "resource", "building", "plaza", "pay", "bonus", "numbering")
"""Kinds of words that say what an order is about."""

EVERYDAY = frozenset(
    (
        *("money", "coin", "coins", "number", "numbers", "others", "spend", "spending", "spent", "paid"),
        *("cost", "costs", "costing", "cout", "coute", "coutant", "expending", "cash", "sou", "sous"),
        *("ch", "cp", "den", "fort", "gh", "gs", "inf"),
        *("numero", "argent", "piece", "pieces", "numeros", "autres", "depense", "depensez"),
    )
)
"""Those of them that any letter may hold: they do not tell that a line is about the game."""

DICE = frozenset(f"{letter}{value}" for row in TABLE["letter"].values() for letter in row for value in range(7))


def words_of_kinds(*kinds: str) -> dict[str, str]:
    """Return the words of these kinds in kebab-case, with what they mean."""
    return {word.replace(" ", "-"): meaning for word, (kind, meaning) in WORDS.items() if kind in kinds}


def standing_words() -> dict[str, str]:
    """Return the words of standing orders in kebab-case, with what they mean."""
    return {kebab(word): means for means, row in STANDING.items() for words in row for word in words.split()}


VERBS = {"numbering": "numbering", "numerotation": "numbering", "bonus": "bonus", "bonuses": "bonus"}
"""First words of an order that does not begin with a die, and of hardly any other line."""

CANCELS = frozenset(fold_text(word) for row in STANDING["cancel"] for word in row.split())
"""Words that take standing orders back. `later` counts only with its colon: people say it often."""

WRITTEN = {
    "fr": {
        row[0].split()[0]: row[1].split()[0]
        for kind in ("colour", "resource", "building", "face", "plaza", "pay", "bonus", "numbering")
        for row in TABLE[kind].values()
    }
    | {"up": "croissant", "down": "décroissant"}
    | {row[0].split()[0]: row[1].split()[0].replace("-", " ") for row in STANDING.values()}
}
"""Language to English words to those that orders are written with."""

TITLES: dict[str, Row] = {
    "gain": ("Gain {n} {what} with {die}", "Gagner {n} {what} avec {die}"),
    "build": ("Build {what} with {die}", "Construire {what} avec {die}"),
    "plaza": ("{die} on plaza {n}", "{die} sur la place {n}"),
    "up": ("{die} raised to {n}", "{die} monté à {n}"),
    "down": ("{die} lowered to {n}", "{die} baissé à {n}"),
    "as": ("{die} as {made}", "{die} changé en {made}"),
    "pay": (", paying with {what}", ", en payant en {what}"),
    "bonus": (", and {what} as the bonus", ", et {what} en bonus"),
    "choose": ("Choose {what} as the bonus", "Choisir {what} en bonus"),
    "and": (" and ", " et "),
    "numbers": ("Number the columns {n}", "Numéroter les colonnes {n}"),
    "numbers up": ("Number the columns from {n} upward", "Numéroter les colonnes depuis {n} en montant"),
    "numbers down": ("Number the columns from {n} downward", "Numéroter les colonnes depuis {n} en descendant"),
    "fortress": ("Fortress", "la Forteresse"),
    "great_hall": ("Great Hall", "la Grande Halle"),
    "cathedral": ("Cathedral", "la Cathédrale"),
    "counts_palace": ("Count's Palace", "le Palais des comtes"),
    "city_hall": ("City Hall", "l'Hôtel de ville"),
    "bishopric": ("Bishopric", "l'Évêché"),
}
"""The sentences of titles, and the buildings as they name them."""
