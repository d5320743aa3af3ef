"""Disks that are full, files of somebody else, games that have vanished: each is named, and the rest goes on."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.cli.kit import console, game_rows
from pbem.host.config import config_of_store
from pbem.host.people import People
from pbem.host.table_transfer import REDIRECTS
from pbem.store import permissions
from pbem.store.errors import Damaged, StoreError
from pbem.store.permissions import world_readable
from pbem.store.spool import Spool

from .conftest import Host

OTHER = 65534


@pytest.fixture
def two(host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Two games."""
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "sesame")
    for _ in range(2):
        host.read("new", "troyes", "--seat", "Anna <anna@host.test>", "--seat", "Faye", "--now")
    return host


def findings(host: Host, code: int = 1) -> dict[str, list[dict[str, str]]]:
    return {row["game"]: row["findings"] for row in host.read("fsck", code=code)}


def take_away(path: Path) -> None:
    """Let a file belong to somebody else, or at least be closed to us."""
    if os.geteuid() == 0:
        os.chown(path, OTHER, OTHER)
    else:
        path.chmod(0)


def test_a_game_of_another_owner_is_named_and_the_others_are_looked_at(two: Host) -> None:
    take_away(two.store / "troyes-1" / ".git" / "pbem" / "journal")
    found = findings(two)
    assert [one["what"] for one in found["troyes-1"]] == ["access"]
    assert found["troyes-2"] == []
    if os.geteuid() == 0:
        assert f"sudo -u {permissions.user_name(OTHER)} pbem" in found["troyes-1"][0]["says"]
    result = two.run("mend")
    assert (result.exit_code, "troyes-2\tsound" in result.output) == (1, True), result.output
    rows = two.read("doctor", "--offline", code=1)
    assert "game troyes-1" in {row["what"] for row in rows if row["state"] == "bad"}
    assert {"what": "games", "state": "well", "says": "1 sound", "mend": ""} in rows


ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root is let in everywhere")


@ROOT_ONLY
@pytest.mark.parametrize(
    "words",
    [
        ("hold", "troyes-1", "--why", "as root"),
        ("new", "troyes-dice", "--seat", "Anna <anna@host.test>"),
        ("backup", "../saved", "--yes"),
        ("daemon", "--once"),
    ],
)
def test_root_is_sent_away_from_a_host_of_another_user_and_leaves_nothing(two: Host, words: tuple[str, ...]) -> None:
    """His files would stop the daemon: the game that he has held could not be read by it any more."""
    for path in (two.folder, *two.folder.rglob("*")):
        os.chown(path, OTHER, OTHER, follow_symlinks=False)
    result = two.run(*words)
    assert result.exit_code == 3, result.output
    assert f"run `sudo -u {permissions.user_name(OTHER)} pbem …`; nothing was done" in result.output
    assert "chown" not in result.output, "given to root it would be lost to the daemon"
    assert {path.lstat().st_uid for path in two.folder.rglob("*")} == {OTHER}


@ROOT_ONLY
def test_root_makes_and_restores_no_host_in_the_folder_of_another_user(two: Host, tmp_path: Path) -> None:
    saved, folder = tmp_path / "saved", tmp_path / "theirs"
    assert two.run("backup", str(saved)).exit_code == 0
    folder.mkdir()
    os.chown(folder, OTHER, OTHER)
    for words in (("restore", str(saved), "--to", str(folder)), ("--config", str(folder / "pbem.toml"), "init", "--batch")):
        result = two.run(*words, "--address", "a@host.test") if "init" in words else two.run(*words)
        assert result.exit_code == 3, result.output
        assert "pbem …`; nothing was done" in result.output
    assert list(folder.iterdir()) == []


@ROOT_ONLY
def test_what_root_has_made_is_given_back_as_a_whole(two: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of its files is named, and to give back that one alone would not help; nor would running pbem as root."""
    game = two.store / "troyes-1"
    for path in (two.folder, *two.folder.rglob("*")):
        if path != game / "state.toml":
            os.chown(path, OTHER, OTHER, follow_symlinks=False)
    monkeypatch.setattr(os, "geteuid", lambda: OTHER)
    (found,) = findings(two)["troyes-1"]
    us = permissions.user_name(OTHER)
    assert f"{game}/state.toml belongs to root, and pbem runs as {us}: give it to {us} " in found["says"]
    assert f"with `sudo chown -R {us} {game}`" in found["says"]


@pytest.mark.parametrize("what", ["", ".git"])
def test_a_game_that_has_vanished_is_missed(two: Host, what: str) -> None:
    shutil.rmtree(two.store / "troyes-1" / what)
    found = findings(two)
    assert [(one["what"], one["path"]) for one in found[""]] == [("game", "troyes-1")]
    assert found["troyes-2"] == []
    assert any("people sit at it" in row["says"] for row in two.read("doctor", "--offline", code=1))


def test_a_full_disk_is_named_and_nothing_is_called_damaged(two: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permissions, "free_space", lambda path: 4096)
    found = findings(two)
    assert {one["what"] for one in found[""]} == {"disk"}
    assert f"the disk of {two.store} is full: 4 kB are free" in found[""][0]["says"]
    assert found["troyes-1"] == found["troyes-2"] == []
    rows = two.read("doctor", "--offline", code=1)
    assert {"disk of the store", "disk of the mail folder"} == {row["what"] for row in rows if row["state"] == "bad"}
    refused = two.run("mend")
    assert refused.exit_code == 3
    assert "is full: 4 kB are free; nothing was mended" in refused.output


def test_a_daemon_that_was_killed_does_not_count_as_running(two: Host) -> None:
    """Its last sign of life is as good as any for ten minutes; its process is gone."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    beat = two.folder / "mail" / "heartbeat.toml"
    for process, runs in ((gone.pid, False), (os.getpid(), True)):
        at = datetime.now(UTC).isoformat()
        beat.write_text(f'at = {at}\npid = {process}\nstate = "waiting for letters"\n')
        beat.chmod(0o600)
        (row,) = [row for row in two.read("doctor", "--offline") if row["what"] == "daemon"]
        assert row["says"].startswith("does not run; process" if not runs else f"process {process}, waiting"), row
        assert two.read("watch")["daemon"] == ("waiting for letters" if runs else "does not run")


def test_doctor_outlives_what_it_looks_at(two: Host) -> None:
    """A spool that is no spool stopped everything."""
    two.run("list")
    (two.folder / "mail" / "spool.sqlite").write_bytes(b"no database" * 100)
    rows = two.read("doctor", "--offline", code=1)
    assert any(row["what"] == "post" and "spool.sqlite" in row["says"] for row in rows)
    assert {"what": "games", "state": "well", "says": "2 sound", "mend": ""} in rows
    assert any("free on the disk" in row["says"] for row in rows)


def test_nothing_of_a_host_can_be_read_by_others_whatever_the_umask(two: Host) -> None:
    before = os.umask(0)
    try:
        made = two.folder / "open"
        made.mkdir(0o755)
        host = Host(made)
        words = ("--address", "games@host.test", "--imap-host", "127.0.0.1")
        assert host.run("init", "--batch", *words).exit_code == 0
        game = str(host.read("new", "troyes", "--seat", "Anna <anna@host.test>", "--seat", "Faye", "--now")["game"])
        host.run("orders", game, host.asked(game), "-", typed="1\n")
        host.run("daemon", "--once")
        host.run("mend", "--yes")
        export = host.folder / "game.json"
        assert host.run("export", game, "--output", str(export)).exit_code == 0
    finally:
        os.umask(before)
    for folder in ("games", "mail"):
        assert list(world_readable(made / folder)) == []
    assert (made / "games" / game / ".git" / "objects" / "pack").is_dir()
    assert stat.S_IMODE(export.stat().st_mode) & 0o044 == 0o044, "what is exported is for others"


def test_open_modes_are_told_and_mended(two: Host) -> None:
    for path in (two.store, two.store / "troyes-1" / "secret.toml", two.folder / "mail" / "people"):
        path.chmod(0o755)
    found = findings(two)
    assert {one["what"] for one in (*found[""], *found["troyes-1"])} == {"mode"}
    assert found["troyes-2"] == []
    rows = two.read("doctor", "--offline", code=1)
    assert {"store", "mode", "game troyes-1"} == {row["what"] for row in rows if row["state"] == "bad"}
    assert two.run("mend").exit_code == 0
    assert all(row["sound"] for row in two.read("fsck"))
    assert stat.S_IMODE((two.store / "troyes-1" / "secret.toml").stat().st_mode) == 0o700


def test_a_seat_whose_mail_comes_back_stands_in_list_and_watch(two: Host) -> None:
    people = People(two.folder / "mail")
    people.change("troyes-1", replace(people.holder("troyes-1", "anna"), unreachable="mail came back on 2026-11-22"))
    says = "mail to anna comes back (mail came back on 2026-11-22)"
    assert [says, ""] == [row["trouble"] for row in two.read("list")]
    assert {"troyes-1": says, "troyes-2": ""} == {row["game"]: row["trouble"] for row in two.read("watch")["games"]}


@pytest.mark.parametrize("command", ["list", "watch"])
@pytest.mark.parametrize("how", ["damaged", "unreadable"])
def test_a_spool_that_cannot_be_read_is_told_once_and_hides_no_table(
    host: Host, monkeypatch: pytest.MonkeyPatch, how: str, command: str
) -> None:
    def fails(_: Spool, folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder)) if how == "unreadable" else Damaged("the spool")

    host.read("new", "troyes", "--seat", "Anna", "--seat", "Faye", "--now")
    (host.folder / "mail" / "spool.sqlite").touch()
    monkeypatch.setattr(Spool, "__init__", fails)
    result = host.run(command)
    assert result.exit_code == 0, result.output
    assert "troyes-1" in result.stdout
    assert 1 == result.stderr.count("the spool cannot be read")


def test_trouble_without_a_spool_is_told_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="troyes-1 is in use"), game_rows.open_mail_folder(config_of_store(tmp_path), People(tmp_path)) as post:
        assert post is None
        raise StoreError("troyes-1 is in use")


def test_damaged_words_hide_no_game_and_the_way_out_is_told(two: Host) -> None:
    """`fsck` looked at no game, and the way out stood in deploy/backup.md alone."""
    two.run("list")
    (two.folder / "mail" / "words.sqlite").write_bytes(b"no database" * 100)
    found = findings(two)
    assert [("words", [], [])] == [(found[""][0]["what"], found["troyes-1"], found["troyes-2"])]
    assert "move it away with its -wal and -shm" in found[""][0]["mend"]
    rows = two.read("doctor", "--offline", code=1)
    assert any(row["what"] == "words" and "move it away" in row["mend"] for row in rows)
    assert "what people wrote cannot be read" in two.run("list").stderr
    assert "move it away" in two.read("hold", "troyes-1", "--why", "x", code=3)["error"]


def test_a_game_edited_by_hand_stands_in_the_list_and_a_refused_action_says_what_mends_it(two: Host) -> None:
    path = two.store / "troyes-1" / "state.toml"
    path.write_text(path.read_text() + "\n# a remark\n")
    says = "state.toml changed by hand: parked; see `pbem mend`"
    assert [says, ""] == [row["trouble"] for row in two.read("list")]
    assert {"troyes-1": says, "troyes-2": ""} == {row["game"]: row["trouble"] for row in two.read("watch")["games"]}
    told = two.read("remark", "troyes-1", "Hello", code=3)["error"]
    assert "`pbem mend troyes-1` keeps the change (--adopt --why '…') or takes it back (--restore)" in told


def test_games_in_folders_that_are_closed_to_us_are_not_no_games(two: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("troyes-1", "troyes-2"):
        (two.store / name / ".git" / "HEAD").rename(two.store / name / ".git" / "GONE")
    let_in = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).name.startswith("troyes") and let_in(path, mode))
    for command in (("list",), ("show", "troyes-1")):
        assert f"2 folders in {two.store} are closed to us" in two.read(*command, code=3)["error"]


@pytest.mark.parametrize(("words", "to"), [("list", ">&-"), ("list", ">/dev/full"), ("log troyes-1 --json", ">/dev/full")])
def test_an_output_that_takes_nothing_is_no_defect(two: Host, words: str, to: str) -> None:
    command = f"{sys.executable} -c 'from pbem.cli import main; main()' --store {two.store} {words} {to}"
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in ran.stderr, ran.stderr
    assert (ran.returncode == 0) == (to == ">&-")


def test_a_narrow_terminal_cuts_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What one must type stands on one line; the rest is broken."""
    monkeypatch.setattr(console, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    head = ("game", "status", "where", "players", "waits for", "since (UTC)", "wait", "trouble")
    row = ("troyes-dice-1", "gathering", "Round 1 of 4, actions", "Annabelle, Bartholomew", "Annabelle")
    row += ("2026-11-30 19:00", "until 2026-12-02 19:00 UTC", "no mail reaches anna (mail came back on 2026-11-22)")
    console.print_table(head, [row])
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert {"troyes-dice-1", "gathering"} <= set(shown.split()), shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_game_that_has_moved_is_not_told_to_be_unknown(two: Host) -> None:
    """Whoever moderates it learns where to ask."""
    posts = two.folder / "mail" / REDIRECTS
    posts.mkdir(mode=0o700)
    (posts / "troyes-9.toml").write_text('moves = 1\ndoor = "/srv/b/mail/door"\naddress = "games+b@host.test"\n')
    result = two.run("show", "troyes-9")
    assert result.exit_code == 2
    assert "troyes-9 has moved to the host at games+b@host.test; ask there" in result.output
