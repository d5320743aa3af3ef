"""The jinja environments: for each language one for text and one for HTML, with the same filters.

HTML escapes everything but our own markup. People's words pass the filters `written`, `said` or `name` in both.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import groupby
from typing import Any, TypeAlias

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound
from markupsafe import Markup

from engine.catalog import Catalogue, Msg, T
from pbem.inbound.sanitize import WRITTEN_LIMIT, clean_text, one_line
from pbem.outbound import html_style
from pbem.outbound.translation import install_translations, languages, name_forms
from pbem.outbound.translation import language_catalogue as catalogue_of

Players: TypeAlias = tuple[tuple[str, str], ...]
"""Seats, clockwise, with their display names."""

LANGUAGE_OFFER = T("To have your mails in English, answer «language en».")
"""Shown in each language to readers who have not chosen one; each catalogue names its own."""


SENTENCES_KEPT = 8192
"""Rendered sentences to keep: most of a board are those of the mail before."""

PIECES_KEPT = 2048
"""Rendered pieces of boards to keep: those of some thirty tables."""

SHARED_TEMPLATES = ("mail/choosing.txt",)
"""Text templates that HTML templates include."""

MAX_IN_SENTENCE = 3
"""Most orders in one sentence of HTML; more become a list."""


class TemplateSet:
    """The templates of one language and one part of a mail (`txt` or `html`)."""

    def __init__(self, loader: BaseLoader, words: gettext.NullTranslations, language: str, part: str) -> None:
        self.part = part
        self.environment = jinja_environment(loader, words, language, escaped=part == "html")
        self.find = cache(self._find)
        self._piece = lru_cache(PIECES_KEPT)(self._rendered)

    def _find(self, *names: str) -> Template | None:
        """The first of these templates that exists."""
        for name in names:
            try:
                return self.environment.get_template(f"{name}.{self.part}")
            except TemplateNotFound:
                continue
        return None

    def prepare(self) -> Iterator[object]:
        """Compile the templates of mails and games, one a step."""
        stem = len(self.part) + 1
        for name in self.environment.list_templates([self.part]):
            if "/" in name and not name.startswith("replay/"):
                yield self.find(name[:-stem])
        yield from map(self.environment.get_template, SHARED_TEMPLATES)

    def given(self, own: Mapping[str, Any]) -> dict[str, Any]:
        """The context of templates: `own` and the globals."""
        return {**self.environment.globals, **own}

    def written(self, given: Mapping[str, Any], *names: str) -> str:
        """Render the first of these templates that exists; empty without one. `given` comes from the method `given`, so
        that it is gathered once for all templates of a mail."""
        if (template := self.find(*names)) is None:
            return ""
        # A template sets variables in its own context only.
        context = template.new_context(given, shared=True)  # type: ignore[arg-type]
        return "".join(template.root_render_func(context))

    def pieces(self, kind: str, shown: Hashable, players: Players) -> Callable[[str, Hashable], str]:
        """The function `piece` of board templates: render a template of the same game for one value of the view.

        The template sees the value (`it`), the extent (`mail`) and the players only, so the result is cached for all
        boards with an equal value.
        """
        return partial(self._piece, kind, shown, players)

    def _rendered(self, kind: str, shown: Hashable, players: Players, name: str, value: Hashable) -> str:
        given = {"mail": shown, "names": dict(players), "badges": html_style.seat_badges(players), "it": value}
        written = self.written(self.given(given), f"{kind}/{name}").rstrip("\n")
        return Markup(written) if self.part == "html" else written


def line_runs(lines: Sequence[Msg]) -> list[tuple[str, list[Msg]]]:
    """Group successive lines by kind: `rows` (a word to write and its effect), `several` (many orders in one sentence),
    or `plain`."""

    def kind(line: Msg) -> str:
        filled = {name for name, _ in line.args}
        several = dict(line.args).get("orders", ())
        if {"usage", "says"} <= filled or {"verb", "order"} <= filled:
            return "rows"
        return "several" if isinstance(several, tuple) and len(several) > MAX_IN_SENTENCE else "plain"

    return [(name, list(found)) for name, found in groupby(lines, kind)]


template_set = lru_cache(32)(TemplateSet)
"""Cached, so that templates are compiled once in a process."""


def jinja_environment(
    loader: BaseLoader, words: gettext.NullTranslations, language: str, *, escaped: bool = False
) -> Environment:
    """Make an environment with the filters `say` (sentences), `written` and `said` (people's words)."""
    made = Environment(
        loader=loader,
        auto_reload=False,
        autoescape=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.policies["ext.i18n.trimmed"] = True
    install_translations(made, words, name_forms(language))
    catalogue = Catalogue(words, language, name_forms(language))

    sentence = lru_cache(SENTENCES_KEPT)(lambda msg: one_line(catalogue.render(msg)))

    def say(msg: Msg | str | int) -> str:
        return sentence(msg) if isinstance(msg, Msg) else one_line(catalogue.render(msg))

    others = tuple((one, one_line(catalogue_of(one).render(LANGUAGE_OFFER))) for one in languages() if one != language)
    made.globals |= {"say": say, "look": html_style.css, "language": language, "other_languages": others}
    made.filters |= {
        "say": say,
        "written": lambda text: clean_text(text, WRITTEN_LIMIT),
        "said": clean_text,
        "name": lambda text: clean_text(text, 80),
        "rows": lambda result, names: {
            **{row: say(result.names[row]) for row in result.scores if row in result.names},
            **names,
        },
        "at": lambda seat, names: names.get(seat, seat),
        "ranked": lambda totals: sorted(totals.items(), key=lambda row: -row[1]),
        "components": lambda result: list(dict.fromkeys(key for seat in result.totals for key in result.scores[seat])),
        "runs": line_runs,
        "drawn": html_style.draw_dice,
        "prose": html_style.prose_html,
    }
    return made
