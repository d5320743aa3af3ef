from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.daemon.heartbeat import STALE_AFTER, HeartbeatWriter, notify, read_heartbeat
from pbem.host.scheduler import ClockReading
from tests.patience import PATIENCE


def test_systemd_hears_what_the_daemon_is_at(tmp_path: Path) -> None:
    """sd_notify(3): ready once, and before it that the start takes longer."""
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    heard.bind(str(tmp_path / "notify"))
    heard.settimeout(PATIENCE)
    at = datetime(2026, 11, 20, tzinfo=UTC)
    pulse = HeartbeatWriter(tmp_path / "heartbeat.toml", lambda: at, {"NOTIFY_SOCKET": str(tmp_path / "notify")})
    pulse.not_yet(90)
    pulse.ready()
    pulse.ready()
    pulse.not_yet(90)
    pulse.went_on("connecting", trouble="no route")
    assert pulse.beat()
    pulse.stopping()
    wanted = ["EXTEND_TIMEOUT_USEC=90000000", "READY=1", "STATUS=connecting: no route", "WATCHDOG=1", "STOPPING=1"]
    assert wanted == [heard.recv(200).decode() for _ in wanted]
    heard.close()


def test_a_loop_that_hangs_has_no_heartbeat(tmp_path: Path) -> None:
    now, passed = [datetime(2026, 11, 20, tzinfo=UTC)], [0.0]
    pulse = HeartbeatWriter(tmp_path / "heartbeat.toml", lambda: now[0], {}, lambda: ClockReading("boot", passed[0]))
    assert pulse.beat()
    now[0] += timedelta(days=3650)
    assert pulse.beat(), "a clock that was set is no loop that hangs"
    passed[0] += STALE_AFTER.total_seconds() + 1
    assert not pulse.beat()
    pulse.went_on()
    assert pulse.beat()


def test_without_systemd_nobody_is_told(tmp_path: Path) -> None:
    assert not notify("READY=1", {})
    assert not notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})


def test_a_heartbeat_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert read_heartbeat(tmp_path / "none.toml") is None
    (tmp_path / "bad.toml").write_text("at = 3\nnonsense = 4")
    assert read_heartbeat(tmp_path / "bad.toml") is None


def test_a_heartbeat_of_another_version_is_read(tmp_path: Path) -> None:
    """`letters` and `mailbox` were written once; a daemon of before may still run while `doctor` is new."""
    (tmp_path / "old.toml").write_text(
        'at = 2026-11-20T12:00:00Z\npid = 7\nstate = "answering"\ntrouble = ""\nletters = 0\nmailbox = 2026-11-20T12:00:00Z\n'
    )
    found = read_heartbeat(tmp_path / "old.toml")
    assert found is not None
    assert (7, "answering", None) == (found.pid, found.state, found.well)
