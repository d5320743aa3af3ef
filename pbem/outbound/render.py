"""Mails as messages: what a `Mail` says, put into words by the templates, and into bytes by the rules of mail.

Equal input gives equal bytes: no clock, no random boundary, no message id of the library's own making.
"""

from __future__ import annotations

import binascii
import gettext
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.policy import SMTP
from email.utils import format_datetime

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, Template, TemplatesNotFound

from engine.catalog import Catalogue, Msg
from pbem.inbound.speech import WRITTEN_LIMIT, one_line, relayed
from pbem.outbound.catalogue import ENGLISH, translations
from pbem.outbound.flowed import flow
from pbem.outbound.mail import Mail, MailKind
from pbem.outbound.news import folded

DELIMITER = "—— answer above this line / répondez au-dessus de cette ligne ——"
"""The first line of every mail: where it is quoted the quotation begins, which ends with its marks, if it has any."""

REPLIES = frozenset({MailKind.RECEIPT, MailKind.TRIAL, MailKind.REFUSAL, MailKind.ANSWER})
"""Kinds that answer a letter, and say so (RFC 3834, section 5)."""

@dataclass(frozen=True, slots=True)
class Host:
    """Who writes the mails. `address` is the mailbox that answers come to; `list_id` names the mails' List-Id.

    `domain` is the right side of our Message-IDs; left empty it is the address's own, and the List-Id follows.
    """

    address: str
    plus_addressing: bool = True
    name: str = "Troyes by Mail"
    domain: str = ""
    list_id: str = ""

    def __post_init__(self) -> None:
        domain = self.domain or self.address.rpartition("@")[2]
        object.__setattr__(self, "domain", domain)
        object.__setattr__(self, "list_id", self.list_id or f"pbem.{domain}")

    def reply_address(self, token: str) -> str:
        """Where an answer to a mail with this token should go: `local+token@domain` where the mailbox can."""
        if not (token and self.plus_addressing):
            return self.address
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{token}@{domain}"


@dataclass(frozen=True, slots=True)
class Thread:
    """The Message-IDs of the first and of the last mail of a thread, with angle brackets; empty when there is none."""

    root: str = ""
    last: str = ""

    def references(self) -> tuple[str, ...]:
        """Both ids, once each (RFC 5322, section 3.6.4)."""
        return tuple(dict.fromkeys(name for name in (self.root, self.last) if name))


@dataclass(frozen=True, slots=True)
class Text:
    """A mail in words: its subject on one line and its body in logical lines, not yet broken."""

    subject: str
    body: str


class Renderer:
    """Writes mails. One per host; keeps one set of compiled templates per language."""

    def __init__(
        self,
        host: Host,
        *,
        loader: BaseLoader | None = None,
        look: Callable[[str], gettext.NullTranslations] = translations,
    ) -> None:
        self.host = host
        self._loader = loader or PackageLoader("templates", "")
        self._look = look
        self._rooms: dict[str, Environment] = {}
        self._from = _encoded("From", _address(host.name, host.address))

    def message(
        self, mail: Mail, to: Address, thread: Thread, message_id: str, date: datetime, *, language: str = ENGLISH
    ) -> bytes:
        """The whole message with CRLF line ends. `message_id` has its angle brackets; `date` is aware.

        Raises ValueError for an address with letters that plain SMTP does not carry.
        """
        words = self.text(mail, language=language)
        subject = words.subject
        if mail.token and not self.host.plus_addressing:
            subject = f"{subject} [{mail.token}]"
        head = [self._from, _encoded("To", _address(one_line(to.display_name), to.addr_spec))]
        if mail.token:
            head.append(_encoded("Reply-To", _address(self.host.name, self.host.reply_address(mail.token))))
        head += [_encoded("Subject", subject), _plain("Date", format_datetime(date)), _plain("Message-ID", message_id)]
        if thread.last:
            head += [_plain("In-Reply-To", thread.last), _plain("References", *thread.references())]
        head += [
            _plain("Auto-Submitted", "auto-replied" if mail.kind in REPLIES else "auto-generated"),
            # No Precedence: RFC 3834 does without it, and some servers delay or hide «bulk», which a turn is not.
            _plain("X-Auto-Response-Suppress", "All"),
            _plain("List-Id", f"<{self.host.list_id}>"),
            _plain("X-PBEM-Game", mail.game),
            _plain("MIME-Version", "1.0"),
            _plain("Content-Type", "text/plain; charset=utf-8; format=flowed; delsp=no"),
            _plain("Content-Transfer-Encoding", "quoted-printable"),
        ]
        # Quoted-printable writes the blank of a soft break as =20, so that no server on the way can strip it.
        body = binascii.b2a_qp(f"{flow(words.body)}\n".replace("\n", "\r\n").encode())
        return f"{''.join(head)}\r\n".encode("ascii") + body

    def text(self, mail: Mail, *, language: str = ENGLISH) -> Text:
        """The words of a mail, for `message`, for the terminal and for tests."""
        room = self._room(language)
        template = room.get_template(f"mail/{mail.kind.value}.txt")
        given = {
            "mail": mail,
            "view": mail.view,
            "host": self.host,
            "delimiter": DELIMITER,
            "news": folded(mail.news),
            "names": dict(mail.players),
            "position": self._of_game(room, mail, "position.txt"),
            "secret": self._of_game(room, mail, "secret.txt"),
        }
        subject = "".join(template.blocks["subject"](template.new_context(given)))
        return Text(one_line(" ".join(subject.split())), _tidy(template.render(given)))

    def _of_game(self, room: Environment, mail: Mail, name: str) -> str:
        """What the game's own template says of the view; nothing without view or template."""
        if mail.view is None:
            return ""
        try:
            template: Template = room.select_template([f"{mail.game_kind}/{name}", f"simple/{name}"])
        except TemplatesNotFound:
            return ""
        return _tidy(template.render(mail=mail, view=mail.view, names=dict(mail.players)))

    def _room(self, language: str) -> Environment:
        found = self._rooms.get(language)
        if found is None:
            found = self._rooms[language] = room_for(self._loader, self._look(language), language)
        return found


def room_for(loader: BaseLoader, look: gettext.NullTranslations, language: str) -> Environment:
    """The templates in one language, with the filters `say` (a sentence), `written` and `said` (people's words)."""
    room = Environment(
        loader=loader,
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.i18n"],
    )
    room.policies["ext.i18n.trimmed"] = True
    room.install_gettext_translations(look, newstyle=True)  # type: ignore[attr-defined]
    catalogue = Catalogue(look, language)

    def say(msg: Msg | str | int) -> str:
        return one_line(catalogue.render(msg))

    room.filters["say"] = room.globals["say"] = say
    room.filters["written"] = lambda text: relayed(text, WRITTEN_LIMIT)
    room.filters["said"] = relayed
    room.filters["name"] = lambda text: relayed(text, 80)
    room.filters["at"] = lambda seat, names: names.get(seat, seat)
    room.filters["rows"] = lambda result, names: {
        **{row: say(result.names[row]) for row in result.scores if row in result.names},
        **names,
    }
    room.filters["ranked"] = lambda totals: sorted(totals.items(), key=lambda row: -row[1])
    return room


def _tidy(text: str) -> str:
    """No blanks at line ends, no two empty lines in a row, none at the ends."""
    lines: list[str] = []
    for line in text.split("\n"):
        kept = line.rstrip()
        if kept or (lines and lines[-1]):
            lines.append(kept)
    return "\n".join(lines).strip("\n")


def _address(name: str, addr_spec: str) -> Address:
    if not addr_spec.isascii():
        raise ValueError(f"{addr_spec}: an address with other than ASCII letters cannot be written to")
    return Address(name, addr_spec=addr_spec)


def _encoded(name: str, value: str | Address) -> str:
    """A header line that holds people's words: encoded and folded by the library (RFC 2047), or ValueError."""
    return str(_POLICY.fold(*_POLICY.header_store_parse(name, value)))


def _plain(name: str, *values: str) -> str:
    """A header line of our own words, one value on each line, as they are.

    The library would turn a long id in In-Reply-To or References into an encoded word, which ends threading in the
    readers that take it literally (cpython issue 85725). Raises ValueError for what a header cannot hold.
    """
    for value in values:
        if not (value.isascii() and value.isprintable() and len(value) < 900):
            raise ValueError(f"{name} cannot hold {value[:80]!r}")
    return f"{name}: " + "\r\n ".join(values) + "\r\n"


# 76 columns, since at 78 the library makes encoded words longer than the 75 characters of RFC 2047.
_POLICY = SMTP.clone(max_line_length=76)
