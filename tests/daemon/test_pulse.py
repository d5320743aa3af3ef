from __future__ import annotations

import socket
from datetime import UTC
from datetime import datetime
from datetime import timedelta
from pathlib import Path

from pbem.pulse import STALE
from pbem.pulse import Pulse
from pbem.pulse import notify
from pbem.pulse import read_heartbeat
from tests.patience import PATIENCE


def test_systemd_hears_ready_status_watchdog_and_stopping(tmp_path: Path) -> None:
    """sd_notify(3)."""
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    heard.bind(str(tmp_path / "notify"))
    heard.settimeout(PATIENCE)
    at = datetime(2026, 11, 20, tzinfo=UTC)
    pulse = Pulse(tmp_path / "heartbeat.toml", lambda: at, {"NOTIFY_SOCKET": str(tmp_path / "notify")})
    pulse.ready()
    pulse.went_on("connecting", trouble="no route")
    assert pulse.beat()
    pulse.stopping()
    said = [heard.recv(200).decode() for _ in range(4)]
    heard.close()
    assert said == ["READY=1", "STATUS=connecting: no route", "WATCHDOG=1", "STOPPING=1"]


def test_a_loop_that_hangs_has_no_heartbeat(tmp_path: Path) -> None:
    now = [datetime(2026, 11, 20, tzinfo=UTC)]
    pulse = Pulse(tmp_path / "heartbeat.toml", lambda: now[0], {})
    assert pulse.beat()
    now[0] += STALE + timedelta(seconds=1)
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
