"""A writer that dies, at every step: the old commit or the new one, never a third."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.store.durable_files import Disks
from pbem.store.errors import Damaged, HandEdited, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.history import History
from pbem.store.journal import Journal, JournalEntry
from pbem.store.state_file import STATE_FILE, StoredGame
from pbem.store.worktree import WorkTree
from tests.store.play import made, turns


class Crash(BaseException):
    """Stands for the end of the process."""


def crash(*_: Any, **__: Any) -> Iterator[None]:
    raise Crash


@pytest.mark.parametrize(
    ("room", "step", "stands"),
    [
        (History, "write", False),
        (History, "stage", False),
        (WorkTree, "stage", False),
        (Journal, "begin", False),
        (Disks, "sync", False),
        (History, "take_in", False),
        (History, "move_branch", False),
        (WorkTree, "publish", True),
        (Journal, "done", True),
    ],
)
def test_a_crash_at_any_step_leaves_the_old_commit_or_the_new(
    repo: GameRepo, monkeypatch: pytest.MonkeyPatch, room: type, step: str, stands: bool
) -> None:
    old = repo.head
    with monkeypatch.context() as patch:
        patch.setattr(room, step, crash)
        with pytest.raises(Crash):
            turns(repo)
    assert (repo.head != old) == stands
    with repo.lock():
        assert repo.status() == ()
    turn = StoredGame.read(repo).game["turn"]
    assert turn == int(stands)
    assert turns(repo).game["turn"] == turn + 1


def test_a_crash_after_the_branch_moved_is_told_from_an_edit(repo: GameRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work tree at the commit before HEAD: after a crash it is finished, made by a person it parks the game."""
    before = repo.work(STATE_FILE)
    with monkeypatch.context() as patch:
        patch.setattr(WorkTree, "publish", crash)
        with pytest.raises(Crash):
            turns(repo)
    assert before == repo.work(STATE_FILE) != repo.read(STATE_FILE)
    with repo.lock():
        assert repo.work(STATE_FILE) == repo.read(STATE_FILE)
    (repo.folder / STATE_FILE).write_bytes(before)
    with pytest.raises(HandEdited), repo.lock():
        pass
    assert before == repo.work(STATE_FILE)


def test_an_edit_after_a_crash_is_not_overwritten(repo: GameRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(WorkTree, "publish", crash)
        with pytest.raises(Crash):
            turns(repo)
    (repo.folder / STATE_FILE).write_text("turn = 9\n")
    with pytest.raises(HandEdited), repo.lock():
        pass
    assert repo.work(STATE_FILE) == b"turn = 9\n"


def test_work_files_that_cannot_be_written_do_not_undo_the_commit(
    repo: GameRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(WorkTree, "publish", full)
        with pytest.raises(StoreError, match="is made, but its files could not be written"):
            turns(repo)
    assert StoredGame.read(repo).table.records == 2
    with repo.lock():
        assert repo.status() == ()


def test_a_branch_lock_left_by_a_killed_writer_is_removed(repo: GameRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(History, "move_branch", crash)
        with pytest.raises(Crash):
            turns(repo)
    (repo.gitdir / "refs/heads/main.lock").write_text("")
    assert turns(repo).game["turn"] == 1


def test_a_branch_lock_of_somebody_s_git_stops_the_commit_and_changes_nothing(repo: GameRepo) -> None:
    head = repo.head
    (repo.gitdir / "refs/heads/main.lock").write_text("")
    with pytest.raises(StoreError, match="nothing was committed"):
        turns(repo)
    assert (head, ()) == (repo.head, repo.status())
    (repo.gitdir / "refs/heads/main.lock").unlink()
    turns(repo)


def test_a_torn_journal_counts_as_none(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.begin("a" * 40, "b" * 40)
    assert journal.read() == JournalEntry(False, "a" * 40, "b" * 40)
    text = (tmp_path / "journal").read_text()
    (tmp_path / "journal").write_text(text.replace("b", "c", 1))
    assert journal.read() is None


def test_a_game_half_made_is_no_game_and_is_cleared_away(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", crash)
        patch.setattr("pbem.store.game_store.shutil.rmtree", lambda *_, **__: None)
        with pytest.raises(Crash):
            made(store)
    (left,) = store.root.glob(".new-*")
    left.rename(store.root / ".new-99999999")
    assert store.names() == ()
    with store.daemon_lock():
        assert list(store.root.glob(".new-*")) == []
    made(store)


def test_an_empty_branch_file_is_damage_and_names_the_last_commit(repo: GameRepo) -> None:
    """What a power cut leaves where nothing was synced."""
    last = turns(repo).commit
    (repo.gitdir / "refs/heads/main").write_text("")
    with pytest.raises(Damaged, match=f"missing or empty; the last commit written here was {last}"):
        turns(repo)
    with pytest.raises(Damaged):
        repo.point_at("0" * 39 + "1")
    with pytest.raises(Damaged), repo.lock(check=True):
        pass
    with repo.lock(check=False):
        repo.point_at(repo.last_written)
    assert turns(repo).table.records == 3
