"""One line cut into folded words, and the small readers that take parts from it."""

from __future__ import annotations

from engine.catalog import Msg, T
from engine.errors import NotUnderstood, OrderRefused
from engine.kit.cursor import Cursor
from engine.kit.words import kebab
from engine.troyes_dice.notation.words import CLAUSES, COLOURS, USES, VERBS, WIDEST
from engine.troyes_dice.state.state import DiceState


class Reader(Cursor):
    """One line cut into folded words and the marks `:;,`, read against a table."""

    widest = WIDEST

    def __init__(self, state: DiceState, seat: str, line: str, words: list[str]) -> None:
        super().__init__(seat, line, words)
        self.state = state

    def folded(self, at: int = 0) -> str:
        return self.words[at] if at < len(self.words) else ""

    def lost(self) -> OrderRefused:
        """The refusal where the line makes no sense, with the nearest word."""
        if not self.words:
            return NotUnderstood(T("«{line}» is not complete.", line=self.line), possible=(self._shape(),))
        return self.unknown(self.words[0], (*COLOURS, *USES, *CLAUSES, *VERBS), self._shape())

    def _shape(self) -> Msg:
        example = "red 6 as white 5: cathedral; pay influence; bonus counts-palace 3"
        if self.state.phase == "numbering":
            rolled = self.state.first_number
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
