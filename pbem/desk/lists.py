"""Which list of options a number counts in: a mark of every list that was mailed, kept with the secrets.

A number counts in the list of the mail it answers, and only while that list is what is open; where the mail shows some
of it, the numbers that it shows are kept, too. Where a letter does not
tell which of several mails it answers, every list of the decision is looked at. A mail that asks back, or that suggests
orders, makes choices of its own, which are kept word for word, outside the repository (`pbem.store.words`). Lists of
older decisions need no mark: letters that answer those are late as a whole.
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
from pbem.store.recent import OfStates
from pbem.store.stored import Stored
from pbem.store.table import Lists, Status
from pbem.store.words import LOST, TAKEN_BACK, Words, mark

NONE = "none"
"""The mark of no list at all, which no list of options has."""


PRIVATE, TRIED = "private", "tried "
"""What marks the list of a mail in which somebody has said something to this seat alone; and of one that tells what
orders would do, with their number in it: a «yes» plays them."""

MOST_LISTS = 40
"""Lists of one decision that are remembered, the newest."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list that was mailed: the mark of the game's own, or choices that the mail made itself, of a line or more."""

    mark: str = ""
    choices: tuple[str, ...] = ()
    only: tuple[int, ...] = ()
    """The numbers that the mail showed, in their order, where it left some out."""
    private: bool = False
    """Whether the mail tells what somebody has said to this seat alone: a bare «yes» may answer that."""
    tried: int = 0
    """The number of what it has tried; 0 for nothing."""

    def shows(self, number: int) -> bool:
        """Whether the mail showed an option under this number, if there is one."""
        return not self.only or number in self.only


MOST_OFFERED = 192
"""Positions whose options are remembered, each for one seat."""


@partial(OfStates, MOST_OFFERED)
def offered(game: AnyGame, state: Any, seat: Seat, language: str = "en") -> tuple[Offer, ...]:
    """The options of a seat in its language, made once for the mail that lists them and the letter that answers it."""
    return game.offers(state, seat, language)


def offers_mark(texts: Sequence[str]) -> str:
    """A short mark of a list of options."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def with_lists(
    stored: Stored, mails: Mapping[Seat, Mail], record: int, words: Words, texts: dict[str, str]
) -> Stored:
    """The position with a mark of every list that this record's mails show, as they are read, and of every choice of
    their own.

    The choices, which may quote a letter, are put among the `texts` that lie outside the repository.
    """
    lists = dict(stored.secrets.lists)
    for seat, mail in mails.items():
        known = lists.get(seat, Lists())
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
                row = ("", mark(stored.table.game, record, "list.", seat), *only)
                texts[str(row[1])] = text
        elif gathers:
            # What could be answered before is not what this mail tells: a number under it stands for nothing.
            row = (NONE,)
        else:
            row = (offers_mark([offer.text for offer in mail.offers]), *only)
        if not shown or shown[-1][1:] != row:
            shown = (*shown, (record, *row))
        lists[seat] = Lists(number, shown[-MOST_LISTS:])
    return replace(stored, secrets=replace(stored.secrets, lists=lists))


def _only(mail: Mail) -> tuple[int, ...]:
    """The numbers of the options that a mail shows; none where it shows them all."""
    rows = (*mail.nearest, *(row for _, rows in mail.shown for row in rows))
    return tuple(sorted(number for number, _ in rows)) if len(rows) < len(mail.offers) else ()


def _tried(mail: Mail, own: Sequence[str]) -> int:
    """The number in a mail's list of the orders that it tells of trying, all of them; 0 for none."""
    if mail.kind is not MailKind.TRIAL or any(one.reason is not None for one in mail.said):
        return 0
    texts = [*own, *(offer.text for offer in mail.offers[len(own) :])]
    tried = "\n".join(one.understood for one in mail.said if not one.aside)
    return texts.index(tried) + 1 if tried in texts else 0


def listed_in(lists: Lists, game: str, seat: str, record: int, words: Words | None) -> tuple[Listed, ...]:
    """The lists that a number may count in: the one that a mail of this record showed, or the last one before it.

    All of them for 0, when a letter does not tell which it answers. Empty when no list is known; `NONE` is the mark
    when that mail showed none, nor any before it, and where its choices were lost.
    """

    def listed(at: int | str, found: int | str, *more: int | str) -> Listed:
        marks = [one for one in more if isinstance(one, str) and one.startswith((PRIVATE, TRIED))]
        own = tuple(one for one in more if isinstance(one, str) and one not in marks)
        only = tuple(one for one in more if isinstance(one, int))
        private = PRIVATE in marks
        tried = next((int(one.removeprefix(TRIED)) for one in marks if one != PRIVATE), 0)
        if own != (name := mark(game, int(at), "list.", seat),):
            return Listed(str(found), own, only, private, tried)
        text = LOST if words is None else words.text(name)
        return Listed(NONE) if text in (LOST, TAKEN_BACK) else Listed("", tuple(json.loads(text)), only, private, tried)

    shown = [(int(row[0]), listed(*row)) for row in lists.shown]
    if not record:
        return tuple(dict.fromkeys(one for _, one in shown))
    before = [one for at, one in shown if at <= record]
    return (before[-1],) if before else (Listed(NONE),) if shown else ()
