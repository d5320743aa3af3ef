"""Stores damaged on purpose: `fsck` names each damage, `mend` repairs it, and the other games go on meanwhile."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygit2
import pytest

from engine.game import find_game
from pbem.admin.actions import position_values, seat_holders
from pbem.admin.health import reset_to_good
from pbem.admin.health.fix import FixChoice, fix_game, preview_reset
from pbem.admin.health.game_health import check_game
from pbem.admin.persons import Person
from pbem.host.config import config_of_store
from pbem.host.host_backup import back_up
from pbem.inbound.incoming_letter import open_letter
from pbem.router import Router
from pbem.store import state_file as stored_
from pbem.store.audit import Remedy, check_repository
from pbem.store.durable_files import Disks
from pbem.store.errors import StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.state_file import StoredGame
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
    stored = StoredGame.read(bench.store.open(GAME))
    # A repair counts decisions on, so that old keys are dead; everything else must be as it was.
    plain = {key: part for key, part in stored.game.items() if key not in ("number", "asked")}
    return plain, stored.hidden


def test_what_is_mended_is_on_the_disk(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anybody is told so."""
    damages.deleted_ref(host)
    bench = process(host, monkeypatch)
    repo = bench.store.open(GAME)
    seen: list[bool] = []
    monkeypatch.setattr(Disks, "sync", lambda disks: seen.append(not check_repository(repo)))
    assert fix_game(bench.desk, GAME, FixChoice()).done
    assert seen[-1:] == [True]


def process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A new process: what an earlier one has read is forgotten."""
    monkeypatch.setattr(stored_, "_parsed", stored_.LruCache(stored_.MAX_PARSED))
    return Bench(folder)


def asked(bench: Bench, game: str) -> str:
    stored = StoredGame.read(bench.store.open(game))
    rules = find_game("troyes")
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
    found = check_game(bench.desk.services, bench.store.open(GAME))
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

    mended = fix_game((bench := process(host, monkeypatch)).desk, GAME, damage.choice)
    assert () == mended.left, (mended.done, mended.left)
    assert mended.done or damage.heals
    bench.spool.close()
    bench = process(host, monkeypatch)
    assert () == check_game(bench.desk.services, bench.store.open(GAME))
    assert damage.same == (before == position(bench))
    play_again(bench)
    assert plays(bench, GAME)
    assert plays(bench, OTHER)


@pytest.mark.parametrize("name", [name for name, one in DAMAGES.items() if one.choice != FixChoice()])
def test_nothing_that_somebody_may_have_meant_is_mended_unasked(name: str, host: Path) -> None:
    """Contract, «State, secrets, repair»: `mend` never silently undoes a hand repair."""
    DAMAGES[name].spoil(host)
    files = {path: path.read_bytes() for path in damages.game(host).iterdir() if path.is_file()}
    bench = Bench(host)
    mended = fix_game(bench.desk, GAME, FixChoice())
    assert DAMAGES[name].what in [one.what for one in mended.left]
    assert files == {path: path.read_bytes() for path in damages.game(host).iterdir() if path.is_file()}


def test_letters_after_the_last_sound_step_are_played_again(host: Path) -> None:
    """The same dice fall, so that the game comes to stand where it stood."""
    before = position(bench := Bench(host))
    bench.spool.close()
    damages.missing_object(host)
    bench = Bench(host)
    mended = fix_game(bench.desk, GAME, FixChoice(back=True, why="the disk"))
    assert "lost: 1 step; played again: 1 letter" in mended.done[0]
    assert before != position(bench)
    assert 1 == play_again(bench)
    assert before == position(bench)
    assert () == check_game(bench.desk.services, bench.store.open(GAME))


def clone(host: Path, folder: Path) -> Path:
    """A clone of the game as it is now."""
    subprocess.run(["git", "clone", "--quiet", "--bare", "--no-hardlinks", str(damages.game(host)), str(folder)], check=True)
    return folder


def test_what_is_lost_comes_back_from_a_clone(host: Path, tmp_path: Path) -> None:
    """And only that: a clone may hold other things, too."""
    before = position(bench := Bench(host))
    bench.spool.close()
    backup = clone(host, tmp_path / "clone")
    alien = str(pygit2.Repository(str(backup)).create_blob(b"of another game"))
    damages.missing_object(host)
    bench = Bench(host)
    mended = fix_game(bench.desk, GAME, FixChoice(source=backup))
    assert ((), f"what was lost is taken from {backup}") == (mended.left, mended.done[0])
    assert before == position(bench)
    assert alien not in damages.objects(bench.store.open(GAME))


def torn(host: Path, tmp_path: Path) -> tuple[Bench, Path, tuple[object, object]]:
    """A game of one pack that is torn in half: a backup of before its last three letters, the position that was lost."""
    bench = Bench(host)
    (host / "mail" / "secret").write_bytes(b"s" * 32)
    config = replace(config_of_store(host), store=host / "games", secret_file=host / "mail" / "secret")
    back_up(config, str(tmp_path / "backup"), bench.time)
    for _ in range(3):
        assert plays(bench, GAME)
    before = position(bench)
    bench.store.open(GAME).pack()
    bench.spool.close()
    pack = damages.newest_pack(host)
    pack.chmod(0o600)
    damages.cut(pack)
    return Bench(host), tmp_path / "backup", before


def test_of_a_torn_pack_a_backup_and_the_letters_since_bring_everything_back(host: Path, tmp_path: Path) -> None:
    bench, backup, before = torn(host, tmp_path)
    way = preview_reset(bench.desk, GAME, backup)
    assert way and (way.step, way.count, way.letters, way.lost) == (15, 3, 3, ())
    mended = fix_game(bench.desk, GAME, FixChoice(source=backup, why="the disk"))
    assert () == mended.left, mended
    assert "the game stands at step 15 again; lost: 3 steps; played again: 3 letters" in mended.done[0]
    assert list((damages.game(host) / ".git/pbem").glob("kept-pack-*.pack"))
    assert before != position(bench)
    assert 3 == play_again(bench)
    assert before == position(bench)
    assert () == check_game(bench.desk.services, bench.store.open(GAME))


def test_of_a_torn_pack_what_no_letter_did_since_the_backup_is_lost(host: Path, tmp_path: Path) -> None:
    """A repair of the moderator's, and letters whose bytes are no longer kept."""
    bench = Bench(host)
    backup = clone(host, tmp_path / "clone")
    bench.repair(position_values.set_value("anna.deniers", "+3", "the salary was forgotten"), GAME)
    bench.store.open(GAME).pack()
    damages.cut(damages.newest_pack(host))
    mended = fix_game(bench.desk, GAME, FixChoice(source=backup, why="the disk"))
    assert "the game stands at step 15 again; lost: 1 step; played again: 0 letters" in mended.done[0]


def test_another_line_of_the_backup_is_told_as_what_it_loses(host: Path, tmp_path: Path) -> None:
    """A backup of before an earlier reset, or of another host: its steps have the numbers of ours, and more of them."""
    bench = Bench(host)
    for _ in range(2):
        assert plays(bench, GAME)
    bench.spool.close()
    other = tmp_path / "other"
    shutil.copytree(host, other, symlinks=True)
    bench = Bench(other)
    bench.repair(position_values.set_value("anna.deniers", "+3", "the salary was forgotten"), GAME)
    bench.spool.close()
    backup = clone(other, tmp_path / "clone")
    bench = Bench(host)
    for _ in range(1):
        assert plays(bench, GAME)
    damages.cut(damages.newest_pack(host))
    way = preview_reset(bench.desk, GAME, backup)
    assert way and way.loses and way.count == 1
    assert not fix_game(bench.desk, GAME, FixChoice(source=backup)).done, "it asks for a reason"


def test_a_lost_spool_hides_no_lost_step(host: Path) -> None:
    """The newest pack is torn and nobody knows how many steps there were: one at least is lost, and everybody is told."""
    bench = Bench(host)
    assert plays(bench, GAME)
    bench.spool.close()
    damages.cut(damages.newest_pack(host))
    for file in (host / "mail").glob("spool.sqlite*"):
        file.unlink()
    bench = Bench(host)
    way = preview_reset(bench.desk, GAME, None)
    assert way and way.loses
    fix_game(bench.desk, GAME, FixChoice(back=True, why="the disk"))
    assert StoredGame.read(bench.store.open(GAME)).table.lost


def test_a_kill_before_a_reset_is_recorded_loses_no_letter(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch has gone back and nobody was told: the letter of the lost step waits already."""
    bench = Bench(host)
    assert plays(bench, GAME)
    bench.spool.close()
    damages.cut(damages.newest_pack(host))
    bench = Bench(host)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(reset_to_good, "renew", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        fix_game(bench.desk, GAME, FixChoice(back=True, why="the disk"))
    assert 1 == len(bench.spool.waiting())


def test_without_a_backup_a_torn_pack_is_lost_and_nothing_is_changed(host: Path, tmp_path: Path) -> None:
    bench, backup, _ = torn(host, tmp_path)
    files = set(damages.game(host).rglob("*"))
    mended = fix_game(bench.desk, GAME, FixChoice(back=True, why="the disk"))
    assert not mended.done and "no commit is whole, and nothing was changed" in mended.failed[0]
    damages.cut(max(backup.glob("objects/pack/*.pack"), key=lambda pack: pack.stat().st_size))
    mended = fix_game(bench.desk, GAME, FixChoice(source=backup, why="the disk"))
    assert not mended.done and mended.failed
    assert files == set(damages.game(host).rglob("*"))


def test_an_older_backup_loses_no_more_than_what_is_torn(host: Path, tmp_path: Path) -> None:
    """Whole packs of later steps count: only the newest step is gone."""
    backup, bench = clone(host, tmp_path / "clone"), Bench(host)
    for _ in range(3):
        assert plays(bench, GAME)
    damages.cut(damages.newest_pack(host))
    mended = fix_game(bench.desk, GAME, FixChoice(source=backup, why="the disk"))
    assert "the game stands at step 17 again; lost: 1 step; played again: 1 letter" in mended.done[0]
    assert () == mended.left


def test_what_is_put_back_is_kept_aside(host: Path) -> None:
    damages.edited_deniers(host)
    edited = (damages.game(host) / "state.toml").read_bytes()
    bench = Bench(host)
    fix_game(bench.desk, GAME, FixChoice(restore=True))
    assert edited in [path.read_bytes() for path in (damages.game(host) / ".git/pbem").glob("kept-*")]


def test_an_edit_by_hand_is_told_to_everybody_when_it_is_kept(host: Path) -> None:
    bench = Bench(host)
    was = StoredGame.read(bench.store.open(GAME)).game["seats"][0]["deniers"]
    damages.edited_deniers(host)
    count = len(bench.mails())
    fix_game(bench.desk, GAME, FixChoice(adopt=True, why="as agreed"))
    sent = bench.mails()[count:]
    assert {"anna", "faye"} == {got.seat for got in sent}
    assert all(f"{was + 4}, was {was}. Reason: «as agreed»" in got.text for got in sent)
    assert was + 4 == StoredGame.read(bench.store.open(GAME)).game["seats"][0]["deniers"]


def test_a_sound_game_has_no_fault(host: Path) -> None:
    bench = Bench(host)
    for name in bench.store.names():
        repo: GameRepo = bench.store.open(name)
        assert () == check_game(bench.desk.services, repo)
        assert [] == fix_game(bench.desk, name, FixChoice()).done


@pytest.mark.parametrize("spoil", [damages.lost_record, damages.old_position])
def test_no_mending_takes_away_what_can_be_read(spoil: Callable[[Path], None], host: Path) -> None:
    """Every commit before the one where the game stands reads as before, and the damaged pack is kept."""
    spoil(host)
    pack = damages.newest_pack(host).read_bytes()
    bench = Bench(host)
    repo = bench.store.open(GAME)
    faults = {one.path for one in check_repository(repo)}
    fix_game(bench.desk, GAME, FixChoice(back=True, why="the disk"))
    assert {one.path for one in check_repository(repo)} <= faults
    assert pack in [path.read_bytes() for path in repo.gitdir.rglob("*.pack")]


def test_everybody_is_told_how_far_the_game_went_back_and_why(host: Path) -> None:
    damages.lost_record(host)
    bench = Bench(host)
    count = len(bench.mails())
    mended = fix_game(bench.desk, GAME, FixChoice(back=True, why="the disk"))
    assert "the game stands at step 11 again; lost: 4 steps; played again: 4 letters" in mended.done[0]
    sent = bench.mails()[count:]
    assert {"anna", "faye"} == {got.seat for got in sent}
    for got in sent:
        text = " ".join(got.text.split())
        assert "and 4 steps of it are lost. The game stands again at step 11, round" in text
        assert "Reason: «the disk»" in text


def test_going_back_needs_a_reason_and_changes_nothing_without_one(host: Path) -> None:
    damages.lost_record(host)
    bench = Bench(host)
    head = bench.store.open(GAME).head
    mended = fix_game(bench.desk, GAME, FixChoice(back=True))
    assert (mended.done, head) == ([], bench.store.open(GAME).head)
    assert "a reason is needed" in mended.failed[0]


def test_a_game_whose_last_step_is_whole_stays_where_it_is(host: Path) -> None:
    damages.old_position(host)
    before = position(bench := Bench(host))
    head = bench.store.open(GAME).head
    mended = fix_game(bench.desk, GAME, FixChoice(back=True))
    assert (before, head) == (position(bench), bench.store.open(GAME).head)
    assert {Remedy.OLDER} == {one.remedy for one in mended.left}
    assert plays(bench, GAME)


def test_who_has_taken_a_seat_over_since_keeps_it(host: Path) -> None:
    bench = Bench(host)
    person = Person("Zoe", ("zoe@people.test",))
    bench.repair(seat_holders.replace_holder(bench.desk.services, "faye", person, "Faye has moved"), GAME)
    damages.lost_record(host)
    mended = fix_game(bench.desk, GAME, FixChoice(back=True, why="the disk"))
    assert () == mended.left, mended
    row = StoredGame.read(bench.store.open(GAME)).table.seat("faye")
    assert ("Zoe", 2) == (row.name, row.generation)
    assert ("zoe@people.test",) == bench.people.holder(GAME, "faye").addresses
