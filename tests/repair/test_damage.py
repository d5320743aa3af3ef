"""Stores damaged on purpose: `fsck` names each damage, `mend` repairs it, and the other games go on meanwhile."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine.game import find
from pbem.inbound.letter import open_letter
from pbem.moderation.check import inspected
from pbem.moderation.mending import MendChoice, mend
from pbem.router import Router
from pbem.store import stored as stored_
from pbem.store.audit import fsck
from pbem.store.durable import Disks
from pbem.store.repo import GameRepo
from pbem.store.stored import Stored
from pbem.store.trouble import StoreError
from tests.repair import damages
from tests.repair.bench import Bench
from tests.repair.damages import DAMAGES, GAME

OTHER = "troyes-2"


@pytest.fixture(scope="module")
def two(begun: Bench, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Two tables; the second has just begun. Not to be changed."""
    bench = begun.copy(tmp_path_factory.mktemp("two") / "host")
    bench.seat_all(2, seed=b"t" * 32)
    return bench


@pytest.fixture
def host(two: Bench, tmp_path: Path) -> Path:
    """The same, to be damaged. Nothing is open."""
    bench = two.copy(tmp_path / "host")
    bench.spool.close()
    return bench.folder


def position(bench: Bench) -> tuple[object, object]:
    stored = Stored.read(bench.store.open(GAME))
    # A repair counts decisions on, so that old keys are dead; everything else must be as it was.
    plain = {key: part for key, part in stored.game.items() if key not in ("number", "asked")}
    return plain, stored.hidden


def test_what_is_mended_is_on_the_disk(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anybody is told so: libgit2 syncs nothing."""
    damages.missing_blob(host)
    bench = process(host, monkeypatch)
    repo = bench.store.open(GAME)
    seen: list[bool] = []
    monkeypatch.setattr(Disks, "sync", lambda disks: seen.append(not fsck(repo)))
    assert mend(bench.desk, GAME, MendChoice()).done
    assert seen[-1:] == [True]


def process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A new process: what an earlier one has read is forgotten."""
    monkeypatch.setattr(stored_, "_parsed", stored_.Recent(stored_.KEPT))
    return Bench(folder)


def asked(bench: Bench, game: str) -> str:
    stored = Stored.read(bench.store.open(game))
    rules = find("troyes")
    return str(rules.waiting(rules.load(stored.game, stored.hidden))[0].seat)


def plays(bench: Bench, game: str, seat: str = "") -> bool:
    """Whether a letter to a game is played."""
    seat = seat or asked(bench, game)
    mails = [got for got in bench.mails(seat) if got.name.startswith(game)]
    return str(bench.send(seat, "1", to=mails[-1]).outcome) == "played"


def play_again(bench: Bench) -> int:
    """Hand over the letters that wait in the spool; how many."""
    waiting = bench.spool.waiting()
    for letter in waiting:
        bench.spool.attempt(letter.digest)
        Router(bench.desk).handle(open_letter(letter.raw), letter.uidvalidity, letter.uid)
    return len(waiting)


@pytest.mark.parametrize("name", list(DAMAGES))
def test_each_damage_is_named_mended_and_stops_no_other_game(
    name: str, host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage = DAMAGES[name]
    before, seat = position(bench := Bench(host)), asked(bench, GAME)
    bench.spool.close()
    damage.spoil(host)

    bench = process(host, monkeypatch)
    found = inspected(bench.desk.services, bench.store.open(GAME))
    assert damage.what in [one.what for one in found], found
    assert all(one.says and one.mend for one in found), found
    assert plays(bench, OTHER)
    if damage.waits:
        with pytest.raises(StoreError):
            plays(bench, GAME, seat)
    with bench.spool.change() as db:
        # The letter that waits would be played after the mending.
        db.execute("DELETE FROM letters WHERE state = 'new'")
    bench.spool.close()

    mended = mend((bench := process(host, monkeypatch)).desk, GAME, damage.choice)
    assert () == mended.left, (mended.done, mended.left)
    assert mended.done or damage.heals
    bench.spool.close()
    bench = process(host, monkeypatch)
    assert () == inspected(bench.desk.services, bench.store.open(GAME))
    assert damage.same == (before == position(bench))
    play_again(bench)
    assert plays(bench, GAME)
    assert plays(bench, OTHER)


@pytest.mark.parametrize("name", [name for name, one in DAMAGES.items() if one.choice != MendChoice()])
def test_nothing_that_somebody_may_have_meant_is_mended_unasked(name: str, host: Path) -> None:
    """Contract, «State, secrets, repair»: `mend` never silently undoes a hand repair."""
    DAMAGES[name].spoil(host)
    files = {path: path.read_bytes() for path in damages.game(host).iterdir() if path.is_file()}
    bench = Bench(host)
    mended = mend(bench.desk, GAME, MendChoice())
    assert DAMAGES[name].what in [one.what for one in mended.left]
    assert files == {path: path.read_bytes() for path in damages.game(host).iterdir() if path.is_file()}


def test_letters_after_the_last_sound_step_are_played_again(host: Path) -> None:
    """The same dice fall, so that the game comes to stand where it stood."""
    before = position(bench := Bench(host))
    bench.spool.close()
    damages.missing_object(host)
    bench = Bench(host)
    mended = mend(bench.desk, GAME, MendChoice(back=True, why="the disk"))
    assert "1 letters are played again" in mended.done[0]
    assert before != position(bench)
    assert 1 == play_again(bench)
    assert before == position(bench)
    assert () == inspected(bench.desk.services, bench.store.open(GAME))


def test_objects_come_back_from_a_clone(host: Path, tmp_path: Path) -> None:
    before = position(bench := Bench(host))
    bench.spool.close()
    shutil.copytree(damages.game(host), tmp_path / "backup")
    damages.missing_object(host)
    bench = Bench(host)
    mended = mend(bench.desk, GAME, MendChoice(source=tmp_path / "backup"))
    assert () == mended.left, mended
    assert before == position(bench)


def test_what_is_put_back_is_kept_aside(host: Path) -> None:
    damages.edited_deniers(host)
    edited = (damages.game(host) / "state.toml").read_bytes()
    bench = Bench(host)
    mend(bench.desk, GAME, MendChoice(restore=True))
    assert edited in [path.read_bytes() for path in (damages.game(host) / ".git/pbem").glob("kept-*")]


def test_an_edit_by_hand_is_told_to_everybody_when_it_is_kept(host: Path) -> None:
    bench = Bench(host)
    was = Stored.read(bench.store.open(GAME)).game["seats"][0]["deniers"]
    damages.edited_deniers(host)
    count = len(bench.mails())
    mend(bench.desk, GAME, MendChoice(adopt=True, why="as agreed"))
    sent = bench.mails()[count:]
    assert {"anna", "faye"} == {got.seat for got in sent}
    assert all(f"{was + 4}, was {was}. Reason: «as agreed»" in got.text for got in sent)
    assert was + 4 == Stored.read(bench.store.open(GAME)).game["seats"][0]["deniers"]


def test_a_sound_game_has_no_fault(host: Path) -> None:
    bench = Bench(host)
    for name in bench.store.names():
        repo: GameRepo = bench.store.open(name)
        assert () == inspected(bench.desk.services, repo)
        assert [] == mend(bench.desk, name, MendChoice()).done
