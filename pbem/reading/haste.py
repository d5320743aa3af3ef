"""French as it is written at a phone, put back into words: «jveux», «chuis», «koi», by the table `haste.toml`."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

_TABLE = tomllib.loads((files(__package__) / "haste.toml").read_text(encoding="utf-8"))


def _meant(table: str) -> dict[str, str]:
    return {form: word for word, forms in _TABLE[table].items() for form in forms.split()}


_EVERYWHERE = _meant("everywhere")
_SENTENCES = {**_EVERYWHERE, **_meant("sentences")}
_WORD = re.compile(r"\b[^\W\d_]+\b")
_I = re.compile(r"[jJ][bcdfgklmnpqrstvwxz][^\W\d_]{2,}")
_ELIDED = re.compile(r"[jJ]h[^\W\d_]{3,}")
_ALONE = re.compile(r"\bj (?=[bcdfghklmnpqrstvwxz])")
"""«j» for «je»: glued to what one does, or before it."""


def spelt(text: str, *, sentence: bool = False) -> str:
    """A text with such forms written out; those that are some word of orders, only where it is a `sentence`."""
    forms = _SENTENCES if sentence else _EVERYWHERE

    def word(found: re.Match[str]) -> str:
        said = found[0]
        if len(said) > 2 and said.isupper() and not text.isupper():
            # CEST and the like.
            return said
        if meant := forms.get(said.lower()):
            return meant.capitalize() if said[0].isupper() else meant
        if _ELIDED.fullmatch(said):
            return f"{said[0]}'{said[1:]}"
        return f"{said[0]}e {said[1:]}" if _I.fullmatch(said) else said

    return _ALONE.sub("je ", _WORD.sub(word, text))
