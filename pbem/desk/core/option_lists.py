"""Remember the lists of options that were mailed, in which the numbers of a letter count.

A number counts in the list of the mail it answers. If a letter does not tell which mail that is, every list of the
decision is tried. Of the game's own options a hash is kept with the secrets, and the numbers that the mail showed. The
choices of a mail that asks back or suggests orders are kept as text, outside the repository. Lists of older decisions
are dropped, since letters that answer those are late.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.game import AnyGame, Offer, Seat
from pbem.outbound.mail import Mail, MailKind
from pbem.store.game_table import MailedLists, Status
from pbem.store.lru import PositionCache
from pbem.store.private_text import WORDS_LOST, WORDS_TAKEN_BACK, PrivateText, placeholder
from pbem.store.state_file import StoredGame

NONE = "none"
"""The hash of no list at all."""

PRIVATE, TRIED = "private", "tried "
"""Flags of a list: its mail holds talk to this seat alone; or it tells what orders would do, with their number, so that
a «yes» plays them."""

MOST_LISTS = 40
"""Lists of one decision that are remembered."""


@dataclass(frozen=True, slots=True)
class OptionList:
    """A list that was mailed: the hash of the game's own, or the mail's own choices, each of one or more lines."""

    mark: str = ""
    choices: tuple[str, ...] = ()
    only: tuple[int, ...] = ()
    """The numbers that the mail showed, if it left some out."""
    private: bool = False
    """True if the mail holds talk to this seat alone, which a bare «yes» may answer."""
    tried: int = 0
    """The number of the orders that it tried; 0 for none."""

    def shows(self, number: int) -> bool:
        """True if the mail showed this number."""
        return not self.only or number in self.only


MOST_OFFERED = 192
"""Positions whose options are remembered, each for one seat."""


@partial(PositionCache, MOST_OFFERED)
def offers_of(game: AnyGame, state: Any, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
    """The options of a seat in its language."""
    return game.offers(state, seat, language)


def offers_mark(texts: Sequence[str]) -> str:
    """A short hash of a list of options."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def remember_lists(
    stored: StoredGame, mails: Mapping[Seat, Mail], record: int, words: PrivateText, texts: dict[str, str]
) -> StoredGame:
    """The table with every list that this record's mails show. Their own choices are added to the private `texts`."""
    lists = dict(stored.secrets.lists)
    for seat, mail in mails.items():
        known = lists.get(seat, MailedLists())
        gathers = mail.game_kind == Status.GATHERING
        own = [choice.text for choice in mail.choices or mail.repairs]
        if not (gathers or own or (mail.decision is not None and mail.offers)):
            continue
        number = mail.decision.number if mail.decision is not None else known.number
        shown = known.shown if known.number == number else ()
        row: tuple[int | str, ...] = shown[-1][1:] if shown else ()
        only: tuple[int | str, ...] = _only(mail)
        if any(one.alone for one in mail.messages):
            only = (*only, PRIVATE)
        if tried := _tried(mail, own):
            only = (*only, f"{TRIED}{tried}")
        if own:
            # The game's options follow what the mail itself lists.
            text = json.dumps([*own, *(offer.text for offer in mail.offers[len(own) :])], ensure_ascii=False)
            if row[:1] != ("",) or row[2:] != only or words.text(str(row[1])) != text:
                row = ("", placeholder(stored.table.game, record, "list.", seat), *only)
                texts[str(row[1])] = text
        elif gathers:
            # A number in answer to this mail stands for nothing.
            row = (NONE,)
        else:
            row = (offers_mark([offer.text for offer in mail.offers]), *only)
        if not shown or shown[-1][1:] != row:
            shown = (*shown, (record, *row))
        lists[seat] = MailedLists(number, shown[-MOST_LISTS:])
    return replace(stored, secrets=replace(stored.secrets, lists=lists))


def _only(mail: Mail) -> tuple[int, ...]:
    """The numbers of the options that a mail shows; empty if it shows all."""
    rows = (*mail.nearest, *(row for _, rows in mail.shown for row in rows))
    return tuple(sorted(number for number, _ in rows)) if len(rows) < len(mail.offers) else ()


def _tried(mail: Mail, own: Sequence[str]) -> int:
    """The number in a mail's list of the orders that it tried; 0 if they are not there as a whole."""
    if mail.kind is not MailKind.TRIAL or any(one.reason is not None for one in mail.said):
        return 0
    texts = [*own, *(offer.text for offer in mail.offers[len(own) :])]
    tried = "\n".join(one.understood for one in mail.said if not one.aside)
    return texts.index(tried) + 1 if tried in texts else 0


def lists_answered(
    lists: MailedLists, game: str, seat: str, record: int, words: PrivateText | None
) -> tuple[OptionList, ...]:
    """The lists that a number may count in: that of the record's mail, or the last one before it; all for record 0.

    Empty if no list is known. A list of `NONE` stands for a mail without one, and for lost choices.
    """

    def listed(at: int | str, found: int | str, *more: int | str) -> OptionList:
        marks = [one for one in more if isinstance(one, str) and one.startswith((PRIVATE, TRIED))]
        own = tuple(one for one in more if isinstance(one, str) and one not in marks)
        only = tuple(one for one in more if isinstance(one, int))
        private = PRIVATE in marks
        tried = next((int(one.removeprefix(TRIED)) for one in marks if one != PRIVATE), 0)
        if own != (name := placeholder(game, int(at), "list.", seat),):
            return OptionList(str(found), own, only, private, tried)
        text = WORDS_LOST if words is None else words.text(name)
        if text in (WORDS_LOST, WORDS_TAKEN_BACK):
            return OptionList(NONE)
        return OptionList("", tuple(json.loads(text)), only, private, tried)

    shown = [(int(row[0]), listed(*row)) for row in lists.shown]
    if not record:
        return tuple(dict.fromkeys(one for _, one in shown))
    before = [one for at, one in shown if at <= record]
    return (before[-1],) if before else (OptionList(NONE),) if shown else ()
