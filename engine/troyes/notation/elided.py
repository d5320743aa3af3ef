"""French small words that stand glued to others, apart: «d'Anna», «j'achète», «jpasse», «j'y engage», «place-le»."""

from __future__ import annotations

import re
from collections.abc import Callable

_DEEDS = ("hire", "take", "buy", "put", "play", "exploit")
"""What else than a verb tells what is done."""
_ELISION = re.compile(r"\b([ld])'(?=[a-z])")
_SELF = re.compile(r"\b(?:[jm]'|s'(?!ils?\b))(?=[a-z])")  # «je», «me», «se» before a verb
_PRONOUN = re.compile(r"(?<=[a-z])-(le|la|les|moi|nous|y|en)(?![\w-])")
_THERE = re.compile(r"\b(j'|en |je )y (?=[a-z]{3})")  # «j'y engage»
_GLUED = re.compile(r"\b([ld])([a-z]{5,})")  # «leveche», «lattaque»
_CLIPPED = re.compile(r"\bj([a-z]{3,})")  # «jpasse»


def subject_off(line: str, senses: Callable[[str], dict[str, object]]) -> str:
    """A folded line without «je», «me» and «y» before verbs. `senses` tells what a word can be."""

    def verb(found: re.Match[str]) -> str:
        """Without «je»; what is a word by itself stands as it is."""
        can_be = senses(found[1])
        does = "verb" in can_be or can_be.get("role") in _DEEDS or "filler" in can_be
        return found[1] if does and not senses(found[0]) else found[0]

    return _SELF.sub("", _CLIPPED.sub(verb, _THERE.sub(r"\1", line)))


def articles_apart(line: str, senses: Callable[[str], dict[str, object]]) -> str:
    """A folded line with «l'», «d'» and the «le» behind a hyphen as words; without its apostrophe, where what is left
    is a word and the whole is none. `senses` tells what a word can be."""

    def apart(found: re.Match[str]) -> str:
        noun = found[2][0] in "aeiouh" and senses(found[2])
        return f"{found[1]} {found[2]}" if noun and not senses(found[0]) else found[0]

    line = _GLUED.sub(apart, line)
    return _PRONOUN.sub(r" \1", _ELISION.sub(r"\1 ", line))
