"""A game damaged on purpose: every damage is named, in words, with what would help."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.store.audit import Remedy, check_repository
from pbem.store.commit_record import record_paths
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.spool import Spool
from pbem.store.state_file import STATE_FILE
from tests.store.play import handle, letter, made


@pytest.fixture
def repo(tmp_path: Path) -> GameRepo:
    repo = made(GameStore(tmp_path / "games"))
    spool = Spool(tmp_path / "mail")
    for number in range(4):
        handle(repo, spool, letter(number))
    spool.close()
    return GameRepo(repo.folder)


@pytest.fixture
def loose(repo: GameRepo) -> GameRepo:
    """The same game with one file per object, as git's own commands write them."""
    for pack in list(repo.gitdir.glob("objects/pack/*.pack")):
        raw = pack.read_bytes()
        for path in (pack, pack.with_suffix(".idx")):
            path.unlink()
        subprocess.run(["git", "unpack-objects", "-q"], cwd=repo.gitdir, input=raw, check=True)
    return GameRepo(repo.folder)


def object_file(repo: GameRepo, found: str) -> Path:
    path = repo.gitdir / "objects" / found[:2] / found[2:]
    path.chmod(0o644)
    return path


def blob_of(repo: GameRepo, path: str) -> Path:
    return object_file(repo, str(repo.history.id_of(path, repo.head)))


def recommit(repo: GameRepo, path: str, change: Callable[[bytes], bytes]) -> None:
    with repo.lock():
        repo.commit({path: change(repo.read(path))}, "damage")


def test_a_sound_game_has_no_findings(repo: GameRepo) -> None:
    assert check_repository(repo) == ()


def test_a_deleted_branch_is_found_with_the_commit_to_put_it_on(repo: GameRepo) -> None:
    head = repo.head
    (repo.gitdir / "refs/heads/main").unlink()
    (finding,) = check_repository(repo)
    assert (finding.what, finding.remedy) == ("branch", Remedy.BRANCH)
    assert "backup" not in finding.says
    repo.point_at(head)
    assert check_repository(repo) == ()


def test_a_branch_that_cannot_be_put_back_is_said_to_need_a_backup(loose: GameRepo) -> None:
    object_file(loose, loose.head).unlink()
    (loose.gitdir / "refs/heads/main").write_text("")
    (finding,) = check_repository(loose)
    assert (finding.what, finding.remedy) == ("branch", Remedy.LOST)
    assert "the last commit that was written is not whole" in finding.says


@pytest.mark.parametrize("damage", ["missing", "truncated", "changed"])
def test_a_damaged_last_commit_is_found(loose: GameRepo, damage: str) -> None:
    spoil(object_file(loose, loose.head), damage)
    (finding,) = check_repository(loose)
    assert (finding.what, finding.says) == ("commit", "the last commit is missing or damaged")


@pytest.mark.parametrize("damage", ["missing", "truncated", "changed"])
def test_a_damaged_older_commit_is_found(loose: GameRepo, damage: str) -> None:
    spoil(object_file(loose, list(loose.log())[2].id), damage)
    (finding,) = check_repository(loose)
    assert finding.what == "commit"
    assert finding.says.startswith("the commit 2 before the last is missing")


@pytest.mark.parametrize("damage", ["missing", "truncated", "changed"])
def test_a_damaged_record_is_found_by_its_path(loose: GameRepo, damage: str) -> None:
    spoil(blob_of(loose, record_paths(3)[0]), damage)
    findings = check_repository(loose)
    assert {("object", record_paths(3)[0]), ("record", record_paths(3)[0])} == {(f.what, f.path) for f in findings}


def test_a_damaged_state_object_is_lost(loose: GameRepo) -> None:
    blob_of(loose, STATE_FILE).write_bytes(b"")
    findings = check_repository(loose)
    assert (findings[0].what, findings[0].remedy) == ("object", Remedy.LOST)


def test_a_missing_folder_of_the_history_is_found(loose: GameRepo) -> None:
    object_file(loose, str(loose.history.id_of("chronicle/0000", loose.head))).unlink()
    assert ("object", "chronicle/0000") in {(f.what, f.path) for f in check_repository(loose)}


@pytest.mark.parametrize("damage", ["missing", "truncated", "changed"])
@pytest.mark.parametrize("suffix", [".pack", ".idx"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_damaged_pack_is_found(repo: GameRepo, damage: str, suffix: str, packed: bool) -> None:
    """One commit's pack, or the one that git's housekeeping made of all."""
    if packed:
        repo.pack()
    pack = max(repo.gitdir.glob("objects/pack/*.pack"), key=lambda path: path.stat().st_size)
    pack.chmod(0o644)
    index = pack.with_suffix(".idx")
    index.chmod(0o644)
    spoil(pack.with_suffix(suffix), damage)
    findings = check_repository(repo)
    assert findings
    assert all(finding.says and finding.mend for finding in findings)


def test_a_truncated_work_file_is_found(repo: GameRepo) -> None:
    (repo.folder / STATE_FILE).write_bytes(repo.work(STATE_FILE)[:100])
    (finding,) = check_repository(repo)
    assert (finding.what, finding.says) == ("file", "state.toml differs from the last commit")


def test_a_missing_work_file_is_found(repo: GameRepo) -> None:
    (repo.folder / "secret.toml").unlink()
    assert [(f.what, f.says) for f in check_repository(repo)] == [("file", "secret.toml is missing from the folder of the game")]


@pytest.mark.parametrize(
    ("path", "old", "new", "says"),
    [
        (STATE_FILE, b"[table]", b"[table", "state.toml: is not TOML"),
        (STATE_FILE, b"records = 5", b"records = -5", "state.toml: table.records: is -5"),
        (STATE_FILE, b"records = 5", b"records = 6", "record 6 of 6 is not in the last commit"),
        (STATE_FILE, b"records = 5", b"records = 4", "the table counts 24 entries, the records 18"),
        (STATE_FILE, b"entries = 24", b"entries = 23", "the table counts 23 entries, the records 24"),
        (STATE_FILE, b'game = "mill-1"', b'game = "mill-2"', "the game calls itself mill-2, its folder is mill-1"),
        ("secret.toml", b"words = {anna", b"epoch = -1, words = {anna", "secret.toml: secrets.epoch: is -1"),
        (record_paths(3)[0], b'what = "letter"', b"what = 3", f"{record_paths(3)[0]}: what: is 3"),
        (record_paths(3)[0], b"first = 7\nentries", b"first = 1\nentries", f"{record_paths(3)[1]}: entries: names entry 12"),
        (record_paths(3)[1], b"number = 12", b"number = x", f"{record_paths(3)[1]}: is not TOML"),
    ],
)
def test_nonsense_that_was_committed_is_found(repo: GameRepo, path: str, old: bytes, new: bytes, says: str) -> None:
    assert old in repo.read(path)
    recommit(repo, path, lambda raw: raw.replace(old, new, 1))
    findings = check_repository(repo)
    assert findings[0].says.startswith(says)
    assert all(finding.mend for finding in findings)


def test_a_record_too_many_is_found(repo: GameRepo) -> None:
    def fewer(raw: bytes) -> bytes:
        return raw.replace(b"records = 5", b"records = 4").replace(b"entries = 24", b"entries = 18")

    recommit(repo, STATE_FILE, fewer)
    assert [f.says for f in check_repository(repo)] == ["there is a record 5, the table counts 4"]


def test_a_missing_state_in_the_last_commit_is_found(repo: GameRepo) -> None:
    with repo.lock():
        repo.commit({}, "damage", removed=[STATE_FILE])
    assert [f.says for f in check_repository(repo)] == ["state.toml is not in the last commit"]


def spoil(path: Path, damage: str) -> None:
    if damage == "missing":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:20])
    else:
        raw = bytearray(path.read_bytes())
        raw[len(raw) // 2] ^= 255
        path.write_bytes(bytes(raw))
