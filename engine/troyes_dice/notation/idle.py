"""Words that may stand in an order and say nothing about it: who speaks, that it is wanted, what is done with a die.

They are words of one person about what this one does now. Nobody else can be named with them, nothing be denied,
doubted, asked or told of another day, so that a line of these and of the words of orders is an order. What turns them
into a question or a report is listed beside them (`ASKING`), and no such line is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


def forms(*stems: str) -> str:
    """The forms of French verbs in -er by which somebody says what they do, did or want done; folded."""
    ends = ("er", "e", "ez", "ons", "ant", "erai", "erons", "ee", "es", "ees")
    return " ".join(_soft(stem, end) + end for stem in stems for end in ends)


def _soft(stem: str, end: str) -> str:
    """`changeons`, not `changons`."""
    return stem + "e" if stem.endswith("g") and end[0] in "ao" else stem


def doing(verbs: str) -> str:
    """English verbs with their -ing."""
    return " ".join(f"{verb} {_bare(verb)}ing" for verb in verbs.split())


_DOUBLED = re.compile("[^aeiou]+[aeiou][^aeiouwxy]|commit")
"""Verbs that double their last letter: a short one behind a single vowel, or one that is stressed there."""


def _bare(verb: str) -> str:
    if verb.endswith("e"):
        return verb[:-1]
    return verb + verb[-1] if _DOUBLED.fullmatch(verb) else verb


_DONE = ("chosen", "decided", "opted", "picked")
_TOLD = ("it", "that", "this", "choice", "move", "order", "answer", "turn", "pick", "play", "action")
_DONE_BY_ENGLISH = (
    doing("take build construct erect get gain collect receive earn choose pick draw put buy grab fill circle do")
    + " "
    + doing("claim apply assign allocate commit invest select send finish complete start")
    + " employ utilise utilize use "
    + doing("harvest score secure create establish mark tick write enter lay obtain acquire produce")
    + " "
    + doing("begin continue snatch pocket bag seize purchase extend expand")
)
_DONE_BY_FRENCH = (
    "prendre prends prend prenez prenons prenant prendrai prendrons pris "
    "construire construis construit construisez construisons construisant construirai construirons "
    "batir batis batissez batissons batissant batirai eriger erige erigez erigeant erigerai edifier edifie "
    "obtenir obtiens obtenez obtenant obtiendrai recevoir recois recevez recevant recevrai "
    "choisir choisis choisissez choisissant choisirai mettre mets met mettez mettons mettant mettrai "
    "placer placez placons placant placerai faire fais fait faites faisons faisant ferai ferons "
    "finir finis finissez finissons finissant finirai remplir remplis remplissez "
    "utiliser utilise utilisez utilisons utiliserai "
    + forms("gagn", "recuper", "collect", "selectionn", "jou", "dessin", "coch", "entour", "achet", "empoch")
    + " "
    + forms("pos", "affect", "encaiss", "ramass", "mis", "termin", "exploit", "attribu", "consacr")
    + " "
    + forms("destin", "depos", "lanc", "fabriqu", "profit", "cre", "complet", "touch")
    + " "
    + forms("offr", "commenc", "debut", "demarr", "continu", "enchain", "rafl", "decroch", "accord", "agrand")
    + " employer emploie emploies envoie envoyer investir investis"
)
_ENGLISH = (
    # Articles, small words and who speaks.
    "the an my our at on in of by it that this these there here me us s i ll m we d so just by-means-of "
    # That it is wanted.
    "will be am going-to gonna wanna want want-to would-like d-like should-like would-like-to d-love would-love "
    "wish-to decide decided prefer think-i-ll think-i-will think-ill let lets let-us "
    "let-me lemme gimme give-me go-for "
    "go-with going-for going-with opt-for shall "
    f"{' '.join(f'{who}-{have}-{done}' for who in ('i', 'we') for have in ('have', 've') for done in _DONE)} "
    "choice move order answer action play "
    f"{' '.join(f'{what}-is' for what in _TOLD)} "
    # When.
    "now today this-time this-turn this-round this-half-day half-day this-morning this-afternoon for-now "
    # Courtesy.
    "please pls plz if-i-may if-you-please thanks thank-you thx ok okay yes yep yeah kindly "
    # What is done with a die or a building.
    + _DONE_BY_ENGLISH
    + " have used-for to-be-used playing placing put-up putting-up put-down fill-in in-order-to so-as-to so-that goes "
    "go going toward towards onto upon within out-of off over gives-me brings-me earns-me stick-with "
    "buildings with-it with-that value showing shows face-value pip pips notch notches at-last my-last mine "
    "some all-of-it in-the-order straight directly immediately right-away definitely certainly gladly happily finally "
    "just-as-it-is as-it-is as-is as-it-lies as-it-stands unchanged untouched unmodified done simply decision "
    "reply"
)
_FRENCH = (
    "le la les l du d mon ma mes notre nos ce cet cette ces c ca cela sur dans ds a-partir-de dans-l-ordre "
    "je on nous me m moi que qu qui "
    "suis vais va vas ira irai allons veux voudrais voudrai aimerais souhaite souhaiterais desire desirerais opte "
    "opterai prefere envie-de c-est ce-sera ca-sera sera seront ai-choisi ai-decide ai-opte g-choisi g-decide "
    "avons-choisi "
    "avons-decide decide-de choix coup ordre reponse crois-que-je pense-que-je voici voila pour-ma-part "
    "de-mon-cote quant-a-moi en-ce-qui-me-concerne veuillez pars-sur partir-sur ben bin bon bien donc alors juste "
    "simplement tout toute la-dessus du-coup "
    "maintenant cette-fois cette-fois-ci ce-tour ce-tour-ci ce-matin cet-apres-midi aujourd-hui pour-l-instant "
    "svp stp s-il-te-plait s-il-vous-plait merci oui ok d-accord "
    + _DONE_BY_FRENCH
    + " avoir sers servir servira vise-a construction batiment valeur utilisation prise me-donne me-rapporte "
    "point points valant afin "
    "en-tout-cas directement immediatement tout-de-suite volontiers certainement enfin hop allez bref decision "
    "intention partir "
    "inchange inchangee comme-il-est tel-qu-il-est comme-elle-est "
    "servant numero tel-quel telle-quelle sans-rien-changer sans-changer sans-changement comptant cran crans "
    "compte comptee"
)
NOTHING = {"said": (_ENGLISH, _FRENCH)}
"""English and French, as a row of the table of words."""

_HELPERS = ("do", "will", "is", "am", "have", "shall", "did", "does", "are", "can", "could", "should", "would", "may")
_FRENCH_HELPERS = ("vais", "ai", "suis", "dois", "peux", "veux", "fais", "prends", "construis", "utilise")
ASKING = frozenset(
    (
        *(f"{helper} {who}" for helper in _HELPERS for who in ("i", "we")),
        *(f"{helper} {who}" for helper in ("is", "will") for who in ("it", "that", "this", "there")),
        *(f"{helper} {who}" for helper in _FRENCH_HELPERS for who in ("je", "on", "nous")),
        *("est ce", "c est quoi", "m at", "am at", "m on", "am on", "suis a", "sommes a"),
        *("there is", "there are", "there s", "one of", "i have", "we have", "i ve", "we ve"),
        *("thanks for", "thank you for", "merci pour", "to do", "a faire"),
    )
)
"""Together these ask, tell what there is or is to be done, or thank for it."""

FIRST = frozenset(
    ("is", "am", "will", "shall", "have", "qui", "que", "qu", "puis je", "on a", *(f"a {n}" for n in range(19)))
)
"""A line that begins with one of these asks, or tells what there is."""


LAST = frozenset(("think", "guess", "suppose", "crois", "pense"))
"""A line that ends with one of these is not sure of itself: «yellow 4: deniers, I think»."""

_NO_SLIPS = frozenset(
    ("chose", "envie", "fair", "avis", "form", "thin", "these", "tins", "bien", "though", "miss", "show", "montre")
)
"""Words of their own, some of which doubt, deny or ask."""


def slips(words: Iterable[str]) -> dict[str, str]:
    """What a finger makes of words of four letters or more: one letter left out, or two swapped; with the word.

    What may come of two of them is left out.
    """
    found: dict[str, str] = {}
    for word in words:
        if len(word) > 3 and word.isalpha():
            for slipped in {*_swapped(word), *_shorter(word)} - {word} - _NO_SLIPS:
                found[slipped] = "" if found.get(slipped, word) != word else word
    return {slipped: word for slipped, word in found.items() if word}


def _swapped(word: str) -> Iterator[str]:
    yield from (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))


def _shorter(word: str) -> Iterator[str]:
    yield from (word[:at] + word[at + 1 :] for at in range(1, len(word)) if len(word) > 4)
