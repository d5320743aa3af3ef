"""One repository per game: what a commit holds and costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.store.errors import GameExists, NoSuchGame, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.state_file import STATE_FILE, StoredGame, commit_game
from tests.store.play import NOON, following, git, made, opening, turns


def test_a_game_is_made_with_its_first_commit(store: GameStore, repo: GameRepo) -> None:
    assert store.names() == ("mill-1",)
    assert repo.head == store.head("mill-1") == git(repo.folder, "rev-parse", "main")
    assert repo.read(STATE_FILE) == repo.work(STATE_FILE)
    assert StoredGame.read(repo).table.records == 1


@pytest.mark.parametrize("name", ["", "-x", "Mill", "a/b", "..", ".git", "a" * 65, "é"])
def test_a_name_that_is_no_slug_is_refused(store: GameStore, name: str) -> None:
    with pytest.raises(StoreError):
        store.create(name, {"a": b"1"}, "x")
    with pytest.raises(NoSuchGame):
        store.open(name)


def test_a_second_game_of_the_same_name_is_refused_and_the_first_is_whole(store: GameStore, repo: GameRepo) -> None:
    head = repo.head
    with pytest.raises(GameExists):
        made(store)
    assert (head, ()) == (repo.head, repo.status())


def test_a_commit_holds_state_record_and_message(repo: GameRepo) -> None:
    before = StoredGame.read(repo)
    after = turns(repo)
    last = next(repo.log(1))
    assert (after.commit, "anna grinds 4") == (last.id, last.subject)
    assert last.trailers["Record"] == "2"
    assert set(last.trailers) == {"Letter", "Record", "Engine", "Schema"}
    assert last.parents == (before.commit,)
    assert (after.game["turn"], StoredGame.read(repo, before.commit).game["turn"]) == (1, 0)
    assert repo.work(STATE_FILE) == repo.read(STATE_FILE)
    assert repo.id_of("chronicle/0000/000002.secret.toml")
    assert not repo.id_of("chronicle/0000/000002.toml", before.commit)
    with pytest.raises(KeyError):
        repo.read("chronicle/0000/000099.toml")


def test_a_fresh_reader_sees_what_was_kept(store: GameStore, repo: GameRepo) -> None:
    after = turns(repo)
    files = {name: repo.read(name) for name in ("state.toml", "secret.toml")}
    assert after == StoredGame.from_toml(*files.values(), commit=repo.head)


def test_records_and_entries_must_follow_on_one_another(repo: GameRepo) -> None:
    with repo.lock():
        stored, record = following(StoredGame.read(repo), b"letter")
        commit_game(repo, stored, record, "x")
        with pytest.raises(ValueError, match="record 2 cannot follow on 2"):
            commit_game(repo, StoredGame.read(repo), record, "x")


def test_files_can_be_removed_and_folders_stay_out_of_the_work_tree(repo: GameRepo) -> None:
    with repo.lock():
        repo.commit({"note.txt": b"hello", "a/b/c.txt": b"deep"}, "notes")
        assert repo.work("note.txt") == b"hello"
        repo.commit({}, "no note", removed=["note.txt"])
    assert repo.read("a/b/c.txt") == b"deep"
    assert not (repo.folder / "a").exists()
    assert not (repo.folder / "note.txt").exists()
    assert not repo.id_of("note.txt")
    assert repo.status() == ()


@pytest.mark.parametrize("path", ["../x", "/x", "a//b", ".git/config", "a/.GIT/x", ""])
def test_no_path_leads_out_of_the_game(repo: GameRepo, path: str) -> None:
    with repo.lock(), pytest.raises(StoreError, match="no path inside a game"):
        repo.commit({path: b"x"}, "x")


def test_a_commit_needs_the_lock(repo: GameRepo) -> None:
    with pytest.raises(StoreError, match="needs the lock"):
        repo.commit({}, "x")


def test_plain_git_reads_logs_checks_and_clones_a_game(repo: GameRepo, tmp_path: Path) -> None:
    last = turns(repo, 3)
    assert git(repo.folder, "status", "--porcelain") == ""
    git(repo.folder, "fsck", "--full", "--strict")
    assert len(git(repo.folder, "log", "--oneline").splitlines()) == 4
    assert "miller" not in git(repo.folder, "log", "-p", "--", "state.toml")
    git(tmp_path, "clone", "-q", str(repo.folder), "clone")
    clone = tmp_path / "clone"
    assert git(clone, "rev-parse", "HEAD") == last.commit
    assert (clone / "chronicle/0000/000004.toml").read_bytes() == repo.read("chronicle/0000/000004.toml")


def test_a_game_says_when_it_is_time_to_pack(repo: GameRepo) -> None:
    assert not repo.crowded
    turns(repo, 63)
    assert repo.crowded
    repo.pack()
    assert not repo.crowded


def stamp(path: Path) -> tuple[int, int]:
    """What a file's being written anew changes; the time alone may stand still for some milliseconds."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns


def test_what_a_commit_writes_does_not_grow_with_the_history(repo: GameRepo) -> None:
    """Files written and bytes in them, for a turn at the same place of its hundred, early and late."""

    def written() -> tuple[int, int]:
        before = {path: stamp(path) for path in repo.folder.rglob("*") if path.is_file()}
        turns(repo)
        new = [p for p in repo.folder.rglob("*") if p.is_file() and before.get(p) != stamp(p)]
        return len(new), sum(path.stat().st_size for path in new)

    turns(repo, 45)
    files, size = written()
    turns(repo, 199)
    late_files, late_size = written()
    assert StoredGame.read(repo).table.records == 247
    # the pack and its index, the branch, the state, git's index, the journal, who held the lock
    assert late_files == files == 7
    assert late_size <= size * 1.05


def test_a_hundred_games_cost_no_more_than_one(tmp_path: Path) -> None:
    """A commit touches nothing outside its game's folder, and few repositories stay open."""
    store = GameStore(tmp_path / "games")
    for number in range(100):
        store.create(f"mill-{number}", opening(f"mill-{number}", 3).files(), "opens")
    before = {path: stamp(path) for path in store.root.rglob("*")}
    repo = store.open("mill-7")
    with repo.lock():
        repo.commit({"note": b"x"}, "note")
    changed = {path for path in store.root.rglob("*") if before.get(path) != stamp(path)}
    assert changed
    assert [path for path in changed if repo.folder not in path.parents and path != repo.folder] == []
    assert len(store._recent) <= 64


def test_the_time_of_a_commit_is_the_record_s(repo: GameRepo) -> None:
    assert next(repo.log(1)).at == NOON
