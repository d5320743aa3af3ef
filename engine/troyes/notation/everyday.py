"""Everyday words put into those of an order: from a line to the canonical lines that it can mean.

Nothing is decided here: each line is read as if it had been typed (`reading`). A verb is filled in only where the
question leaves one. Hiring, buying, a cube and influence are never filled in.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.troyes.actions import reactions
from engine.troyes.board import declared
from engine.troyes.notation.composing import Composer
from engine.troyes.notation.hearing import Hearing
from engine.troyes.notation.lexicon import tokens
from engine.troyes.notation.saying import Saying, Unplaced
from engine.troyes.state.state import TroyesState


@dataclass(frozen=True, slots=True)
class Understood:
    """What a line can mean, as canonical lines, and the verb that was filled in.

    With `doubt` it is not clear whose a die is, though only one way can be played.
    """

    lines: tuple[str, ...]
    verb: str = ""
    doubt: bool = False


def understood(state: TroyesState, seat: str, line: str) -> Understood | None:
    """What a line can mean; None where a word of it means nothing here."""
    cut = tokens(state, line)
    if not cut:
        return None
    asked = next((asked["kind"] for asked in state.asked if asked["seat"] == seat), "")
    hearing = Hearing(state, seat, asked, cut)
    try:
        heard = [_composed(state, seat, asked, hearing.hear())]
        if hearing.either:
            heard.append(_composed(state, seat, asked, Hearing(state, seat, asked, cut, behind=True).hear()))
    except Unplaced:
        return None
    there = [composer for composer in heard if composer.there] or heard
    lines = tuple(dict.fromkeys(line for composer in there for line in composer.written))
    said = hearing.said.verb
    verb = there[0].verb
    return Understood(lines, verb if verb != said else "", any(composer.doubt for composer in there))


def _composed(state: TroyesState, seat: str, asked: str, saying: Saying) -> Composer:
    verb = _verb(asked, saying)
    if not verb:
        raise Unplaced
    return Composer(state, seat, verb, saying)


def _verb(asked: str, said: Saying) -> str:
    """The verb that is said, or that the question gives another sense or leaves; else none."""
    if said.answer in ("yes", "keep") and asked != "react":
        return ""
    spaces = bool(said.spots) and all(" " in spot for spot in said.spots)
    if asked == "settle" and said.verb in ("", "place", "settle") and spaces:
        return "settle"
    if asked == "counter" and said.verb == "fight" and not said.events:
        return "counter"
    if said.verb == "place" and said.events and not (said.spots or said.source):
        return "fight"
    if said.verb == "use" and said.dice and len(said.card) == 1 and declared.of(said.card[0]).change is None:
        return "activate"
    if said.verb in ("react", "auto") and said.answer in reactions.SAID:
        return "auto"
    return said.verb or _inferred(asked, said)


def _inferred(asked: str, said: Saying) -> str:
    """The only verb that the question leaves for what is said, or none."""
    if "free" in said.flags:
        return "release"
    if {"put", "citizen"} <= said.flags:
        return "activate" if said.card else "place"
    match asked:
        case "counter" if said.numbers or {"both", "highest"} & said.flags:
            return "counter"
        case "turn" if said.dice:
            return _action(said)
        case "target" | "support" if said.events:
            return asked
        case "react" if said.answer:
            return "react"
        case "give" if said.source or said.spots:
            return "give"
        case "discard" if said.card or said.tiles or said.used:
            return "discard"
    return ""


def _action(said: Saying) -> str:
    """The only action for what is said with dice."""
    if said.card:
        return "activate"
    if said.events:
        return "fight"
    return ("build" if said.spots == ["cathedral"] else "place") if len(said.spots) == 1 else ""
