"""The languages mails are written in, and how their sentences are collected for translators.

English is the language of the message ids and needs no file. Any other language is a compiled catalogue
`templates/locale/<language>/LC_MESSAGES/pbem.mo`; what it does not translate stays English.
"""

from __future__ import annotations

import ast
import gettext
import io
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import IO

DOMAIN = "pbem"
ENGLISH = "en"


@cache
def translations(language: str) -> gettext.NullTranslations:
    """The catalogue of a language (`fr`, `pt-br`); the empty one when there is none."""
    folder = resources.files("templates").joinpath("locale")
    for name in (language, language.partition("-")[0]):
        if not name.replace("-", "").isalnum():
            break
        found = folder.joinpath(name.replace("-", "_"), "LC_MESSAGES", f"{DOMAIN}.mo")
        if found.is_file():
            return gettext.GNUTranslations(io.BytesIO(found.read_bytes()))
    return gettext.NullTranslations()


def languages() -> tuple[str, ...]:
    """Every language there is a catalogue for, English first."""
    folder = resources.files("templates").joinpath("locale")
    if not folder.is_dir():
        return (ENGLISH,)
    with_catalogue = (
        part.name.replace("_", "-") for part in folder.iterdir()
        if part.joinpath("LC_MESSAGES", f"{DOMAIN}.mo").is_file()
    )
    return (ENGLISH, *sorted(set(with_catalogue) - {ENGLISH}))


Extracted = tuple[int, "str | None", "str | tuple[str, ...]", list[str]]


def sentences(
    source: IO[bytes], keywords: Collection[str], tags: Collection[str], options: Mapping[str, object]
) -> Iterator[Extracted]:
    """An extraction method for Babel (see babel.cfg): the sentences of `T("…")` and `T("one", "many", n=…)`.

    Babel's own one takes the second argument of a call for a plural only when no keyword argument follows.
    """
    for node in ast.walk(ast.parse(source.read())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "T"):
            continue
        words = tuple(arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))
        if len(words) == 1:
            yield node.lineno, None, words[0], []
        elif len(words) == 2:
            yield node.lineno, "ngettext", words, []
