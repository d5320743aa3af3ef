"""Sentences for people, kept apart from the language they will be read in.

The engine and the post room make `Msg` values with `T`; a `Catalogue` turns them into text once the reader's language
is known. A message id is the English sentence itself (as in gettext), with `{names}` for what is filled in. Arguments
are numbers, text, other messages, or a tuple of these (joined with commas).

A translated sentence may bend what is filled in: `{place:de}` asks for the form `de`, which the language declares
(`Forms`). English sentences never do.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from engine.values import fixed

Arg: TypeAlias = "int | str | Msg | tuple[int | str | Msg, ...]"


@fixed
class Msg:
    """One sentence or phrase: its id, its plural id if it counts something as `n`, and its arguments.

    `context` tells apart words that are one in English and several elsewhere. A message of `T.each` has no id.
    """

    text: str
    many: str = ""
    args: tuple[tuple[str, Arg], ...] = ()
    context: str = ""

    def __str__(self) -> str:
        return ENGLISH.render(self)


class _Maker:
    """Makes messages; as short as gettext's `_`."""

    def __call__(self, text: str, many: str = "", /, **args: Arg) -> Msg:
        """Make a message. With `many`, the argument `n` chooses between singular and plural.

        >>> str(T("{n} denier", "{n} deniers", n=6))
        '6 deniers'
        """
        return Msg(text, many, tuple(args.items()))

    def of(self, context: str, text: str, many: str = "", /, **args: Arg) -> Msg:
        """Make a message whose words have another meaning elsewhere: `T.of("a die", "free")`."""
        return Msg(text, many, tuple(args.items()), context)

    def each(self, en: str, **others: str) -> Msg:
        """Make a message from words that the game itself has in several languages, such as an order; English is the
        fallback."""
        return Msg("", args=(("en", en), *others.items()))


T = _Maker()


@fixed
class Forms:
    """How a language bends the names that are filled into its sentences, as data.

    `articles`: first word of a name, in lower case, to its article; people's names have none. `rules`: form to patterns
    with replacements; the first pattern found is replaced, in the name with its article.
    """

    articles: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = field(default_factory=dict)

    def bent(self, text: str, form: str, *, name: bool = False) -> str:
        """Return a text in a form, with a capital if the form has one; `name` marks a person's name, which takes no
        article.

        Raises ValueError for a form that the language does not declare.
        """
        if form.lower() not in self.rules:
            raise ValueError(f"the language has no form {form!r}, only {', '.join(self.rules) or 'none'}")
        if not name:
            text = self.articles.get(text.partition(" ")[0].lower(), "") + text
        for pattern, instead in self.rules[form.lower()]:
            if pattern.search(text):
                text = pattern.sub(instead, text, count=1)
                break
        return text if form.islower() else text[:1].upper() + text[1:]


class Bendable(str):
    """An argument of a sentence that may ask for a form of it; each of its parts then takes that form."""

    __slots__ = ("_forms", "_parts")
    _forms: Forms
    _parts: tuple[tuple[str, bool], ...]

    def __new__(cls, forms: Forms, parts: tuple[tuple[str, bool], ...]) -> Bendable:
        """`parts` are texts, each with a flag for a person's name."""
        made = super().__new__(cls, ", ".join(text for text, _ in parts))
        made._forms, made._parts = forms, parts
        return made

    def __format__(self, form: str) -> str:
        return ", ".join(self._forms.bent(text, form, name=name) for text, name in self._parts) if form else str(self)


_BENT = re.compile(r"\{\w+:")
"""Found in a sentence that bends an argument."""


class Catalogue:
    """Renders messages in one language. `translations` is any gettext catalogue; none means English."""

    def __init__(
        self,
        translations: gettext.NullTranslations | None = None,
        language: str = "en",
        forms: Forms | None = None,
    ) -> None:
        self.language = language
        self.forms = forms or Forms()
        self._look = translations or gettext.NullTranslations()

    def render(self, msg: Msg | str | int) -> str:
        """Return the text of a message; text and numbers pass unchanged.

        Raises KeyError if a template names an argument that the message lacks: a defect, found by the test that renders
        every message.
        """
        if not isinstance(msg, Msg):
            return str(msg)
        args = dict(msg.args)
        if not msg.text and args:
            return str(args.get(self.language, args["en"]))
        template = self._template(msg, args.get("n", 2))
        if not args:
            return template
        fill = self._argument if _BENT.search(template) else self._text
        return template.format_map({name: fill(value) for name, value in args.items()})

    def _template(self, msg: Msg, count: Arg) -> str:
        n = count if isinstance(count, int) else 2
        match bool(msg.context), bool(msg.many):
            case True, True:
                return self._look.npgettext(msg.context, msg.text, msg.many, n)
            case True, False:
                return self._look.pgettext(msg.context, msg.text)
            case False, True:
                return self._look.ngettext(msg.text, msg.many, n)
        return self._look.gettext(msg.text) if msg.text else ""

    def _text(self, value: Arg) -> str:
        """Render an argument for a sentence that asks for no form."""
        return ", ".join(map(self.render, value)) if isinstance(value, tuple) else self.render(value)

    def _argument(self, value: Arg) -> Bendable:
        parts = value if isinstance(value, tuple) else (value,)
        return Bendable(self.forms, tuple((self.render(part), isinstance(part, str)) for part in parts))


ENGLISH = Catalogue()
"""The language messages are written in; also what `str(msg)` gives to logs and tests."""
