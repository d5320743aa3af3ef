"""Twenty-odd ways to damage a store on purpose. Each takes a host at rest and spoils its only game, `troyes-1`."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pygit2

from pbem.admin.health.fix import FixChoice
from pbem.store.durable_files import write_file
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.packfile import build_pack
from tests.repair.bench import Bench

GAME = "troyes-1"


@dataclass(frozen=True)
class Damage:
    """`spoil` does it; `what` is the kind of fault that fsck must name; `choice` mends it; `same` the old position."""

    spoil: Callable[[Path], None]
    what: str
    choice: FixChoice = field(default_factory=FixChoice)
    same: bool = True
    waits: bool = True
    """Whether letters to the game wait until it is mended."""
    heals: bool = False
    """Whether the next letter to anybody mends it."""


def game(host: Path) -> Path:
    return host / "games" / GAME


def git(host: Path, *words: str) -> str:
    names = {f"GIT_{who}_{what}": "x@y.test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", "-C", str(game(host)), *words], env={**os.environ, **names}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def cut(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2])


def truncated_state(host: Path) -> None:
    cut(game(host) / "state.toml")


def empty_secret(host: Path) -> None:
    (game(host) / "secret.toml").write_bytes(b"")


def missing_state(host: Path) -> None:
    (game(host) / "state.toml").unlink()


def nonsense_in_state(host: Path) -> None:
    path = game(host) / "state.toml"
    path.write_text(path.read_text().replace("records = ", "records = 'many' # "))


def edited_deniers(host: Path) -> None:
    """A sensible hand edit: four deniers more for Anna."""
    path = game(host) / "state.toml"
    path.write_text(richer(path.read_text()))


def richer(text: str) -> str:
    more = r'(seat = "anna", name = "Anna", deniers = )(\d+)'
    return re.sub(more, lambda found: f"{found[1]}{int(found[2]) + 4}", text)


def deleted_ref(host: Path) -> None:
    (game(host) / ".git/refs/heads/main").unlink()


def empty_ref(host: Path) -> None:
    (game(host) / ".git/refs/heads/main").write_bytes(b"")


def deleted_ref_and_journal(host: Path) -> None:
    deleted_ref(host)
    (game(host) / ".git/pbem/journal").unlink()


def other_branch(host: Path) -> None:
    (game(host) / ".git/HEAD").write_text("ref: refs/heads/elsewhere\n")


def stale_lock(host: Path) -> None:
    (game(host) / ".git/refs/heads/main.lock").write_bytes(b"")


def no_journal(host: Path) -> None:
    (game(host) / ".git/pbem/journal").write_bytes(b"garbage")


def newest_pack(host: Path) -> Path:
    packs = (game(host) / ".git/objects/pack").glob("pack-*.pack")
    return max(packs, key=lambda path: path.stat().st_mtime_ns)


def missing_object(host: Path) -> None:
    """The pack of the last commit is gone, and its index with it."""
    pack = newest_pack(host)
    pack.unlink()
    pack.with_suffix(".idx").unlink()


def broken_pack(host: Path) -> None:
    pack = newest_pack(host)
    raw = bytearray(pack.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    pack.chmod(0o644)
    pack.write_bytes(bytes(raw))


def objects(repo: GameRepo) -> set[str]:
    """All that a repository names, whole or not."""
    return set(map(str, pygit2.Odb(str(repo.gitdir / "objects"))))


def spoiled(host: Path, *found: str) -> None:
    """All objects in one pack, each whole by itself, and one byte of each of these changed."""
    repo = GameStore(host / "games").open(GAME)
    every = {name: (one.kind, one.data) for name in objects(repo) if (one := repo.history.objects.get(name))}
    for path in [*repo.gitdir.glob("objects/pack/*"), *repo.gitdir.glob("objects/??/*")]:
        path.unlink()
    name, made, index = build_pack(every)
    raw, file = bytearray(made), repo.gitdir / "objects/pack" / f"{name}.pack"
    write_file(file, made)
    write_file(file.with_suffix(".idx"), index)
    rows = (line.split() for line in git(host, "verify-pack", "-v", str(file.with_suffix(".idx"))).splitlines())
    places = {row[0]: int(row[4]) + int(row[3]) for row in rows if len(row) == 5}
    for one in found:
        # The last byte is of the sum over what was packed.
        raw[places[one] - 1] ^= 0xFF
    file.write_bytes(bytes(raw))


def lost_record(host: Path) -> None:
    """One byte of what the last commit still needs of step 12."""
    spoiled(host, git(host, "rev-parse", "HEAD:chronicle/0000/000012.toml"))


def old_position(host: Path) -> None:
    """One byte of what an old commit alone has."""
    spoiled(host, git(host, "rev-parse", "HEAD~5:state.toml"))


def nothing_whole(host: Path) -> None:
    """What every commit needs: the record of the beginning."""
    spoiled(host, git(host, "rev-parse", "HEAD:chronicle/0000/000001.toml"))


def missing_index(host: Path) -> None:
    newest_pack(host).with_suffix(".idx").unlink()


def missing_blob(host: Path) -> None:
    """Everything unpacked, and the object of state.toml gone; the work file is whole."""
    blob = git(host, "rev-parse", "HEAD:state.toml")
    folder = game(host) / ".git/objects/pack"
    kept = [path.read_bytes() for path in folder.glob("*.pack")]
    for path in folder.iterdir():
        path.unlink()
    for raw in kept:
        subprocess.run(["git", "-C", str(game(host)), "unpack-objects", "-q"], input=raw, check=True)
    (game(host) / ".git/objects" / blob[:2] / blob[2:]).unlink()


def commit_by_hand(host: Path) -> None:
    """Somebody has edited and committed with git."""
    edited_deniers(host)
    git(host, "commit", "-qam", "four more for Anna")


def nonsense_committed(host: Path) -> None:
    cut(game(host) / "state.toml")
    git(host, "commit", "-qam", "oops")


def chronicle_unlike(host: Path) -> None:
    """The position in the last commit is not what the records fold to."""
    bench = Bench(host)
    repo = bench.store.open(GAME)
    with repo.lock():
        repo.commit({"state.toml": richer(repo.read("state.toml").decode()).encode()}, "x\n\nRecord: 15\n")
    bench.spool.catch_up(repo)
    bench.spool.close()


LAST = "number = (SELECT max(number) FROM outbox WHERE game = ?)"


def database(host: Path) -> sqlite3.Connection:
    return sqlite3.connect(host / "mail" / "spool.sqlite", isolation_level=None)


def outbox_rows_lost(host: Path) -> None:
    with database(host) as db:
        db.execute("DELETE FROM outbox WHERE game = ? AND record > 10", (GAME,))


def half_written_outbox(host: Path) -> None:
    with database(host) as db:
        db.execute(f"UPDATE outbox SET state = 'prepared' WHERE {LAST}", (GAME,))


def mail_without_text(host: Path) -> None:
    with database(host) as db:
        db.execute(f"UPDATE outbox SET raw = x'00' WHERE {LAST}", (GAME,))


def spool_behind(host: Path) -> None:
    with database(host) as db:
        db.execute("UPDATE games SET record = record - 1, head = 'x' WHERE game = ?", (GAME,))


def letters_forgotten(host: Path) -> None:
    with database(host) as db:
        db.execute("DELETE FROM handled WHERE game = ?", (GAME,))


def no_people(host: Path) -> None:
    (host / "mail/people" / f"{GAME}.toml").unlink()


def nonsense_people(host: Path) -> None:
    (host / "mail/people" / f"{GAME}.toml").write_text("seats = 12")


def seat_missing(host: Path) -> None:
    path = host / "mail/people" / f"{GAME}.toml"
    text = path.read_text()
    path.write_text(text.replace('seat = "faye"', 'seat = "eve"'))


def half_replaced(host: Path) -> None:
    """Killed after the coming people were laid down."""
    bench = Bench(host)
    bench.people.prepare(GAME, bench.people.holders(GAME), "fingerprint of nothing")
    bench.spool.close()


WHY = "found in the morning"
DAMAGES: dict[str, Damage] = {
    "truncated state": Damage(truncated_state, "file"),
    "empty secret": Damage(empty_secret, "file"),
    "missing state": Damage(missing_state, "file"),
    "nonsense in the state": Damage(nonsense_in_state, "file"),
    "hand edit kept": Damage(edited_deniers, "file", FixChoice(adopt=True, why=WHY), same=False),
    "hand edit put back": Damage(edited_deniers, "file", FixChoice(restore=True)),
    "deleted ref": Damage(deleted_ref, "branch"),
    "empty ref": Damage(empty_ref, "branch"),
    "deleted ref and journal": Damage(deleted_ref_and_journal, "branch", FixChoice(back=True)),
    "other branch": Damage(other_branch, "head"),
    "stale lock": Damage(stale_lock, "lock"),
    "no journal": Damage(no_journal, "journal", waits=False),
    "missing object": Damage(missing_object, "commit", FixChoice(back=True, why=WHY), same=False),
    "broken pack": Damage(broken_pack, "pack", FixChoice(back=True, why=WHY), same=False),
    "lost record": Damage(lost_record, "record", FixChoice(back=True, why=WHY), same=False, waits=False),
    "missing index": Damage(missing_index, "commit"),
    "missing blob": Damage(missing_blob, "object", FixChoice(back=True, why=WHY), same=False),
    "commit by hand kept": Damage(commit_by_hand, "hand", FixChoice(adopt=True, why=WHY), same=False),
    "commit by hand put back": Damage(commit_by_hand, "hand", FixChoice(restore=True)),
    "nonsense committed": Damage(nonsense_committed, "state", FixChoice(back=True, why=WHY)),
    "unlike its records, kept": Damage(chronicle_unlike, "fold", FixChoice(adopt=True, why=WHY), False, waits=False),
    "unlike its records, put back": Damage(chronicle_unlike, "fold", FixChoice(restore=True, why=WHY), True, waits=False),
    "lost outbox": Damage(outbox_rows_lost, "outbox", waits=False),
    "half written outbox": Damage(half_written_outbox, "outbox", waits=False),
    "mail without text": Damage(mail_without_text, "outbox", waits=False),
    "spool behind": Damage(spool_behind, "outbox", waits=False),
    "forgotten letters": Damage(letters_forgotten, "letters", waits=False),
    "no people": Damage(no_people, "people", waits=False),
    "nonsense people": Damage(nonsense_people, "people"),
    "missing seat": Damage(seat_missing, "people", waits=False),
    "half replaced": Damage(half_replaced, "people", waits=False, heals=True),
}
