"""A host whose mail server delivers into a Maildir on this machine: no IMAP, the same daemon."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from pbem.daemon.housekeeping import remover
from pbem.daemon.main_loop import DONE, TROUBLE
from pbem.daemon.service import open_mailbox
from pbem.demo.postoffice import PostOffice
from pbem.host.config import Config, MailboxConfig
from pbem.inbound.maildir import VALIDITY
from tests.daemon.test_service import (
    DOMAIN,
    Host,
    test_a_running_daemon_answers_a_letter_that_arrives,
    test_a_stranger_gets_no_answer_and_the_letter_is_filed,
    test_a_whole_game_is_played_by_mail_and_ends_with_final_results,
)
from tests.parts import text_of

# The same tests, with the host of this file.
__all__ = [
    "test_a_running_daemon_answers_a_letter_that_arrives",
    "test_a_stranger_gets_no_answer_and_the_letter_is_filed",
    "test_a_whole_game_is_played_by_mail_and_ends_with_final_results",
]


class MaildirHost(Host):
    def mailbox(self) -> dict[str, object]:
        return {"mailbox": MailboxConfig(self.office.folder / "games")}

    @property
    def handled(self) -> list[Path]:
        return list((self.office.folder / "games" / ".Handled" / "cur").iterdir())


@pytest_asyncio.fixture
async def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MaildirHost]:
    office = PostOffice(tmp_path / "office", ("games", "anna", "eve", "mia", "zoe"), domain=DOMAIN)
    await office.start()
    monkeypatch.delenv("PBEM_IMAP_PASSWORD", raising=False)
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", office.password)
    made = MaildirHost(tmp_path, office)
    yield made
    made.service.close()
    await office.stop()


async def test_a_letter_is_played_and_filed_beside_without_any_password_for_reading(host: MaildirHost) -> None:
    host.begin()
    assert await host.once() == DONE
    who = next(name for name in ("anna", "eve") if "your turn" in host.mails(name)[-1]["Subject"])
    await host.answer(who, "1")
    assert await host.once() == DONE
    assert "\nPlayed." in text_of(host.mails(who)[-1])
    assert 1 == len(host.handled)
    assert await host.once() == DONE
    assert 1 == len(host.handled)
    assert 2 == len(host.mails(who)), "answered once"


async def test_what_was_filed_long_ago_is_removed_by_its_number(host: MaildirHost) -> None:
    host.begin()
    assert await host.once() == DONE
    await host.answer("anna", "status")
    assert await host.once() == DONE
    # Where each letter lies is what the spool knows of it.
    (place,) = host.service.spool.ask("SELECT now_in, now_as FROM places WHERE now_as > 0")
    assert VALIDITY == place[0]
    assert await remover(lambda: open_mailbox(host.config, "Handled"))(VALIDITY, [int(place[1])])
    assert [] == host.handled


async def test_a_maildir_that_is_not_there_is_trouble_and_no_empty_mailbox(host: MaildirHost) -> None:
    host.service.close()
    host.config = Config(
        host.folder / "games", host.folder / "mail", mailbox=MailboxConfig(host.folder / "nobody" / "Maildir")
    )
    host.service = host.open()
    assert await host.once() == TROUBLE
