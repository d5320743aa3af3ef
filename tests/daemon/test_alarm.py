"""The command that tells the host, on another way than by mail, that mail is down, and that it works again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.daemon.alarm import Alarm
from pbem.daemon.heartbeat import read_heartbeat
from pbem.outbound.sender import SenderRefused

from .fakes import Host


class Scene:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told = folder / "told"
        self.at = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
        self.begin()

    def begin(self, command: str = "", seconds: float = 60.0) -> None:
        """A new process."""
        command = command or f"(echo $PBEM_MAIL; echo \"$PBEM_TROUBLE\"; cat; env | grep -c PASSWORD) >> {self.told}"
        self.alarm = Alarm(self.folder, command, lambda: self.at, seconds)

    async def heed(self, trouble: str, *, refused: bool = False) -> list[str]:
        """What the command was told."""
        self.alarm.heed(trouble, refused=refused)
        await self.alarm.rest()
        found = self.told.read_text().splitlines() if self.told.exists() else []
        self.told.unlink(missing_ok=True)
        return found


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setenv("PBEM_SMTP_PASSWORD", "correct-horse")
    return Scene(tmp_path)


async def test_it_is_run_once_when_mail_is_down_and_once_when_it_works(scene: Scene) -> None:
    down = "Mail of this host is down since 2026-11-28 12:00 UTC: 554 quota"
    assert ["down", down, down, "0"] == await scene.heed("554 quota", refused=True)
    for _ in range(3):
        scene.begin()
        scene.at += timedelta(hours=1)
        assert [] == await scene.heed("554 quota of another day", refused=True)
    scene.begin()
    works = "Mail of this host works again; it was down since 2026-11-28 12:00 UTC."
    assert ["works", works, works, "0"] == await scene.heed("")
    assert [] == await scene.heed("")
    assert not (scene.folder / "trouble.toml").exists()


async def test_a_connection_that_is_lost_for_minutes_is_told_to_nobody(scene: Scene) -> None:
    assert [] == await scene.heed("connection refused")
    scene.at += timedelta(minutes=5)
    assert [] == await scene.heed("connection refused")
    assert [] == await scene.heed("")
    assert [] == await scene.heed("connection refused")
    scene.at += timedelta(minutes=11)
    scene.begin()
    assert "down" in await scene.heed("connection refused")


async def test_one_that_does_not_end_is_ended_and_one_that_fails_stops_nothing(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.begin("sleep 1000", 0.2)
    await scene.heed("554 quota", refused=True)
    scene.begin("exit 3")
    await scene.heed("")
    assert ["did not end within", "ended with 3"] == [
        words for one in caplog.records for words in ("did not end within", "ended with 3") if words in one.message
    ]


async def test_a_daemon_whose_server_takes_nothing_from_us_tells_it_once_and_when_it_is_over(tmp_path: Path) -> None:
    """Also one that works at intervals; the heartbeat tells `doctor`, the mails go when it is over."""
    host, told = Host(tmp_path), tmp_path / "told"
    host.box.deliver("one")
    host.server.trouble = SenderRefused("5.2.0 SubmissionQuotaExceeded", 554)
    assert await host.daemon.run(once=True) == 3
    beat = read_heartbeat(tmp_path / "heartbeat.toml")
    assert beat is not None
    assert "SubmissionQuotaExceeded" in beat.trouble
    for _ in range(2):
        # Before the mail is tried again nobody knows that it would go.
        host.restart()
        await host.daemon.run(once=True)
    (line,) = told.read_text().splitlines()
    assert "is down since" in line
    assert line.endswith("554 5.2.0 SubmissionQuotaExceeded")
    host.server.trouble = None
    host.restart()
    await host.until(lambda: host.server.taken and len(told.read_text().splitlines()) == 2)
    assert host.server.taken == ["one"]
    assert "works again" in told.read_text().splitlines()[1]
