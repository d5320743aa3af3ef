"""Whole games of three through Dovecot and a real SMTP server: invitation to final scores, nobody helped.

The same through the embedded post office is what every demo is (tests/demo), so it is not played here again.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig
from tests.patience import PATIENCE
from tests.whole.byrealmail import check, person, play
from tests.wire.servers import Office, dovecot_office

NAMES = ("Anna", "Faye", "Geoffrey")


def host_at(office: Office, folder: Path) -> Config:
    """A host whose mailbox lies in `office`."""
    address = office.make_account("games")
    return Config(
        folder / "games",
        folder / "mail",
        host=HostConfig(address),
        imap=ImapConfig(office.host, office.imap_port, "games", "none", timeout=int(PATIENCE)),
        smtp=SmtpConfig(office.host, office.smtp_port, tls="none", sender=address, timeout=int(PATIENCE)),
    )


@pytest.mark.servers
@pytest.mark.parametrize(("kind", "rounds"), [("troyes-dice", 8), pytest.param("troyes", 5, marks=pytest.mark.soak)])
def test_a_whole_game_through_real_servers(
    kind: str, rounds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dovecot for IMAP, Postfix (or aiosmtpd into Dovecot's LMTP) for SMTP; required in continuous integration.

    Of Troyes in the soak, whose letters are three times as many.
    """
    with dovecot_office() as office:
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        players = [person(name, office) for name in NAMES]
        check(asyncio.run(play(tmp_path, host_at(office, tmp_path), players, kind)), NAMES, rounds)
