"""Whom a token belongs to: the server that Dovecot asks, which stands in for a provider's."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

from tests.patience import PATIENCE

OLD, NEW = "ya29.a-token-of-yesterday", "ya29.a-token-of-today"


class TokenServer(http.server.ThreadingHTTPServer):
    """Says of a token whether it is good, and whose it is, as RFC 7662 has it: `NEW` is good, and that of `games`.

    `asked`: of which it was asked.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.asked: list[str] = []


class _Asked(http.server.BaseHTTPRequestHandler):
    server: TokenServer

    def do_GET(self) -> None:
        token = parse_qs(urlsplit(self.path).query).get("token", [""])[0]
        self.server.asked.append(token)
        body = json.dumps({"active": True, "email": "games"} if token == NEW else {"active": False}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def token_server() -> Iterator[TokenServer]:
    """One in a thread of its own."""
    with TokenServer() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(PATIENCE)
