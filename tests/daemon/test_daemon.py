from __future__ import annotations

import asyncio
import logging
import os
import signal
import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from pbem.daemon.heartbeat import read_heartbeat
from pbem.daemon.main_loop import DONE, SEND_AGAIN, TROUBLE, Daemon, Lifecycle
from pbem.host.scheduler import DueTime, utc_now
from pbem.inbound.mailbox import LoginRefused
from pbem.outbound.sender import SendDelayed
from pbem.store.database import OutgoingMail
from pbem.store.errors import HandEdited, LockHeld
from pbem.store.game_store import GameStore
from pbem.store.inbound_queue import MAX_ATTEMPTS
from tests.daemon.fakes import Host, Killed, letter
from tests.patience import PATIENCE


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


async def test_once_answers_sends_and_files_what_is_there(host: Host) -> None:
    host.box.deliver("one", "two")
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["one", "two"]
    assert host.box.inbox == {}
    assert [letter("one"), letter("two")] == host.box.folders["Handled"]


async def test_once_says_three_when_the_mailbox_cannot_be_reached_and_still_sends(host: Host) -> None:
    host.box.deliver("one")
    await host.daemon.run(once=True)
    host.restart()
    host.box.failing["connect"] = 1
    assert await host.daemon.run(once=True) == TROUBLE


async def test_once_says_three_when_mail_cannot_go_out(host: Host) -> None:
    host.box.deliver("one")
    host.server.trouble = SendDelayed("connection refused")
    assert await host.daemon.run(once=True) == TROUBLE
    assert [letter("one")] == host.box.folders["Handled"]


async def test_letters_are_answered_in_the_order_they_arrived_beyond_one_batch(host: Host) -> None:
    names = [f"letter-{n}" for n in range(60)]
    host.box.deliver(*names)
    await host.daemon.run(once=True)
    assert names == host.desk.handled


async def test_the_daemon_answers_letters_that_come_while_it_runs(host: Host) -> None:
    async def later() -> None:
        await host.box.waited.wait()
        host.box.deliver("two")

    host.box.deliver("one")
    task = asyncio.create_task(later())
    await host.until(lambda: len(host.server.taken) == 2 and not host.box.inbox)
    await task
    assert host.server.taken == ["one", "two"]


@pytest.mark.parametrize("call", ["connect", "arrived", "fetch", "file", "wait"])
async def test_a_failing_mailbox_is_connected_again_and_nothing_is_lost_or_done_twice(
    host: Host, call: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    # Filing that fails more than twice is left alone for a minute (test_filing).
    host.box.failing[call] = 1 if call == "file" else 3
    host.box.deliver("one", "two")
    await host.until(lambda: not host.box.inbox and host.box.failing[call] == 0 and "works again" in caplog.text)
    assert host.server.taken == ["one", "two"]
    assert caplog.text.count("trying again until it works") == 1


@pytest.mark.parametrize("call", ["arrived", "fetch", "file"])
async def test_a_kill_at_any_call_loses_no_letter_and_answers_none_twice(host: Host, call: str) -> None:
    host.box.deliver("one", "two")
    host.box.kill_at = call
    with pytest.raises(Killed):
        await host.daemon.run(once=True)
    host.box.kill_at = ""
    host.restart()
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["one", "two"]
    assert len(host.box.folders["Handled"]) == 2


async def test_a_kill_in_the_middle_of_a_letter_answers_it_after_the_restart(host: Host) -> None:
    host.box.deliver("one", "two")
    host.desk.moods["two"] = Killed()
    with pytest.raises(Killed):
        await host.daemon.run(once=True)
    host.restart()
    await host.daemon.run(once=True)
    assert host.server.taken == ["one", "two"]


async def test_letters_fetched_before_a_restart_are_answered_without_the_mailbox(host: Host) -> None:
    host.box.deliver("one")
    host.desk.moods["one"] = Killed()
    with pytest.raises(Killed):
        await host.daemon.run(once=True)
    host.restart()
    host.box.failing["connect"] = 1
    assert await host.daemon.run(once=True) == TROUBLE
    assert host.server.taken == ["one"]


async def test_a_letter_is_known_again_by_its_content_when_the_folder_is_made_anew(host: Host) -> None:
    """RFC 3501, section 2.3.1.1: UIDVALIDITY."""
    host.box.deliver("one")
    host.box.failing["file"] = 1
    assert await host.daemon.run(once=True) == TROUBLE
    host.box.anew()
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["one"]
    assert host.box.inbox == {}


async def test_a_letter_that_somebody_moved_is_no_trouble(host: Host) -> None:
    host.box.deliver("one")
    host.box.failing["file"] = 1
    await host.daemon.run(once=True)
    host.box.inbox.clear()
    assert await host.daemon.run(once=True) == DONE
    assert host.spool.to_file() == []


async def test_quarantined_letters_are_filed_apart_and_reported(host: Host) -> None:
    host.desk.moods["bad"] = "quarantined"
    host.box.deliver("bad", "good")
    assert await host.daemon.run(once=True) == DONE
    assert [letter("bad")] == host.box.folders["Quarantine"]
    assert [letter("good")] == host.box.folders["Handled"]
    (says,) = host.reports
    assert says.startswith("A letter was put aside and lies in the folder Quarantine of the mailbox: no reason.")


async def test_a_parked_game_keeps_its_letters_waiting_and_others_go_on(host: Host) -> None:
    host.desk.moods["parked"] = HandEdited("tale-3", ["state.toml"])
    host.box.deliver("parked", "good")
    assert await host.daemon.run(once=True) == TROUBLE
    assert host.server.taken == ["good"]
    assert [letter("parked")] == list(host.box.inbox.values())
    assert len(host.reports) == 1
    host.restart()
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["good", "parked"]


async def test_a_letter_that_always_meets_a_defect_is_put_aside_in_the_end(host: Host) -> None:
    host.box.deliver("defect", "good")
    for _ in range(MAX_ATTEMPTS + 1):
        host.restart()
        host.desk.moods["defect"] = ZeroDivisionError()
        await host.daemon.run(once=True)
    assert [letter("defect")] == host.box.folders["Quarantine"]
    assert host.server.taken == ["good"]


async def test_a_full_disk_stops_the_answering_and_puts_no_letter_aside(host: Host) -> None:
    host.box.deliver("one")
    host.desk.moods["one"] = OSError(28, "No space left on device")
    assert await host.daemon.run(once=True) == TROUBLE
    host.restart()
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["one"]


async def test_a_stop_finishes_the_letter_at_hand_and_leaves_the_rest(host: Host) -> None:
    names = [f"letter-{n}" for n in range(5)]
    host.box.deliver(*names)
    before = host.desk.handle

    def handle(*given: object) -> object:
        host.daemon.stop()
        return before(*given)  # type: ignore[arg-type]

    host.desk.handle = handle  # type: ignore[assignment,method-assign]
    await asyncio.wait_for(host.daemon.run(), PATIENCE)
    assert host.desk.handled == ["letter-0"]
    host.restart()
    await host.daemon.run(once=True)
    assert names == host.server.taken


async def test_sigterm_ends_a_waiting_daemon_at_once(host: Host) -> None:
    async def end() -> None:
        await host.box.waited.wait()
        os.kill(os.getpid(), signal.SIGTERM)

    ending = asyncio.create_task(end())
    assert await asyncio.wait_for(host.daemon.run(), PATIENCE) == DONE
    await ending


async def test_mail_that_another_program_laid_down_is_sent(host: Host) -> None:
    host.spool.enqueue(OutgoingMail("x.1.1", "anna", "anna@players.test", b"from outside"), "x")
    await host.until(lambda: host.server.taken == ["from outside"])


async def test_the_heartbeat_says_what_the_daemon_is_at(host: Host) -> None:
    await host.until(lambda: (host.folder / "heartbeat.toml").exists() and "waiting" in _state(host))
    found = read_heartbeat(host.folder / "heartbeat.toml")
    assert found is not None
    assert ("stopped", os.getpid()) == (found.state, found.pid)


def _state(host: Host) -> str:
    found = read_heartbeat(host.folder / "heartbeat.toml")
    return found.state if found else ""


async def test_two_daemons_do_not_run(host: Host, tmp_path: Path) -> None:
    class Locking(Lifecycle):
        def lock(self) -> AbstractContextManager[object]:
            return GameStore(tmp_path / "games").daemon_lock()

    first, second = (Daemon(host.parts, Locking()) for _ in range(2))
    task = asyncio.create_task(first.run())
    await asyncio.wait_for(host.box.waited.wait(), PATIENCE)
    with pytest.raises(LockHeld):
        await second.run(once=True)
    first.stop()
    await task


async def test_no_defect_of_the_mailbox_is_swallowed(host: Host) -> None:
    """Only what a mailbox may say is waited out; anything else ends the program, so that it is seen."""
    host.box.connect = lambda: (_ for _ in ()).throw(TypeError("defect"))  # type: ignore[method-assign]
    with pytest.raises(TypeError):
        await host.daemon.run(once=True)


async def test_a_stop_while_a_mail_is_being_sent_does_not_send_it_twice(host: Host) -> None:
    host.spool.enqueue(OutgoingMail("x.1.1", "anna", "anna@players.test", b"slow"), "x")
    before = host.server.send

    async def slow(message: bytes, mail_from: str, rcpt: str) -> None:
        await before(message, mail_from, rcpt)
        host.daemon.stop()
        await asyncio.sleep(0.2)

    host.server.send = slow  # type: ignore[method-assign]
    await asyncio.wait_for(host.daemon.run(), PATIENCE)
    host.server.send = before  # type: ignore[method-assign]
    host.restart()
    await host.daemon.run(once=True)
    assert host.server.taken == ["slow"]


async def test_after_trouble_with_the_disk_recovery_comes_before_the_next_letter(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    begun: list[int] = []

    class Recovering(Lifecycle):
        def recover(self) -> None:
            begun.append(1)

    recovering = Daemon(host.parts, Recovering())
    host.desk.moods["one"] = OSError(28, "No space left on device")
    host.box.deliver("one")
    task = asyncio.create_task(recovering.run())
    while len(begun) < 2:
        await asyncio.sleep(0.01)
    host.desk.moods.clear()
    while not host.server.taken:
        await asyncio.sleep(0.01)
    recovering.stop()
    await task
    assert host.server.taken == ["one"]
    assert "the disk works again" in caplog.text
    assert "the mailbox works again" not in caplog.text


def heard_by(host: Host, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What systemd is told from now on."""
    heard: list[str] = []
    monkeypatch.setattr("pbem.daemon.heartbeat.notify", lambda text, environ: heard.append(text))
    return heard


async def test_systemd_is_told_ready_after_the_first_login_and_not_before(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong password must not look like a service that runs; the status says what is wrong."""
    words = heard_by(host, monkeypatch)
    refusals, connect = [LoginRefused("host:993: login as games was refused: no")] * 2, host.box.connect

    async def refuse() -> None:
        if refusals:
            raise refusals.pop()
        await connect()

    host.box.connect = refuse  # type: ignore[method-assign]
    await host.until(lambda: host.box.connections > 0 and "waiting for letters" in _state(host), seconds=60)
    status = "STATUS=waiting to try again: host:993: login as games was refused: no"
    assert words.index(status) < words.index("READY=1")
    assert words.count("READY=1") == 1
    assert not any(one.startswith("EXTEND_TIMEOUT_USEC") for one in words)


async def test_a_server_that_is_down_at_the_start_is_waited_for(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    words = heard_by(host, monkeypatch)
    host.box.failing["connect"] = 2
    await host.until(lambda: host.box.connections > 0 and "waiting for letters" in _state(host), seconds=60)
    assert any(one.startswith("EXTEND_TIMEOUT_USEC") for one in words[: words.index("READY=1")])


async def test_a_full_disk_holds_the_outbox_up_for_seconds_and_not_for_minutes(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = host.parts.clock

    def full(*given: object) -> list[object]:
        raise sqlite3.OperationalError("database or disk is full")

    clock.plan(DueTime(utc_now(), "outbox"))
    with monkeypatch.context() as patched:
        patched.setattr(host.spool, "due", full)
        assert await clock.ring() == 1
    due = clock.next()
    assert due is not None
    assert due <= utc_now() + SEND_AGAIN


async def test_letters_of_a_held_game_are_never_put_aside(host: Host) -> None:
    """They are begun every minute; that tells nothing against them."""
    host.desk.moods["parked"] = HandEdited("tale-3", ["state.toml"])
    host.box.deliver("parked")
    for _ in range(3 * MAX_ATTEMPTS):
        await host.daemon.run(once=True)
        host.intake._later.clear()
    assert [letter("parked")] == list(host.box.inbox.values())
    assert host.spool.waiting()[0].deaths == 0


async def test_letters_met_by_a_full_disk_are_never_put_aside(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the disk has no room for the excuse: then it is owed."""
    host.desk.moods["one"] = OSError(28, "No space left on device")
    host.box.deliver("one")

    def full(*given: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(host.spool, "excuse", full)
        for _ in range(3 * MAX_ATTEMPTS):
            assert await host.daemon.run(once=True) == TROUBLE
    host.desk.moods.clear()
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["one"]


async def test_poison_is_told_to_the_moderator_without_a_word_of_the_letter(host: Host) -> None:
    host.box.deliver("a secret word", "good")
    for _ in range(MAX_ATTEMPTS):
        host.restart()
        host.desk.moods["a secret word"] = Killed()
        with pytest.raises(Killed):
            await host.daemon.run(once=True)
    host.restart()
    assert await host.daemon.run(once=True) == DONE
    assert host.server.taken == ["good"]
    assert [letter("a secret word")] == host.box.folders["Quarantine"]
    (report,) = host.reports
    assert "begun 3 times" in report
    assert "secret" not in report
