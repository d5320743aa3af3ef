"""People's hands in a game's folder: nothing of theirs is overwritten."""

from __future__ import annotations

import pytest

from pbem.store.repo import GameRepo
from pbem.store.stored import STATE
from pbem.store.trouble import HandEdited
from pbem.store.worktree import Difference
from tests.store.play import git, turns


def test_a_hand_edit_parks_the_game_and_is_not_overwritten(repo: GameRepo) -> None:
    head = repo.head
    (repo.folder / STATE).write_text("turn = 9\n")
    with pytest.raises(HandEdited) as edit:
        turns(repo)
    assert str(edit.value).startswith("mill-1: state.toml differs from the last commit; the game is parked")
    assert edit.value.files == (STATE,)
    assert (head, b"turn = 9\n") == (repo.head, repo.work(STATE))
    assert repo.status() == (Difference(STATE, "changed"),)


def test_an_edit_made_while_we_hold_the_lock_stops_the_commit(repo: GameRepo) -> None:
    head = repo.head
    with repo.lock():
        (repo.folder / STATE).write_text("turn = 9\n")
        with pytest.raises(HandEdited):
            repo.commit({STATE: b"turn = 1\n"}, "x")
    assert (head, b"turn = 9\n") == (repo.head, repo.work(STATE))


def test_a_removed_state_file_parks_the_game(repo: GameRepo) -> None:
    (repo.folder / STATE).unlink()
    with pytest.raises(HandEdited), repo.lock():
        pass
    assert repo.status() == (Difference(STATE, "missing"),)


def test_somebody_s_own_files_park_nothing(repo: GameRepo) -> None:
    (repo.folder / "notes.txt").write_text("mine")
    (repo.folder / "state.toml~").write_text("left by an editor")
    turns(repo)
    assert repo.status() == (Difference("notes.txt", "unknown"),)


def test_a_hand_edit_can_be_committed_as_a_repair(repo: GameRepo) -> None:
    text = repo.work(STATE).replace(b"flour = 3,", b"flour = 4,")
    (repo.folder / STATE).write_bytes(text)
    with repo.lock(check=False):
        repo.commit({STATE: repo.work(STATE)}, "flour corrected", over=[STATE])
    assert text == repo.read(STATE)
    turns(repo)


def test_a_hand_edit_can_be_put_back_and_is_kept_aside(repo: GameRepo) -> None:
    (repo.folder / STATE).write_text("turn = 9\n")
    with repo.lock(check=False):
        (kept,) = repo.restore([STATE])
    assert kept.read_text() == "turn = 9\n"
    assert repo.work(STATE) == repo.read(STATE)
    turns(repo)


def test_a_commit_made_by_hand_parks_the_game_until_it_is_accepted(repo: GameRepo) -> None:
    (repo.folder / STATE).write_bytes(repo.work(STATE).replace(b"flour = 3,", b"flour = 4,"))
    git(repo.folder, "commit", "-qam", "by hand")
    with pytest.raises(HandEdited, match="was made by hand"):
        turns(repo)
    with repo.lock(check=False):
        repo.point_at(repo.head)
    turns(repo)
    assert b"flour = 4," in repo.read(STATE)


def test_another_branch_checked_out_parks_the_game(repo: GameRepo) -> None:
    git(repo.folder, "checkout", "-q", "-b", "idea")
    with pytest.raises(HandEdited, match="HEAD says"):
        turns(repo)
