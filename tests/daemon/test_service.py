"""The whole host on the loopback: real SMTP and IMAP, the real desk, a game that no shop sells."""

from __future__ import annotations

import asyncio
import re
import smtplib
from collections.abc import AsyncIterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
import pytest_asyncio

from pbem.admin.tables.opening import Invited, Opening, open_table
from pbem.daemon.main_loop import DONE, TROUBLE
from pbem.daemon.service import Service, make_daemon, open_service, recover_spool
from pbem.demo.postoffice import PostOffice
from pbem.desk.core.result import Delivery, Result
from pbem.desk.limits import rate_limits
from pbem.host.config import Config, HostConfig, ImapConfig, ModeratorConfig, SmtpConfig
from pbem.outbound.mail import MailKind, Message
from tests.fakegame import find
from tests.parts import opened, text_of
from tests.patience import PATIENCE

DOMAIN = "loop.test"


class Host:
    def __init__(self, folder: Path, office: PostOffice) -> None:
        self.folder, self.office = folder, office
        smtp = SmtpConfig(office.host, office.smtp_port, "games", "none")
        people = {"host": HostConfig(f"games@{DOMAIN}"), "moderator": ModeratorConfig((f"mia@{DOMAIN}",))}
        self.config = Config(folder / "games", folder / "mail", smtp=smtp, **people, **self.mailbox())  # type: ignore[arg-type]
        self.service = self.open()

    def mailbox(self) -> dict[str, object]:
        """The settings of the mailbox that letters come to."""
        return {"imap": ImapConfig(self.office.host, self.office.imap_port, "games", "none")}

    def open(self) -> Service:
        return open_service(self.config, find=find)

    async def once(self) -> int:
        """A daemon of its own process, as far as a test can have one."""
        self.service.close()
        self.service = self.open()
        return await make_daemon(self.service).run(once=True)

    def begin(self) -> str:
        invited = tuple(Invited(name.title(), (f"{name}@{DOMAIN}",)) for name in ("anna", "eve"))
        return open_table(self.service.desk, Opening("tally", invited, now=True, seed=b"s" * 32)).table.game

    def mails(self, who: str) -> list[EmailMessage]:
        """Everything in somebody's INBOX, oldest first."""
        boxes = self.office.folder / who
        paths = [path for path in boxes.rglob("*") if path.parent.name in ("new", "cur")]
        return [opened(path.read_bytes()) for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns)]

    async def answer(self, who: str, text: str) -> None:
        """Reply to the newest mail over SMTP, quoting it."""
        last = self.mails(who)[-1]
        letter = EmailMessage()
        letter["From"], letter["To"] = f"{who}@{DOMAIN}", str(last["Reply-To"])
        letter["Subject"] = f"Re: {last['Subject']}"
        letter["In-Reply-To"], letter["References"] = str(last["Message-ID"]), str(last["Message-ID"])
        quoted = "".join(f"> {line}\n" for line in text_of(last).splitlines())
        letter.set_content(f"{text}\n\nOn Friday, Troyes by Mail wrote:\n{quoted}")

        def send() -> None:
            with smtplib.SMTP(self.office.host, self.office.smtp_port) as smtp:
                smtp.login("games", self.office.password)
                smtp.send_message(letter, f"{who}@{DOMAIN}", [letter["To"].addresses[0].addr_spec])

        await asyncio.to_thread(send)


@pytest_asyncio.fixture
async def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    office = PostOffice(tmp_path / "office", ("games", "anna", "eve", "mia", "zoe"), domain=DOMAIN)
    await office.start()
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
    made = Host(tmp_path, office)
    yield made
    made.service.close()
    await office.stop()


async def test_welcomes_go_out_and_an_answer_is_played_and_receipted(host: Host) -> None:
    game = host.begin()
    assert await host.once() == DONE
    assert "The game begins." in text_of(host.mails("anna")[-1])
    who = next(name for name in ("anna", "eve") if "your turn" in host.mails(name)[-1]["Subject"])
    await host.answer(who, "1")
    assert await host.once() == DONE
    assert "\nPlayed." in text_of(host.mails(who)[-1])
    assert host.mails(who)[-1]["Subject"].startswith(f"[{game}] ")
    assert len(host.mails(who)) == 2


async def test_a_whole_game_is_played_by_mail_and_ends_with_final_results(host: Host) -> None:
    host.begin()
    await host.once()
    for _ in range(60):
        for who in ("anna", "eve"):
            last = host.mails(who)[-1]
            if re.search(r"^\[1\] ", text_of(last), re.MULTILINE):
                await host.answer(who, "1")
                assert await host.once() == DONE
        if "Final result" in host.mails("anna")[-1]["Subject"]:
            break
    assert ["Final result" in host.mails(who)[-1]["Subject"] for who in ("anna", "eve")] == [True, True]


async def test_a_running_daemon_answers_a_letter_that_arrives(host: Host) -> None:
    host.begin()
    running = make_daemon(host.service)
    task = asyncio.create_task(running.run())
    try:
        async with asyncio.timeout(PATIENCE):
            while not (host.mails("anna") and host.mails("eve")):
                await asyncio.sleep(0.02)
            await host.answer("anna", "status")
            while len(host.mails("anna")) < 2:
                await asyncio.sleep(0.02)
    finally:
        running.stop()
        assert await task == DONE
    assert host.mails("anna")[-1]["Auto-Submitted"] == "auto-replied"


async def test_a_stranger_gets_no_answer_and_the_letter_is_filed(host: Host) -> None:
    host.begin()
    await host.once()
    raw = f"From: zoe@{DOMAIN}\r\nTo: games@{DOMAIN}\r\nSubject: hi\r\n\r\npass\r\n".encode()
    host.office.accounts["games"].inbox.add(raw)
    assert await host.once() == DONE
    assert host.mails("zoe") == []
    assert host.service.spool.to_file() == []


async def test_answers_that_wait_are_sent_by_the_clock(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put off by the desk, sent by the daemon when they are due, though another process had put them off."""

    def later(own: rate_limits.Budget, result: Result, answer: Message, kind: MailKind) -> Result:
        return replace(result, delivery=Delivery(later=own.services.clock()))

    monkeypatch.setattr(rate_limits.Budget, "_unless_too_fast", later)
    host.begin()
    await host.once()
    before = len(host.mails("anna"))
    await host.answer("anna", "multiply 3")
    assert await host.once() == DONE
    assert await host.once() == DONE
    assert before + 1 == len(host.mails("anna"))
    assert "1 letter of yours is answered here" in text_of(host.mails("anna")[-1])


async def test_a_lost_spool_is_filled_again_and_each_seat_gets_its_newest_mail_once(host: Host) -> None:
    host.begin()
    await host.once()
    await host.answer("anna", "status")
    await host.once()
    host.service.close()
    for path in (host.folder / "mail").glob("spool.sqlite*"):
        path.unlink()
    host.service = host.open()
    counts = [len(host.mails(who)) for who in ("anna", "eve")]
    assert await host.once() == DONE
    assert [count + 1 for count in counts] == [len(host.mails(who)) for who in ("anna", "eve")]
    again = host.mails("anna")
    # What the server adds on the way stands above our own fields.
    first, second = (mail.as_bytes().partition(b"From: Troyes by Mail")[2] for mail in again[-2:])
    assert first == second != b""
    assert recover_spool(host.service) == (0, ())


async def test_a_post_office_that_is_closed_is_trouble_and_loses_nothing(host: Host) -> None:
    host.begin()
    await host.office.stop()
    assert await host.once() == TROUBLE
    assert len(host.service.spool.rows(state="ready")) == 2
