"""Packs become one, and at no instant does anything lie nowhere."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pygit2
import pytest

from pbem.admin.health.adopt_backup import joined, take_in
from pbem.store import repack
from pbem.store.audit import check_repository
from pbem.store.errors import Damaged, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.history import History
from pbem.store.repack import count_packs
from pbem.store.state_file import StoredGame
from tests.daemon.power import Cut, Machine
from tests.store.play import made, turns

TURNS = 3


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True).stdout


def objects(repo: GameRepo) -> set[str]:
    """The names of all objects that git finds."""
    return set(git(repo.folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split())


@pytest.fixture
def played(repo: GameRepo) -> GameRepo:
    turns(repo, TURNS)
    return repo


def test_one_pack_has_all_and_what_is_read_of_it_is_the_same(played: GameRepo) -> None:
    before, stored, head = objects(played), StoredGame.read(played), played.head
    assert count_packs(played.folder) == TURNS + 1
    played.pack()
    assert count_packs(played.folder) == 1
    assert (objects(played), StoredGame.read(played), played.head) == (before, stored, head)
    assert check_repository(played) == ()
    # The branch stays a file of its own: it is asked for of every game at each start.
    assert (played.gitdir / "refs/heads/main").read_text().strip() == head
    assert not (played.gitdir / "pbem/packed").exists()
    assert not {path.name for path in played.gitdir.rglob("*") if path.is_file() and path.stat().st_mode & 0o077}


def test_packing_again_changes_nothing(played: GameRepo) -> None:
    played.pack()
    before = sorted((path, path.read_bytes()) for path in played.gitdir.glob("objects/pack/*"))
    played.pack()
    assert before == sorted((path, path.read_bytes()) for path in played.gitdir.glob("objects/pack/*"))


def test_what_no_commit_names_any_more_is_kept(played: GameRepo) -> None:
    """Also when the branch is lost, so that nothing names anything; and what lies there loose."""
    git(played.folder, "hash-object", "-w", "--stdin")
    before, head = objects(played), played.head
    assert played.id_of("chronicle/0000/000002.toml")
    (played.gitdir / "refs/heads/main").unlink()
    played.pack()
    assert objects(played) == before
    assert count_packs(played.folder) == 1
    assert not list((played.gitdir / "objects").glob("??/*"))
    played.point_at(head)
    assert check_repository(played) == ()


@pytest.mark.parametrize("suffix", [".pack", ".idx"])
def test_with_damage_nothing_is_packed(played: GameRepo, suffix: str) -> None:
    file = sorted(played.gitdir.glob(f"objects/pack/*{suffix}"))[1]
    file.chmod(0o600)
    file.write_bytes(file.read_bytes()[:-30])
    before = sorted(played.gitdir.glob("objects/pack/*"))
    with pytest.raises(StoreError, match=f"{file.stem} is damaged or not there; nothing was packed"):
        played.pack()
    assert before == sorted(played.gitdir.glob("objects/pack/*"))


def test_what_git_leaves_out_is_not_removed(played: GameRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    before, head = objects(played), played.head
    git(played.folder, "update-ref", "refs/heads/main", "HEAD~2")
    monkeypatch.setattr(repack, "_ALL", ("--quiet", "--all"))
    with pytest.raises(StoreError, match="objects would be lost; nothing was packed"):
        played.pack()
    played.point_at(head)
    assert objects(played) == before
    assert check_repository(played) == ()


def sound(store: GameStore, before: set[str], stored: StoredGame) -> None:
    """A game after a fault: nothing is gone, it can be played on, and packed."""
    repo = store.open("mill-1")
    assert objects(repo) == before
    assert check_repository(repo) == ()
    assert StoredGame.read(repo) == stored
    repo.pack()
    assert count_packs(repo.folder) == 1
    turns(repo)
    assert check_repository(repo) == ()


FAULTS = pytest.mark.parametrize("lost", [None, 0.5, 1.0], ids=["a call fails", "some is lost", "all is lost"])
"""How likely a write was not on the disk when the power was cut; None: a call fails."""


def after_faults(begun: Path, lost: float | None, act: Callable[[Path], object], least: int) -> Iterator[Path]:
    """Copies of a host, each after a fault at another call of `act`, which makes more than `least` calls."""
    calls = 0
    for at in range(200):
        folder = begun.with_name(f"{at}")
        shutil.copytree(begun, folder)
        machine = Machine(folder, at, cut=lost is not None)
        with suppress(Cut, OSError), machine.running():
            act(folder)
        calls = calls or machine.count
        if lost is not None:
            machine.restart(random.Random(at), lost, lambda: None)
        yield folder
        shutil.rmtree(folder)
        if at >= calls:
            break
    assert least < calls < 200


@FAULTS
def test_packs_of_a_backup_come_in_and_nothing_that_read_is_gone(tmp_path: Path, lost: float | None) -> None:
    """A fault at every call: what read before reads after, and the next attempt brings in all."""
    begun = tmp_path / "begun"
    (begun / "mail").mkdir(parents=True)
    repo = made(GameStore(begun / "games"))
    backup = tmp_path / "backup"
    git(tmp_path, "clone", "--quiet", "--bare", "--no-hardlinks", str(repo.folder), str(backup))
    turns(repo, TURNS)
    every = objects(repo)
    packs = sorted(repo.gitdir.glob("objects/pack/*.pack"), key=lambda file: file.stat().st_mtime_ns)
    packs[0].write_bytes(packs[0].read_bytes()[:-30])
    shutil.copytree(begun, tmp_path / "damaged")
    before = read(GameStore(tmp_path / "damaged" / "games").open("mill-1"))

    def attempt(folder: Path) -> None:
        with suppress(StoreError):
            bring_in(folder, backup)

    for folder in after_faults(begun, lost, attempt, 10):
        assert before <= read(GameStore(folder / "games").open("mill-1"))
        bring_in(folder, backup)
        repo = GameStore(folder / "games").open("mill-1")
        assert every == read(repo)
        assert check_repository(repo) == ()


def bring_in(folder: Path, backup: Path) -> None:
    repo = GameStore(folder / "games").open("mill-1")
    with repo.lock(check=False), joined(repo, backup) as other:
        take_in(repo, other.gitdir)


def read(repo: GameRepo) -> set[str]:
    """The objects that can be read."""
    return {
        found for found in map(str, pygit2.Odb(str(repo.gitdir / "objects"))) if reads(History(repo.gitdir, "x"), found)
    }


def reads(history: History, found: str) -> bool:
    with suppress(Damaged):
        return bool(history.objects.get(found))
    return False


@FAULTS
def test_whatever_fails_nothing_is_gone(tmp_path: Path, lost: float | None) -> None:
    """A fault at every call that writes."""
    begun = tmp_path / "begun"
    (begun / "mail").mkdir(parents=True)
    repo = made(GameStore(begun / "games"))
    turns(repo, TURNS)
    before, stored = objects(repo), StoredGame.read(repo)

    def pack(folder: Path) -> None:
        GameStore(folder / "games").open("mill-1").pack()

    for folder in after_faults(begun, lost, pack, 2 * TURNS):
        sound(GameStore(folder / "games"), before, stored)
