"""A moderator's deed as players read it in their next mail: its record keeps the sentence and the reason."""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.chronicle import Data
from pbem.desk.packing import unpack_msg


def says(deed: Data, note: str) -> Msg:
    """The sentence of a record's deed with its reason."""
    told = unpack_msg(deed)
    return T("{sentence} Reason: «{reason}»", sentence=told, reason=note) if note else told
