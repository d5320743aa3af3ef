"""A whole game by real mail: a host's daemon, and players who know nothing but what comes to their mailboxes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.service import mailbox_settings, make_daemon, open_service
from pbem.demo.game_report import game_report
from pbem.demo.mail_client import MailClient
from pbem.demo.mail_computer import MailComputer
from pbem.host.config import Config
from pbem.inbound.mailbox import Mailbox
from pbem.store.game_table import Status
from pbem.store.state_file import StoredGame
from tests.patience import PATIENCE
from tests.wire.servers import Office


async def until(what: str, good: Callable[[], object]) -> None:
    """Wait for something that servers do in their own time."""
    end = time.monotonic() + PATIENCE
    while True:
        found = good()
        if await found if asyncio.iscoroutine(found) else found:
            return
        assert time.monotonic() < end, f"{what} has not come within {PATIENCE:g} seconds"
        await asyncio.sleep(0.01)


def person(name: str, office: Office, smtp_port: int | None = None) -> MailComputer:
    """Somebody with a mailbox in `office`, who sends by it or by another `smtp_port`, answering first choices."""
    account = name.lower()
    address = office.make_account(account)
    port = office.smtp_port if smtp_port is None else smtp_port
    mail = MailClient(name, account, address, office.password, office.host, office.imap_port, port, smtp_login=False)
    return MailComputer(mail, "real")


async def play(folder: Path, config: Config, players: Sequence[MailComputer], kind: str) -> dict[str, object]:
    """Everything that happens by mail; the report of the game."""
    with contextlib.closing(open_service(config)) as service:
        invited = tuple(Invited(player.mail.name, (player.mail.address,)) for player in players)
        game = open_table(service.desk, Opening(kind, invited, seed=b"a real server's seed, 32 bytes. ")).table.game
        host = Mailbox(mailbox_settings(config))
        await host.connect()
        await make_daemon(service).run(once=True)

        async def somebody_asked() -> bool:
            due = service.spool.next_due(service.now())
            if due is not None and due <= service.now():
                # A server that was busy has put a mail off.
                await make_daemon(service).run(once=True)
            for player in players:
                await player.look()
            return any(player.asked for player in players) or over()

        def over() -> bool:
            return StoredGame.read_public(service.store.open(game)).table.status is Status.ENDED

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
            await make_daemon(service).run(once=True)
        await host.close()
        for player in players:
            await player.mail.close()
        return game_report(service, game, folder)


def check(found: dict[str, object], names: Sequence[str], rounds: int) -> None:
    """A whole game was played, and nothing went wrong on the way."""
    assert rounds == found["rounds"]
    assert 0 == found["refusals"]
    assert {name.lower() for name in names} == set(found["scores"])  # type: ignore[call-overload]
    assert found["winners"]
