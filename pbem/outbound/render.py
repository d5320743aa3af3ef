"""Render a `Mail` through the templates into text, HTML and bytes.

A mail consists of parts in one order (`MAIL_PARTS`). Each is written as text first. Its HTML comes from a template
of its own, or else from the text. Equal input gives equal bytes.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from functools import cache, partial
from typing import Any

from jinja2 import BaseLoader, PackageLoader
from markupsafe import Markup

from pbem.inbound.sanitize import one_line
from pbem.outbound import highlight, mime_message
from pbem.outbound.html_style import prose_html, seat_badges, style_sheet
from pbem.outbound.jinja_environments import TemplateSet, template_set
from pbem.outbound.links import Links, link_addresses
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.mime_message import Host, Thread
from pbem.outbound.news import News, fold_news
from pbem.outbound.translation import ENGLISH, languages, translations

__all__ = ["DELIMITER", "Host", "PlainText", "Renderer", "Thread"]

DELIMITER = "—— answer above this line / répondez au-dessus de cette ligne ——"
"""The first line of every mail, by which its quotations are found (`pbem.inbound.quotes`)."""

ANSWER_PARTS = ("first", "said", "nearest", "answers", "messages")
"""Parts about the reader's letter."""

FIRST_PARTS = ("scores", "story", *ANSWER_PARTS, "news", "question", "mine", "options")
"""Parts to be seen at once: the answer to a letter, the news, the question."""

MAIL_PARTS = (*FIRST_PARTS, "position", "earlier", "rules", "how", "dice", "footer", "secret")
"""All parts of a mail in their order."""

GAME_PARTS = ("mine", "position", "secret")
"""Parts that the game's own templates write from its view."""


@dataclass(frozen=True, slots=True)
class BoardExtent:
    """The only thing that a board needs of its mail: whether it is shown in full."""

    full: bool


@dataclass(frozen=True, slots=True)
class PlainText:
    """Subject and unbroken logical lines of a mail."""

    subject: str
    body: str


_shipped = cache(partial(PackageLoader, "templates", ""))
"""The loader of the program's own templates."""


class Renderer:
    """Renders mails; one per host."""

    def __init__(
        self,
        host: Host,
        *,
        loader: BaseLoader | None = None,
        look: Callable[[str], gettext.NullTranslations] = translations,
    ) -> None:
        self.host = host
        self._loader = loader or _shipped()
        self._look = look

    def prepare(self) -> Iterator[object]:
        """Compile all templates in every language, one a step, so that no letter waits for it."""
        for language in languages():
            for part in ("txt", "html"):
                yield from self.room(language, part).prepare()

    def message(
        self, mail: Mail, to: Address, thread: Thread, message_id: str, date: datetime, *, language: str = ENGLISH
    ) -> bytes:
        """Render the bytes of a mail. `message_id` has its angle brackets; `date` is aware. Raises ValueError for an
        address that is not ASCII."""
        writing = _Writing(self, mail, language)
        words = writing.text()
        page = "" if mail.reader.plain else writing.page()
        return mime_message.build_message(
            self.host, mail, words.subject, words.body, page, to, thread, message_id, date
        )

    def text(self, mail: Mail, *, language: str = ENGLISH) -> PlainText:
        """Render the text part, for the terminal and for tests."""
        return _Writing(self, mail, language).text()

    def page(self, mail: Mail, *, language: str = ENGLISH) -> str:
        """Render the HTML part."""
        return _Writing(self, mail, language).page()

    def room(self, language: str, part: str) -> TemplateSet:
        """The templates of a language for the `txt` or the `html` part."""
        return template_set(self._loader, self._look(language), language, part)


class _Writing:
    """One mail while it is rendered."""

    def __init__(self, renderer: Renderer, mail: Mail, language: str) -> None:
        self.mail = mail
        self._host = renderer.host
        self._rooms = partial(renderer.room, language)
        self._boarded = mail.board or mail.kind is MailKind.INVITATION
        self._given: dict[str, Any] = {
            "mail": mail,
            "view": mail.view,
            "names": dict(mail.players),
            "news": News.of(fold_news(mail.news)),
            "shown": mail.shown,
            "badges": seat_badges(mail.players),
            "delimiter": DELIMITER,
        }
        room = self._rooms("txt")
        given = room.given(self._given)
        own = self._own(room, given)
        self._said = own | {"position": self._position(room, mail.view) if self._boarded else ""}
        given |= own
        self.subject = one_line(" ".join(room.written(given, "mail/subject").split()))
        self.parts = {name: _tidy(room.written(given, f"mail/{name}")) for name in MAIL_PARTS}
        self._links = Links(
            self._host.reply_address(mail.token) if mail.token and not mail.spectator else "",
            mime_message.subject_of(self._host, mail, self.subject),
        )

    def text(self) -> PlainText:
        """The text part."""
        return PlainText(self.subject, "\n\n".join([DELIMITER, *filter(None, self.parts.values())]))

    def page(self) -> str:
        """The HTML part. Parts without an HTML template take their text."""
        room = self._rooms("html")
        given = room.given(self._given)
        own = {name: page or prose_html(self._said[name]) for name, page in self._own(room, given).items()}
        given |= {"links": self._links, "style": Markup(style_sheet()[1]), "subject": self.subject}
        drawn = {
            name: Markup(room.written(given | own | {"words": words}, f"mail/{name}")).strip() or prose_html(words)
            for name, words in self.parts.items()
            if words
        }
        # Answers may name the reply addresses of other tables.
        drawn |= {name: link_addresses(drawn[name], self._host) for name in ("said", "answers") if name in drawn}
        return _tidy(room.written(given | {"parts": drawn, "beginning": FIRST_PARTS}, "mail/page"))

    def _own(self, room: TemplateSet, given: Mapping[str, Any]) -> dict[str, str]:
        """The parts of the game's own templates."""
        own = {name: self._of_game(room, name, given) for name in GAME_PARTS if name != "position"}
        return own | {"position": self._board(room) if self._boarded else ""}

    def _of_game(self, room: TemplateSet, name: str, given: Mapping[str, Any]) -> str:
        """Render a part by the game's own template; empty without view or template."""
        if given["view"] is None:
            return ""
        written = _tidy(room.written(given, f"{self.mail.game_kind}/{name}", f"simple/{name}"))
        return Markup(written) if room.part == "html" else written

    def _board(self, room: TemplateSet) -> str:
        """The board, with changes since the reader's last mail marked."""
        now = self._position(room, self.mail.view)
        if self.mail.before is None or not now:
            return now
        before = self._position(room, self.mail.before)
        return highlight.highlight_page(now, before) if room.part == "html" else highlight.highlight_lines(now, before)

    def _position(self, room: TemplateSet, view: Any) -> str:
        """Render the board of a view."""
        shown = BoardExtent(self.mail.full)
        given = {"mail": shown, "view": view, "names": self._given["names"], "badges": self._given["badges"]}
        given["piece"] = room.pieces(self.mail.game_kind, shown, self.mail.players)
        return self._of_game(room, "position", room.given(given))


def _tidy(text: str) -> str:
    """Strip blanks at line ends, and empty lines at both ends and in a row."""
    lines: list[str] = []
    for line in text.split("\n"):
        kept = line.rstrip()
        if kept or (lines and lines[-1]):
            lines.append(kept)
    return "\n".join(lines).strip("\n")
