from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.host.scheduler import ClockReading
from pbem.outbound.outbox import LONGEST_RETRY, PATIENCE, Outbox
from pbem.outbound.sender import SendDelayed, SenderLoginRefused, SenderRefused, SendRefused
from pbem.store.database import OutgoingMail, QueuedMail
from pbem.store.spool import Spool


class Carrier:
    """A mail server: `answers` says how it meets a recipient's mails; `killed_at`: the mail at which we die."""

    def __init__(self) -> None:
        self.answers: dict[str, Exception] = {}
        self.taken: list[str] = []
        self.killed_at = ""

    async def send(self, message: bytes, mail_from: str, rcpt: str) -> None:
        if answer := self.answers.get(rcpt):
            raise answer
        self.taken.append(message.decode())
        if message.decode() == self.killed_at:
            raise KeyboardInterrupt


class Scene:
    def __init__(self, folder: Path) -> None:
        self.at = datetime.now(UTC)
        self.boot, self.passed = "first", 0.0
        self.spool = Spool(folder)
        self.carrier = Carrier()
        self.failed: list[tuple[str, bool]] = []
        self.doubted: list[str] = []
        self.begin()

    def begin(self) -> None:
        def failed(mail: QueuedMail, reason: str, dead: bool) -> None:
            self.failed.append((mail.message_id, dead))

        def steady() -> ClockReading:
            return ClockReading(self.boot, self.passed)

        self.outbox = Outbox(
            self.spool, self.carrier, lambda: self.at, "games@host.test", failed, steady,
            doubted=lambda mail, reason: self.doubted.append(mail.message_id),
        )  # fmt: skip

    def lay(self, *names: str) -> None:
        """Mails named `anna1`, `eve1`, …: to anna, to eve."""
        for name in names:
            who = name.rstrip("0123456789")
            self.spool.enqueue(OutgoingMail(name, who, f"{who}@players.test", name.encode()), "tale-3")
        self.at = datetime.now(UTC)

    def later(self, **how: float) -> None:
        """Time passes."""
        self.jump(**how)
        self.passed += timedelta(**how).total_seconds()

    def jump(self, **how: float) -> None:
        """Somebody sets the clock."""
        self.at += timedelta(**how)

    def greylist(self, *names: str) -> None:
        for who in names:
            self.carrier.answers[f"{who}@players.test"] = SendDelayed("4.7.1 greylisted", 451)

    def state(self, name: str) -> str:
        return next(row.state for row in self.spool.rows() if row.message_id == name)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


async def test_mails_go_out_in_order_and_once(scene: Scene) -> None:
    scene.lay("anna1", "eve1", "anna2")
    done = await scene.outbox.flush()
    await scene.outbox.flush()
    assert done.sent == 3
    assert scene.carrier.taken == ["anna1", "eve1", "anna2"]


async def test_a_delayed_mail_holds_up_its_recipient_only(scene: Scene) -> None:
    scene.lay("anna1", "eve1", "anna2")
    scene.carrier.answers["anna@players.test"] = SendDelayed("mailbox busy", 450)
    done = await scene.outbox.flush()
    assert (done.sent, done.delayed) == (1, 1)
    scene.carrier.answers.clear()
    scene.later(seconds=30)
    await scene.outbox.flush()
    assert scene.carrier.taken == ["eve1"]
    scene.later(minutes=2)
    await scene.outbox.flush()
    assert scene.carrier.taken == ["eve1", "anna1", "anna2"]


async def test_delays_grow_and_are_kept_over_a_restart(scene: Scene) -> None:
    scene.lay("anna1")
    scene.carrier.answers["anna@players.test"] = SendDelayed("mailbox busy", 450)
    waits = []
    for _ in range(3):
        await scene.outbox.flush()
        scene.begin()
        due = scene.outbox.next_try()
        assert due is not None
        waits.append(due - scene.at)
        scene.at = due
    assert [timedelta(minutes=n) for n in (1, 2, 4)] == waits


async def test_a_refused_mail_is_recorded_and_reported_and_the_next_goes_on(scene: Scene) -> None:
    scene.lay("anna1", "anna2")
    scene.carrier.answers["anna@players.test"] = SendRefused("no such user", 550, address_dead=True)
    done = await scene.outbox.flush()
    assert done.failed == 2
    assert scene.state("anna1") == "failed"
    assert scene.failed == [("anna1", True), ("anna2", True)]


async def test_a_mail_is_given_up_after_days_of_trying(scene: Scene) -> None:
    scene.lay("anna1")
    scene.carrier.answers["anna@players.test"] = SendDelayed("mailbox full", 452)
    hours = 0
    while not scene.failed:
        await scene.outbox.flush()
        # Neither a new process nor a long pause between two tries counts for more than it is.
        scene.begin()
        scene.later(hours=2)
        hours += 2
        assert hours < 200
    assert scene.failed == [("anna1", False)]
    assert PATIENCE <= timedelta(hours=hours) <= PATIENCE + timedelta(hours=4)


@pytest.mark.parametrize("days", [7, 3650])
async def test_a_host_that_was_off_gives_up_nothing_at_its_first_try(scene: Scene, days: int) -> None:
    """The mail is old, and the recipient's server greylists: nobody has tried yet."""
    scene.lay("anna1")
    scene.greylist("anna")
    scene.jump(days=days)
    await scene.outbox.flush()
    scene.carrier.answers.clear()
    scene.later(minutes=2)
    await scene.outbox.flush()
    assert (scene.failed, scene.carrier.taken) == ([], ["anna1"])


@pytest.mark.parametrize("days", [5, 3650, -2, -3650])
async def test_a_clock_that_jumps_while_a_mail_is_greylisted_decides_nothing(scene: Scene, days: int) -> None:
    scene.lay("anna1", "eve1")
    scene.greylist("anna", "eve")
    await scene.outbox.flush()
    scene.jump(days=days)
    await scene.outbox.flush()
    scene.jump(days=-days)
    scene.carrier.answers.clear()
    for _ in range(2):
        await scene.outbox.flush()
        scene.later(minutes=5)
    assert (scene.failed, scene.carrier.taken) == ([], ["anna1", "eve1"])


async def test_a_clock_that_leaps_again_and_again_gives_up_no_mail(scene: Scene) -> None:
    """A thousand tries within a thousand minutes are less than four days of trying, whatever the clock says."""
    scene.lay("anna1")
    scene.greylist("anna")
    for leap in range(1000):
        await scene.outbox.flush()
        scene.jump(days=30 if leap % 2 else -29)
        scene.later(minutes=1)
        if leap % 100 == 0:
            scene.boot, scene.passed = f"boot {leap}", 0.0
            scene.begin()
    assert scene.failed == []


async def test_what_a_clock_ahead_has_put_off_goes_when_it_is_right_again(scene: Scene) -> None:
    """Also what waits behind it, and with a new process."""
    scene.lay("anna1")
    scene.jump(days=2)
    scene.greylist("anna")
    await scene.outbox.flush()
    scene.jump(days=-2)
    scene.carrier.answers.clear()
    scene.lay("anna2")
    scene.begin()
    due = scene.outbox.next_try()
    assert due is not None
    assert due <= scene.at + LONGEST_RETRY
    await scene.outbox.flush()
    assert scene.carrier.taken == ["anna1", "anna2"]


async def test_a_server_left_alone_is_tried_again_though_the_clock_went_back(scene: Scene) -> None:
    scene.lay("anna1")
    scene.carrier.answers["anna@players.test"] = SendDelayed("connection refused")
    await scene.outbox.flush()
    scene.carrier.answers.clear()
    scene.jump(days=-3650)
    scene.later(seconds=6)
    assert (await scene.outbox.flush()).sent == 1


@pytest.mark.parametrize(
    "trouble", [SendDelayed("connection refused"), SenderLoginRefused("no", 535), SenderRefused("5.4.5 limit", 550)]
)
async def test_a_server_in_trouble_is_left_alone_and_no_mail_is_lost(scene: Scene, trouble: SendDelayed) -> None:
    scene.lay("anna1", "eve1")
    for who in ("anna", "eve"):
        scene.carrier.answers[f"{who}@players.test"] = trouble
    done = await scene.outbox.flush()
    assert str(trouble) == done.trouble
    scene.carrier.answers.clear()
    assert (await scene.outbox.flush()).sent == 0
    scene.later(seconds=6)
    assert (await scene.outbox.flush()).sent == 2
    assert scene.outbox.trouble == ""


async def test_a_long_outage_gives_up_no_mail(scene: Scene) -> None:
    scene.lay("anna1", "eve1")
    for who in ("anna", "eve"):
        scene.carrier.answers[f"{who}@players.test"] = SendDelayed("connection refused")
    for _ in range(200):
        await scene.outbox.flush()
        scene.later(hours=1)
    scene.carrier.answers.clear()
    scene.later(hours=1)
    await scene.outbox.flush()
    assert scene.failed == []
    assert {"anna1", "eve1"} == set(scene.carrier.taken)


async def test_a_mail_that_ends_every_connection_lets_others_pass(scene: Scene) -> None:
    scene.lay("anna1", "eve1")
    scene.carrier.answers["anna@players.test"] = SendDelayed("connection lost")
    for _ in range(20):
        await scene.outbox.flush()
        scene.later(seconds=40)
    assert scene.carrier.taken == ["eve1"]


async def test_a_kill_after_the_servers_answer_repeats_that_mail_only(scene: Scene) -> None:
    """Contract, «State, secrets, repair»: at most one duplicate per kill, of the mail in flight; none is missing."""
    scene.lay("anna1", "anna2", "anna3")
    scene.carrier.killed_at = "anna2"
    with pytest.raises(KeyboardInterrupt):
        await scene.outbox.flush()
    scene.carrier.killed_at = ""
    scene.begin()
    await scene.outbox.flush()
    assert scene.carrier.taken == ["anna1", "anna2", "anna2", "anna3"]


async def test_a_stop_ends_the_round_between_two_mails(scene: Scene) -> None:
    scene.lay("anna1", "anna2")
    stop = asyncio.Event()
    stop.set()
    assert (await scene.outbox.flush(stop)).sent == 0
    assert scene.state("anna1") == "ready"


async def test_pauses_grow_while_the_server_takes_nothing_from_us(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is given up, however long; when it works again all goes, once, the same bytes in order."""
    scene.lay("anna1", "eve1", "faye1", "anna2")
    for who in ("anna", "eve", "faye"):
        scene.carrier.answers[f"{who}@players.test"] = SenderRefused("5.2.0 SubmissionQuotaExceeded", 554)
    tried = []
    for _ in range(24 * 60 * 6):
        before = [row.attempts for row in scene.spool.rows()]
        await scene.outbox.flush()
        if before != [row.attempts for row in scene.spool.rows()]:
            tried.append(scene.passed)
        scene.later(minutes=1)
    assert scene.failed == []
    assert scene.outbox.refused
    gaps = [later - sooner for sooner, later in pairwise(tried)]
    assert gaps[-1] >= 3600 > gaps[0]
    assert len(tried) < 24 * 6 + 20
    assert ["ERROR"] == [one.levelname for one in caplog.records if "takes no mail from us" in one.message]
    scene.carrier.answers.clear()
    for _ in range(3):
        scene.later(hours=1)
        await scene.outbox.flush()
    assert scene.carrier.taken.index("anna1") < scene.carrier.taken.index("anna2")
    assert sorted(scene.carrier.taken) == ["anna1", "anna2", "eve1", "faye1"]
    assert (scene.outbox.trouble, scene.outbox.refused) == ("", False)


@pytest.mark.parametrize("certain", [True, False])
async def test_one_text_for_several_recipients_is_about_us(scene: Scene, certain: bool) -> None:
    """Whatever it says, and though what differs between them stands in it; those given up before go as well."""
    names = ("anna", "eve", "faye", "geoffrey")
    for who in names:
        says = f"5.1.1 <{who}@players.test>: nobody here, id {len(who)}x7"
        scene.carrier.answers[f"{who}@players.test"] = SendRefused(says, 550, address_dead=certain)
    for who in names:
        # One after another, as in a game.
        scene.lay(f"{who}1")
        await scene.outbox.flush()
        scene.later(minutes=5)
    assert scene.outbox.refused
    assert all(scene.state(f"{who}1") == "ready" for who in names)
    scene.carrier.answers.clear()
    for _ in range(5):
        scene.later(hours=1)
        scene.at = max(scene.at, datetime.now(UTC))
        await scene.outbox.flush()
    assert sorted(scene.carrier.taken) == sorted(f"{who}1" for who in names)
    assert scene.outbox.trouble == ""


@pytest.mark.parametrize("certain", [True, False])
@pytest.mark.parametrize("dead", [3, 4, 6])
async def test_dead_addresses_at_the_head_hold_up_nobody_else(scene: Scene, dead: int, certain: bool) -> None:
    """They look as if it were about us until the server takes a mail of somebody else's; then each is given up."""
    names = [f"dead{'x' * n}" for n in range(dead)]
    for who in names:
        scene.carrier.answers[f"{who}@players.test"] = SendRefused("5.1.1 no such user", 550, address_dead=certain)
    scene.lay(*(f"{who}1" for who in names), "anna1", "eve1")
    for _ in range(dead + 2):
        await scene.outbox.flush()
        scene.later(minutes=5)
    assert ["anna1", "eve1"] == scene.carrier.taken
    scene.lay("faye1")
    for _ in range(3):
        scene.later(hours=1)
        scene.at = max(scene.at, datetime.now(UTC) + timedelta(days=1))
        await scene.outbox.flush()
    assert {"failed"} == {scene.state(f"{who}1") for who in names}
    assert ["anna1", "eve1", "faye1"] == scene.carrier.taken
    assert scene.outbox.trouble == ""


async def test_what_one_reply_cannot_tell_is_believed_once_another_mail_was_taken(scene: Scene) -> None:
    scene.lay("anna1")
    scene.carrier.answers["anna@players.test"] = SendRefused("5.7.1 looks like spam", 554)
    for _ in range(5):
        await scene.outbox.flush()
        scene.later(hours=1)
    assert (scene.failed, scene.doubted, scene.outbox.trouble) == ([], ["anna1"], "")
    scene.lay("eve1")
    scene.later(hours=2)
    for _ in range(2):
        await scene.outbox.flush()
        scene.later(hours=2)
    assert scene.carrier.taken == ["eve1"]
    assert scene.failed == [("anna1", False)]


async def test_a_server_that_nothing_waits_for_is_in_no_trouble(scene: Scene) -> None:
    """Else no clock would run for ever."""
    scene.lay("anna1")
    scene.carrier.answers["anna@players.test"] = SenderRefused("5.4.5 limit", 550)
    await scene.outbox.flush()
    scene.later(hours=1)
    scene.carrier.answers["anna@players.test"] = SendRefused("5.1.1 no such user", 550, address_dead=True)
    await scene.outbox.flush()
    assert scene.failed == [("anna1", True)]
    assert scene.outbox.trouble == ""
