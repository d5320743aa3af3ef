"""The data of cards: what each fact may be, a host's corrections, and the sheet to compare with real cards."""

from __future__ import annotations

from engine.kit.card_data.corrections import Corrections, CorrectionsRefused, Heading, checked_corrections
from engine.kit.card_data.fields import Field, Value, WrongValue, frozen
from engine.kit.card_data.tables import confidence_of, fill_numbers, proof_row, read_tables

__all__ = [
    "Corrections",
    "CorrectionsRefused",
    "Field",
    "Heading",
    "Value",
    "WrongValue",
    "checked_corrections",
    "confidence_of",
    "fill_numbers",
    "frozen",
    "proof_row",
    "read_tables",
]
