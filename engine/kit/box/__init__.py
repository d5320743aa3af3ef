"""The data of cards: what each fact may be, a host's corrections, and the sheet to compare with real cards."""

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
