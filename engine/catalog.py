"""Sentences that a person will read, kept apart from the language they will be read in.

The engine and the post room make `Msg` values with `T`; only a `Catalogue` turns them into text, once the
reader's language is known. A message id is the English sentence itself (as gettext does), with `{names}` for
what is filled in. Arguments may be numbers, text, other messages, or a tuple of these (joined with commas).
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from typing import TypeAlias

Arg: TypeAlias = "int | str | Msg | tuple[int | str | Msg, ...]"


@dataclass(frozen=True, slots=True)
class Msg:
    """One sentence or phrase: its id, its plural id if it counts something as `n`, and what is filled in."""

    text: str
    many: str = ""
    args: tuple[tuple[str, Arg], ...] = ()

    def __str__(self) -> str:
        return ENGLISH.render(self)


def T(text: str, many: str = "", /, **args: Arg) -> Msg:  # noqa: N802 - as short as gettext's _
    """Make a message. With `many`, the argument `n` chooses between singular and plural.

    >>> str(T("{n} denier", "{n} deniers", n=6))
    '6 deniers'
    """
    return Msg(text, many, tuple(args.items()))


class Catalogue:
    """Renders messages in one language. `translations` is any gettext catalogue; none means English."""

    def __init__(self, translations: gettext.NullTranslations | None = None, language: str = "en") -> None:
        self.language = language
        self._look = translations or gettext.NullTranslations()

    def render(self, msg: Msg | str | int) -> str:
        """The text of a message; text and numbers pass as they are.

        Raises KeyError when a template names an argument that the message does not carry: a defect, caught by
        the test that renders every message.
        """
        if not isinstance(msg, Msg):
            return str(msg)
        args = dict(msg.args)
        if msg.many:
            count = args["n"]
            template = self._look.ngettext(msg.text, msg.many, count if isinstance(count, int) else 2)
        else:
            template = self._look.gettext(msg.text) if msg.text else ""
        if not args:
            return template
        return template.format_map({name: self._argument(value) for name, value in args.items()})

    def _argument(self, value: Arg) -> str:
        if isinstance(value, tuple):
            return ", ".join(self.render(part) for part in value)
        return self.render(value)


ENGLISH = Catalogue()
"""The language messages are written in; also what `str(msg)` gives to logs and tests."""
