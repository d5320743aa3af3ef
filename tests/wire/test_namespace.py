"""A real server whose folders stand below INBOX (RFC 2342), as Courier's and Cyrus' do."""

from __future__ import annotations

import imaplib
from collections.abc import Iterator

import pytest

from pbem.inbound.mailbox import Mailbox, MailboxSettings
from tests.patience import PATIENCE

from .dovecot import Dovecot, program
from .ports import HOST
from .servers import absent, open_folder

_BELOW = """
namespace inbox {
  inbox = yes
  prefix = INBOX.
  separator = .
}
"""


class Below(Dovecot):
    """One that takes no name that does not begin with `INBOX.`."""

    def _configuration(self, version: str) -> str:
        return super()._configuration(version) + _BELOW


@pytest.fixture
def below() -> Iterator[Below]:
    if program() is None:
        absent("Dovecot is not installed (Debian: dovecot-imapd dovecot-lmtpd)")
    with open_folder() as root:
        server = Below(root, None)
        server.start()
        yield server
        server.stop()


@pytest.mark.servers
async def test_letters_are_filed_below_inbox_and_found_there(below: Below) -> None:
    settings = MailboxSettings(HOST, below.imap_port, "table", below.password, "none", timeout=PATIENCE)
    with imaplib.IMAP4(HOST, below.imap_port, timeout=PATIENCE) as client:
        client.login("table", below.password)
        for number in range(3):
            client.append("INBOX", "", "", b"From: anna@players.test\r\n\r\n%d\r\n" % number)
    box = Mailbox(settings)
    await box.connect()
    there = await box.arrived()
    assert (await box.head(there[0])).startswith(b"From: anna@players.test")
    moved = await box.file(there, "Handled")
    assert await box.make("Quarantine") == "INBOX.Quarantine"
    assert await box.arrived() == []
    await box.close()
    for name in ("Handled", "INBOX.Handled"):
        handled = Mailbox(MailboxSettings(HOST, below.imap_port, "table", below.password, "none", name, PATIENCE))
        await handled.connect()
        assert sorted(moved.values()) == [(one.uidvalidity, one.uid) for one in await handled.arrived()]
        await handled.close()
