"""People as they are named on the command line."""

from __future__ import annotations


def parsed(seat: str) -> tuple[str, tuple[str, ...]]:
    """A seat as it is written on the command line: `Anna`, `Anna <a@x.org>`, `Anna <a@x.org, b@y.org>`."""
    name, bracket, rest = seat.partition("<")
    if not bracket:
        if "@" in seat:
            return seat.partition("@")[0].strip(), (seat.strip(),)
        return name.strip(), ()
    addresses = rest.replace(">", "").replace("<", "").split(",")
    return name.strip().strip('"'), tuple(one.strip() for one in addresses if one.strip())
