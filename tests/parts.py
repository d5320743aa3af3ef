"""The two parts of a mail, for tests: its text and its HTML."""

from __future__ import annotations

import email
import email.policy
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from functools import lru_cache

LINKS = ("options", "status", "undo", "help", "possibilites", "statut", "annuler", "aide")
"""Commands that a mail has links for."""

POLICY = email.policy.default.clone(header_factory=lru_cache(4096)(HeaderRegistry()))
"""The library's, which parses a field anew whenever it is looked at: tests open the same fields thousands of times."""


def text_of(message: EmailMessage) -> str:
    """The text part, as it is written."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def page_of(message: EmailMessage) -> str:
    """The HTML part."""
    body = message.get_body(("html",))
    assert body is not None
    return str(body.get_content())


def opened(raw: bytes) -> EmailMessage:
    """A mail from its bytes."""
    message = email.message_from_bytes(raw.replace(b"\r\n", b"\n"), policy=POLICY)
    assert isinstance(message, EmailMessage)
    return message
