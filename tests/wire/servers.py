"""Mail servers for tests as plain context managers, usable from any test and any process on this machine.

    with local_office() as office:       # the project's own, in a thread of its own
    with dovecot_office() as office:     # Dovecot, with Postfix before it where that can be started

Both give an `Office`. Without Dovecot the second raises `Absent`, or fails the test when PBEM_REQUIRE_SERVERS=1.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import smtplib
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from pbem.demo.postoffice import PostOffice
from tests.patience import PATIENCE

from . import postfix
from .certificate import Certificate, make_certificate
from .dovecot import Dovecot, program
from .ports import HOST, Ports


@dataclass(frozen=True)
class Office:
    """Where mail for `domain` is taken (SMTP, no login needed) and read (IMAP, any account, one password)."""

    smtp_port: int
    imap_port: int
    password: str
    domain: str
    make_account: Callable[[str], str]
    """Opens an account, if there is none of that name, and tells its address."""
    stop: Callable[[], None]
    """Ends the servers early, to see what happens then."""
    imaps_port: int = 0
    certificate: Certificate | None = None
    folder: Path = Path()
    host: str = HOST


def required() -> bool:
    """Whether servers that are absent are a failure: continuous integration says so."""
    return os.environ.get("PBEM_REQUIRE_SERVERS") == "1"


def absent(reason: str) -> None:
    """Skip the test, or fail it where servers are required."""
    if required():
        pytest.fail(f"PBEM_REQUIRE_SERVERS=1, but {reason}")
    pytest.skip(reason)


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A folder directly under the temporary one: servers that give up root must be able to enter it."""
    path = Path(tempfile.mkdtemp(prefix="pbem-wire-"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def local_office(
    folder: Path | None = None,
    accounts: Iterable[str] = (),
    *,
    domain: str = "office.test",
    password: str = "pw of all",
    without: Iterable[str] = (),
) -> Iterator[Office]:
    """The embedded post office, in a thread with its own event loop."""
    with contextlib.ExitStack() as stack:
        place = folder or stack.enter_context(open_folder())
        office = PostOffice(place, accounts, password=password, domain=domain)
        office.capabilities = tuple(word for word in office.capabilities if word not in set(without))
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="post office", daemon=True)
        thread.start()

        def call(work: Any) -> None:
            asyncio.run_coroutine_threadsafe(work, loop).result(PATIENCE)

        def make(name: str) -> str:
            async def work() -> str:
                return office.make_account(name)

            return asyncio.run_coroutine_threadsafe(work(), loop).result(PATIENCE)

        call(office.start())
        try:
            yield Office(
                smtp_port=office.smtp_port,
                imap_port=office.imap_port,
                password=office.password,
                domain=office.domain,
                make_account=make,
                stop=lambda: call(office.stop()),
                folder=place,
            )
        finally:
            call(office.stop())
            loop.call_soon_threadsafe(loop.stop)
            thread.join(PATIENCE)
            loop.close()


class _ToLmtp:
    """aiosmtpd's handler where Postfix cannot be had: every letter goes on over LMTP before it is taken."""

    def __init__(self, domain: str, port: int) -> None:
        self._domain = domain
        self._port = port

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if not address.lower().endswith(f"@{self._domain}"):
            return "550 5.7.1 no mail leaves this machine"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        def hand_on() -> None:
            with smtplib.LMTP(HOST, self._port) as lmtp:
                lmtp.sendmail(envelope.mail_from, envelope.rcpt_tos, envelope.content)

        await asyncio.to_thread(hand_on)
        return "250 OK"


@contextlib.contextmanager
def dovecot_office(*, domain: str = "dovecot.test", smtp: str = "any") -> Iterator[Office]:
    """Dovecot, with `smtp` "postfix", "aiosmtpd", or "any": Postfix where it can be started, else aiosmtpd."""
    if program() is None:
        absent("Dovecot is not installed (Debian: dovecot-imapd dovecot-lmtpd)")
    if smtp == "postfix" and not postfix.available():
        absent("Postfix is not installed, or this is not root")
    with contextlib.ExitStack() as stack:
        root = stack.enter_context(open_folder())
        certificate = make_certificate(root)
        dovecot = Dovecot(root, certificate)
        dovecot.start()
        stack.callback(dovecot.stop)
        if smtp != "aiosmtpd" and postfix.available():
            before = postfix.Postfix(stack.enter_context(open_folder()), domain, dovecot.lmtp_port)
            stack.callback(before.stop)
            before.start()
            port = before.smtp_port
        else:
            held = Ports(("smtp",))
            stack.callback(held.close)
            port = held.number["smtp"]
            controller = Controller(_ToLmtp(domain, dovecot.lmtp_port), hostname=HOST, port=port)
            controller.start()
            stack.callback(controller.stop)

        def make(name: str) -> str:
            assert re.fullmatch(r"[a-z0-9._-]+", name), name
            return f"{name}@{domain}"

        yield Office(
            smtp_port=port,
            imap_port=dovecot.imap_port,
            imaps_port=dovecot.imaps_port,
            password=dovecot.password,
            domain=domain,
            make_account=make,
            stop=dovecot.stop,
            certificate=certificate,
            folder=root,
        )
