"""A building and its space as one, in whatever order they stand: «3.2 in city hall», «lying in the bishopric»."""

from __future__ import annotations

from collections.abc import Iterator

from engine.troyes.notation.lexicon import Wordlet
from engine.troyes.notation.senses import Senses
from engine.troyes.state import places

_WIDEST = 14
"""Words that a building and its space may take, with the one that says what was counted."""


def spaced(words: list[Wordlet]) -> Iterator[Wordlet]:
    """The words, with a building and its space as one: «3.2 in city hall», «the second space of the palace», «lying in
    the bishopric»."""
    at = 0
    # «my lying man in the bishopric: he goes to …»
    goes = max((place for place, word in enumerate(words) if word.of("role") == "he_goes"), default=-1)
    while at < len(words):
        width, place = _space(words[at : at + _WIDEST])
        senses: Senses = {}
        if not width:
            width, place, whom = _lying(words[at : at + _WIDEST], goes >= at)
            senses = {"whom": True} if whom else {}
        if width:
            yield Wordlet(place, senses | {"place": place})
        else:
            yield words[at]
        at += width or 1


def _space(words: list[Wordlet]) -> tuple[int, str]:
    """The width of a building and its space, in either order, and what they are; 0 for none."""
    building, spot, row, space = "", "", 0, 0
    last = ""
    for at, word in enumerate(words[: _WIDEST - 2]):
        if word.of("place") in places.BUILDINGS and not building:
            building = word.of("place")
        elif word.of("spot") and not spot:
            spot = word.of("spot")
        elif word.of("ordinal") or (last and word.of("number")):
            unit = (_unit(words, at + 1) if word.of("ordinal") else "") or last
            count = word.of("ordinal") or word.of("number")
            if unit == "row":
                row = count
            elif unit:
                space = count
            else:
                break
        elif _unit(words, at):
            last = _unit(words, at)
            continue
        elif not at or not (word.of("noise") or word.of("role") in ("on", "from") or word.of("mark") == "and"):
            break
        last = ""
        counted = f"{row}.{space}" if row else f"{space}"
        found = spot or (counted if space else "")
        if building and found:
            good = ("." in found) == (building != places.PALACE)
            spoken = at + 1 + int(not spot and bool(_unit(words, at + 1)))
            return (spoken, f"{building} {found}") if good else (0, "")
    return 0, ""


def _lying(words: list[Wordlet], goes: bool) -> tuple[int, str, bool]:
    """The width of what says that somebody lies in a building, in either order, where, and whether he is named as
    somebody; 0 for none. `goes` says that the line tells further on where he goes."""
    building, lies, noun, whom = "", False, False, False
    for at, word in enumerate(words[:6]):
        if word.of("place") in places.BUILDINGS and not building:
            building = word.of("place")
        elif word.of("clause") == "lying" and not lies:
            lies = True
        elif at and word.of("role") in ("citizen", "same"):
            noun = whom = True
        elif lies and word.text == "one":
            whom = True
        elif not at or not _leads(word, noun and not goes):
            break
        if building and lies:
            return at + 1, f"{building} {places.LYING}", whom
    return 0, "", False


def _leads(word: Wordlet, noun: bool) -> bool:
    """Whether it stands before where somebody lies: behind a noun, «in» may tell where he goes."""
    towards = word.of("role") == "on" or word.text == "a"
    small = word.of("mark") == "aside" or (bool(word.of("noise")) and not towards)
    return small or "from" in (word.of("clause"), word.of("role")) or (not noun and towards)


def _unit(words: list[Wordlet], at: int) -> str:
    """Whether a word says that rows or spaces are counted."""
    word = words[at] if at < len(words) else Wordlet("")
    if word.of("clause") == "space" or word.of("role") == "steps":
        return "space"
    return "row" if word.of("role") == "row" else ""
