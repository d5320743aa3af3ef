"""A host is thrown away and made anew of its backup: the next letter plays, and nothing of the past is mailed."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.demo.mail_client import MailClient
from pbem.demo.postoffice import PostOffice
from pbem.host import host_backup
from pbem.host.config import load_config
from pbem.store import backup_repository
from pbem.store.backup_repository import GAME_REFS, HOST_REF, PIECE_SIZE
from pbem.store.database import OutgoingMail
from pbem.store.game_store import GameStore
from pbem.store.spool import Spool

from .conftest import Host
from .test_cli_lost_spool import delivered

ANNA, FAYE, ZOE = "Anna <anna@host.test>", "Faye <faye@host.test>", "Zoe <zoe@host.test>"


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", f"--git-dir={folder}", *words], capture_output=True, text=True, check=True).stdout


def refs(folder: Path) -> dict[str, str]:
    return {line.split()[1]: line.split()[0] for line in git(folder, "show-ref").splitlines()}


def opened(folder: Path) -> list[Path]:
    """What others may look into."""
    return [path for path in folder.rglob("*") if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077]


async def answer(office: PostOffice, game: str, lines: str) -> None:
    """Anna answers her newest mail of a game."""
    ports = (office.imap_port, office.smtp_port)
    anna = MailClient("Anna", "anna", "anna@host.test", office.password, "127.0.0.1", *ports)
    mails = [mail for mail in await anna.fetch() if game in mail.subject]
    await anna.answer(mails[-1], lines)
    await anna.close()


def test_a_host_that_was_thrown_away_plays_on_from_its_backup(
    posted: Callable[[], Host], office: PostOffice, tmp_path: Path
) -> None:
    host, target, mailboxes = posted(), tmp_path / "backup", tmp_path / "mailboxes"
    for _ in range(3):
        host.read("new", "troyes", "--seat", ANNA, "--seat", FAYE, "--now")
    assert host.run("daemon", "--once").exit_code == 0
    for words in (("end", "troyes-3", "--yes", "--why", "over"), ("replace", "troyes-2", "faye", ZOE, "--why", "gone", "--yes")):
        assert host.run(*words).exit_code == 0
    assert host.run("daemon", "--once").exit_code == 0
    # These wait when the backup is made, and the old host sends them afterwards.
    assert host.run("resend", "troyes-2").exit_code == 0
    assert host.run("backup", str(target)).exit_code == 0
    assert host.run("daemon", "--once").exit_code == 0
    before, stood = delivered(mailboxes), host.read("show", "troyes-1")
    shutil.rmtree(host.folder)

    new = Host(tmp_path / "elsewhere")
    told = host.read("restore", str(target), "--to", str(new.folder))
    assert told["games"] == ["troyes-1", "troyes-2", "troyes-3"]
    waited = (("anna", "anna@host.test"), ("faye", "zoe@host.test"))
    assert told["not_sent"] == [{"game": "troyes-2", "seat": seat, "to": to} for seat, to in waited]
    assert [] == opened(new.folder)
    assert stat.S_IMODE((new.folder / "games").stat().st_mode) == 0o700
    assert all(row["sound"] for row in new.read("fsck"))
    assert new.read("show", "troyes-1") == stood
    for _ in range(2):
        assert new.run("daemon", "--once").exit_code == 0
    assert delivered(mailboxes) == before

    steps = len(new.read("log", "troyes-1"))
    asyncio.run(answer(office, "troyes-1", "1"))
    assert new.run("daemon", "--once").exit_code == 0
    assert len(new.read("log", "troyes-1")) > steps
    after = delivered(mailboxes)
    assert {game for who in after for game, _ in after[who][len(before[who]) :]} == {"troyes-1"}
    assert "games/troyes-1" in git(target, "show-ref") and new.run("backup", str(target)).exit_code == 0


@pytest.fixture
def games(host: Host) -> tuple[str, str]:
    """Two games of people without addresses."""
    one, other = (host.read("new", kind, "--seat", "Anna", "--seat", "Faye", "--now")["game"] for kind in KINDS)
    return str(one), str(other)


KINDS = ("troyes", "troyes-dice")


def objects(target: Path) -> set[str]:
    return set(git(target, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split())


def test_the_next_backup_brings_only_what_has_changed(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    target = tmp_path / "backup"
    assert host.read("backup", str(target))["changed"] == 2
    assert [] == opened(target)
    # Letters that fill some pieces of the spool.
    with closing(sqlite3.connect(host.folder / "mail" / "spool.sqlite")) as db, db:
        rows = [(f"letter {n}", os.urandom(PIECE_SIZE)) for n in range(40)]
        db.executemany("INSERT INTO letters (digest, raw, received, state) VALUES (?, ?, '2026-01-01', 'handled')", rows)
    assert host.read("backup", str(target))["changed"] == 0
    before = objects(target)
    assert host.run("remark", games[0], "hello").exit_code == 0
    told = host.read("backup", str(target))
    assert (told["changed"], set(told["games"])) == (1, set(games))
    assert len(objects(target) - before) < 40
    assert refs(target)[f"{GAME_REFS}{games[0]}"] == GameStore(host.store).head(games[0])


def test_a_letter_that_is_played_meanwhile_is_in_it_whole(
    host: Host, games: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spool is copied first, then a step is made, then the history is looked at."""
    copied, made = backup_repository.copy_database, []

    def meanwhile(file: Path) -> bytes:
        found = copied(file)
        if file.name == "spool.sqlite" and not made:
            made.append(host.run("remark", games[0], "hello").exit_code)
        return found

    monkeypatch.setattr(backup_repository, "copy_database", meanwhile)
    told = host.read("backup", str(tmp_path / "backup"))
    assert made == [0]
    new = Host(tmp_path / "new")
    new.read("restore", str(tmp_path / "backup"), "--to", str(new.folder))
    with closing(sqlite3.connect(new.folder / "mail" / "spool.sqlite")) as db:
        known = dict(db.execute("SELECT game, head FROM games"))
    assert known == told["games"] == {name: GameStore(new.store).head(name) for name in games}
    # And the words, which lie in a file of their own.
    with closing(sqlite3.connect(new.folder / "mail" / "words.sqlite")) as db:
        assert any("hello" in text for (text,) in db.execute("SELECT text FROM words"))


def test_another_machine_is_asked_about_first(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "far")], check=True)
    far = f"file://{tmp_path / 'far'}"
    refused = host.run("backup", far)
    assert refused.exit_code == 2
    assert "not encrypted. It must be open to nobody but you." in refused.stderr
    assert "" == git(tmp_path / "far", "for-each-ref")
    assert host.run("backup", far, "--yes").exit_code == 0
    # It has been said, and holds.
    assert host.run("backup", far).exit_code == 0
    new = Host(tmp_path / "new")
    assert new.read("restore", far, "--to", str(new.folder))["games"] == sorted(games)


def test_no_password_is_in_a_backup(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    for name in ("imap", "smtp"):
        (host.folder / "mail" / f"{name}.pw").write_text("the word of the mailbox")
        text = (host.folder / "pbem.toml").read_text()
        table = re.sub(rf"^\[{name}\]$", f'[{name}]\npassword_file = "mail/{name}.pw"', text, flags=re.MULTILINE)
        (host.folder / "pbem.toml").write_text(table)
    assert load_config(host.folder / "pbem.toml").smtp.password_file is not None
    host.read("backup", str(tmp_path / "backup"))
    files = backup_repository.read_files(tmp_path / "backup", refs(tmp_path / "backup")[HOST_REF])
    assert {"pbem.toml", "host.secret", "mail/spool.sqlite", "mail/words.sqlite", "mail/people/troyes-1.toml"} <= set(files)
    assert not [name for name, data in files.items() if b"the word of the mailbox" in data]


def test_the_backup_of_another_host_is_not_written_over(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    target = tmp_path / "backup"
    host.read("backup", str(target))
    before = refs(target)
    (host.folder / "mail" / "host.secret").write_text("ab" * 32)
    shutil.rmtree(host.folder / "mail" / host_backup.BACKUP_FOLDER)
    refused = host.run("backup", str(target))
    assert (refused.exit_code, "another host" in refused.stderr) == (3, True), refused.output
    assert refs(target) == before


def test_a_history_that_lost_its_end_is_kept_as_it_was(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    target, name = tmp_path / "backup", games[0]
    assert host.run("remark", name, "hello").exit_code == 0
    host.read("backup", str(target))
    store = GameStore(host.store)
    with store.open(name).lock("test", check=False) as repo:
        old = repo.head
        first = list(repo.log())[-1].id
        repo.point_at(first)
        repo.restore(["state.toml", "secret.toml"])
    shutil.rmtree(host.folder / "mail" / host_backup.BACKUP_FOLDER)
    host.read("backup", str(target))
    assert refs(target)[f"{GAME_REFS}{name}"] == first
    assert refs(target)[f"refs/pbem/earlier/{name}/{old}"] == old


def _gone(pack: Path) -> None:
    for path in (pack, pack.with_suffix(".idx")):
        path.unlink()


def _flipped(pack: Path) -> None:
    """One byte of a blob: whoever does not unpack it sees nothing."""
    raw = bytearray(pack.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    pack.write_bytes(bytes(raw))


@pytest.mark.parametrize("harm", [_gone, _flipped])
def test_a_damaged_game_keeps_no_other_out(
    host: Host, games: tuple[str, str], tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    target = tmp_path / "backup"
    host.read("backup", str(target))
    before = refs(target)
    for name in games:
        assert host.run("remark", name, "hello").exit_code == 0
    packs = (host.store / games[0] / ".git" / "objects" / "pack").glob("*.*")
    harm(max((path for path in packs if path.suffix == ".pack"), key=lambda path: path.stat().st_mtime_ns))
    told = host.read("backup", str(target), code=1)
    assert len(told["left_out"]) == 1 and told["left_out"][0].startswith(f"{games[0]}: ")
    after = refs(target)
    assert after[f"{GAME_REFS}{games[0]}"] == before[f"{GAME_REFS}{games[0]}"] == told["games"][games[0]]
    assert after[f"{GAME_REFS}{games[1]}"] != before[f"{GAME_REFS}{games[1]}"]
    new = Host(tmp_path / "new")
    assert new.read("restore", str(target), "--to", str(new.folder))["games"] == sorted(games)


def test_a_backup_that_has_been_torn_is_named_with_the_way_out(
    host: Host, games: tuple[str, str], tmp_path: Path
) -> None:
    """Where something of it is to be read; git alone said so, once for each of its processes."""
    target = tmp_path / "elsewhere"
    assert host.run("backup", str(target)).exit_code == 0
    for piece in target.glob("objects/*/*"):
        if piece.suffix in ("", ".pack"):
            piece.chmod(0o600)
            os.truncate(piece, piece.stat().st_size // 2)
    shutil.rmtree(host.folder / "mail/backup.git")
    for words in (("backup", str(target)), ("restore", str(target), "--to", str(tmp_path / "new"))):
        told = host.run(*words)
        assert told.exit_code == 3
        assert f"what lies at {target} cannot be read; nothing was written." in told.output
        lines = told.output.splitlines()
        assert len(lines) == len(set(lines))
    assert list((tmp_path / "new").iterdir()) == []
    assert host.run("backup", str(tmp_path / "another")).exit_code == 0


def test_a_game_that_is_damaged_in_the_backup_keeps_no_other_from_being_restored(
    host: Host, games: tuple[str, str], tmp_path: Path
) -> None:
    """Whoever has lost the machine has nothing else: it is asked for, and said what is left out."""
    target, new = tmp_path / "elsewhere", tmp_path / "new"
    assert host.run("backup", str(target)).exit_code == 0
    blob = git(target, "rev-parse", f"refs/pbem/games/{games[0]}:state.toml").strip()
    loose = target / "objects" / blob[:2] / blob[2:]
    loose.chmod(0o600)
    os.truncate(loose, loose.stat().st_size // 2)
    told = host.run("restore", str(target), "--to", str(new))
    assert told.exit_code == 3
    assert f"1 of its 2 games cannot be read, {games[0]}; nothing was made" in told.output
    assert list(new.iterdir()) == []
    told = host.run("restore", str(target), "--to", str(new), "--without-damaged")
    assert told.exit_code == 1
    assert f"{games[0]} is damaged in the backup and was left out" in told.output
    there = Host(new)
    found = {row["game"]: row["findings"] for row in there.read("fsck", code=1)}
    assert found[games[1]] == []
    assert [one["path"] for one in found[""]] == [games[0]], "nor is it forgotten"


def test_nothing_that_is_there_is_touched(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("mine")
    for place in (tmp_path / "full", host.folder / "mail" / "backup", host.folder / "games" / "backup"):
        assert host.run("backup", str(place)).exit_code == 3
    assert ["letter"] == [path.name for path in (tmp_path / "full").iterdir()]
    host.read("backup", str(tmp_path / "backup"))
    before = sorted(host.folder.rglob("*"))
    for target, says in ((str(tmp_path / "backup"), "is there already"), (str(tmp_path / "full"), "there is no backup")):
        refused = host.run("restore", target, "--to", str(host.folder))
        assert (refused.exit_code, says in refused.stderr) == (3, True), refused.output
    assert sorted(host.folder.rglob("*")) == before


def test_places_outside_are_left_out_of_the_settings(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    text = (host.folder / "pbem.toml").read_text()
    at = host.folder / "games"
    (host.folder / "pbem.toml").write_text(re.sub(r'^path = "games"$', f'path = "{at}"', text, flags=re.MULTILINE))
    assert str(at) in (host.folder / "pbem.toml").read_text()
    host.read("backup", str(tmp_path / "backup"))
    new = Host(tmp_path / "new")
    assert new.read("restore", str(tmp_path / "backup"), "--to", str(new.folder))["left_out"] == ["[store] path"]
    assert load_config(new.folder / "pbem.toml").store == new.store
    assert all(row["sound"] for row in new.read("fsck"))


def test_a_damaged_spool_is_not_brought_over_a_sound_one(host: Host, games: tuple[str, str], tmp_path: Path) -> None:
    target = tmp_path / "backup"
    host.read("backup", str(target))
    before = refs(target)
    for path in (host.folder / "mail").glob("spool.sqlite*"):
        path.unlink()
    (host.folder / "mail" / "spool.sqlite").write_bytes(b"no database at all" * 100)
    refused = host.run("backup", str(target))
    assert (refused.exit_code, "nothing was backed up. `pbem fsck`" in refused.stderr) == (3, True), refused.output
    assert refs(target) == before


def test_mails_of_the_day_are_withheld_and_named_too(host: Host, tmp_path: Path) -> None:
    """What is gathered, and what is bound into one mail to somebody."""
    games = [host.read("new", "troyes", "--seat", ANNA, "--seat", FAYE, "--now")["game"] for _ in range(2)]
    with closing(Spool(host.folder / "mail")) as spool:
        names = {row.game: row.message_id for row in spool.rows(state="ready") if row.seat == "faye"}
        with spool.change() as db:
            db.execute("UPDATE outbox SET state = 'gathered' WHERE seat = 'faye'")
        spool.bind([names[games[1]]], OutgoingMail("day.1", "", "faye@host.test", b"all of it", "daily", "host@host.test"))
        assert [games[0]] == [row.game for row in spool.gathered()]
        spool.sent([row.message_id for row in spool.rows(state="ready") if row.seat == "anna"], datetime.now(UTC))
    assert host.run("backup", str(tmp_path / "backup")).exit_code == 0
    new = tmp_path / "new"
    told = host.read("restore", str(tmp_path / "backup"), "--to", str(new))
    assert told["not_sent"] == [{"game": game, "seat": "faye", "to": "faye@host.test"} for game in games]
    with closing(Spool(new / "mail")) as spool:
        assert {"failed", "sent"} == {row.state for row in spool.rows()}
