"""The languages mails are written in.

English is the language of the message ids and needs no file. Any other language is a folder
`templates/locale/<language>/LC_MESSAGES`: `pbem.po`, from which `make language` makes `pbem.mo`, and `forms.toml`,
which says how the language bends names. What it does not translate stays English.
"""

from __future__ import annotations

import gettext
import io
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from jinja2 import Environment, pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

from engine.catalog import Bendable, Catalogue, Forms

DOMAIN = "pbem"
ENGLISH = "en"


def _found(language: str, file: str) -> Traversable | None:
    """A file of a language (`fr`, `pt-br`), or of what it is a kind of."""
    folder = resources.files("templates").joinpath("locale")
    for name in (language, language.partition("-")[0]):
        if not name.replace("-", "").isalnum():
            break
        found = folder.joinpath(name.replace("-", "_"), "LC_MESSAGES", file)
        if found.is_file():
            return found
    return None


@cache
def translations(language: str) -> gettext.NullTranslations:
    """The sentences of a language; none when there is no catalogue."""
    found = _found(language, f"{DOMAIN}.mo")
    return gettext.GNUTranslations(io.BytesIO(found.read_bytes())) if found else gettext.NullTranslations()


@cache
def forms(language: str) -> Forms:
    """How a language bends names; not at all where it has no file."""
    found = _found(language, "forms.toml")
    return forms_of(tomllib.loads(found.read_text(encoding="utf-8"))) if found else Forms()


@cache
def _typography(language: str) -> Mapping[str, str]:
    """What is put in when a text of a language is set; nothing where it says nothing."""
    found = _found(language, "forms.toml")
    rules: dict[str, str] = tomllib.loads(found.read_text(encoding="utf-8")).get("typography", {}) if found else {}
    return rules


def typeset(text: str, language: str) -> str:
    """A text that is in no catalogue, with the blanks that must not break, as the catalogue's sentences have them."""
    for plain, instead in _typography(language).items():
        text = text.replace(plain, instead)
    return text


def forms_of(table: dict[str, Any]) -> Forms:
    """`forms.toml`: `articles`, each with the first words of the names that have it, and `forms`, each with its rules.

    Raises re.error for a pattern that is none.
    """
    return Forms(
        {word.lower(): article for article, words in table["articles"].items() for word in words.split()},
        {
            form: tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in rules)
            for form, rules in table["forms"].items()
        },
    )


def catalogue(language: str) -> Catalogue:
    """What renders the sentences of a language."""
    return Catalogue(translations(language), language, forms(language))


@cache
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


class _Given(dict[str, Any]):
    """What a template fills in; `%(name:de)s` asks for a form of `name`."""

    def __init__(self, given: dict[str, Any], bends: Forms) -> None:
        super().__init__(given)
        self._bends = bends

    def __missing__(self, asked: str) -> str:
        name, colon, form = asked.partition(":")
        if not colon:
            raise KeyError(asked)
        value = self[name]
        bent = format(Bendable(self._bends, ((str(value), True),)), form)
        return Markup(bent) if isinstance(value, Markup) else bent


def install(environment: Environment, words: gettext.NullTranslations, bends: Forms) -> None:
    """Give templates the sentences of a language: jinja's own `trans`, with forms of what is filled in."""

    def saying(look: Callable[..., str]) -> Callable[..., str]:
        @pass_eval_context
        def say(escaping: EvalContext, *ids: str | int, **given: Any) -> str:
            if isinstance(ids[-1], int):
                given.setdefault("num", ids[-1])
            found = look(*ids)
            return (Markup(found) if escaping.autoescape else found) % _Given(given, bends)

        return say

    jinja: Any = environment
    jinja.install_gettext_translations(words, newstyle=True)
    environment.globals |= {
        name: saying(getattr(words, name)) for name in ("gettext", "ngettext", "pgettext", "npgettext")
    }
    # The extension's `_` looks for `gettext` in the context each time it is called.
    environment.globals["_"] = environment.globals["gettext"]
