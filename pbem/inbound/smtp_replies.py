"""Classify the refusals of mail servers by their codes and words: whose fault is it?

Used for replies while sending (`pbem.outbound.sender`) and for bounces (`pbem.inbound.bounce`). The codes are those of
RFC 3463, 4954, 7293, 7372 and of large providers. If a code is missing or vague, the words decide.
"""

from __future__ import annotations

import re
from enum import StrEnum


class ReplyFault(StrEnum):
    """Whose fault a refusal is; the value is shown to moderators."""

    ADDRESS = "no such mailbox"
    FULL = "the mailbox is full"
    SIZE = "the mail is too large"
    DOMAIN = "our domain does not prove that the mail is ours (SPF, DKIM, DMARC)"
    ACCOUNT = "the server takes no mail from our account, address or machine"
    POLICY = "refused as spam or by policy"
    OTHER = "not delivered"


_CODES = (
    (ReplyFault.ACCOUNT, r"[45]\.(?:1\.[78]|1\.90|2\.25\d|4\.5|7\.(?:[089]|1[0-4]|28|57|60|50[1-8]|51[1-3]|[67]\d\d))"),
    (ReplyFault.DOMAIN, r"[45]\.7\.(?:2[0-79]|509|515)"),
    (ReplyFault.FULL, r"[45]\.2\.2"),
    (ReplyFault.SIZE, r"[45]\.(?:2\.3|3\.4)"),
    (ReplyFault.ADDRESS, r"5\.(?:1\.[1-6]|1\.10|2\.1|4\.1|7\.1[78])"),
)  # fmt: skip
"""Codes that decide alone."""

_VAGUE = ((ReplyFault.ADDRESS, r"5\.1\.\d+"), (ReplyFault.POLICY, r"[45]\.[67]\.\d+"))
"""Vague codes, which count after the words."""

_WHOSE = r"\b(?:mailbox|mailfolder|maildir|inbox|user|recipient|address|account|alias|host|domain)\b"

_WORDS = (
    (ReplyFault.DOMAIN, (
        r"\bdmarc\b", r"\bdkim\b", r"\bspf\b", r"unauthenticated (?:e-?mail|sender)", r"not authenticated",
    )),
    (ReplyFault.FULL, (
        r"(?:mailbox|mailfolder|maildir|inbox|user|recipient|disk)\b.{0,40}\b(?:full|quota|exceed\w*|storage)",
        r"\bover ?quota", r"quota (?:is )?full", r"insufficient (?:disk|system)", r"no space left",
    )),
    (ReplyFault.ACCOUNT, (
        r"quota ?exceeded", r"(?:limit|threshold|rate|quota|maximum)\b.{0,40}\b(?:exceeded|reached)",
        r"exceed\w*.{0,40}\b(?:limit|threshold|quota|rate)", r"rate.?limit|throttl",
        r"\bonly \d+ \w+ (?:per|a|in an?|each) (?:minute|hour|day)", r"too many (?:messages|mails|emails)\b",
        r"\b(?:messages|mails|emails|recipients) (?:per|a|each) (?:minute|hour|day)",
        r"\b(?:daily|hourly|sending|submission) (?:user )?(?:sending )?(?:limit|quota)",
        r"\bnot verified", r"\bunverified", r"verify (?:your|the) (?:domain|address|account)", r"sandbox",
        r"send ?as ?denied", r"sender (?:verif|address)", r"\brelay(?:ing)?\b", r"\btenant\b", r"\[cs\d\d\]",
        r"\bsender\b.{0,60}\b(?:denied|reject|refus|not (?:allowed|permitted|owned|authorized|valid)|block|unknown)",
        r"your (?:account|ip|domain|server|host)\b", r"authentication (?:is )?required",
        r"(?:client|host|ip)\b.{0,40}\b(?:blocked|blacklisted|listed|denied)",
    )),
    (ReplyFault.SIZE, (r"too (?:large|big)", r"size limit", r"(?:message|mail|size)\b.{0,40}\bexceeds?\b")),
    (ReplyFault.ADDRESS, (
        r"(?:no such|unknown|invalid|bad|not a valid|nonexistent) (?:local )?"
        r"(?:user|mailbox|recipient|address|account|alias|person|host|domain|destination|name)",
        _WHOSE + r".{0,60}\b(?:unknown|unavailable|not (?:be )?(?:found|exist|known|listed|available)|invalid)",
        _WHOSE + r".{0,60}\b(?:doesn.?t exist|does not exist|disabled|inactive|no longer|suspended|deactivated)",
        r"not our customer", r"no mailbox", r"unroute?able",
        r"name or service not known", r"\bnxdomain\b",
    )),
    (ReplyFault.POLICY, (
        r"\bspam", r"\bvirus", r"\bblock", r"black ?list", r"\bpolic(?:y|ies)\b", r"\breputation", r"\bprohibited",
        r"content.{0,20}rejected", r"\bbanned", r"\bunsolicited", r"\bdenied",
    )),
)  # fmt: skip
"""Patterns of words; the first that matches counts."""

_ENHANCED = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)")
_BASIC = re.compile(r"(?<![\d.])[245]\d\d(?=[ -]|$)")
_ADDRESSES = re.compile(r"<[^<>]{0,200}>|\S+@\S+")

_BY_CODE = tuple((fault, re.compile(codes)) for fault, codes in _CODES)
_BY_VAGUE = tuple((fault, re.compile(codes)) for fault, codes in _VAGUE)
_BY_WORDS = tuple((fault, re.compile("|".join(words), re.IGNORECASE)) for fault, words in _WORDS)

MAX_REPLY = 600
"""Characters of a reply that are read."""


def classify_reply(said: str, code: str = "") -> ReplyFault:
    """Classify a server's words, with the enhanced `code` (5.1.1) if it came separately."""
    codes = [one for text in (said[:MAX_REPLY], code) for one in _ENHANCED.findall(text)]
    words = " ".join(_ADDRESSES.sub(" ", said[:MAX_REPLY]).split())
    found = (one for code in codes for one, pattern in _BY_CODE if pattern.fullmatch(code))
    told = (one for one, pattern in _BY_WORDS if pattern.search(words))
    vague = (one for code in codes for one, pattern in _BY_VAGUE if pattern.fullmatch(code))
    return next(found, None) or next(told, None) or next(vague, ReplyFault.OTHER)


def is_permanent(text: str) -> bool | None:
    """Whether the first code in a text is permanent (5) or temporary (4); None without a code."""
    found = _ENHANCED.search(text) or _BASIC.search(text)
    return None if found is None or found[0][0] == "2" else found[0][0] == "5"


def reply_pattern(said: str) -> str:
    """A reply without what varies by recipient: addresses, numbers, queue ids."""
    return " ".join(re.findall(r"[a-z]{2,}", re.sub(r"\S*\d\S*", " ", _ADDRESSES.sub(" ", said[:MAX_REPLY]).lower())))
