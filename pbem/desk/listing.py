"""`options WORD`: the legal orders that have to do with a word, beyond those that mails list; all of them, in pages.

They are choices of that very mail, so that a number plays one.
"""

from __future__ import annotations

from itertools import islice

from engine.catalog import Msg, T
from engine.kit.words import folded
from pbem.desk import commands
from pbem.desk.repairing import tried
from pbem.desk.request import Request
from pbem.desk.session import Session
from pbem.outbound.catalogue import catalogue
from pbem.outbound.mail import Choice

LOOKED_AT = 400
"""Legal orders that are looked through."""

SHOWN = 20
"""Orders of one page."""

WALKED = 120
"""Orders whose effects are looked through, where the orders themselves do not hold the word."""

_ALL = {"all", "toutes", "tout"}
_SMALL = frozenset(
    (
        *("for", "with", "the", "my", "of", "to", "please", "pour", "avec", "le", "la", "les", "l", "mon", "ma", "mes"),
        *("de", "du", "des", "au", "aux", "svp", "stp"),
    )
)
"""Words beside those that are looked for."""


def holding(request: Request, session: Session, wanted: str) -> tuple[tuple[Choice, ...], Msg]:
    """A page of the orders whose text, or else whose effect, holds all the words, and how many they are.

    The mails' list comes first, as it stands there. A number behind the words is the page.
    """
    state, seat = request.game.moderation.redacted(session.now.state, request.seat), request.seat
    *before, last = folded(wanted)[:60].split() or ["all"]
    numbered = last.isdecimal() and len(last) < 4
    page, text = (max(1, int(last)), " ".join(before) or "all") if numbered else (1, " ".join((*before, last)))
    sought = _words(text) - _ALL
    sought = sought - _SMALL or sought
    say = catalogue(request.language).render
    says = {offer.text: offer.says for offer in request.game.offers(state, seat, request.language)}
    legal: dict[str, set[str]] = {}
    for written in (*says, *islice(request.game.reference.every(state, seat), LOOKED_AT)):
        # Words of either language are looked for: both are read from everybody.
        order = request.worded(state, written)
        legal.setdefault(order, _words(order)).update(_words(written))
    found = [order for order, words in legal.items() if sought <= words or sought <= _words(say(says.get(order, "")))]

    def effect(text: str) -> Msg:
        effects = tried(request, session, (text,))
        return effects[0] if effects else T("")

    if not found:
        found = [order for order in islice(legal, WALKED) if sought <= _words(say(effect(order)))]
    first = (page - 1) * SHOWN
    shown = tuple(Choice(text, says.get(text) or effect(text)) for text in found[first : first + SHOWN])
    return shown, _told(text, page, len(shown), len(found), request.language)


def _told(sought: str, page: int, shown: int, found: int, language: str) -> Msg:
    if not shown:
        return T("No order that is open to you has to do with «{word}».", word=sought)
    if found > page * SHOWN:
        more = commands.worded(f"options {sought} {page + 1}", language)
        return T("{shown} of {all} orders; «{more}» shows more.", shown=shown, all=found, more=more)
    return T("{n} order for «{word}».", "{n} orders for «{word}».", n=found, word=sought)


def _words(text: str) -> set[str]:
    """The words of a text as they are compared."""
    return set("".join(letter if letter.isalnum() else " " for letter in folded(text)).split())
