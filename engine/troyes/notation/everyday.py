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
from engine.troyes.notation.spacing import spaced
from engine.troyes.state.state import TroyesState

_OWN = ("reroll", "flip", "counter", "guard")
"""Verbs that take dice of one's own district alone."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a line can mean, as canonical lines, and the verb that was filled in.

    With `doubt` it is not clear whose a die is, though only one way can be played.
    """

    lines: tuple[str, ...]
    verb: str = ""
    doubt: bool = False


def understood(state: TroyesState, seat: str, line: str, *, loose: bool = False) -> Understood | None:
    """What a line can mean; None where a word of it means nothing here.

    With `loose` such words are passed over, and so is what does not fit: what is found may be proposed, never played.
    """
    cut = list(spaced(tokens(state, line, loose=loose)))
    if not cut:
        return None
    asked = next((asked["kind"] for asked in state.asked if asked["seat"] == seat), "")
    hearing = Hearing(state, seat, asked, cut, loose=loose)
    try:
        heard = [_composed(state, seat, asked, hearing)]
        if hearing.either:
            heard.append(_composed(state, seat, asked, Hearing(state, seat, asked, cut, behind=True, loose=loose)))
    except Unplaced:
        return None
    there = [composer for composer in heard if composer.there] or heard
    lines = tuple(dict.fromkeys(line for composer in there for line in composer.written))
    said = hearing.said.verb
    verb = there[0].verb
    unowned = hearing.unowned and verb not in _OWN and not any(composer.told for composer in there)
    doubt = unowned or any(composer.doubt for composer in there)
    return Understood(lines, verb if verb != said else "", doubt)


def _composed(state: TroyesState, seat: str, asked: str, hearing: Hearing) -> Composer:
    saying = hearing.hear()
    verb = _verb(state, asked, saying)
    if not verb:
        raise Unplaced
    return Composer(state, seat, verb, saying, loose=hearing.loose)


def _verb(state: TroyesState, asked: str, said: Saying) -> str:
    """The verb that is said, or that the question gives another sense or leaves; else none."""
    if said.answer in ("yes", "keep") and asked != "react":
        return ""
    spaces = bool(said.spots) and all(" " in spot for spot in said.spots)
    if asked == "settle" and said.verb in ("", "place", "settle") and spaces:
        return "settle"
    if asked == "counter" and said.verb == "fight" and not said.events:
        return "counter"
    if asked == "turn" and said.verb == "counter" and said.events:
        return "fight"
    if asked == "turn" and said.verb == "settle":
        return "place"
    if asked == "counter" and said.verb in ("use", "give") and (said.used or said.dice):
        return "counter"
    if asked in ("target", "support") and said.events and said.verb in ("", "fight", "place", "counter"):
        return asked
    if asked == "discard" and (said.verb in ("", "use", "give") or "put" in said.flags):
        return asked
    if asked == "give" and said.verb == "discard":
        return asked
    if asked == "give" and not (said.source or said.spots) and (said.verb == "recruit" or "hire" in said.flags):
        return asked  # «I hire a new one»
    if said.spots == ["cathedral"] and said.dice and ("cube" in said.flags or said.cubes) and _lays(said):
        said.flags.discard("put")
        return "build"
    if said.verb == "place" and said.events and not (said.spots or said.source):
        return "fight"
    if said.verb == "use" and said.dice and len(said.card) == 1 and declared.of(said.card[0]).change is None:
        said.mixed = said.mixed or ("use" if said.cubes else "")
        return "activate"
    if said.verb == "use" and (said.dice or said.citizens or "citizen" in said.flags) and not (said.card or said.tiles):
        return _inferred(state, asked, said)
    if said.verb == "activate" and not (said.card or said.dice) and _counts_whom(said):
        return "recruit"
    if said.verb in ("react", "auto") and said.answer in reactions.SAID:
        return "auto"
    return said.verb or _inferred(state, asked, said)


def _counts_whom(said: Saying) -> bool:
    """Whether it says how many are hired, and nothing else: «hire 2»."""
    return bool(said.citizens or "citizen" in said.flags or ("hire" in said.flags and said.numbers and not said.spots))


def _lays(said: Saying) -> bool:
    """Whether a cube is laid somewhere: put or placed."""
    return said.verb == "place" or (not said.verb and "put" in said.flags)


def _inferred(state: TroyesState, asked: str, said: Saying) -> str:
    """The only verb that the question leaves for what is said, or none."""
    if "free" in said.flags:
        return "release"
    if {"put", "citizen"} <= said.flags or ("put" in said.flags and said.goes()):
        return "activate" if said.card else "place"
    match asked:
        case "counter" if said.dice and len(state.black) == 1:
            return "counter"
        case "counter" if said.numbers or said.used or {"both", "highest", "black"} & said.flags:
            return "counter"
        case "turn" if said.dice:
            return _action(said)
        case "turn" if (said.citizens or "citizen" in said.flags) and not (said.card or said.events or said.spots):
            return "recruit"
        case "target" | "support" if said.events:
            return asked
        case "react" if said.answer or said.gains:
            said.answer = said.answer or "yes"
            said.gains.clear()
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
    if said.pips or said.advance:
        return "guard"
    if said.columns:
        return "build"
    if (len(said.spots) == 2 and "citizen" in said.flags) or said.goes():
        return "place"
    if "again" in said.flags and len(said.dice) == 1 and not said.spots:
        return "reroll"
    return ("build" if said.spots == ["cathedral"] else "place") if len(said.spots) == 1 else ""
