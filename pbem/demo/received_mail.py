"""A mail as a player's program sees it: what is asked, what can be answered, and where the answer goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.header import decode_header, make_header
from email.utils import parseaddr

from engine.catalog import T
from pbem.desk.pregame import invitation_answer
from pbem.desk.pregame.invitation_answer import Means
from pbem.inbound.body_text import unflow
from pbem.outbound.translation import language_catalogue, languages

_OPTION = re.compile(r"\[(\d+)\] .+")
_JOIN = ("join", *(words[Means.JOINS] for words in invitation_answer.WRITTEN.values()))
_NOT_PLAYED = T("NOT PLAYED.")


@dataclass(frozen=True, slots=True)
class ReceivedMail:
    """One mail. `text` in logical lines; `choices` those that are numbered; `reply_to` where answers go."""

    subject: str
    text: str
    message_id: str
    references: str
    reply_to: str
    choices: tuple[str, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """The words of each choice, without its number and what stands behind the dot."""
        return tuple(line.partition("] ")[2].partition(" · ")[0].strip() for line in self.choices)

    @property
    def invites(self) -> bool:
        """Whether it asks for a word for the dice."""
        return self.options[:1] in [(word,) for word in _JOIN]

    @property
    def asks(self) -> bool:
        """Whether an answer is wanted."""
        return bool(self.options)

    @property
    def refused(self) -> bool:
        """Whether it says that our last letter was not played."""
        says = tuple(language_catalogue(one).render(_NOT_PLAYED).rstrip(".") for one in languages())
        return any(line.startswith(says) for line in self.text.splitlines()[:4])

    @property
    def heading(self) -> str:
        """Where the game stands, as the subject tells it: «Round 3 of 6»."""
        return self.subject.partition("] ")[2].partition(": ")[0].strip()


def parse_mail(raw: bytes) -> ReceivedMail:
    """Read a mail of ours. By the library's older policy, which takes a fifth of the newer one's time: computers share
    a machine with the daemon that they write to."""
    message = message_from_bytes(raw)
    body = next((part for part in message.walk() if part.get_content_type() == "text/plain"), None)
    written = b"" if body is None else bytes(body.get_payload(decode=True))
    lines = unflow(written.decode("utf-8", "replace").splitlines())

    def header(name: str) -> str:
        return " ".join(str(make_header(decode_header(message[name] or ""))).split())

    choices: list[str] = []
    for line in "\n".join(lines).splitlines():
        match = _OPTION.fullmatch(line)
        # Options are counted from 1; other brackets are none.
        if match and int(match[1]) == len(choices) + 1:
            choices.append(line)
    references = f"{header('References')} {header('Message-ID')}".split()
    return ReceivedMail(
        subject=header("Subject"),
        text="\n".join(lines),
        message_id=header("Message-ID"),
        references=" ".join(dict.fromkeys(references)),
        reply_to=parseaddr(header("Reply-To") or header("From"))[1],
        choices=tuple(choices),
    )
