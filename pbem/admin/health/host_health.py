"""Faults of a host as a whole: full disks, a damaged spool, open modes, vanished games, games that cannot be opened."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from pbem.host.people import People
from pbem.store.audit import Fault, Remedy
from pbem.store.errors import LockHeld, StoreError
from pbem.store.game_repo import GameRepo
from pbem.store.game_store import GameStore
from pbem.store.permissions import close_to_others, foreign_files, owner_problem, space_problem, world_readable
from pbem.store.private_text import PrivateText


def host_faults(store: GameStore, mail: Path) -> Iterator[Fault]:
    """Faults of disks, spool, modes and people; none of a game that is there."""
    full = [
        Fault("disk", str(path), says, person="make room on it")
        for path in (store.root, mail)
        if (says := space_problem(path))
    ]
    yield from full
    spool = spool_fault(store, mail)
    if spool is not None and not (full and spool.path):
        yield spool
    words = mail / PrivateText.NAME
    if words.exists() and not owner_problem(words) and not full and (said := _damage(words, "words")):
        yield Fault("words", str(words), f"the file is damaged: {said[:200]}", person=PrivateText.DAMAGED)
    yield from _modes(store, mail)
    yield from _vanished(store, mail)


def spool_fault(store: GameStore, mail: Path) -> Fault | None:
    """The fault of the spool's file; None when it is sound, or nobody has played here by mail."""
    file = mail / "spool.sqlite"
    if not file.exists():
        if not (mail / "people").is_dir() or not store.names():
            return None
        return Fault("spool", str(file), "the file is missing, though there are games", Remedy.FILL)
    if whose := owner_problem(file):
        return Fault("access", str(file), whose, person="see there")
    if not (said := _damage(file, "outbox")):
        return None
    if full := space_problem(mail):
        # SQLite needs room to look; the file itself may be sound.
        return Fault("disk", str(mail), f"{full}, so that the spool cannot be read ({said[:100]})", person="make room")
    return Fault("spool", str(file), f"the file is damaged: {said[:200]}", Remedy.SPOOL)


def _damage(file: Path, table: str) -> str:
    """SQLite's words about a file that is damaged or lacks a table; empty for a sound one."""
    try:
        db = sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)
        try:
            said = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
            db.execute(f"SELECT count(*) FROM {table}").fetchone()
        finally:
            db.close()
    except sqlite3.Error as odd:
        said = str(odd)
    return "" if said == "ok" else said


def _own(store: GameStore) -> list[Path]:
    """The store's folder and its own files, without the games."""
    return [store.root, *store.root.glob(".pbem.*")]


def _books(store: GameStore) -> list[Path]:
    return [path for path in store.root.glob("_*") if path.is_dir()]


def _modes(store: GameStore, mail: Path) -> Iterator[Fault]:
    for path in _own(store):
        if not path.is_symlink() and (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            yield Fault("mode", str(path), f"its mode is {mode:04o}: other users can look into it", Remedy.CLOSE)
    for folder in (mail, *_books(store)):
        if open_ := list(world_readable(folder)):
            says = f"{len(open_)} files and folders can be read by other users, the first {open_[0]}"
            yield Fault("mode", str(folder), says, Remedy.CLOSE)


def close_folders(store: GameStore, mail: Path) -> int:
    """Close the host's folders to other users; the number of places changed. Raises OSError."""
    count = 0
    for path in _own(store):
        if (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            path.chmod(mode & 0o700)
            count += 1
    return count + sum(close_to_others(folder) for folder in (mail, *_books(store)))


def _vanished(store: GameStore, mail: Path) -> Iterator[Fault]:
    """Games with people that are not there, or are no repository."""
    there = set(store.names())
    for name in People(mail).games():
        if name in there:
            continue
        folder = store.root / name
        if whose := owner_problem(folder):
            yield Fault("access", name, whose, person="see there")
            continue
        says = "its .git is gone or cannot be looked into" if folder.exists() else "its folder is gone"
        person = (
            f"put it back from a backup; if it was taken away on purpose, remove {mail / 'people' / name}.toml, too"
        )
        yield Fault("game", name, f"people sit at it, but {says}", person=person)


def examine_game(store: GameStore, name: str, look: Callable[[GameRepo], tuple[Fault, ...]]) -> tuple[Fault, ...]:
    """The faults of one game by `look`; where that cannot read the game, the fault says why."""
    others = list(foreign_files(store.root / name))
    if others:
        whose = owner_problem(others[0], store.root / name) or f"{others[0]} cannot be read by us"
        says = f"{len(others)} of its files are not ours or closed to us: {whose}"
        return (Fault("access", name, says, person="see there; typically somebody has run pbem as another user"),)
    try:
        return look(store.open(name))
    except LockHeld as odd:
        return (Fault("lock", name, str(odd), person="wait for whoever holds it, and look again"),)
    except (StoreError, OSError, sqlite3.Error) as odd:
        return (Fault("game", name, f"cannot be looked through: {odd}", person="see there"),)
