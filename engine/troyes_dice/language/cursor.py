"""One line cut into folded words, and the small readers that take parts from it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.catalog import Msg
from engine.catalog import T
from engine.errors import NotUnderstood
from engine.errors import OrderRefused
from engine.kit.words import kebab
from engine.kit.words import nearest
from engine.troyes_dice.language.words import CLAUSES
from engine.troyes_dice.language.words import COLOURS
from engine.troyes_dice.language.words import USES
from engine.troyes_dice.language.words import VERBS
from engine.troyes_dice.language.words import WIDEST
from engine.troyes_dice.state import Table


class Cursor:
    """One line cut into folded words, taken from the left."""

    def __init__(self, table: Table, seat: str, line: str, words: list[str]) -> None:
        self.table = table
        self.seat = seat
        self.line = line
        self.words = words
        self.assumed: list[Msg] = []

    # Parts.

    def take(self, known: Mapping[str, str]) -> str:
        """What the next words mean, if they are known; the longest name first."""
        for width in range(min(WIDEST, len(self.words)), 0, -1):
            word = "-".join(self.words[:width])
            if word in known:
                del self.words[:width]
                return known[word]
        return ""

    def number(self) -> int | None:
        """A whole number, if one is next."""
        if self.words and re.fullmatch("[0-9]{1,3}", self.words[0]):
            return int(self.words.pop(0))
        return None

    def mark(self, marks: str) -> bool:
        """Take one of these marks, if it is next."""
        if self.words and self.words[0] in marks:
            self.words.pop(0)
            return True
        return False

    def lost(self) -> OrderRefused:
        """The refusal where the line makes no sense, with the nearest word."""
        if not self.words:
            return NotUnderstood(T("«{line}» is not complete.", line=self.line), possible=(self._shape(),))
        word = self.words[0]
        near = nearest(word, (*COLOURS, *USES, *CLAUSES, *VERBS))
        return NotUnderstood(
            T("«{word}» is not understood in «{line}».", word=word, line=self.line),
            possible=(T("{word}", word=near),) if near else (self._shape(),),
        )

    def _shape(self) -> Msg:
        example = "red 6 as white 5: cathedral; pay influence; bonus counts-palace 3"
        if self.table.phase == "numbering":
            rolled = self.table.first_number
            example = f"numbering {rolled} up" if rolled else "numbering 4 5 6 1 2 3"
        elif VERBS.get(kebab(self.line.split(maxsplit=1)[0])) == "bonus":
            example = "bonus counts-palace 3"
        return T("{example}", example=example)

    def finish(self) -> None:
        """Raises NotUnderstood when something is left over."""
        while self.mark(";,"):
            pass
        if self.words:
            raise self.lost()
