"""A command: how it is written, what it does, and what may follow its word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.catalog import Msg, T
from engine.kit.words import fold_text
from pbem.outbound.translation import ENGLISH, language_catalogue, languages


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
    """A word that a letter's line may begin with, and its aliases, folded."""

    word: str
    does: Does
    usage: Msg
    """A line as people write it."""
    says: Msg
    aliases: tuple[str, ...] = ()
    argument: bool = False
    """Whether text may follow."""
    needs: bool = False
    """Whether text must follow."""
    only: Callable[[str], bool] | None = None
    """Tells of a folded argument whether the line is this command at all: people begin sentences with such a word."""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """The words that may stand first behind it: a language to the English word to its own."""

    def words(self) -> tuple[str, ...]:
        """The word and its aliases."""
        return (self.word, *self.aliases)

    @property
    def name(self) -> Msg:
        """The word in each language: what its usage begins with."""
        return T.each(self.word, **{one: self._head(one) for one in languages() if one != ENGLISH})

    def written(self, argument: str, language: str) -> str:
        """The line of the command with this argument, in a language."""
        if language == ENGLISH:
            return f"{self.word} {argument}".strip()
        first, space, rest = argument.partition(" ")
        value = self.values.get(language, {}).get(fold_text(first), first)
        return f"{self._head(language)} {value}{space}{rest}".strip()

    def takes(self, value: str) -> bool:
        """Whether a word, folded, is one of `values` in any language."""
        return any(value in (english, fold_text(said)) for row in self.values.values() for english, said in row.items())

    def meant(self, argument: str) -> str:
        """What stands behind the command, its first word in English where it is one of `values`."""
        first, space, rest = argument.partition(" ")
        known = {fold_text(said): value for row in self.values.values() for value, said in row.items()}
        return f"{known.get(fold_text(first), first)}{space}{rest}"

    def _head(self, language: str) -> str:
        return language_catalogue(language).render(self.usage).split()[0]


def takes_nothing(argument: str) -> bool:
    """For `Command.only`: nothing may follow."""
    return not argument
