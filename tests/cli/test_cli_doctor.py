"""What `doctor` learns from the mailbox's quota, the domain's TXT records, and mails that are put off for days."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import dns.message
import dns.rrset
import pytest
from dns.flags import Flag
from dns.rcode import Rcode

from pbem.cli.kit import local_checks, server_checks
from pbem.cli.kit import txt_records as dns_kit
from pbem.cli.kit.txt_records import Unanswered, txt_records
from pbem.cli.watch import _mails as watched
from pbem.host.config import Config, HostConfig, ImapConfig, SmtpConfig, config_of_store
from pbem.inbound.mailbox import Mailbox
from pbem.store.database import OutgoingMail
from pbem.store.spool import Spool
from tests.cli.conftest import Host
from tests.patience import PATIENCE
from tests.wire.certificate import make_certificate
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
        monkeypatch.setattr(dns_kit, "RESOLV", folder / "resolv.conf")
        monkeypatch.setattr(dns_kit, "PORT", line.getsockname()[1])
        monkeypatch.setattr(dns_kit, "DNS_TIMEOUT", PATIENCE)
        try:
            yield
        finally:
            over.set()
            thread.join(PATIENCE)


def saying(*texts: str, rcode: Rcode = Rcode.NOERROR, flags: int = 0) -> Callable[[bytes], bytes]:
    """What a name server answers; a text of more than 255 octets comes in parts."""

    def answer(asked: bytes) -> bytes:
        made = dns.message.make_response(dns.message.from_wire(asked))
        made.set_rcode(rcode)
        made.flags |= flags
        parts = [" ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255)) for text in texts]
        made.answer = [dns.rrset.from_text(made.question[0].name, 60, "IN", "TXT", *parts)] if parts else []
        return made.to_wire()

    return answer


def test_texts_of_a_domain_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def answer(question: bytes) -> bytes:
        asked.append(str(dns.message.from_wire(question).question[0]))
        return saying(SPF, "x" * 300)(question)

    with name_server(answer, monkeypatch, tmp_path):
        assert sorted(txt_records("host.test")) == [SPF, "x" * 300], "records have no order, and are sent in any"
    with name_server(saying(), monkeypatch, tmp_path):
        assert txt_records("host.test") == []
    assert asked == ["host.test. IN TXT"]


@pytest.mark.parametrize(
    "answer",
    [saying(SPF, flags=Flag.TC), saying(rcode=Rcode.SERVFAIL), lambda asked: saying(SPF)(asked)[:-3], lambda asked: b"", lambda asked: b"\xff" * 40],
    ids=["too long", "trouble", "cut", "empty", "noise"],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Callable[[bytes], bytes]
) -> None:
    with name_server(answer, monkeypatch, tmp_path), pytest.raises(Unanswered):
        monkeypatch.setattr(dns_kit, "DNS_TIMEOUT", 0.2)
        txt_records("host.test")


@pytest.mark.parametrize("domain", ["", "a..test", "x" * 70, "\udcff.test"])
def test_a_name_that_cannot_be_asked_for_is_no_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, domain: str
) -> None:
    with name_server(saying(), monkeypatch, tmp_path), pytest.raises(Unanswered):
        monkeypatch.setattr(dns_kit, "DNS_TIMEOUT", 0.2)
        txt_records(f"{domain}.test" if domain else "..")


def told(config: Config) -> dict[str, tuple[str, str]]:
    return {one.what: (one.state, one.says) for one in server_checks._known(config)}


def test_what_is_missing_of_spf_and_dmarc_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(tmp_path, tmp_path, host=HostConfig("games@host.test"))

    def answer(question: bytes) -> bytes:
        return saying(rcode=Rcode.NXDOMAIN)(question) if b"_dmarc" in question else saying(SPF)(question)

    with name_server(answer, monkeypatch, tmp_path):
        assert told(config) == {"SPF": ("well", f"host.test: {SPF}"), "DMARC": ("doubt", "_dmarc.host.test has no record of it")}
    with name_server(saying(SPF, SPF + " "), monkeypatch, tmp_path):
        assert told(config)["SPF"] == ("doubt", "host.test has 2 records of it")
    monkeypatch.setattr(dns_kit, "RESOLV", tmp_path / "none")
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
        found = server_checks._room(await box.quota())
        await box.close()
    assert (found.state, says in found.says) == (state, True), found


@pytest.mark.parametrize(
    ("private", "mend"),
    [
        (True, "name the certificate, or who has signed it, as ca_file in [{part}]"),
        (False, 'set tls = "starttls" in [{part}], or the port that does, {port}'),
    ],
)
async def test_a_connection_that_is_not_private_tells_what_of_it_to_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, private: bool, mend: str
) -> None:
    """Host and port may be right all the same."""
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "sesame")
    certificate = make_certificate(tmp_path)
    if certificate is None:
        pytest.skip("the openssl program is not installed")

    async def greet(talk: Talk) -> None:
        talk.say("* OK hello" if private else "220 odd ESMTP")
        await talk.hear()

    async with odd_server(greet, certificate.server_context() if private else None) as odd:
        imap = ImapConfig("127.0.0.1", odd.port, "table", timeout=9)
        smtp = SmtpConfig("127.0.0.1", odd.port, "table", timeout=9)
        config = Config(tmp_path, tmp_path, imap=imap, smtp=smtp)
        (mailbox,), sender = await server_checks._imap(config), await server_checks._sender(config)
    assert mend.format(part="imap", port=993) in mailbox.mend, mailbox
    assert mend.format(part="smtp", port=465) in sender.mend, sender


@pytest.mark.parametrize(
    ("said", "mend"),
    [
        ("CERTIFICATE_VERIFY_FAILED: certificate has expired (_ssl.c:992)", "has run out"),
        ("CERTIFICATE_VERIFY_FAILED: Hostname mismatch, certificate is not valid for 'a.b'. (_ssl.c:992)", "set host in"),
        ("[Errno 111] Connect call failed", "as usual"),
    ],
)
def test_what_is_wrong_with_a_certificate_has_its_own_way_out(said: str, mend: str) -> None:
    assert mend in server_checks._to_mend(OSError(said), "imap", 993, "as usual")


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
    config = config_of_store(tmp_path / "games")
    with closing(Spool(config.mail)) as spool:
        spool.enqueue(OutgoingMail("m1", "anna", "anna@host.test", b"x"), "troyes-1")
        with spool.change() as db:
            db.execute("UPDATE outbox SET attempts = 9, spent = ?, error = '452 4.2.2 mailbox full'", (spent,))
    found = {one.what: one for one in local_checks.post(config)}
    assert ("put off" in found) == seen
    assert found["outbox"].state == "bad"
    if seen:
        assert "troyes-1 anna: 452 4.2.2 mailbox full" in found["put off"].says


def test_a_mail_of_no_seat_is_told_by_its_address_and_the_server_s_words_stand_by(tmp_path: Path) -> None:
    config = config_of_store(tmp_path / "games")
    with closing(Spool(config.mail)) as spool:
        for number, (game, seat) in enumerate((("", ""), ("troyes-1", "anna"))):
            spool.enqueue(OutgoingMail(f"m{number}", seat, f"a{number}@host.test", b"x"), game)
            spool.failed(f"m{number}", "550 5.1.1 no such user")
        told = {one.what: one.says for one in local_checks.post(config)}
        assert told["outbox"] == "2 mails were refused: a0@host.test, troyes-1 anna: 550 5.1.1 no such user"
        assert watched(spool) == ({"": "no mail reaches a0@host.test", "troyes-1": "no mail reaches anna"}, 0)


def test_a_disk_that_nobody_can_write_to_is_no_matter_of_modes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a system leaves a disk that fails."""
    config = config_of_store(tmp_path / "games")
    config.store.mkdir(mode=0o700)
    real = os.statvfs
    monkeypatch.setattr(os, "statvfs", lambda path: os.statvfs_result((*real(path)[:8], os.ST_RDONLY, 255)))
    row = next(iter(local_checks.folders(config)))
    assert (row.state, "mounted read-only" in row.says, "chmod" in row.mend) == ("bad", True, False)


def test_a_folder_of_another_user_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of_store(tmp_path / "games")
    config.store.mkdir(mode=0o700)
    assert next(iter(local_checks.folders(config))).state == "well"
    monkeypatch.setattr("os.geteuid", lambda: config.store.stat().st_uid + 1)
    row = next(iter(local_checks.folders(config)))
    assert (row.state, f"{config.store} belongs to" in row.says) == ("bad", True)


@pytest.mark.parametrize(("language", "state"), [("fr", "well"), ("tlh", "doubt")])
def test_a_language_without_mails_is_told(tmp_path: Path, language: str, state: str) -> None:
    host = HostConfig("games@host.test", language=language)
    config = Config(tmp_path, tmp_path, path=tmp_path / "pbem.toml", host=host)
    (found,) = (one for one in local_checks.settings(config) if one.what == "language")
    assert state == found.state, found


def test_a_folder_that_is_not_there_is_named(posted: Callable[[], Host]) -> None:
    host = posted()
    file = host.folder / "pbem.toml"
    file.write_text(re.sub(r"\nfolder = .*", "\nfolder = \"Gamez\"", file.read_text(), count=1))
    row = next(row for row in host.read("doctor", "--skip-games", code=1) if row["what"] == "imap")
    assert 'SELECT "Gamez" failed' in row["says"]
    assert row["mend"] == "the mailbox has no folder Gamez: set folder in [imap]"
    file.write_text(file.read_text().replace("Gamez", "INBOX"))
    (plus,) = (row for row in host.read("doctor", "--skip-games") if row["what"] == "plus addresses")
    assert plus["says"].startswith("not looked at"), "somebody may have looked before"


NAMED = "mx.host.test; dmarc=pass header.from=people.test"
EXCHANGE = "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=people.test; dmarc=fail header.from=people.test"


@pytest.mark.parametrize(
    ("fields", "state", "says"),
    [
        ([], "doubt", "yet"), ([NAMED], "well", "mx.host.test"), ([EXCHANGE], "bad", "without an id"),
        ([EXCHANGE, NAMED], "well", "mx.host.test"), (["mx.other.test; spf=pass"], "bad", "but of mx.other.test"),
    ],
)  # fmt: skip
def test_whether_the_own_server_tells_what_it_makes_of_letters(
    tmp_path: Path, fields: list[str], state: str, says: str
) -> None:
    """Where Exchange writes no id, `dmarc=fail` never counts, and `doctor` says so instead of nothing."""
    config = replace(config_of_store(tmp_path / "games"), host=HostConfig("pbem@host.test", authserv_id="mx.host.test"))
    with closing(Spool(config.mail)) as spool:
        for n, field in enumerate(fields):
            raw = f"Received: x\r\nAuthentication-Results: {field}\r\nFrom: anna@people.test\r\n\r\n3\r\n".encode()
            spool.take(raw, f"{n}" * 64, 1, n + 1, datetime(2026, 11, 28, tzinfo=UTC))
    (found,) = (one for one in local_checks.post(config) if one.what == "authserv_id")
    assert state == found.state
    assert says in found.says
    assert bool(found.mend) == (state != "well")
    assert not [one for one in local_checks.post(config_of_store(tmp_path / "games")) if one.what == "authserv_id"]
