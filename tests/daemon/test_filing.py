"""Letters that cannot be moved where they belong hold up nobody: they stay, are not answered again, and it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.kit import local_checks, server_checks
from pbem.daemon.heartbeat import read_heartbeat
from pbem.daemon.main_loop import TROUBLE
from pbem.host.config import Config, ImapConfig, config_of_store
from pbem.inbound.mailbox import (
    Arrived,
    LoginRefused,
    Mailbox,
    MailboxError,
    MailboxSettings,
    NotFiled,
    TooManyConnections,
)
from pbem.inbound.maildir import Maildir
from tests.daemon.fakes import Host, letter
from tests.daemon.test_stubborn import mail
from tests.wire.keeper import Keeper
from tests.wire.odd import Talk, imap, odd_server, settings

SECRET = "a password that no answer holds"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def some(count: int, **more: object) -> Keeper:
    return Keeper({n: letter(f"letter-{n}") for n in range(1, count + 1)}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("why", ["full", "prefix"])
async def test_new_letters_are_read_though_none_can_be_filed(tmp_path: Path, why: str) -> None:
    keeper = some(2, full=True) if why == "full" else some(2, prefix="nowhere ", tells=False)
    async with mail(tmp_path, keeper) as host:
        for n in range(3, 9):
            await host.look()
            assert host.desk.handled == [f"letter-{one}" for one in range(1, n)]
            keeper.deliver(letter(f"letter-{n}"))
        (told,) = host.reports
        assert "cannot be moved to the folder Handled" in told
        assert ("OVERQUOTA" if why == "full" else "must begin with nowhere") in told
        assert "Handled" in host.intake.trouble
        # Neither fetched nor answered again, also after a restart and when the folder is made anew.
        asked = sum(map(len, keeper.asked))
        host.restart()
        await host.look(3)
        assert (host.desk.handled, sum(map(len, keeper.asked))) == (["letter-8"], asked + 1)
        await host.mailbox.close()
        keeper.validity += 1
        await host.look(2)
        assert host.desk.handled == ["letter-8"]
        keeper.full, keeper.prefix = False, ""
        host.seconds = 3600.0
        await host.look()
        assert keeper.inbox == {}
        assert host.intake.trouble == ""
        assert host.reports[-1] == "Letters can be moved to the folder Handled again."
        assert len(host.reports) == 3, "once, and once after the restart"


async def test_filing_that_fails_is_tried_ever_less_often(tmp_path: Path) -> None:
    tries, keeper = 0, some(1, full=True)
    async with mail(tmp_path, keeper) as host:
        real = host.mailbox.file

        async def counted(*given: object) -> object:
            nonlocal tries
            tries += 1
            return await real(*given)  # type: ignore[arg-type]

        host.mailbox.file = counted  # type: ignore[assignment,method-assign]
        for minute in range(61):
            host.seconds = 60.0 * minute
            await host.look(2)
        assert tries == 2 + 4 + 10, "at once, then after 1, 2, 3, 4 minutes, then every five"


async def test_a_connection_that_filing_ends_is_no_end_of_reading(tmp_path: Path) -> None:
    """The next look reads first, and after the second failure leaves filing alone for a while."""
    host = Host(tmp_path)
    host.box.deliver("one")
    host.box.failing["file"] = 99
    for text in ("two", "three", "four"):
        await host.daemon.run(once=True)
        host.box.deliver(text)
    assert await host.daemon.run(once=True) == TROUBLE
    assert host.server.taken == ["one", "two", "three", "four"]
    assert host.box.failing["file"] == 97


@pytest.mark.parametrize("named", ["Handled", "INBOX.Handled"])
async def test_a_folder_is_named_as_the_server_wants_it(named: str) -> None:
    """RFC 2342: Courier and Cyrus want `INBOX.Handled`; whoever has set that is left alone."""
    keeper = some(2, prefix="INBOX.")
    async with odd_server(keeper.serve) as odd:
        box = Mailbox(settings(odd.port, password=SECRET))
        await box.connect()
        first, second = await box.arrived()
        await box.file([first], named)
        await box.file([second], named)
        assert list(keeper.folders) == ["INBOX.Handled"]
        assert (len(keeper.folders["INBOX.Handled"]), keeper.inbox) == (2, {})
        assert await box.make("Quarantine") == "INBOX.Quarantine"
        await box.close()
        # It is opened by that name, too: what lies there long enough is removed.
        beside = Mailbox(settings(odd.port, password=SECRET, folder=named))
        await beside.connect()
        await beside.close()


async def test_other_servers_keep_the_name_as_it_is() -> None:
    keeper = some(1)
    async with odd_server(keeper.serve) as odd:
        box = Mailbox(settings(odd.port, password=SECRET))
        await box.connect()
        await box.file(await box.arrived(), "Handled")
        assert list(keeper.folders) == ["Handled"]
        keeper.full = True
        keeper.deliver(letter("more"))
        with pytest.raises(NotFiled, match="OVERQUOTA"):
            await box.file(await box.arrived(), "Handled")
        assert box.connected
        await box.close()


@pytest.mark.parametrize(("prefix", "state"), [("INBOX.", "well"), ("nowhere ", "bad")])
async def test_doctor_makes_the_folders_and_says_of_each_whether_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str, state: str
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", SECRET)
    keeper = some(0, prefix=prefix, tells=state == "well")
    async with odd_server(keeper.serve) as odd:
        config = Config(tmp_path, tmp_path, imap=ImapConfig("127.0.0.1", odd.port, "table", "none"))
        found = {one.what: one for one in await server_checks._imap(config)}
    assert {found[f"folder {name}"].state for name in ("Handled", "Quarantine")} == {state}
    assert list(keeper.folders) == (["INBOX.Handled", "INBOX.Quarantine"] if state == "well" else [])
    if state == "bad":
        assert "must begin with nowhere" in found["folder Handled"].says
        assert "filed in [imap] names another" in found["folder Handled"].mend


async def test_doctor_makes_the_folders_of_a_maildir(tmp_path: Path) -> None:
    config = Config(tmp_path, tmp_path)
    found = await server_checks._maildir(config, tmp_path / "Maildir")
    assert [one.state for one in found] == ["well"] * 3
    assert (tmp_path / "Maildir" / ".Quarantine" / "cur").is_dir()
    (tmp_path / "Maildir" / ".Quarantine" / "new").rmdir()
    (tmp_path / "Maildir" / ".Quarantine" / "new").write_text("")
    assert [one.state for one in await server_checks._maildir(config, tmp_path / "Maildir")] == ["well", "well", "bad"]


async def test_a_maildir_s_letter_that_is_moved_back_is_fetched_again(tmp_path: Path) -> None:
    """It has the same name and so the same number wherever it lies."""
    host = Host(tmp_path)
    box = host.daemon._box = Maildir(tmp_path / "Maildir")  # type: ignore[assignment]
    await box.connect()
    host.desk.moods["bad"] = "quarantined"
    (box.path / "new" / "1.a.host").write_bytes(letter("bad"))
    await host.daemon.run(once=True)
    (lies,) = (box.path / ".Quarantine" / "cur").iterdir()
    host.desk.moods.clear()
    lies.rename(box.path / "cur" / lies.name)
    await host.daemon.run(once=True)
    assert host.server.taken == ["bad"]
    assert [one.name for one in (box.path / ".Handled" / "cur").iterdir()] == [lies.name]


async def test_doctor_names_what_does_not_come_and_what_lies_aside(tmp_path: Path) -> None:
    config = config_of_store(tmp_path / "games")
    config.mail.mkdir(parents=True)
    async with mail(config.mail, Keeper({5: letter("five")}, {5: "nothing"})) as host:
        for _ in range(2):
            host.restart()
            await host.look(2)
            found = {one.what: one for one in local_checks.post(config)}
            assert "put aside" not in found
        says = [one.says for one in local_checks.post(config) if one.what == "letters"]
        assert "the mailbox lists the letter UID 5 and does not give it out, asked 2 times by itself" in says
        for _ in range(3):
            host.restart()
            await host.look()
        (aside,) = (one for one in local_checks.post(config) if one.what == "put aside")
        assert aside.state == "doubt" and "UID 5, which the mailbox does not give out" in aside.says


@pytest.mark.parametrize(
    ("says", "kind"),
    [
        ("NO [ALERT] Too many simultaneous connections. (Failure)", TooManyConnections),
        ("NO [LIMIT] Maximum number of connections from user+IP exceeded", TooManyConnections),
        ("NO Connection limit reached", TooManyConnections),
        ("NO [AUTHENTICATIONFAILED] Authentication failed.", LoginRefused),
        ("NO [ALERT] Please log in via your web browser: https://support.test/78754 (Failure)", LoginRefused),
    ],
)
async def test_too_many_connections_are_no_wrong_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, kind: type[MailboxError]
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", SECRET)

    async def refuse(talk: Talk, tag: str, rest: str) -> bool:
        if rest.startswith("LOGIN"):
            talk.say(f"{tag} {says}")
        return rest.startswith("LOGIN")

    async with odd_server(lambda talk: imap(talk, refuse)) as odd:
        with pytest.raises(kind) as caught:
            await Mailbox(MailboxSettings("127.0.0.1", odd.port, "table", SECRET, "none")).connect()
        assert isinstance(caught.value, LoginRefused) is (kind is LoginRefused)
        config = Config(tmp_path, tmp_path, imap=ImapConfig("127.0.0.1", odd.port, "table", "none"))
        (found,) = await server_checks._imap(config)
    assert ("close other programs" in found.mend) is (kind is TooManyConnections)
    assert ("check user and password" in found.mend) is (kind is LoginRefused)


async def test_the_sign_of_life_says_that_letters_cannot_be_filed(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """`doctor` and containers read it; the daemon goes on."""

    async def refuses(*given: object) -> dict[Arrived, tuple[int, int]]:
        raise NotFiled("NO [OVERQUOTA]")

    monkeypatch.setattr(host.box, "file", refuses)
    host.box.deliver("one")
    seen = ""

    def told() -> bool:
        nonlocal seen
        beat = read_heartbeat(host.folder / "heartbeat.toml")
        seen = beat.trouble if beat else ""
        return bool(seen)

    await host.until(told)
    assert seen == "letters cannot be moved to the folder Handled: NO [OVERQUOTA]"
    assert host.server.taken == ["one"]
    host.restart()
    assert await host.daemon.run(once=True) == TROUBLE
