"""What kind of letter it is, so that only people's letters are read as orders and no robot ever gets an answer.

RFC 3834 (automatic answers), RFC 8098 (receipts), RFC 2369 and RFC 2919 (lists), RFC 5546 (calendars), and what
programs do that follow none of them. Reports of mail have a room of their own (`pbem.inbound.bounce`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from pbem.inbound.bounce import Report, Tells, from_daemon, read_report
from pbem.inbound.mime import Part, addresses, untagged
from pbem.reading.signs import fold, plain


class Kind(StrEnum):
    """What a letter is."""

    ORDERS = "orders"
    """A person wrote it."""
    ROBOT = "robot"
    """An automatic answer, a receipt, a notification: never answered."""
    BOUNCE = "bounce"
    """A report that a mail of ours did not arrive, or not yet, or was called spam."""
    LIST = "list"
    """Mail of a list or to many."""
    OWN = "own"
    """Our own mail, come back."""
    FORWARD = "forward"
    """A person passed on another letter: its orders are not the person's own."""
    CALENDAR = "calendar"
    """An invitation or the answer to one."""


@dataclass(frozen=True, slots=True)
class Sorting:
    """The kind of a letter, the reason for the log, and of a bounce what it reports."""

    kind: Kind
    reason: str = ""
    report: Report | None = None


_AUTOMATIC_SUBJECT = re.compile(
    r"(?:automatic reply|reponse automatique|auto[- ]?reply|auto[- ]?response|out of (?:the )?office|absence du bureau|"
    r"message d'absence|notification d'absence|abwesenheitsnotiz|automatische antwort|je suis absent|"
    r"vacation reply|respuesta automatica|risposta automatica)\b"
)
_CALENDAR_SUBJECT = re.compile(r"(?:accepted|declined|tentative|accepte|refuse|provisoire|invitation) ?: ?\S")
_PRECEDENCE = frozenset({"bulk", "junk", "auto_reply", "auto-reply"})


@dataclass(frozen=True)
class Envelope:
    """What tells a letter's kind: its header fields and the types of its parts. `own` are our addresses, lower-case."""

    letter: Part
    sender: str
    subject: str
    own: frozenset[str]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All parts, the letter itself first."""
        return self.letter.walk()

    @cached_property
    def words(self) -> str:
        """The subject, folded."""
        return plain(fold(self.subject))

    @property
    def from_daemon(self) -> bool:
        """Whether a mail server wrote it under its own name."""
        return from_daemon(self.letter, self.sender)

    def field(self, name: str) -> str:
        """The first field of that name as it stands, lower-case; empty when there is none."""
        return self.letter.first(name).strip().lower()


def triage(letter: Part, sender: str, subject: str, own: frozenset[str]) -> Sorting:
    """The kind of a letter: the first of `RULES` that knows it, else a person's.

    `sender` is its From address or "", `subject` its decoded subject. FORWARD is not told here: that needs the text.
    """
    envelope = Envelope(letter, sender, subject, own)
    return next((found for rule in RULES if (found := rule(envelope)) is not None), Sorting(Kind.ORDERS))


def _own(env: Envelope) -> Sorting | None:
    """Our own mail, come back: From names one of our addresses, with or without a tag after `+`."""
    found = {env.sender} if env.sender else set(addresses(" ".join(env.letter.every("from"))))
    ours = any(untagged(address) in env.own or address in env.own for address in found)
    return Sorting(Kind.OWN, "from our own address") if ours else None


def _receipt(env: Envelope) -> Sorting | None:
    """RFC 8098."""
    kinds = (part.kind for part in env.parts)
    found = _report(env) == "disposition-notification" or "message/disposition-notification" in kinds
    return Sorting(Kind.ROBOT, "receipt (RFC 8098)") if found else None


def _report(env: Envelope) -> str:
    return env.letter.parameter("report-type").lower() if env.letter.kind == "multipart/report" else ""


def _mail_report(env: Envelope) -> Sorting | None:
    """A mail server's, or a provider's, of a mail of ours (`pbem.inbound.bounce`)."""
    found = read_report(env.letter, env.sender, env.subject, env.own)
    if found is None or found.what is Tells.DELIVERED:
        return Sorting(Kind.ROBOT, found.why) if found else None
    return Sorting(Kind.BOUNCE, found.why, found)


def _automatic(env: Envelope) -> Sorting | None:
    """RFC 3834, and what programs write that do not follow it."""
    submitted = re.sub(r"\([^()]*\)", "", env.field("auto-submitted")).partition(";")[0].strip()
    if submitted not in ("", "no"):
        return Sorting(Kind.ROBOT, f"auto-submitted: {submitted[:40]}")
    if env.field("precedence") in _PRECEDENCE:
        return Sorting(Kind.ROBOT, "precedence")
    return None


def _automatic_subject(env: Envelope) -> Sorting | None:
    """An automatic answer by its subject alone."""
    return Sorting(Kind.ROBOT, "subject of an automatic answer") if _AUTOMATIC_SUBJECT.match(env.words) else None


def _calendar(env: Envelope) -> Sorting | None:
    """RFC 5546: an invitation or its answer."""
    wanted = (part for part in env.parts if part.kind == "text/calendar" and not part.is_attachment)
    part = next(wanted, None)
    return Sorting(Kind.CALENDAR, f"text/calendar {part.parameter('method')[:20]}".strip()) if part else None


def _calendar_subject(env: Envelope) -> Sorting | None:
    """The same by its subject, where the calendar is only attached."""
    found = _CALENDAR_SUBJECT.match(env.words) and any(part.kind == "text/calendar" for part in env.parts)
    return Sorting(Kind.CALENDAR, "calendar subject") if found else None


def _list(env: Envelope) -> Sorting | None:
    """RFC 2369, RFC 2919."""
    return Sorting(Kind.LIST, "precedence: list") if env.field("precedence") == "list" else None


def _nobody(env: Envelope) -> Sorting | None:
    """What nobody would answer: an empty return path (RFC 5321, section 4.5.5), a mail server's own name."""
    if env.letter.first("return-path") == "<>":
        return Sorting(Kind.ROBOT, "empty return-path")
    return Sorting(Kind.ROBOT, "from a mail daemon") if env.from_daemon else None


def _holds(kind: Kind, *names: str, but: str = "") -> Rule:
    """A rule that knows a letter by a field that it has, whatever it says except `but`."""

    def rule(env: Envelope) -> Sorting | None:
        found = next((name for name in names if env.field(name) not in ("", but)), "")
        return Sorting(kind, found) if found else None

    return rule


Rule = Callable[[Envelope], Sorting | None]
RULES: tuple[Rule, ...] = (
    _own,
    _receipt,
    _mail_report,
    _automatic,
    _holds(
        Kind.ROBOT,
        *("x-autoreply", "x-autorespond", "x-autoresponse", "x-autogenerated", "x-loop", "x-mail-autoreply"),
    ),
    _holds(Kind.ROBOT, "x-auto-response-suppress", but="none"),
    _automatic_subject,
    _calendar,
    _holds(Kind.LIST, "list-id", "list-post", "list-unsubscribe", "list-help", "mailing-list"),
    _list,
    _nobody,
    _calendar_subject,
)
"""What becomes of a letter, asked from above: the first rule that knows it says its kind. None knows a person's."""
