"""A lost, damaged or older spool: what `fsck` says, what `mend` asks, and which mails really go out again."""

from __future__ import annotations

import email
import email.policy
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import Host

PEOPLE = ("anna", "faye", "zoe")
GAMES = 6
OVER, REPLACED = "troyes-6", "troyes-5"


def delivered(mailboxes: Path) -> dict[str, list[tuple[str, bytes]]]:
    """Each person's mails: of which game, and our own part of their bytes."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for who in PEOPLE:
        for path in (mailboxes / who).rglob("*"):
            if path.parent.name in ("new", "cur") and path.is_file():
                raw = path.read_bytes()
                mail = email.message_from_bytes(raw, policy=email.policy.default)
                # What the server adds on the way stands above our own fields.
                found.setdefault(who, []).append((str(mail["X-PBEM-Game"]), raw[raw.index(b"From: ") :]))
    return found


@pytest.fixture
def host(posted: Callable[[], Host]) -> Iterator[Host]:
    """Six tables whose mails are out; one is over, at one Zoe sits for Faye."""
    host = posted()
    for _ in range(GAMES):
        host.read("new", "troyes", "--seat", "Anna <anna@host.test>", "--seat", "Faye <faye@host.test>", "--now")
    assert host.run("daemon", "--once").exit_code == 0
    assert host.run("end", OVER, "--yes", "--why", "we begin anew").exit_code == 0
    result = host.run("replace", REPLACED, "faye", "Zoe <zoe@host.test>", "--why", "Faye has moved", "--yes")
    assert result.exit_code == 0, result.output
    assert host.run("daemon", "--once").exit_code == 0
    yield host


def lose(host: Host) -> None:
    for path in (host.folder / "mail").glob("spool.sqlite*"):
        path.unlink()


def spoil(host: Host) -> None:
    lose(host)
    (host.folder / "mail" / "spool.sqlite").write_bytes(b"no database at all" * 100)


def age(host: Host) -> None:
    """Put a spool back that knows nothing of these games."""
    kept = host.folder / "kept"
    other = Host(kept)
    kept.mkdir()
    shutil.copy(host.folder / "pbem.toml", kept)
    (kept / "mail").mkdir(mode=0o700)
    shutil.copy(host.folder / "mail" / "host.secret", kept / "mail")
    other.read("new", "troyes", "--seat", "Anna", "--seat", "Faye", "--now")
    shutil.rmtree(kept / "games")
    lose(host)
    shutil.copy(kept / "mail" / "spool.sqlite", host.folder / "mail")


@pytest.mark.parametrize(
    ("harm", "what", "mended"),
    [(lose, "spool", True), (lose, "spool", False), (spoil, "spool", True), (age, "outbox", True)],
    ids=["lost", "lost, the daemon alone", "damaged", "older"],
)
def test_each_seat_gets_at_most_its_newest_mail_again(
    host: Host, tmp_path: Path, harm: Callable[[Host], None], what: str, mended: bool
) -> None:
    mailboxes = tmp_path / "mailboxes"
    before = delivered(mailboxes)
    running = GAMES - 1
    harm(host)
    found = host.read("fsck", code=1)
    assert what in {finding["what"] for row in found for finding in row["findings"]}
    if mended:
        says = f"{2 * running} mails will go out again, at most the newest one to each seat"
        refused = host.run("mend")
        assert (refused.exit_code, says in refused.stderr) == (2, True), refused.output
        assert delivered(mailboxes) == before
        assert what in {finding["what"] for row in host.read("fsck", code=1) for finding in row["findings"]}
        done = host.run("mend", "--yes")
        assert (done.exit_code, says in done.stderr) == (0, True), done.output
        assert all(row["sound"] for row in host.read("fsck"))
    for _ in range(2):
        assert host.run("daemon", "--once").exit_code == 0
    after = delivered(mailboxes)
    again = {who: list((Counter(after[who]) - Counter(before[who])).elements()) for who in PEOPLE}
    games = {f"troyes-{number}" for number in range(1, GAMES + 1)} - {OVER}
    assert games == {game for game, _ in again["anna"]}
    assert games - {REPLACED} == {game for game, _ in again["faye"]}
    assert {REPLACED} == {game for game, _ in again["zoe"]}
    assert sum(map(len, again.values())) == 2 * running
    # Byte for byte what this very person had before: nothing of a former holder's.
    assert all(mail in before[who] for who in PEOPLE for mail in again[who])
