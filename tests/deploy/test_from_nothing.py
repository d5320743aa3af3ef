"""A host from nothing: README's own commands, typed into a shell, at a provider that takes tokens instead of passwords.

Dovecot and Postfix are the provider; the commands and settings are read from README.md and the pages that it names, so
that these cannot drift. What differs from a newcomer's machine stands in `Newcomer`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.demo.mail_client import MailClient
from pbem.demo.received_mail import ReceivedMail
from tests.patience import PATIENCE
from tests.wire import postfix
from tests.wire.certificate import make_certificate
from tests.wire.dovecot import Dovecot, program
from tests.wire.ports import HOST
from tests.wire.servers import absent, open_folder
from tests.wire.tokens import NEW, TokenServer, token_server

ROOT = Path(__file__).parents[2]
DOMAIN = "provider.test"
SAID = re.compile("^> 1$", re.MULTILINE)
AUTHORITY = '# ca_file = "/etc/ssl/our-ca.pem"'


def block(page: str, word: str, kind: str = "sh") -> str:
    """The only block of commands (or of settings) of a page in which a word stands, without its remarks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    (found,) = (one for one in re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if word in one)
    return re.sub(r"  +#.*", "", found)


@dataclass
class Provider:
    """Where mailboxes lie, and what its servers have written."""

    dovecot: Dovecot
    postfix: postfix.Postfix
    tokens: TokenServer
    authority: Path

    def person(self, name: str) -> MailClient:
        place = (self.dovecot.password, HOST, self.dovecot.imap_port, self.postfix.smtp_port)
        return MailClient(name, name.lower(), f"{name.lower()}@{DOMAIN}", *place, smtp_login=False)


@pytest.fixture
def provider() -> Iterator[Provider]:
    if program() is None or not postfix.available():
        absent("Dovecot or Postfix is not installed, or this is not root")
    with contextlib.ExitStack() as stack:
        tokens = stack.enter_context(token_server())
        root = stack.enter_context(open_folder())
        certificate = make_certificate(root)
        dovecot = Dovecot(root, certificate, tokens=tokens.server_address[1])
        dovecot.start()
        stack.callback(dovecot.stop)
        login = (certificate, dovecot.auth_socket)
        before = postfix.Postfix(stack.enter_context(open_folder()), DOMAIN, dovecot.lmtp_port, login)
        stack.callback(before.stop)
        before.start()
        yield Provider(dovecot, before, tokens, certificate.cert)


@dataclass
class Newcomer:
    """Somebody with a shell in a fresh clone: `home` is their home, `pbem` is as `make` has installed it."""

    home: Path

    def run(self, commands: str, answers: Mapping[str, str] | None = None, code: int = 0) -> str:
        """Type commands into a shell, and answer what is asked: by words of the question, else with the default."""
        ours, theirs = pty.openpty()
        shell = subprocess.Popen(
            ["bash", "-e", "-c", commands], cwd=self.home / "clone", env=self._environ(), stdin=theirs, stdout=theirs,
            stderr=theirs, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        said, asked, end = "", 0, time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):  # the terminal's other end is closed
            while time.monotonic() < end:
                if select.select([ours], [], [], 0.1)[0]:
                    said += os.read(ours, 65536).decode(errors="replace")
                elif len(said) > asked and said.endswith(": "):
                    question, asked = said.splitlines()[-1], len(said)
                    found = [answer for words, answer in (answers or {}).items() if words in question]
                    os.write(ours, f"{found[0] if found else ''}\n".encode())
        os.close(ours)
        assert code == shell.wait(PATIENCE), said
        return re.sub(r"\x1b\[\d*m|\r", "", said)

    @contextlib.contextmanager
    def running(self, commands: str) -> Iterator[None]:
        """A command that goes on until it is interrupted, and ends in order then."""
        environ = self._environ() | {"PATH": f"{self.home}/clone/.venv/bin:{os.environ['PATH']}"}
        with (self.home / "said").open("w") as said:
            shell = subprocess.Popen(
                ["bash", "-c", f"exec {commands}"], cwd=self.home / "games", env=environ, stdout=said, stderr=said
            )
            try:
                yield
                assert shell.poll() is None, (self.home / "said").read_text()
                shell.send_signal(signal.SIGINT)
                assert 0 == shell.wait(PATIENCE)
            finally:
                shell.kill()
                shell.wait()

    def _environ(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.home)}


@pytest.fixture
def newcomer(tmp_path: Path) -> Newcomer:
    programs = tmp_path / "clone/.venv/bin"
    programs.mkdir(parents=True)
    (programs / "pbem").write_text(
        f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -c '
        '"import sys; from pbem.cli import main; main(sys.argv[1:])" "$@"\n'
    )
    (programs / "pbem").chmod(0o755)
    return Newcomer(tmp_path)


def take_tokens(settings: Path, command: Path) -> None:
    """What «Tokens» of the page on providers has a host write into `pbem.toml`."""
    text = settings.read_text(encoding="utf-8")
    for section, values in tomllib.loads(block("deploy/provider-mailbox.md", "xoauth2", "toml")).items():
        for name, value in values.items():
            value = f"{command} games" if name == "password_command" else value
            # One that stands there as a remark, with what it would be without, is uncommented.
            place = re.compile(rf'(^\[{section}\]\n(?:[^\[\n].*\n|\n)*?)# {name} = .*$', re.MULTILINE)
            text, count = place.subn(lambda found, name=name, value=value: f'{found[1]}{name} = "{value}"', text)
            assert count == 1, f"pbem.toml says nothing of {name} in [{section}]"
    settings.write_text(text, encoding="utf-8")


@dataclass
class Table:
    """People at a table, and what has come to them."""

    people: list[MailClient]
    mails: list[tuple[MailClient, ReceivedMail]] = field(default_factory=list)
    """What has come and was not looked at yet."""

    async def answer(self, good: Callable[[ReceivedMail], bool], text: str, count: int = 1) -> None:
        """Answer so many mails that ask so, whoever has got them."""
        for _ in range(count):
            one, mail = await self._next(lambda mail: mail.asks and good(mail), f"a mail to answer with «{text}»")
            await one.answer(mail, text)

    async def receipt(self) -> None:
        """Until somebody's letter was answered with what it did."""
        await self._next(lambda mail: not mail.refused and bool(SAID.search(mail.text)), "a receipt")

    async def _next(self, good: Callable[[ReceivedMail], bool], what: str) -> tuple[MailClient, ReceivedMail]:
        end = time.monotonic() + PATIENCE
        while True:
            self.mails += [(one, mail) for one in self.people for mail in await one.fetch()]
            if found := next((row for row in self.mails if good(row[1])), None):
                self.mails.remove(found)
                return found
            assert time.monotonic() < end, f"{what} has not come"
            await asyncio.sleep(0.1)

    async def close(self) -> None:
        for one in self.people:
            await one.close()


@pytest.mark.servers
async def test_a_host_from_nothing_and_once_more_from_its_backup(newcomer: Newcomer, provider: Provider) -> None:
    lines = block("README.md", "pbem init").splitlines()
    at = {word: next(n for n, line in enumerate(lines) if line.startswith(word)) for word in
          ("mkdir", "pbem init", "export PBEM_IMAP", "pbem doctor", "pbem new", "pbem daemon")}  # fmt: skip
    begin = lines[: at["mkdir"]]
    answers = {
        "Address that": f"games@{DOMAIN}", "Your own address": f"me@{DOMAIN}", "IMAP server": HOST, "SMTP server": HOST,
        "IMAP port": str(provider.dovecot.imaps_port), "IMAP login": "games", "SMTP encryption": "starttls",
        "SMTP port": str(provider.postfix.smtp_port), "SMTP login": "games",
    }  # fmt: skip
    newcomer.run("\n".join(lines[: at["pbem init"] + 1]), answers)
    settings = newcomer.home / "games/pbem.toml"
    command = newcomer.home / "token"
    command.write_text(f"#!/bin/sh\necho {NEW}\n")
    command.chmod(0o755)
    take_tokens(settings, command)
    text = settings.read_text()
    assert 2 == text.count(AUTHORITY)
    settings.write_text(text.replace(AUTHORITY, f'ca_file = "{provider.authority}"'))
    begin.append("cd ~/games")
    said = newcomer.run("\n".join((*begin, lines[at["pbem doctor"]])))
    for what in ("imap", "smtp", "plus addresses"):
        assert re.search(rf"^well\t{what}\t", said, re.MULTILINE), said
    seats = re.sub(r"(\w+)@example\.\w+", rf"\1@{DOMAIN}", lines[at["pbem new"]])
    newcomer.run("\n".join((*begin, seats)))
    table = Table([provider.person(name) for name in re.findall(r"'(\w+) <", seats)])

    with newcomer.running(lines[at["pbem daemon"]]):
        await table.answer(lambda mail: mail.invites, "join", len(table.people))
        await table.answer(lambda mail: not mail.invites, "1")
        await table.receipt()
    assert "sasl_method=XOAUTH2, sasl_username=games" in provider.postfix.log()
    backup = block("deploy/backup.md", "pbem backup /mnt").splitlines()[0].replace("/mnt/backup/games", "~/elsewhere")
    newcomer.run("\n".join((*begin, backup)))
    # One letter is answered after the backup, and all that knows of it is lost; the next comes when nobody is there.
    with newcomer.running(lines[at["pbem daemon"]]):
        await table.answer(lambda mail: not mail.invites, "1")
        await table.receipt()
    await table.answer(lambda mail: not mail.invites, "1")
    shutil.rmtree(newcomer.home / "games")
    restore = re.search(r"`(pbem restore [^`]+)`", (ROOT / "deploy/backup.md").read_text(encoding="utf-8"))
    assert restore is not None
    places = {"ssh://me@nas/backup/games": "~/elsewhere", "/var/lib/pbem": "~/games"}
    words = " ".join(places.get(word, word) for word in (*restore[1].split(), "--yes"))
    newcomer.run("\n".join((*begin[:-1], words, *begin[-1:], "pbem fsck", "pbem doctor")))
    with newcomer.running(lines[at["pbem daemon"]]):
        await table.receipt()
        await table.receipt()
    await table.close()
