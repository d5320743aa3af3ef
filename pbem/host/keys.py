"""Tokens prove that an answer comes from the person whom a mail was for.

A token is `game.decision.key`. The key is the first 16 base32 characters (80 bits) of an HMAC-SHA-256 over game, seat,
generation of the seat's holder and decision number, keyed with the host's secret. Nothing is stored: a token is made
again and compared. A new holder of a seat has a new generation, so the old holder's tokens stop fitting. The name of a
mail (before the @ in its Message-ID) is made the same way and tells nothing: it is looked up in the spool, and one that
is found there stands for its mail's token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass

KEY_LENGTH, NAME_LENGTH = 16, 32

_TOKEN = re.compile(r"(?<![a-z0-9.-])([a-z][a-z0-9-]{0,39})\.([0-9]{1,9})\.([a-z2-7]{16})(?![a-z0-9])", re.IGNORECASE)
_NAME = re.compile(r"<?([a-z2-7]{32})@", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `key` is lower case; `decision` 0 is the invitation to a game that has not begun."""

    game: str
    decision: int
    key: str

    def __str__(self) -> str:
        return f"{self.game}.{self.decision}.{self.key}"


class Keys:
    """Makes and checks tokens with the host's secret (32 bytes; `pbem.host.passwords` reads it)."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < 16:
            raise ValueError(f"the host's secret has {len(secret)} bytes; at least 16 are needed")
        self._secret = secret

    @property
    def host(self) -> str:
        """The name by which hosts of one secret know each other."""
        return self._mark("host")[:NAME_LENGTH]

    def token(self, game: str, seat: str, generation: int, decision: int) -> Token:
        """The token that the present holder of a seat is given for a decision."""
        return Token(game, decision, self._mark("token", game, seat, str(generation), str(decision))[:KEY_LENGTH])

    def fits(self, token: Token, seat: str, generation: int) -> bool:
        """Whether the token was given to this generation of holder of this seat. Takes the same time either way."""
        right = self.token(token.game, seat, generation, token.decision)
        return hmac.compare_digest(right.key.encode(), token.key.lower().encode())

    def mail(self, game: str, seat: str, intent: str) -> str:
        """The name of a mail, for its Message-ID: 32 base32 characters that tell nothing without the secret."""
        return self._mark("mail", game, seat, intent)[:NAME_LENGTH]

    def letter(self, sender: str, message_id: str) -> str:
        """The mark by which a letter of a sender is known again, whatever way it comes."""
        return self._mark("letter", sender, message_id)[:NAME_LENGTH]

    def person(self, address: str) -> str:
        """A mark that stands for an address where none may stand: 16 base32 characters, the same at every game."""
        return self._digest(b"person\0" + address.lower().encode())[:KEY_LENGTH]

    def mailbox(self, address: str) -> str:
        """The mark of the mailbox that an address leads to (`mailbox_of`), for whatever is counted of a person."""
        return self.person(mailbox_of(address))

    def _mark(self, *parts: str) -> str:
        """An HMAC of some texts. Each is preceded by its length, so that no two lists of texts agree."""
        said = (part.encode("utf-8", "surrogatepass") for part in parts)
        return self._digest(b"".join(len(part).to_bytes(4, "big") + part for part in said))

    def _digest(self, message: bytes) -> str:
        """An HMAC in lower-case base32."""
        return base64.b32encode(hmac.new(self._secret, message, hashlib.sha256).digest()).decode().lower()


def mailbox_of(address: str) -> str:
    """The mailbox of an address, however it is spelt: `Eve+games@x.org`, `e.v.e@x.org` and `eve@x.org` are one.

    It only says whose letters and mails are counted together; nothing is mailed to it.
    """
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '') or local}@{domain}"


def tokens_in(text: str) -> tuple[Token, ...]:
    """Everything in `text` that has the shape of a token, unchecked, in order, each once."""
    found = (Token(game.lower(), int(number), key.lower()) for game, number, key in _TOKEN.findall(text))
    return tuple(dict.fromkeys(found))


def tokens_of(texts: Iterable[str]) -> tuple[Token, ...]:
    """The tokens in several texts (addresses, subjects)."""
    return tuple(dict.fromkeys(token for text in texts for token in tokens_in(text)))


def message_id(name: str, domain: str) -> str:
    """The Message-ID of a mail of this name (`Keys.mail`)."""
    return f"<{name}@{domain}>"


def mail_of(message_id: str) -> str:
    """The name in a Message-ID that has the shape of ours; empty in any other."""
    match = _NAME.match(message_id)
    return match[1].lower() if match else ""
