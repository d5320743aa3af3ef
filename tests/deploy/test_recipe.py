"""`deploy/dovecot-postfix/` as it stands: its files run, a host is set up by its README, and a game is played."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shlex
import smtplib
import socket
import ssl
import time
from contextlib import ExitStack
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.host.config import Config, load_config
from pbem.inbound.mailbox import AccountTrouble, LoginRefused, Mailbox
from pbem.outbound.sender import Sender
from tests.cli.conftest import Host
from tests.deploy.conftest import WORLD, YOU, Made, make
from tests.patience import AGES, PATIENCE
from tests.whole.byrealmail import check, person, play, until
from tests.wire.certificate import Certificate
from tests.wire.ports import HOST
from tests.wire.recipe import FILES, PASSWORD, VMAIL, places, put

GAMES = "table@games.example.org"
STRANGER = "127.0.0.2"
"""Not one of the recipe's `mynetworks`, as everybody outside."""

servers = pytest.mark.servers


def test_nothing_is_changed_but_places_and_the_way_back_gives_the_files() -> None:
    """What the tests below run is what a host copies."""
    root = Path("/scratch")
    for name, new in places(root, Certificate(root / "cert", root / "key"), "someone@example.org").items():
        text = (FILES / name).read_text(encoding="utf-8")
        changed = put(text, new)
        assert text.count("\n") == changed.count("\n")
        assert text == put(changed, {other: old for old, other in new.items()})
    with pytest.raises(ValueError, match="cannot be replaced"):
        put("a line", {"no such words": "others"})


@pytest.fixture
def host(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """A host set up by the very line of the README, with the scratch server's address, ports and certificate."""
    return set_up(made, tmp_path, monkeypatch)


def set_up(made: Made, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    monkeypatch.setattr("pbem.cli.kit.server_checks.PATIENCE", PATIENCE)
    (line,) = re.findall(r"^ *pbem (init .+)$", (FILES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    words = [word.replace("mail.example.org", HOST) for word in shlex.split(line)]
    host = Host(folder)
    result = host.run(*words, "--batch")
    assert result.exit_code == 0, result.output
    file = folder / "pbem.toml"
    ports = made.server.ports
    authority = '# ca_file = "/etc/ssl/our-ca.pem"'
    new = {
        "port = 993\n": f"port = {ports['imaps']}\n",
        "port = 465\n": f"port = {ports['submissions']}\n",
        authority: f'ca_file = "{made.certificate.cert}"',
        "# timeout = 30": f"timeout = {PATIENCE:.0f}",
    }
    file.write_text(put(file.read_text(encoding="utf-8"), new), encoding="utf-8")
    return host


@servers
def test_doctor_is_content_with_a_host_set_up_by_the_readme(host: Host) -> None:
    """Login for reading (993) and for sending (465) with the whole address, and a letter to a plus address."""
    rows = {row["what"]: row for row in host.read("doctor", "--send")}
    found = {what: rows[what]["state"] for what in ("imap", "smtp", "plus addresses")}
    assert found == dict.fromkeys(found, "well"), rows
    assert "wakes us" in rows["imap"]["says"]


@servers
def test_the_mailbox_is_read_by_the_user_of_adduser_system(made: Made, host: Host) -> None:
    """Debian gives such users a UID from 100 to 999, of which Dovecot refuses the lower half by default."""
    assert 100 <= VMAIL < 500
    host.read("doctor", "--send")
    end = time.monotonic() + PATIENCE
    while not (owners := made.server.owner_of_mail()) and time.monotonic() < end:
        time.sleep(0.1)  # Postfix has taken the letter; Dovecot writes it in its own time
    assert owners == {VMAIL}


@servers
def test_doctor_names_the_account_where_dovecot_refuses_its_uid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `first_valid_uid`: neither host, port nor TLS is to blame, and the words of the server are shown."""
    with ExitStack() as stack:
        made = make(stack, without="first_valid_uid = 100")
        with pytest.raises(AccountTrouble):
            asyncio.run(Mailbox(made.mailbox()).connect())
        (row,) = [row for row in set_up(made, tmp_path, monkeypatch).read("doctor", code=1) if row["what"] == "imap"]
    assert row["state"] == "bad"
    assert "host, port and tls are right" in row["mend"]
    assert "the server" in row["says"]


@servers
@pytest.mark.parametrize(("port", "tls"), [("submissions", "tls"), ("submission", "starttls")])
async def test_both_ports_take_a_letter_after_login(made: Made, port: str, tls: str) -> None:
    """RFC 8314 and RFC 6409; what leaves goes out."""
    sender = Sender(made.sender(port, tls))
    subject = f"by {port}"
    await sender.send(letter(GAMES, YOU, subject), GAMES, YOU)
    await sender.close()
    await until(subject, lambda: subject in world_subjects(made))


@servers
def test_no_port_relays_for_a_stranger_or_takes_a_login_in_the_clear(made: Made) -> None:
    ports = made.server.ports
    context = ssl.create_default_context(cafile=str(made.certificate.cert))
    with smtplib.SMTP(HOST, ports["smtp"], source_address=(STRANGER, 0)) as plain:
        plain.ehlo()
        assert not plain.has_extn("auth")
        refused(plain, YOU)
        refused(plain, "nobody@games.example.org")
    with smtplib.SMTP(HOST, ports["submission"], source_address=(STRANGER, 0)) as plain:
        plain.ehlo()
        assert not plain.has_extn("auth")
        assert plain.mail(f"eve@{WORLD}")[0] == 530
        plain.starttls(context=context)
        refused(plain, YOU)
        refused(plain, GAMES)
        with pytest.raises(smtplib.SMTPAuthenticationError):
            plain.login("table", "wrong")
    with smtplib.SMTP_SSL(HOST, ports["submissions"], context=context, source_address=(STRANGER, 0)) as tls:
        refused(tls, GAMES)


def refused(smtp: smtplib.SMTP, to: str) -> None:
    smtp.mail(f"eve@{WORLD}")
    assert 500 <= smtp.rcpt(to)[0] < 600
    smtp.rset()


@servers
@pytest.mark.parametrize("to", ["postmaster", "postmaster@games.example.org", "abuse@games.example.org"])
async def test_a_person_reads_what_comes_for_the_keeper_of_the_domain(made: Made, to: str) -> None:
    """RFC 5321 section 4.5.1 (also without a domain), RFC 2142."""
    subject = f"complaint to {to}"
    await asyncio.to_thread(write, made, to, subject)
    await until(subject, lambda: subject in world_subjects(made))


@servers
async def test_a_stranger_s_letter_wakes_the_mailbox_with_its_whole_plus_address(made: Made) -> None:
    """Postfix hands it to Dovecot over LMTP; Delivered-To keeps what follows the plus (RFC 5233), IDLE tells of it."""
    box = Mailbox(made.mailbox(poll=3600.0))
    await box.connect()
    known = set(await box.arrived())
    tagged = "table+troyes-12.7.abcdefghijklmnop@games.example.org"
    waiting = asyncio.create_task(box.wait(AGES))
    await asyncio.to_thread(write, made, tagged, "an answer")
    await asyncio.wait_for(waiting, PATIENCE)
    (fresh,) = set(await box.arrived()) - known
    raw = (await box.fetch([fresh]))[fresh]
    assert f"delivered-to: <{tagged}>" in raw.decode().lower() or f"delivered-to: {tagged}" in raw.decode().lower()
    assert b"LMTP" in raw
    await box.file([fresh], "Handled")
    await box.close()


@servers
@pytest.mark.parametrize("user", ["root", "nobody"])
async def test_only_the_one_user_may_log_in(made: Made, user: str) -> None:
    with pytest.raises(LoginRefused):
        await Mailbox(made.mailbox(user)).connect()


@servers
async def test_only_this_machine_may_do_without_tls_and_to_send_without_login(made: Made) -> None:
    """What the README says of a daemon on the same machine."""
    with socket.create_connection((HOST, made.server.ports["imap"]), source_address=(STRANGER, 0)) as stranger:
        assert b" LOGINDISABLED" in stranger.makefile("rb").readline()
    box = Mailbox(replace(made.mailbox(), port=made.server.ports["imap"], tls="none"))
    await box.connect()
    await box.close()
    sender = Sender(made.sender("smtp", "none", user=""))
    await sender.send(letter(GAMES, YOU, "no login"), GAMES, YOU)
    await sender.close()
    await until("the letter", lambda: "no login" in world_subjects(made))


@servers
@pytest.mark.parametrize(("kind", "rounds"), [("troyes-dice", 8), pytest.param("troyes", 4, marks=pytest.mark.soak)])
def test_a_game_of_two_through_the_recipe(made: Made, host: Host, kind: str, rounds: int) -> None:
    """Invitations to final scores: people's answers come in at port 25, mail goes out by 465."""
    config: Config = load_config(host.folder / "pbem.toml")
    names = ("Anna", "Faye")
    players = [person(name, made.world, made.server.ports["smtp"]) for name in names]
    with contextlib.chdir(host.folder):
        check(asyncio.run(play(host.folder, config, players, kind)), names, rounds)


def write(made: Made, to: str, subject: str) -> None:
    """A letter from outside, to port 25."""
    with smtplib.SMTP(HOST, made.server.ports["smtp"], source_address=(STRANGER, 0)) as smtp:
        smtp.ehlo()
        smtp.mail(f"eve@{WORLD}")
        code, said = smtp.rcpt(to)
        assert code == 250, said
        assert smtp.data(letter(f"eve@{WORLD}", to, subject))[0] == 250


def letter(sender: str, to: str, subject: str) -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"], message["Message-ID"] = sender, subject, f"<{abs(hash(subject))}@{WORLD}>"
    message["To"] = to if "@" in to else f"{to}@games.example.org"
    message.set_content("A letter.\n")
    return message.as_bytes()


def world_subjects(made: Made) -> str:
    """The mails that `you` has."""
    folder = made.world.folder / "you"
    return "\n".join(
        path.read_text() for path in folder.rglob("*") if path.is_file() and path.parent.name in ("new", "cur")
    )
