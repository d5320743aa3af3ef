"""The two parts of a mail, for tests: its text and its HTML."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage

LINKS = ("options", "status", "undo", "help")
"""Commands that a mail has links for."""


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
    message = email.message_from_bytes(raw.replace(b"\r\n", b"\n"), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message
