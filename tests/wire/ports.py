"""Loopback ports for servers that must be told their port before they start.

A number that was only looked up may belong to somebody else a moment later. So it is kept bound, not listening, until
the server that uses it has ended: nobody is given it by chance, and the server, which sets SO_REUSEADDR as all do,
can listen on it.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable

HOST = "127.0.0.1"


class Ports:
    """A port for each name, ours until `close`."""

    def __init__(self, names: Iterable[str]) -> None:
        self._held: list[socket.socket] = []
        self.number: dict[str, int] = {}
        for name in names:
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind((HOST, 0))
            self._held.append(one)
            self.number[name] = one.getsockname()[1]

    def close(self) -> None:
        """Give them back."""
        for one in self._held:
            one.close()
