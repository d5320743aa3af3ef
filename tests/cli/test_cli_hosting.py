"""Setting a host up, and what the command line says of itself."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli import COMMANDS, main
from tests.cli.conftest import Host
from tests.tools.commands import PAGE, commands_page

HEAVY = ("engine", "pygit2", "rich", "jinja2", "aiosmtplib", "sqlite3", "asyncio")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert name == command.name
    assert COMMANDS[name] == (command.help or "").partition("\n")[0]
    assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_the_page_of_commands_is_made_of_the_program() -> None:
    assert PAGE.read_text(encoding="utf-8") == commands_page()


def test_help_waits_for_nothing_heavy() -> None:
    """`pbem --help` within 0.3 s: what costs time is imported by the command that needs it."""
    code = "import sys; from pbem.cli import main; main(['--help'], standalone_mode=False); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ran.stdout.splitlines()[-1].split()
    assert [] == [name for name in HEAVY if name in loaded]


def test_version_is_one_json_object() -> None:
    told = json.loads(CliRunner().invoke(main, ["version", "--json"]).stdout)
    assert {"version", "python"} == set(told)


def test_init_writes_settings_without_a_password_and_a_closed_secret(host: Host) -> None:
    text = (host.folder / "pbem.toml").read_text()
    assert 'address = "games@host.test"' in text
    assert not re.search(r"^password\s*=", text, re.MULTILINE)
    secret = host.folder / "mail" / "host.secret"
    assert 0o600 == stat.S_IMODE(secret.stat().st_mode)


def test_init_never_writes_over_settings(host: Host) -> None:
    before = (host.folder / "pbem.toml").read_bytes()
    result = host.run("init", "--batch", "--address", "other@host.test")
    assert 1 == result.exit_code
    assert "is there already" in result.stderr
    assert before == (host.folder / "pbem.toml").read_bytes()


def test_a_host_whose_mail_server_delivers_into_a_maildir_needs_no_imap(tmp_path: Path) -> None:
    """`init --maildir`, and what `doctor` says of it: there, and before anybody has made the home for it."""
    host = Host(tmp_path)
    result = host.run("init", "--batch", "--address", "games@host.test", "--maildir", str(tmp_path / "home" / "Maildir"))
    assert 0 == result.exit_code, result.output
    assert f'maildir = "{tmp_path}/home/Maildir"' in (tmp_path / "pbem.toml").read_text().replace('"home', f'"{tmp_path}/home')
    row = next(row for row in host.read("doctor", code=1) if row["what"] == "maildir")
    assert "bad" == row["state"] and "there is no folder" in row["says"]
    (tmp_path / "home").mkdir()
    row = next(row for row in host.read("doctor", code=1) if row["what"] == "maildir")
    assert ("well", True) == (row["state"], "0 letters" in row["says"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "--address is needed"),
        (("--address", "no address"), "no address that mail can be sent to"),
        (("--address", "a@b.test", "--time-zone", "Mars/Olympus"), "no time zone"),
    ],
)
def test_init_says_what_is_wrong_with_what_was_given(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    result = Host(tmp_path).run("init", "--batch", *words)
    assert 2 == result.exit_code
    assert says in result.stderr
    assert not (tmp_path / "pbem.toml").exists()


def test_doctor_tells_how_to_mend_a_missing_password(host: Host) -> None:
    rows = host.read("doctor", "--offline", code=1)
    bad = {row["what"]: row["mend"] for row in rows if row["state"] == "bad"}
    assert {"imap password", "smtp password"} == set(bad)
    assert "PBEM_IMAP_PASSWORD" in bad["imap password"]


def test_doctor_is_content_with_a_host_that_is_well(host: Host, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "sesame-and-poppy")
    result = host.run("doctor", "--offline")
    assert 0 == result.exit_code
    assert "1 sound" in result.stdout
    assert "sesame" not in result.output


def test_doctor_lists_every_mistake_in_the_settings(tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").write_text('[host]\naddress = "nobody"\ntime_zone = "Mars"\n[imap]\nport = 0\n')
    rows = Host(tmp_path).read("doctor", code=1)
    assert 3 == len(rows)
    assert all(row["state"] == "bad" and row["mend"] for row in rows)


def test_doctor_sees_a_mail_folder_that_others_can_read(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "sesame")
    (host.folder / "mail").chmod(0o755)
    rows = host.read("doctor", "--offline", code=1)
    assert [f"`pbem mend`, or chmod 700 {host.folder / 'mail'}"] == [row["mend"] for row in rows if row["state"] == "bad"]


def test_doctor_tries_servers_and_plus_addresses(posted: Callable[[], Host]) -> None:
    rows = {row["what"]: row for row in posted().read("doctor", "--send")}
    assert "well" == rows["imap"]["state"] == rows["smtp"]["state"]
    assert "came back to us" in rows["plus addresses"]["says"]


def test_doctor_says_that_a_server_is_not_there(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "sesame")
    text = (host.folder / "pbem.toml").read_text()
    (host.folder / "pbem.toml").write_text(re.sub(r"^port = \d+", "port = 9", text, flags=re.MULTILINE))
    rows = host.read("doctor", code=1)
    assert {"imap", "smtp"} == {row["what"] for row in rows if row["state"] == "bad"}


def test_daemon_once_sends_what_waits(posted: Callable[[], Host], tmp_path: Path) -> None:
    host = posted()
    seats = ("--seat", "Anna <anna@host.test>", "--seat", "Faye <faye@host.test>")
    assert 2 == host.read("new", "troyes", *seats)["mails"]
    result = host.run("daemon", "--once")
    assert 0 == result.exit_code, result.output
    for name in ("anna", "faye"):
        (mail,) = (tmp_path / "mailboxes" / name / "new").iterdir()
        assert b"[troyes-1]" in mail.read_bytes()


def test_daemon_without_a_password_is_trouble_told_in_a_sentence(host: Host) -> None:
    result = host.run("daemon", "--once")
    assert 3 == result.exit_code
    assert "there is no password" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("words", [("new", "--bogus"), ("set",), ("hold",), ("list", "more")])
def test_a_slip_of_usage_is_one_json_value_too(host: Host, words: tuple[str, ...]) -> None:
    told = host.read(*words, code=2)
    assert told["exit"] == 2
    assert told["error"]


def test_init_asks_again_for_what_will_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip at the third question threw the answers to the first two away."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    lines = ("games@host.test", "", "nobody", "me@host.test", "", "Paris", "Europe/Paris", "y", *[""] * 9)
    result = CliRunner().invoke(main, ["init"], input="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    assert "'nobody' is no address" in result.output
    assert "'Paris' is no time zone" in result.output
    assert "[Y/n]" in result.output
    assert 'addresses = ["me@host.test"]' in (tmp_path / "pbem.toml").read_text()
