"""A whole game of three through Dovecot and a real SMTP server: invitation to final scores, nobody helped."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.config import Config
from pbem.config import HostConfig
from pbem.config import ImapConfig
from pbem.config import SmtpConfig
from pbem.demo.computer import Computer
from pbem.demo.correspondent import Correspondent
from pbem.demo.report import report
from pbem.mailbox import Mailbox
from pbem.service import daemon
from pbem.service import mailbox_settings
from pbem.service import open_service
from pbem.store.stored import Stored
from pbem.store.table import Status
from pbem.table import Invited
from pbem.table import Opening
from pbem.table import open_table
from tests.wire.servers import Office
from tests.wire.servers import dovecot_office
from tests.wire.servers import local_office

NAMES = ("Anna", "Faye", "Geoffrey")
PATIENCE = 30.0
"""Seconds that a real server may take to deliver one mail on a busy machine."""


async def until(what: str, good: Callable[[], object]) -> None:
    """Wait for something that servers do in their own time."""
    end = time.monotonic() + PATIENCE
    while True:
        found = good()
        if await found if asyncio.iscoroutine(found) else found:
            return
        assert time.monotonic() < end, f"{what} has not come within {PATIENCE:g} seconds"
        await asyncio.sleep(0.01)


async def play(folder: Path, office: Office, kind: str) -> dict[str, object]:
    """Everything that happens by mail; the report of the game."""
    address = office.make_account("games")
    config = Config(
        folder / "games",
        folder / "mail",
        host=HostConfig(address),
        imap=ImapConfig("127.0.0.1", office.imap_port, "games", "none"),
        smtp=SmtpConfig("127.0.0.1", office.smtp_port, tls="none", sender=address),
    )
    with contextlib.closing(open_service(config)) as service:
        invited = tuple(Invited(name, (office.make_account(name.lower()),)) for name in NAMES)
        game = open_table(service.desk, Opening(kind, invited, seed=b"a real server's seed, 32 bytes. ")).table.game
        players = [
            Computer(
                Correspondent(
                    name,
                    name.lower(),
                    office.make_account(name.lower()),
                    office.password,
                    "127.0.0.1",
                    office.imap_port,
                    office.smtp_port,
                    smtp_login=False,
                ),
                "real",
            )
            for name in NAMES
        ]
        host = Mailbox(mailbox_settings(config))
        await host.connect()
        await daemon(service).run(once=True)

        async def somebody_asked() -> bool:
            for player in players:
                await player.look()
            return any(player.asked for player in players) or over()

        def over() -> bool:
            return Stored.read_public(service.store.open(game)).table.status is Status.ENDED

        while True:
            await until("a mail to a player", somebody_asked)
            asked = [player for player in players if player.asked]
            if not asked:
                break
            for player in asked:
                await player.answer()
            letters = len(asked)

            async def there(letters: int = letters) -> bool:
                return len(await host.arrived()) >= letters

            await until("a letter", there)
            await daemon(service).run(once=True)
        await host.close()
        for player in players:
            await player.mail.close()
        return report(service, game, folder)


def check(found: dict[str, object]) -> None:
    """A whole game was played, and nothing went wrong on the way."""
    assert 5 == found["rounds"]
    assert 0 == found["refusals"]
    assert {"anna", "faye", "geoffrey"} == set(found["scores"])  # type: ignore[call-overload]
    assert found["winners"]


@pytest.mark.servers
def test_a_whole_game_through_real_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dovecot for IMAP, Postfix (or aiosmtpd into Dovecot's LMTP) for SMTP; required in continuous integration."""
    with dovecot_office() as office:
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        check(asyncio.run(play(tmp_path, office, "troyes")))


def test_the_same_through_the_embedded_post_office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded post office stands in for them where they are absent."""
    with local_office(tmp_path / "office") as office:
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        check(asyncio.run(play(tmp_path, office, "troyes")))
