"""A backup that is damaged, or that somebody has made to do harm: a sentence, and nothing outside of its folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.host.host_backup import PROGRAM_SETTINGS
from pbem.store import backup_repository
from pbem.store.backup_repository import HOST_REF

from .conftest import Host
from .test_cli_backup import ANNA, FAYE

Files = dict[str, bytes]
BRACKETS = b"a=" + b"[" * 20_000


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    host = Host(folder / "host")
    host.folder.mkdir()
    words = ("--address", "games@host.test", "--imap-host", "127.0.0.1", "--moderator", "me@host.test")
    assert host.run("init", "--batch", *words).exit_code == 0
    host.read("new", "troyes-dice", "--seat", ANNA, "--seat", FAYE, "--now")
    assert host.run("backup", str(folder / "backup")).exit_code == 0
    return folder / "backup"


def forged(whole: Path, folder: Path, change: Callable[[Files], None]) -> Path:
    target = folder / "forged"
    shutil.copytree(whole, target)
    place = backup_repository.bare_repository(folder / "vault")
    backup_repository.fetch_refs(place, str(target), "+refs/pbem/*:refs/pbem/*")
    files = backup_repository.read_files(place, backup_repository.remote_refs(place, str(place))[HOST_REF])
    change(files)
    backup_repository.point_refs(place, {HOST_REF: backup_repository.commit_files(place, files, "x", datetime.now(UTC))})
    backup_repository.push_refs(place, str(target), [HOST_REF])
    return target


def about(text: bytes) -> Callable[[Files], None]:
    return lambda files: files.update({"backup.toml": text})


def settings(text: str) -> Callable[[Files], None]:
    return lambda files: files.update({"pbem.toml": b'[host]\naddress = "g@host.test"\n' + text.encode()})


@pytest.mark.parametrize(
    "change",
    [
        about(BRACKETS), about(b"\xff\xfe"), about(b"a" + b".a" * 20_000 + b"=1"),
        about(b'version=1\nmade=2020-01-01T00:00:00Z\nhost="x"\ngames=["a"]\n'),
        about(b'version=1\nmade="x"\nhost="x"\ngames={}\n'),
        about(b'version=1\nmade=2020-01-01T00:00:00Z\nhost="x"\ngames={"../../x"="00"}\n'),
        lambda files: files.update({"pbem.toml": BRACKETS}),
        lambda files: files.update({"mail/spool.sqlite": b"no database" * 1000}),
        lambda files: files.pop("host.secret"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_ends_in_a_sentence(whole: Path, tmp_path: Path, change: Callable[[Files], None]) -> None:
    target = forged(whole, tmp_path, change)
    host = Host(tmp_path / "host")
    done = host.run("restore", str(target), "--to", str(tmp_path / "new"))
    assert done.exit_code in (1, 2, 3), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert not (tmp_path / "new" / "games").exists()


@pytest.mark.parametrize(
    ("part", "key", "path"),
    [("store", "path", "x/../../evil"), ("mail", "secret_file", "y/../../evil"), ("store", "path", "../data/games")],
)
def test_nothing_is_written_outside(whole: Path, tmp_path: Path, part: str, key: str, path: str) -> None:
    target = forged(whole, tmp_path, settings(f'[{part}]\n{key} = "{path}"\n'))
    before = set(tmp_path.iterdir())
    told = Host(tmp_path / "host").read("restore", str(target), "--to", str(tmp_path / "new"))
    assert told["left_out"] == [f"[{part}] {key}"]
    assert {one.name for one in set(tmp_path.iterdir()) - before} <= {"new", "host"}
    assert (tmp_path / "new" / "games").exists()


@pytest.mark.parametrize(("part", "key"), PROGRAM_SETTINGS)
def test_a_program_is_shown_and_kept_on_a_yes_alone(whole: Path, tmp_path: Path, part: str, key: str) -> None:
    line = f'{key} = "touch pwned; echo pw"'
    server = "" if part == "moderator" else 'host = "127.0.0.1"\nuser = "g"\ntls = "none"\n'
    target = forged(whole, tmp_path, settings(f"[{part}]\n{server}{line}\n"))
    host = Host(tmp_path / "host")
    done = host.run("restore", str(target), "--to", str(tmp_path / "without"))
    assert done.exit_code == 0, done.output
    assert "touch pwned" in done.output
    assert "nobody has said yes" in done.output
    assert key not in (tmp_path / "without" / "pbem.toml").read_text()
    assert host.run("restore", str(target), "--to", str(tmp_path / "with"), "--yes").exit_code == 0
    assert line in (tmp_path / "with" / "pbem.toml").read_text()
