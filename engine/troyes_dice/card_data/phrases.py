"""Phrases that several rooms of the game use."""

from __future__ import annotations

from functools import lru_cache

from engine.catalog import Msg, T
from engine.troyes_dice.card_data.item_names import typed_name

TYPED = {"denier": "deniers"}
SAID = {"fr": {"red": "rouge", "yellow": "jaune", "white": "blanc", "plaza": "place"}}
"""By language: words of dice and choices other than names of the box."""


def choice_word(word: str) -> str:
    """Return an id as people type it: `counts_palace 3` is `counts-palace 3`."""
    return TYPED.get(word, word.replace("_", "-"))


@lru_cache(1024)
def typed_text(words: str) -> Msg:
    """Return a die or a choice as people type it, in every language."""
    parts = words.split()
    others = {
        language: [said.get(one) or typed_name(one, language) for one in parts] for language, said in SAID.items()
    }
    return T.each(
        " ".join(map(choice_word, parts)), **{language: " ".join(found) for language, found in others.items()}
    )


_COLOURS = {"red": T("red"), "yellow": T("yellow"), "white": T("white")}


def colour_name(colour: str) -> Msg:
    return _COLOURS[colour]


def resource_name(resource: str) -> Msg:
    return {"influence": T("influence"), "denier": T("deniers"), "knowledge": T("knowledge")}[resource]


def resource_amount(resource: str, n: int) -> Msg:
    if resource == "influence":
        return T("{n} influence", "{n} influence", n=n)
    if resource == "denier":
        return T("{n} denier", "{n} deniers", n=n)
    if resource == "any":
        return T("{n} resource of any kind", "{n} resources of one kind", n=n)
    return T("{n} knowledge", "{n} knowledge", n=n)


def citizen_amount(colour: str, n: int) -> Msg:
    if colour == "red":
        return T("{n} red citizen", "{n} red citizens", n=n)
    if colour == "yellow":
        return T("{n} yellow citizen", "{n} yellow citizens", n=n)
    return T("{n} white citizen", "{n} white citizens", n=n)


def gain_text(what: str, n: int) -> Msg:
    """So many of a resource, or citizens of a colour."""
    return citizen_amount(what, n) if what in ("red", "yellow", "white") else resource_amount(what, n)
