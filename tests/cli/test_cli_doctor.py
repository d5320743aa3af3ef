"""What `doctor` learns from the mailbox's quota, the domain's TXT records, and mails that are put off for days."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pbem.cli.kit import dns, health, servers
from pbem.cli.kit.dns import Unanswered, texts
from pbem.host.config import Config, HostConfig, bare
from pbem.inbound.mailbox import Mailbox
from pbem.store.database import Outgoing
from pbem.store.spool import Spool
from tests.patience import PATIENCE
from tests.wire.odd import Talk, imap, odd_server, settings

SPF = "v=spf1 mx -all"


@contextmanager
def name_server(answer: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    """A name server on loopback that answers every question so, and `doctor` asks it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind(("127.0.0.1", 0))
        line.settimeout(0.05)
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                try:
                    asked, who = line.recvfrom(4096)
                except TimeoutError:
                    continue
                line.sendto(answer(asked), who)

        thread = threading.Thread(target=serve)
        thread.start()
        (folder / "resolv.conf").write_text("# ours\nnameserver 127.0.0.1\n")
        monkeypatch.setattr(dns, "RESOLV", folder / "resolv.conf")
        monkeypatch.setattr(dns, "PORT", line.getsockname()[1])
        monkeypatch.setattr(dns, "PATIENCE", PATIENCE)
        try:
            yield
        finally:
            over.set()
            thread.join(PATIENCE)


def record(text: str, kind: int = 16) -> bytes:
    """One answer; a text of more than 255 octets comes in parts."""
    raw = text.encode()
    parts = [raw[at : at + 255] for at in range(0, len(raw), 255)]
    data = b"".join(bytes([len(part)]) + part for part in parts)
    return b"\xc0\x0c" + kind.to_bytes(2) + b"\0\1" + bytes(4) + len(data).to_bytes(2) + data


def saying(*records: bytes, flags: int = 0x8180) -> Callable[[bytes], bytes]:
    return lambda asked: asked[:2] + flags.to_bytes(2) + asked[4:6] + len(records).to_bytes(2) + bytes(4) + asked[
        12:
    ] + b"".join(records)


def test_texts_of_a_domain_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(question: bytes) -> bytes:
        asked.append(question[12:])
        return saying(record("other", 5), record(SPF), record("x" * 300))(question)

    with name_server(answer, monkeypatch, tmp_path):
        assert texts("host.test") == [SPF, "x" * 300]
    assert asked == [b"\4host\4test\0\0\x10\0\1"]


@pytest.mark.parametrize(
    "answer",
    [saying(record(SPF), flags=0x8380), saying(flags=0x8182), saying(record(SPF)[:-3]), lambda asked: b"", lambda asked: b"\xff" * 40],
    ids=["too long", "trouble", "cut", "empty", "noise"],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Callable[[bytes], bytes]
) -> None:
    with name_server(answer, monkeypatch, tmp_path), pytest.raises(Unanswered):
        texts("host.test")


def told(config: Config) -> dict[str, tuple[str, str]]:
    return {one.what: (one.state, one.says) for one in servers._known(config)}


def test_what_is_missing_of_spf_and_dmarc_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(tmp_path, tmp_path, host=HostConfig("games@host.test"))

    def answer(question: bytes) -> bytes:
        return saying(flags=0x8183)(question) if b"_dmarc" in question else saying(record(SPF))(question)

    with name_server(answer, monkeypatch, tmp_path):
        assert told(config) == {"SPF": ("well", f"host.test: {SPF}"), "DMARC": ("doubt", "_dmarc.host.test has no record of it")}
    with name_server(saying(record(SPF), record(SPF)), monkeypatch, tmp_path):
        assert told(config)["SPF"] == ("doubt", "host.test has 2 records of it")
    monkeypatch.setattr(dns, "RESOLV", tmp_path / "none")
    assert told(config)["SPF"] == ("doubt", f"could not look: {tmp_path / 'none'} names no name server")


@pytest.mark.parametrize(
    ("said", "state", "says"),
    [
        (["* QUOTA root (STORAGE 10240 1048576)"], "well", "10 of 1,024 MB"),
        (["* QUOTA a (MESSAGE 1 2)", "* QUOTA b (STORAGE 5 100 MESSAGE 1 9)", "* QUOTA c (STORAGE 90 100)"], "doubt", "0 of 0"),
        (["* QUOTA root (STORAGE 1048000 1048576)"], "bad", "1,023 of 1,024 MB"),
        (["* QUOTA root (STORAGE 5 0)"], "well", "tells of none"),
        ([], "well", "tells of none"),
    ],
)
async def test_a_mailbox_that_fills_up_is_told(said: list[str], state: str, says: str) -> None:
    async def quota(talk: Talk, tag: str, rest: str) -> bool:
        if rest.startswith("GETQUOTAROOT"):
            talk.say("* QUOTAROOT INBOX root", *said)
        return False

    async with odd_server(lambda talk: imap(talk, quota, "IMAP4rev1 QUOTA")) as odd:
        box = Mailbox(settings(odd.port))
        await box.connect()
        found = servers._room(await box.quota())
        await box.close()
    assert (found.state, says in found.says) == (state, True), found


async def test_a_server_without_quotas_is_not_asked() -> None:
    async def special(talk: Talk, tag: str, rest: str) -> bool:
        assert not rest.startswith("GETQUOTA")
        return False

    async with odd_server(lambda talk: imap(talk, special)) as odd:
        box = Mailbox(settings(odd.port))
        await box.connect()
        assert await box.quota() is None
        await box.close()


@pytest.mark.parametrize(("spent", "seen"), [(86399.0, False), (86401.0, True)])
def test_mails_that_are_put_off_for_more_than_a_day_are_named(tmp_path: Path, spent: float, seen: bool) -> None:
    config = bare(tmp_path / "games")
    with closing(Spool(config.mail)) as spool:
        spool.enqueue(Outgoing("m1", "anna", "anna@host.test", b"x"), "troyes-1")
        with spool.change() as db:
            db.execute("UPDATE outbox SET attempts = 9, spent = ?, error = '452 4.2.2 mailbox full'", (spent,))
    found = {one.what: one for one in health.post(config)}
    assert ("put off" in found) == seen
    assert found["outbox"].state == "bad"
    if seen:
        assert "troyes-1 anna: 452 4.2.2 mailbox full" in found["put off"].says


def test_a_folder_of_another_user_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = bare(tmp_path / "games")
    config.store.mkdir(mode=0o700)
    assert next(iter(health.folders(config))).state == "well"
    monkeypatch.setattr("os.geteuid", lambda: config.store.stat().st_uid + 1)
    row = next(iter(health.folders(config)))
    assert (row.state, f"{config.store} belongs to" in row.says) == ("bad", True)
