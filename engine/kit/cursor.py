"""The refusals for words that belong to no order."""

from __future__ import annotations

from engine.catalog import T
from engine.errors import NotUnderstood


def unknown(word: str, line: str) -> NotUnderstood:
    """The refusal for a word that means nothing where it stands."""
    return NotUnderstood(T("«{word}» is not understood in «{line}».", word=word, line=line))


def no_verb(word: str) -> NotUnderstood:
    """The refusal for a line whose first word begins no order."""
    return NotUnderstood(T("«{word}» begins no order.", word=word))


def no_order(line: str) -> NotUnderstood:
    """The refusal for a line without a word."""
    return NotUnderstood(T("There is no order in «{line}».", line=line))
