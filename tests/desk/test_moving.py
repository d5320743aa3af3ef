"""A table goes to another host behind one address: nothing is lost, nothing plays or goes twice, whoever is killed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygit2
import pytest

from pbem.cli.kit.local_checks import doors
from pbem.desk.core.outcome import Outcome
from pbem.host import table_transfer, toml_folder
from pbem.host.config import Config, HostConfig
from pbem.host.people import People
from pbem.host.table_transfer import _ABOUT, _THINGS, INBOX_REPOSITORY, PASSED_ON_HEADER, TableTransfers
from pbem.outbound.render import Host, Renderer
from pbem.store import backup_repository
from pbem.store.commit_record import read_records
from pbem.store.errors import NoSuchGame, StoreError
from pbem.store.game_store import GameStore
from pbem.store.outbound_queue import OutboundQueue
from pbem.store.private_text import PrivateText
from pbem.store.spool import Spool

from .room import OWN, Room

GAME = "a-tally-1"


class Labelled(Room):
    """One of several hosts behind the address."""

    def __init__(self, folder: Path, label: str) -> None:
        folder.mkdir(exist_ok=True)
        super().__init__(folder)
        self.renderer = Renderer(Host(OWN, label=label))
        self.restart()

    @property
    def moves(self) -> TableTransfers:
        return self.desk.services.moves

    def restart(self) -> None:
        """As a daemon begins."""
        if hasattr(self, "desk"):
            self.spool.close()
        super().restart()
        self.people = People(self.folder / "mail")
        self.moves.open_door()
        self.moves.clear()
        self.moves.take_in()
        self.spool.recover(self.store)

    @property
    def door(self) -> str:
        return str(self.folder / "mail" / INBOX_REPOSITORY)

    def waiting(self) -> list[str]:
        return [row.message_id for row in self.spool.rows(state="ready")]

    def arrive(self) -> list[Any]:
        """What this host has passed on goes out; the bytes."""
        rows = [row for row in self.spool.rows(state="ready") if row.kind == "passed-on"]
        self.spool.sent([row.message_id for row in rows], self.time)
        return [(row.rcpt, self.spool.raw(row.message_id)) for row in rows]


@pytest.fixture
def hosts(tmp_path: Path) -> tuple[Labelled, Labelled]:
    """A table of two in mid-game at the first: one mail has gone, one waits."""
    a, b = Labelled(tmp_path / "a", "a"), Labelled(tmp_path / "b", "b")
    assert a.open(players=2) == GAME
    a.send("anna", "say good evening\nadd 3")
    first = a.spool.rows(GAME)[0]
    a.spool.sent([first.message_id], a.time)
    return a, b


def settled(a: Labelled, b: Labelled, head: str, waited: list[str]) -> None:
    """The table is at `b` alone, with its people, its words, and its mails once."""
    assert (False, True) == (a.store.has(GAME), b.store.has(GAME))
    assert head == b.store.head(GAME)
    assert not (a.store.root / GAME).exists() and not a.people.holders(GAME) and not a.spool.words.of(GAME)
    assert [one.seat for one in b.people.holders(GAME)] == ["anna", "bob"]
    assert "good evening" in str(b.spool.words.of(GAME))
    assert ([], waited) == (a.waiting(), b.waiting())
    assert len(b.spool.rows(GAME)) == len(a.spool.rows(GAME))
    assert [] == [row for row in a.spool.rows(GAME) if a.spool.raw(row.message_id)]


def test_a_late_letter_is_passed_on_and_plays_once(hosts: tuple[Labelled, Labelled]) -> None:
    a, b = hosts
    letter, head, waited = a.write("bob", "add 2"), a.store.head(GAME), a.waiting()
    post = a.moves.move(GAME, b.door, patience=0)
    b.restart()
    settled(a, b, head, waited)
    assert post.address == b.renderer.host.own_address == "pbem+b@games.test"

    before = b.stored(GAME).table.records
    handled = a.post(letter)
    assert (Outcome.SILENT, GAME) == (handled.outcome, handled.game)
    ((to, raw),) = a.arrive()
    assert post.address == to and raw.endswith(letter)
    assert raw.startswith(f"{PASSED_ON_HEADER}: {GAME}; {to}\r\n".encode())
    assert Outcome.PLAYED is b.post(raw).outcome
    assert Outcome.SEEN is b.post(b"Received: by another way\r\n" + letter).outcome
    assert before + 1 == b.stored(GAME).table.records
    assert b.last("anna").message["X-PBEM-Host"] == "b"
    assert OWN.partition("@")[0] + f"+{GAME}." in b.last("anna").reply_to
    # By the mail that it refers to alone, and of a robot: both are for the other host.
    bare = {"To": OWN, "Subject": "hello", "In-Reply-To": str(a.mails("bob")[-1].message["Message-ID"] or "")}
    assert a.post(a.write("bob", "add 1", to=b.last("bob"), fields={**bare, "Subject": f"[{GAME}] x"})).game == GAME
    assert a.post(a.write("bob", "away", to=b.last("bob"), fields={"Auto-Submitted": "auto-replied"})).game == GAME


def test_a_table_comes_back_and_goes_on(hosts: tuple[Labelled, Labelled]) -> None:
    a, b = hosts
    a.moves.move(GAME, b.door, patience=0)
    b.restart()
    b.send("bob", "add 2")
    waited = b.waiting()
    b.moves.move(GAME, a.door, patience=0)
    a.restart()
    settled(b, a, a.store.head(GAME), waited)
    assert a.moves.post(GAME) is None and b.moves.post(GAME) is not None
    before = a.stored(GAME).table.records
    assert Outcome.PLAYED is a.send("anna", "bid 1").outcome
    assert before + 1 == a.stored(GAME).table.records == len(list(read_records(a.store.open(GAME))))


def test_a_letter_that_two_posts_send_round_is_put_aside(hosts: tuple[Labelled, Labelled]) -> None:
    a, b = hosts
    letter = a.write("bob", "add 2")
    a.moves.move(GAME, b.door, patience=0)
    a.post(letter)
    ((_, raw),) = a.arrive()
    assert Outcome.QUARANTINED is a.post(raw).outcome


def test_what_the_other_host_would_not_take_stays_as_it_is(hosts: tuple[Labelled, Labelled], tmp_path: Path) -> None:
    a, b = hosts
    backup_repository.bare_repository(tmp_path / "empty")
    other = Labelled(tmp_path / "c", "c")
    keys = type(other.desk.services.keys)(b"another secret, of 32 bytes here")
    TableTransfers(other.store, other.spool, other.people, other.folder / "mail", keys, "c@c.test").open_door()
    for door, says in (
        (str(tmp_path / "nothing"), "no door at"), (str(tmp_path / "empty"), "is no door of a host"),
        (other.door, "another secret"), (a.door, "the door of this host"),
    ):  # fmt: skip
        with pytest.raises(StoreError, match=says):
            a.moves.move(GAME, door, patience=0)
    with pytest.raises(NoSuchGame):
        a.moves.move("a-tally-7", b.door, patience=0)
    assert a.store.has(GAME) and Outcome.PLAYED is a.send("bob", "add 2").outcome


def test_while_the_other_host_cannot_be_reached_letters_wait(
    hosts: tuple[Labelled, Labelled], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = hosts
    letter, head, waited = a.write("bob", "add 2"), a.store.head(GAME), a.waiting()

    def broken(*_: object) -> None:
        raise StoreError("git push failed: no route to host")

    with monkeypatch.context() as patch:
        patch.setattr(backup_repository, "push_refs", broken)
        with pytest.raises(StoreError, match="goes on"):
            a.moves.move(GAME, b.door, patience=0)
    a.restart()
    with pytest.raises(StoreError, match="is on its way"):
        a.post(letter)
    assert not a.store.has(GAME) and a.waiting() == []
    with pytest.raises(StoreError, match="is on its way to"):
        a.moves.move(GAME, a.door, patience=0)
    a.moves.move(GAME, b.door, patience=0)
    b.restart()
    settled(a, b, head, waited)


class Killed(BaseException):
    """No handler of ours knows it."""


STEPS: tuple[tuple[object, str], ...] = (
    (table_transfer, "replace_file"), (toml_folder, "replace_file"), (GameStore, "put_out"), (OutboundQueue, "hold_back"), (backup_repository, "push_refs"), (PrivateText, "drop"),
    (OutboundQueue, "gone"), (GameStore, "drop"), (PrivateText, "put"), (GameStore, "adopt"), (Spool, "catch_up"),
    (OutboundQueue, "carry_in"), (backup_repository, "backup_git"), (shutil, "rmtree"),
)  # fmt: skip
"""Whatever changes something outside, on either side."""


READS = ("ls-remote", "rev-parse", "rev-list", "for-each-ref")


def killing(at: int, patch: pytest.MonkeyPatch) -> None:
    """Let the step `at` kill us before it does anything, which is after the step before it."""
    count = 0

    def lethal(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*words: Any, **more: Any) -> Any:
            nonlocal count
            count += words[1:2] == () or words[1] not in READS
            if count == at:
                raise Killed
            return real(*words, **more)

        return step

    for place, name in STEPS:
        patch.setattr(place, name, lethal(getattr(place, name)))


def test_a_kill_at_any_step_costs_nothing_but_the_step(hosts: tuple[Labelled, Labelled], tmp_path: Path) -> None:
    a, b = hosts
    letter, head, waited, number = a.write("bob", "add 2"), a.store.head(GAME), a.waiting(), a.stored(GAME).table.records
    for room in (a, b):
        room.spool.close()
    at = killed = 0
    while at == killed:
        at += 1
        folder = tmp_path / f"run{at}"
        for name in ("a", "b"):
            shutil.copytree(tmp_path / name, folder / name)
        a, b = Labelled(folder / "a", "a"), Labelled(folder / "b", "b")
        with pytest.MonkeyPatch.context() as patch:
            killing(at, patch)
            try:
                a.moves.move(GAME, b.door, patience=0)
                b.moves.take_in()
            except Killed:
                killed += 1
        # Both daemons begin again, in the order that is worse; then the same command is given again, if need be.
        b.restart()
        a.restart()
        post = a.moves.post(GAME)
        if post is None or not post.gone:
            a.moves.move(GAME, b.door, patience=0)
            b.restart()
        settled(a, b, head, waited)
        a.post(letter)
        for _, raw in a.arrive():
            assert Outcome.PLAYED is b.post(raw).outcome
        assert number + 1 == b.stored(GAME).table.records
        for room in (a, b):
            room.spool.close()
        shutil.rmtree(folder)
    assert killed == 29


def test_doctor_tells_of_a_door_and_of_tables_that_have_not_arrived(
    hosts: tuple[Labelled, Labelled], monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = hosts
    config = Config(a.folder / "games", a.folder / "mail", host=HostConfig(OWN, label="a"))

    def told() -> list[tuple[str, str, str]]:
        return [(one.what, one.state, one.says) for one in doors(config)]

    assert [("door", "well", f"tables of other hosts come in at {a.door}")] == told()
    assert [] == list(doors(replace(config, host=HostConfig(OWN))))

    def unplugged(*given: object) -> None:
        raise StoreError("no connection")

    with monkeypatch.context() as patched, pytest.raises(StoreError):
        patched.setattr(backup_repository, "push_refs", unplugged)
        a.moves.move(GAME, b.door, patience=0)
    assert ("moving", "bad", f"{GAME} was to go to {b.door}, and has not arrived") == told()[1]
    shutil.rmtree(b.door)
    assert f"{GAME} was to go to {b.door}, and has not arrived: there is no door" == told()[1][2]
    b.restart()
    a.moves.move(GAME, b.door, patience=0)
    assert ("moved", "well", f"letters to {GAME} are passed on to pbem+b@games.test") == told()[1]
    shutil.rmtree(a.door)
    assert ("door", "doubt", f"there is none at {a.door}; no table can be brought here") == told()[0]


def pushed(room: Labelled, name: str, about: bytes, *more: tuple[str, str, bytes]) -> None:
    """Lay something down at a door, as whoever may push there can: `more` are modes, names and objects of its tree."""
    door = pygit2.Repository(room.door)
    rows = [("100644", _ABOUT, door.create_blob(about).raw), *more]
    tree = door.odb.write(pygit2.enums.ObjectType.TREE, b"".join(f"{mode} {path}".encode() + b"\0" + raw for mode, path, raw in rows))
    who = pygit2.Signature("x", "x@x.test", 1, 0)
    door.references.create(f"{_THINGS}{name}", door.create_commit(None, who, who, "x", tree, []), force=True)


ALIEN = (
    ("brackets", b"a=" + b"[" * 20_000, ()),
    ("submodule", b"", (("160000", "sub", b"\1" * 20),)),
    ("another secret", b'version=1\nsecret="x"\ngame="alien"\nmoves=1\n', ()),
    ("no text", b"\xff\xfe", ()),
    ("too much", b"a" * 2_000_000, ()),
)


@pytest.mark.parametrize(("about", "more"), [one[1:] for one in ALIEN], ids=[one[0] for one in ALIEN])
def test_what_is_no_table_of_ours_is_put_aside_and_told_once(
    hosts: tuple[Labelled, Labelled], about: bytes, more: tuple[tuple[str, str, bytes], ...], caplog: pytest.LogCaptureFixture
) -> None:
    _, b = hosts
    for number in range(3):
        pushed(b, f"alien-{number}", about, *more)
    assert 1 == len(b.moves.take_in())
    assert 3 == len(caplog.records)
    pushed(b, "alien-9", about, *more)
    assert [b.moves.take_in() for _ in range(3)] == [()] * 3
    assert 4 == len(caplog.records)


@pytest.mark.parametrize("more", [(("160000", "sub", b"\1" * 20),), (("100644", "rest.json", b"\1" * 20),), ()])
def test_what_has_our_secret_and_cannot_be_read_stays_and_is_told_once(
    hosts: tuple[Labelled, Labelled], more: tuple[tuple[str, str, bytes], ...], caplog: pytest.LogCaptureFixture
) -> None:
    _, b = hosts
    secret = b.desk.services.keys.host
    for about in (f'version=1\nsecret="{secret}"\ngame="alien"\nmoves=1\n', f'a="{secret}"\nb={"[" * 20_000}'):
        caplog.clear()
        pushed(b, "alien", about.encode(), *more)
        assert [1, 0, 0] == [len(b.moves.take_in()) for _ in range(3)]
        assert 1 == len(caplog.records)
