"""The words orders are made of, English and French together; a test proves that no word means two things.

Words are compared folded: lower case, without accents, in kebab-case.
"""

from __future__ import annotations

VERBS: dict[str, str] = {
    word: verb
    for verb, names in {
        "activate": "activate activer active activez",
        "build": "build construire construis batir batis",
        "fight": "fight combat combattre combats lutter",
        "place": "place placer placez poser",
        "farm": "farm agriculture cultiver cultive",
        "pass": "pass passer passe",
        "reroll": "reroll re-roll relancer relance",
        "flip": "flip retourner retourne",
        "recruit": "recruit recruter recrute",
        "counter": "counter contrer contre",
        "settle": "settle installer installe",
        "support": "support soutenir soutien",
        "target": "target cible viser",
        "guard": "guard garde patrouiller",
        "use": "use utiliser utilise",
        "react": "react reagir reagis",
        "give": "give donner donne",
        "discard": "discard defausser defausse",
        "release": "release liberer libere",
        "auto": "auto",
    }.items()
    for word in names.split()
}
"""The first word of an order to what it orders."""

SAME_IN = {
    "hiring": "hiring engaging engageant engager embauchant",
    "from": "from depuis de",
    "to": "to vers",
    "using": "using utilisant grace",
    "once": "once",
    "twice": "twice",
    "times": "times time fois x",
    "cubes": "cubes cube banners",
    "space": "space place emplacement",
    "auto": "auto",
    "none": "none nothing rien aucun",
    "lying": "lying expelled couche couches",
    "as": "as comme",
    "for": "for pour",
    "advance": "advance avancer avance",
    "no": "no non",
    "always": "always toujours",
    "never": "never jamais",
    "ask": "ask demander",
    "influence": "influence",
    "vp": "vp pv",
    "free": "free freeing",
}
CLAUSES: dict[str, str] = {word: clause for clause, names in SAME_IN.items() for word in names.split()}
"""Words that open or close a part of an order."""

NOISE = frozenset(
    ("with", "avec", "and", "et", "the", "my", "on", "a", "an", "sur", "le", "la", "les", "un", "une", "des", "du", "l")
)
"""Words that may stand between the parts and say nothing."""

DISTRICTS = frozenset(("gray", "grey", "gris", "grise", "neutral", "neutre"))
"""What the neutral player's district may be called; le Roy's in a solo game (A55)."""
KING = frozenset(("le-roy", "leroy", "roy", "le-roi", "roi", "king"))
"""What le Roy's district may be called where he plays."""

COLOUR_WORDS = {
    **dict.fromkeys(("yellow", "jaune"), "yellow"),
    **dict.fromkeys(("white", "blanc"), "white"),
    **dict.fromkeys(("red", "rouge"), "red"),
}
"""Colours that a purple die may take, in words."""

DIE_LETTERS = {"y": "Y", "j": "Y", "w": "W", "b": "W", "r": "R", "p": "P", "m": "P"}
"""Colour letters, English and French: jaune, blanc, rouge, mauve."""

_FRENCH = """
activate: activer, build: construire, fight: combattre, place: placer, farm: cultiver, pass: passer, reroll: relancer,
flip: retourner, recruit: recruter, counter: contrer, settle: installer, support: soutenir, target: cible, guard: garde,
use: utiliser, react: réagir, give: donner, discard: défausser, release: libérer, with: avec, from: de,
hiring: engageant, to space: vers emplacement, using: utilisant, once: 1 fois, times: fois, none: rien, nothing: rien,
lying: couché, as: comme, for: pour, advance: avancer, no: non, always: toujours, never: jamais, ask: demander, vp: pv,
free: libérer, palace: palais, bishopric: évêché, city-hall: hôtel-de-ville, supply: réserve, gray: gris
"""
WRITTEN = {"fr": dict(pair.split(": ") for pair in " ".join(_FRENCH.split()).split(", "))}
"""Language to the words that orders are written with in it; English ones, and those that are left out, are as they
stand. Cards and events go by their ids in every language: most of their French names are unverified."""
