"""TLS for IMAP and SMTP: how a connection is made private, and where a password may cross one that is not."""

from __future__ import annotations

import contextlib
import ipaddress
import ssl
from typing import Literal

Tls = Literal["tls", "starttls", "none"]
"""`tls` from the first byte; `starttls` on a connection that begins in the clear; `none`."""


class TlsError(Exception):
    """The settings allow no safe connection. The text says what to change."""


def is_loopback(host: str) -> bool:
    """Whether connections to `host` stay on this machine."""
    if host.lower() == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def tls_context(tls: Tls, host: str, ca_file: str = "", plaintext_allowed: bool = False) -> ssl.SSLContext | None:
    """The context that checks the server's certificate, by the system's authorities or `ca_file`; None without TLS.

    Raises TlsError when `ca_file` cannot be read, and for "none" to another machine unless that is allowed.
    """
    if tls == "none":
        if plaintext_allowed or is_loopback(host):
            return None
        raise TlsError(
            f"{host}: without TLS the password and every letter would cross the network in the clear; "
            'set tls to "tls" or "starttls", or allow plain text expressly'
        )
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as odd:
        raise TlsError(f"the certificate file {ca_file} cannot be read: {odd}") from None
