"""A whole game of three through Dovecot and a real SMTP server: invitation to final scores, nobody helped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pbem.config import Config
from pbem.config import HostConfig
from pbem.config import ImapConfig
from pbem.config import SmtpConfig
from tests.whole.byrealmail import check
from tests.whole.byrealmail import person
from tests.whole.byrealmail import play
from tests.wire.servers import Office
from tests.wire.servers import dovecot_office
from tests.wire.servers import local_office

NAMES = ("Anna", "Faye", "Geoffrey")


def host_at(office: Office, folder: Path) -> Config:
    """A host whose mailbox lies in `office`."""
    address = office.make_account("games")
    return Config(
        folder / "games",
        folder / "mail",
        host=HostConfig(address),
        imap=ImapConfig(office.host, office.imap_port, "games", "none"),
        smtp=SmtpConfig(office.host, office.smtp_port, tls="none", sender=address),
    )


def whole_game(office: Office, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
    players = [person(name, office) for name in NAMES]
    check(asyncio.run(play(folder, host_at(office, folder), players, "troyes")), NAMES, rounds=5)


@pytest.mark.servers
def test_a_whole_game_through_real_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dovecot for IMAP, Postfix (or aiosmtpd into Dovecot's LMTP) for SMTP; required in continuous integration."""
    with dovecot_office() as office:
        whole_game(office, tmp_path, monkeypatch)


def test_the_same_through_the_embedded_post_office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded post office stands in for them where they are absent."""
    with local_office(tmp_path / "office") as office:
        whole_game(office, tmp_path, monkeypatch)
