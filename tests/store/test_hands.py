"""People's hands in a game's folder: nothing of theirs is overwritten."""

from __future__ import annotations

import pytest

from pbem.store.errors import HandEdited
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import STATE_FILE
from pbem.store.worktree import Difference
from tests.store.play import git, turns


def test_a_hand_edit_parks_the_game_and_is_not_overwritten(repo: GameRepo) -> None:
    head = repo.head
    (repo.folder / STATE_FILE).write_text("turn = 9\n")
    with pytest.raises(HandEdited) as edit:
        turns(repo)
    assert str(edit.value).startswith("mill-1: state.toml differs from the last commit; the game is parked")
    assert edit.value.files == (STATE_FILE,)
    assert (head, b"turn = 9\n") == (repo.head, repo.work(STATE_FILE))
    assert repo.status() == (Difference(STATE_FILE, "changed"),)


def test_an_edit_made_while_we_hold_the_lock_stops_the_commit(repo: GameRepo) -> None:
    head = repo.head
    with repo.lock():
        (repo.folder / STATE_FILE).write_text("turn = 9\n")
        with pytest.raises(HandEdited):
            repo.commit({STATE_FILE: b"turn = 1\n"}, "x")
    assert (head, b"turn = 9\n") == (repo.head, repo.work(STATE_FILE))


def test_a_removed_state_file_parks_the_game(repo: GameRepo) -> None:
    (repo.folder / STATE_FILE).unlink()
    with pytest.raises(HandEdited), repo.lock():
        pass
    assert repo.status() == (Difference(STATE_FILE, "missing"),)


def test_somebody_s_own_files_park_nothing(repo: GameRepo) -> None:
    (repo.folder / "notes.txt").write_text("mine")
    (repo.folder / "state.toml~").write_text("left by an editor")
    turns(repo)
    assert not repo.status()


def test_a_hand_edit_can_be_committed_as_a_repair(repo: GameRepo) -> None:
    text = repo.work(STATE_FILE).replace(b"flour = 3,", b"flour = 4,")
    (repo.folder / STATE_FILE).write_bytes(text)
    with repo.lock(check=False):
        repo.commit({STATE_FILE: repo.work(STATE_FILE)}, "flour corrected", over=[STATE_FILE])
    assert text == repo.read(STATE_FILE)
    turns(repo)


def test_a_hand_edit_can_be_put_back_and_is_kept_aside(repo: GameRepo) -> None:
    (repo.folder / STATE_FILE).write_text("turn = 9\n")
    with repo.lock(check=False):
        (kept,) = repo.restore([STATE_FILE])
    assert kept.read_text() == "turn = 9\n"
    assert repo.work(STATE_FILE) == repo.read(STATE_FILE)
    turns(repo)


def test_a_commit_made_by_hand_parks_the_game_until_it_is_accepted(repo: GameRepo) -> None:
    (repo.folder / STATE_FILE).write_bytes(repo.work(STATE_FILE).replace(b"flour = 3,", b"flour = 4,"))
    git(repo.folder, "commit", "-qam", "by hand")
    with pytest.raises(HandEdited, match="was made by hand"):
        turns(repo)
    with repo.lock(check=False):
        repo.point_at(repo.head)
    turns(repo)
    assert b"flour = 4," in repo.read(STATE_FILE)


def test_another_branch_checked_out_parks_the_game(repo: GameRepo) -> None:
    git(repo.folder, "checkout", "-q", "-b", "idea")
    with pytest.raises(HandEdited, match="HEAD says"):
        turns(repo)
