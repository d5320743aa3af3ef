"""A person as a host or moderator writes one: a name with addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.catalog import T
from engine.errors import NotAllowed
from pbem.host.settings_file import is_address
from pbem.inbound.sanitize import clean_text


class Person(NamedTuple):
    """A person, written `Anna`, `Anna <a@x.org>`, `Anna <a@x.org, b@y.org>` or `a@x.org`."""

    name: str
    addresses: tuple[str, ...]


def parse_person(text: str) -> Person:
    """Read a person; the addresses are not checked."""
    name, bracket, rest = text.partition("<")
    if not bracket and "@" in text:
        return Person(text.partition("@")[0].strip(), (text.strip(),))
    addresses = rest.replace(">", "").replace("<", "").split(",")
    return Person(name.strip().strip('"'), tuple(one.strip() for one in addresses if one.strip()))


def checked_addresses(addresses: Sequence[str]) -> tuple[str, ...]:
    """Addresses in lower case. Raises NotAllowed for one that mail cannot be sent to."""
    found = tuple(address.strip().lower() for address in addresses)
    for address in found:
        if not is_address(address):
            raise NotAllowed(T("«{address}» is no address that mail can be sent to.", address=clean_text(address, 80)))
    return found
