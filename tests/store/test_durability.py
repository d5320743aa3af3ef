"""What is on the disk when a commit returns, and what a kill leaves. Slow numbers run as soak."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from pbem.store import backup_repository, durable_files
from pbem.store.audit import check_repository
from pbem.store.commit_record import read_records
from pbem.store.durable_files import Disks
from pbem.store.errors import HandEdited, LockHeld, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.history import History
from pbem.store.spool import Spool
from pbem.store.state_file import StoredGame, commit_game
from tests.store.play import NOON, digest, following, handle, letter, made, turns

PLAY = Path(__file__).with_name("play.py")
ENDLESS = 1_000_000


def surroundings() -> dict[str, str]:
    """Of the playing program: it imports this package of tests."""
    folders = [str(PLAY.parents[1]), str(PLAY.parents[2])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}


def test_everything_is_on_the_disk_before_it_is_moved_and_again_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without strace: when the disk is synced, and what lies where by then."""
    repo = made(GameStore(tmp_path / "games"))
    old, seen = repo.head, []
    real = Disks.sync

    def sync(self: Disks) -> None:
        laid = sorted(path.name.split("-")[0] for path in (repo.gitdir / "pbem").glob("*/**/*") if path.is_file())
        seen.append((repo.head == old, repo.status() == (), laid))
        real(self)

    monkeypatch.setattr(Disks, "sync", sync)
    with repo.lock():
        stored, record = following(StoredGame.read(repo), b"letter")
        commit_game(repo, stored, record, "anna grinds 4")
    assert seen == [(True, True, ["main", "pack", "pack", "state.toml"]), (False, True, [])]


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_commit_moves_only_what_is_on_the_disk(tmp_path: Path) -> None:
    """Read from the system calls themselves: SQLite and libgit2 are not Python's to watch.

    Between the two syncs of a commit nothing is written in the repository but the names of files, and what git can
    do without; the spool was written before the first.
    """
    made(GameStore(tmp_path / "games"))
    trace = tmp_path / "trace"
    calls = "fsync,fdatasync,syncfs,rename,renameat,renameat2,link,linkat,write,pwrite64"
    words = ["strace", "-f", "-y", "-s", "4096", "-e", f"trace={calls}", "-o", str(trace)]
    program = [sys.executable, str(PLAY), str(tmp_path), "1"]
    done = subprocess.run([*words, *program], env=surroundings(), capture_output=True, text=True, check=False)
    if "ptrace" in done.stderr.lower():
        pytest.skip(f"strace may not trace here: {done.stderr.strip()[:200]}")
    assert done.returncode == 0, done.stderr
    game = tmp_path / "games" / "mill-1"
    steps: list[str] = []
    for line in trace.read_text().splitlines():
        if re.search(r"syncfs\(\d+<[^>]*>\) += 0", line):
            steps.append("SYNC")
        elif move := re.search(r'(?:rename|link)\w*\((?:AT_FDCWD(?:<[^>]*>)?, )?"([^"]*)"[^"]*"([^"]*)"', line):
            steps.append(f"move {move[2]}")
        elif wrote := re.search(r"write(?:64)?\(\d+<(/[^>]*)>", line):
            steps.append(f"write {wrote[1]}")
    first, second = (number for number, step in enumerate(steps) if step == "SYNC")
    before, between, after = steps[:first], steps[first + 1 : second], steps[second + 1 :]
    places = [f"move {game}/{name}" for name in (".git/refs/heads/main", "state.toml", ".git/index")]
    assert [step for step in between if "/objects/pack/" not in step] == [
        *places[:2],
        f"write {game}/.git/index.pbem",
        places[2],
    ]
    assert [Path(step).suffix for step in between if "/objects/pack/" in step] == [".pack", ".idx"]
    assert f"write {game}/.git/pbem/journal" in before
    assert f"write {tmp_path}/mail/spool.sqlite-wal" in before
    assert not [step for step in before if step in places or "/objects/pack/" in step]
    assert after[:2] == [f"write {game}/.git/pbem/journal", f"write {tmp_path}/mail/spool.sqlite-wal"]


def kills(folder: Path, count: int, seed: int, names: Sequence[str]) -> None:
    """Play letters to these games without end, a batch at a time, killing the player at `count` random instants; then a
    few more, and look at it all.

    However fast or slow the machine is, every kill meets a player who plays.
    """
    chance = random.Random(seed)
    store = GameStore(folder / "games")
    heads = {name: made(store, name).head for name in names}
    words = [sys.executable, str(PLAY), str(folder)]
    for number in range(count):
        with subprocess.Popen([*words, str(ENDLESS)], env=surroundings(), stdout=subprocess.PIPE, text=True) as player:
            assert player.stdout
            assert player.stdout.readline() == "ready\n", f"kill {number} of seed {seed}"
            time.sleep(chance.uniform(0, 0.12))
            player.send_signal(signal.SIGKILL)
        heads = look(folder, heads, f"kill {number} of seed {seed}")
    played = max(StoredGame.read(store.open(name)).game["turn"] for name in names) + 5
    subprocess.run([*words, str(played)], env=surroundings(), check=True, stdout=subprocess.DEVNULL)
    look(folder, heads, f"the end of seed {seed}")
    for name in names:
        repo = GameRepo(folder / "games" / name)
        assert StoredGame.read(repo).game["turn"] == played
        answered = [r.letter.digest for r in read_records(repo, 1) if r.letter]
        assert answered == [digest(letter(n, name)) for n in range(played)]


def look(folder: Path, before: Mapping[str, str], when: str) -> dict[str, str]:
    """Each game stands at an old or a new commit, its history is whole, and the spool agrees; gives the heads."""
    store, spool = GameStore(folder / "games"), Spool(folder / "mail")
    spool.recover(store)
    heads = {}
    for name, head in before.items():
        repo = store.open(name)
        with repo.lock():
            assert repo.status() == (), when
        assert check_repository(repo) == (), when
        history = [commit.id for commit in repo.log()]
        assert head in history, when
        stored = StoredGame.read(repo)
        done = list(read_records(repo))
        assert (stored.table.records, stored.game["turn"]) == (len(done), len(done) - 1) == (len(history), len(done) - 1)
        answered = [record.letter.digest for record in done if record.letter]
        assert len(set(answered)) == len(answered), when
        assert all(spool.seen(found) for found in answered), when
        assert not any(found.digest in answered for found in spool.waiting()), when
        promised = [intent.message_id for record in done for intent in record.intents]
        assert [row.message_id for row in spool.rows(name)] == promised, when
        assert {row.state for row in spool.rows(name)} <= {"ready"}, when
        assert all(spool.raw(name) == f"mail {name}".encode() for name in promised[-4:]), when
        heads[name] = repo.head
    spool.close()
    return heads


BATCH = ("mill-1", "mill-2", "mill-3")


def test_a_kill_at_any_instant_leaves_the_old_state_or_the_new(tmp_path: Path) -> None:
    """Five kills, of letters alone and in batches; the soak kills two hundred and five hundred times."""
    kills(tmp_path / "alone", 2, seed=1, names=BATCH[:1])
    kills(tmp_path / "batch", 3, seed=1, names=BATCH)


@pytest.mark.soak
def test_two_hundred_kills_leave_the_old_state_or_the_new(tmp_path: Path) -> None:
    for seed in range(2, 12):
        kills(tmp_path / str(seed), 20, seed, BATCH[:1])


@pytest.mark.soak
def test_five_hundred_kills_of_letters_in_batches_leave_the_old_state_or_the_new(tmp_path: Path) -> None:
    for seed in range(2, 27):
        kills(tmp_path / str(seed), 20, seed, BATCH)


def test_a_batch_is_published_together_or_when_somebody_looks(tmp_path: Path) -> None:
    """Its commits and mails are there for others when it ends, or as soon as one of its games is opened."""
    store, spool = GameStore(tmp_path / "games", wait=0.2), Spool(tmp_path / "mail")
    repos = [made(store, name) for name in BATCH]
    heads = [repo.head for repo in repos]

    def published() -> list[bool]:
        return [GameRepo(repo.folder).head != head for repo, head in zip(repos, heads, strict=True)]

    with store.group_commit.batch():
        for repo in repos[:2]:
            handle(repo, spool, letter(1, repo.name), digest(letter(1, repo.name)))
        assert store.group_commit.is_waiting(digest(letter(1)))
        assert published() == [False, False, False]
        assert {row.state for row in spool.rows()} == {"prepared"}
        store.open(BATCH[1])
        assert published() == [True, True, False]
        assert {row.state for row in spool.rows()} == {"ready"}
        handle(repos[2], spool, letter(1, BATCH[2]), digest(letter(1, BATCH[2])))
        assert published() == [True, True, False]
    assert published() == [True, True, True]


def test_a_batch_that_has_lasted_long_is_published(tmp_path: Path) -> None:
    """Its games are locked, and a moderator waits for one only so long: a computer that thinks may take seconds."""
    store, spool = GameStore(tmp_path / "games"), Spool(tmp_path / "mail")
    repo = made(store)
    store.group_commit.max_seconds = 0
    with store.group_commit.batch():
        handle(repo, spool, letter(1), digest(letter(1)))
        assert not store.group_commit.busy


def test_a_batch_never_waits_for_a_game_while_it_holds_others(tmp_path: Path) -> None:
    """A backup holds one game after the other until it has all: two that wait for each other would wait in vain."""
    store, spool = GameStore(tmp_path / "games", wait=0.2), Spool(tmp_path / "mail")
    first, second = (made(store, name) for name in BATCH[:2])
    head = first.head
    with GameRepo(second.folder).lock("backup"), store.group_commit.batch():
        handle(first, spool, letter(1), digest(letter(1)))
        with pytest.raises(LockHeld), second.lock():
            pass
        assert GameRepo(first.folder).head != head
        with GameRepo(first.folder, 0.2).lock("backup"):
            pass


def test_a_branch_that_somebody_holds_keeps_the_others_of_a_batch_from_nothing(tmp_path: Path) -> None:
    store, spool = GameStore(tmp_path / "games", wait=0.2), Spool(tmp_path / "mail")
    repos = [made(store, name) for name in BATCH]
    (repos[1].gitdir / "refs/heads/main.lock").write_text("")
    with pytest.raises(StoreError, match="could not be moved, nothing was committed"), store.group_commit.batch():
        for repo in repos:
            raw = letter(1, repo.name)
            spool.take(raw, digest(raw), 7, 1, NOON)
            handle(repo, spool, raw, digest(raw))
    assert [StoredGame.read(repo).game["turn"] for repo in repos] == [1, 0, 1]
    assert [found.raw for found in spool.waiting()] == [letter(1, BATCH[1])]
    assert {row.game for row in spool.rows(state="ready")} == {BATCH[0], BATCH[2]}
    (repos[1].gitdir / "refs/heads/main.lock").unlink()
    assert handle(repos[1], spool, letter(1, BATCH[1]))


def test_what_somebody_edits_while_a_batch_waits_is_not_overwritten(tmp_path: Path) -> None:
    """Seconds may pass until a commit of a batch is moved to its place: an edit of then is met as one before it is."""
    store, spool = GameStore(tmp_path / "games", wait=0.2), Spool(tmp_path / "mail")
    first, second = (made(store, name) for name in BATCH[:2])
    head = first.head
    with pytest.raises(StoreError, match=r"state\.toml differs from the last commit"), store.group_commit.batch():
        for repo in (first, second):
            handle(repo, spool, letter(1, repo.name), digest(letter(1, repo.name)))
        (first.folder / "state.toml").write_text("by hand")
    assert (first.folder / "state.toml").read_text() == "by hand"
    assert first.head == head
    assert StoredGame.read(second).game["turn"] == 1
    with pytest.raises(HandEdited), first.lock():
        pass
    first.restore(["state.toml"])
    assert handle(first, spool, letter(1))
    assert check_repository(first) == ()


def test_what_is_kept_of_an_edit_stays(tmp_path: Path) -> None:
    """Whatever lay in the place of a work file, a folder too; only what was laid down for a commit is thrown away."""
    repo = made(GameStore(tmp_path / "games"))
    (repo.folder / "state.toml").unlink()
    (repo.folder / "state.toml").mkdir()
    (repo.folder / "state.toml" / "mine").write_text("by hand")
    with repo.lock(check=False):
        (kept,) = repo.restore(["state.toml"])
    left = repo.gitdir / "pbem" / ("5" * 40)
    left.mkdir()
    turns(repo)
    assert (kept / "mine").read_text() == "by hand"
    assert not left.exists()


def test_nothing_is_left_of_a_commit_that_a_kill_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever locks the game next takes it away, for a game that is over gets no other commit."""
    for fatal in (1, 2):
        repo = made(GameStore(tmp_path / f"games-{fatal}"))
        calls = iter(range(1, 3))

        def sync(self: Disks, calls: Iterator[int] = calls, fatal: int = fatal) -> None:
            if next(calls) == fatal:
                raise OSError(5, "Input/output error")

        with monkeypatch.context() as patch, pytest.raises(OSError, match="Input/output"):
            patch.setattr(Disks, "sync", sync)
            turns(repo)
        with repo.lock():
            assert [path.name for path in (repo.gitdir / "pbem").iterdir() if path.is_dir()] == []


def test_an_index_that_a_power_cut_left_without_its_pack_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two names that are moved one may be kept: `fsck` would tell of damage where there is none."""
    repo = made(GameStore(tmp_path / "games"))
    head = repo.head

    def cut(history: History, place: Path) -> None:
        for index in place.glob("*.idx"):
            index.rename(repo.gitdir / "objects" / "pack" / index.name)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(History, "take_in", cut)
        turns(repo)
    assert check_repository(repo) == ()
    assert repo.head == head


def test_a_game_on_another_disk_than_the_store_is_synced_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of a game may be mounted, or linked to; and the mails lie on a third disk."""
    store, spool = GameStore(tmp_path / "games"), Spool(tmp_path / "mail")
    repo = made(store)
    named: set[Path] = set()
    real = Disks.add

    def add(self: Disks, folder: Path) -> None:
        named.add(folder)
        real(self, folder)

    monkeypatch.setattr(Disks, "add", add)
    handle(repo, spool, letter(1))
    assert named >= {repo.folder, tmp_path / "mail"}


def test_what_is_laid_down_for_a_backup_is_on_the_disk_before_it_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next backup takes an object of its content for granted: one that a power cut tore would spoil each."""
    place = backup_repository.bare_repository(tmp_path / "backup")
    seen: list[int] = []
    monkeypatch.setattr(Disks, "sync", lambda disks: seen.append(sum(1 for one in place.glob("objects/??/*"))))
    backup_repository.commit_files(place, {"settings": b"1"}, "a host", NOON)
    assert seen == [3]


def test_a_system_without_syncfs_syncs_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs more, and brings the same to the disk at the same two moments."""
    repo, spool = made(GameStore(tmp_path / "games")), Spool(tmp_path / "mail")
    synced: list[str] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        synced.append(Path(f"/proc/self/fd/{fd}").readlink().relative_to(tmp_path).as_posix())
        real(fd)

    monkeypatch.setattr(durable_files, "_syncfs", None)
    monkeypatch.setattr(os, "fsync", fsync)
    handle(repo, spool, letter(1))
    place = f"games/mill-1/.git/pbem/{repo.head}"
    first = [f"{place}/main", f"{place}/work/state.toml", f"{place}/work", place, "mail/spool.sqlite-wal"]
    assert set(first) <= set(synced)
    after = synced[max(map(synced.index, first)) :]
    assert {"games/mill-1", "games/mill-1/.git/refs/heads", "games/mill-1/.git/objects/pack"} <= set(after)


def test_a_commit_is_not_told_what_was_wrong_with_the_one_before(tmp_path: Path) -> None:
    """Two letters of a batch to one game: the first is not published, the second is, and at once."""
    repo, spool = made(store := GameStore(tmp_path / "games", wait=0.2)), Spool(tmp_path / "mail")
    held = repo.gitdir / "refs/heads/main.lock"
    held.write_text("")
    second, published = letter(2), False
    with pytest.raises(StoreError, match="could not be moved, nothing was committed"), store.group_commit.batch():
        handle(repo, spool, letter(1), digest(letter(1)))
        store.group_commit.flush()
        held.unlink()
        handle(repo, spool, second)
        at_once = spool.seen(digest(second))
        published = True
    assert published
    assert at_once
    assert not spool.seen(digest(letter(1)))


def test_a_letter_is_handled_once_however_often_it_comes(tmp_path: Path) -> None:
    repo, spool = made(GameStore(tmp_path / "games")), Spool(tmp_path / "mail")
    raw = letter(1)
    assert spool.take(raw, digest(raw), 7, 1, NOON)
    assert handle(repo, spool, raw)
    assert not spool.take(raw, digest(raw), 7, 2, NOON)
    assert handle(repo, spool, raw) is None
    assert spool.waiting() == []
    assert spool.to_file() == [(7, 1, "handled"), (7, 2, "handled")]
