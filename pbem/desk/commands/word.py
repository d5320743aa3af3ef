"""One command word: how it is written, what it is for, and what family it belongs to."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum

from engine.catalog import Msg


class Does(StrEnum):
    """What kind of thing a command does to the letter it stands in."""

    ASK = "ask"
    """A question: changes nothing, whatever token it comes with."""
    SAY = "say"
    """Talk between people."""
    TRY = "try"
    """The orders that follow are shown and not played."""
    UNDO = "undo"
    """Takes back the seat's last orders."""
    BACK = "back"
    """The writer plays again, where a computer has sat in."""
    SET = "set"
    """Sets something of the writer's own, or of the table."""
    STOP = "stop"
    """Reading ends here."""


@dataclass(frozen=True, slots=True)
class Command:
    """`usage` shows the words as they are written; `argument` says whether text may follow, `needs` that it must. Where
    `only` is told, it is a command with one of these arguments alone: people begin sentences with such a word."""

    word: str
    does: Does
    usage: Msg
    says: Msg
    aliases: tuple[str, ...] = ()
    argument: bool = False
    needs: bool = False
    only: Container[str] | None = None

    def words(self) -> tuple[str, ...]:
        """The word and its aliases, folded."""
        return (self.word, *self.aliases)
