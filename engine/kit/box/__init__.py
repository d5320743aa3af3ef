"""A box of facts: what each may be, a host's corrections of them, and the sheet to hold against real cards."""

from __future__ import annotations

from engine.kit.box.corrections import Corrections
from engine.kit.box.corrections import CorrectionsRefused
from engine.kit.box.corrections import Heading
from engine.kit.box.corrections import check
from engine.kit.box.fields import Field
from engine.kit.box.fields import Value
from engine.kit.box.fields import WrongValue
from engine.kit.box.fields import frozen
from engine.kit.box.tables import french
from engine.kit.box.tables import proof_row
from engine.kit.box.tables import read_tables
from engine.kit.box.tables import surety

__all__ = [
    "Corrections",
    "CorrectionsRefused",
    "Field",
    "Heading",
    "Value",
    "WrongValue",
    "check",
    "french",
    "frozen",
    "proof_row",
    "read_tables",
    "surety",
]
