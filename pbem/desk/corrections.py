"""A moderator's deed as players read it in their next mail, from the sentence and the note that its record keeps.

A sentence with `{text}` open is the words themselves (a remark); to any other the note is the reason.
"""

from __future__ import annotations

from dataclasses import replace

from engine.catalog import Msg, T
from engine.chronicle import Data
from pbem.store.fields import read


def says(deed: Data, note: str) -> Msg:
    """The sentence of a record's deed with what the moderator wrote."""
    told = read(Msg, deed, "deed")
    if "{text}" in told.text and not told.args:
        return replace(told, args=(("text", note),)) if note else T("The moderator writes to the table.")
    return T("{sentence} Reason: «{reason}»", sentence=told, reason=note) if note else told
