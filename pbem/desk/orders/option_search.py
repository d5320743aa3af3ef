"""Find the legal orders that have to do with a word (`options WORD`), in pages, as numbered choices of the answer."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from engine.catalog import Msg, T
from engine.errors import OrderRefused
from engine.kit.words import fold_text
from pbem.desk import commands
from pbem.desk.core.request import Request
from pbem.desk.orders.session import Session, Trial
from pbem.outbound.mail import Choice
from pbem.outbound.translation import language_catalogue

LOOKED_AT = 400
"""Legal orders that are searched."""

SHOWN = 20
"""Orders of one page."""

WALKED = 120
"""Orders whose effects are searched if no order holds the word itself."""

_ALL = {"all", "toutes", "tout"}
_SMALL = frozenset(
    (
        *("for", "with", "the", "my", "of", "to", "please", "pour", "avec", "le", "la", "les", "l", "mon", "ma", "mes"),
        *("de", "du", "des", "au", "aux", "svp", "stp", "die", "dice"),
    )
)
"""Words that are ignored."""


def options_with_word(request: Request, session: Session, wanted: str) -> tuple[tuple[Choice, ...], Msg]:
    """A page of the orders that have to do with all the words, by text and topics or else by effect; and their number.

    The mail's own list comes first.
    """
    state, seat = request.game.moderation.redacted(session.now.state, request.seat), request.seat
    reference, say = request.game.reference, language_catalogue(request.language).render
    says = {offer.text: offer.says for offer in request.game.offers(state, seat, request.language)}
    legal: dict[str, set[str]] = {}
    every = list(islice(reference.every(state, seat), LOOKED_AT + 1))
    for written in (*says, *every[:LOOKED_AT]):
        # Words of either language are found.
        order = request.worded(state, written)
        legal.setdefault(order, _words(order)).update(_words(written), reference.topics(written))

    def effect(text: str) -> Msg:
        trial = Trial(session)
        with suppress(OrderRefused):
            trial.try_out(text, text)
        return next((one for said in trial.said for one in said.effects), T(""))

    def about(text: str) -> list[str]:
        sought = _words(text) - _ALL
        sought = sought - _SMALL or sought
        found = [one for one, words in legal.items() if sought <= words or sought <= _words(say(says.get(one, "")))]
        return found or [one for one in islice(legal, WALKED) if sought <= _words(say(effect(one)))]

    text, page = _paged(fold_text(wanted)[:60])
    found = about(text)
    if not page:
        # A number behind other words is one of them if that finds anything, else the page.
        *before, last = text.split()
        page = 1
        if not found:
            text, page = " ".join(before), max(1, int(last))
            found = about(text)
    first = (page - 1) * SHOWN
    shown = tuple(Choice(order, says.get(order) or effect(order)) for order in found[first : first + SHOWN])
    return shown, _told(text, page, len(shown), len(found), request.language, whole=len(every) <= LOOKED_AT)


def _paged(wanted: str) -> tuple[str, int]:
    """The words searched for, and the page; 0 if the number behind them may be either."""
    *before, last = wanted.split() or ["all"]
    if not last.isdecimal() or len(last) > 3:
        return " ".join((*before, last)), 1
    if not before or before[-1] == "page" or _ALL.issuperset(before):
        return " ".join(before[:-1] if before[-1:] == ["page"] else before) or "all", max(1, int(last))
    return " ".join((*before, last)), 0


def _told(sought: str, page: int, shown: int, found: int, language: str, *, whole: bool) -> Msg:
    if found and not shown:
        return T("There is {n} page of these orders.", "There are {n} pages of these orders.", n=-(-found // SHOWN))
    if not shown and not whole:
        return T("Of the {n} orders that were looked through none has to do with «{word}»; you have more.",
                 n=LOOKED_AT, word=sought)  # fmt: skip
    if not shown:
        return T("No order that is open to you has to do with «{word}».", word=sought)
    if found > page * SHOWN:
        more = commands.translate_command(f"options {sought} page {page + 1}", language)
        return T("{shown} of {all} orders; «{more}» shows more.", shown=shown, all=found, more=more)
    return T("{n} order for «{word}».", "{n} orders for «{word}».", n=found, word=sought)


def _words(text: str) -> set[str]:
    """The words of a text as they are compared."""
    return set("".join(letter if letter.isalnum() else " " for letter in fold_text(text)).split())
