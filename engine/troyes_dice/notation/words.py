"""The words orders are made of: for each meaning those of English and those of French; no word means two things.

The first word of each language is the one that orders are written with. Words are compared folded (lower case, no
accents); what is typed with hyphens, apostrophes or low lines is several words, and the longest run that means
something counts: `hôtel-de-ville` is `hotel de ville`.
"""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter

from engine.kit.words import folded, kebab
from engine.troyes_dice.notation.idle import ASKING, NOTHING, doing, forms, slips

Row = tuple[str, str]
"""The words of one meaning, English and French; a hyphen stands between the parts of one."""

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
    "both": {"both": ("both", "les-deux")},
    "ordinal": {
        "1": ("first", "premier première"),
        "2": ("second", "deuxième second seconde"),
        "3": ("third", "troisième"),
        "4": ("fourth last", "quatrième dernier dernière"),
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
    "row": {
        "great_hall": ("great-halls", "grandes-halles grandes-salles"),
        "city_hall": ("city-halls town-halls", "hôtels-de-ville"),
    },
    "face": {
        "as": (
            "as into becomes become counts-as count-as counting-as so-that-it-is so-it-is so-that-it-becomes",
            "comme en devient",
        )
    },
    "change": {
        "change": (
            doing("change turn make convert shift modify adjust switch recolour recolor paint repaint flip bring")
            + " "
            + doing("set swap exchange push nudge transform")
            + " changed turned converted shifted modified adjusted switched recoloured recolored painted repainted "
            "makes dye dyeing dyed pushed nudged swapped transformed brought made "
            "coloured colored dressed dressed-in dressed-up-in coloured-in painted-in",
            "mis rendre rends rendu peindre peins peint peinte repeindre repeins repeint "
            "repeinte teindre teins teint convertir convertis converti "
            + forms("ramen", "pouss", "tourn", "chang", "transform", "pass", "decal", "modifi", "color")
            + " "
            + forms("recolor", "habill", "deguis"),
        )
    },
    "to": {"to": ("to", "au aux vers jusqu-à jusqu-au"), "a": ("a", "à")},
    "way": {
        "up": (
            doing("raise increase bump boost lift hoist")
            + " up plus upward upwards go-up going-up bump-up higher raised lifted increased bumped rising ascending",
            "croissant plus plus-haut en-montant en-augmentant vers-le-haut ascendant rehausser rehausse "
            + forms("mont", "augment", "hauss", "hiss", "relev", "elev"),
        ),
        "down": (
            doing("lower decrease reduce drop")
            + " down dn minus downward downwards go-down going-down lowered decreased "
            "reduced dropped falling descending",
            "décroissant moins plus-bas descendre descend descends descendez descendu descendue descendant "
            "en-descendant "
            "en-baissant réduit réduire réduis réduisant vers-le-bas " + forms("baiss", "diminu", "abaiss"),
        ),
    },
    "plaza": {"plaza": ("plaza plazas", "place places")},
    "column": {"column": ("column columns box boxes space spaces", "colonne colonnes case cases")},
    "die": {"die": ("die dice", "dé dés")},
    "black": {"black": ("black", "noir")},
    "any": {"any": ("any", "n-importe-quelle n-importe-quel")},
    "tile": {
        "raid": ("raid raids raided", "pillage pillages pillé pillée"),
        "banquet": ("banquet banquets feast", "festin festins"),
    },
    "price": {
        "free": (
            "free free-one is-free no-cost at-no-cost for-free free-of-charge gratis",
            "gratuit gratuite est-gratuit est-gratuite",
        ),
        "cheap": ("cheapest cheapest-one cheaper cheap", "moins-cher moins-chère bon-marché"),
        "dear": (
            "dear-one dearest dearest-one most-expensive-one dearer most-expensive more-expensive expensive "
            "expensive-one",
            "plus-cher plus-chère",
        ),
    },
    "pay": {
        "pay": (
            doing("pay spend give") + " settled pays paid spent cost costs costing expending",
            forms("pay", "depens", "donn", "regl")
            + " en-payant paie paies paierai en-dépensant coût coûte coûtant y-passe y-passent",
        )
    },
    "with": {
        "with": (
            "with using from via through thanks-to employing utilising utilizing",
            "avec av depuis via utilisant en-utilisant grâce-à grâce-au au-moyen-de au-moyen-du à-l-aide-de "
            "à-l-aide-du",
        )
    },
    "for": {"for": ("for", "pour pr contre afin-de afin-d")},
    "bonus": {"bonus": ("bonus bonuses", "bonus")},
    "citizen": {"citizen": ("citizen citizens", "habitant habitants")},
    "numbering": {
        "numbering": (
            "numbering number numbers others from-the-left",
            "numérotation numéroter numérote numérotez numéros autres de-gauche-à-droite depuis-la-gauche",
        )
    },
    "sum": {"up": ("add adding", "ajouter ajoute ajoutant"), "down": ("subtract", "enlever enlève retirer retire")},
    "deed": {"does": ("builds takes gets grabs gains uses", "bâtit")},
    "mark": {"and": ("and then", "et puis pis ensuite")},
    "nothing": NOTHING,
}
"""Kind of word to meaning to its words. `mark` stands for a comma; `nothing` may stand between the parts."""

STANDING: dict[str, Row] = {
    "later": ("later", "ensuite plus-tard"),
    "auto": ("auto", "auto"),
    "cancel": ("cancel", "révoquer révoque révoquez"),
    "every-day": ("every-day each-day", "chaque-jour tous-les-jours"),
    "max": ("max maximum at-most", "max maximum au-plus"),
    "all": ("all everything", "tout"),
}
"""Standing orders: what they begin with, and what stands in them beside the words of orders."""

SIGNS = {
    **dict.fromkeys((*':;,.()=!&|@#[]·•«»"', "- ", "..."), "mark"),
    **dict.fromkeys(("->", "=>", ">", "→", "➔", "➜"), "to"),
    "w/": "with",
}
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
} | {phrase: ("asking", phrase) for phrase in ASKING}
"""Every word with its kind and meaning."""

WIDTHS: dict[str, tuple[int, ...]] = {
    first: tuple(sorted({len(word) for word in words}, reverse=True))
    for first, words in groupby(sorted(word.split() for word in WORDS), itemgetter(0))
}
"""The first part of a word to how many parts words have that begin with it, the longest first."""

_LEADING, _LONG = ("nothing", "with", "for"), 6
"""Kinds of words that only lead on, and letters of a long word."""


def _may_slip(word: str) -> bool:
    """Whether one letter may be wrong: in what only leads on, and in a long word for up or down («lowerd»)."""
    kind = WORDS[word][0]
    return kind in _LEADING or (kind == "way" and len(word) >= _LONG)


SLIPS = {
    slipped: word for slipped, word in slips(WORDS).items() if slipped not in WORDS and _may_slip(word)
}
"""What is no word, but one letter away from a word that may slip, and from no other, with that word."""

TELLING = ("colour", "resource", "building", "plaza", "pay", "bonus", "numbering")
"""Kinds of words that say what an order is about."""

EVERYDAY = frozenset(
    (
        *("money", "coin", "coins", "number", "numbers", "others", "spend", "spending", "spent", "paid"),
        *("cost", "costs", "costing", "cout", "coute", "coutant", "expending", "cash", "sou", "sous"),
        *("ch", "cp", "den", "fort", "gh", "gs", "inf"),
        *("give", "giving", "donner", "donne", "donnez", "donnant", "donnons", "cheap"),
        *("argent", "piece", "pieces", "numeros", "autres", "depense", "depensez"),
    )
)
"""Those of them that a letter about anything may hold: they do not tell that a line is about the game."""

DICE = frozenset(f"{letter}{value}" for row in TABLE["letter"].values() for letter in row for value in range(7))


def spelled(*kinds: str) -> dict[str, str]:
    """The words of these kinds in kebab-case, with what they mean."""
    return {word.replace(" ", "-"): meaning for word, (kind, meaning) in WORDS.items() if kind in kinds}


def standing_words() -> dict[str, str]:
    """The words of standing orders in kebab-case, with what they mean."""
    return {kebab(word): means for means, row in STANDING.items() for words in row for word in words.split()}


VERBS = {"numbering": "numbering", "numerotation": "numbering", "bonus": "bonus", "bonuses": "bonus"}
"""First words of an order that does not begin with a die, and of hardly any other line."""

CANCELS = frozenset(folded(word) for row in STANDING["cancel"] for word in row.split())
"""What takes standing orders back. What begins one for later is none without its colon: people say it as often."""

WRITTEN = {
    "fr": {
        row[0].split()[0]: row[1].split()[0]
        for kind in ("colour", "resource", "building", "face", "way", "plaza", "pay", "bonus", "numbering")
        for row in TABLE[kind].values()
    }
    | {row[0].split()[0]: row[1].split()[0].replace("-", " ") for row in STANDING.values()}
}
"""Language to the words that orders are written with in it; English ones are as they stand."""
