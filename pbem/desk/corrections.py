"""A deed as players read it in their next mail, from the sentence and the note that its record keeps.

A sentence with `{text}` open is the words themselves (a remark); to any other the note is the reason. What a player
has done is kept twice: as the others read it, and as its doer does.
"""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import Msg, T
from engine.chronicle import Data
from pbem.store.fields import read, write

OWN = "own"
"""In a deed: the sentence that its doer reads; empty where the answer to the letter has told it, which comes first."""


def deed(says: Msg, own: Msg) -> Data:
    """What a player has done, in the others' words and in its own."""
    return {**write(says), OWN: write(own)}


def answered(says: Msg) -> Data:
    """What a player has done, as the others read it; the answer tells its doer."""
    return {**write(says), OWN: ""}


def is_answered(deed: Data) -> bool:
    """Whether the answer to the letter has told the deed to its doer."""
    return deed.get(OWN) == ""


def after(first: Msg, deed: Data) -> Data:
    """A deed with a sentence before it, which everybody reads; `deed` may be empty."""
    if not deed:
        return {**write(first)}
    others, doer = (T("{first} {then}", first=first, then=says(deed, "", own=own)) for own in (False, True))
    return {**write(others), **({OWN: write(doer)} if deed.get(OWN) else {})}


def says(deed: Data, note: str, *, own: bool = False) -> Msg:
    """The sentence of a record's deed with what the moderator wrote; `own` for a reader who has done it."""
    kept = {name: part for name, part in deed.items() if name != OWN}
    told = read(Msg, deed[OWN] if own and deed.get(OWN) else kept, "deed")
    if "{text}" in told.text and not told.args:
        return replace(told, args=(("text", note),)) if note else T("The moderator writes to the table.")
    return T("{sentence} Reason: «{reason}»", sentence=told, reason=note) if note else told
