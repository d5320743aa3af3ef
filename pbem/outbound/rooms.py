"""The templates in one language: one room for the text of a mail, one for its HTML, with the same filters.

In the HTML room everything is escaped that is not markup of our own; what people wrote passes `written`, `said` or
`name` in both.
"""

from __future__ import annotations

import gettext
from functools import cache

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound

from engine.catalog import Catalogue, Msg
from pbem.inbound.speech import WRITTEN_LIMIT, one_line, relayed
from pbem.outbound import look


class Room:
    """The templates of one language and one part of a mail (`txt` or `html`), each looked for once."""

    def __init__(self, loader: BaseLoader, words: gettext.NullTranslations, language: str, part: str) -> None:
        self.part = part
        self.environment = environment(loader, words, language, escaped=part == "html")
        self.find = cache(self._find)

    def _find(self, *names: str) -> Template | None:
        """The first of these templates that there is."""
        for name in names:
            try:
                return self.environment.get_template(f"{name}.{self.part}")
            except TemplateNotFound:
                continue
        return None


def environment(
    loader: BaseLoader, words: gettext.NullTranslations, language: str, *, escaped: bool = False
) -> Environment:
    """The templates in one language, with the filters `say` (a sentence), `written` and `said` (people's words)."""
    made = Environment(
        loader=loader,
        autoescape=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]
    # The extension's `_` looks for `gettext` in the context each time it is called.
    made.globals["_"] = made.globals["gettext"]
    catalogue = Catalogue(words, language)

    def say(msg: Msg | str | int) -> str:
        return one_line(catalogue.render(msg))

    made.globals |= {"say": say, "look": look.look, "language": language}
    made.filters |= {
        "say": say,
        "written": lambda text: relayed(text, WRITTEN_LIMIT),
        "said": relayed,
        "name": lambda text: relayed(text, 80),
        "rows": lambda result, names: {
            **{row: say(result.names[row]) for row in result.scores if row in result.names},
            **names,
        },
        "at": lambda seat, names: names.get(seat, seat),
        "ranked": lambda totals: sorted(totals.items(), key=lambda row: -row[1]),
        "components": lambda result: list(dict.fromkeys(key for seat in result.totals for key in result.scores[seat])),
        "drawn": look.drawn,
        "prose": look.prose,
    }
    return made
