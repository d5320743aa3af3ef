"""What a domain says of itself in TXT records, asked of the name server that this machine uses."""

from __future__ import annotations

from pathlib import Path

import dns.exception
import dns.resolver

RESOLV = Path("/etc/resolv.conf")
PORT = 53
DNS_TIMEOUT = 3.0
"""Seconds that all attempts at one answer may take: `doctor` only hints. A server whose answers cannot be read is
asked again until then."""


class Unanswered(Exception):  # noqa: N818 - what happened, as in engine.errors
    """Nobody could be asked, or no answer came that could be read. The text says which."""


def txt_records(domain: str) -> list[str]:
    """The TXT records of a domain; empty when it has none, or does not exist. Raises Unanswered."""
    try:
        resolver = dns.resolver.Resolver(str(RESOLV))
        resolver.port, resolver.timeout = PORT, DNS_TIMEOUT
        found = resolver.resolve(domain, "TXT", lifetime=DNS_TIMEOUT, search=False, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return []
    except dns.resolver.NoResolverConfiguration:
        raise Unanswered(f"{RESOLV} names no name server") from None
    except dns.exception.DNSException as odd:
        raise Unanswered(f"no name server of {RESOLV} answers ({odd})") from None
    return [b"".join(row.strings).decode("utf-8", "replace") for row in found.rrset or ()]
