from __future__ import annotations

import email
import email.policy
from datetime import UTC, datetime
from pathlib import Path

from engine.catalog import T
from pbem.host.scheduler import Scheduler
from pbem.outbound.moderator_notices import FIRST_WAIT, NOTICE_PAUSE, Notices
from pbem.outbound.render import Host, Renderer
from pbem.store.database import OutgoingMail
from tests.parts import text_of
from tests.ticking import Ticking


class Post:
    def __init__(self) -> None:
        self.mails: list[OutgoingMail] = []

    def enqueue(self, mail: OutgoingMail, game: str = "") -> bool:
        self.mails.append(mail)
        return True


class Desk:
    def __init__(self, folder: Path, *addresses: str) -> None:
        self.at = datetime(2026, 11, 20, tzinfo=UTC)
        self.post = Post()
        self.clock = Scheduler(None, Ticking(lambda: self.at))
        renderer = Renderer(Host("games@host.test"))
        self.notices = Notices(folder / "notices.txt", self.post, renderer, addresses, self.clock)


async def test_notices_are_collected_into_one_mail_for_each_moderator(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "mia@mods.test", "max@mods.test")
    desk.notices.add(T("A letter {x} waits.", x="{\n}"), "tale-3")
    desk.notices.add(T("The disk is nearly full."))
    assert await desk.clock.ring() == 0
    desk.at += 2 * FIRST_WAIT
    await desk.clock.ring()
    assert [mail.rcpt for mail in desk.post.mails] == ["mia@mods.test", "max@mods.test"]
    raw = desk.post.mails[0].raw.replace(b"\r\n", b"\n")
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert message["Subject"] == "[pbem] 2 notices"
    assert "tale-3: A letter { } waits.\nThe disk is nearly full." in text_of(message)


async def test_the_next_mail_of_notices_waits_an_hour(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "mia@mods.test")
    desk.notices.add(T("One."))
    desk.at += 2 * FIRST_WAIT
    await desk.clock.ring()
    desk.notices.add(T("Two."))
    assert (due := desk.clock.next()) is not None
    assert NOTICE_PAUSE <= due - desk.at < NOTICE_PAUSE + FIRST_WAIT


async def test_notices_survive_a_restart(tmp_path: Path) -> None:
    Desk(tmp_path, "mia@mods.test").notices.add(T("One."))
    desk = Desk(tmp_path, "mia@mods.test")
    desk.at += 2 * FIRST_WAIT
    await desk.clock.ring()
    assert len(desk.post.mails) == 1


async def test_without_a_moderator_notices_go_to_the_log_only(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.notices.add(T("One."))
    assert desk.clock.next() is None
