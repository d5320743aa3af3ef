"""A mail as a player's program sees it: what is asked, what can be answered, and where the answer goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from email.utils import parseaddr

from engine.catalog import T
from pbem.desk import consent
from pbem.desk.consent import Means
from pbem.inbound.text import unflow
from pbem.outbound.catalogue import catalogue, languages

_OPTION = re.compile(r"\[(\d+)\] .+")
_JOIN = ("join", *(words[Means.JOINS] for words in consent.WRITTEN.values()))
_NOT_PLAYED = T("NOT PLAYED.")


@dataclass(frozen=True, slots=True)
class Received:
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
        return bool(self.options) or self.invites

    @property
    def refused(self) -> bool:
        """Whether it says that our last letter was not played."""
        says = tuple(catalogue(one).render(_NOT_PLAYED).rstrip(".") for one in languages())
        return any(line.startswith(says) for line in self.text.splitlines()[:4])

    @property
    def heading(self) -> str:
        """Where the game stands, as the subject tells it: «Round 3 of 6»."""
        return self.subject.partition("] ")[2].partition(": ")[0].strip()


def read(raw: bytes) -> Received:
    """Read a mail from its bytes."""
    message = message_from_bytes(raw, policy=default)
    body = message.get_body(("plain",))
    text = "\n".join(unflow(str(body.get_content()).splitlines() if body is not None else []))
    answers_to = parseaddr(str(message["Reply-To"] or message["From"] or ""))[1]
    references = f"{message['References'] or ''} {message['Message-ID'] or ''}".split()
    return Received(
        subject=str(message["Subject"] or ""),
        text=text,
        message_id=str(message["Message-ID"] or ""),
        references=" ".join(dict.fromkeys(references)),
        reply_to=answers_to,
        choices=_choices(text),
    )


def _choices(text: str) -> tuple[str, ...]:
    """The lines of the numbered options, as long as they count from 1."""
    found: list[str] = []
    for line in text.splitlines():
        match = _OPTION.fullmatch(line)
        if match and int(match[1]) == len(found) + 1:
            found.append(line)
    return tuple(found)
