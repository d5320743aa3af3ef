"""A box of facts: what each may be, a host's corrections of them, and the sheet to hold against real cards."""

from __future__ import annotations

from engine.kit.box.corrections import Corrections, CorrectionsRefused, Heading, check
from engine.kit.box.fields import Field, Value, WrongValue, frozen
from engine.kit.box.tables import fill, proof_row, read_tables, surety

__all__ = [
    "Corrections",
    "CorrectionsRefused",
    "Field",
    "Heading",
    "Value",
    "WrongValue",
    "check",
    "fill",
    "frozen",
    "proof_row",
    "read_tables",
    "surety",
]
