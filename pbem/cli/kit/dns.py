"""What a domain says of itself in TXT records (RFC 1035), asked of the name server that this machine uses.

One question, one answer over UDP, nothing kept: enough for `doctor`, which only hints. An answer that does not fit, or
none, is `Unanswered`.
"""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

RESOLV = Path("/etc/resolv.conf")
PORT = 53
PATIENCE = 3.0
"""Seconds that an answer may take."""

_TXT, _IN, _TRUNCATED, _NO_SUCH_NAME = 16, 1, 0x0200, 3


class Unanswered(Exception):  # noqa: N818 - what happened, as in engine.errors
    """Nobody could be asked, or no answer came that could be read. The text says which."""


def texts(domain: str) -> list[str]:
    """The TXT records of a domain; empty when it has none. Raises Unanswered."""
    server = _server()
    question = b"".join(bytes([len(part)]) + part.encode("idna") for part in domain.split(".")) + b"\0"
    number = secrets.token_bytes(2)
    packet = number + b"\x01\x00\x00\x01" + bytes(6) + question + _TXT.to_bytes(2) + _IN.to_bytes(2)
    try:
        family = socket.AF_INET6 if ":" in server else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as line:
            line.settimeout(PATIENCE)
            line.connect((server, PORT))
            line.send(packet)
            answer = line.recv(4096)
        return _read(answer, number, len(packet))
    except (OSError, UnicodeError) as odd:
        raise Unanswered(f"the name server {server} does not answer ({odd})") from None
    except (IndexError, ValueError):
        raise Unanswered(f"the name server {server} says something that cannot be read") from None


def _server() -> str:
    try:
        lines = [line.split() for line in RESOLV.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError):
        lines = []
    found = [words[1] for words in lines if len(words) > 1 and words[0] == "nameserver"]
    if not found:
        raise Unanswered(f"{RESOLV} names no name server")
    return found[0]


def _read(answer: bytes, number: bytes, at: int) -> list[str]:
    """The texts of an answer whose own part begins at `at`, behind the question."""
    flags, count = int.from_bytes(answer[2:4]), int.from_bytes(answer[6:8])
    if answer[:2] != number or len(answer) < at or flags & _TRUNCATED or flags & 15 not in (0, _NO_SUCH_NAME):
        raise ValueError
    found = []
    for _ in range(count):
        at = _behind_name(answer, at)
        kind, size = int.from_bytes(answer[at : at + 2]), int.from_bytes(answer[at + 8 : at + 10])
        data, at = answer[at + 10 : at + 10 + size], at + 10 + size
        if at > len(answer):
            raise ValueError
        text = b""
        while kind == _TXT and data:
            text, data = text + data[1 : 1 + data[0]], data[1 + data[0] :]
        found += [text.decode("utf-8", "replace")] if kind == _TXT else []
    return found


def _behind_name(answer: bytes, at: int) -> int:
    while answer[at]:
        if answer[at] >= 0xC0:
            return at + 2
        at += 1 + answer[at]
    return at + 1
