"""Recognize bounces, delays and spam complaints about our mails.

Reads delivery reports (RFC 3464, RFC 6533), complaints (RFC 5965), and the prose of servers that follow no standard. A
letter is a bounce in prose only if both its sender and its text say so, so a person's letter never is one. Whether the
report is true and about a mail of ours is checked by `pbem.desk.limits.bounce_reports`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from pbem.inbound.body_text import decode_part
from pbem.inbound.mime import Part, find_addresses, parse_header, untagged
from pbem.inbound.sanitize import one_line
from pbem.inbound.smtp_replies import ReplyFault, classify_reply, is_permanent
from pbem.reading.normalize import folded_line, normalize_line


class ReportKind(StrEnum):
    """What a report says about a mail."""

    FAILED = "failed"
    DELAYED = "delayed"
    DELIVERED = "delivered"
    COMPLAINT = "complaint"


@dataclass(frozen=True, slots=True)
class Report:
    """A bounce, delay or complaint.

    `to` are the recipients it may be about, the likeliest first; `ids` the Message-IDs of the returned mail; `words`
    the server's reason on one line; `fault` its class.
    """

    what: ReportKind
    why: str
    to: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    words: str = ""
    fault: ReplyFault = ReplyFault.OTHER


DAEMONS = frozenset({"mailer-daemon", "postmaster", "post_master", "mail-daemon", "mdaemon", "maildaemon"})
_DAEMON_NAMED = re.compile(r"\b(?:mailer-daemon|mail deliver(?:y|er)? (?:sub)?system|mail\.delivery\.system)\b")

_COMPLAINED = re.compile(r"complaint about message from ")
"""The subject of Hotmail's and Outlook's complaints, which have no fields."""

_SUBJECT = re.compile(
    r"undeliver|deliver\w* (?:\w+ )?(?:status|fail|error|problem|delay|incomplete|impossible|has)|error sending|delayed"
    r"|fail\w*[ :-]+(?:\w+ )?deliver|(?:not|non|cannot|unable to)(?: be)? deliver|could not send"
    r"|fail(?:ed|ure)[ -]+(?:notice|notification|report)|return\w* (?:\w+ )?(?:mail|message|to sender)"
    r"|(?:mail|message)s?\b.{0,30}\b(?:fail|error|return|reject|could not|delay|refused)"
    r"|non remis|non distribue|echec de (?:la )?(?:remise|distribution|livraison)|unzustellbar|zugestellt|zustellung"
    r"|no se (?:pudo|ha podido) entregar|no entregado|mancata consegna|mancato recapito|niet bezorgd|nao entregue"
)  # fmt: skip
_TEXT = re.compile(
    r"\b[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b|<<< [45]\d\d|\b5\d\d[ -]+(?:<|\w+ \w+)|\(#[45]\.\d\.\d\)"
    r"|(?:not|unable to|failed to)(?: yet)?(?: been| be)? (?:deliver|reach)|deliver\w* (?:has )?fail|failed addresses"
    r"|(?:recipients?|address(?:es)?)\b.{0,60}\b(?:fail|reject|undeliver|unknown|did not receive|delivery error)"
    r"|address(?:es)?\b.{0,60}\bincorrectly|returned? to sender|over quota"
)  # fmt: skip
_DELAYED = re.compile(
    r"\bwarning\b|\bdelayed\b|not yet (?:been )?deliver|will (?:keep|continue)|still (?:be )?(?:trying|retr)|retard"
)
_GIVEN_UP = re.compile(r"permanent|given up|giving up|not going to try again|no further|final|returned|gives? up on")
_COPY = re.compile(
    r"^[^\n]{0,60}(?:original message|copy of (?:your|the) (?:message|mail)|message headers|message text"
    r"|headers? follow|returned message|unsent message|received:)", re.MULTILINE | re.IGNORECASE,
)  # fmt: skip
_ID_LINE = re.compile(r"^[ \t>]*message-id:\s*(<[^<>\s]{3,250}>)", re.MULTILINE | re.IGNORECASE)
_TO_LINE = re.compile(r"^[ \t>]*(?:original-recipient|final-recipient|to):[^\n]{0,300}", re.MULTILINE | re.IGNORECASE)

_READ = 20_000
"""Characters of a part that are read."""
_MOST = 10
"""Most addresses, and most Message-IDs, of a report."""
_SHOWN = 160
"""Characters kept of a server's words."""

_RETURNED = ("message/rfc822", "text/rfc822-headers", "text/rfc822-header", "message/rfc822-headers", "message/global")


def read_report(letter: Part, sender: str, subject: str, own: frozenset[str]) -> Report | None:
    """Read a report; None if the letter is none. `own` are our addresses, lower-case."""
    parts = letter.walk()
    kind = letter.parameter("report-type").lower() if letter.kind == "multipart/report" else ""
    named = _COMPLAINED.match(subject) and any(part.kind == "message/rfc822" for part in parts)
    if named or kind == "feedback-report" or any(part.kind == "message/feedback-report" for part in parts):
        return _complaint(parts)
    status = next((part for part in parts if part.kind.startswith("message/") and "delivery-status" in part.kind), None)
    if status is not None and (found := _from_fields(status, parts)) is not None:
        return found
    if failed := letter.first("x-failed-recipients"):
        return _in_prose(parts, subject, own, "x-failed-recipients", find_addresses(failed))
    if kind == "delivery-status" or status is not None:
        return _in_prose(parts, subject, own, "delivery report without fields")
    words = folded_line(normalize_line(subject))
    if _from_nobody(letter, sender) and (_SUBJECT.search(words) or _TEXT.search(_told(parts).lower())):
        return _in_prose(parts, subject, own, "bounce in prose")
    return None


def is_from_daemon(letter: Part, sender: str) -> bool:
    """Whether the sender is a mail server (mailer-daemon, postmaster)."""
    named = folded_line(normalize_line(" ".join(letter.every("from"))[:400]))
    return sender.partition("@")[0] in DAEMONS or bool(_DAEMON_NAMED.search(named))


def _from_nobody(letter: Part, sender: str) -> bool:
    path = letter.first("return-path").strip().lower()
    return path.startswith(("<>", "<mailer-daemon")) or is_from_daemon(letter, sender)


def _told(parts: Iterable[Part]) -> str:
    """The first text of a report, without the returned mail."""
    text = next((decode_part(part)[:_READ] for part in parts if part.kind == "text/plain"), "")
    copy = _COPY.search(text)
    return text[: copy.start()] if copy and copy.start() > 40 else text


def _returned(parts: Iterable[Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Message-IDs and recipients of the returned mail."""
    ids: list[str] = []
    to: list[str] = []
    for part in parts:
        if part.kind in _RETURNED:
            fields = parse_header(part.content()[:_READ])
            ids += re.findall(r"<[^<>\s]{3,250}>", fields.first("message-id"))
            to += find_addresses(fields.first("to"))
        elif part.kind == "text/plain":
            text = decode_part(part)[:_READ]
            ids += _ID_LINE.findall(text)
            to += [one for line in _TO_LINE.findall(text) for one in find_addresses(line)]
    return tuple(dict.fromkeys(ids))[:_MOST], tuple(dict.fromkeys(to))[:_MOST]


def _groups(status: Part) -> Iterator[dict[str, str]]:
    """The fields of a delivery report for each recipient (RFC 3464, section 2.3)."""
    text = decode_part(status)[:_READ].replace("\r\n", "\n")
    for block in re.split(r"\n\s{0,4}\n", text):
        fields = dict(reversed(parse_header(f"{block}\n\n".lstrip().encode("utf-8", "replace")).fields))
        if fields.keys() & {"final-recipient", "original-recipient"}:
            yield fields


def _from_fields(status: Part, parts: tuple[Part, ...]) -> Report | None:
    """Read the fields of a delivery report: of the first failed recipient, else of the first delayed one."""
    groups = [(_action(group), group) for group in _groups(status)]
    for wanted in (ReportKind.FAILED, ReportKind.DELAYED, ReportKind.DELIVERED):
        for action, group in groups:
            if action is wanted:
                named = [group.get(name, "").rpartition(";")[2] for name in ("original-recipient", "final-recipient")]
                ids, to = _returned(parts)
                told = tuple(one for text in named for one in find_addresses(text))
                code = group.get("status", "")
                _, _, said = group.get("diagnostic-code", "").rpartition(";")
                words = " ".join((said if re.search("[a-z]{2}", said) else _line(parts) or said or code).split())
                recipients = tuple(dict.fromkeys((*told, *to)))[:_MOST]
                why = f"delivery report: {wanted}"
                return Report(wanted, why, recipients, ids, one_line(words, _SHOWN), classify_reply(words, code))
    return None


def _action(group: dict[str, str]) -> ReportKind:
    """The kind by Action (RFC 3464, section 2.3.3), or by the status code if that is missing or unknown."""
    word = group.get("action", "").strip().lower()
    if word in ("failed", "expired"):
        return ReportKind.FAILED
    if word in ("delivered", "relayed", "expanded", "deliverable") or group.get("status", "").startswith("2"):
        return ReportKind.DELIVERED
    if word == "delayed" or group.get("status", "").startswith("4"):
        return ReportKind.DELAYED
    return ReportKind.FAILED


def _in_prose(
    parts: tuple[Part, ...], subject: str, own: frozenset[str], why: str, failed: tuple[str, ...] = ()
) -> Report:
    """Read a report that has no fields, by its text."""
    text = _told(parts)
    ids, to = _returned(parts)
    words = folded_line(normalize_line(f"{subject}\n{text}"))
    what = ReportKind.DELAYED if _DELAYED.search(words) and not _GIVEN_UP.search(words) else ReportKind.FAILED
    if what is ReportKind.FAILED and not failed and is_permanent(text) is False and not _GIVEN_UP.search(words):
        what = ReportKind.DELAYED
    named = [one for one in find_addresses(text) if untagged(one) not in own and one.partition("@")[0] not in DAEMONS]
    line = _line(parts)
    recipients = tuple(dict.fromkeys((*failed, *named, *to)))[:_MOST]
    return Report(what, why, recipients, ids, one_line(line, _SHOWN), classify_reply(line or text))


def _line(parts: Iterable[Part]) -> str:
    """The most telling line: one with a reply code, else one with a known fault, else one about delivery."""
    lines = [" ".join(line.split()) for line in _told(parts).split("\n")]
    ways = (
        lambda line: is_permanent(line) is not None,
        lambda line: classify_reply(line) is not ReplyFault.OTHER,
        _TEXT.search,
    )
    return next((line for says in ways for line in lines if says(line.lower())), "")


def _complaint(parts: tuple[Part, ...]) -> Report:
    """Read a spam complaint (RFC 5965). Its sender is never answered."""
    fields = next(
        (parse_header(part.content()[:_READ]) for part in parts if part.kind == "message/feedback-report"), None
    )
    ids, to = _returned(parts)
    told = [one for value in (fields.every("original-rcpt-to") if fields else ()) for one in find_addresses(value)]
    return Report(ReportKind.COMPLAINT, "complaint (RFC 5965)", tuple(dict.fromkeys((*told, *to)))[:_MOST], ids)
