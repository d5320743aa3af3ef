"""The words of rule positions (design: positions), as far as they are alike in every game.

A position is judged only if each of its words is known: one that is misspelt would be passed over, and the position
would pass without having been compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

Words = Any
"""What may stand in a place: a table of words to what may stand there in turn, a list with one such table for the rows
of a list, or None for anything."""


def misspelt(data: Any, words: Words, path: str = "") -> Iterator[str]:
    """Each key of `data` that `words` do not know, by its path, with the nearest word that is known there."""
    if isinstance(words, list) and isinstance(data, list):
        for number, row in enumerate(data, start=1):
            yield from misspelt(row, words[0], f"{path}.{number}")
    elif isinstance(words, dict) and isinstance(data, dict):
        for key, value in data.items():
            whole = f"{path}.{key}" if path else str(key)
            if key in words:
                yield from misspelt(value, words[key], whole)
            else:
                near = get_close_matches(str(key), words, 1)
                yield f"{whole} is no word of a position" + (f"; did you mean {near[0]}?" if near else "")
