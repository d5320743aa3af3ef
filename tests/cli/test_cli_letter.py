"""`pbem letter`: what the desk would make of raw mails, and that nothing at all changes by it."""

from __future__ import annotations

import email
import email.policy
import hashlib
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.daemon.service import open_service
from pbem.host import config as settings
from pbem.inbound.incoming_letter import open_letter
from pbem.router import Router
from pbem.store.commit_record import Record
from pbem.store.game_repo import GameRepo
from tests.cli.conftest import Host

KEYS = ["file", "outcome", "game", "seat", "decision", "lines", "not_read", "why"]


@pytest.fixture
def table(host: Host) -> str:
    """A game of two people with addresses, begun."""
    seats = ("--seat", "Anna <anna@host.test>", "--seat", "Faye <faye@host.test>")
    return str(host.read("new", "troyes", *seats, "--now")["game"])


def state_of(home: Path) -> str:
    """A hash over every file, its name, its bytes and its mode."""
    files = [file for file in sorted(home.rglob("*")) if "letters" not in file.relative_to(home).parts]
    parts = [f"{file.relative_to(home)} {file.stat().st_mode}".encode() + _bytes(file) for file in files]
    return hashlib.sha256(b"\n".join(parts)).hexdigest()


def _bytes(file: Path) -> bytes:
    return file.read_bytes() if file.is_file() else b""


class Post:
    """Letters to a host that lie as files, each named after its order."""

    def __init__(self, host: Host) -> None:
        self.host, self.count = host, 0
        self.folder = host.folder / "letters"
        self.folder.mkdir()

    def newest(self, seat: str) -> EmailMessage:
        """The newest mail to a seat."""
        service = open_service(settings.find_config(self.host.folder / "pbem.toml", None))
        try:
            rows = [row for row in service.spool.rows() if row.seat == seat]
            found = email.message_from_bytes(service.spool.raw(rows[-1].message_id), policy=email.policy.default)
        finally:
            service.close()
        return found  # type: ignore[return-value]

    def write(self, seat: str, text: str, *, sender: str = "", keyed: bool = True, **fields: str) -> Path:
        """A letter that answers the newest mail of a seat."""
        mail, message = self.newest(seat), EmailMessage()
        self.count += 1
        message["From"] = sender or f"{seat}@host.test"
        message["To"] = str(mail["Reply-To"]) if keyed else "games@host.test"
        message["Subject"] = f"Re: {mail['Subject']}" if keyed else "hello"
        message["Date"] = "Sun, 22 Nov 2026 09:00:00 +0000"
        message["Message-ID"] = f"<letter{self.count}@host.test>"
        for name, value in fields.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        file = self.folder / f"{self.count:02}.eml"
        file.write_bytes(message.as_bytes())
        return file

    def deliver(self, file: Path) -> None:
        """The letter comes by mail."""
        service = open_service(settings.find_config(self.host.folder / "pbem.toml", None))
        raw = file.read_bytes()
        try:
            digest = hashlib.sha256(raw).hexdigest()
            service.spool.take(raw, digest, 1, self.count, service.now())
            service.spool.attempt(digest)
            Router(service.desk).handle(open_letter(raw, frozenset()), 1, self.count)
        finally:
            service.close()


def judged(host: Host, file: Path, code: int = 0, *options: str) -> dict[str, Any]:
    """What is told of one letter."""
    (row,) = host.read("letter", str(file), *options, code=code)
    assert KEYS == list(row)
    assert all(["written", "understood", "reason", "possible"] == list(line) for line in row["lines"])
    return dict(row)


def test_each_outcome_is_told_and_nothing_changes(host: Host, table: str) -> None:
    post, seat = Post(host), host.asked(table)
    played = post.write(seat, "Hello!\nsettle palace 6\nsee you on Sunday")
    refused = post.write(seat, "settle palace 9")
    unclear = post.write(seat, "settle palace 6\nbut not if it rains")
    asked = post.write(seat, "status")
    talk = post.write(seat, "say hello")
    stranger = post.write(seat, "pass", sender="eve@elsewhere.test", keyed=False)
    keyless = post.write(seat, "pass", keyed=False)
    thief = post.write(seat, "settle palace 6", sender="eve@elsewhere.test")
    robot = post.write(seat, "settle palace 6", Auto_Submitted="auto-replied")
    before = state_of(host.folder)
    row = judged(host, played)
    assert ("play", table, seat, [], "") == (
        *(row[name] for name in ("outcome", "game", "seat", "not_read", "why")),
    )
    assert ["settle palace 6"] == [line["understood"] for line in row["lines"]]
    assert isinstance(row["decision"], int)
    row = judged(host, refused, 1)
    assert "refuse" == row["outcome"] and row["why"] == row["lines"][0]["reason"] != ""
    assert any("settle palace" in way for way in row["lines"][0]["possible"])
    assert "ask" == judged(host, unclear, 1)["outcome"]
    assert "answer" == judged(host, asked)["outcome"]
    assert "play" == judged(host, talk)["outcome"]
    for file in (stranger, thief, robot):
        assert "silent" == judged(host, file)["outcome"]
    assert ("refuse", "") == tuple(judged(host, keyless, 1)[name] for name in ("outcome", "game"))
    rows = host.read("letter", str(post.folder), code=1)
    assert 9 == len(rows)
    assert 0 == host.run("letter", str(played)).exit_code
    assert before == state_of(host.folder)


def test_what_is_asked_of_the_host_itself_is_told_and_not_tried(host: Host, table: str) -> None:
    """With the key of a game, and without one, when its writer would be asked first."""
    post, seat = Post(host), host.asked(table)
    before = state_of(host.folder)
    row = judged(host, post.write(seat, "my data"))
    assert ("answer", "asks the host for «my data», which is not tried here") == (row["outcome"], row["why"])
    assert "ask" == judged(host, post.write(seat, "my data", keyed=False), 1)["outcome"]
    assert "refuse" == judged(host, post.write(seat, "my data\nforget me"), 1)["outcome"]
    assert before == state_of(host.folder)


def test_a_letter_that_has_come_is_a_duplicate(host: Host, table: str) -> None:
    post, seat = Post(host), host.asked(table)
    file = post.write(seat, "settle palace 6")
    assert "play" == judged(host, file)["outcome"]
    post.deliver(file)
    before = state_of(host.folder)
    assert "duplicate" == judged(host, file)["outcome"]
    again = post.folder / "again.eml"
    again.write_bytes(b"Received: from elsewhere\r\n" + file.read_bytes())
    assert "duplicate" == judged(host, again)["outcome"]
    assert before == state_of(host.folder)


def test_no_secret_is_opened_without_reveal(host: Host, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    post, seat = Post(host), host.asked(table)
    file = post.write(seat, "settle palace 6")

    def secret(*_: object, **__: object) -> None:
        raise AssertionError("a secret was opened")

    with monkeypatch.context() as patched:
        patched.setattr("pbem.store.state_file.StoredGame.read", secret)
        assert "play" == judged(host, file)["outcome"]
    post.deliver(file)
    undo = post.write(seat, "undo\nsettle palace 5\nhistory")
    read = Record.read

    def public(repo: GameRepo, number: int, commit: str | None = None, secret: bool = True) -> Record:
        assert not secret
        return read(repo, number, commit, secret)

    with monkeypatch.context() as patched:
        patched.setattr("pbem.store.state_file.StoredGame.read", secret)
        patched.setattr("pbem.store.commit_record.Record.read", public)
        assert "play" == judged(host, undo)["outcome"]
    file = undo
    records = host.read("show", table)["records"]
    assert "play" == judged(host, file, 0, "--reveal")["outcome"]
    assert records + 1 == host.read("show", table)["records"], "that somebody looked is told"


def test_a_letter_to_a_table_that_has_not_begun(host: Host) -> None:
    seats = ("--seat", "Anna <anna@host.test>", "--seat", "Faye <faye@host.test>")
    game = str(host.read("new", "troyes", *seats)["game"])
    post = Post(host)
    before = state_of(host.folder)
    yes, no = post.write("anna", "join heron"), post.write("anna", "decline no time")
    assert ["play", "play"] == [judged(host, file)["outcome"] for file in (yes, no)]
    assert "ask" == judged(host, post.write("anna", "join, but not before June"), 1)["outcome"]
    assert game == judged(host, yes)["game"]
    assert before == state_of(host.folder)


def test_a_change_would_be_seen(host: Host, table: str) -> None:
    """The hash is no decoration."""
    before = state_of(host.folder)
    (host.store / table / "x").write_text("")
    assert before != state_of(host.folder)
