"""Which list a number counts in: a mark of every list of options that was mailed, kept with the secrets.

A number counts in the list of the mail it answers, as far as the letter tells which one that was, and only while that
list is what is open. Lists of older decisions need no mark: letters that answer those are late as a whole.

Where a mail asks back what was meant, it lists choices instead: whole lines, kept as text. A number that answers that
very mail is read as if the line had been written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.game import Seat
from pbem.desk.lines import option_number
from pbem.mail import Mail
from pbem.store.stored import Stored
from pbem.text import fold
from pbem.tokens import intent_of

KEPT = 40
"""Lists of one decision that are remembered; a number that answers an older one is refused."""

NONE = "none"
"""The mark of no list at all, which no list of options has."""


def offers_mark(texts: Sequence[str]) -> str:
    """A short mark of a list of options."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def with_lists(stored: Stored, mails: Mapping[Seat, Mail], record: int) -> Stored:
    """The position with a mark of every list that this record's mails show, and every choice that they ask back."""
    lists = dict(stored.secrets.also.get("lists", {}))
    for seat, mail in mails.items():
        choices = [choice.text for choice in mail.choices]
        if not choices and (mail.decision is None or not mail.offers):
            continue
        number = mail.decision.number if mail.decision else stored.table.decisions
        mark = offers_mark([offer.text for offer in mail.offers]) if mail.offers else NONE
        known = lists.get(seat, {})
        shown = list(known.get("shown", ())) if known.get("number") == number else []
        if choices:
            shown.append([record, mark, choices])
        elif not shown or shown[-1][1] != mark:
            shown.append([record, mark])
        lists[seat] = {"number": number, "shown": shown[-KEPT:]}
    also = {**stored.secrets.also, "lists": lists} if lists else stored.secrets.also
    return replace(stored, secrets=replace(stored.secrets, also=also))


def listed_in(lists: Mapping[str, Any], record: int) -> str:
    """The mark of the list that a mail of this record showed, or the last one before it; of the newest for 0.

    Empty when no list is known; `NONE` when that mail showed none, nor any before it, and when a letter does not tell
    which mail it answers, and one of them asked something back.
    """
    shown = lists.get("shown", ())
    if not record and any(len(row) > 2 for row in shown):
        return NONE
    marks = [str(row[1]) for row in shown if not record or int(row[0]) <= record]
    return marks[-1] if marks else NONE if shown else ""


def choices_in(lists: Mapping[str, Any], record: int) -> tuple[str, ...]:
    """The choices that a mail of this record asked back, and no other mail; for 0 those that every list agrees on."""
    shown = lists.get("shown", ())
    found = {tuple(str(text) for text in (row[2:] or [()])[0]) for row in shown if not record or int(row[0]) == record}
    return found.pop() if len(found) == 1 else ()


def written_out(
    lines: Sequence[str], written: Sequence[str], choices: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """A letter's lines, and the same as written, with the choice that a number stands for in the place of the number.

    A choice may be of several lines. Numbers beyond the choices stay as they are.
    """
    if not choices:
        return lines, written
    pairs: list[tuple[str, str]] = []
    for line, raw in zip(lines, written, strict=True):
        number = option_number(line)
        if number is not None and 1 <= number <= len(choices):
            pairs += [(fold(text), text) for text in choices[number - 1].split("\n")]
        else:
            pairs.append((line, raw))
    return [line for line, _ in pairs], [raw for _, raw in pairs]


def record_answered(game: str, references: Iterable[str]) -> int:
    """The record of the newest mail of this game that a letter refers to; 0 when it refers to none."""
    intents = (intent_of(reference).rsplit(".", 2) for reference in references)
    return max((int(parts[1]) for parts in intents if len(parts) == 3 and parts[0] == game), default=0)
