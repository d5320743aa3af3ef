"""A host in a folder of its own, its commands, and a game that goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.cli.kit import txt_records
from pbem.demo.postoffice import PostOffice
from tests.commands import Commands
from tests.patience import PATIENCE


@dataclass
class Host(Commands):
    """`run` calls a command in the host's folder; `read` its JSON, which must be all of stdout."""

    folder: Path

    @property
    def store(self) -> Path:
        return self.folder / "games"

    def run(self, *words: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(main, ["--config", str(self.folder / "pbem.toml"), *words], input=typed)

    def asked(self, game: str) -> str:
        """The seat whose turn it is."""
        return str(self.read("show", game)["waiting_for"][0])


@pytest.fixture(autouse=True)
def nobody_to_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`doctor` asks no name server outside."""
    monkeypatch.setattr(txt_records, "RESOLV", tmp_path / "no resolv.conf")


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_IMAP_PASSWORD", raising=False)
    found = Host(tmp_path)
    words = ("--address", "games@host.test", "--imap-host", "127.0.0.1", "--moderator", "me@host.test")
    result = found.run("init", "--batch", *words)
    assert result.exit_code == 0, result.output
    return found


@pytest.fixture
def game(host: Host) -> str:
    """A game of two without addresses, begun."""
    return str(host.read("new", "troyes", "--seat", "Anna", "--seat", "Faye", "--now")["game"])


@contextmanager
def _open(office: PostOffice) -> Iterator[PostOffice]:
    """A post office in a thread of its own, since commands run loops of theirs."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(office.start(), loop).result(PATIENCE)
    try:
        yield office
    finally:
        asyncio.run_coroutine_threadsafe(office.stop(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[PostOffice]:
    with _open(PostOffice(tmp_path / "mailboxes", ["games", "anna", "faye", "zoe", "me"], domain="host.test")) as office:
        yield office


@pytest.fixture
def posted(tmp_path: Path, office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Host]:
    """A host whose mailbox lies in the post office."""

    def make() -> Host:
        folder = tmp_path / "posted"
        folder.mkdir()
        monkeypatch.setenv("PBEM_IMAP_PASSWORD", office.password)
        monkeypatch.setattr("pbem.cli.kit.server_checks.PATIENCE", PATIENCE)
        found = Host(folder)
        imap = ("--imap-host", "127.0.0.1", "--imap-port", str(office.imap_port), "--imap-tls", "none")
        smtp = ("--smtp-host", "127.0.0.1", "--smtp-port", str(office.smtp_port), "--smtp-tls", "none")
        words = ("--address", "games@host.test", "--imap-user", "games", "--moderator", "me@host.test")
        result = found.run("init", "--batch", *words, *imap, *smtp)
        assert result.exit_code == 0, result.output
        return found

    return make
