"""Phrases that several rooms of the game use when they speak to a person."""

from __future__ import annotations

from engine.catalog import Msg, T

TYPED = {"denier": "deniers"}


def chosen(word: str) -> str:
    """An id as people type it: `counts_palace 3` is `counts-palace 3`."""
    return TYPED.get(word, word.replace("_", "-"))


def colour_name(colour: str) -> Msg:
    """A colour in words."""
    return {"red": T("red"), "yellow": T("yellow"), "white": T("white")}[colour]


def resource_name(resource: str) -> Msg:
    """A resource in words."""
    return {"influence": T("influence"), "denier": T("deniers"), "knowledge": T("knowledge")}[resource]


def resources(resource: str, n: int) -> Msg:
    """So many of a resource."""
    if resource == "influence":
        return T("{n} influence", "{n} influence", n=n)
    if resource == "denier":
        return T("{n} denier", "{n} deniers", n=n)
    return T("{n} knowledge", "{n} knowledge", n=n)


def citizens(colour: str, n: int) -> Msg:
    """So many citizens of a colour."""
    if colour == "red":
        return T("{n} red citizen", "{n} red citizens", n=n)
    if colour == "yellow":
        return T("{n} yellow citizen", "{n} yellow citizens", n=n)
    return T("{n} white citizen", "{n} white citizens", n=n)


def gains(what: str, n: int) -> Msg:
    """So many of a resource, or citizens of a colour."""
    return citizens(what, n) if what in ("red", "yellow", "white") else resources(what, n)
