"""Load the translations of mails.

The message ids are English. Another language is a folder `templates/locale/<language>/LC_MESSAGES` with `pbem.po`, from
which `make language` makes `pbem.mo`, and `forms.toml`, which inflects names. Untranslated sentences stay English.
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
    """A file of a language (`fr`, `pt-br`), or of the language without its region."""
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
    """The gettext translations of a language; null translations without a catalogue."""
    found = _found(language, f"{DOMAIN}.mo")
    return gettext.GNUTranslations(io.BytesIO(found.read_bytes())) if found else gettext.NullTranslations()


@cache
def name_forms(language: str) -> Forms:
    """How a language inflects names; not at all without a file."""
    found = _found(language, "forms.toml")
    return parse_forms(tomllib.loads(found.read_text(encoding="utf-8"))) if found else Forms()


@cache
def _typography(language: str) -> Mapping[str, str]:
    """Typographic replacements of a language."""
    found = _found(language, "forms.toml")
    rules: dict[str, str] = tomllib.loads(found.read_text(encoding="utf-8")).get("typography", {}) if found else {}
    return rules


def typeset(text: str, language: str) -> str:
    """Put no-break spaces into a text that is in no catalogue."""
    for plain, instead in _typography(language).items():
        text = text.replace(plain, instead)
    return text


def parse_forms(table: dict[str, Any]) -> Forms:
    """Parse `forms.toml`: `articles` with first words of names, and `forms` with rules. Raises re.error."""
    return Forms(
        {word.lower(): article for article, words in table["articles"].items() for word in words.split()},
        {
            form: tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in rules)
            for form, rules in table["forms"].items()
        },
    )


def language_catalogue(language: str) -> Catalogue:
    """The catalogue that renders sentences in a language."""
    return Catalogue(translations(language), language, name_forms(language))


@cache
def languages() -> tuple[str, ...]:
    """All languages with a catalogue, English first."""
    folder = resources.files("templates").joinpath("locale")
    if not folder.is_dir():
        return (ENGLISH,)
    with_catalogue = (
        part.name.replace("_", "-") for part in folder.iterdir()
        if part.joinpath("LC_MESSAGES", f"{DOMAIN}.mo").is_file()
    )
    return (ENGLISH, *sorted(set(with_catalogue) - {ENGLISH}))


class _Given(dict[str, Any]):
    """The values of a template; `%(name:de)s` is a form of `name`."""

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


def install_translations(environment: Environment, words: gettext.NullTranslations, bends: Forms) -> None:
    """Install jinja's `trans` and gettext functions for a language, with inflected names."""

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
