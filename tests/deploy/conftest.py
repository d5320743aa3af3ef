"""The recipe's mail server, started once, and the world outside it: an embedded post office for people's mail."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from pbem.inbound.mailbox import MailboxSettings
from pbem.outbound.sender import SenderSettings
from tests.wire.certificate import Certificate, make_certificate
from tests.wire.ports import HOST
from tests.wire.recipe import PASSWORD, Recipe, missing
from tests.wire.servers import Office, absent, local_office, open_folder

WORLD = "people.example.org"
YOU = f"you@{WORLD}"


@dataclass(frozen=True)
class Made:
    """The server of the games, the post office of everybody else, and the certificate that clients trust."""

    server: Recipe
    world: Office
    certificate: Certificate

    def mailbox(self, user: str = "table", **more: object) -> MailboxSettings:
        """How the games' mailbox is read."""
        ca = str(self.certificate.cert)
        return MailboxSettings(HOST, self.server.ports["imaps"], user, PASSWORD, ca_file=ca, **more)  # type: ignore[arg-type]

    def sender(self, port: str = "submissions", tls: str = "tls", user: str = "table") -> SenderSettings:
        """How mail of the games is sent."""
        ca = str(self.certificate.cert)
        return SenderSettings(HOST, self.server.ports[port], user, PASSWORD if user else "", tls, ca_file=ca)  # type: ignore[arg-type]


def make(stack: ExitStack, without: str = "", hosts: bool = False) -> Made:
    """Start both; `without`, `hosts`: see `Recipe`."""
    if reason := missing():
        absent(reason)
    if hosts and shutil.which("sievec") is None:
        absent("Pigeonhole is not installed (Debian: dovecot-sieve)")
    root = stack.enter_context(open_folder())
    certificate = make_certificate(root)
    if certificate is None:
        absent("the openssl program, which makes the certificate, is not installed")
    assert certificate is not None
    world = stack.enter_context(local_office(domain=WORLD, accounts=["you"]))
    server = Recipe(root, certificate, world=world.smtp_port, you=YOU, without=without, hosts=hosts)
    stack.callback(server.stop)
    server.start()
    return Made(server, world, certificate)


@pytest.fixture(scope="session")
def made() -> Iterator[Made]:
    with ExitStack() as stack:
        yield make(stack)
