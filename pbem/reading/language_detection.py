"""Detect the language of a letter to the host from an unknown person. Only the language of the answer depends on it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.kit.words import fold_text

_WORDS = {
    "en": """
        hello hi dear i you we me my the a an of and or to in at with for is are can could would like want may play how
        what which game games new open player players join follow unfollow forget data language yes no please thanks
        thank
        """,
    "fr": """
        bonjour bonsoir salut cher chere je j vous nous moi mon ma mes le la les l un une de des du d et ou pour avec
        est sont c ce peut peux puis voudrais aimerais veux jouer joue comment quoi quel quelle quelles quels partie
        parties nouvelle nouveau ouvrir joueur joueurs joueuse joueuses rejoindre rejoins suivre oubliez oublie donnees
        langue oui non merci svp
        """,
}
LANGUAGE_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
"""Frequent words of each language; a word of several languages («table») is in none."""
_WORD = re.compile(r"[^\W\d_]+")


def detect_language(lines: Iterable[str], known: Iterable[str]) -> str:
    """The one of the `known` languages that most words belong to; empty on a tie or without any."""
    said = _WORD.findall(fold_text(" ".join(lines)).replace("’", "'"))
    counted = {language: sum(word in LANGUAGE_WORDS.get(language, ()) for word in said) for language in known}
    most = max(counted.values(), default=0)
    found = [language for language, count in counted.items() if count == most]
    return found[0] if most and len(found) == 1 else ""
