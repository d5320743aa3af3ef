"""Which list of options a number counts in: a mark of every list that was mailed, kept with the secrets.

A number counts in the list of the mail it answers, as far as the letter tells which one that was, and only while that
list is what is open. Lists of older decisions need no mark: letters that answer those are late as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.game import Seat
from pbem.mail import Mail
from pbem.store.stored import Stored

NONE = "none"
"""The mark of no list at all, which no list of options has."""


def offers_mark(texts: Sequence[str]) -> str:
    """A short mark of a list of options."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def with_lists(stored: Stored, mails: Mapping[Seat, Mail], record: int) -> Stored:
    """The position with a mark of every list that this record's mails show."""
    lists = dict(stored.secrets.also.get("lists", {}))
    for seat, mail in mails.items():
        if mail.decision is None or not mail.offers:
            continue
        mark = offers_mark([offer.text for offer in mail.offers])
        known = lists.get(seat, {})
        shown = list(known.get("shown", ())) if known.get("number") == mail.decision.number else []
        if not shown or shown[-1][1] != mark:
            shown.append([record, mark])
        lists[seat] = {"number": mail.decision.number, "shown": shown}
    also = {**stored.secrets.also, "lists": lists} if lists else stored.secrets.also
    return replace(stored, secrets=replace(stored.secrets, also=also))


def listed_in(lists: Mapping[str, Any], record: int) -> str:
    """The mark of the list that a mail of this record showed, or the last one before it; of the newest for 0.

    Empty when no list is known; `NONE` when that mail showed none, nor any before it.
    """
    shown = lists.get("shown", ())
    marks = [str(mark) for at, mark in shown if not record or int(at) <= record]
    return marks[-1] if marks else NONE if shown else ""

