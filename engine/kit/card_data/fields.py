"""What a fact of a card may be, how a person writes it, and what would be right if it is wrong."""

from __future__ import annotations

from typing import Any

from engine.catalog import Msg, T
from engine.values import fixed

Value = int | str | tuple[int, ...] | tuple[str, ...] | tuple[tuple[int, int], ...]


class WrongValue(Exception):  # noqa: N818 - a finding about what a person wrote
    """A value that a field cannot have; `right` says what it can."""

    def __init__(self, right: Msg) -> None:
        super().__init__(right.text)
        self.right = right


@fixed
class Field:
    """One fact that a host may correct: a whole number from `least` to `most`, or one of `words`, or a list of either.

    A list has `shortest` to `longest` items; 0 is a single value. With `pairs` its items are pairs of numbers, each
    once. `order` is `rising` (each number once), `falling`, or `once` (each word once, kept in the order of `words`).
    """

    least: int = 0
    most: int = 30
    words: tuple[str, ...] = ()
    shortest: int = 0
    longest: int = 0
    order: str = ""
    pairs: bool = False

    @property
    def right(self) -> Msg:
        """What the field may be, to end the sentence «it must be …»."""
        size = str(self.longest) if self.shortest == self.longest else f"{self.shortest}–{self.longest}"
        bounds: dict[str, int] = {"least": self.least, "most": self.most}
        words = tuple(f'"{word}"' for word in self.words)
        if words and self.order == "once":
            return T("a list of words, each once, out of {words}", words=words)
        if words and self.longest:
            return T("a list of {size} out of {words}", size=size, words=words)
        if words:
            return T("one of {words}", words=words)
        if self.pairs:
            return T(
                "{size} different pairs of whole numbers from {least} to {most}, such as [[1, 2], [2, 2]]",
                size=size,
                **bounds,
            )
        if not self.longest:
            return T("a whole number from {least} to {most}", **bounds)
        if self.order == "rising":
            return T("a list of {size} rising whole numbers from {least} to {most}", size=size, **bounds)
        if self.order == "falling":
            return T("a list of {size} whole numbers from {least} to {most}, dearest first", size=size, **bounds)
        return T("a list of {size} whole numbers from {least} to {most}", size=size, **bounds)

    def read(self, found: object) -> Value:
        """Return the value with lists as tuples. Raises WrongValue."""
        if not self.longest:
            if self._fits(found):
                return frozen(found)
        elif isinstance(found, list | tuple) and self.shortest <= len(found) <= self.longest:
            items: tuple[Any, ...] = tuple(tuple(item) if isinstance(item, list) else item for item in found)
            if all(map(self._fits, items)) and self._in_order(items):
                return tuple(word for word in self.words if word in items) if self.order == "once" else items
        raise WrongValue(self.right)

    def write(self, value: Value) -> str:
        """Return the value as a few words: `2`, `3 2`, `yellow white`, `1/6 2/5`."""
        if not isinstance(value, tuple):
            return str(value)
        return " ".join("/".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value)

    def parse(self, text: str) -> Value:
        """Read what `write` wrote. Raises WrongValue."""
        items: list[Any] = text.split()
        try:
            if self.pairs:
                items = [[int(number) for number in item.split("/")] for item in items]
            elif not self.words:
                items = [int(item) for item in items]
        except ValueError:
            raise WrongValue(self.right) from None
        if self.longest:
            return self.read(items)
        return self.read(items[0] if len(items) == 1 else None)

    def _fits(self, item: object) -> bool:
        if self.pairs and isinstance(item, tuple):
            return len(item) == 2 and all(map(self._is_number, item))
        if self.words:
            return isinstance(item, str) and item in self.words
        return not self.pairs and self._is_number(item)

    def _is_number(self, item: object) -> bool:
        return type(item) is int and self.least <= item <= self.most

    def _in_order(self, items: tuple[Any, ...]) -> bool:
        if self.order == "falling":
            return list(items) == sorted(items, reverse=True)
        if self.order == "rising":
            return list(items) == sorted(set(items))
        return len(set(items)) == len(items) or not (self.pairs or self.order == "once")


def frozen(value: object) -> Value:
    """Return a value of TOML with lists made into tuples."""
    if isinstance(value, list):
        return tuple(tuple(item) if isinstance(item, list) else item for item in value)
    assert isinstance(value, int | str)
    return value
