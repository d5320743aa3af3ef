"""A letter that ends the process, by a signal or by hanging until the watchdog ends it, stops the post no longer.

Contract, «State, secrets, repair»: a letter's attempts are counted before its work; at the fourth start it is put aside.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import signal
import smtplib
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.daemon.service import open_service
from pbem.store.inbound_queue import MAX_ATTEMPTS
from tests.daemon.test_kills import Play
from tests.daemon.victim import DOMAIN, Victim, find
from tests.patience import PATIENCE
from tests.wire.servers import local_office

BEAT = 0.5
"""Seconds between two signs of life, as the test's watchdog asks for them."""


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    with local_office(tmp_path / "office", domain=DOMAIN) as office:
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        yield Play(tmp_path / "host", office, tables=1)


def until(play: Play, victim: Victim, count: int) -> None:
    """Wait until so many mails have come (a kill may bring the last one twice)."""
    while len(play.mails_by_id()) < count:
        assert victim.ended(0.02) is None, "the daemon ended by itself"


def write(play: Play, poison: str) -> int:
    """A poisoned letter of somebody, then a good one of whoever is asked; how many mails there are before."""
    with play.daemon() as victim:
        until(play, victim, 4)
    before = len(play.mails_by_id())
    bad = EmailMessage()
    bad["From"], bad["To"], bad["X-Poison"] = f"anna@{DOMAIN}", f"games@{DOMAIN}", poison
    bad.set_content("poison\n")
    with smtplib.SMTP("127.0.0.1", play.office.smtp_port) as smtp:
        smtp.login("games", play.office.password)
        smtp.sendmail(f"anna@{DOMAIN}", [f"games@{DOMAIN}"], bad.as_bytes())
    play.answer_all()
    assert play.letters == 1
    return before


def folders(play: Play) -> dict[str, list[str]]:
    """What lies in the games' mailbox, by folder."""
    found: dict[str, list[str]] = {}
    for path in (play.office.folder / "games").rglob("*"):
        if path.parent.name in ("new", "cur") and path.is_file():
            mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            found.setdefault(path.parent.parent.name, []).append(str(mail["X-Poison"] or "good"))
    return found


def the_fourth_start_goes_on(play: Play, poison: str, before: int) -> None:
    with play.daemon() as victim:
        until(play, victim, before + 1)
        while len(where := folders(play)) < 2 or "games" in where:
            assert victim.ended(0.02) is None
    assert {name.strip("."): kind for name, kind in where.items()} == {"Quarantine": [poison], "Handled": ["good"]}
    with contextlib.closing(open_service(play.config, find=find)) as service:
        states = dict(service.spool.ask("SELECT state, note FROM letters"))
        assert states["quarantined"] == f"begun {MAX_ATTEMPTS} times and never finished"


def test_a_letter_that_kills_by_a_signal_is_put_aside_at_the_fourth_start(play: Play) -> None:
    before = write(play, "kill")
    for _ in range(MAX_ATTEMPTS):
        with play.daemon() as victim:
            assert victim.ended(PATIENCE) == -signal.SIGKILL
    assert len(play.mails_by_id()) == before
    the_fourth_start_goes_on(play, "kill", before)


def test_a_letter_that_hangs_is_ended_by_the_watchdog_and_put_aside_at_the_fourth_start(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watchdog of systemd, sd_notify(3): it ends what gives no sign of life."""
    before = write(play, "hang")
    for start in range(MAX_ATTEMPTS):
        heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        heard.bind(str(tmp_path / f"notify{start}"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / f"notify{start}"))
        monkeypatch.setenv("WATCHDOG_USEC", str(int(2 * BEAT * 1_000_000)))
        with heard, play.daemon() as victim:
            assert victim.hear() == "hanging"
            heard.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    heard.recv(300)
            heard.settimeout(4 * BEAT)
            with pytest.raises(TimeoutError):
                heard.recv(300)
            victim.signal(signal.SIGABRT)
            assert victim.ended(PATIENCE) == -signal.SIGABRT
    monkeypatch.delenv("NOTIFY_SOCKET")
    monkeypatch.delenv("WATCHDOG_USEC")
    the_fourth_start_goes_on(play, "hang", before)
